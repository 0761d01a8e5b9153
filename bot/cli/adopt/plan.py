"""What taking a folder up comes to: everything that speaks against it, or what will be done."""

import filecmp
import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from bot.server.configuration.settings import Settings
from bot.views.start import TITLE_CHARS_MAX
from core import patterns
from core.artifacts.files.arrival import ENTRIES_MAX, FolderProblem, look
from core.artifacts.files.meta import META_FILE, Meta
from core.artifacts.files.state import STATE_FILE
from core.content.library import PARTY_FLOW, PARTY_TREE, Library, default_steps_dir
from core.content.step_file import Front, assigned_ids
from core.domain.ids import ChannelId, PhaseKey, Slug, StepId
from core.domain.session.course import Flow, Mode
from core.ports import Summary, Workspace
from core.store.connection.database import Database
from core.store.queries.reader import Reader

CHANNEL: Final = patterns.compile(r"[CG][A-Z0-9]+")
USER: Final = patterns.compile(r"[UW][A-Z0-9]+")
UNSAID: Final = (
    "what people said before: it is in no folder. Their answers cannot be edited, and what is done "
    "cannot be gone back to"
)
Kind = Literal["analysis", "party", "classic"]
KINDS: Final[tuple[Kind, ...]] = ("analysis", "party", "classic")
SPOKEN: Final[dict[Kind, str]] = {
    "analysis": "an analysis",
    "party": "an inception in party mode",
    "classic": "an inception in classic mode",
}
OF_OURS: Final = (META_FILE, STATE_FILE)


# ── how a folder fits into the step tree ───────────────────────────────────────────────────────
#
# What finds no place in the tree stops nothing: a step tree may have changed since. It is said.


@dataclass(frozen=True, slots=True)
class Fit:
    """A folder beside the step tree of its flow."""

    kind: Kind
    steps: int  # of the tree
    goes_on_at: PhaseKey | None  # None: nothing is left to do
    notes: tuple[str, ...]  # what is not taken up, and why

    @property
    def flow(self) -> Flow:
        return "analysis" if self.kind == "analysis" else "inception"

    @property
    def mode(self) -> Mode:
        return "" if self.kind == "analysis" else self.kind


@dataclass(frozen=True, slots=True)
class _Tree:
    kind: Kind
    phases: tuple[PhaseKey, ...]
    steps: frozenset[StepId]
    outputs: frozenset[str]


def fit(meta: Meta, files: Collection[str], library: Library, wanted: Kind | None) -> Fit:
    """`wanted`: the flow that somebody named; without it, the one that most of it is of."""
    trees = [_tree(library, kind) for kind in KINDS]
    chosen = next((tree for tree in trees if tree.kind == wanted), None)
    tree = chosen or max(trees, key=lambda candidate: _likeness(candidate, meta, files))
    to_do = [phase for phase in tree.phases if phase not in meta.phases_completed]
    notes = tuple(_unplaced(tree, meta, files))
    return Fit(tree.kind, len(tree.steps), to_do[0] if to_do else None, notes)


def _tree(library: Library, kind: Kind) -> _Tree:
    name = {"analysis": "analysis", "party": PARTY_TREE, "classic": PARTY_FLOW}[kind]
    files = list(library.step_files(name))
    outputs = [output for file in files for output in _outputs(file.front)]
    return _Tree(
        kind,
        tuple(phase.key for phase in library.phases(name)),
        frozenset(assigned_ids(files).values()),
        frozenset(outputs),
    )


def _outputs(front: Front | None) -> tuple[str, ...]:
    listed = front.get("outputs") if front else None
    return tuple(map(str, listed)) if isinstance(listed, list) else ()


def _likeness(tree: _Tree, meta: Meta, files: Collection[str]) -> tuple[int, int]:
    """How many phases it names, then how many files it has, that are of that flow."""
    phases = {*meta.phases_completed, *meta.depth_overrides, *meta.acceptance}
    of_party = STATE_FILE in files and tree.kind == "party"
    return len(phases & set(tree.phases)), sum(_writes(tree, file) for file in files) + of_party


def _writes(tree: _Tree, file: str) -> bool:
    numbered = file.startswith("adr-") and any(output.startswith("adr-") for output in tree.outputs)
    return file in tree.outputs or numbered


def _unplaced(tree: _Tree, meta: Meta, files: Collection[str]) -> Iterator[str]:
    """In the order of the file."""
    for number, phase in enumerate(meta.phases_completed):
        if phase not in tree.phases:
            place = f"$.phases_completed[{number}]"
            yield f"{META_FILE}, {place}: the step tree has no phase {phase!r}; it is left out"
    for number, step in enumerate(meta.steps_completed):
        if step not in tree.steps:
            place = f"$.steps_completed[{number}]"
            yield f"{META_FILE}, {place}: no step file is {step!r}; it stays written down"
    for phase in meta.depth_overrides:
        if phase not in tree.phases:
            yield f"{META_FILE}, $.depth_overrides: the step tree has no phase {phase!r}"
    for phase in meta.acceptance:
        if phase not in meta.phases_completed:
            yield f"{META_FILE}, $.acceptance: {phase!r} is not completed; it is left out"
    for file in files:
        if file not in OF_OURS and not _writes(tree, file):
            yield f"{file}: no step writes it; it stays as it is"


