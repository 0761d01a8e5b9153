"""Both of two lines hold, by form: how it is opened, and what a filled-in one comes to.

Its text counts for the two lines that were shown, as long as they are what is asked about: a menu
that was drawn anew meanwhile loses nothing of what somebody typed.
"""

from dataclasses import replace

from bot.interactions.forms.modals import Meaning, Means, Wrong
from bot.interactions.forms.stance_forms import menu_and_place, menu_metadata, wrong_sentence
from bot.interactions.interaction_context import InteractionContext
from bot.payloads.inbound_clicks import Click
from bot.payloads.inbound_views import Submission
from bot.views.kit.text import one_line
from bot.views.private.both import WHY, both_form
from bot.views.private.sorting import key_of
from core.domain.effects import Reply
from core.domain.events import ChoiceMade
from core.domain.follow_ups import FollowUp
from core.domain.ids import MenuId
from core.domain.session.session import Session


def both_pressed(interaction: InteractionContext, click: Click) -> None:
    """Open the form; where nothing can be chosen any more, the click is told why."""
    menu = interaction.runtime.reader.menu(MenuId(click.value))
    session = interaction.session(menu.session) if menu else None
    difference = _open_difference(interaction, session) if session else None
    if menu is None or menu.state != "open" or difference is None:
        made = ChoiceMade(
            click.place.user, interaction.now(), MenuId(click.value), "both", click.place.channel
        )
        interaction.settle(click.place, made, click.keys)
        return
    metadata = f"{_mark(difference)} {menu_metadata(menu, click.place)}"
    interaction.modals.open(click.opening, lambda: both_form(difference, metadata=metadata))


def both_meant(interaction: InteractionContext, submission: Submission) -> Meaning:
    why = one_line(submission.values.get(WHY, ""))
    if why and (errors := wrong_sentence(interaction, submission, why)):
        return Wrong(errors)
    mark, _, metadata = submission.metadata.partition(" ")
    menu, place = menu_and_place(replace(submission, metadata=metadata))
    stored = interaction.runtime.reader.menu(menu)
    session = interaction.session(stored.session) if stored else None
    difference = _open_difference(interaction, session) if session else None
    if session and session.menus.follow_up and difference and _mark(difference) == mark:
        menu = session.menus.follow_up
    event = ChoiceMade(submission.user, interaction.now(), menu, "both", place.channel, reason=why)

    def at_field(reply: Reply) -> dict[str, str]:
        return {WHY: interaction.command_context(place, ()).worded(reply).text}

    return Means(event, place, at_field=at_field)


def _mark(difference: FollowUp) -> str:
    """Which two lines it is about."""
    return "".join(key_of(line) for line in (difference.line, difference.other) if line)


def _open_difference(interaction: InteractionContext, session: Session) -> FollowUp | None:
    """The difference that people are asked about where the session stands."""
    step = session.course.step if session.status == "choosing" else None
    state = interaction.runtime.reader.step_state(session.id, step) if step else None
    difference = state.questions.open if state else None
    return difference if difference is not None and difference.kind == "difference" else None
