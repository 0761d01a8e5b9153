"""The step tree of every flow, read when it is asked for: a file dropped in is there at once.

What was read is remembered by its digest, so that reading a phase again costs the bytes and not the
YAML. Mappings handed out are shared: nobody writes to them.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import core
from core.content import files, front_matter, party_file
from core.content.models.agent import agent_fault, parse_agent
from core.content.models.glossary import GLOSSARY_FILE, Glossary, parse_glossary
from core.content.models.prompt import PROMPTS_FOLDER, Prompt, PromptFile, parse_prompt
from core.content.models.values import file_fault, is_phase_key, label_of
from core.content.step_file import Front, StepFile, assigned_ids, pinned
from core.domain.ids import Digest, PersonaKey, PhaseKey
from core.domain.model_calls import ModelTask
from core.domain.party import LEAD, PARTY_FILE, Party
from core.domain.steps.glossary import Terms
from core.domain.steps.playbook import (
    AGENT_FILE,
    BUILT_IN,
    BUILT_IN_PHASES,
    AgentFile,
    Persona,
    Phase,
    PinnedFile,
    StepFault,
)
from core.taxonomy.catalogue import CATALOGUE, Code, shown

CACHED_FILES_MAX: Final = 4096
DIGEST_CHARS: Final = 32  # 128 bits: no two files share them, and every step's rows repeat them
PARTY_FLOW: Final = "inception"
PARTY_TREE: Final = "party"  # the steps of a party, beside those of its classic mode
CLASSIC_FOLDER: Final = "classic"
UNMAPPED_PERSONA: Final = PersonaKey("business-analyst")


@dataclass(frozen=True, slots=True)
class OpenedPhase:
    """The files of a phase in order; or the reason why there are none (ERR-STEP-001, 002)."""

    pinned: tuple[PinnedFile, ...]
    fault: StepFault | None = None


def default_steps_dir() -> Path:
    """The steps that Roundtable comes with: inside of `core` when installed, else beside it.

    Inside comes first: what lies beside an installed `core` is other people's packages.
    """
    package = Path(core.__file__).parent
    inside = package / "steps"
    return inside if files.is_directory(inside) else package.parent / "steps"


class Library:
    """Reads `root/{flow}/{phase}/*.md` and `root/{flow}/roundtable.md`.

    The flow of a party has `party.yaml` in its place, and the phases of its classic mode lie in
    `root/{flow}/classic/`.
    """

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        self._read: dict[Digest, tuple[Front, str]] = {}
        self._agent: tuple[Digest, AgentFile | tuple[StepFault, ...]] | None = None  # the last one

    # The party file

    def has_party(self, flow: str) -> bool:
        """True if a party file says who sits at the table, be it there or missing."""
        folder = self.root / flow
        return flow == PARTY_FLOW or (
            files.is_there(folder / PARTY_FILE) and not files.is_there(folder / AGENT_FILE)
        )

    def read_party(self, flow: str = PARTY_FLOW) -> Party | StepFault:
        """The party. ERR-RT-001 without its file, ERR-RT-002 where anything is wrong with it."""
        party = self.inspect_party(flow)
        return party if isinstance(party, Party) else party[0]

    def inspect_party(self, flow: str = PARTY_FLOW) -> Party | tuple[StepFault, ...]:
        """The same with every fault."""
        path = self.root / flow / PARTY_FILE
        if not self._is_ours(flow) or not files.is_there(path):
            return (StepFault("ERR-RT-001", PARTY_FILE, CATALOGUE["ERR-RT-001"].title),)
        return party_file.read(str(path), self.root)

    # The agent file

    def read_agent(self, flow: str) -> AgentFile | StepFault:
        """Who sits at the table. ERR-RT-001 without such a file, ERR-RT-002 where it is no use.

        Of a party these are all its personas, with the phases of its classic mode.
        """
        agent = self.inspect_agent(flow)
        return agent if isinstance(agent, AgentFile) else agent[0]

    def inspect_agent(self, flow: str) -> AgentFile | tuple[StepFault, ...]:
        """The same with every fault."""
        if self.has_party(flow) or flow == PARTY_TREE:
            party = self.inspect_party(PARTY_FLOW if flow == PARTY_TREE else flow)
            return party_file.agent_of(party) if isinstance(party, Party) else party
        path = self.root / flow / AGENT_FILE
        if not self._is_ours(flow) or not files.is_there(path):
            return (StepFault("ERR-RT-001", AGENT_FILE, CATALOGUE["ERR-RT-001"].title),)
        try:
            data, text = files.read_text(str(path), self.root)
            digest = _digest(data)
            agent = self._agent
            if agent is None or agent[0] != digest:
                front, _ = self._parsed(digest, text)
                agent = self._agent = (digest, parse_agent(front))
        except (files.UnreadableFileError, front_matter.MalformedError) as why:
            return (agent_fault(AGENT_FILE, hint=str(why)),)
        return agent[1]

    def personas(self, flow: str) -> tuple[Persona, ...]:
        """Those of the agent file, else the three built in."""
        agent = self.read_agent(flow)
        return agent.personas if isinstance(agent, AgentFile) else BUILT_IN

    # The glossary

    def has_glossary(self) -> bool:
        return files.is_there(self.root / GLOSSARY_FILE)

    def terms(self) -> Terms:
        """The words that the tree explains itself, as its file is now; none without a file."""
        return self.inspect_glossary().terms

    def inspect_glossary(self) -> Glossary:
        """The same with every fault."""
        if not self.has_glossary():
            return Glossary()
        try:
            _, text = files.read_text(str(self.root / GLOSSARY_FILE), self.root)
            return parse_glossary(front_matter.document(text, chars_max=files.FILE_BYTES_MAX))
        except files.UnreadableFileError as why:
            return _unusable("ERR-STEP-003", str(why))
        except front_matter.MalformedError as why:
            return _unusable("ERR-STEP-004", str(why), why.line)

    # The prompts of language models

    def prompts(self) -> dict[ModelTask, Prompt]:
        """The good prompts of the tree, by their tasks, as their files are now."""
        read = (self.inspect_prompt(name) for name in self.prompt_files())
        return {file.prompt.task: file.prompt for file in read if file.prompt}

    def prompt_files(self) -> tuple[str, ...]:
        folder = self.root / PROMPTS_FOLDER
        return tuple(files.step_files(folder) or ()) if self._is_inside(folder) else ()

    def inspect_prompt(self, name: str) -> PromptFile:
        """A file of that folder, with every fault."""
        try:
            data, text = files.read_text(str(self.root / PROMPTS_FOLDER / name), self.root)
        except files.UnreadableFileError as why:
            return PromptFile(None, ((1, file_fault("ERR-STEP-003", name, str(why))),))
        return parse_prompt(text, name, _digest(data))

    # Phases

    def phases(self, flow: str) -> tuple[Phase, ...]:
        """Those of the agent file, and any further `NN-name` directory, in number order.

        Further ones are led by Maya; in a custom team, by its first persona. In a classic mode the
        leader of the party leads them as well; a party's phases are led by the first of their
        members.
        """
        if flow == PARTY_TREE:
            party = self.read_party()
            return party_file.phases_of(party) if isinstance(party, Party) else ()
        agent = self.read_agent(flow)
        directories = self._directories(flow)
        if isinstance(agent, AgentFile):
            mapped = {phase.key: phase for phase in agent.phases}
        else:
            mapped = {phase.key: phase for phase in BUILT_IN_PHASES if phase.key in directories}
        own = self.read_party(flow) if self.has_party(flow) else None
        leader = own.classic.persona if isinstance(own, Party) else (LEAD if own else None)
        first = _first_of(agent)
        unmapped = {key: _unmapped(key, leader, first) for key in directories if key not in mapped}
        return tuple(phase for _, phase in sorted((mapped | unmapped).items()))

    def count(self, flow: str) -> dict[PhaseKey, int]:
        """How many step files each phase has."""
        folder = self._own_folder(flow)
        return {phase.key: len(self._names(folder, phase.key) or ()) for phase in self.phases(flow)}

    def open_phase(
        self, flow: str, phase: PhaseKey, personas: Collection[PersonaKey]
    ) -> OpenedPhase:
        """Read the directory now. Every file of it is there: as a step, or with its first fault."""
        names = self._names(self._own_folder(flow), phase)
        if not names:
            return OpenedPhase((), no_steps(phase, is_there=names == []))
        all_files = list(self.step_files(flow))
        ids = assigned_ids(all_files)
        phase_files = (file for file in all_files if file.phase == phase)
        return OpenedPhase(tuple(pinned(file, ids, personas) for file in phase_files))

    def open_step(
        self, flow: str, phase: PhaseKey, file: str, personas: Collection[PersonaKey]
    ) -> PinnedFile:
        """Read one file of a phase anew. One that is gone is unreadable."""
        all_files = list(self.step_files(flow))
        wanted = next(
            (entry for entry in all_files if (entry.phase, entry.name) == (phase, file)), None
        )
        if wanted is None:
            wanted = StepFile(phase, file, fault=file_fault("ERR-STEP-003", file, "it is gone"))
            all_files.append(wanted)
        return pinned(wanted, assigned_ids(all_files), personas)

    # Files

    def folder(self, flow: str) -> Path:
        """Where the phases of a flow lie. `PARTY_TREE` is the party mode of the inception."""
        if flow == PARTY_TREE:
            return self.root / PARTY_FLOW / PARTY_TREE
        folder = self.root / flow
        return folder / CLASSIC_FOLDER if self.has_party(flow) else folder

    def step_files(self, flow: str) -> Iterator[StepFile]:
        """Every step file of a flow, in the order of phases and names."""
        agent = self.read_agent(flow)
        declared = {phase.key for phase in agent.phases} if isinstance(agent, AgentFile) else set()
        folder = self._own_folder(flow)
        for phase in sorted(declared | set(self._directories(flow))):
            for name in self._names(folder, phase) or ():
                yield self._step_file(phase, name, f"{folder}/{phase}/{name}")

    def _step_file(self, phase: PhaseKey, name: str, path: str) -> StepFile:
        if not files.is_plain_name(name):
            shown_name = files.storable(name)
            fault = file_fault("ERR-STEP-003", shown_name, "its name cannot be written down")
            return StepFile(phase, shown_name, fault=fault)
        try:
            data, text = files.read_text(path, self.root)
            digest = _digest(data)
            front, body = self._parsed(digest, text)
        except files.UnreadableFileError as why:
            return StepFile(phase, name, fault=file_fault("ERR-STEP-003", name, str(why)))
        except front_matter.MalformedError as why:
            return StepFile(phase, name, fault=file_fault("ERR-STEP-004", name, str(why)))
        return StepFile(phase, name, digest, front, body)

    def _parsed(self, digest: Digest, text: str) -> tuple[Front, str]:
        if (parsed := self._read.get(digest)) is not None:
            return parsed
        head, body = front_matter.split(text)
        parsed = (front_matter.load(head), body)
        if len(self._read) >= CACHED_FILES_MAX:
            self._read.clear()
        self._read[digest] = parsed
        return parsed

    def _directories(self, flow: str) -> tuple[PhaseKey, ...]:
        folder = self._own_folder(flow)
        if folder is None:
            return ()
        names = files.phase_directories(folder, self.root)
        return tuple(PhaseKey(name) for name in names if is_phase_key(name))

    def _names(self, folder: Path | None, phase: PhaseKey) -> list[str] | None:
        if folder is None or not files.is_plain_name(phase):
            return None
        directory = folder / phase
        return files.step_files(directory) if self._is_inside(directory) else None

    def _own_folder(self, flow: str) -> Path | None:
        """Where the phases of a flow lie, if it stays below the root."""
        return self.folder(flow) if self._is_ours(flow) else None

    def _is_ours(self, flow: str) -> bool:
        return (
            files.is_plain_name(flow)
            and self._is_inside(self.root / flow)
            and self._is_inside(self.folder(flow))
        )

    def _is_inside(self, path: Path) -> bool:
        return files.is_inside(str(path), self.root)


def no_steps(phase: PhaseKey, *, is_there: bool) -> StepFault:
    """A fault of a whole phase: no step is in its directory, or that is not there either."""
    code: Code = "ERR-STEP-002" if is_there else "ERR-STEP-001"
    return StepFault(code, phase, shown(code, phase_key=phase))


def _unusable(code: Code, why: str, line: int = 1) -> Glossary:
    """A glossary of which nothing can be used."""
    return Glossary(faults=((line, file_fault(code, GLOSSARY_FILE, why)),))


def _digest(data: bytes) -> Digest:
    return Digest(hashlib.sha256(data).hexdigest()[:DIGEST_CHARS])


def _first_of(agent: AgentFile | StepFault) -> PersonaKey:
    """Who leads a phase that nobody was named for: Maya, or whoever comes first without her."""
    keys = [persona.key for persona in agent.personas] if isinstance(agent, AgentFile) else []
    return UNMAPPED_PERSONA if not keys or UNMAPPED_PERSONA in keys else keys[0]


def _unmapped(key: PhaseKey, leader: PersonaKey | None, first: PersonaKey) -> Phase:
    return Phase(key, label_of(key), leader or first, mapped=leader is not None)
