"""Who sits at the table, where the file that says so is missing or broken.

Seed 000 falls back by itself (ERR-RT-001, ERR-RT-002). Where that would leave steps that nobody may
lead, somebody chooses before the start; a party without its file is E-001 (seed 001).
"""

from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.faults import facts_of
from core.domain.ids import PersonaKey
from core.domain.session.menu import Menu, MenuKind
from core.engine.flow import cancel, navigation
from core.engine.kernel.turn import Turn

KIND: Final[MenuKind] = "no-roster"
CHOICES: Final = ("stand-in", "cancel")
FLAWED: Final = "ERR-RT-002"


def opened(turn: Turn, event: on.FlowOpened) -> None:
    """Record what is wrong with the file; show it where the fallback needs no decision."""
    session = turn.session
    in_party = session.mode == "party"
    if session.flow == "inception" and session.mode == "":
        return  # nobody has chosen a table yet
    leaderless = () if in_party else _leaderless(event)
    has_stand_in = bool(leaderless) and session.flow == "inception"
    turn.roster = turn.roster.lacking(leaderless, has_stand_in=has_stand_in)
    code = event.fault or (FLAWED if leaderless else None)
    if code is None:
        turn.roster = turn.roster.flawed(None)
        return
    facts = facts_of(event.flaw) if event.flaw else {}
    fault = turn.fault(code, in_menu=in_party or turn.roster.needs_choice, facts=facts)
    turn.roster = turn.roster.flawed(fault.id)


def _leaderless(event: on.FlowOpened) -> tuple[PersonaKey, ...]:
    """Whom steps name and nobody is, where the roster is missing or a part of it was left out.

    Of a whole roster each such step is a fault of its own (ERR-STEP-006).
    """
    if event.flaw is None:
        return ()
    return tuple(name for name in event.named if name not in event.seated)


def ask(turn: Turn) -> None:
    """Leave it to people, before anything is asked."""
    menu = turn.open_menu(KIND, CHOICES, None, turn.roster.fault)
    turn.do(fx.ShowRecovery(menu, None), fx.PaintCard())


def chosen(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """Begin with Maya in place of whom nobody knows, or end it: for the owner or an admin."""
    if event.choice == "cancel" and turn.refuses(event.by, event.admin):
        return
    turn.end_menu(menu.id, event.by, event.choice)
    turn.do(fx.ShowRecovery(menu.id, None))
    if event.choice == "cancel":
        cancel.cancel(turn, event.by, event.admin)
        return
    turn.roster = turn.roster.stood_in()
    navigation.begin(turn)
