"""Differing and settling by form: how each form is opened, and what a filled-in one comes to.

What may be done is decided by the engine, which is asked before a form is opened: whoever could do
nothing with it is spared it.
"""

from collections.abc import Collection, Mapping
from typing import Final

from bot.interactions.forms.modals import Meaning, Means, Wrong
from bot.interactions.interaction_context import InteractionContext
from bot.payloads.inbound_clicks import Click
from bot.payloads.inbound_views import Submission
from bot.payloads.people import InteractionPlace
from bot.views.kit.names import Names
from bot.views.kit.text import one_line
from bot.views.private.replies import reply_message
from bot.views.thread import differences
from core.domain.effects import Reply, ReplyKind
from core.domain.events import DeciderNamed, DifferenceGiven, DifferenceSettled
from core.domain.ids import AnswerId, ChannelId, MenuId, Ts, UserId
from core.domain.session.menu import Menu, MenuKind
from core.domain.session.session import Session
from core.domain.stances import REASON_CHARS_MAX, STANDS_OF, AnswerStances, contested, views_on
from core.engine.answers.stances import (
    DIFFERS_ON,
    SETTLES_ON,
    form_refusal,
    may_name_decider,
    others_answers,
)
from core.secrets import kinds_of

NO_SENTENCE: Final = "Please say it in one sentence."
TOO_LONG: Final = f"Please keep it under {REASON_CHARS_MAX} characters."
NO_CHOICE: Final = "Please choose what stands, or somebody else to decide."
NOT_BOTH: Final = "Choose what stands, or somebody else to decide: not both."
NOBODY: Final = "An app cannot decide that. Please choose a person."
AT_THE_ANSWER: Final[frozenset[ReplyKind]] = frozenset({"answer-gone", "own-answer"})


# ── opening ────────────────────────────────────────────────────────────────────────────────────


def differ_pressed(interaction: InteractionContext, click: Click) -> None:
    target = _target(interaction, click, DIFFERS_ON)
    if isinstance(target, Reply):
        interaction.reply(click.place, target)
        return
    session, menu = target
    answers = others_answers(
        interaction.runtime.reader.answers(session.id, menu.step), click.place.user
    )
    if not answers:
        interaction.reply(click.place, Reply("nobody-else"))
        return
    names = _names(interaction, {answer.by for answer in answers})
    metadata = menu_metadata(menu, click.place)
    interaction.modals.open(
        click.opening, lambda: differences.differ_form(answers, names, metadata=metadata)
    )


def settle_pressed(interaction: InteractionContext, click: Click) -> None:
    target = _target(interaction, click, SETTLES_ON)
    if isinstance(target, Reply):
        interaction.reply(click.place, target)
        return
    session, menu = target
    views = _open_views(interaction, session, menu)
    if not views:
        interaction.reply(click.place, Reply("nothing-open"))
        return
    people = {view.answer.by for view in views} | {
        stance.by for view in views for stance in view.differ
    }
    names, metadata = _names(interaction, people), menu_metadata(menu, click.place)
    may_name = may_name_decider(session, click.place.user)
    interaction.modals.open(
        click.opening,
        lambda: differences.settle_form(views, names, may_name=may_name, metadata=metadata),
    )


def _target(
    interaction: InteractionContext, click: Click, kinds: frozenset[MenuKind]
) -> tuple[Session, Menu] | Reply:
    """The menu a button names, of this very channel, and its session; else what is replied."""
    menu = interaction.runtime.reader.menu(MenuId(click.value))
    session = interaction.session_in(click.place.channel, menu.session) if menu else None
    if menu is None or session is None:
        return Reply("gone")
    return form_refusal(session, menu, kinds, click.place.user) or (session, menu)


