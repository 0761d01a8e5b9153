"""Sessions brought to where a measurement begins: the real runtime and lanes, no network.

What the outbox holds is performed here by hand between two turns, so that a turn times the
transition and the acknowledgement alone.
"""

import time
from collections.abc import Collection, Mapping
from itertools import count
from pathlib import Path
from typing import Final

from core.artifacts.files.folder import Folder
from core.artifacts.files.state import Teams
from core.brains.running import Brains
from core.brains.script.brain import Scripted
from core.brains.tasks import Brain
from core.clock import SystemClock
from core.content.library import Library, default_steps_dir
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import (
    ChannelId,
    MenuId,
    PersonaKey,
    PhaseKey,
    RunId,
    SessionId,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.session import Session
from core.ports import Later, Order, Outcome, Prepared, Sent, Target
from core.runtime.brain_runner import ReadingRoom
from core.runtime.commit import Runtime
from core.runtime.dispatcher.local import run_out
from core.runtime.jobs import Worker
from core.runtime.outbox_worker import OutboxWorker
from core.store import outbox as rows
from tests.bench.answer import ANSWER

CHANNEL: Final = ChannelId("C07QX3RVKZ9")
OWNER: Final = UserId("U05MTD8WPLA")  # ids as long as real ones
ROUNDS_MAX: Final = 50
BRAIN_S: Final = 60.0
SCRIPTED: Final = Scripted()


class SilentStage:
    """Everything is sent at once and nobody sees it."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        target = self._target(order)
        return Prepared(target, target is not None, (), lambda: self._send(target))

    def find(self, order: Order, session: Session) -> Outcome:
        return Later("not there")

    def _send(self, target: Target | None) -> Outcome:
        return Sent(target.posted(self._hall.next_ts()) if target else None)

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
        return Target(name, CHANNEL, self._hall.thread(order.session, thread), step)


class Nobody:
    """People without names; lanes that nobody drains until the turn is over."""

    def names(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        return {}

    def strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        return frozenset()

    def wake(self, session: SessionId) -> None:
        """Not now."""


class Hall:
    def __init__(
        self,
        runtime: Runtime,
        team: TeamId,
        artifacts: Path,
        *,
        brain: Brain = SCRIPTED,
        steps: Path | None = None,
    ) -> None:
        self.runtime = runtime
        self.team = team
        self._numbers = count(time.time_ns() // 1_000)
        self._sessions = count(1)
        runtime.wakes(Nobody())
        clock = SystemClock()
        folder, teams = Folder(artifacts), Teams(artifacts)
        worker = Worker(
            runtime, Library(steps or default_steps_dir()), folder, clock, Nobody(), teams
        )
        room = ReadingRoom(runtime.reader, Nobody(), Brains({None: brain}, clock, BRAIN_S))
        self.lanes = OutboxWorker(
            runtime=runtime,
            worker=worker,
            stage=SilentStage(self),
            room=room,
            clock=clock,
            pace_s=0.0,
        )

    # ── before a turn ──

    def opened(self, many: int, phase: str) -> list[SessionId]:
        """New sessions, each asking the first question of that phase."""
        return [self._opened(PhaseKey(phase)) for _ in range(many)]

    def _opened(self, phase: PhaseKey) -> SessionId:
        number = next(self._sessions)
        session = SessionId(f"bench{number:011}")
        title = f"Export dashboard {number} as PDF"
        event = on.SessionRequested(
            OWNER, time.time(), session, RunId(f"run-{number}"), f"seed-{number}",
            self.team, CHANNEL, title, title, "standard",
        )  # fmt: skip
        self.runtime.handle(event, team=self.team)
        self.settle(session)
        while self.runtime.reader.load(session).phase != phase:
            self.to_menu(session)
            self.go_on(session)
        return session

    def to_menu(self, session: SessionId, text: str = ANSWER) -> None:
        """Answer the open question, let it be quiet, and have the answer read."""
        said = self.answer(session, text)
        self.runtime.handle(said, team=self.team, keys=self.keys(said))
        quiet_over = self.runtime.clock.now() + 3_600
        for timer in self.runtime.outbox.timers_due(quiet_over):
            if timer.session == session:
                with self.runtime.database.write() as db:
                    rows.end_timer(db, timer)
                self.runtime.apply(session, run_out(timer, time.time()))
        self.settle(session)

    def menu(self, session: SessionId) -> tuple[MenuId, str]:
        """The open menu and its forward choice."""
        menu = self.runtime.reader.load(session).menus.current
        assert menu is not None, "there is a menu to click"
        found = self.runtime.reader.menu(menu)
        assert found is not None
        return menu, found.choices[0]

    def go_on(self, session: SessionId) -> None:
        menu, choice = self.menu(session)
        event = on.ChoiceMade(OWNER, time.time(), menu, choice, CHANNEL)
        self.runtime.handle(event, team=self.team)
        self.settle(session)

    def settle(self, session: SessionId) -> None:
        """Do all that is due, as the dispatcher would."""
        for _ in range(ROUNDS_MAX):
            self.lanes.work(session)
            for row in self.lanes.brains_due(session)[0]:
                self.lanes.read(row)
            self.lanes.show(session)
            outbox = self.runtime.outbox
            if not outbox.head(session, "work") and not outbox.brains(session):
                return
        raise AssertionError("it does not settle")

    # ── what people do ──

    def answer(self, session: SessionId, text: str = ANSWER) -> on.MessagePosted:
        ts, thread_ts = self.next_ts(), self.thread(session)
        link = f"https://bench.slack.com/archives/{CHANNEL}/p{ts.replace('.', '')}"
        return on.MessagePosted(OWNER, time.time(), CHANNEL, ts, thread_ts, text, link)

    def keys(self, event: on.MessagePosted) -> tuple[str, str]:
        """As `bot.payloads.inbound` makes them."""
        return f"event:Ev{event.ts}", f"msg:{self.team}:{event.channel}:{event.ts}"

    def thread(self, session: SessionId, persona: PersonaKey | None = None) -> Ts:
        voice = persona or self.runtime.reader.load(session).voice
        root = self.runtime.reader.thread(session, voice)
        assert root is not None
        return root.ts

    def next_ts(self) -> Ts:
        seconds, micros = divmod(next(self._numbers), 1_000_000)
        return Ts(f"{seconds}.{micros:06d}")
