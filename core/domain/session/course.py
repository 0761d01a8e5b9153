"""Where a session stands: its status, and its course through the phases and steps of its flow."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.domain.ids import Depth, PersonaKey, PhaseKey, StepId, UserId
from core.domain.session.step import StepState

Flow = Literal["analysis", "inception"]
Mode = Literal["", "party", "classic"]  # of an inception; empty: not chosen yet
Status = Literal[
    "starting",  # the flow is being opened, the card is not posted yet
    "opening",  # a phase or a step is being read from its files
    "asking",  # a prompt stands in the thread, no menu yet
    "choosing",  # a menu is open
    "debating",  # a council is at work
    "paused",
    "completed",
    "cancelled",
    "halted",
    "refused",  # it never began: we may not post there
]
ALL_PHASES: Final = PhaseKey("*")  # of a depth that is chosen before the phases are known
AWAITS_PEOPLE: Final[frozenset[Status]] = frozenset({"asking", "choosing"})
ENDED: Final[frozenset[Status]] = frozenset({"completed", "cancelled", "halted", "refused"})


PhaseStatus = Literal["pending", "open", "completed", "failed"]


@dataclass(frozen=True, slots=True)
class PhaseState:
    key: PhaseKey
    label: str
    persona: PersonaKey
    count: int  # step files when it was last listed
    mapped: bool = True
    status: PhaseStatus = "pending"
    done: int = 0  # steps completed
    faulty: bool = False  # a fault skipped something in it
    facilitated: bool = False  # ERR-INT-001: the facilitator leads it
    accepted_by: UserId | None = None
    accepted_at: str | None = None
    accepted_before: str = ""  # by whom, as the folder it was taken up from names them

    def opened(self) -> "PhaseState":
        return replace(self, status="open")

    def interrupted(self) -> "PhaseState":
        """It was under way when the session was cancelled: it begins once more."""
        return replace(self, status="pending") if self.status == "open" else self

    def reopened(self) -> "PhaseState":
        """What a fault skipped is tried again, with its own persona."""
        return replace(self, status="open", facilitated=False)

    def accepted(self, by: UserId, at: str) -> "PhaseState":
        return replace(self, accepted_by=by, accepted_at=at)

    def flawed(self) -> "PhaseState":
        """A fault skipped something in it."""
        return replace(self, faulty=True)

    def taken_over(self) -> "PhaseState":
        """The facilitator leads it from now on (ERR-INT-001)."""
        return replace(self, facilitated=True)


@dataclass(frozen=True, slots=True)
class Course:
    """How far a session is on its way. The default is a session whose flow is not opened yet."""

    phases: tuple[PhaseState, ...] = ()
    phase: PhaseKey | None = None  # the current one
    step: StepId | None = None  # the current one
    steps: tuple[StepState, ...] = ()  # of the current phase; rows of their own
    done: tuple[StepId, ...] = ()  # steps completed, all phases
    stale: tuple[StepId, ...] = ()  # later steps that rest on what changed
    depths: tuple[tuple[PhaseKey, Depth], ...] = ()  # chosen by people, for a phase
    threads: tuple[PersonaKey, ...] = ()  # personas whose threads are open
    thread: PersonaKey | None = None  # whose thread is the current one
    is_resuming: bool = False

    @property
    def current_phase(self) -> PhaseState:
        """Raises `StopIteration` before the flow is opened."""
        return next(phase for phase in self.phases if phase.key == self.phase)

    @property
    def rest(self) -> tuple[StepState, ...]:
        """The steps of this phase that Skip rest would leave unasked."""
        return tuple(
            step
            for step in self.steps
            if step.status == "pending" and step.fault is None and step.id != self.step
        )

    # ── phases ──

    def phases_listed(self, phases: tuple[PhaseState, ...]) -> "Course":
        """The phases are known; a depth that was chosen for all of them is each one's."""
        depth = dict(self.depths).get(ALL_PHASES)
        depths = tuple((phase.key, depth) for phase in phases) if depth else ()
        return replace(self, phases=phases, depths=depths)

    def phase_changed(self, phase: PhaseState) -> "Course":
        """`phase` takes the place of the one with its key."""
        phases = tuple(phase if other.key == phase.key else other for other in self.phases)
        return replace(self, phases=phases)

    def moved_to(self, phase: PhaseKey, step: StepId | None = None) -> "Course":
        """`phase` is the current one; `step`: the one it goes on at."""
        return replace(self, phase=phase, step=step)

    def phase_closed(self, *, failed: bool) -> "Course":
        """The current phase is over, and which of its steps are stale matters no more."""
        phase = replace(self.current_phase, status="failed" if failed else "completed")
        return replace(self.phase_changed(phase), stale=())

    def restarted(self) -> "Course":
        """The flow is opened anew: nothing of it was asked."""
        return Course(is_resuming=self.is_resuming)

    def repaired(self) -> "Course":
        """Without what nobody can go on from: a phase that is not there, a step done twice."""
        is_lost = self.phase is not None and all(phase.key != self.phase for phase in self.phases)
        course = replace(self, phase=None, step=None) if is_lost else self
        return replace(course, done=tuple(dict.fromkeys(self.done)))

    # ── steps ──

    def steps_pinned(self, steps: tuple[StepState, ...]) -> "Course":
        """The files of the current phase say which steps it has; some are completed already."""
        completed = tuple(step.id for step in steps if step.status == "completed")
        course = replace(self, steps=steps).steps_taken_up(completed)
        return course.phase_changed(
            replace(course.current_phase, count=len(steps), faulty=False, done=course._done_here)
        )

    def step_changed(self, state: StepState) -> "Course":
        """`state` takes the place of the one with its id, if the step is of the current phase."""
        steps = tuple(state if other.id == state.id else other for other in self.steps)
        return replace(self, steps=steps)

    def gone_to(self, step: StepId | None) -> "Course":
        """`step` is the current one."""
        return replace(self, step=step)

    def steps_taken_up(self, steps: Iterable[StepId]) -> "Course":
        """These steps were completed before."""
        return replace(self, done=tuple(dict.fromkeys((*self.done, *steps))))

    def step_completed(self, state: StepState) -> "Course":
        """The step is the last one that was completed."""
        others = (step for step in self.done if step != state.id)
        return replace(self, done=(*others, state.id))._counted(state)

    def step_reopened(self, state: StepState) -> "Course":
        """The step is asked again: it is not completed any more."""
        done = tuple(step for step in self.done if step != state.id)
        return replace(self, done=done)._counted(state)

    def _counted(self, state: StepState) -> "Course":
        if state.phase != self.phase:
            return self
        return self.phase_changed(replace(self.current_phase, done=self._done_here))

    @property
    def _done_here(self) -> int:
        return sum(1 for step in self.steps if step.id in self.done)

    def step_outdated(self, step: StepId) -> "Course":
        """The step is stale: what it rests on has changed."""
        return replace(self, stale=tuple(dict.fromkeys((*self.stale, step))))

    def stale_settled(self, steps: Iterable[StepId]) -> "Course":
        """Those steps are kept as they are, or asked again."""
        steps = frozenset(steps)
        return replace(self, stale=tuple(step for step in self.stale if step not in steps))

    # ── depths, threads, resuming ──

    def depth_chosen(self, phases: Iterable[PhaseKey], depth: Depth) -> "Course":
        chosen = dict.fromkeys(phases, depth)
        others = tuple(pair for pair in self.depths if pair[0] not in chosen)
        return replace(self, depths=(*others, *chosen.items()))

    def depths_taken_up(self, depths: Iterable[tuple[PhaseKey, Depth]]) -> "Course":
        """Depths of an earlier session; what people chose in this one wins."""
        others = (pair for pair in depths if pair[0] not in dict(self.depths))
        return replace(self, depths=(*self.depths, *others))

    def thread_opened(self, persona: PersonaKey) -> "Course":
        return replace(self, threads=(*self.threads, persona))

    def thread_lost(self, persona: PersonaKey) -> "Course":
        """The thread is gone: the persona opens another one."""
        return replace(self, threads=tuple(thread for thread in self.threads if thread != persona))

    def thread_entered(self, persona: PersonaKey) -> "Course":
        return replace(self, thread=persona)

    def resumed(self) -> "Course":
        """The session is resumed; until something is shown again."""
        return replace(self, is_resuming=True)

    def resume_ended(self) -> "Course":
        return replace(self, is_resuming=False)
