"""Why a session stands still: it was halted, or cancelled and can still be taken back."""

from dataclasses import dataclass, replace
from typing import Final

from core.domain.answers import Answer
from core.domain.ids import FaultId, UserId
from core.domain.session.status import Status
from core.domain.session.step import StepChoice

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
    question: str | None = None  # that was open there
    fault: FaultId | None = None  # of the menu that halted it
