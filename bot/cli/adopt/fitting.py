"""How a folder fits into the step tree that is here: which flow it is of, and what finds no place.

What finds no place stops nothing: a step tree may have changed since. It is said.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from core.artifacts.files.meta import META_FILE, Meta
from core.artifacts.files.state import STATE_FILE
from core.content.library import PARTY_FLOW, PARTY_TREE, Library
from core.content.step_file import Front, assigned_ids
from core.domain.ids import PhaseKey, StepId
from core.domain.session import Flow, Mode

Kind = Literal["analysis", "party", "classic"]
KINDS: Final[tuple[Kind, ...]] = ("analysis", "party", "classic")
SPOKEN: Final[dict[Kind, str]] = {
    "analysis": "an analysis",
    "party": "an inception in party mode",
    "classic": "an inception in classic mode",
}
OF_OURS: Final = (META_FILE, STATE_FILE)


@dataclass(frozen=True, slots=True)
class Fit:
    """A folder beside the step tree of its flow."""

    kind: Kind
    phases: tuple[PhaseKey, ...]  # of the tree
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
    found = next((tree for tree in trees if tree.kind == wanted), None)
    tree = found or max(trees, key=lambda each: _likeness(each, meta, files))
    left = [phase for phase in tree.phases if phase not in meta.phases_completed]
    notes = tuple(_notes(tree, meta, files))
    return Fit(tree.kind, tree.phases, len(tree.steps), left[0] if left else None, notes)


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
    named = {*meta.phases_completed, *meta.depth_overrides, *meta.acceptance}
    of_party = STATE_FILE in files and tree.kind == "party"
    return len(named & set(tree.phases)), sum(_writes(tree, file) for file in files) + of_party


def _writes(tree: _Tree, file: str) -> bool:
    numbered = file.startswith("adr-") and any(output.startswith("adr-") for output in tree.outputs)
    return file in tree.outputs or numbered


def _notes(tree: _Tree, meta: Meta, files: Collection[str]) -> Iterator[str]:
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
