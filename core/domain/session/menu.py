"""A row of buttons."""

from dataclasses import dataclass
from typing import Literal

from core.domain.ids import FaultId, MenuId, PhaseKey, SessionId, StepId, UserId

MenuKind = Literal[
    "prompt",
    "step",
    "phase",
    "stale",
    "elaboration",
    "settling",
    "delete",
    "cancel",
    "mode",
    "fatal",
    "escalation",
    "no-team",
    "no-roster",
    "all-failed",
    "state-unwritten",
    "reminder",
    "put-back",
    "assumptions",
    "proposal",
]
MenuState = Literal["open", "used", "closed"]


@dataclass(frozen=True, slots=True)
class Menu:
    """A row of buttons. It acts once; its id is opaque and unguessable."""

    id: MenuId
    session: SessionId
    kind: MenuKind
    choices: tuple[str, ...]
    phase: PhaseKey | None = None
    step: StepId | None = None
    state: MenuState = "open"
    used_by: UserId | None = None
    chosen: str | None = None
    fault: FaultId | None = None  # what a recovery menu is about
