"""What a click or a letter does. A menu acts once; who comes second is told who chose what."""

from collections.abc import Callable, Mapping
from typing import Final, cast

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId, UserId
from core.domain.session.course import AWAITS_PEOPLE
from core.domain.session.menu import Menu, MenuKind
from core.engine.answers import (
    assumptions,
    collect,
    enriched,
    follow_ups,
    measured,
    proposals,
    withdraw,
)
from core.engine.faults import halt
from core.engine.flow import cancel, pause_resume, reminders
from core.engine.flow.words import DEPTH_WORDS, MENU_WORDS, is_option, word_of
from core.engine.kernel.turn import Turn
from core.engine.menus import step_menu
from core.engine.model import budget, proposals_taken, refining
from core.engine.start import party, roster

# Menus that are about something else than the current step: all their choices are handled together.
OF_KIND: Final[Mapping[MenuKind, Callable[[Turn, Menu, on.ChoiceMade], None]]] = {
    cancel.KIND: cancel.answered,
    proposals.KIND: proposals.chosen,
    withdraw.KIND: withdraw.put_back,
    assumptions.KIND: step_menu.about_assumption,
    follow_ups.KIND: follow_ups.chosen,
    measured.KIND: measured.dropped,
    budget.KIND: budget.allowed,
    proposals_taken.KIND: proposals_taken.taken,
    refining.KIND: refining.read_again,
    enriched.KIND: enriched.chosen,
    reminders.TIMER: reminders.put_off,
    roster.KIND: roster.chosen,
    **dict.fromkeys(party.KINDS, party.chosen),
    "fatal": halt.chosen,
}


def carry_out_choice(turn: Turn, event: on.ChoiceMade) -> None:
    """Carry out a choice that is legal in this status."""
    menu = turn.situation.menu
    assert menu is not None, "a legal choice has a menu"
    if not _offers(menu, event.choice):
        turn.say_back(fx.Reply("unknown-choice"))
    elif handler := OF_KIND.get(menu.kind):
        handler(turn, menu, event)
    elif event.choice == "cancel":
        # In an overflow no dialog can stand before one choice alone; a button has asked already.
        asks = menu.kind == "prompt"
        (cancel.ask if asks else cancel.cancel)(turn, event.by, event.admin)
    else:
        _do(turn, menu, event)


def _offers(menu: Menu, choice: str) -> bool:
    """True if the menu has that choice, or the verb of one that names what it is about."""
    verb, _, _ = choice.partition(":")
    return choice in menu.choices or (verb in step_menu.WITH_A_NAME and verb in menu.choices)


def refusal_of_late_click(menu: Menu | None, by: UserId) -> fx.Reply:
    """What a click on a menu that is gone, used or replaced is told."""
    if menu is None:
        return fx.Reply("gone")
    if menu.used_by is None:
        return fx.Reply("unknown-choice")
    return assumptions.reply_to_second_click(menu.used_by, by, menu.chosen or "")


def _do(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    state = turn.state(menu.step)
    if state is None or (menu.kind != "stale" and menu.step != turn.course.step):
        turn.say_back(fx.Reply("gone"))
        return
    name, _, argument = event.choice.partition(":")
    step_menu.CHOICES[name](turn, menu, state, event, argument)


def carry_out_word(turn: Turn, event: on.MessagePosted) -> bool:
    """Do a whole message that is one of our words: a depth, or a letter of the open menu."""
    state = turn.state(turn.course.step)
    if state is None or not _is_here(turn):
        return False
    text = word_of(event.text)
    if turn.session.status == "paused" and turn.menus.current and text in MENU_WORDS:
        turn.say_back(pause_resume.is_paused(turn.session))
        return True
    if turn.session.status not in AWAITS_PEOPLE:
        return False
    if depth := DEPTH_WORDS.get(text):
        collect.set_depth(turn, state, depth, alone=True)
        return True
    skips = text == follow_ups.SKIP_WORD and turn.session.status == "choosing"
    if skips and state.questions.open and turn.menus.follow_up:
        follow_ups.skip_by_word(turn, state, event.by)
        return True
    if text not in MENU_WORDS or turn.session.status != "choosing" or not turn.situation.menu:
        return False
    if text == "done" and text not in turn.situation.menu.choices:
        return False  # only an elaboration ends with it; else it is an answer
    answers = (answer.text for answer in turn.situation.answers if answer.step == state.id)
    if is_option(text, answers):
        return False  # "C" takes option C of what somebody put at this step
    _by_word(turn, turn.situation.menu, MENU_WORDS[text], event.by)
    return True


def _is_here(turn: Turn) -> bool:
    """True if the message answers the current step, or the summary that came after later ones."""
    prompted_step = turn.situation.prompted_step
    if prompted_step is None or prompted_step.id == turn.course.step:
        return prompted_step is not None
    order = [state.id for state in turn.course.steps]
    inside = prompted_step.id in order and turn.course.step in order
    return (
        turn.menus.on_summary
        and inside
        and order.index(prompted_step.id) > order.index(cast("StepId", turn.course.step))
    )


def _by_word(turn: Turn, menu: Menu, wanted: str, by: UserId) -> None:
    choice = menu.choices[0] if wanted == "forward" else wanted
    if choice not in menu.choices:
        turn.say_back(fx.Reply("unknown-choice"))
    elif choice == "skip":  # a button has asked already, a word has not
        titles = "\n".join(state.title for state in turn.course.rest)
        turn.say_back(fx.Reply("skip-question", {"rest": titles, "menu": menu.id}))
    else:
        carry_out_choice(turn, on.ChoiceMade(by, turn.at, menu.id, choice, turn.session.channel))
