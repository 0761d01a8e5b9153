"""Fakes with behaviour, for tests of the core: a stage that remembers, a clock that is driven.

`Table` is a whole session on a real SQLite file, driven by hand and without threads: `settle()` does
everything that is due, in the order in which the dispatcher would.
"""

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from core.artifacts.folder import Folder
from core.brains import scripted
from core.content.library import Library, default_steps_dir
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Draft, ReadRequest
from core.domain.ids import ChannelId, Depth, PersonaKey, RunId, SessionId, TeamId, Ts, UserId
from core.domain.session import Session
from core.lanes import Lanes
from core.ports import Brain, Later, Order, Outcome, Post, Refused, Sent, Workspace
from core.reading import ReadingRoom
from core.runtime import Handled, Runtime
from core.store import migrate
from core.store.database import Database
from core.work import Worker

TEAM = TeamId("T1")
CHANNEL = ChannelId("C1")
OWNER = UserId("UPM")
DEV = UserId("UDEV")
NAMES: Mapping[UserId, str] = {OWNER: "Priya", DEV: "Sam"}


@dataclass(slots=True)
class DrivenClock:
    """Time that moves when a test says so."""

    time: float = 1_800_000_000.0

    def now(self) -> float:
        return self.time

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        condition.wait(0.001)

    def forward(self, seconds: float) -> None:
        self.time += seconds


