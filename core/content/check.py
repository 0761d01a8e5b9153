"""Looks through a step tree and reports everything that is wrong with it at once.

What would only be recorded silently at run time is a note here, and no fault.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from core.content import dependencies, files, party_style, party_tree, style
from core.content.inventory import FlowSteps, NoStepsError, flows, persona_keys, trees
from core.content.library import Library, no_steps
from core.content.models.findings import CheckReport, Finding, Findings
from core.content.models.glossary import GLOSSARY_FILE
from core.content.models.prompt import PROMPTS_FOLDER
from core.content.models.sections import sections_of
from core.content.models.values import is_step_id, step_id_of_place, value_shown
from core.content.party_tree import NOTE
from core.content.step_file import Ids, StepFile, assigned_ids, step_or_faults
from core.content.style import FlowMeasures
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party import PARTY_FILE, Party
from core.domain.steps import condition
from core.domain.steps.criteria import VALIDATION
from core.domain.steps.playbook import (
    AGENT_FILE,
    SECTION_OF_DEPTH,
    AgentFile,
    Phase,
    Playbook,
    Step,
    StepFault,
    phase_led_by,
)
from core.taxonomy.catalogue import shown

__all__ = ["NOTE", "CheckReport", "Finding", "NoStepsError", "check"]

FURTHER_SECTIONS: Final = (VALIDATION, "Artifacts")
COUNCIL_MEMBERS: Final = 3  # below that a parallel phase has no third voice


def check(directory: Path, *, strict: bool = False) -> CheckReport:
    """Every fault of every file of a flow's folder, or of all flows in the folder above it.

    A strict check also measures how the steps read, and what falls short is a fault.
    """
    read = steps = 0
    findings = Findings(strict)
    measures: list[FlowMeasures] = []
    folders = flows(directory)
    read += _check_glossary(folders[0], directory.resolve(), findings)
    read += _check_prompts(folders[0], directory.resolve(), findings)
    for flow in folders:
        findings.prefix = "" if flow == directory.resolve() else f"{flow.name}/"
        findings.inside = trees(flow)[0].inside
        read += _check_agent(trees(flow)[0], findings)
        for tree in trees(flow):
            findings.inside = tree.inside
            tree_read, good = _check_tree(tree, findings)
            if strict:
                measures.append(_check_style(tree, good, findings))
            read, steps = read + tree_read, steps + len(good)
    return CheckReport(read, steps, tuple(findings.faults), tuple(findings.notes), tuple(measures))


def _check_glossary(flow: Path, directory: Path, findings: Findings) -> int:
    """Report on the glossary beside the flows, and say how many files that were."""
    library = Library(flow.parent)
    if not library.has_glossary():
        return 0
    place = GLOSSARY_FILE if flow != directory else f"../{GLOSSARY_FILE}"
    for line, fault in library.inspect_glossary().faults:
        findings.lined(place, line, fault)
    return 1


def _check_prompts(flow: Path, directory: Path, findings: Findings) -> int:
    """Report on the prompts beside the flows, and say how many files those were."""
    library = Library(flow.parent)
    folder = PROMPTS_FOLDER if flow != directory else f"../{PROMPTS_FOLDER}"
    names = library.prompt_files()
    for name in names:
        for line, fault in library.inspect_prompt(name).faults:
            findings.lined(f"{folder}/{name}", line, fault)
    return len(names)


# One flow


def _check_agent(tree: FlowSteps, findings: Findings) -> int:
    """Report on the file that says who is there, and say how many files that were."""
    library, flow = tree.library, tree.flow.name
    agent = library.inspect_agent(flow)
    flaws = agent.flaws if isinstance(agent, AgentFile) else agent
    for flaw in flaws:
        findings.add(AGENT_FILE, flaw)
    if tree.mode:
        _check_party(library.read_party(flow), findings)
    return 0 if any(flaw.code == "ERR-RT-001" for flaw in flaws) else 1


def _check_party(party: Party | StepFault, findings: Findings) -> None:
    if isinstance(party, StepFault):
        return  # told with the rest
    for phase in party.phases:
        if phase.type == "parallel" and len(phase.members) < COUNCIL_MEMBERS:
            message = f"{phase.label} has {len(phase.members)} members, and no third voice."
            fault = StepFault(NOTE, PARTY_FILE, message, f"phases.{phase.key}.personas")
            findings.note(PARTY_FILE, fault)
    for finding in party_style.review(party) if findings.strict else ():
        findings.fault(PARTY_FILE, finding)


# The steps of one mode


def _check_tree(tree: FlowSteps, findings: Findings) -> tuple[int, list[Step]]:
    """Report on every file; say how many that were, and which steps came of them."""
    library = tree.library
    all_files = list(library.step_files(tree.key))
    personas = persona_keys(tree, all_files)
    ids = assigned_ids(all_files)
    phases = {phase.key: phase for phase in library.phases(tree.key)}
    party = _party_of(tree)
    councils = party_tree.councils(party) if party else frozenset()
    leaders = party_tree.members(party) if party else {}

    good: dict[tuple[PhaseKey, str], Step] = {}
    for file in all_files:
        place = f"{file.phase}/{file.name}"
        result = step_or_faults(file, ids, personas)
        if isinstance(result, tuple):
            for fault in result:
                findings.add(place, fault)
        else:
            good[file.phase, file.name] = result
        if file.front is not None:
            step = result if isinstance(result, Step) else None
            _check_condition(file, ids, findings)
            _check_reads(file, ids, findings)
            if tree.mode != "party" or (party and file.phase not in councils):
                _check_sections(file, step.sections if step else sections_of(file.body), findings)
            if phase := phases.get(file.phase):
                is_copy = file.claimed_id not in (None, ids[file.phase, file.name])
                _check_place(
                    file, phase, leaders.get(phase.key, {phase.persona}), is_copy, findings
                )
    for file, fault in dependencies.faulty(all_files, ids):
        findings.add(f"{file.phase}/{file.name}", fault)
    if party:
        _check_party_tree(tree, party, all_files, good.values(), findings)
    elif tree.mode != "party":
        _check_phases(tree, phases, Counter(file.phase for file in all_files), findings)
    return len(all_files), list(good.values())


def _party_of(tree: FlowSteps) -> Party | None:
    """The party whose phases these are; those of the classic mode are no party's."""
    party = tree.library.read_party(tree.flow.name) if tree.mode == "party" else None
    return party if isinstance(party, Party) else None


