"""Plays for tests: a script in a few lines, and what of its result may be compared."""

import re
import threading
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.devtools.play.controls import Transport
from bot.devtools.play.places import tree_of
from bot.devtools.play.play import PlayResult, performed, play
from bot.devtools.play.script.entries import ProgressLine, Restarts
from bot.devtools.play.script.file import parse
from bot.devtools.play.script.script import Script
from bot.devtools.play.summary import PlaySummary, ThreadSummary
from bot.devtools.play.world import PlayWorkspace, World
from bot.devtools.provider.readers import RunningReaders
from tests.support.bot_in_process import BotInProcess
from tests.support.crash_player import CrashPlayer
from tests.support.crash_points import CrashPlan
from tests.support.forked_bot import ForkedBot
from tests.support.serving import address_in

NOBODY_ELSE = RunningReaders()  # the script reads alone
UPGRADING = threading.Lock()  # Alembic upgrades one database of a process at a time
HEAD = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Export dashboard as PDF"}
"""
NOTHING_TO_ADD = """
otherwise:
  - {by: pm, reply: "The users need it, because they ask for it every week."}
  - {by: pm, click: continue}
"""

LINK = re.compile(r"https?://[^\s)\"]+")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
SHOWN_TIME = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC")


@dataclass(frozen=True, slots=True)
class PlayRecord(PlayResult):
    """What came of a play, with its progress; of a bot whose crash points are counted, those."""

    progress: tuple[ProgressLine, ...]
    points: tuple[str, ...] = ()
    crashes: int = 0


def played(
    folder: Path,
    text: str,
    *,
    transport: Transport = "socket",
    steps: Path | None = None,
    unknown_blocks: Collection[str] = (),
) -> PlayRecord:
    """Perform the play that `text` describes: in a process of its own where it may be killed."""
    return played_script(
        folder, parse(text), transport=transport, steps=steps, unknown_blocks=unknown_blocks
    )


def played_script(
    folder: Path,
    script: Script,
    *,
    transport: Transport = "socket",
    steps: Path | None = None,
    unknown_blocks: Collection[str] = (),
) -> PlayRecord:
    folder.mkdir(parents=True, exist_ok=True)
    progress: list[ProgressLine] = []
    result = play(
        script,
        artifacts=folder / "artifacts",
        database=address_in(folder),
        steps=steps,
        transport=transport,
        bot=ForkedBot if kills(script) else BotInProcess,
        tell=progress.append,
        unknown_blocks=unknown_blocks,
    )
    return PlayRecord(result.summary, result.stopped, tuple(progress))


def played_to_crash(
    folder: Path,
    text: str,
    crash_at: int | None = None,
    *,
    transport: Transport = "socket",
    steps: Path | None = None,
    unknown_blocks: Collection[str] = (),
    readers: RunningReaders = NOBODY_ELSE,
) -> PlayRecord:
    """Perform a play with its crash points counted, and the bot killed at one of them, if any."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = CrashPlan(folder / "points", crash_at)
    script, progress = parse(text), list[ProgressLine]()
    setting = PlayWorkspace(
        address_in(folder), folder / "artifacts", tree_of(steps), transport,
        bot=partial(ForkedBot, plan=plan), unknown_blocks=unknown_blocks, readers=readers,
    )  # fmt: skip
    with ExitStack() as stack:
        with UPGRADING:
            world = stack.enter_context(World(script, setting))
        player = CrashPlayer(script, world, progress.append)
        result = performed(player, world)
        crashes = player.crashes
    return PlayRecord(result.summary, result.stopped, tuple(progress), plan.passed(), crashes)


def kills(script: Script) -> bool:
    """True if the bot of that play is killed and started again."""
    mishaps = (mishap for step in script.before.values() for mishap in step)
    return any(isinstance(mishap, Restarts) for mishap in mishaps)


def artifacts(summary: PlaySummary) -> dict[str, str]:
    """Every artifact by name, without what differs from run to run."""
    return {
        each["name"]: TIME.sub("TIME", LINK.sub("LINK", Path(each["path"]).read_text()))
        for each in summary["artifacts"]
    }


def thread(summary: PlaySummary, persona: str) -> list[tuple[str, str]]:
    """A persona's thread as (author, text)."""
    (found,) = (each for each in summary["threads"] if each["persona"] == persona)
    return lines(found)


def lines(thread: ThreadSummary) -> list[tuple[str, str]]:
    """A thread as (author, text), without the time of day, which differs from run to run."""
    messages = thread["messages"]
    return [(message["author"], SHOWN_TIME.sub("TIME", message["text"])) for message in messages]


def codes(summary: PlaySummary) -> list[str]:
    return [fault["code"] for fault in summary["faults"]]


def notes(result: PlayRecord) -> list[str]:
    return [f"{line.step} {line.words}".strip() for line in result.progress if line.note]
