"""Looks through a step tree and reports everything that is wrong with it at once.

What would only be recorded silently at run time is a note here, and no fault.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.content import files, front_matter, style
from core.content.library import (
    Library,
    StepFile,
    assigned_ids,
    no_steps,
    step_or_faults,
)
from core.content.style import FlowMeasures
from core.domain import condition
from core.domain.ids import PersonaKey, PhaseKey, StepId
from core.domain.playbook import (
    AGENT_FILE,
    BUILT_IN,
    SECTION_OF_DEPTH,
    AgentFile,
    Phase,
    Step,
    StepFault,
    is_phase_key,
    is_step_id,
    sections_of,
    step_id_of_place,
    value_shown,
)
from core.taxonomy.catalogue import CATALOGUE, shown

PARTY_FILE: Final = "party.yaml"
NOTE: Final = "NOTE"  # something worth a look that the catalogue has no code for
FURTHER_SECTIONS: Final = ("Validation", "Artifacts")

Ids = Mapping[tuple[PhaseKey, str], StepId]


class NoStepsError(Exception):
    """There is nothing to check at this place. Its text says why."""


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


@dataclass(frozen=True, slots=True)
class Report:
    files: int
    steps: int
    faults: tuple[Finding, ...]
    notes: tuple[Finding, ...] = ()
    measures: tuple[FlowMeasures, ...] = ()  # only of a strict check


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the inventory: a step, or a file that is none and the code that says why."""

    flow: str
    phase: PhaseKey
    file: str
    id: StepId
    step: Step | None
    fault: str | None


@dataclass(slots=True)
class _Findings:
    """Collects for one flow. `prefix` leads from the directory checked to the flow's folder."""

    prefix: str
    strict: bool = False
    faults: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    def add(self, where: str, fault: StepFault) -> None:
        """A fault, or a note where the catalogue calls it INFO."""
        entry = CATALOGUE.get(fault.code)
        severity = entry.severity if entry is not None else "INFO"
        (self.notes if severity == "INFO" else self.faults).append(
            self._finding(severity, where, fault)
        )

    def note(self, where: str, fault: StepFault) -> None:
        """A note whatever the catalogue says: the flow runs all the same."""
        self.notes.append(self._finding("INFO", where, fault))

    def style(self, where: str, fault: StepFault) -> None:
        """The flow runs all the same; a strict check asks for better."""
        self.faults.append(self._finding("WARNING", where, fault))

    def _finding(self, severity: str, where: str, fault: StepFault) -> Finding:
        return Finding(
            fault.code,
            severity,
            self.prefix + where,
            fault.field,
            fault.value,
            fault.message,
            fault.hint,
        )


def check(directory: Path, *, strict: bool = False) -> Report:
    """Every fault of every file of a flow's folder, or of all flows in the folder above it.

    A strict check also measures how the steps read, and what falls short is a fault.
    """
    read = steps = 0
    faults: list[Finding] = []
    notes: list[Finding] = []
    measures: list[FlowMeasures] = []
    for flow in _flows(directory):
        found = _Findings("" if flow == directory.resolve() else f"{flow.name}/", strict)
        flow_read, good = _check_flow(flow, found)
        if strict:
            measures.append(_check_style(flow, good, found))
        read, steps = read + flow_read, steps + len(good)
        faults += found.faults
        notes += found.notes
    return Report(read, steps, tuple(faults), tuple(notes), tuple(measures))


def inventory(directory: Path) -> tuple[Listed, ...]:
    """Every step file in order, good or not."""
    return tuple(line for flow in _flows(directory) for line in _listed(flow))


def _listed(flow: Path) -> Iterator[Listed]:
    library = Library(flow.parent)
    all_files = list(library.step_files(flow.name))
    ids = assigned_ids(all_files)
    personas = _persona_keys(library, flow)
    for file in all_files:
        found = step_or_faults(file, ids, personas)
        step = found if isinstance(found, Step) else None
        fault = found[0].code if isinstance(found, tuple) else None
        yield Listed(flow.name, file.phase, file.name, ids[file.phase, file.name], step, fault)