def _check_party_tree(
    tree: FlowSteps,
    party: Party,
    all_files: list[StepFile],
    steps: Iterable[Step],
    findings: Findings,
) -> None:
    folder = tree.library.folder(tree.key)
    folders = [PhaseKey(name) for name in files.phase_directories(folder, tree.flow)]
    for place, fault in party_tree.faults(party, all_files, folders):
        findings.fault(place, fault)
    for place, note in party_tree.notes(party, all_files, list(steps), folders):
        findings.note(place, note)


def _check_style(tree: FlowSteps, steps: list[Step], findings: Findings) -> FlowMeasures:
    party = _party_of(tree)
    name = f"{tree.flow.name}/{tree.mode}" if tree.mode else tree.flow.name
    review = style.review(name, steps, party_tree.councils(party) if party else frozenset())
    for place, finding in review.findings:
        findings.fault(place, finding)
    return review.measures


def _check_phases(
    tree: FlowSteps,
    phases: Mapping[PhaseKey, Phase],
    counts: Mapping[PhaseKey, int],
    findings: Findings,
) -> None:
    library = tree.library
    with_agent = isinstance(library.read_agent(tree.key), AgentFile)
    playbook = Playbook(library.personas(tree.key), {})
    for key, phase in phases.items():
        if not counts[key]:
            is_there = files.is_directory(library.folder(tree.key) / key)
            findings.add(key, no_steps(key, is_there=is_there))
        if with_agent and not phase.mapped:
            message = phase_led_by(key, playbook.persona(phase.persona))
            hint = f"{AGENT_FILE} does not name it"
            findings.note(key, StepFault("ERR-PERSONA-001", key, message, hint=hint))


def _check_condition(file: StepFile, ids: Ids, findings: Findings) -> None:
    expression = file.value("skip_if")
    if not isinstance(expression, str):
        return
    try:
        condition.parse(expression)
    except condition.ConditionError as why:
        written = value_shown(expression)
        step_id = ids[file.phase, file.name]
        message = shown("ERR-STEP-009", step_id=step_id, expression=written)
        fault = StepFault("ERR-STEP-009", file.name, message, "skip_if", written, str(why))
        findings.add(f"{file.phase}/{file.name}", fault)


def _check_reads(file: StepFile, ids: Ids, findings: Findings) -> None:
    """An id that no step of the flow has gives the brain nothing, and the step runs."""
    value = file.value("reads")
    for item in value if isinstance(value, list) else ():
        if is_step_id(item) and item not in ids.values():
            message = f"It reads '{item}', and no step has this id. The step runs."
            findings.note(
                f"{file.phase}/{file.name}", StepFault(NOTE, file.name, message, "reads", item)
            )


def _check_sections(file: StepFile, sections: Mapping[str, str], findings: Findings) -> None:
    place = f"{file.phase}/{file.name}"
    for heading in SECTION_OF_DEPTH.values():
        if not sections.get(heading):
            message = f"There is no text under '## {heading}'."
            hint = "Standard Mode is asked instead, else the whole body"
            findings.add(place, StepFault("ERR-STEP-007", file.name, message, heading, hint=hint))
    for heading in () if findings.strict else FURTHER_SECTIONS:
        if not sections.get(heading):
            message = f"There is no text under '## {heading}'."
            findings.note(place, StepFault(NOTE, file.name, message, heading))


def _check_place(
    file: StepFile,
    phase: Phase,
    leaders: Collection[PersonaKey],
    is_copy: bool,
    findings: Findings,
) -> None:
    """`is_copy`: its id is another file's, which is said already."""
    place = f"{file.phase}/{file.name}"
    claimed = file.claimed_id
    as_placed = claimed is None or claimed == f"{file.phase[:2]}-{file.name[:2]}"
    expected_id = claimed if as_placed else step_id_of_place(file.phase, file.name)
    if is_step_id(expected_id) and claimed != expected_id and not is_copy:
        message = f"Its step_id is '{claimed}', its place asks for '{expected_id}'. The step runs."
        findings.note(place, StepFault(NOTE, file.name, message, "step_id", claimed))
    persona = file.value("persona")
    if phase.mapped and isinstance(persona, str) and persona not in leaders:
        message = f"It is led by '{value_shown(persona)}', its phase by '{phase.persona}'."
        fault = StepFault("ERR-PERSONA-002", file.name, message, "persona", value_shown(persona))
        findings.add(place, fault)
