"""What a click or a letter does. A menu acts once; who comes second is told who chose what."""

from typing import cast

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId, UserId
from core.domain.session import AWAITS_PEOPLE, Menu
from core.engine.answers import assumptions, collect, proposals, withdraw
from core.engine.faults import halt
from core.engine.flow import cancel, pause_resume, reminders
from core.engine.flow.words import DEPTH_WORDS, MENU_WORDS, word_of
from core.engine.kernel.turn import Turn
from core.engine.menus import step_menu
from core.engine.start import party, roster


def made(turn: Turn, event: on.ChoiceMade) -> None:
    """Carry out a choice that is legal in this status."""
    menu = turn.situation.menu
    assert menu is not None, "a legal choice has a menu"
    if not _offers(menu, event.choice):
        turn.say_back(fx.Reply("unknown-choice"))
    elif menu.kind == cancel.KIND:
        cancel.answered(turn, menu, event)
    elif menu.kind == proposals.KIND:
        proposals.chosen(turn, menu, event)
    elif menu.kind == withdraw.KIND:
        withdraw.put_back(turn, menu, event)
    elif menu.kind == "reminder":
        reminders.put_off(turn, menu, event)
    elif menu.kind == roster.KIND:
        roster.chosen(turn, menu, event)
    elif menu.kind in party.KINDS:
        party.chosen(turn, menu, event)
    elif menu.kind == "fatal":
        halt.chosen(turn, menu, event)
    elif event.choice == "cancel":
        # In an overflow no dialog can stand before one choice alone; a button has asked already.
        asks = menu.kind == "prompt"
        (cancel.ask if asks else cancel.cancel)(turn, event.by, event.admin)
    elif menu.kind == assumptions.KIND:
        step_menu.about_assumption(turn, menu, event)
    else:
        _do(turn, menu, event)


def _offers(menu: Menu, choice: str) -> bool:
    """True if the menu has that choice, or the verb of one that names what it is about."""
    verb, _, _ = choice.partition(":")
    return choice in menu.choices or (verb in step_menu.WITH_A_NAME and verb in menu.choices)


def late(menu: Menu | None, by: UserId) -> fx.Reply:
    """What a click on a menu that is gone, used or replaced is told."""
    if menu is None:
        return fx.Reply("gone")
    if menu.used_by is None:
        return fx.Reply("unknown-choice")
    return assumptions.used(menu.used_by, by, menu.chosen or "")


def _do(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    here = turn.state(menu.step)
    if here is None or (menu.kind != "stale" and menu.step != turn.session.step):
        turn.say_back(fx.Reply("gone"))
        return
    name, _, rest = event.choice.partition(":")
    step_menu.CHOICES[name](turn, menu, here, event, rest)


def said(turn: Turn, event: on.MessagePosted) -> bool:
    """Do a whole message that is one of our words: a depth, or a letter of the open menu."""
    here = turn.state(turn.session.step)
    if here is None or not _is_here(turn):
        return False
    text = word_of(event.text)
    if turn.session.status == "paused" and turn.menus.current and text in MENU_WORDS:
        turn.say_back(pause_resume.is_paused(turn.session))
        return True
    if turn.session.status not in AWAITS_PEOPLE:
        return False
    if depth := DEPTH_WORDS.get(text):
        collect.set_depth(turn, here, depth, alone=True)
        return True
    if text not in MENU_WORDS or turn.session.status != "choosing" or not turn.situation.menu:
        return False
    if text == "done" and text not in turn.situation.menu.choices:
        return False  # only an elaboration ends with it; else it is an answer
    _by_word(turn, turn.situation.menu, MENU_WORDS[text], event.by)
    return True


def _is_here(turn: Turn) -> bool:
    """Whether the message answers the current step, or the summary that came after later ones."""
    asked = turn.situation.asked
    if asked is None or asked.id == turn.session.step:
        return asked is not None
    order = [state.id for state in turn.session.steps]
    inside = asked.id in order and turn.session.step in order
    return (
        turn.menus.on_summary
        and inside
        and order.index(asked.id) > order.index(cast("StepId", turn.session.step))
    )


def _by_word(turn: Turn, menu: Menu, wanted: str, by: UserId) -> None:
    choice = menu.choices[0] if wanted == "forward" else wanted
    if choice not in menu.choices:
        turn.say_back(fx.Reply("unknown-choice"))
    elif choice == "skip":  # a button has asked already, a word has not
        rest = "\n".join(state.title for state in turn.session.rest)
        turn.say_back(fx.Reply("skip-question", {"rest": rest, "menu": menu.id}))
    else:
        made(turn, on.ChoiceMade(by, turn.at, menu.id, choice, turn.session.channel))
