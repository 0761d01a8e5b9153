"""Starting a session by the form: how it is opened, and what is wrong with what was filled in.

All that is wrong is said at once, each at its field; the form stays as it was filled in.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from bot.interactions.command_line import MODES
from bot.interactions.forms.modals import TOO_LATE_WORDS, Meaning, Means, Unsure, Wrong
from bot.interactions.interaction_context import InteractionContext
from bot.payloads.inbound_views import Submission
from bot.payloads.links import channel_link
from bot.payloads.people import InteractionPlace, Opening
from bot.views import start
from bot.views.kit.modals import INPUT_CHARS_MAX, View
from bot.views.kit.wording import WORDING
from bot.web_api.client import VIEW_ADDRESS
from core.domain.effects import Reply
from core.domain.events import SessionRequested
from core.domain.ids import DEPTHS, ChannelId, RunId, UserId, session_id
from core.domain.session.course import Mode
from core.domain.session.session import Session
from core.domain.session.start import Origin
from core.engine.start.session import under_way
from core.runtime.commit import Handled
from core.secrets import kinds_of

NO_TITLE: Final = "Please give it a title."
TOO_LONG: Final = "Please keep it under {most} characters."
NO_CHOICE: Final = "Please choose one of the list."
NO_CHANNEL: Final = "Please choose a channel."


def open_start(interaction: InteractionContext, opening: Opening) -> None:
    """A form can be asked for from where nothing can be said: then the Home tab says it."""
    interaction.modals.open(
        opening,
        lambda: start.start_form(
            _offered(interaction, opening.user), script=interaction.script_box()
        ),
        lost=lambda: interaction.homes.show(opening.user, note=TOO_LATE_WORDS),
        after_open=lambda: _look(interaction),
    )


def _offered(interaction: InteractionContext, user: UserId) -> list[tuple[ChannelId, str]]:
    return [(channel.id, channel.name) for channel in interaction.channels.offered(user)]


def _look(interaction: InteractionContext) -> None:
    """Where the bot is, for the next form."""
    interaction.channels.of()


def open_again(interaction: InteractionContext, opening: Opening, refused: Session) -> None:
    """The form of a start that could not begin, as it was filled in."""
    filled = {
        **words_of(refused),
        "mode": refused.mode or start.ANALYSIS,
        "channel": refused.channel,
    }
    interaction.modals.open(
        opening,
        lambda: start.start_form(
            _offered(interaction, opening.user),
            script=interaction.script_box(refused.model),
            **filled,
        ),
        after_open=lambda: _look(interaction),
    )


def meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    """What a filled-in form comes to: a session, or everything that is wrong with it.

    Nothing is said of a channel in which its person was not when the form opened: Slack is asked
    first whether they are by now.
    """
    channel = ChannelId(submission.values.get(start.CHANNEL, ""))
    member = channel in submission.metadata.split()
    errors = start_errors(interaction, submission, channel if member else None)
    if errors := {**errors, **dict(_wrong_place(submission, channel))}:
        return Wrong(errors)
    address = submission.respond_to.get(channel) or f"{VIEW_ADDRESS}begun:{submission.view_id}"
    requested = request(interaction, submission, channel, respond_to=address)
    means = start_means(interaction, requested)
    return means if member else unsure(interaction, means, channel, partial(_again, submission))


def start_means(interaction: InteractionContext, requested: SessionRequested) -> Means:
    """The start of a session, and what the form turns into once it begins."""
    return Means(
        requested,
        InteractionPlace(requested.by, requested.channel),
        at_field=_at_field,
        shows=lambda handled: _shown(interaction, requested, handled),
    )


def unsure(
    interaction: InteractionContext, means: Means, channel: ChannelId, again: Callable[[str], View]
) -> Unsure:
    """The start of somebody who was not in that channel when the form opened."""
    return Unsure(means, lambda: _not_shared(interaction, means.place.user, channel), again)


def _not_shared(interaction: InteractionContext, user: UserId, channel: ChannelId) -> str | None:
    """Why nothing can be started there, in the same words whatever is there. For a worker."""
    shares = interaction.channels.shares(user, channel)
    if shares is None:
        return WORDING.form_channel_unknown
    return None if shares else WORDING.form_not_shared


def _again(submission: Submission, why: str) -> View:
    """The form as it was filled in. What the person is in is not known any more: Slack's picker."""
    return start.start_form(
        title=title_in(submission),
        text=submission.values.get(start.TEXT, ""),
        mode=submission.values.get(start.MODE, ""),
        depth=submission.values.get(start.DEPTH, ""),
        channel=submission.values.get(start.CHANNEL, ""),
        script=is_script(submission),
        note=why,
    )


