"""The step tree of every flow, read when it is asked for: a file dropped in is there at once.

What was read is remembered by its digest, so that reading a phase again costs the bytes and not the
YAML. Mappings handed out are shared: nobody writes to them.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import core
from core.content import files, front_matter
from core.domain.ids import Digest, PersonaKey, PhaseKey, StepId
from core.domain.playbook import (
    AGENT_FILE,
    BUILT_IN,
    BUILT_IN_PHASES,
    AgentFile,
    Persona,
    Phase,
    PinnedFile,
    Step,
    StepFault,
    agent_fault,
    file_fault,
    invalid_value,
    is_phase_key,
    is_step_id,
    label_of,
    parse_agent,
    parse_step,
    step_id_of_place,
)
from core.taxonomy.catalogue import CATALOGUE, Code, shown

CACHED_FILES_MAX: Final = 4096
UNMAPPED_PERSONA: Final = PersonaKey("business-analyst")

UNREAD: Final = Digest("")

Front = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StepFile:
    """A step file as it lies there: its front matter and body, or why there is none."""

    phase: PhaseKey
    name: str
    digest: Digest = UNREAD
    front: Front | None = None
    body: str = ""
    fault: StepFault | None = None

    @property
    def claimed_id(self) -> StepId | None:
        """The id it gives itself, be the rest of it good or not."""
        value = self.front.get("step_id") if self.front is not None else None
        return StepId(str(value)) if is_step_id(value) else None


@dataclass(frozen=True, slots=True)
class OpenedPhase:
    """The files of a phase in order; or the reason why there are none (ERR-STEP-001, 002)."""

    pinned: tuple[PinnedFile, ...]
    fault: StepFault | None = None


def default_steps_dir() -> Path:
    """The steps that Roundtable comes with: beside its packages, or inside of `core`."""
    beside = Path(core.__file__).parent.parent / "steps"
    inside = Path(str(resources.files(core) / "steps"))
    return inside if not files.is_directory(beside) and files.is_directory(inside) else beside


class Library:
    """Reads `root/{flow}/{phase}/*.md` and `root/{flow}/roundtable.md`."""

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        self._read: dict[Digest, tuple[Front, str]] = {}

    # The agent file

    def read_agent(self, flow: str) -> AgentFile | StepFault:
        """Who sits at the table. ERR-RT-001 without such a file, ERR-RT-002 where it is no use."""
        agent = self.inspect_agent(flow)
        return agent if isinstance(agent, AgentFile) else agent[0]

    def inspect_agent(self, flow: str) -> AgentFile | tuple[StepFault, ...]:
        """The same with every fault."""
        path = self.root / flow / AGENT_FILE
        if not self._is_ours(flow) or not files.is_there(path):
            return (StepFault("ERR-RT-001", AGENT_FILE, CATALOGUE["ERR-RT-001"].title),)
        try:
            data, text = files.read_text(str(path), self.root)
            front, _ = self._parsed(_digest(data), text)
        except (files.UnreadableError, front_matter.MalformedError) as why:
            return (agent_fault(AGENT_FILE, hint=str(why)),)
        return parse_agent(front)

    def personas(self, flow: str) -> tuple[Persona, ...]:
        """Those of the agent file, else the three built in."""
        agent = self.read_agent(flow)
        return agent.personas if isinstance(agent, AgentFile) else BUILT_IN

    # Phases

    def phases(self, flow: str) -> tuple[Phase, ...]:
        """Those of the agent file, and any further `NN-name` directory, in number order."""
        agent = self.read_agent(flow)
        here = self._directories(flow)
        if isinstance(agent, AgentFile):
            mapped = {phase.key: phase for phase in agent.phases}
        else:
            mapped = {phase.key: phase for phase in BUILT_IN_PHASES if phase.key in here}
        unmapped = {key: _unmapped(key) for key in here if key not in mapped}
        return tuple(phase for _, phase in sorted((mapped | unmapped).items()))

    def count(self, flow: str) -> dict[PhaseKey, int]:
        """How many step files each phase has."""
        return {phase.key: len(self._names(flow, phase.key) or ()) for phase in self.phases(flow)}

    def open_phase(
        self, flow: str, phase: PhaseKey, personas: Collection[PersonaKey]
    ) -> OpenedPhase:
        """Read the directory now. Every file of it is there: as a step, or with its first fault."""
        names = self._names(flow, phase)
        if not names:
            return OpenedPhase(
                (), no_steps(phase, "ERR-STEP-002" if names == [] else "ERR-STEP-001")
            )
        all_files = list(self.step_files(flow))
        ids = assigned_ids(all_files)
        mine = (file for file in all_files if file.phase == phase)
        return OpenedPhase(tuple(_pinned(file, ids, personas) for file in mine))

    def open_step(
        self, flow: str, phase: PhaseKey, file: str, personas: Collection[PersonaKey]
    ) -> PinnedFile:
        """Read one file of a phase anew. One that is gone is unreadable."""
        all_files = list(self.step_files(flow))
        wanted = next((one for one in all_files if (one.phase, one.name) == (phase, file)), None)
        if wanted is None:
            wanted = StepFile(phase, file, fault=file_fault("ERR-STEP-003", file, "it is gone"))
            all_files.append(wanted)
        return _pinned(wanted, assigned_ids(all_files), personas)

    # Files

    def step_files(self, flow: str) -> Iterator[StepFile]:
        """Every step file of a flow, in the order of phases and names."""
        agent = self.read_agent(flow)
        declared = {phase.key for phase in agent.phases} if isinstance(agent, AgentFile) else set()
        for phase in sorted(declared | set(self._directories(flow))):
            directory = str(self.root / flow / phase)
            for name in self._names(flow, phase) or ():
                yield self._step_file(phase, name, f"{directory}/{name}")

    def _step_file(self, phase: PhaseKey, name: str, path: str) -> StepFile:
        if not files.is_plain_name(name):
            shown_name = files.storable(name)
            fault = file_fault("ERR-STEP-003", shown_name, "its name cannot be written down")
            return StepFile(phase, shown_name, fault=fault)
        try:
            data, text = files.read_text(path, self.root)
            digest = _digest(data)
            front, body = self._parsed(digest, text)
        except files.UnreadableError as why:
            return StepFile(phase, name, fault=file_fault("ERR-STEP-003", name, str(why)))
        except front_matter.MalformedError as why:
            return StepFile(phase, name, fault=file_fault("ERR-STEP-004", name, str(why)))
        return StepFile(phase, name, digest, front, body)

    def _parsed(self, digest: Digest, text: str) -> tuple[Front, str]:
        if (known := self._read.get(digest)) is not None:
            return known
        head, body = front_matter.split(text)
        parsed = (front_matter.load(head), body)
        if len(self._read) >= CACHED_FILES_MAX:
            self._read.clear()
        self._read[digest] = parsed
        return parsed

    def _directories(self, flow: str) -> tuple[PhaseKey, ...]:
        if not self._is_ours(flow):
            return ()
        names = files.phase_directories(self.root / flow, self.root)
        return tuple(PhaseKey(name) for name in names if is_phase_key(name))

    def _names(self, flow: str, phase: PhaseKey) -> list[str] | None:
        directory = self.root / flow / phase
        plain = self._is_ours(flow) and files.is_plain_name(phase)
        return files.step_files(directory) if plain and self._is_inside(directory) else None

    def _is_ours(self, flow: str) -> bool:
        return files.is_plain_name(flow) and self._is_inside(self.root / flow)

    def _is_inside(self, path: Path) -> bool:
        return files.is_inside(str(path), self.root)


def no_steps(phase: PhaseKey, code: Code) -> StepFault:
    return StepFault(code, phase, shown(code, phase_key=phase))


def assigned_ids(all_files: Collection[StepFile]) -> Mapping[tuple[PhaseKey, str], StepId]:
    """An id for every file of a flow, no two the same.

    Whoever claims an id first has it. A file without one, or that came too late, is known by its
    place, else by its name.
    """
    ids: dict[tuple[PhaseKey, str], StepId] = {}
    taken: set[StepId] = set()
    for file in all_files:
        claimed = file.claimed_id
        if claimed is not None and claimed not in taken:
            taken.add(claimed)
            ids[file.phase, file.name] = claimed
    for file in all_files:
        if (file.phase, file.name) in ids:
            continue
        place = step_id_of_place(file.phase, file.name)
        names = (place, StepId(file.name.removesuffix(".md")), StepId(f"{file.phase}/{file.name}"))
        chosen = next((name for name in names if name not in taken), names[-1])
        taken.add(chosen)
        ids[file.phase, file.name] = chosen
    return ids


def step_or_faults(
    file: StepFile,
    ids: Mapping[tuple[PhaseKey, str], StepId],
    personas: Collection[PersonaKey],
) -> Step | tuple[StepFault, ...]:
    """The step, or everything that is wrong with its file, an id that is another's included."""
    if file.front is None:
        assert file.fault is not None
        return (file.fault,)
    found = parse_step(
        file.front,
        file.body,
        file=file.name,
        phase=file.phase,
        digest=file.digest,
        personas=personas,
    )
    claimed = file.claimed_id
    if claimed is None or ids[file.phase, file.name] == claimed:
        return found
    owner = next(place for place, id_ in ids.items() if id_ == claimed)
    hint = f"it is the id of {'/'.join(owner)}"
    twice = invalid_value(file.name, "step_id", claimed, hint=hint)
    return (twice, *found) if isinstance(found, tuple) else (twice,)


def _pinned(
    file: StepFile,
    ids: Mapping[tuple[PhaseKey, str], StepId],
    personas: Collection[PersonaKey],
) -> PinnedFile:
    found = step_or_faults(file, ids, personas)
    known_as = ids[file.phase, file.name]
    if isinstance(found, Step):
        return PinnedFile(file.name, known_as, found)
    return PinnedFile(file.name, known_as, None, found[0])


def _digest(data: bytes) -> Digest:
    return Digest(hashlib.sha256(data).hexdigest())


def _unmapped(key: PhaseKey) -> Phase:
    return Phase(key, label_of(key), UNMAPPED_PERSONA, mapped=False)
