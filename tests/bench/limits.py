"""Row 20: eight sessions under Slack's own rate limits, in real time.

The real bot with its usual pace and quiet time; a local workspace that refuses what Slack would
refuse. Each session has a channel and a person who answers and goes on, a step every 45 seconds.
"""

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.devtools.workspace import Call, LocalWorkspace
from tests.bench.analysis import FORWARD, POLL_S, StuckError, bot_in, is_menu
from tests.bench.answer import ANSWER
from tests.bench.figures import Figure, Subject
from tests.bench.size import Size
from tests.support.serving import database_in
from tests.support.slack_calls import action_ids, is_prompt

SESSIONS: Final = 8
STEP_S: Final = 45.0
PACE_S: Final = 1.0
WAIT_S_MAX: Final = 90.0
QUANTILE: Final = 0.9
PEOPLE: Final = tuple(f"person{number}" for number in range(1, SESSIONS + 1))
CHANNELS: Final = tuple(f"team{number}" for number in range(1, SESSIONS + 1))
SETTINGS: Final = {"ROUNDTABLE_PACE_SECONDS": "1", "ROUNDTABLE_QUIET_SECONDS": "5"}

REFUSED: Final = Subject(
    20, "eight sessions, a step every 45 s: calls that Slack's limits refuse", "calls", "≤", 0, 0
)
DELAY: Final = Subject(
    20, "the same: Continue clicked → next prompt beyond the channel's pace (p90)", "s", "≤", 3, 1.5
)


def limited(folder: Path, size: Size, progress: Callable[[str], None]) -> list[Figure]:
    """Both figures; nothing where the size leaves out what takes real time."""
    if size.limited_steps == 0:
        progress(f"row {REFUSED.row} is left out: it takes minutes")
        return []
    progress(f"row {REFUSED.row}: {size.limited_steps} steps of eight sessions, in real time")
    own = folder / "limited"
    own.mkdir()
    database_in(own)
    slack = LocalWorkspace(people=PEOPLE, channels=CHANNELS, rate_limits=True)
    with slack, bot_in(own, slack, SETTINGS):
        people = [
            Person(slack, person, channel, number * STEP_S / SESSIONS, size.limited_steps)
            for number, (person, channel) in enumerate(zip(PEOPLE, CHANNELS, strict=True))
        ]
        with ThreadPoolExecutor(SESSIONS) as pool:
            delays = [delay for delays_s in pool.map(Person.act, people) for delay in delays_s]
        refused = sum(call.status == 429 for call in slack.calls)
    return [REFUSED.measured(refused), DELAY.measured(quantile(delays, QUANTILE))]


def quantile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least `part` of all values do not exceed."""
    return sorted(values)[math.ceil(part * len(values)) - 1]


@dataclass(slots=True)
class Person:
    """One person in a channel of their own: starts an analysis, answers, goes on."""

    slack: LocalWorkspace
    name: str
    channel: str
    begins_after_s: float
    steps: int
    _position: int = 0

    def act(self) -> list[float]:
        """Seconds from each Continue to the next prompt, beyond the channel's pace."""
        begins_at, delays_s = time.monotonic() + self.begins_after_s, []
        _sleep_until(begins_at)
        line = "/roundtable analyze Export dashboard as PDF --depth standard"
        self.slack.command(self.name, self.channel, line)
        prompt = self._until(is_prompt, "the first prompt")
        for number in range(self.steps):
            _sleep_until(begins_at + (number + 1) * STEP_S)
            thread_ts = str(prompt.args["thread_ts"])
            self.slack.say(self.name, self.channel, ANSWER, thread_ts=thread_ts)
            self._until(is_menu, "the menu")
            clicked_at = self._go_on()
            prompt = self._until(is_prompt, "the next prompt")
            delays_s.append(prompt.at - max(clicked_at, self._free_at(prompt)))
        return delays_s

    def _go_on(self) -> float:
        for message in reversed(self.slack.messages(self.channel)):
            for action in FORWARD:
                if action in action_ids({"blocks": message.blocks}):
                    clicked_at = time.monotonic()
                    self.slack.click(self.name, self.channel, message.ts, action)
                    return clicked_at
        raise StuckError(f"{self.channel} offers no way on")

    def _until(self, wanted: Callable[[Call], bool], name: str) -> Call:
        """The next call in this channel that was carried out and is wanted."""
        own, until = self.slack.channel_id(self.channel), time.monotonic() + WAIT_S_MAX
        while time.monotonic() < until:
            calls = self.slack.calls
            for position in range(self._position, len(calls)):
                call = calls[position]
                self._position = position + 1
                if call.args.get("channel") == own and call.status == 200 and wanted(call):
                    return call
            time.sleep(10 * POLL_S)
        raise StuckError(f"{name} did not come within {WAIT_S_MAX:g} s in {self.channel}")

    def _free_at(self, prompt: Call) -> float:
        """When the channel's pace let the prompt be posted."""
        posts = (
            call.at
            for call in self.slack.calls
            if call.method == prompt.method
            and call.args.get("channel") == prompt.args["channel"]
            and call.at < prompt.at
        )
        return max(posts, default=-math.inf) + PACE_S


def _sleep_until(at: float) -> None:
    time.sleep(max(0.0, at - time.monotonic()))