def _wrong_place(submission: Submission, channel: ChannelId) -> Iterator[tuple[str, str]]:
    if submission.values.get(start.MODE) not in (start.ANALYSIS, *MODES):
        yield start.MODE, NO_CHOICE
    if not channel:
        yield start.CHANNEL, NO_CHANNEL


def start_errors(
    interaction: InteractionContext, submission: Submission, channel: ChannelId | None
) -> dict[str, str]:
    """What is wrong with the words, by field. `channel`: the person's own, where it may be said
    that the item is under way."""
    errors = dict(_wrong_words(submission))
    if channel is not None and start.TITLE not in errors:
        errors |= _under_way(interaction, channel, title_in(submission))
    return errors


def _wrong_words(submission: Submission) -> Iterator[tuple[str, str]]:
    """What is wrong with the title, the text and the depth."""
    title, text = title_in(submission), submission.values.get(start.TEXT, "")
    if not title:
        yield start.TITLE, NO_TITLE
    elif len(title) > start.TITLE_CHARS_MAX:
        yield start.TITLE, TOO_LONG.format(most=start.TITLE_CHARS_MAX)
    elif kinds_of(title):
        yield start.TITLE, WORDING.form_credential
    if len(text) > INPUT_CHARS_MAX:
        yield start.TEXT, TOO_LONG.format(most=INPUT_CHARS_MAX)
    elif kinds_of(text):
        yield start.TEXT, WORDING.form_credential
    if submission.values.get(start.DEPTH) not in (start.ANY_DEPTH, *DEPTHS):
        yield start.DEPTH, NO_CHOICE


def _under_way(interaction: InteractionContext, channel: ChannelId, title: str) -> dict[str, str]:
    sessions = interaction.runtime.reader.channel_sessions(interaction.workspace.team, channel)
    session = under_way(sessions, channel, title)
    if session is None:
        return {}
    return {start.TITLE: WORDING.form_already_open.format(title=session.title, slug=session.slug)}


def request(
    interaction: InteractionContext,
    submission: Submission,
    channel: ChannelId,
    *,
    respond_to: str | None,
    origin: Origin | None = None,
) -> SessionRequested:
    """The start that a faultless form asks for."""
    title, text = title_in(submission), submission.values.get(start.TEXT, "").strip()
    mode: Mode = next((name for name in MODES if name == submission.values.get(start.MODE)), "")
    return SessionRequested(
        by=submission.user,
        at=interaction.now(),
        session=session_id(interaction.new_id()),
        run=RunId(interaction.new_id()),
        seed=interaction.new_id(),
        team=interaction.workspace.team,
        channel=channel,
        title=title,
        text=f"{title}\n\n{text}" if text else title,
        depth=next((name for name in DEPTHS if name == submission.values[start.DEPTH]), None),
        flow="inception" if mode else "analysis",
        mode=mode,
        script_only=bool(is_script(submission)),
        respond_to=respond_to,
        origin=origin,
    )


def is_script(submission: Submission) -> bool | None:
    """True if its box for the script alone is ticked; None where it had none."""
    ticked = submission.values.get(start.SCRIPT)
    return None if ticked is None else bool(ticked)


def words_of(session: Session) -> dict[str, str]:
    """The title, and what was said beside it."""
    text = session.text.removeprefix(session.title).strip()
    return {"title": session.title[: start.TITLE_CHARS_MAX], "text": text[:INPUT_CHARS_MAX]}


def title_in(submission: Submission) -> str:
    return " ".join(submission.values.get(start.TITLE, "").split())


def _at_field(reply: Reply) -> Mapping[str, str]:
    """Somebody was quicker, between our look and the start."""
    if reply.kind == "already-open":
        return {start.TITLE: WORDING.form_already_open.format_map(reply.args)}
    return {start.TITLE: WORDING.form_credential} if reply.kind == "secret-title" else {}


def _shown(
    interaction: InteractionContext, requested: SessionRequested, handled: Handled
) -> View | None:
    if handled.session is None:  # it was submitted twice
        return None
    url, address = (
        channel_link(interaction.workspace.url, requested.channel),
        requested.respond_to or "",
    )
    external_id = address.removeprefix(VIEW_ADDRESS) if address.startswith(VIEW_ADDRESS) else ""
    return start.begun(requested.title, url, external_id)
