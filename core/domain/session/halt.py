"""Why a session was halted, and what is left of the message that halted it."""

from dataclasses import dataclass, replace
from typing import Final

from core.domain.answers import Answer

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