def _open_views(
    interaction: InteractionContext, session: Session, menu: Menu
) -> list[AnswerStances]:
    reader = interaction.runtime.reader
    stances = reader.stances(session.id, menu.step)
    answers = reader.answers(session.id, menu.step)
    if menu.step is not None:
        settled = reader.settlements(session.id, menu.step)
        stances += contested(menu.step, reader.claims(session.id), answers, settled)
    strange = interaction.names.remembered_strangers(
        session.team, {stance.by for stance in stances}
    )
    every = views_on(answers, stances, (), strange)
    return [view for view in every if view.differ]


def _names(interaction: InteractionContext, users: Collection[UserId]) -> Names:
    """Those known already: the form's trigger lives three seconds."""
    return interaction.names.remembered(interaction.workspace.team, users)


# ── what was filled in ─────────────────────────────────────────────────────────────────────────


def menu_metadata(menu: Menu, place: InteractionPlace) -> str:
    return " ".join((menu.id, place.channel, place.thread_ts or ""))


def menu_and_place(submission: Submission) -> tuple[MenuId, InteractionPlace]:
    menu, channel, thread_ts = submission.metadata.split(" ")
    place = InteractionPlace(
        submission.user, ChannelId(channel), Ts(thread_ts) if thread_ts else None
    )
    return MenuId(menu), place


def differ_meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    reason = one_line(submission.values.get(differences.REASON, ""))
    if errors := wrong_sentence(interaction, submission, reason):
        return Wrong(errors)
    menu, place = menu_and_place(submission)
    answer = _answer(interaction, menu, submission)
    event = DifferenceGiven(submission.user, interaction.now(), menu, answer, reason)
    return Means(event, place, at_field=_at_field)


def settle_meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    """Somebody is named, with what was typed for them to read; or it is settled."""
    menu, place = menu_and_place(submission)
    decider = UserId(submission.values.get(differences.DECIDER, ""))
    if decider and submission.values.get(differences.STANDS):
        return Wrong({differences.DECIDER: NOT_BOTH})
    if decider in (interaction.workspace.bot_user, "USLACKBOT"):
        return Wrong({differences.DECIDER: NOBODY})
    reason = one_line(submission.values.get(differences.REASON, ""))
    wrong = wrong_sentence(interaction, submission, reason)
    if decider:
        if reason and wrong:
            return Wrong(wrong)
        return Means(DeciderNamed(submission.user, interaction.now(), menu, decider, reason), place)
    stands = STANDS_OF.get(submission.values.get(differences.STANDS, ""))
    errors = {**({} if stands else {differences.STANDS: NO_CHOICE}), **wrong}
    if errors or stands is None:
        return Wrong(errors)
    answer = _answer(interaction, menu, submission)
    event = DifferenceSettled(submission.user, interaction.now(), menu, answer, stands, reason)
    return Means(event, place, at_field=_at_field)


def _answer(interaction: InteractionContext, menu: MenuId, submission: Submission) -> AnswerId:
    """The answer of that step that was chosen; one that is gone by now is nobody's."""
    reader, chosen = interaction.runtime.reader, submission.values.get(differences.ANSWER, "")
    row = reader.menu(menu)
    answers = reader.answers(row.session, row.step) if row and row.step else ()
    return next(
        (answer.id for answer in answers if differences.option_of(answer.id) == chosen),
        AnswerId(""),
    )


def wrong_sentence(
    interaction: InteractionContext, submission: Submission, reason: str
) -> Mapping[str, str]:
    """A credential is found here first: the form stays, and can be submitted again without it."""
    if not reason:
        return {differences.REASON: NO_SENTENCE}
    if len(reason) > REASON_CHARS_MAX:
        return {differences.REASON: TOO_LONG}
    if kinds_of(reason):
        interaction.runtime.record_fault(
            "ERR-SEC-001", submission.team, submission.user, submission.acts
        )
        return {differences.REASON: _words(Reply("secret-sentence"))}
    return {}


def _words(reply: Reply) -> str:
    return reply_message(reply.kind, reply.args).text


def _at_field(reply: Reply) -> Mapping[str, str]:
    """What can be put right in the form is said there."""
    return {differences.ANSWER: _words(reply)} if reply.kind in AT_THE_ANSWER else {}
