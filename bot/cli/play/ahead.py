"""Which step is asked next, as far as the step tree and the session tell beforehand.

A play has the world misbehave *before* a step's prompt: that is before the click that leads there.
What is foretold here is only that; the bot decides for itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from core.content.library import Library
from core.domain.condition import ConditionError, parse
from core.domain.ids import PersonaKey, PhaseKey, StepId
from core.domain.playbook import Step
from core.domain.session import Session
from core.engine.course import depth_of

Place = tuple[PhaseKey, str]

FLOW: Final = "analysis"
WITHIN: Final = frozenset({"continue", "skip-step"})
BEYOND: Final = frozenset({"accept"})


@dataclass(slots=True)
class Ahead:
    library: Library
    _known: dict[Place, StepId] = field(default_factory=dict)  # also what is gone since

    def first(self) -> Iterator[StepId]:
        """The steps up to the first that is asked when a flow begins."""
        yield from self._later(None, PhaseKey(""))

    def after(self, session: Session, choice: str) -> Iterator[StepId]:
        """The steps up to the one that is asked after a choice.

        Between one and the next the tree may change: whether a step is asked is looked up when
        another is wanted.
        """
        if choice not in WITHIN | BEYOND or session.phase is None:
            return
        self._learn(session)
        for state in session.steps:
            yield state.id
            if choice in WITHIN and self._is_next(session, state.id):
                return
        if choice in BEYOND or not _concludes(session):
            yield from self._later(_left_behind(session), session.phase)

    def _is_next(self, session: Session, step: StepId) -> bool:
        state = next(each for each in session.steps if each.id == step)
        if state.id == session.step or state.fault or state.status not in ("pending", "stale"):
            return False
        personas = self._personas(session)
        file = self.library.open_step(session.flow, state.phase, state.file, personas)
        return file.step is not None and _runs(file.step, session)

    def _later(self, session: Session | None, phase: PhaseKey) -> Iterator[StepId]:
        told: set[Place] = set()
        while (place := self._next_place(session, phase, told)) is not None:
            told.add(place)
            yield self._known[place]
            step = self._read(session, place)
            if step is not None and _runs(step, session):
                return

    def _next_place(
        self, session: Session | None, phase: PhaseKey, told: set[Place]
    ) -> Place | None:
        self._learn(session)
        done = {p.key for p in session.phases if p.status == "completed"} if session else set()
        places = (p for p in sorted(self._known) if p[0] > phase and p[0] not in done)
        return next((place for place in places if place not in told), None)

    def _learn(self, session: Session | None) -> None:
        flow, personas = session.flow if session else FLOW, self._personas(session)
        for phase in self.library.phases(flow):
            for file in self.library.open_phase(flow, phase.key, personas).pinned:
                self._known.setdefault((phase.key, file.file), file.step_id)

    def _read(self, session: Session | None, place: Place) -> Step | None:
        flow = session.flow if session else FLOW
        opened = self.library.open_phase(flow, place[0], self._personas(session))
        return next((file.step for file in opened.pinned if file.file == place[1]), None)

    def _personas(self, session: Session | None) -> frozenset[PersonaKey]:
        flow = session.flow if session else FLOW
        return frozenset(persona.key for persona in self.library.personas(flow))


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
