"""“Take to the Roundtable”: a message and its thread become the draft of an analysis.

The form keeps which message it is about, sealed; it asks for no channel, so that what was said in
one is never shown in another.
"""

from dataclasses import dataclass
from typing import Final

from bot.command_line import TITLE_CHARS_MAX, title_of
from bot.desk import Desk
from bot.inbound import Opening, Place
from bot.inbound_views import Called, Submission
from bot.modals import Meaning, Means, Wrong
from bot.starting import at_field, description_of, request, shown, wrong_words
from bot.views.blocks import Message, lines, message, rich_text, words
from bot.views.start import take_form
from core.domain.ids import ChannelId, Ts
from core.domain.session import Origin, Session

PEOPLE_ONLY: Final[Message] = message(
    rich_text(
        lines(
            [
                [
                    words(
                        "I can only take along what a person of this workspace wrote. Please "
                        "choose one of their messages, or start with "
                    ),
                    words("/roundtable analyze <title>", code=True),
                    words("."),
                ]
            ]
        )
    )
)


@dataclass(frozen=True, slots=True)
class _Kept:
    """Which message, and where its person is told of a refusal."""

    channel: ChannelId
    origin: Origin
    respond_to: str

    def sealed(self) -> str:
        where = (self.channel, self.origin.ts, self.origin.thread_ts, self.respond_to)
        return "\n".join(where)

    @classmethod
    def of(cls, kept: str) -> "_Kept":
        channel, ts, thread_ts, respond_to = kept.split("\n")  # the seal is ours: so is the shape
        return cls(ChannelId(channel), Origin(Ts(ts), Ts(thread_ts)), respond_to)


def open_take(desk: Desk, called: Called) -> None:
    said, place = called.message, called.opening.place
    assert said is not None
    assert place is not None
    if said.by is None:
        desk.whisper.tell(place, lambda: PEOPLE_ONLY)
        return
    origin = Origin(said.ts, said.thread_ts or said.ts)
    kept = _Kept(said.channel, origin, place.respond_to or "").sealed()
    title = title_of(said.text) if said.text.strip() else ""
    desk.modals.open(called.opening, lambda: take_form(title=title, text=said.text, kept=kept))


def open_again(desk: Desk, opening: Opening, refused: Session) -> None:
    """The form of a start that could not begin, as it was filled in."""
    assert refused.origin is not None
    respond_to = (opening.place and opening.place.respond_to) or ""
    kept = _Kept(refused.channel, refused.origin, respond_to).sealed()
    title, text = refused.title[:TITLE_CHARS_MAX], description_of(refused)
    desk.modals.open(opening, lambda: take_form(title=title, text=text, kept=kept))


def meant(desk: Desk, given: Submission) -> Meaning:
    kept = _Kept.of(given.metadata)
    errors = dict(wrong_words(desk, given, kept.channel))
    if errors:
        return Wrong(errors)
    requested = request(
        desk, given, kept.channel, respond_to=kept.respond_to or None, origin=kept.origin
    )
    return Means(
        requested,
        Place(given.user, kept.channel),
        at_field=at_field,
        shows=lambda handled: shown(desk, requested, handled),
    )
