"""A whole play, from the script to the summary: what the command line and tests call."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.devtools.play.controls import Transport
from bot.devtools.play.places import tree_of
from bot.devtools.play.player import Player
from bot.devtools.play.process import BotFactory, BotProcess, StoppedError
from bot.devtools.play.script.entries import START, ProgressLine
from bot.devtools.play.script.script import Script
from bot.devtools.play.summary import PlaySummary, summary_of
from bot.devtools.play.world import PlayWorkspace, World
from bot.devtools.provider.readers import StandInReaders, running

EXIT_COMPLETED: Final = 0
EXIT_OTHERWISE: Final = 3


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What came of a play."""

    summary: PlaySummary
    stopped: str | None  # why it could not go on

    @property
    def exit_code(self) -> int:
        session = self.summary["session"]
        done = session is not None and session["status"] == "completed" and self.stopped is None
        return EXIT_COMPLETED if done else EXIT_OTHERWISE


def play(
    script: Script,
    artifacts: Path,
    database: str,
    steps: Path | None = None,
    transport: Transport = "socket",
    *,
    bot: BotFactory = BotProcess,
    tell: Callable[[ProgressLine], None] = lambda _: None,
    unknown_blocks: Collection[str] = (),
    readers: StandInReaders | None = None,
) -> PlayResult:
    """Perform a script. `unknown_blocks`: types of blocks that the local workspace refuses.

    `readers`: who reads besides the script.
    """
    if readers:
        more, script = script.with_model, script.as_models_read()
        readers = replace(readers, fallback=more.fallback, tokens=more.tokens)
    with running(readers) as reading:
        if reading.told:
            tell(ProgressLine(START, reading.told))
        setting = PlayWorkspace(
            database,
            artifacts,
            tree_of(steps),
            transport,
            bot=bot,
            unknown_blocks=unknown_blocks,
            readers=reading,
        )
        with World(script, setting) as world:
            return performed(Player(script, world, tell), world)


def performed(player: Player, world: World) -> PlayResult:
    """Have the player act to the end, or until nothing goes on."""
    stopped = None
    try:
        player.perform()
    except StoppedError as why:
        stopped = str(why)
    return PlayResult(summary_of(world, player.session), stopped)