def _flows(directory: Path) -> list[Path]:
    """The flow's folder itself, or the flows below it."""
    if not files.is_directory(directory):
        raise NoStepsError(f"{directory} is not a directory.")
    here = directory.resolve()
    if _is_flow(here):
        return [here]
    flows = [
        child for child in files.children(here) if files.is_directory(child) and _is_flow(child)
    ]
    if not flows:
        raise NoStepsError(f"{directory} holds no steps: no {AGENT_FILE} and no NN-name folder.")
    return flows


def _is_flow(directory: Path) -> bool:
    return (
        files.is_file(directory / AGENT_FILE)
        or files.is_file(directory / PARTY_FILE)
        or any(map(is_phase_key, files.phase_directories(directory, directory)))
    )


def _persona_keys(library: Library, flow: Path) -> Collection[PersonaKey]:
    agent = library.read_agent(flow.name)
    if isinstance(agent, AgentFile):
        return {persona.key for persona in agent.personas}
    return _party_keys(flow) or {persona.key for persona in BUILT_IN}


def _party_keys(flow: Path) -> set[PersonaKey]:
    """The persona keys of a party file, which says more than concerns us here."""
    try:
        _, text = files.read_text(str(flow / PARTY_FILE), flow)
        personas = front_matter.load(text, chars_max=files.FILE_BYTES_MAX).get("personas")
    except (files.UnreadableError, front_matter.MalformedError):
        return set()
    if isinstance(personas, dict):
        return {PersonaKey(str(key)) for key in personas}
    items = personas if isinstance(personas, list) else []
    return {
        PersonaKey(str(item["key"])) for item in items if isinstance(item, dict) and "key" in item
    }


# One flow


def _check_flow(flow: Path, found: _Findings) -> tuple[int, list[Step]]:
    """Report on every file; say how many that were, and which steps came of them."""
    library = Library(flow.parent)
    read = _check_agent(library, flow, found)
    personas = _persona_keys(library, flow)
    all_files = list(library.step_files(flow.name))
    ids = assigned_ids(all_files)
    phases = {phase.key: phase for phase in library.phases(flow.name)}
    _check_phases(library, flow, phases, found)

    good: list[Step] = []
    for file in all_files:
        place = f"{file.phase}/{file.name}"
        result = step_or_faults(file, ids, personas)
        if isinstance(result, tuple):
            for fault in result:
                found.add(place, fault)
        else:
            good.append(result)
        if file.front is not None:
            step = result if isinstance(result, Step) else None
            _check_condition(file, ids, found)
            _check_sections(file, step.sections if step else sections_of(file.body), found)
            _check_place(file, phases[file.phase], found)
    _check_dependencies(all_files, ids, found)
    return read + len(all_files), good


def _check_style(flow: Path, steps: list[Step], found: _Findings) -> FlowMeasures:
    review = style.review(flow.name, steps)
    for place, finding in review.findings:
        found.style(place, finding)
    return review.measures


def _check_agent(library: Library, flow: Path, found: _Findings) -> int:
    """Report on the agent file, and say how many files that were."""
    agent = library.inspect_agent(flow.name)
    flaws = agent.flaws if isinstance(agent, AgentFile) else agent
    missing = any(flaw.code == "ERR-RT-001" for flaw in flaws)
    if not (missing and files.is_file(flow / PARTY_FILE)):
        for flaw in flaws:
            found.add(AGENT_FILE, flaw)
    return 0 if missing else 1


def _check_phases(
    library: Library, flow: Path, phases: Mapping[PhaseKey, Phase], found: _Findings
) -> None:
    with_agent = isinstance(library.read_agent(flow.name), AgentFile)
    counts = library.count(flow.name)
    for key, phase in phases.items():
        if not counts[key]:
            exists = files.is_directory(flow / key)
            found.add(key, no_steps(key, "ERR-STEP-002" if exists else "ERR-STEP-001"))
        if with_agent and not phase.mapped:
            message = shown("ERR-PERSONA-001", phase_key=key)
            hint = f"{AGENT_FILE} does not name it"
            found.note(key, StepFault("ERR-PERSONA-001", key, message, hint=hint))


def _check_condition(file: StepFile, ids: Ids, found: _Findings) -> None:
    expression = file.front.get("skip_if") if file.front is not None else None
    if not isinstance(expression, str):
        return
    try:
        condition.parse(expression)
    except condition.ConditionError as why:
        written = value_shown(expression)
        step_id = ids[file.phase, file.name]
        message = shown("ERR-STEP-009", step_id=step_id, expression=written)
        fault = StepFault("ERR-STEP-009", file.name, message, "skip_if", written, str(why))
        found.add(f"{file.phase}/{file.name}", fault)


