"""What stops a session: faults, halts, and cancellations that can still be taken back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from core.domain.answers import Answer
from core.domain.ids import FaultId, PersonaKey, PhaseKey, RunId, StepId, UserId
from core.domain.session.course import Status
from core.domain.session.step import StepChoice


@dataclass(frozen=True, slots=True)
class Fault:
    """One occurrence of a code. `message` is what is shown, or what would be logged."""

    id: FaultId
    code: str
    message: str
    visible: bool
    at: float  # seconds since the epoch
    phase: PhaseKey | None = None
    step: StepId | None = None
    persona: PersonaKey | None = None
    agent: PersonaKey | None = None  # whoever was at work, where it is no persona's own fault
    detail: str = ""  # for the log; never shown
    run: RunId | None = None
    routing: str = ""  # where it went, if elsewhere than its catalogue row says
    handling: str = ""  # likewise
    category: str = ""  # likewise
    type: str = ""  # the specific error type; empty: the title of its code
    signature: str = ""  # the same for the same failure
    facts: Mapping[str, Any] = field(default_factory=dict)  # the fields of its class (seed 004)
    trace: str = ""  # the stack trace, if there was one


CREDENTIAL: Final = "ERR-SEC-001"  # the code of a credential that was found


@dataclass(frozen=True, slots=True)
class Halt:
    """The halts of a session. The default is a session that was never halted."""

    count: int = 0  # numbers the forensic folders
    code: str = ""  # of what halted it; empty once it goes on
    place: str = ""  # the file or draft that held a credential
    redacted: tuple[str, ...] = ()  # files and drafts that are written without their credentials
    held: tuple[Answer, ...] = ()  # answers without their credentials, saved when it goes on

    def raised(self, code: str, *, held: tuple[Answer, ...], place: str) -> "Halt":
        """One halt more, for `code`."""
        return replace(self, count=self.count + 1, code=code, held=held, place=place)

    def credential_found(self, held: tuple[Answer, ...] = ()) -> "Halt":
        """A credential besides what halted it: nothing is exported until somebody settles it."""
        return replace(self, code=CREDENTIAL, held=(*self.held, *held))

    def lifted(self) -> "Halt":
        """The owner goes on: the place that held the credential is redacted from now on."""
        places = (*self.redacted, self.place) if self.place else self.redacted
        return Halt(count=self.count, redacted=tuple(dict.fromkeys(places)))

    def held_dropped(self) -> "Halt":
        """The owner cancels: the held answers are never saved."""
        return replace(self, held=())


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A cancel that can still be taken back, and what it changed."""

    by: UserId
    at: float  # seconds since the epoch
    was: Status
    choice: StepChoice = StepChoice()  # of the step it ended
    fault: FaultId | None = None  # of the menu that halted it
