"""Starting a session by the form: how it is opened, and what is wrong with what was filled in.

All that is wrong is said at once, each at its field; the form stays as it was filled in.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.interactions.command_line import MODES
from bot.interactions.commands import HandledEvent
from bot.interactions.forms.modals import TOO_LATE_WORDS, Meaning, Means, Unsure, Wrong
from bot.interactions.interaction_context import InteractionContext
from bot.payloads.inbound import InteractionPlace, Opening
from bot.payloads.inbound_views import Submission
from bot.payloads.links import channel_link
from bot.views.kit.modals import INPUT_CHARS_MAX, View
from bot.views.start import (
    ANALYSIS,
    ANY_DEPTH,
    CHANNEL,
    DEPTH,
    MODE,
    TEXT,
    TITLE,
    TITLE_CHARS_MAX,
    begun,
    start_form,
)
from bot.web_api.client import VIEW_ADDRESS
from core.domain.effects import Reply
from core.domain.events import SessionRequested
from core.domain.ids import DEPTHS, ChannelId, RunId, UserId, session_id
from core.domain.session import Mode, Origin, Session
from core.engine.start.session import under_way as already_under_way
from core.secrets import kinds_of

NO_TITLE: Final = "Please give it a title."
TOO_LONG: Final = "Please keep it under {most} characters."
HELD_BACK: Final = (
    "That looks like a password, key or token: I keep nothing of it. "
    "Please take it out, and rotate the credential."
)
NO_CHOICE: Final = "Please choose one of the list."
NOT_THERE: Final = (
    "I start only where both you and I are. If you are in that channel, add me there with "
    "/invite @Roundtable, and press Start again."
)
UNKNOWN: Final = (
    "Slack does not tell me who is in that channel just now. Please type /roundtable analyze and "
    "the title there."
)
NO_CHANNEL: Final = "Please choose a channel."
ALREADY: Final = (
    "“{title}” is already under way there. /roundtable resume {slug} in that channel goes on with "
    "it; another title starts something new."
)


def open_start(desk: InteractionContext, opening: Opening) -> None:
    """A form can be asked for from where nothing can be said: then the Home tab says it."""
    desk.modals.open(
        opening,
        lambda: start_form(_offered(desk, opening.user)),
        lost=lambda: desk.homes.noted(opening.user, TOO_LATE_WORDS),
        then=lambda: _look(desk),
    )


def _offered(desk: InteractionContext, user: UserId) -> list[tuple[ChannelId, str]]:
    return [(channel.id, channel.name) for channel in desk.channels.offered(user)]


def _look(desk: InteractionContext) -> None:
    """Where the bot is, for the next form."""
    desk.channels.of()


def open_again(desk: InteractionContext, opening: Opening, refused: Session) -> None:
    """The form of a start that could not begin, as it was filled in."""
    title, text = refused.title[:TITLE_CHARS_MAX], description_of(refused)
    mode, channel = refused.mode or ANALYSIS, refused.channel
    desk.modals.open(
        opening,
        lambda: start_form(
            _offered(desk, opening.user), title=title, text=text, mode=mode, channel=channel
        ),
        then=lambda: _look(desk),
    )


def meant(desk: InteractionContext, submission: Submission) -> Meaning:
    """What a filled-in form comes to: a session, or everything that is wrong with it.

    Nothing is said of a channel in which its person was not when the form opened: Slack is asked
    first whether they are by now.
    """
    channel = ChannelId(submission.values.get(CHANNEL, ""))
    member = channel in submission.metadata.split()
    errors = {**dict(wrong_words(submission)), **dict(_wrong_place(submission, channel))}
    if member and TITLE not in errors:
        errors |= dict(under_way(desk, submission, channel))
    if errors:
        return Wrong(errors)
    address = submission.respond_to.get(channel) or f"{VIEW_ADDRESS}begun:{submission.view_id}"
    requested = request(desk, submission, channel, respond_to=address)
    means = Means(
        requested,
        InteractionPlace(submission.user, channel),
        at_field=at_field,
        shows=lambda handled: shown(desk, requested, handled),
    )
    if member:
        return means
    return Unsure(
        means, lambda: not_shared(desk, submission, channel), lambda why: _again(submission, why)
    )


def not_shared(desk: InteractionContext, submission: Submission, channel: ChannelId) -> str | None:
    """Why nothing can be started there, in the same words whatever is there. For a worker."""
    shares = desk.channels.shares(submission.user, channel)
    return None if shares else UNKNOWN if shares is None else NOT_THERE


def _again(submission: Submission, why: str) -> View:
    """The form as it was filled in. What the person is in is not known any more: Slack's picker."""
    return start_form(
        title=title_in(submission),
        text=submission.values.get(TEXT, ""),
        mode=submission.values.get(MODE, ""),
        depth=submission.values.get(DEPTH, ""),
        channel=submission.values.get(CHANNEL, ""),
        note=why,
    )


