"""Plays in the sessions there are to look at: people act, and the real bot does the rest.

What was played before is not played again: a demo that was ended early goes on where it was.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from typing import Final

from bot.devtools.play.script import file
from bot.devtools.play.script.entries import Act, Clicks, PlayReplies
from bot.devtools.play.script.script import Script
from bot.devtools.play.session_view import SessionView
from bot.devtools.waiting import wait_until
from bot.devtools.workspace import LocalWorkspace
from bot.server.roundtable import Roundtable
from core.domain.ids import ChannelId
from core.domain.session.course import ENDED
from core.domain.session.session import Session

SEEDS: Final = ("payments", "dashboards")
"""Each a channel, and the play in `seeds/` that goes with it."""

ACT_S_MAX: Final = 30.0
ACTS_MAX: Final = 300
CALM_LOOKS: Final = 2


class StuckError(Exception):
    """A session does not go on as its play has it. Its text says where."""


class EndedError(Exception):
    """The demo is being ended."""


def seeds() -> Iterator[tuple[str, Script]]:
    folder = resources.files("bot.devtools.demo") / "seeds"
    for channel in SEEDS:
        yield channel, file.parse((folder / f"{channel}.yaml").read_text(encoding="utf-8"))


@dataclass(slots=True)
class Seeding:
    slack: LocalWorkspace
    roundtable: Roundtable
    channel: str
    script: Script
    ended: threading.Event
    _done: dict[str, int] = field(default_factory=dict)  # by step: how many of its acts

    def play(self) -> None:
        """Until the session has ended, or the play has. Raises `StuckError` or `EndedError`."""
        self._settle()
        if self._session() is None:
            self.slack.command(self.script.start.by, self.channel, self.script.start.line)
            self._settle()
        for _ in range(ACTS_MAX):
            session = self._session()
            if session is None or session.status in ENDED:
                return
            act = self._next(session)
            if act is None:
                if session.course.step == max(self.script.steps):
                    return
                raise StuckError(f"#{self.channel} stands at {session.course.step}")
            self._do(act, session)
            self._settle()

    def _next(self, session: Session) -> Act | None:
        step = str(session.course.step)
        acts = self.script.acts(step)
        done = self._done.setdefault(step, 0)
        self._done[step] += 1
        return acts[done] if done < len(acts) else None

    def _do(self, act: Act, session: Session) -> None:
        sight = SessionView(self.slack, self.roundtable.runtime.reader, self.channel)
        match act:
            case PlayReplies(by, text):
                thread = sight.asking_thread(session)
                if thread is not None and not self._said(by, text):
                    self.slack.say(by, self.channel, text, thread_ts=thread)
            case Clicks(by, choice):
                forward = choice == "continue"
                control = sight.forward(session) if forward else sight.control(session, choice)
                if control is None:
                    raise StuckError(f"#{self.channel} offers no {choice} at {session.course.step}")
                sight.click(by, control)
            case _:
                raise AssertionError(f"no seed {type(act).__name__.lower()}")

    def _said(self, by: str, text: str) -> bool:
        messages = self.slack.messages(self.channel)
        return any(message.author == by and message.plain == text for message in messages)

    def _session(self) -> Session | None:
        reader = self.roundtable.runtime.reader
        channel = ChannelId(self.slack.channel_id(self.channel))
        sessions = reader.channel_sessions(self.roundtable.workspace.team, channel)
        return reader.load(sessions[0].id) if sessions else None

    def _settle(self) -> None:
        """Until nothing is under way on either side."""
        if not wait_until(self._is_calm, ACT_S_MAX, looks=CALM_LOOKS, pause=self._pause):
            raise StuckError(f"#{self.channel} does not come to rest")

    def _is_calm(self) -> bool:
        pending = self.roundtable.runtime.outbox.pending(self.roundtable.clock.now())
        return self.slack.idle() and not pending

    def _pause(self, seconds: float) -> None:
        if self.ended.wait(seconds):
            raise EndedError
