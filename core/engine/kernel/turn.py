"""One turn of the engine while it is being decided: a session, and what has come of it so far.

The only mutable thing in the engine. It lives for the length of one `decide` and never leaves it.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

from core.domain import effects as fx
from core.domain.faults import handling_of
from core.domain.ids import FaultId, MenuId, PersonaKey, PhaseKey, StepId, TaskId, UserId
from core.domain.session.council import Council
from core.domain.session.course import PhaseState
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu, MenuKind, OpenMenus
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.steps.playbook import Playbook, Step, corrected
from core.engine.kernel.situation import Situation, Transition
from core.taxonomy.aggregation import SEVERITIES
from core.taxonomy.catalogue import CATALOGUE, Code, shown
from core.taxonomy.handling import PRECEDENCE

T = TypeVar("T")


class SessionPart(Generic[T]):
    """A part of the session that a turn reads and replaces: `turn.halt = turn.halt.lifted()`.

    It has the name of the field that `read` returns.
    """

    def __init__(self, read: Callable[[Session], T]) -> None:
        self._read = read

    def __set_name__(self, owner: type["Turn"], name: str) -> None:
        self._name = name

    def __get__(self, turn: "Turn", owner: type["Turn"]) -> T:
        return self._read(turn.session)

    def __set__(self, turn: "Turn", part: T) -> None:
        turn.session = turn.session.with_part(self._name, part)


@dataclass(slots=True)
class Turn:
    """A session while one event is decided, and the records, effects and reply so far."""

    session: Session
    situation: Situation
    playbook: Playbook
    at: float
    records: list[fx.Record] = field(default_factory=list)
    effects: list[fx.Effect] = field(default_factory=list)
    reply: fx.Reply | None = None
    needs_admin: bool = False

    # ── the session ──

    status = SessionPart(lambda session: session.status)
    mode = SessionPart(lambda session: session.mode)
    owner = SessionPart(lambda session: session.owner)
    unclaimed = SessionPart(lambda session: session.unclaimed)
    slug = SessionPart(lambda session: session.slug)
    created_at = SessionPart(lambda session: session.created_at)
    taken_up = SessionPart(lambda session: session.taken_up)
    run = SessionPart(lambda session: session.run)
    damage = SessionPart(lambda session: session.damage)
    course = SessionPart(lambda session: session.course)
    people = SessionPart(lambda session: session.people)
    roster = SessionPart(lambda session: session.roster)
    party = SessionPart(lambda session: session.party)
    scan = SessionPart(lambda session: session.scan)
    short_path = SessionPart(lambda session: session.short_path)
    origin = SessionPart(lambda session: session.origin)
    proposals = SessionPart(lambda session: session.proposals)
    unproposed = SessionPart(lambda session: session.unproposed)
    reading = SessionPart(lambda session: session.reading)
    elaboration = SessionPart(lambda session: session.elaboration)
    waiting = SessionPart(lambda session: session.waiting)
    menus = SessionPart(lambda session: session.menus)
    halt = SessionPart(lambda session: session.halt)
    cancelled = SessionPart(lambda session: session.cancelled)
    counter = SessionPart(lambda session: session.counter)
    missed = SessionPart(lambda session: session.missed)
    shown_marks = SessionPart(lambda session: session.shown_marks)
    code = SessionPart(lambda session: session.code)
    model = SessionPart(lambda session: session.model)
    read_back_off = SessionPart(lambda session: session.read_back_off)

    @property
    def council(self) -> Council | None:
        """The council that is under way."""
        return self.session.party.council

    @council.setter
    def council(self, council: Council | None) -> None:
        self.party = replace(self.party, council=council)

    def save(self, state: StepState) -> StepState:
        """Remember a step's state, whichever phase it belongs to."""
        self.course = self.course.step_changed(state)
        self.records = [
            record
            for record in self.records
            if not (isinstance(record, fx.StepSaved) and record.state.id == state.id)
        ]
        self.records.append(fx.StepSaved(state))
        return state

    def state(self, step: StepId | None) -> StepState | None:
        """A step of the current phase, or one that the situation brought along."""
        for record in self.records:
            if isinstance(record, fx.StepSaved) and record.state.id == step:
                return record.state
        for state in self.course.steps:
            if state.id == step:
                return state
        return self.situation.others.get(step) if step else None

    def existing(self, step: StepId | None) -> StepState:
        """As `state`, of a step that is there. Raises `AssertionError` for any other."""
        state = self.state(step)
        assert state is not None, step
        return state

    def content(self, state: StepState) -> Step | None:
        step = self.playbook.steps.get(state.digest) if state.digest else None
        return corrected(step, state.sources.corrections) if step else None

    def phase(self, key: PhaseKey) -> PhaseState:
        return next(phase for phase in self.course.phases if phase.key == key)

    def save_phase(self, phase: PhaseState) -> None:
        """Replace the phase of the same key."""
        self.course = self.course.phase_changed(phase)

    def phase_of(self, state: StepState) -> PhaseState:
        return self.phase(state.phase)

    def set_mark(self, mark: str) -> bool:
        """Note that something was shown in this session. True: for the first time."""
        is_first = mark not in self.shown_marks
        if is_first:
            self.shown_marks = (*self.shown_marks, mark)
        return is_first

    # ── what comes of it ──

    def do(self, *effects: fx.Effect) -> None:
        for effect in effects:
            if effect not in self.effects:  # two repaints of one target are one
                self.effects.append(effect)

    def record(self, record: fx.Record) -> None:
        self.records.append(record)

    def say_back(self, reply: fx.Reply) -> None:
        self.reply = reply

    def may_act(self, by: UserId, admin: bool | None, *others: UserId) -> bool:
        """True for the owner, an admin of the workspace, and `others`.

        Where that depends on `admin` and nobody knows it, this turn decides nothing.
        """
        if by in (self.session.owner, *others) or admin:
            return True
        self.needs_admin = self.needs_admin or admin is None
        return False

    def refuses(self, by: UserId, admin: bool | None) -> bool:
        """True for whoever is neither the owner nor an admin; they are told whose it is."""
        if self.may_act(by, admin):
            return False
        self.say_back(fx.Reply("not-yours", {"owner": self.session.owner}))
        return True

    def result(self) -> Transition:
        if self.needs_admin:
            return Transition(self.situation.session, needs_admin=True)
        effects = tuple(self._reported_together())
        return Transition(self.session, tuple(self.records), effects, self.reply)

    def _reported_together(self) -> Iterator[fx.Effect]:
        """The effects with the faults of one place in one message (seed 004, Aggregation)."""
        faults_by_thread: dict[PersonaKey | None, list[FaultId]] = {}
        for effect in self.effects:
            if isinstance(effect, fx.ShowFault):
                faults_by_thread.setdefault(effect.thread, []).append(effect.fault)
        for effect in self.effects:
            if not isinstance(effect, fx.ShowFault):
                yield effect
            elif faults := faults_by_thread.pop(effect.thread, None):
                first, *more = sorted(faults, key=self._precedence)
                yield fx.ShowFault(first, effect.thread, tuple(more))

    def _precedence(self, fault: FaultId) -> tuple[int, int]:
        """Its class, then its severity; among equals the order they came in stands."""
        records = (record.fault for record in self.records if isinstance(record, fx.FaultRecorded))
        recorded = next(candidate for candidate in records if candidate.id == fault)
        severity = CATALOGUE[cast("Code", recorded.code)].severity
        return PRECEDENCE.index(handling_of(recorded)), SEVERITIES.index(severity)

    # ── names, times, menus, faults ──

    def fresh(self, kind: str) -> str:
        """An id nobody can guess, made from the session's seed and a counter.

        Those of a session begin alike: its menus lie together, and a click writes few pages.
        """
        self.counter += 1
        alike, own = _digest(self.session.id), _digest(f"{self.session.seed}:{kind}:{self.counter}")
        return f"{kind[0]}{alike[:4]}{own[:19]}"

    def task(self) -> TaskId:
        return TaskId(self.fresh("task"))

    @property
    def now(self) -> str:
        return datetime.fromtimestamp(self.at, UTC).isoformat(timespec="seconds")

    def open_menu(
        self,
        kind: MenuKind,
        choices: tuple[str, ...],
        step: StepId | None,
        fault: FaultId | None = None,
    ) -> MenuId:
        menu = Menu(
            id=MenuId(self.fresh("menu")),
            session=self.session.id,
            kind=kind,
            choices=choices,
            phase=self.course.phase,
            step=step,
            fault=fault,
        )
        self.record(fx.MenuOpened(menu))
        self.menus = self.menus.opened(menu.id, kind)
        return menu.id

    def close_menus(self) -> None:
        """Whatever is open loses its buttons; a click on what is left is answered kindly."""
        recovery = self.menus.recovery
        for menu in self.menus.ids:
            self.end_menu(menu)
        if recovery is not None:
            self.do(fx.ShowRecovery(recovery, None))  # painted over where it stands
        self.menus = OpenMenus()

    def end_menu(
        self, menu: MenuId | None, by: UserId | None = None, choice: str | None = None
    ) -> None:
        if menu is None:
            return
        self.menus = self.menus.ended(menu)
        if not any(isinstance(r, fx.MenuEnded) and r.menu == menu for r in self.records):
            self.record(fx.MenuEnded(menu, "used" if by else "closed", by, choice))

    def cancel_timers(self) -> None:
        self.record(fx.TimersCancelled())

    def fault(
        self,
        code: str,
        *,
        step: StepState | None = None,
        thread: PersonaKey | None = None,
        persona: PersonaKey | None = None,
        detail: str = "",
        message: str | None = None,
        show: bool = True,
        words: Mapping[str, str] | None = None,
        in_menu: bool = False,
        known_as: FaultId | None = None,
        **more: Any,
    ) -> Fault:
        """Record one occurrence of a code; show it where its catalogue row says so.

        A step shows the same words once until it is resumed, some codes once a session. `in_menu`:
        a recovery menu shows it. `more`: fields of `Fault` that differ from the code's row.
        """
        entry = CATALOGUE[cast("Code", code)]
        text = message or (shown(entry.code, **(words or {})) if entry.message else entry.title)
        fault = Fault(
            id=known_as or FaultId(self.fresh("fault")),
            code=code,
            message=text,
            visible=entry.user_visible and show,
            at=self.at,
            phase=step.phase if step else self.course.phase,
            step=step.id if step else None,
            persona=persona,
            agent=persona or self._at_work(step),
            detail=detail,
            run=self.session.run,
            **more,
        )
        self.record(fx.FaultRecorded(fault))
        once_a_session = entry.shown_once_per == "session"
        if in_menu:
            return fault
        if show and entry.user_visible and not self._told(code, step, fault, once_a_session):
            self.do(fx.ShowFault(fault.id, thread))
        return fault

    def _at_work(self, step: StepState | None) -> PersonaKey | None:
        """Whose turn it was: the step's persona, else whoever leads the phase."""
        if step is not None and step.prompt.persona:
            return step.prompt.persona
        key = step.phase if step else self.course.phase
        return next((phase.persona for phase in self.course.phases if phase.key == key), None)

    def _told(self, code: str, step: StepState | None, fault: Fault, once_a_session: bool) -> bool:
        if once_a_session:
            return not self.set_mark(code)
        current = self.state(step.id) if step else None
        if current is None:
            return False
        mark = fault.message  # one step may fail to write two files: two messages
        is_told = mark in current.shown_marks
        if not is_told:
            self.save(replace(current, shown_marks=(*current.shown_marks, mark)))
        return is_told


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