def _wrong_place(submission: Submission, channel: ChannelId) -> Iterator[tuple[str, str]]:
    if submission.values.get(MODE) not in (ANALYSIS, *MODES):
        yield MODE, NO_CHOICE
    if not channel:
        yield CHANNEL, NO_CHANNEL


def wrong_words(submission: Submission) -> Iterator[tuple[str, str]]:
    """What is wrong with the title, the text and the depth."""
    title, text = title_in(submission), submission.values.get(TEXT, "")
    if not title:
        yield TITLE, NO_TITLE
    elif len(title) > TITLE_CHARS_MAX:
        yield TITLE, TOO_LONG.format(most=TITLE_CHARS_MAX)
    elif kinds_of(title):
        yield TITLE, HELD_BACK
    if len(text) > INPUT_CHARS_MAX:
        yield TEXT, TOO_LONG.format(most=INPUT_CHARS_MAX)
    elif kinds_of(text):
        yield TEXT, HELD_BACK
    if submission.values.get(DEPTH) not in (ANY_DEPTH, *DEPTHS):
        yield DEPTH, NO_CHOICE


def under_way(
    desk: InteractionContext, submission: Submission, channel: ChannelId
) -> Iterator[tuple[str, str]]:
    """For whoever is in that channel: the item may be under way there."""
    sessions = desk.runtime.reader.channel_sessions(desk.workspace.team, channel)
    session = already_under_way(sessions, channel, title_in(submission))
    if session is not None:
        yield TITLE, ALREADY.format(title=session.title, slug=session.slug)


def request(
    desk: InteractionContext,
    submission: Submission,
    channel: ChannelId,
    *,
    respond_to: str | None,
    origin: Origin | None = None,
) -> SessionRequested:
    """The start that a faultless form asks for."""
    title, text = title_in(submission), submission.values.get(TEXT, "").strip()
    mode: Mode = next((name for name in MODES if name == submission.values.get(MODE)), "")
    return SessionRequested(
        by=submission.user,
        at=desk.now(),
        session=session_id(desk.new_id()),
        run=RunId(desk.new_id()),
        seed=desk.new_id(),
        team=desk.workspace.team,
        channel=channel,
        title=title,
        text=f"{title}\n\n{text}" if text else title,
        depth=next((name for name in DEPTHS if name == submission.values[DEPTH]), None),
        flow="inception" if mode else "analysis",
        mode=mode,
        respond_to=respond_to,
        origin=origin,
    )


def description_of(session: Session) -> str:
    """What was said beside the title."""
    return session.text.removeprefix(session.title).strip()[:INPUT_CHARS_MAX]


def title_in(submission: Submission) -> str:
    return " ".join(submission.values.get(TITLE, "").split())


def at_field(reply: Reply) -> Mapping[str, str]:
    """Somebody was quicker, between our look and the start."""
    if reply.kind == "already-open":
        return {TITLE: ALREADY.format_map(reply.args)}
    return {TITLE: HELD_BACK} if reply.kind == "secret-title" else {}


def shown(
    desk: InteractionContext, requested: SessionRequested, handled: HandledEvent
) -> View | None:
    if handled.session is None:  # it was submitted twice
        return None
    url, address = channel_link(desk.workspace.url, requested.channel), requested.respond_to or ""
    external_id = address.removeprefix(VIEW_ADDRESS) if address.startswith(VIEW_ADDRESS) else ""
    return begun(requested.title, url, external_id)
