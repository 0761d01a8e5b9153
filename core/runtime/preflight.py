"""What a session needs before it starts, and how each of it is looked at (seed 002, Prevention).

Only a database that cannot be written and a channel in which the card cannot be posted refuse a
start; both show themselves by the first commit and the first post. Every other failure is recorded,
shown by `status --errors` and by the doctor, and takes its own code's way.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from core.artifacts.files.folder import Folder, FolderError
from core.artifacts.files.session_documents import FolderDocuments
from core.content.library import Library
from core.content.models.values import is_output_name
from core.content.step_file import StepFile, assigned_ids, pinned
from core.domain.ids import StepId
from core.domain.session.session import Session
from core.domain.session.start import Checked
from core.domain.steps.playbook import AgentFile

CANNOT_BE_READ: Final = "cannot be read as a text"
IS_NOT_THERE: Final = "is not there"


@dataclass(frozen=True, slots=True)
class Preflight:
    """Everything it looks with. Nothing it does stays."""

    library: Library
    folder: Folder
    brain: Callable[[], str]  # what it is called; empty: it cannot be loaded
    trouble: Callable[[], str]  # why the database cannot be written; empty where it can

    def checks(self, session: Session) -> tuple[Checked, ...]:
        """What was found, in a fixed order."""
        files = tuple(self.library.step_files(session.tree))
        folder, brain, database = self.folder.trouble(), self.brain(), self.trouble()
        documents = "; ".join(self._documents(session, files))
        return (
            self._steps(session, files),
            self._agent(session),
            Checked("documents", "read each that a step names", not documents, documents),
            Checked("folder", "write a file and remove it", not folder, folder),
            Checked("brain", "load its rules", bool(brain), brain or "it cannot be loaded"),
            Checked("database", "a write transaction, rolled back", not database, database),
        )

    def _steps(self, session: Session, files: tuple[StepFile, ...]) -> Checked:
        """The files of the tree, with the ids of those that a fault will skip."""
        personas = {persona.key for persona in self.library.personas(session.tree)}
        ids = assigned_ids(files)
        pinned_files = [pinned(file, ids, personas) for file in files]
        faults = [f"{pin.step_id} {pin.fault.code}" for pin in pinned_files if pin.fault]
        counted = f"{len(pinned_files)} step files"
        words = f"{counted}; not usable: {', '.join(faults)}" if faults else counted
        return Checked(
            "step files", "read and parse each", bool(pinned_files) and not faults, words
        )

    def _agent(self, session: Session) -> Checked:
        agent = self.library.read_agent(session.tree)
        flaw = next(iter(agent.flaws), None) if isinstance(agent, AgentFile) else agent
        words = f"{flaw.code} {flaw.field or ''}".strip() if flaw else ""
        return Checked("agent file", "read and parse it", flaw is None, words)

    def _documents(self, session: Session, files: tuple[StepFile, ...]) -> Iterator[str]:
        """Each that cannot be read."""
        documents = FolderDocuments(self.folder)
        for name, step in documents_named(files):
            if why := _trouble(documents, session, name):
                yield f"{name} ({step}) {why}"


def documents_named(files: Iterable[StepFile]) -> tuple[tuple[str, StepId], ...]:
    """The documents that steps name, with the step; not those that a step of the flow writes."""
    files = tuple(files)
    ids = assigned_ids(files)
    written = {name for file in files for name in _names(file.front, "outputs")}
    return tuple(
        (name, ids[file.phase, file.name])
        for file in files
        for name in _names(file.front, "sources")
        if name not in written
    )


def _trouble(documents: FolderDocuments, session: Session, name: str) -> str:
    try:
        documents.read(session.team, session.slug, name)
    except FileNotFoundError:
        return IS_NOT_THERE
    except (OSError, UnicodeDecodeError, FolderError):
        return CANNOT_BE_READ
    return ""


def _names(front: Mapping[str, object] | None, field: str) -> tuple[str, ...]:
    """The plain file names a field lists; what is none is a fault of the step file."""
    value = front.get(field) if front is not None else None
    items = value if isinstance(value, list) else []
    plain = (str(item) for item in items if is_output_name(item) and "*" not in str(item))
    return tuple(dict.fromkeys(plain))
