"""The steps of a party's phases: what is wrong with them beside what may be wrong with any step.

A phase in which personas talk among themselves is a council. It has one step, which is asked when
people want changes; its questions to people stand in the party file.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from core.content.library import no_steps
from core.content.step_file import StepFile
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party import PARTY_FILE, Party, PartyPhase
from core.domain.steps.playbook import Step, StepFault

NOTE: Final = "NOTE"  # something worth a look that the catalogue has no code for

Places = Iterator[tuple[str, StepFault]]


def councils(party: Party) -> frozenset[PhaseKey]:
    return frozenset(phase.key for phase in party.phases if phase.type == "parallel")


def members(party: Party) -> Mapping[PhaseKey, frozenset[PersonaKey]]:
    """Who may lead a step of a phase."""
    return {phase.key: frozenset(phase.members) for phase in party.phases}


def faults(party: Party, all_files: Sequence[StepFile], folders: Sequence[PhaseKey]) -> Places:
    """Phases that have no step: party mode has nothing to ask there.

    `folders`: the directories that there are.
    """
    phases_with_steps = {file.phase for file in all_files}
    for phase in party.phases:
        if phase.key not in phases_with_steps:
            fault = no_steps(phase.key, is_there=phase.key in folders)
            yield phase.key, replace(fault, hint=f"a phase of {PARTY_FILE} needs a step file")


def notes(
    party: Party,
    all_files: Sequence[StepFile],
    steps: Collection[Step],
    folders: Sequence[PhaseKey],
) -> Places:
    """What is never asked, and what nobody writes."""
    declared = {phase.key for phase in party.phases}
    for key in folders:
        if key not in declared:
            message = f"No phase of {PARTY_FILE} is called so: its steps are never asked."
            yield key, StepFault(NOTE, key, message)
    for phase in party.phases:
        names = [file.name for file in all_files if file.phase == phase.key]
        if phase.type == "parallel":
            yield from _further(phase, names)
        written = {name for step in steps if step.phase == phase.key for name in step.outputs}
        if names:
            yield from _unwritten(phase, written)


def _further(phase: PartyPhase, names: Sequence[str]) -> Places:
    for name in names[1:]:
        message = "The council asks its first step alone: this one is never asked."
        yield f"{phase.key}/{name}", StepFault(NOTE, name, message)


def _unwritten(phase: PartyPhase, written: set[str]) -> Places:
    for name in phase.outputs:
        if name not in written:
            message = f"No step of the phase writes `{name}`, which {PARTY_FILE} promises."
            yield phase.key, StepFault(NOTE, phase.key, message, "outputs", name)
