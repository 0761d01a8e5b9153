"""The one workspace whose token the bot has: who we are there, as Slack says it at the start."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

import tenacity
from slack_bolt import BoltRequest

from bot.interactions.interaction_context import InteractionContext
from bot.server.bolt_app import ContextMaker, InteractionContexts, slack_client
from bot.server.configuration.settings import Settings
from bot.web_api.api_errors import Failure
from bot.web_api.calls import Observe
from bot.web_api.client import SlackClient
from bot.web_api.lookups import Identity
from bot.web_api.rendering import PlainRenderings, RememberedRenderings, Renderings, is_gov_slack
from core.domain.ids import TeamId
from core.domain.session.session import Session
from core.ports import Later, Refused, Unclear, Workspace
from core.runtime.commit import Runtime
from core.store.queries.reader import Reader

START_TRIES_MAX: Final = 3  # of the first question to Slack
START_WAIT_S: Final = 0.5
START_WAIT_S_MAX: Final = 10.0
START_BACK_OFF: Final = tenacity.wait_exponential(multiplier=START_WAIT_S)


@dataclass(frozen=True, slots=True)
class OneWorkspace:
    """That whose token the bot has."""

    only: Workspace
    slack: SlackClient

    def client(self, team: TeamId) -> SlackClient:
        assert team == self.only.team, "one workspace is served"
        return self.slack

    def workspace(self, team: TeamId) -> Workspace:
        assert team == self.only.team, "one workspace is served"
        return self.only

    def contexts(self, _reader: Reader, context_of: ContextMaker) -> InteractionContexts:
        return OneContext(context_of(self.only, self.slack))

    def opened(self, settings: Settings, runtime: Runtime, observe: Observe) -> Self:
        """Store who we are there, and draw as it takes it."""
        runtime.save_workspace(self.only)
        self.slack.set_observer(observe)
        self.slack.set_renderings(renderings(settings, self.only, runtime))
        return self


def one_workspace(settings: Settings) -> OneWorkspace:
    """Ask Slack who we are. Raises `NotConnectedError`."""
    slack = slack_client(settings)
    return OneWorkspace(who_we_are(slack), slack)


class OneContext:
    """That of the one workspace whose token the bot has."""

    def __init__(self, interaction: InteractionContext) -> None:
        self._interaction = interaction

    def __call__(self, req: BoltRequest) -> InteractionContext | None:
        team, organization = req.context.team_id, req.context.enterprise_id
        is_click = req.body.get("type") == "block_actions"
        # A click may name an organization alone: what is stored says whether it is ours.
        of_organization = is_click and organization is not None and team == organization
        return (
            self._interaction
            if team == self._interaction.workspace.team or of_organization
            else None
        )

    def of(self, team: TeamId) -> InteractionContext:
        assert team == self._interaction.workspace.team, "one workspace is served"
        return self._interaction

    def changed(self, session: Session) -> None:
        self._interaction.homes.changed(session)

    def stop(self) -> None:
        self._interaction.homes.stop()


def renderings(settings: Settings, workspace: Workspace, runtime: Runtime) -> Renderings:
    """How widgets are drawn in that workspace."""
    if settings.blocks == "plain" or is_gov_slack(workspace.url):
        return PlainRenderings()
    return RememberedRenderings(
        lambda: runtime.reader.refused_widgets(workspace.team),
        lambda refused: runtime.save_refused_widgets(workspace.team, refused),
        runtime.clock.now,
    )


class NotConnectedError(Exception):
    """Slack did not say who we are. Its text says why, and never holds a token.

    `heard`: whether it was Slack that said so; else nothing was heard of it.
    """

    def __init__(self, why: str, *, heard: bool) -> None:
        super().__init__(why)
        self.heard = heard


def _start_wait_s(state: tenacity.RetryCallState) -> float:
    """As long as Slack says; else `START_WAIT_S`, and twice that the next time."""
    later = state.outcome.result() if state.outcome else None
    seconds = later.seconds if isinstance(later, Later) else None
    return float(START_BACK_OFF(state)) if seconds is None else min(seconds, START_WAIT_S_MAX)


def who_we_are(slack: SlackClient, *, sleep: Callable[[float], None] = time.sleep) -> Workspace:
    """Ask Slack who we are, before anything is served.

    Asked again where no answer came or Slack said "later", `START_TRIES_MAX` times in all. Raises
    `NotConnectedError`.
    """
    asking = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(START_TRIES_MAX),
        wait=_start_wait_s,
        retry=tenacity.retry_if_result(lambda answer: isinstance(answer, Later | Unclear)),
        retry_error_callback=lambda state: state.outcome and state.outcome.result(),
        sleep=sleep,
    )
    answer: Identity | Failure = asking(slack.lookups.auth_test)
    if not isinstance(answer, Identity):
        heard = isinstance(answer, Refused)
        raise NotConnectedError(
            answer.error if isinstance(answer, Refused) else answer.why, heard=heard
        )
    return Workspace(TeamId(answer.team), answer.url, answer.bot_user, answer.bot_id, answer.name)
