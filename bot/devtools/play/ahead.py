"""Which step is asked next, as far as the step tree and the session tell beforehand.

A play has the world misbehave *before* a step's prompt: that is before the click that leads there.
What is foretold here is only that; the bot decides for itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from core.content.library import PARTY_TREE, Library
from core.domain.condition import ConditionError, parse
from core.domain.ids import PersonaKey, PhaseKey, StepId
from core.domain.playbook import Step
from core.domain.session import Flow, Mode, Session
from core.engine.flow.navigation import depth_of

Place = tuple[PhaseKey, str]

WITHIN: Final = frozenset({"continue", "skip-step"})
BEYOND: Final = frozenset({"accept"})
BACK_TO_CLASSIC: Final = "classic"


class Coming(NamedTuple):
    """A step that is going to be asked, or passed over on the way."""

    phase: PhaseKey
    step: StepId


def tree_of(flow: Flow, mode: Mode) -> str:
    """Which step tree a session walks through."""
    return PARTY_TREE if mode == "party" else flow


@dataclass(slots=True)
class Ahead:
    library: Library
    tree: str  # that the start begins
    _known: dict[str, dict[Place, StepId]] = field(default_factory=dict)  # also what is gone since

    def first(self) -> Iterator[Coming]:
        """The steps up to the first that is asked when a session begins."""
        yield from self._later(self.tree, None, PhaseKey(""))

    def after(self, session: Session, choice: str) -> Iterator[Coming]:
        """The steps up to the one that is asked after a choice.

        Between one and the next the tree may change: whether a step is asked is looked up when
        another is wanted.
        """
        if choice == BACK_TO_CLASSIC and session.mode == "party":
            yield from self._later(tree_of(session.flow, "classic"), None, PhaseKey(""))
        if choice not in WITHIN | BEYOND or session.phase is None:
            return
        self._learn(session.tree)
        for state in session.steps:
            yield Coming(state.phase, state.id)
            if choice in WITHIN and self._is_next(session, state.id):
                return
        if choice in BEYOND or not _concludes(session):
            yield from self._later(session.tree, _left_behind(session), session.phase)

    def _is_next(self, session: Session, step: StepId) -> bool:
        state = next(each for each in session.steps if each.id == step)
        if state.id == session.step or state.fault or state.status not in ("pending", "stale"):
            return False
        personas = self._personas(session.tree)
        file = self.library.open_step(session.tree, state.phase, state.file, personas)
        return file.step is not None and _runs(file.step, session)

    def _later(self, tree: str, session: Session | None, phase: PhaseKey) -> Iterator[Coming]:
        told: set[Place] = set()
        while (place := self._next_place(tree, session, phase, told)) is not None:
            told.add(place)
            yield Coming(place[0], self._known[tree][place])
            step = self._read(tree, place)
            if step is not None and _runs(step, session):
                return

    def _next_place(
        self, tree: str, session: Session | None, phase: PhaseKey, told: set[Place]
    ) -> Place | None:
        self._learn(tree)
        done = {p.key for p in session.phases if p.status == "completed"} if session else set()
        places = (p for p in sorted(self._known[tree]) if p[0] > phase and p[0] not in done)
        return next((place for place in places if place not in told), None)

    def _learn(self, tree: str) -> None:
        known, personas = self._known.setdefault(tree, {}), self._personas(tree)
        for phase in self.library.phases(tree):
            for file in self.library.open_phase(tree, phase.key, personas).pinned:
                known.setdefault((phase.key, file.file), file.step_id)

    def _read(self, tree: str, place: Place) -> Step | None:
        opened = self.library.open_phase(tree, place[0], self._personas(tree))
        return next((file.step for file in opened.pinned if file.file == place[1]), None)

    def _personas(self, tree: str) -> frozenset[PersonaKey]:
        return frozenset(persona.key for persona in self.library.personas(tree))


def _left_behind(session: Session) -> Session:
    """The session once its phase is accepted."""
    phases = tuple(
        replace(phase, status="completed") if phase.key == session.phase else phase
        for phase in session.phases
    )
    return replace(session, phases=phases)


def _concludes(session: Session) -> bool:
    """Whether the phase ends with its summary: something in it was done."""
    return any(state.status == "completed" for state in session.steps)


def _runs(step: Step, session: Session | None) -> bool:
    if session is None:
        return not step.depends_on
    if any(need != session.step and need not in session.done for need in step.depends_on):
        return False
    if step.skip_if is None:
        return True
    known: dict[str, str | int | None] = {
        "scope": session.scan.scope,
        "complexity": session.scan.complexity,
        "file_count": session.scan.file_count,
        "depth": depth_of(session, step.phase, step),
    }
    try:
        return not parse(step.skip_if)(known)
    except ConditionError:
        return True  # ERR-STEP-009 is told when the step runs
