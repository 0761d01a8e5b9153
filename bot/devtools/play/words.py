"""What happens in a play, in words for whoever watches. Never what people say."""

from typing import assert_never

from bot.devtools.play.script import (
    Act,
    BrainFails,
    CleanupFails,
    Clicks,
    ClockMoves,
    Commands,
    Deletes,
    Edits,
    Mishap,
    PlayReplies,
    Removes,
    Restarts,
    SlackFails,
    TeamRefuses,
    WriteFails,
    Writes,
)
from bot.interactions.command_line import COMMANDS


def acted(act: Act) -> str:
    match act:
        case PlayReplies(by):
            return f"{by} replies"
        case Edits(by, number):
            return f"{by} edits reply {number}"
        case Deletes(by, number):
            return f"{by} deletes reply {number}"
        case Clicks(by, choice):
            return f"{by} clicks {choice}"
        case Commands(by, line):
            return f"{by} types {_command(line)}"
        case _:
            assert_never(act)


def _command(line: str) -> str:
    """The command without what follows it: titles are people's words."""
    first, _, rest = line.partition(" ")
    words = rest.split(maxsplit=1)
    return f"{first} {words[0]}" if words and words[0] in COMMANDS else first


def happened(mishap: Mishap) -> str:
    match mishap:
        case SlackFails(kind, method, _, times):
            return f"Slack: {kind}{f' for {method}' if method else ''}{_often(times)}"
        case BrainFails(kind, persona, times):
            return f"the brain of {persona or 'anybody'}: {kind}{_often(times)}"
        case TeamRefuses(times):
            return f"the team cannot be made{_often(times)}"
        case CleanupFails(times):
            return f"the team cannot be removed{_often(times)}"
        case WriteFails(name, times):
            return f"{name} cannot be written{_often(times)}"
        case Writes(path):
            return f"{path} is written"
        case Removes(path):
            return f"{path} is removed"
        case Restarts():
            return "the bot is killed and started again"
        case ClockMoves(seconds):
            return f"the clock moves on by {seconds:g} s"
        case _:
            assert_never(mishap)


def _often(times: int) -> str:
    return f", {times} times" if times > 1 else ""
