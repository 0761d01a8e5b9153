"""Opening modals, and what a submitted one comes to. Knows no single modal.

A modal is opened in a worker right after the acknowledgement: its trigger lives for three seconds.
What it keeps in `private_metadata` is sealed, so that nobody can make it say something else.
How to add a modal is said in `bot.interactions.forms.submissions`, where its row is.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final, TypeAlias

import structlog

from bot.interactions.ephemerals import post_ephemeral
from bot.payloads.people import InteractionPlace, Opening
from bot.publish.background import After, after, guarded
from bot.views.kit.blocks import message
from bot.views.kit.modals import View
from bot.views.kit.rich_text import paragraph
from bot.web_api.client import SlackClient
from core.domain.effects import Reply
from core.domain.events import Event
from core.domain.ids import SessionId, UserId
from core.runtime.commit import Handled

SEAL_CHARS: Final = 32
UPDATE_TRIES_MAX: Final = 5
UPDATE_AGAIN_S: Final = 0.3
TOO_LATE_WORDS: Final = "Slack did not let me open that form in time. Please choose it once more."
TOO_LATE: Final = message(paragraph(TOO_LATE_WORDS))

log = structlog.get_logger(__name__)


# ── what a submission means ────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Wrong:
    """Nothing happens: `errors` are shown at their fields (block id → words), the form stays."""

    errors: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Means:
    """It becomes an event; what the runtime replies is told to the person at `place`.

    `at_field`: a reply that belongs to a field is an error there, and the form stays.
    `shows`: what the form turns into; None closes it.
    """

    event: Event
    place: InteractionPlace
    session: SessionId | None = None
    at_field: Callable[[Reply], Mapping[str, str]] = lambda _reply: {}
    shows: Callable[[Handled], View | None] = lambda _handled: None


@dataclass(frozen=True, slots=True)
class Unsure:
    """Slack has to be asked first whether that may be done. The form waits meanwhile.

    `refused` says why it may not, or None; `again`: the form as it was filled in, with those words.
    """

    means: Means
    refused: Callable[[], str | None]
    again: Callable[[str], View]


@dataclass(frozen=True, slots=True)
class Turns:
    """Nothing happens yet: the form turns into another, which keeps what was filled in."""

    into: View


Meaning: TypeAlias = Wrong | Means | Unsure | Turns


# ── opening ────────────────────────────────────────────────────────────────────────────────────


class Seal:
    """Says whether what a form kept is what we gave to that form and that person."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.sha256(f"roundtable-modals:{secret}".encode()).digest()

    def put(self, user: str, callback_id: str, metadata: str) -> str:
        return f"{self._of(user, callback_id, metadata)}{metadata}"

    def broken(self, user: str, callback_id: str, sealed: str) -> str | None:
        """What was sealed; None where the seal is not ours, or was for somebody else."""
        seal, metadata = sealed[:SEAL_CHARS], sealed[SEAL_CHARS:]
        right = self._of(user, callback_id, metadata)
        return metadata if hmac.compare_digest(seal.encode(), right.encode()) else None

    def _of(self, user: str, callback_id: str, metadata: str) -> str:
        sealed = "\n".join((user, callback_id, metadata)).encode()
        return hmac.new(self._key, sealed, hashlib.sha256).hexdigest()[:SEAL_CHARS]


class Modals:
    def __init__(
        self, slack: SlackClient, executor: Executor, seal: Seal, after: After = after
    ) -> None:
        self._slack = slack
        self._executor = executor
        self._after = after
        self.seal = seal

    def open(
        self,
        opening: Opening,
        view: Callable[[], View],
        *,
        lost: Callable[[], None] = lambda: None,
        after_open: Callable[[], None] = lambda: None,
    ) -> None:
        """Show a modal to whoever clicked. `view` is made in the worker, while the trigger lives.

        Where Slack does not take it, the person is told; `lost` is called where we have no place
        to tell them at. `after_open`: what else is asked of Slack, once it stands.
        """

        def job() -> None:
            self._open(opening, view(), lost)
            after_open()

        self._executor.submit(guarded(job, "modal.broke"))

    def sealed(self, user: UserId, view: View) -> View:
        """The view with what it keeps sealed for that person."""
        sealed = self.seal.put(user, view["callback_id"], view.get("private_metadata", ""))
        return {**view, "private_metadata": sealed}

    def has_newer_blocks(self, view: View) -> bool:
        """True if it would be shown with blocks that Slack may refuse."""
        return self._slack.has_newer_view(view)

    def update(
        self,
        user: UserId,
        external_id: str,
        view: View,
        *,
        lost: Callable[[], None],
        tries: int = 0,
    ) -> None:
        """Put another view in the place of one that an acknowledgement has just shown.

        The acknowledgement may still be on its way: what is not there yet is tried again. `lost` is
        called where it has been closed.
        """
        failure = self._slack.update_view(external_id, self.sealed(user, view))
        if failure is None:
            return
        if tries >= UPDATE_TRIES_MAX:
            log.warning("modal.not-updated", modal=view["callback_id"], error=str(failure))
            lost()
            return
        self._after(
            UPDATE_AGAIN_S,
            lambda: self.update(user, external_id, view, lost=lost, tries=tries + 1),
        )

    def _open(self, opening: Opening, view: View, lost: Callable[[], None]) -> None:
        show = self._slack.push_view if opening.above else self._slack.open_view
        failure = show(opening.trigger, self.sealed(opening.user, view))
        if failure is None:
            return
        log.warning("modal.failed", modal=view["callback_id"], error=str(failure))
        if opening.place is None:
            lost()
        else:
            post_ephemeral(self._slack, opening.place, TOO_LATE)
