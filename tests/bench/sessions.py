"""Sessions brought to where a measurement begins: the real runtime and lanes, no network.

What the outbox holds is performed by hand between two turns, so that a turn times the transition
and the acknowledgement alone.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.deliveries import delivery_key
from core.domain.ids import (
    ChannelId,
    MenuId,
    PersonaKey,
    SessionId,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.session.session import Session
from core.ports import Clock, Later, Order, Outcome, Prepared, Sent, Target
from core.runtime.commit import Runtime
from tests.bench.answer import ANSWER
from tests.support.fakes import DrivenClock
from tests.support.harness import Cast, Harness

CHANNEL: Final = ChannelId("C07QX3RVKZ9")
OWNER: Final = UserId("U05MTD8WPLA")  # ids as long as real ones
QUIET_S: Final = 5.0  # as long as the usual quiet time, or longer
REMIND_S: Final = 24 * 3600.0
BRAIN_S: Final = 60.0
_NUMBERS: Final = count(1)


class SilentStage:
    """Everything is sent at once and nobody sees it."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or DrivenClock(time.time())
        self.runtime: Runtime | None = None
        self._numbers = count(time.time_ns() // 1_000)

    def next_ts(self) -> Ts:
        seconds, micros = divmod(next(self._numbers), 1_000_000)
        return Ts(f"{seconds}.{micros:06d}")

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        target = self._target(order)
        return Prepared(target, target is not None, (), lambda: self._send(target))

    def find(self, order: Order, session: Session) -> Outcome:
        return Later("not there")

    def _send(self, target: Target | None) -> Outcome:
        return Sent(target.posted(self.next_ts()) if target else None)

    def _target(self, order: Order) -> Target | None:
        match order.effect:
            case fx.PostCard():
                return Target("card", CHANNEL)
            case fx.OpenThread(thread):
                return Target(f"thread:{thread}", CHANNEL)
            case fx.PostPrompt(step, revision, thread):
                return self._reply(order, thread, f"prompt:{step}:{revision}", step)
            case fx.PostQuestions(step, revision, thread):
                return self._reply(order, thread, f"prompt:{step}:{revision}:{thread}", step)
            case fx.ShowStep(step, thread):
                return self._reply(order, thread, f"step:{step}:1", step)
            case _:
                return None

    def _reply(self, order: Order, thread: PersonaKey, name: str, step: StepId) -> Target:
        return Target(name, CHANNEL, self._thread(order.session, thread), step)

    def _thread(self, session: SessionId, persona: PersonaKey) -> Ts:
        assert self.runtime is not None
        root = self.runtime.reader.thread(session, persona)
        assert root is not None
        return root.ts


def harness_of(
    folder: Path, team: TeamId, *, stage: SilentStage | None = None, **parts: Any
) -> Harness:
    """A harness with ids as long as real ones. `parts` are handed to it."""
    cast = Cast(team, CHANNEL, OWNER, f"https://bench.slack.com/archives/{CHANNEL}/p")
    silent: Any = stage or SilentStage()
    return Harness(folder, cast=cast, stage=silent, brain_s=BRAIN_S, **parts)


@contextmanager
def harness_in(folder: Path, team: TeamId, **parts: Any) -> Iterator[Harness]:
    """A harness on a database of its own, in a new folder."""
    folder.mkdir()
    harness = harness_of(folder, team, remind_s=REMIND_S, **parts)
    try:
        yield harness
    finally:
        harness.close()


def opened(harness: Harness, many: int, phase: str) -> list[SessionId]:
    """New sessions, each asking the first question of that phase."""
    return [_opened(harness, phase) for _ in range(many)]


def _opened(harness: Harness, phase: str) -> SessionId:
    number = next(_NUMBERS)
    harness.id = session = SessionId(f"bench{number:011}")
    harness.start(f"Export dashboard {number} as PDF", "standard")
    while harness.session.course.phase != phase:
        to_menu(harness, session)
        go_on(harness, session)
    return session


def to_menu(harness: Harness, session: SessionId, text: str = ANSWER) -> None:
    """Answer the open question, let it be quiet, and have the answer read."""
    message = answer(harness, session, text)
    harness.take(message, delivery_keys(harness, message))
    harness.pass_time(QUIET_S)


def go_on(harness: Harness, session: SessionId) -> None:
    """The forward choice of the open menu."""
    harness.id = session
    harness.forward()


def menu(harness: Harness, session: SessionId) -> tuple[MenuId, str]:
    """The open menu and its forward choice."""
    harness.id = session
    return harness.menu.id, harness.menu.choices[0]


def answer(harness: Harness, session: SessionId, text: str = ANSWER) -> on.MessagePosted:
    """An answer to the open question, on its way."""
    harness.id = session
    return harness.message(text)


def delivery_keys(harness: Harness, event: on.MessagePosted) -> tuple[str]:
    """As `bot.payloads.inbound_messages` makes them."""
    return (delivery_key(harness.cast.team, event),)
