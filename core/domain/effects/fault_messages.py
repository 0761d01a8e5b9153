"""Faults where they happened, the menus they leave people, and what the operators hear."""

from dataclasses import dataclass

from core.domain.effects.declaration import IN_ORDER, Effect
from core.domain.ids import FaultId, MenuId, PersonaKey


@dataclass(frozen=True)
class ShowFault(Effect, lane="visible", rank=IN_ORDER, key=None):
    """A fault where it happened; `more` are those of the same moment, reported together."""

    fault: FaultId
    thread: PersonaKey | None  # None: the card's thread
    more: tuple[FaultId, ...] = ()


@dataclass(frozen=True)
class ShowRecovery(Effect, lane="visible", rank=IN_ORDER, key=None):
    """A recovery menu with the fault it is about: posted once, then edited with its outcome."""

    menu: MenuId
    thread: PersonaKey | None  # None: the card's thread


@dataclass(frozen=True)
class TellOperators(Effect, lane="visible", rank=IN_ORDER, key=None):
    """The operators' channel, if there is one, hears of a fault."""

    fault: FaultId
    is_state_preserved: bool = True
