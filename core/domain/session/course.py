"""Where a session stands: its status, and the state of its phases."""

from dataclasses import dataclass
from typing import Final, Literal

from core.domain.ids import PersonaKey, PhaseKey, UserId

Flow = Literal["analysis", "inception"]
Mode = Literal["", "party", "classic"]  # of an inception; empty: not chosen yet
Status = Literal[
    "starting",  # the flow is being opened, the card is not posted yet
    "opening",  # a phase or a step is being read from its files
    "asking",  # a prompt stands in the thread, no menu yet
    "choosing",  # a menu is open
    "debating",  # a council is at work
    "paused",
    "completed",
    "cancelled",
    "halted",
    "refused",  # it never began: we may not post there
]
AWAITS_PEOPLE: Final[frozenset[Status]] = frozenset({"asking", "choosing"})
ENDED: Final[frozenset[Status]] = frozenset({"completed", "cancelled", "halted", "refused"})


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
