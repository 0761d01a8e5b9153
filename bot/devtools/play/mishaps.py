"""What the world does in a play: each thing once, before the act that leads to its step.

A play has the world misbehave *before* a step's prompt: that is before the click that leads there.
Which step is asked next is foretold from the step tree and the session, as far as they say it; the
bot decides for itself.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from bot.devtools.play.script.entries import Mishap, ProgressLine
from bot.devtools.play.script.script import Script
from bot.devtools.play.world import World
from bot.interactions.command_line import BadCommand, parse
from core.content.library import PARTY_TREE, Library
from core.domain.ids import PersonaKey, PhaseKey, Slug, StepId, slug_of
from core.domain.session.course import Flow, Mode
from core.domain.session.session import Session
from core.domain.steps.playbook import Step
from core.engine.flow.navigation import skips

Place = tuple[PhaseKey, str]

WITHIN: Final = frozenset({"continue", "skip-step"})
BEYOND: Final = frozenset({"accept"})
BACK_TO_CLASSIC: Final = "classic"


class ComingStep(NamedTuple):
    """A step that is going to be asked, or passed over on the way."""

    phase: PhaseKey
    step: StepId


def tree_of(flow: Flow, mode: Mode) -> str:
    """Which step tree a session walks through."""
    return PARTY_TREE if mode == "party" else flow


@dataclass(slots=True)
class StepForecast:
    library: Library
    tree: str  # that the start begins
    _known: dict[str, dict[Place, StepId]] = field(default_factory=dict)  # also what is gone since

    def first(self) -> Iterator[ComingStep]:
        """The steps up to the first that is asked when a session begins."""
        yield from self._later(self.tree, None, PhaseKey(""))

    def after(self, session: Session, choice: str) -> Iterator[ComingStep]:
        """The steps up to the one that is asked after a choice.

        Between one and the next the tree may change: whether a step is asked is looked up when
        another is wanted.
        """
        if choice == BACK_TO_CLASSIC and session.mode == "party":
            yield from self._later(tree_of(session.flow, "classic"), None, PhaseKey(""))
        if choice not in WITHIN | BEYOND or session.course.phase is None:
            return
        self._learn(session.tree)
        for state in session.course.steps:
            yield ComingStep(state.phase, state.id)
            if choice in WITHIN and self._is_next(session, state.id):
                return
        if choice in BEYOND or not _concludes(session):
            accepted = replace(session, course=session.course.phase_closed(failed=False))
            yield from self._later(session.tree, accepted, session.course.phase)

    def _is_next(self, session: Session, step: StepId) -> bool:
        state = next(candidate for candidate in session.course.steps if candidate.id == step)
        is_open = state.status in ("pending", "stale") and not state.fault
        if state.id == session.course.step or not is_open:
            return False
        personas = self._personas(session.tree)
        file = self.library.open_step(session.tree, state.phase, state.file, personas)
        return file.step is not None and _runs(file.step, session)

    def _later(self, tree: str, session: Session | None, phase: PhaseKey) -> Iterator[ComingStep]:
        passed: set[Place] = set()
        while (place := self._next_place(tree, session, phase, passed)) is not None:
            passed.add(place)
            yield ComingStep(place[0], self._known[tree][place])
            step = self._read(tree, place)
            if step is not None and _runs(step, session):
                return

    def _next_place(
        self, tree: str, session: Session | None, phase: PhaseKey, passed: set[Place]
    ) -> Place | None:
        self._learn(tree)
        phases = session.course.phases if session else ()
        done = {phase.key for phase in phases if phase.status == "completed"}
        places = (p for p in sorted(self._known[tree]) if p[0] > phase and p[0] not in done)
        return next((place for place in places if place not in passed), None)

    def _learn(self, tree: str) -> None:
        steps, personas = self._known.setdefault(tree, {}), self._personas(tree)
        for phase in self.library.phases(tree):
            for file in self.library.open_phase(tree, phase.key, personas).pinned:
                steps.setdefault((phase.key, file.file), file.step_id)

    def _read(self, tree: str, place: Place) -> Step | None:
        opened = self.library.open_phase(tree, place[0], self._personas(tree))
        return next((file.step for file in opened.pinned if file.file == place[1]), None)

    def _personas(self, tree: str) -> frozenset[PersonaKey]:
        return frozenset(persona.key for persona in self.library.personas(tree))


def _concludes(session: Session) -> bool:
    """True if the phase ends with its summary: something in it was done."""
    return any(state.status == "completed" for state in session.course.steps)


def _runs(step: Step, session: Session | None) -> bool:
    if session is None:
        return not step.depends_on
    course = session.course
    if any(need != course.step and need not in course.done for need in step.depends_on):
        return False
    return not skips(session, step)


class MishapSchedule:
    def __init__(
        self,
        script: Script,
        world: World,
        ahead: StepForecast,
        tell: Callable[[ProgressLine], None],
    ) -> None:
        self._script = script
        self._world = world
        self._ahead = ahead
        self._tell = tell
        self._left: dict[str, tuple[Mishap, ...]] = dict(script.before)

    def begin(self) -> None:
        """Before the start: what belongs to the first step."""
        self._befall(self._ahead.first(), None)

    def before(self, session: Session, choice: str) -> None:
        """Before a choice is made: what belongs to the step that it leads to."""
        self._befall(self._ahead.after(session, choice), session)

    def left(self) -> Iterator[str]:
        """The steps and phases that were never come to."""
        yield from self._left

    def _befall(self, coming: Iterable[ComingStep], session: Session | None) -> None:
        for step in coming:
            for key in (step.phase, step.step):
                for mishap in self._left.pop(key, ()):
                    self._meet(mishap, step, session)

    def _meet(self, mishap: Mishap, coming: ComingStep, session: Session | None) -> None:
        self._tell(ProgressLine(coming.step, f"before it: {mishap.told()}"))
        if not self._world.meet(mishap, coming.step, self._slug(session)):
            self._tell(ProgressLine(coming.step, f"before it: {mishap.unmet}", note=True))
        self._world.settle()

    def _slug(self, session: Session | None) -> Slug:
        """The folder's name; before there is a session, the one its title will get."""
        if session is not None:
            return session.slug
        _, _, line = self._script.start.line.partition(" ")
        command = parse(line)
        return slug_of("" if isinstance(command, BadCommand) else command.title)
