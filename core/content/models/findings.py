"""What a check of a step tree reports, collected tree after tree."""

from dataclasses import dataclass, field

from core.content.style import FlowMeasures
from core.domain.party import PARTY_FILE
from core.domain.steps.playbook import AGENT_FILE, StepFault
from core.taxonomy.catalogue import CATALOGUE


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found. `file` is relative to the directory that was checked."""

    code: str
    severity: str
    file: str
    field: str | None
    value: str | None
    message: str
    hint: str | None = None
    line: int | None = None  # from 1; of what is known by its line


@dataclass(frozen=True, slots=True)
class CheckReport:
    files: int
    steps: int
    faults: tuple[Finding, ...]
    notes: tuple[Finding, ...] = ()
    measures: tuple[FlowMeasures, ...] = ()  # only of a strict check


@dataclass(slots=True)
class Findings:
    """Collects what is found, tree after tree. `prefix` leads from the directory checked to the
    flow's folder, and `inside` from there to the phases of the tree.
    """

    strict: bool
    prefix: str = ""
    inside: str = ""
    faults: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    def add(self, where: str, fault: StepFault) -> None:
        """A fault, or a note where the catalogue calls it INFO."""
        entry = CATALOGUE.get(fault.code)
        self._add(entry.severity if entry is not None else "INFO", where, fault)

    def note(self, where: str, fault: StepFault) -> None:
        """A note whatever the catalogue says: the flow runs all the same."""
        self._add("INFO", where, fault)

    def fault(self, where: str, fault: StepFault) -> None:
        """A fault whatever the catalogue says; what it is about runs all the same."""
        self._add("WARNING", where, fault)

    def lined(self, place: str, line: int, fault: StepFault) -> None:
        """A fault in a line of a file that is no flow's; `place` is where the file is."""
        severity = CATALOGUE[fault.code].severity
        self.faults.append(_finding(severity, place, fault, line))

    def _add(self, severity: str, where: str, fault: StepFault) -> None:
        finding = _finding(severity, self.prefix + self._place(where), fault)
        (self.notes if severity == "INFO" else self.faults).append(finding)

    def _place(self, where: str) -> str:
        if where not in (AGENT_FILE, PARTY_FILE):
            return self.inside + where
        return PARTY_FILE if self.inside else AGENT_FILE


def _finding(severity: str, place: str, fault: StepFault, line: int | None = None) -> Finding:
    return Finding(
        fault.code, severity, place, fault.field, fault.value, fault.message, fault.hint, line
    )
