"""What is told to one person after the acknowledgement, and who is an admin.

What calls Slack here runs in a small pool of its own, so that no listener waits for the network.
An ephemeral that is lost is lost. What is decided only after Slack was asked (who is an admin, who
is in a channel) is committed here too: a stop waits for it, and a kill loses it.
"""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final

import structlog

from bot.payloads.people import InteractionPlace
from bot.publish.background import guarded
from bot.views.kit.blocks import Message
from bot.web_api.api_errors import Failure
from bot.web_api.client import SlackClient
from core.domain.ids import UserId

ADMIN_REMEMBERED_S: Final = 600.0
REMEMBERED_MAX: Final = 10_000

log = structlog.get_logger(__name__)


def post_ephemeral(slack: SlackClient, place: InteractionPlace, message: Message) -> Failure | None:
    """Tell the person at that place alone, now. For a worker."""
    return slack.ephemeral(
        place.channel, place.user, message, thread_ts=place.thread_ts, otherwise=place.respond_to
    )


class EphemeralSender:
    def __init__(self, slack: SlackClient, executor: Executor) -> None:
        self._slack = slack
        self._executor = executor

    def tell(self, place: InteractionPlace, say: Callable[[], Message]) -> None:
        """Say it to that person alone, soon. The words are found in the pool too."""
        self.later(lambda: self._post(place, say()))

    def has_newer_blocks(self, words: Message) -> bool:
        """True if the words would be sent with blocks that this workspace may refuse."""
        return self._slack.has_newer_blocks(words)

    def respond(self, url: str, words: Message) -> None:
        """Say it through a command's reply address, once the command is acknowledged."""
        self.later(lambda: self._answer(url, words))

    def later(self, job: Callable[[], None]) -> None:
        """Do it once the request is answered. What it raises is logged and ends there."""
        run = guarded(job, "ephemeral.broke")
        try:
            self._executor.submit(run)
        except RuntimeError:  # the pool is ending: what a job of it leads to is done in its thread
            run()

    def _post(self, place: InteractionPlace, message: Message) -> None:
        failure = post_ephemeral(self._slack, place, message)
        if failure is not None:
            log.warning("ephemeral.failed", error=str(failure))

    def _answer(self, url: str, words: Message) -> None:
        failure = self._slack.respond(url, words)
        if failure is not None:
            log.warning("ephemeral.failed", error=str(failure))


class Admins:
    """Who may act for others. `known` never leaves the process; `ask` calls Slack."""

    def __init__(self, slack: SlackClient, now: Callable[[], float] = time.monotonic) -> None:
        self._slack = slack
        self._now = now
        self._found: dict[UserId, tuple[float, bool]] = {}

    def known(self, user: UserId) -> bool | None:
        since, admin = self._found.get(user, (float("-inf"), False))
        return admin if self._now() - since < ADMIN_REMEMBERED_S else None

    def ask(self, user: UserId) -> bool | None:
        """None where nobody can tell: without `users:read`, or when Slack does not answer."""
        remembered = self.known(user)
        if remembered is not None:
            return remembered
        profile = self._slack.lookups.user(user)
        if isinstance(profile, Failure):
            log.warning("admin.unknown", user=user, error=str(profile))
            return None
        admin = bool(profile.get("is_admin") or profile.get("is_owner"))
        if len(self._found) >= REMEMBERED_MAX:
            self._found.clear()
        self._found[user] = (self._now(), admin)
        return admin
