"""A step file that was read: the id it is known by, and the step or the faults that come of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from core.content.models.step import parse_step
from core.content.models.values import invalid_value, is_step_id, step_id_of_place
from core.domain.ids import Digest, PersonaKey, PhaseKey, StepId
from core.domain.steps.playbook import PinnedFile, Step, StepFault

UNREAD: Final = Digest("")

Front = Mapping[str, object]
Ids = Mapping[tuple[PhaseKey, str], StepId]


@dataclass(frozen=True, slots=True)
class StepFile:
    """A step file as it lies there: its front matter and body, or why there is none."""

    phase: PhaseKey
    name: str
    digest: Digest = UNREAD
    front: Front | None = None
    body: str = ""
    fault: StepFault | None = None

    def value(self, field: str) -> object:
        """What its front matter has there; None where there is nothing."""
        return self.front.get(field) if self.front is not None else None

    @property
    def claimed_id(self) -> StepId | None:
        """The id it gives itself, be the rest of it good or not."""
        value = self.value("step_id")
        return StepId(str(value)) if is_step_id(value) else None


def assigned_ids(all_files: Collection[StepFile]) -> Ids:
    """An id for every file of a flow, no two the same.

    Whoever claims an id first has it. A file without one, or that came too late, is known by its
    place, else by its name.
    """
    ids: dict[tuple[PhaseKey, str], StepId] = {}
    taken_ids: set[StepId] = set()
    for file in all_files:
        claimed = file.claimed_id
        if claimed is not None and claimed not in taken_ids:
            taken_ids.add(claimed)
            ids[file.phase, file.name] = claimed
    for file in all_files:
        if (file.phase, file.name) in ids:
            continue
        place = step_id_of_place(file.phase, file.name)
        names = (place, StepId(file.name.removesuffix(".md")), StepId(f"{file.phase}/{file.name}"))
        chosen = next((name for name in names if name not in taken_ids), names[-1])
        taken_ids.add(chosen)
        ids[file.phase, file.name] = chosen
    return ids


def step_or_faults(
    file: StepFile,
    ids: Ids,
    personas: Collection[PersonaKey],
) -> Step | tuple[StepFault, ...]:
    """The step, or everything that is wrong with its file, an id that is another's included."""
    if file.front is None:
        assert file.fault is not None
        return (file.fault,)
    outcome = parse_step(
        file.front,
        file.body,
        file=file.name,
        phase=file.phase,
        digest=file.digest,
        personas=personas,
    )
    claimed = file.claimed_id
    if claimed is None or ids[file.phase, file.name] == claimed:
        return outcome
    owner = next(place for place, id_ in ids.items() if id_ == claimed)
    hint = f"it is the id of {'/'.join(owner)}"
    expected_id = step_id_of_place(file.phase, file.name)
    if is_step_id(expected_id) and expected_id != claimed:
        hint += f"; its place asks for {expected_id!r}"
    twice = invalid_value(file.name, "step_id", claimed, hint=hint)
    return (twice, *outcome) if isinstance(outcome, tuple) else (twice,)


def pinned(file: StepFile, ids: Ids, personas: Collection[PersonaKey]) -> PinnedFile:
    """The file as a phase keeps it: a step, or its first fault."""
    outcome = step_or_faults(file, ids, personas)
    step_id = ids[file.phase, file.name]
    if isinstance(outcome, Step):
        return PinnedFile(file.name, step_id, outcome)
    return PinnedFile(file.name, step_id, None, outcome[0])
