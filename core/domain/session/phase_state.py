"""The state of one phase of a session."""

from dataclasses import dataclass
from typing import Literal

from core.domain.ids import PersonaKey, PhaseKey, UserId

PhaseStatus = Literal["pending", "open", "completed", "failed"]


@dataclass(frozen=True, slots=True)
class PhaseState:
    key: PhaseKey
    label: str
    persona: PersonaKey
    count: int  # step files when it was last listed
    mapped: bool = True
    status: PhaseStatus = "pending"
    done: int = 0  # steps completed
    faulty: bool = False  # a fault skipped something in it
    facilitated: bool = False  # ERR-INT-001: the facilitator leads it
    accepted_by: UserId | None = None
    accepted_at: str | None = None
    accepted_before: str = ""  # by whom, as the folder it was taken up from names them
