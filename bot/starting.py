"""Starting a session by the form: how it is opened, and what is wrong with what was filled in.

All that is wrong is said at once, each at its field; the form stays as it was filled in.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.command_line import MODES, TITLE_CHARS_MAX
from bot.commands import Handled
from bot.desk import Desk
from bot.inbound import Opening, Place
from bot.inbound_views import Submission
from bot.links import channel_link
from bot.modals import TOO_LATE_WORDS, Meaning, Means, Wrong
from bot.views.modals import INPUT_CHARS_MAX, View
from bot.views.start import (
    ANALYSIS,
    ANY_DEPTH,
    CHANNEL,
    DEPTH,
    MODE,
    TEXT,
    TITLE,
    begun,
    start_form,
)
from core.domain.effects import Reply
from core.domain.events import SessionRequested
from core.domain.ids import DEPTHS, ChannelId, RunId, session_id, slug_of
from core.domain.session import ENDED, Mode, Origin, Session
from core.ports import Summary
from core.secrets.named import kinds_of

NO_TITLE: Final = "Please give it a title."
TOO_LONG: Final = "Please keep it under {most} characters."
HELD_BACK: Final = (
    "That looks like a password, key or token: I keep nothing of it. "
    "Please take it out, and rotate the credential."
)
NO_CHOICE: Final = "Please choose one of the list."
NOT_THERE: Final = (
    "I am not in that channel, or it is archived. Add me there with /invite @Roundtable, and press "
    "Start again."
)
NO_CHANNEL: Final = "Please choose a channel."
ALREADY: Final = (
    "“{title}” is already under way there. /roundtable resume {slug} in that channel goes on with "
    "it; another title starts something new."
)


def open_start(desk: Desk, opening: Opening) -> None:
    """A form can be asked for from where nothing can be said: then the Home tab says it."""
    desk.modals.open(
        opening,
        start_form,
        lost=lambda: desk.homes.noted(opening.user, TOO_LATE_WORDS),
        then=desk.channels.look,
    )


def open_again(desk: Desk, opening: Opening, refused: Session) -> None:
    """The form of a start that could not begin, as it was filled in."""
    title, text = refused.title[:TITLE_CHARS_MAX], description_of(refused)
    mode, channel = refused.mode or ANALYSIS, refused.channel
    desk.modals.open(
        opening,
        lambda: start_form(title=title, text=text, mode=mode, channel=channel),
        then=desk.channels.look,
    )


def meant(desk: Desk, given: Submission) -> Meaning:
    """What a filled-in form comes to: a session, or everything that is wrong with it."""
    channel = ChannelId(given.values.get(CHANNEL, ""))
    errors = {**dict(wrong_words(desk, given, channel)), **dict(_wrong_place(desk, given, channel))}
    if errors:
        return Wrong(errors)
    requested = request(desk, given, channel, respond_to=given.respond_to.get(channel))
    return Means(
        requested,
        Place(given.user, channel),
        at_field=at_field,
        shows=lambda handled: shown(desk, requested, handled),
    )


def _wrong_place(desk: Desk, given: Submission, channel: ChannelId) -> Iterator[tuple[str, str]]:
    if given.values.get(MODE) not in (ANALYSIS, *MODES):
        yield MODE, NO_CHOICE
    if not channel:
        yield CHANNEL, NO_CHANNEL
    elif desk.channels.is_outside(channel):
        yield CHANNEL, NOT_THERE


def wrong_words(desk: Desk, given: Submission, channel: ChannelId) -> Iterator[tuple[str, str]]:
    """What is wrong with the title, the text and the depth."""
    title, text = title_in(given), given.values.get(TEXT, "")
    if not title:
        yield TITLE, NO_TITLE
    elif len(title) > TITLE_CHARS_MAX:
        yield TITLE, TOO_LONG.format(most=TITLE_CHARS_MAX)
    elif kinds_of(title):
        yield TITLE, HELD_BACK
    elif known := _under_way(desk, title, channel):
        yield TITLE, ALREADY.format(title=known.title, slug=known.slug)
    if len(text) > INPUT_CHARS_MAX:
        yield TEXT, TOO_LONG.format(most=INPUT_CHARS_MAX)
    elif kinds_of(text):
        yield TEXT, HELD_BACK
    if given.values.get(DEPTH) not in (ANY_DEPTH, *DEPTHS):
        yield DEPTH, NO_CHOICE


def _under_way(desk: Desk, title: str, channel: ChannelId) -> Summary | None:
    there = desk.runtime.reader.channel_sessions(desk.workspace.team, channel)
    return next(
        (
            each
            for each in there
            if each.status not in ENDED and slug_of(each.title) == slug_of(title)
        ),
        None,
    )


def request(
    desk: Desk,
    given: Submission,
    channel: ChannelId,
    *,
    respond_to: str | None,
    origin: Origin | None = None,
) -> SessionRequested:
    """The start that a faultless form asks for."""
    title, text = title_in(given), given.values.get(TEXT, "").strip()
    mode: Mode = next((each for each in MODES if each == given.values.get(MODE)), "")
    return SessionRequested(
        by=given.user,
        at=desk.now(),
        session=session_id(desk.new_id()),
        run=RunId(desk.new_id()),
        seed=desk.new_id(),
        team=desk.workspace.team,
        channel=channel,
        title=title,
        text=f"{title}\n\n{text}" if text else title,
        depth=next((each for each in DEPTHS if each == given.values[DEPTH]), None),
        flow="inception" if mode else "analysis",
        mode=mode,
        respond_to=respond_to,
        origin=origin,
    )


def description_of(session: Session) -> str:
    """What was said beside the title."""
    return session.text.removeprefix(session.title).strip()[:INPUT_CHARS_MAX]


def title_in(given: Submission) -> str:
    return " ".join(given.values.get(TITLE, "").split())


def at_field(reply: Reply) -> Mapping[str, str]:
    """Somebody was quicker, between our look and the start."""
    if reply.kind == "already-open":
        return {TITLE: ALREADY.format_map(reply.args)}
    return {TITLE: HELD_BACK} if reply.kind == "secret-title" else {}


def shown(desk: Desk, requested: SessionRequested, handled: Handled) -> View | None:
    if handled.session is None:  # it was submitted twice
        return None
    return begun(requested.title, channel_link(desk.workspace.url, requested.channel))
