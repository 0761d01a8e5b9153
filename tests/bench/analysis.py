"""Rows 13 and 15: the real bot in a process of its own, whole analyses in a local workspace."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from bot.devtools.workspace import Call, LocalWorkspace, WorkspaceMessage
from bot.views.kit.menus import ACTION, OVERFLOW
from core.ports import Summary
from core.store.connection.sqlite import SqliteDatabase
from core.store.queries.reader import Reader
from tests.bench.answer import ANSWER
from tests.bench.figures import Figure, Subject
from tests.bench.size import Size
from tests.support.serving import bare_environment, database_in, environment
from tests.support.slack_calls import action_ids, is_prompt

PERSON: Final = "pm"
CHANNEL: Final = "general"
STEPS: Final = 24
CONNECTIONS: Final = 2
POLL_S: Final = 0.002
QUIET_S: Final = 0.05  # without a call: nothing of the last step is under way
START_S_MAX: Final = 30.0
STEP_S_MAX: Final = 20.0
SERVE: Final = "from bot.cli.serve import serve; serve(socket=True, http=False, port=None)"

NEXT_PROMPT: Final = Subject(
    13, "Continue clicked → next prompt posted, in the local workspace (median)", "ms", "≤", 50, 20
)
PER_STEP: Final = Subject(15, "bot messages per step", "messages", "≤", 2.5, 2)
TOP_LEVEL: Final = Subject(15, "top-level posts per analysis", "messages", "≤", 5, 5)


class StuckError(Exception):
    """The bot did not do what was waited for. Its text says what."""


@dataclass(frozen=True, slots=True)
class Played:
    """One analysis, from its start to its last artifact."""

    waits_ms: Sequence[float]
    in_threads: int
    top_level: int


def analyses(folder: Path, size: Size, told: Callable[[str], None]) -> list[Figure]:
    played = []
    for number in range(1, size.analyses + 1):
        told(f"rows 13 and 15: analysis {number} of {size.analyses}")
        own = folder / f"analysis-{number}"
        own.mkdir()
        played.append(_play(own))
    waits = [wait for one in played for wait in one.waits_ms]
    return [
        NEXT_PROMPT.measured(median(waits)),
        PER_STEP.measured(max(one.in_threads for one in played) / STEPS),
        TOP_LEVEL.measured(max(one.top_level for one in played)),
    ]


def _play(folder: Path) -> Played:
    url = database_in(folder)
    with LocalWorkspace(people=[PERSON], channels=[CHANNEL]) as slack, bot_in(folder, slack):
        play = Play(slack)
        play.run()
        return _counted(slack, url, play.waits_ms)


@contextmanager
def bot_in(
    folder: Path, slack: LocalWorkspace, more: Mapping[str, str] | None = None
) -> Iterator[None]:
    """`roundtable serve --socket`, without pauses unless `more` settings say so, until the end."""
    env = bare_environment() | environment(slack, folder, **(more or {}))
    with (folder / "bot.log").open("wb") as out:
        bot = subprocess.Popen([sys.executable, "-c", SERVE], env=env, stdout=out, stderr=out)
        try:
            if not slack.wait_connected(START_S_MAX, CONNECTIONS):
                raise StuckError("the bot did not connect to the local workspace")
            yield
        finally:
            bot.terminate()
            try:
                bot.wait(START_S_MAX)
            except subprocess.TimeoutExpired:
                bot.kill()
                bot.wait()


@dataclass(slots=True)
class Play:
    """One person who answers every prompt once and goes on; what happens is read off the calls."""

    slack: LocalWorkspace
    waits_ms: list[float] = field(default_factory=list)
    _seen: int = 0

    def run(self) -> None:
        line = "/roundtable analyze Export dashboard as PDF --depth standard"
        self.slack.command(PERSON, CHANNEL, line)
        self._until(is_prompt, "the first prompt")
        for number in range(1, STEPS + 1):
            self._answer()
            choice = self._go_on(number)
            if choice is not None and number < STEPS:
                self._until_next_prompt(choice)
        self._settled()

    def _answer(self) -> None:
        self._settled()
        prompt = next(m for m in reversed(self.slack.messages(CHANNEL)) if OVERFLOW in _ids(m))
        self.slack.say(PERSON, CHANNEL, ANSWER, thread_ts=prompt.thread_ts)
        self._until(is_menu, "the menu")

    def _go_on(self, number: int) -> tuple[str, float] | None:
        """Click the forward choice once all is quiet: which, and when."""
        self._settled()
        message, choice = self._offer(number)
        clicked_at = time.monotonic()
        self.slack.click(PERSON, CHANNEL, message.ts, choice)
        return choice, clicked_at

    def _offer(self, number: int) -> tuple[WorkspaceMessage, str]:
        """The newest message with a forward choice, and which it is."""
        for message in reversed(self.slack.messages(CHANNEL)):
            for action in FORWARD:
                if action in _ids(message):
                    return message, action
        raise StuckError(f"there is no way on after step {number}")

    def _until_next_prompt(self, clicked: tuple[str, float]) -> None:
        choice, clicked_at = clicked
        prompt = self._await_prompt()
        if choice == CONTINUE:  # Accept opens a phase: files are read, people are greeted
            self.waits_ms.append((prompt.at - clicked_at) * 1000)

    def _await_prompt(self) -> Call:
        return self._until(is_prompt, "the next prompt")

    def _until(self, wanted: Callable[[Call], bool], name: str) -> Call:
        until = time.monotonic() + STEP_S_MAX
        while time.monotonic() < until:
            calls = self.slack.calls
            for call in calls[self._seen :]:
                self._seen += 1
                if wanted(call):
                    return call
            time.sleep(POLL_S)
        raise StuckError(f"{name} did not come within {STEP_S_MAX:g} s")

    def _settled(self) -> None:
        """A person reads before the next act: by then the bot is done."""
        until = time.monotonic() + STEP_S_MAX
        while time.monotonic() < until:
            calls = self.slack.calls
            if self.slack.idle() and time.monotonic() - calls[-1].at > QUIET_S:
                self._seen = len(calls)
                return
            time.sleep(POLL_S)
        raise StuckError("the bot did not come to rest")


CONTINUE: Final = f"{ACTION}continue"
FORWARD: Final = (CONTINUE, f"{ACTION}accept")


def is_menu(call: Call) -> bool:
    return bool(set(FORWARD) & action_ids(call.args))


def _ids(message: Any) -> set[str]:
    return action_ids({"blocks": message.blocks})


def _counted(slack: LocalWorkspace, url: str, waits_ms: Sequence[float]) -> Played:
    """Only of a whole analysis; faults people see are not counted, what one person sees is."""
    database = SqliteDatabase(url)
    try:
        reader = Reader(database)
        (session,) = reader.all_sessions()
        _whole(session)
        faults = sum(fault.visible for fault in reader.faults(session.id))
    finally:
        database.close()
    ours = [each for each in slack.messages(CHANNEL) if each.author_id == slack.bot_user_id]
    top_level = sum(message.thread_ts is None for message in ours)
    return Played(waits_ms, len(ours) - top_level - faults + len(slack.ephemerals), top_level)


def _whole(session: Summary) -> None:
    if session.status != "completed" or session.done != STEPS:
        raise StuckError(f"the analysis is {session.status} after {session.done} steps")