def _check_sections(file: StepFile, sections: Mapping[str, str], found: _Findings) -> None:
    place = f"{file.phase}/{file.name}"
    for heading in SECTION_OF_DEPTH.values():
        if not sections.get(heading):
            message = f"There is no text under '## {heading}'."
            hint = "Standard Mode is asked instead, else the whole body"
            found.add(place, StepFault("ERR-STEP-007", file.name, message, heading, hint=hint))
    for heading in () if found.strict else FURTHER_SECTIONS:
        if not sections.get(heading):
            message = f"There is no text under '## {heading}'."
            found.note(place, StepFault(NOTE, file.name, message, heading))


def _check_place(file: StepFile, phase: Phase, found: _Findings) -> None:
    place = f"{file.phase}/{file.name}"
    claimed, asked = file.claimed_id, step_id_of_place(file.phase, file.name)
    if claimed is not None and is_step_id(asked) and claimed != asked:
        message = f"Its step_id is '{claimed}', its place asks for '{asked}'. The step runs."
        found.note(place, StepFault(NOTE, file.name, message, "step_id", claimed))
    persona = file.front.get("persona") if file.front is not None else None
    if phase.mapped and isinstance(persona, str) and persona != phase.persona:
        message = f"It is led by '{value_shown(persona)}', its phase by '{phase.persona}'."
        fault = StepFault("ERR-PERSONA-002", file.name, message, "persona", value_shown(persona))
        found.add(place, fault)


# Dependencies


def _check_dependencies(all_files: Collection[StepFile], ids: Ids, found: _Findings) -> None:
    """A dependency must be there, must be reached, and must not be skipped by design."""
    by_id = {ids[file.phase, file.name]: file for file in all_files}
    wanted = {id_: _dependencies(file) for id_, file in by_id.items()}
    skippable = {id_ for id_, file in by_id.items() if _can_be_skipped(file)}
    circles = _in_circles(wanted)
    for me, file in by_id.items():
        for dependency in wanted[me]:
            if dependency not in by_id:
                hint = "no step has this id"
            elif me in circles and dependency in circles:
                hint = "they wait for each other" if me != dependency else "it waits for itself"
            elif dependency in skippable:
                hint = "its skip_if can skip that step, and then this one never runs"
            else:
                continue
            message = shown("ERR-STEP-008", step_id=me, dep_id=dependency)
            fault = StepFault("ERR-STEP-008", file.name, message, "depends_on", dependency, hint)
            found.add(f"{file.phase}/{file.name}", fault)


def _dependencies(file: StepFile) -> tuple[StepId, ...]:
    value = file.front.get("depends_on") if file.front is not None else None
    items = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(StepId(item) for item in items if is_step_id(item)))


def _can_be_skipped(file: StepFile) -> bool:
    expression = file.front.get("skip_if") if file.front is not None else None
    if not isinstance(expression, str):
        return False
    try:
        condition.parse(expression)
    except condition.ConditionError:
        return False
    return True


def _in_circles(wanted: Mapping[StepId, Collection[StepId]]) -> set[StepId]:
    """The ids left when all that wait for nobody, and all nobody waits for, are taken away."""
    forward = {one: {two for two in others if two in wanted} for one, others in wanted.items()}
    backward: dict[StepId, set[StepId]] = {one: set() for one in wanted}
    for one, others in forward.items():
        for two in others:
            backward[two].add(one)
    return _peeled(backward, forward, _peeled(forward, backward, set(wanted)))


def _peeled(
    forward: Mapping[StepId, Collection[StepId]],
    backward: Mapping[StepId, Collection[StepId]],
    left: set[StepId],
) -> set[StepId]:
    """`left` without those that lead nowhere in `forward`, again and again."""
    open_ends = {one: len(left.intersection(forward[one])) for one in left}
    ends = [one for one in left if not open_ends[one]]
    remaining = set(left)
    while ends:
        end = ends.pop()
        remaining.discard(end)
        for one in backward[end]:
            if one in remaining:
                open_ends[one] -= 1
                if not open_ends[one]:
                    ends.append(one)
    return remaining
