"""A whole play, from the script to the summary: what the command line and tests call."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.devtools.play.controls import Transport
from bot.devtools.play.places import tree_of
from bot.devtools.play.player import Player, ProgressLine
from bot.devtools.play.process import BotFactory, BotProcess, StoppedError
from bot.devtools.play.script import Script
from bot.devtools.play.summary import PlaySummary, summary_of
from bot.devtools.play.world import PlayWorkspace, World

EXIT_COMPLETED: Final = 0
EXIT_OTHERWISE: Final = 3


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What came of a play."""

    summary: PlaySummary
    stopped: str | None  # why it could not go on
    points: tuple[str, ...]  # where the bot could have crashed, if that was counted
    crashes: int
    progress: tuple[ProgressLine, ...]

    @property
    def exit_code(self) -> int:
        session = self.summary["session"]
        done = session is not None and session["status"] == "completed" and self.stopped is None
        return EXIT_COMPLETED if done else EXIT_OTHERWISE


def play(
    script: Script,
    *,
    artifacts: Path,
    database: str,
    steps: Path | None = None,
    transport: Transport = "socket",
    crash_at: int | None = None,
    counts: bool = False,
    bot: BotFactory = BotProcess,
    tell: Callable[[ProgressLine], None] = lambda _: None,
) -> PlayResult:
    """Perform a script. With `crash_at` the bot is killed at that point, and started again."""
    lines: list[ProgressLine] = []

    def telling(line: ProgressLine) -> None:
        lines.append(line)
        tell(line)

    setting = PlayWorkspace(
        database, artifacts, tree_of(steps), transport, crash_at, counts, bot=bot
    )
    with World(script, setting) as world:
        player, stopped = Player(script, world, telling), None
        try:
            player.perform()
        except StoppedError as why:
            stopped = str(why)
        return PlayResult(
            summary=summary_of(world, player.session),
            stopped=stopped,
            points=world.controls.passed(),
            crashes=world.crashes,
            progress=tuple(lines),
        )
