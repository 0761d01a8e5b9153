"""Fakes with behaviour, for tests of the core: a stage that remembers, a clock that is driven."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final, cast

from core.brains.script import reading
from core.brains.script.brain import Scripted
from core.brains.tasks import (
    Brain,
    Cancelled,
    Contribute,
    Diagnosis,
    DiagnosisRequest,
    FindCause,
    ReadStep,
    Result,
    Task,
)
from core.domain import effects as fx
from core.domain.answers import Draft, ReadRequest
from core.domain.ids import (
    ChannelId,
    PersonaKey,
    SessionId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.party.contributions import ConsultRequest, Contribution
from core.domain.session.session import Session
from core.ports import Later, Limit, Order, Outcome, Post, Prepared, Refused, Sent, Target
from core.runtime.commit import Runtime
from core.taxonomy.post_refusals import RefusalReason

TEAM = TeamId("T1")
CHANNEL = ChannelId("C1")
ELSEWHERE = ChannelId("C2")
OWNER = UserId("UPM")
DEV = UserId("UDEV")
OPS = UserId("UOPS")
MAYA = PersonaKey("business-analyst")
ALEX = PersonaKey("solutions-architect")
FACILITATOR = PersonaKey("facilitator")
NAMES: Mapping[UserId, str] = {OWNER: "Priya", DEV: "Sam", OPS: "Olu"}


@dataclass(slots=True)
class DrivenClock:
    """Time that moves when a test says so."""

    time: float = 1_800_000_000.0

    def now(self) -> float:
        return self.time

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        condition.wait(None if until is None else 0.001)

    def forward(self, seconds: float) -> None:
        self.time += seconds


class Names:
    def names(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        return {user: NAMES[user] for user in users if user in NAMES}

    def strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        return frozenset(user for user in users if user.startswith("UBOT"))


class NoNames:
    """A directory that knows nobody."""

    def names(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        return {}

    def strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        return frozenset()

    remembered = names
    remembered_strangers = strangers


class ReadingBrain:
    """A brain with a `read` of its own; for every other task it is the scripted one."""

    def read(self, request: ReadRequest) -> Draft:
        return reading.read(request)

    def perform(self, task: Task[Result], cancelled: Cancelled = lambda: False) -> Result:
        if isinstance(task, ReadStep):
            return cast("Result", self.read(task.request))
        return SCRIPTED.perform(task, cancelled)


@dataclass(frozen=True, slots=True)
class ActingBrain:
    """A brain of which some tasks are functions of their request, and `other` does the rest."""

    consult: Callable[[ConsultRequest], Contribution] | None = None
    diagnose: Callable[[DiagnosisRequest], Diagnosis] | None = None
    other: Brain = Scripted()

    def perform(self, task: Task[Result], cancelled: Cancelled) -> Result:
        match task:
            case Contribute(request) if self.consult:
                return cast("Result", self.consult(request))
            case FindCause(cause) if self.diagnose:
                return cast("Result", self.diagnose(cause))
        return self.other.perform(task, cancelled)


SCRIPTED = Scripted()


@dataclass(slots=True)
class Thinking(ReadingBrain):
    """A brain that does what it is told, one turn after another; scripted once it ran out.

    A turn is a draft, an exception to raise, a function of the request, or None for the usual.
    """

    turns: list[object] = field(default_factory=list)
    asked: list[ReadRequest] = field(default_factory=list)

    def read(self, request: ReadRequest) -> Draft:
        self.asked.append(request)
        turn = self.turns.pop(0) if self.turns else None
        if isinstance(turn, BaseException):
            raise turn
        made = turn(request) if callable(turn) else turn
        return reading.read(request) if made is None else made  # type: ignore[return-value]


@dataclass(slots=True)
class FakeStage:
    """Slack, as the outbox knows it: posts get the next ts, and what stands is edited."""

    clock: DrivenClock
    shown: list[fx.Effect] = field(default_factory=list)
    posts: list[Post] = field(default_factory=list)  # new messages, in order
    refuse: dict[str, RefusalReason] = field(default_factory=dict)  # effect type → reason
    throttle: dict[str, float] = field(default_factory=dict)  # effect type → seconds, once
    outcomes: list[Outcome] = field(default_factory=list)  # of what is performed next
    looks: list[Outcome] = field(default_factory=list)  # of what is looked for next
    tried: list[str] = field(default_factory=list)  # effect types, in order of attempts
    left: dict[tuple[SessionId, int], Post] = field(
        default_factory=dict
    )  # by order: what `find` can find
    runtime: Runtime | None = None
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def next_ts(self) -> Ts:
        return Ts(f"{int(self.clock.now())}.{next(self._numbers):06d}")

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        plan, name = self._plan(order), _name(order)
        standing = Target(name, CHANNEL) if name else None
        own = Limit(type(order.effect).__name__)
        if not isinstance(plan, Target):
            return Prepared(standing, False, (own,), lambda: self._send(order, plan))
        pace = Limit(CHANNEL, 1 if pace_s > 0 else None, pace_s)
        return Prepared(plan, True, (pace,), lambda: self._send(order, plan))

    def find(self, order: Order, session: Session) -> Outcome:
        if self.looks:
            return self.looks.pop(0)
        post = self.left.get((order.session, order.id))
        return Sent(post) if post else Later("not there")

    def _send(self, order: Order, plan: Target | Refused | None) -> Outcome:
        name = type(order.effect).__name__
        self.tried.append(name)
        if self.outcomes:
            return self.outcomes.pop(0)
        if name in self.throttle:
            return Later("ratelimited", self.throttle.pop(name))
        if name in self.refuse:
            return Refused(self.refuse[name], self.refuse[name])
        if isinstance(plan, Refused):
            return plan
        self.shown.append(order.effect)
        if plan is None:
            return Sent()
        post = plan.posted(self.next_ts())
        self.posts.append(post)
        self.left[order.session, order.id] = post
        return Sent(post)

    def _plan(self, order: Order) -> Target | Refused | None:
        """A new message, none (an edit, a reaction, an ephemeral), or no thread to stand in."""
        name = _name(order)
        if not name or self._post(order.session, name) is not None:
            return None
        if name == "card" or name.startswith("thread:"):
            return Target(name, CHANNEL)
        thread = getattr(order.effect, "thread", None)
        root = self._post(order.session, f"thread:{thread}" if thread else "card")
        if root is None:
            return Refused("no_thread", "thread_gone")
        has_step = isinstance(order.effect, OF_STEP)
        return Target(name, CHANNEL, root.ts, order.effect.step if has_step else None)  # type: ignore[attr-defined]

    def _post(self, session: SessionId, target: str) -> Post | None:
        assert self.runtime is not None
        return self.runtime.reader.post(session, target)


OF_STEP: Final = (fx.PostPrompt, fx.ShowStep, fx.PostReminder, fx.PostQuestions)
NAMES_OF_POSTS: Final[Mapping[type[fx.Effect], str]] = {
    fx.PostCard: "card",
    fx.OpenThread: "thread:{thread}",
    fx.PostPrompt: "prompt:{step}:{revision}",
    fx.ShowStep: "step:{step}:{number}",
    fx.ShowPhase: "phase:{phase}:{number}",
    fx.ShowResult: "result",
    fx.ShowFault: "fault:{fault}",
    fx.PostReminder: "reminder:{menu}",
    fx.ShowMode: "mode:{menu}",
    fx.PostQuestions: "prompt:{step}:{revision}:{thread}",
    fx.ShowProposals: "proposals",
    fx.SayContribution: "said:{phase}:{place}",
    fx.ShowRecovery: "recovery:{menu}",
    fx.Greet: "say:{order}",
    fx.HandOver: "say:{order}",
    fx.Say: "say:{order}",
}


def _name(order: Order) -> str:
    effect = order.effect
    number = order.id if getattr(effect, "anew", False) else 1
    name = NAMES_OF_POSTS.get(type(effect), "")
    fields = {**vars(effect), "order": order.id}
    return name.format(**{"number": number, **fields})
