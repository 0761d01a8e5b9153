"""Which steps can never run as they depend on others: gone, in a circle, or skipped by design."""

from collections.abc import Collection, Iterator, Mapping

from core.content.models.values import is_step_id
from core.content.step_file import Ids, StepFile
from core.domain.ids import StepId
from core.domain.steps import condition
from core.domain.steps.playbook import StepFault
from core.taxonomy.catalogue import shown


def faulty(all_files: Collection[StepFile], ids: Ids) -> Iterator[tuple[StepFile, StepFault]]:
    """Each dependency that will never be completed (ERR-STEP-008), with the file that names it."""
    by_id = {ids[file.phase, file.name]: file for file in all_files}
    wanted = {id_: some for id_, file in by_id.items() if (some := _dependencies(file))}
    skippable = {id_ for id_, file in by_id.items() if _can_be_skipped(file)}
    circles = _in_circles(wanted)
    for me, dependencies in wanted.items():
        file = by_id[me]
        for dependency in dependencies:
            if dependency not in by_id:
                hint = "no step has this id"
            elif me in circles and dependency in circles:
                hint = "they wait for each other" if me != dependency else "it waits for itself"
            elif dependency in skippable:
                hint = "its skip_if can skip that step, and then this one never runs"
            else:
                continue
            message = shown("ERR-STEP-008", step_id=me, dep_id=dependency)
            yield (
                file,
                StepFault("ERR-STEP-008", file.name, message, "depends_on", dependency, hint),
            )


def _dependencies(file: StepFile) -> tuple[StepId, ...]:
    value = file.value("depends_on")
    items = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(StepId(item) for item in items if is_step_id(item)))


def _can_be_skipped(file: StepFile) -> bool:
    expression = file.value("skip_if")
    if not isinstance(expression, str):
        return False
    try:
        condition.parse(expression)
    except condition.ConditionError:
        return False
    return True


def _in_circles(wanted: Mapping[StepId, Collection[StepId]]) -> set[StepId]:
    """The ids left when all that wait for nobody, and all nobody waits for, are taken away."""
    forward = {step: {need for need in others if need in wanted} for step, others in wanted.items()}
    backward: dict[StepId, set[StepId]] = {step: set() for step in wanted}
    for step, others in forward.items():
        for need in others:
            backward[need].add(step)
    return _peeled(backward, forward, _peeled(forward, backward, set(wanted)))


def _peeled(
    forward: Mapping[StepId, Collection[StepId]],
    backward: Mapping[StepId, Collection[StepId]],
    ids: set[StepId],
) -> set[StepId]:
    """`ids` without those that lead nowhere in `forward`, again and again."""
    open_ends = {step: len(ids.intersection(forward[step])) for step in ids}
    ends = [step for step in ids if not open_ends[step]]
    remaining = set(ids)
    while ends:
        end = ends.pop()
        remaining.discard(end)
        for step in backward[end]:
            if step in remaining:
                open_ends[step] -= 1
                if not open_ends[step]:
                    ends.append(step)
    return remaining
