"""Who sits at the table, where the file that says so is missing or broken."""

from dataclasses import dataclass, replace

from core.domain.ids import Digest, FaultId, PersonaKey


@dataclass(frozen=True, slots=True)
class Roster:
    """The default is a session whose agent file has not been read yet."""

    file: Digest | None = None  # the agent file's content
    leaderless: tuple[PersonaKey, ...] = ()  # whom steps name, and nobody at the table is
    fault: FaultId | None = None  # why the table is not as its file says
    has_stand_in: bool = False  # the built-in lead takes the leaderless steps

    @property
    def needs_choice(self) -> bool:
        """True if somebody has to choose who leads the steps that nobody at the table may lead."""
        return bool(self.leaderless) and not self.has_stand_in

    def lacking(self, leaderless: tuple[PersonaKey, ...], *, has_stand_in: bool) -> "Roster":
        return replace(self, leaderless=leaderless, has_stand_in=has_stand_in)

    def flawed(self, fault: FaultId | None) -> "Roster":
        """`fault` is what is wrong with the file; None: it is well."""
        return replace(self, fault=fault)

    def stood_in(self) -> "Roster":
        """Somebody chose that the built-in lead takes the leaderless steps."""
        return replace(self, has_stand_in=True)