# ── what taking it up comes to ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Plan:
    """`state`: it can be taken up, it was before, or something is wrong."""

    state: Literal["new", "there", "wrong"]
    folder: Path
    slug: Slug
    title: str
    channel: ChannelId
    owner: str | None
    meta: Meta | None
    fit: Fit | None
    files: tuple[str, ...]
    bytes: int
    in_place: bool  # it lies where the session's folder is to be
    copies: bool  # it has to be copied there
    problems: tuple[FolderProblem, ...]
    notes: tuple[str, ...]


def planned(
    settings: Settings,
    database: Database,
    workspace: Workspace,
    folder: Path,
    channel: str | None,
    owner: str | None,
    kind: Kind | None,
) -> Plan:
    """Look at everything, and write nothing."""
    arrival = look(folder)
    meta = arrival.meta
    slug = Slug(meta.slug if meta else "")
    place = settings.artifacts_dir / workspace.team / slug
    in_rows = settings.has_files_in_rows
    in_place = not in_rows and bool(slug) and place.exists() and folder.resolve() == place.resolve()
    where = ChannelId(channel or (meta.owner.channel if meta else ""))
    problems = [*arrival.problems, *_named(channel, owner, meta)]
    session = Reader(database).of_slug(workspace.team, slug) if slug else None
    title = " ".join(meta.title.split()) if meta else ""
    is_there = (
        session is not None and (session.channel, session.title) == (where, title) and not problems
    )
    if meta is not None and not problems and not is_there:
        problems += _clashes(settings, session, folder, place, in_place=in_place or in_rows)
    library = Library(settings.steps_dir or default_steps_dir())
    fitted = fit(meta, arrival.files, library, kind) if meta else None
    state: Literal["there", "wrong", "new"] = (
        "wrong" if problems else "there" if is_there else "new"
    )
    return Plan(
        state,
        folder,
        slug,
        title,
        where,
        owner,
        meta,
        fitted,
        arrival.files,
        arrival.bytes,
        in_place,
        in_rows or (not in_place and not place.exists()),
        tuple(problems),
        tuple(_notes(meta, fitted, workspace, where)) if meta and fitted else (),
    )


def _named(channel: str | None, owner: str | None, meta: Meta | None) -> Iterator[FolderProblem]:
    if channel is not None and not CHANNEL.fullmatch(channel):
        fault = f"{channel!r} is no channel's id (C…); it stands at the end of its details in Slack"
        yield FolderProblem("--channel", "", fault)
    if channel is None and meta is not None and not CHANNEL.fullmatch(meta.owner.channel):
        yield FolderProblem(META_FILE, "$.owner.channel", "it is no channel's id: say --channel C…")
    if owner is not None and not USER.fullmatch(owner):
        fault = f"{owner!r} is no person's id (U…); it stands in their profile in Slack"
        yield FolderProblem("--owner", "", fault)
    if meta is not None and len(meta.title) > TITLE_CHARS_MAX:
        yield FolderProblem(META_FILE, "$.title", f"it is longer than {TITLE_CHARS_MAX} characters")


def _clashes(
    settings: Settings, session: Summary | None, folder: Path, place: Path, *, in_place: bool
) -> Iterator[FolderProblem]:
    if session is not None:
        fault = f"{session.slug!r} is a session of {session.channel} ({session.status}) already"
        yield FolderProblem(META_FILE, "$.slug", fault)
    elif not settings.has_files_in_rows and settings.artifacts_dir.resolve().is_relative_to(
        folder.resolve()
    ):
        yield FolderProblem(str(folder), "", "the artifacts folder lies in it")
    elif not in_place and place.exists() and not _same(folder, place):
        fault = f"another folder stands in {place}: adopt that one, or move it away"
        yield FolderProblem(str(folder), "", fault)


def _same(folder: Path, other: Path) -> bool:
    """True if both hold the same files: a copy that was made before, and not begun with."""
    names = _file_names(folder)
    if names != _file_names(other):
        return False
    return all(filecmp.cmp(folder / name, other / name, shallow=False) for name in names)


def _file_names(folder: Path) -> list[str]:
    """At most one more than a folder may hold that is taken up."""
    paths = itertools.islice(folder.rglob("*"), ENTRIES_MAX + 1)
    return sorted(path.relative_to(folder).as_posix() for path in paths if path.is_file())


def _notes(meta: Meta, fitted: Fit, workspace: Workspace, channel: ChannelId) -> Iterator[str]:
    yield UNSAID
    yield from fitted.notes
    if meta.owner.channel != channel:
        yield f"{META_FILE}, $.owner.channel: {meta.owner.channel or 'none'}; it is {channel} now"
    if meta.owner.team != workspace.team:
        yield f"{META_FILE}, $.owner.team: {meta.owner.team or 'none'}; it is {workspace.team} now"
