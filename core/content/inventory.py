"""Which flows lie in a place, and every step of them in order, good or not."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.content import files, party_file
from core.content.library import CLASSIC_FOLDER, PARTY_FLOW, PARTY_TREE, Library
from core.content.models.values import is_phase_key
from core.content.step_file import StepFile, assigned_ids, step_or_faults
from core.domain.ids import PersonaKey, PhaseKey, StepId
from core.domain.party import LEAD, PARTY_FILE, Member, Party, PartyPhase
from core.domain.session.course import Mode
from core.domain.steps.playbook import AGENT_FILE, BUILT_IN, AgentFile, Step, StepFault

FOLDER_OF_MODE: Final = {"": "", "party": PARTY_TREE, "classic": CLASSIC_FOLDER}


class NoStepsError(Exception):
    """There is nothing to look at in this place. Its text says why."""


@dataclass(frozen=True, slots=True)
class FlowSteps:
    """The steps of a flow; a flow with a party has two, one for each mode."""

    flow: Path
    mode: Mode = ""

    @property
    def key(self) -> str:
        """What the library calls it."""
        return PARTY_TREE if self.mode == "party" else self.flow.name

    @property
    def inside(self) -> str:
        """Leads from the flow's folder to the phases: "party/"."""
        folder = FOLDER_OF_MODE[self.mode]
        return f"{folder}/" if folder else ""

    @property
    def library(self) -> Library:
        return Library(self.flow.parent)


@dataclass(frozen=True, slots=True)
class ListedStep:
    """One line of the inventory: a step, or a file that is none and the code that says why."""

    flow: str
    phase: PhaseKey
    file: str
    id: StepId
    step: Step | None
    fault: str | None
    mode: Mode = ""


@dataclass(frozen=True, slots=True)
class ListedPhase:
    """A phase of a party with its members; or the code that says why there are none."""

    flow: str
    phase: PartyPhase | None
    members: tuple[Member, ...] = ()
    fault: str | None = None


def inventory(directory: Path) -> tuple[ListedStep, ...]:
    """Every step file in order, good or not; a party's before those of its classic mode."""
    return tuple(
        line for flow in flows(directory) for tree in trees(flow) for line in _listed(tree)
    )


def party_phases(directory: Path) -> tuple[ListedPhase, ...]:
    """Every phase of every party in order, or its file's fault."""
    libraries = ((Library(flow.parent), flow.name) for flow in flows(directory))
    return tuple(
        line
        for library, flow in libraries
        if library.has_party(flow)
        for line in _listed_phases(flow, library.read_party(flow))
    )


def _listed_phases(flow: str, party: Party | StepFault) -> Iterator[ListedPhase]:
    if isinstance(party, StepFault):
        yield ListedPhase(flow, None, fault=party.code)
        return
    for phase in party.phases:
        yield ListedPhase(flow, phase, party.members_of(phase.key))


def _listed(tree: FlowSteps) -> Iterator[ListedStep]:
    all_files = list(tree.library.step_files(tree.key))
    ids = assigned_ids(all_files)
    personas = persona_keys(tree, all_files)
    for file in all_files:
        outcome = step_or_faults(file, ids, personas)
        step = outcome if isinstance(outcome, Step) else None
        fault = outcome[0].code if isinstance(outcome, tuple) else None
        step_id = ids[file.phase, file.name]
        yield ListedStep(tree.flow.name, file.phase, file.name, step_id, step, fault, tree.mode)


# Where flows are


def flows(directory: Path) -> list[Path]:
    """The flow's folder itself, or the flows below it. Raises `NoStepsError`."""
    if not files.is_directory(directory):
        raise NoStepsError(f"{directory} is not a directory.")
    root = directory.resolve()
    if _is_flow(root):
        return [root]
    folders = [
        child for child in files.children(root) if files.is_directory(child) and _is_flow(child)
    ]
    if not folders:
        raise NoStepsError(f"{directory} holds no steps: no {AGENT_FILE} and no NN-name folder.")
    return folders


def trees(flow: Path) -> tuple[FlowSteps, ...]:
    """The steps of a flow. Only the flow that people start as a party has steps for one."""
    if not Library(flow.parent).has_party(flow.name):
        return (FlowSteps(flow),)
    classic = FlowSteps(flow, "classic")
    return (FlowSteps(flow, "party"), classic) if flow.name == PARTY_FLOW else (classic,)


def _is_flow(directory: Path) -> bool:
    phases = (directory, directory / CLASSIC_FOLDER)
    return (
        files.is_file(directory / AGENT_FILE)
        or files.is_file(directory / PARTY_FILE)
        or any(is_phase_key(key) for at in phases for key in files.phase_directories(at, directory))
    )


def persona_keys(tree: FlowSteps, all_files: Iterable[StepFile]) -> Collection[PersonaKey]:
    """Those whom a step may name.

    Where a party file says nothing of personas its own steps may name anybody: that is one fault,
    and not one of each step.
    """
    agent = tree.library.read_agent(tree.flow.name)
    if isinstance(agent, AgentFile):
        return {persona.key for persona in agent.personas}
    keys = party_file.persona_keys(str(tree.flow / PARTY_FILE), tree.flow)
    if not keys and tree.mode == "party":
        names = (file.value("persona") for file in all_files)
        return {PersonaKey(name) for name in names if isinstance(name, str)}
    standing_in = {LEAD} if tree.mode else set()  # who leads where the party file is of no use
    return keys or {persona.key for persona in BUILT_IN} | standing_in
