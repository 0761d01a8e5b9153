"""What becomes of a modal that was submitted. The table says it, a row for each kind of modal.

To add a modal:

1. Its view: a builder in `bot/views/…` made of the parts in
   `bot.views.kit.modals`, with a callback id of its own. A field's name is
   its block id; so are the keys of `Submission.values` and of errors.
   What it must remember (a menu's id) goes into `modal(…, metadata=…)`: it is sealed for them.
2. Open it where it was asked for, after the acknowledgement, without waiting:
   `interaction.modals.open(click.opening, lambda: my_view(…))`. `click` is any `Click`,
   `ViewClick` or `Called`; whoever comes too late is told.
3. One row in `SUBMITTED`: callback id → a function of `(interaction, submission)` that calls
   nobody and returns `Wrong({field: words})`, or `Means(event, place, session)`. The event goes
   to the runtime with the key `view:{view id}`, so that a view submitted twice acts once; the
   runtime's reply is told at `place`. An event that stands on a menu carries the menu's id from
   `submission.metadata`.

What has no row, comes from another workspace, or was altered is answered here, kindly.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import structlog

from bot.interactions.forms.both_form import both_meant
from bot.interactions.forms.modals import Meaning, Turns, Unsure, Wrong
from bot.interactions.forms.sorting_form import sorting_meant, which_meant
from bot.interactions.forms.stance_forms import differ_meant, settle_meant
from bot.interactions.forms.start_form import meant as start_meant
from bot.interactions.forms.take_form import meant as take_meant
from bot.interactions.interaction_context import InteractionContext, told_of
from bot.payloads import inbound_views
from bot.payloads.inbound_views import Submission
from bot.views.kit.blocks import context, message
from bot.views.kit.modals import View, drawn_view, notice_of
from bot.views.private.both import BOTH_FORM
from bot.views.private.sorting import SORTING_FORM, WHICH_FORM
from bot.views.start import START, TAKE
from bot.views.thread.differences import DIFFER_FORM, SETTLE_FORM
from bot.views.widgets.notice import Notice

Spoken = Mapping[str, Any]  # the arguments of an acknowledgement

OUT_OF_DATE_WORDS: Final = (
    "I don't know this form any more, so nothing was changed. Please open it once more."
)
OUT_OF_DATE: Final = notice_of("This form is too old", [Notice(OUT_OF_DATE_WORDS)])
NOT_FOR_GUESTS_WORDS: Final = "Only people of this workspace can do that here. Nothing was changed."
NOT_FOR_GUESTS: Final = notice_of("Not from outside", [Notice(NOT_FOR_GUESTS_WORDS)])

WAITING: Final = context("I look whether you and I are both in that channel.")

log = structlog.get_logger(__name__)

SUBMITTED: Final[Mapping[str, Callable[[InteractionContext, Submission], Meaning]]] = {
    START: start_meant,
    TAKE: take_meant,
    DIFFER_FORM: differ_meant,
    SETTLE_FORM: settle_meant,
    SORTING_FORM: sorting_meant,
    WHICH_FORM: which_meant,
    BOTH_FORM: both_meant,
}


def submitted(interaction: InteractionContext, body: Mapping[str, Any]) -> Spoken:
    """Do what a submission means. Returns what its acknowledgement says; nothing: it closes."""
    submission = inbound_views.view_submitted(body, interaction.workspace)
    meant = SUBMITTED.get(submission.callback_id)
    metadata = interaction.modals.seal.broken(
        submission.user, submission.callback_id, submission.metadata
    )
    if submission.outsider:
        return _noticed(interaction, submission, NOT_FOR_GUESTS)
    if meant is None or metadata is None:
        log.info("view.unknown", modal=submission.callback_id[:80], sealed=metadata is not None)
        return _noticed(interaction, submission, OUT_OF_DATE)
    return _done(
        interaction, submission, meant(interaction, replace(submission, metadata=metadata))
    )


def _done(interaction: InteractionContext, submission: Submission, meaning: Meaning) -> Spoken:
    if isinstance(meaning, Wrong):
        return _refused(meaning.errors)
    if isinstance(meaning, Turns):
        return _turned_into(interaction.modals.sealed(submission.user, meaning.into))
    if isinstance(meaning, Unsure):
        waiting = f"wait:{interaction.new_id()}"
        interaction.ephemerals.later(lambda: _ask_first(interaction, submission, meaning, waiting))
        return _turned_into(notice_of("One moment", [WAITING], waiting))
    handled = interaction.handle(meaning.event, submission.keys, meaning.session)
    errors = meaning.at_field(handled.reply) if handled.reply else {}
    if errors:
        return _refused(errors)
    view = meaning.shows(handled)
    if view is not None:
        return _turned_into(view)
    interaction.reply(meaning.place, handled.reply, handled.session)
    return {}


def _ask_first(
    interaction: InteractionContext, submission: Submission, meaning: Unsure, waiting: str
) -> None:
    """After the acknowledgement: what was filled in begins, or comes back with why it does not."""
    try:
        view = _view_after(interaction, submission, meaning)
    except Exception as error:
        view = meaning.again(told_of(error).text)
        log.exception("submission.broke", modal=submission.callback_id)
    words = _words(view)
    interaction.modals.update(
        submission.user,
        waiting,
        view,
        lost=lambda: interaction.homes.show(submission.user, note=words),
    )


def _view_after(interaction: InteractionContext, submission: Submission, meaning: Unsure) -> View:
    refused = meaning.refused()
    if refused is not None:
        return meaning.again(refused)
    handled = interaction.handle(meaning.means.event, submission.keys, meaning.means.session)
    errors = meaning.means.at_field(handled.reply) if handled.reply else {}
    if errors:
        return meaning.again(" ".join(errors.values()))
    return meaning.means.shows(handled) or OUT_OF_DATE


def _words(view: View) -> str:
    """What a view says before anything is to be filled in."""
    texts = [
        block for block in drawn_view(view)["blocks"] if block["type"] in ("context", "rich_text")
    ]
    return message(*texts[:1]).text


def _noticed(interaction: InteractionContext, submission: Submission, notice: View) -> Spoken:
    """Plainly at once, and as the workspace takes it right after the acknowledgement."""
    if not interaction.modals.has_newer_blocks(notice):
        return _turned_into(notice)
    place = f"notice:{interaction.new_id()}"
    interaction.ephemerals.later(
        lambda: interaction.modals.update(submission.user, place, notice, lost=lambda: None)
    )
    return _turned_into({**notice, "external_id": place})


def _turned_into(view: View) -> Spoken:
    """Drawn plainly: nobody would learn that Slack refuses the view of an acknowledgement."""
    return {"response_action": "update", "view": drawn_view(view)}


def _refused(errors: Mapping[str, str]) -> Spoken:
    return {"response_action": "errors", "errors": dict(errors)}


def failed(interaction: InteractionContext, body: Mapping[str, Any], fault: str) -> Spoken:
    """What was not committed: the form stays as it is, with a word at its first field."""
    fields = inbound_views.view_submitted(body, interaction.workspace).values
    first = next(iter(fields), None)
    return {} if first is None else _refused({first: fault})
