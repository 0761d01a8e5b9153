"""Who sits at the table: the party and its phases, and a roster that is missing or broken."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.domain.ids import Digest, FaultId, PersonaKey, PhaseKey
from core.domain.session.council import Council, CouncilRecord
from core.domain.session.start import EarlierStatement


@dataclass(frozen=True, slots=True)
class PartyState:
    """The default is a session without a party."""

    file: Digest | None = None  # the party file's content
    is_seated: bool = False  # the team is there
    council: Council | None = None
    records: tuple[CouncilRecord, ...] = ()  # what state.json says of the phases
    failed_writes: int = 0  # of state.json, in a row
    drafts: tuple[EarlierStatement, ...] = ()  # what people said before the fall back to classic

    def record(self, phase: PhaseKey) -> CouncilRecord | None:
        return next((record for record in self.records if record.phase == phase), None)

    def recorded(self, record: CouncilRecord) -> "PartyState":
        """The record takes the place of its phase's, or stands last."""
        records = {old.phase: old for old in self.records} | {record.phase: record}
        return replace(self, records=tuple(records.values()))

    def seated(self, phases: Iterable[PhaseKey]) -> "PartyState":
        """The team is there; every phase is pending unless it has a record already."""
        fresh = tuple(CouncilRecord(phase) for phase in phases)
        return replace(self, is_seated=True, records=self.records or fresh)

    def finished(self) -> "PartyState":
        """The last phase is done, and the team goes."""
        return replace(self, is_seated=False)

    def cancelled(self) -> "PartyState":
        """The team goes; what is not completed is cancelled."""
        records = tuple(record.cancelled(self.council) for record in self.records)
        return replace(self, is_seated=False, council=None, records=records)

    def revived(self) -> "PartyState":
        """A cancel was taken back: what it cancelled is pending again."""
        records = (
            CouncilRecord(record.phase, contributions=record.contributions)
            if record.status == "cancelled"
            else record
            for record in self.records
        )
        return replace(self, records=tuple(records))

    def fallen_back(self, drafts: tuple[EarlierStatement, ...]) -> "PartyState":
        """The flow goes on in classic mode, where people are offered what they said."""
        drafts = (*self.drafts, *drafts)
        return replace(self, council=None, records=(), drafts=drafts)

    def drafts_used(self) -> "PartyState":
        return replace(self, drafts=())

    def write_failed(self) -> "PartyState":
        return replace(self, failed_writes=self.failed_writes + 1)

    def write_settled(self) -> "PartyState":
        """state.json was written, or its failure was said."""
        return replace(self, failed_writes=0)


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