class Names:
    def names(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        return {user: NAMES[user] for user in users if user in NAMES}


class ScriptedBrain:
    def read(self, request: ReadRequest) -> Draft:
        return scripted.read(request)


@dataclass(slots=True)
class FakeStage:
    """Performs visible effects by remembering them; each post gets the next ts."""

    clock: DrivenClock
    shown: list[fx.Visible] = field(default_factory=list)
    refuse: dict[str, str] = field(default_factory=dict)  # effect type → Slack's error
    outcomes: list[Outcome] = field(default_factory=list)  # given before anything else
    found: dict[int, Post] = field(default_factory=dict)
    runtime: Runtime | None = None
    _numbers: Iterable[int] = field(default_factory=lambda: count(1))

    def next_ts(self) -> Ts:
        number = next(iter(self._numbers))  # type: ignore[call-overload]
        return Ts(f"{int(self.clock.now())}.{number:06d}")

    def is_post(self, order: Order) -> bool:
        return not isinstance(order.effect, fx.PaintCard | fx.PaintPrompt | fx.Mark)

    def channel_of(self, order: Order) -> ChannelId | None:
        return CHANNEL if self.is_post(order) else None

    def find(self, order: Order, since: float) -> Outcome:
        post = self.found.get(order.id)
        return Sent(post) if post else Later("not there")

    def perform(self, order: Order) -> Outcome:
        if self.outcomes:
            return self.outcomes.pop(0)
        name = type(order.effect).__name__
        if name in self.refuse:
            return Refused(self.refuse[name])
        self.shown.append(order.effect)
        post = self._post(order)
        if post is not None:
            self.found[order.id] = post
        return Sent(post)

    def _post(self, order: Order) -> Post | None:
        assert self.runtime is not None
        reader = self.runtime.reader

        def in_thread(persona: PersonaKey | None, target: str, step: str | None = None) -> Post:
            root = reader.thread(order.session, persona)
            thread_ts = root.ts if root else None
            return Post(target, CHANNEL, self.next_ts(), thread_ts, step)  # type: ignore[arg-type]

        match order.effect:
            case fx.PostCard():
                return Post("card", CHANNEL, self.next_ts(), None)
            case fx.OpenThread(persona):
                return Post(f"thread:{persona}", CHANNEL, self.next_ts(), None)
            case fx.PostPrompt(step, revision, thread):
                return in_thread(thread, f"prompt:{step}:{revision}", step)
            case fx.ShowStep(step, thread):
                return in_thread(thread, f"step:{step}:1", step)
            case _:
                return None


class Table:
    """A session being played by hand."""

    def __init__(
        self,
        folder: Path,
        *,
        steps: Path | None = None,
        quiet_s: float = 0.0,
        brains: Mapping[PersonaKey | None, Brain] | None = None,
        brain_s: float = 5.0,
    ) -> None:
        url = f"sqlite:///{folder}/table.db"
        migrate.upgrade(url)
        self.clock = DrivenClock()
        self.stage = FakeStage(self.clock)
        self.runtime = Runtime(Database(url), self.clock, quiet_s=quiet_s)
        self.runtime.know(Workspace(TEAM, "https://test.slack.com/", UserId("UBOT"), "B1"))
        self.stage.runtime = self.runtime
        self.library = Library(steps or default_steps_dir())
        self.artifacts = Folder(folder / "artifacts")
        worker = Worker(self.runtime, self.library, self.artifacts, self.clock, Names())
        self.lanes = Lanes(
            runtime=self.runtime,
            worker=worker,
            stage=self.stage,
            room=ReadingRoom(
                self.runtime.reader,
                Names(),
                {None: ScriptedBrain(), **(brains or {})},
                self.clock,
                brain_s,
            ),
            clock=self.clock,
            pace_s=0.0,
        )
        self.id = SessionId("s1")
        self._deliveries = count(1)

    # ── people ──

    def start(
        self, title: str = "Export dashboard as PDF", depth: Depth | None = None, **more: object
    ) -> Handled:
        given = {
            "by": OWNER, "at": self.clock.now(), "session": self.id, "run": RunId("r1"),
            "seed": "seed", "team": TEAM, "channel": CHANNEL, "title": title, "text": title,
            "depth": depth,
        } | more  # fmt: skip
        handled = self.runtime.handle(on.SessionRequested(**given), team=TEAM)  # type: ignore[arg-type]
        self.settle()
        return handled

    def say(self, text: str, by: UserId = OWNER, thread: Ts | None = None) -> Ts:
        """Reply in the current persona's thread."""
        ts = self.stage.next_ts()
        event = on.MessagePosted(
            by, self.clock.now(), CHANNEL, ts, thread or self.thread(), text, f"https://p/{ts}"
        )
        self.handled = self.runtime.handle(event, team=TEAM, keys=[f"msg:{TEAM}:{CHANNEL}:{ts}"])
        self.settle()
        return ts

    def edit(self, ts: Ts, text: str, by: UserId = OWNER, at: str | None = None) -> Handled:
        edited = Ts(at or self.stage.next_ts())
        event = on.MessageEdited(by, self.clock.now(), CHANNEL, ts, edited, text)
        handled = self.runtime.handle(event, team=TEAM)
        self.settle()
        return handled

    def delete(self, ts: Ts, by: UserId = OWNER) -> None:
        self.runtime.handle(on.MessageDeleted(by, self.clock.now(), CHANNEL, ts), team=TEAM)
        self.settle()

    def click(
        self, choice: str, by: UserId = OWNER, menu: str | None = None, admin: bool | None = None
    ) -> Handled:
        """Choose from the open menu; `prompt` menus have their own choices."""
        session = self.session
        known = (session.menu, session.stale_menu, session.prompt_menu)
        chosen = menu or next(
            (
                each
                for each in known
                if each and choice in self.runtime.reader.menu(each).choices  # type: ignore[union-attr]
            ),
            "none",
        )
        event = on.ChoiceMade(by, self.clock.now(), chosen, choice, CHANNEL, admin)  # type: ignore[arg-type]
        handled = self.runtime.handle(event, team=TEAM)
        self.settle()
        return handled

    def command(self, event: on.Event) -> Handled:
        handled = self.runtime.handle(event, team=TEAM, session=self.id)
        self.settle()
        return handled

    def forward(self) -> None:
        """The forward choice of the open menu."""
        menu = self.runtime.reader.menu(self.session.menu)  # type: ignore[arg-type]
        assert menu is not None
        self.click(menu.choices[0])

    # ── what stands ──

    @property
    def session(self) -> Session:
        return self.runtime.reader.load(self.id)

    def thread(self) -> Ts:
        voice = self.session.voice
        root = self.runtime.reader.thread(self.id, voice)
        assert root is not None
        return root.ts

    @property
    def statuses(self) -> dict[str, str]:
        return {state.id: state.status for state in self.runtime.reader.all_steps(self.id)}

    @property
    def codes(self) -> list[str]:
        return [fault.code for fault in self.runtime.reader.faults(self.id)]

    @property
    def messages(self) -> list[str]:
        """The faults people see, in order."""
        shown = {effect.fault for effect in self.stage.shown if isinstance(effect, fx.ShowFault)}
        faults = self.runtime.reader.faults(self.id)
        return [fault.message for fault in faults if fault.id in shown]

    def shown(self, kind: type[fx.Visible]) -> list[fx.Visible]:
        return [effect for effect in self.stage.shown if isinstance(effect, kind)]

    def settle(self) -> None:
        """Everything that is due now."""
        outbox = self.runtime.outbox
        for timer in outbox.timers_due(self.clock.now()):
            from core.store import outbox as rows

            with self.runtime.database.write() as db:
                rows.end_timer(db, timer)
            self.runtime.apply(timer.session, on.QuietPassed(self.clock.now(), timer.step))
        for _ in range(200):
            busy = outbox.head(self.id, "work") or outbox.brains(self.id)
            if self.lanes.work(self.id) is None and not busy:
                self.lanes.show(self.id)
                head = outbox.head(self.id, "visible")
                later = head is not None and head.due > self.clock.now()
                work = outbox.head(self.id, "work") or outbox.brains(self.id)
                if not work and (head is None or later):
                    return
            for row in outbox.brains(self.id):
                self.lanes.read(row)
        raise AssertionError("it does not settle")
