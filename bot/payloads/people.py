"""Who acted in Slack, where, and with what standing: what every interaction says of its person."""

from dataclasses import dataclass
from typing import Literal

from bot.payloads.payload_models import InteractionPayload
from core.domain.ids import ChannelId, TeamId, Ts, UserId, act_key
from core.ports import Workspace


@dataclass(frozen=True, slots=True)
class InteractionPlace:
    """Where a person acted, and so where they are told what came of it."""

    user: UserId
    channel: ChannelId
    thread_ts: Ts | None = None
    respond_to: str | None = None  # for where we may not speak ourselves


@dataclass(frozen=True, slots=True)
class Opening:
    """The right to open one modal, for three seconds and once; and where its person is told else.

    docs: interactivity/handling-user-interaction (trigger_id)
    """

    user: UserId
    trigger: str
    place: InteractionPlace | None = None
    above: bool = False  # it was used in a modal, which stays below


Standing = Literal["member", "organization", "outsider"]
"""Who somebody is to a workspace. In an Enterprise Grid a click names the organization alone.

docs: reference/interaction-payloads/block_actions-payload (user.team_id)
"""


def is_direct_message(channel: ChannelId) -> bool:
    """True for a direct message: we hear nothing that is said there, so nothing can start there.

    docs: https://docs.slack.dev/apis/web-api/using-the-conversations-api (ids that begin with D)
    """
    return channel.startswith("D")


def standing(payload: InteractionPayload, workspace: Workspace) -> Standing:
    """Where the person belongs, as far as the payload says it."""
    team, enterprise = payload.team, payload.enterprise
    home = payload.user.team_id or (team.id if team else None)
    if home == workspace.team:
        return "member"
    organizations = (team and team.enterprise_id, enterprise and enterprise.id)
    return "organization" if home is None or home in organizations else "outsider"


def is_from_outside(payload: InteractionPayload, workspace: Workspace) -> bool:
    """True for a shortcut or a form of somebody else's workspace.

    Of an organization's person it names the workspace in which it was used.
    """
    where = standing(payload, workspace)
    is_ours = payload.team is not None and payload.team.id == workspace.team
    return where == "outsider" or (where == "organization" and not is_ours)


def act_keys(
    team: TeamId, user: UserId, trigger_id: str, action_ts: str | None = None
) -> tuple[str, ...]:
    """The delivery key of what a person did, so that the same signed request acts once."""
    ident = trigger_id or action_ts
    return (act_key(team, user, ident),) if ident else ()
