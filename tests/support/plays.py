"""Plays for tests: a script in a few lines, and what of its result may be compared."""

import re
from pathlib import Path

from bot.devtools.play.controls import Transport
from bot.devtools.play.file import parse
from bot.devtools.play.play import PlayResult, play
from bot.devtools.play.script import Restarts, Script
from bot.devtools.play.summary import PlaySummary, ThreadSummary
from tests.support.bot_in_process import BotInProcess
from tests.support.forked_bot import ForkedBot

HEAD = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Export dashboard as PDF"}
"""
NOTHING_TO_ADD = """
otherwise:
  - {by: pm, reply: "The users need it, because they ask for it every week."}
  - {by: pm, click: continue}
"""
QUICK_SCAN_ONLY = """
  "00-03":
    - {by: pm, reply: "About 30 files."}
    - {by: pm, click: accept}
  "01-01":
    - {by: pm, click: cancel}
"""

LINK = re.compile(r"https?://[^\s)\"]+")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
SHOWN_TIME = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC")


def played(
    folder: Path,
    text: str,
    *,
    transport: Transport = "socket",
    steps: Path | None = None,
    crash_at: int | None = None,
    counts: bool = False,
) -> PlayResult:
    """Perform the play that `text` describes: in a process of its own where it may be killed."""
    folder.mkdir(parents=True, exist_ok=True)
    script = parse(text)
    is_killed = crash_at is not None or counts or kills(script)
    return play(
        script,
        artifacts=folder / "artifacts",
        database=f"sqlite:///{folder}/roundtable.db",
        steps=steps,
        transport=transport,
        crash_at=crash_at,
        counts=counts,
        bot=ForkedBot if is_killed else BotInProcess,
    )


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


def notes(result: PlayResult) -> list[str]:
    return [f"{line.step} {line.words}".strip() for line in result.progress if line.note]
