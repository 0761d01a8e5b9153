"""“Take to the Roundtable”: a message and its thread become the draft of an analysis.

The form keeps which message it is about, sealed; it asks for no channel, so that what was said in
one is never shown in another.
"""

from dataclasses import dataclass, replace
from functools import partial

from bot.interactions.command_line import title_of
from bot.interactions.forms import start_form
from bot.interactions.forms.modals import Meaning, Wrong
from bot.interactions.interaction_context import InteractionContext
from bot.payloads.inbound_views import Called, Submission
from bot.payloads.people import Opening, is_direct_message
from bot.views.kit.blocks import message
from bot.views.kit.modals import View
from bot.views.kit.rich_text import paragraph
from bot.views.kit.wording import WORDING, sentence
from bot.views.start import DEPTH, TEXT, take_form
from core.domain.effects import Reply
from core.domain.ids import ChannelId, Ts, UserId
from core.domain.mentions import users_in, with_names
from core.domain.session.session import Session
from core.domain.session.start import Origin


@dataclass(frozen=True, slots=True)
class _Kept:
    """Which message, and where its person is told of a refusal."""

    channel: ChannelId
    origin: Origin
    respond_to: str
    member: bool = False  # whoever opened the form was in that channel

    def sealed(self) -> str:
        member = "member" if self.member else ""
        where = (self.channel, self.origin.ts, self.origin.thread_ts, self.respond_to, member)
        return "\n".join(where)

    @classmethod
    def of(cls, metadata: str) -> "_Kept":
        # the seal is ours: so is the shape
        channel, ts, thread_ts, respond_to, member = metadata.split("\n")
        return cls(ChannelId(channel), Origin(Ts(ts), Ts(thread_ts)), respond_to, bool(member))


def open_take(interaction: InteractionContext, called: Called) -> None:
    source, place = called.message, called.opening.place
    assert source is not None
    assert place is not None
    if source.by is None:
        interaction.ephemerals.tell(
            place, lambda: message(paragraph(sentence(WORDING.people_only)))
        )
        return
    if is_direct_message(source.channel):
        interaction.reply(place, Reply("in-dm"))
        return
    origin = Origin(source.ts, source.thread_ts or source.ts)
    target = _Kept(source.channel, origin, place.respond_to or "")
    names = interaction.names.remembered(interaction.workspace.team, users_in(source.text))
    text = with_names(source.text, names)
    title = title_of(text) if text.strip() else ""
    box = interaction.script_box()
    interaction.modals.open(
        called.opening, lambda: _form(interaction, place.user, title, text, target, box)
    )


def _form(
    interaction: InteractionContext,
    user: UserId,
    title: str,
    text: str,
    target: _Kept,
    script: bool | None,
) -> View:
    """In a worker: what it keeps says whether its person is in the channel."""
    member = any(channel.id == target.channel for channel in interaction.channels.offered(user))
    sealed = replace(target, member=member).sealed()
    return take_form(title=title, text=text, metadata=sealed, script=script)


def open_again(interaction: InteractionContext, opening: Opening, refused: Session) -> None:
    """The form of a start that could not begin, as it was filled in."""
    assert refused.origin is not None
    respond_to = (opening.place and opening.place.respond_to) or ""
    target = _Kept(refused.channel, refused.origin, respond_to)
    words = start_form.words_of(refused)
    box = interaction.script_box(refused.model)
    interaction.modals.open(
        opening, lambda: _form(interaction, opening.user, **words, target=target, script=box)
    )


def meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    target = _Kept.of(submission.metadata)
    if errors := start_form.start_errors(
        interaction, submission, target.channel if target.member else None
    ):
        return Wrong(errors)
    requested = start_form.request(
        interaction,
        submission,
        target.channel,
        respond_to=target.respond_to or None,
        origin=target.origin,
    )
    means = start_form.start_means(interaction, requested)
    again = partial(_again, submission)
    return means if target.member else start_form.unsure(interaction, means, target.channel, again)


def _again(submission: Submission, why: str) -> View:
    """The form as it was filled in."""
    return take_form(
        title=start_form.title_in(submission),
        text=submission.values.get(TEXT, ""),
        depth=submission.values.get(DEPTH, ""),
        script=start_form.is_script(submission),
        metadata=submission.metadata,
        note=why,
    )
