"""Plays an item against the real bot on the local workspace, and keeps what it left."""

import contextlib
import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.devtools.play.places import tree_of
from bot.devtools.play.play import performed
from bot.devtools.play.player import Player
from bot.devtools.play.script.entries import ProgressLine
from bot.devtools.play.world import CHANNEL, PlayWorkspace, World
from bot.devtools.provider.readers import RunningReaders
from bot.devtools.workspace.state import TEAM_ID
from core.domain.follow_ups import SIDES, WAYS
from core.domain.ids import SessionId
from tests.facilitation.items import Item
from tests.facilitation.record import Asked, Record, files_in
from tests.support.bot_in_process import BotInProcess

CLICKS: Final = " clicks "
FOLLOW_UP: Final = frozenset((*SIDES, *WAYS))


def record_of(item: Item, folder: Path, readers: RunningReaders | None = None) -> Record:
    """Play an item to its end. `folder` gets its database and artifacts.

    `readers`: who reads besides the script.
    """
    began = time.monotonic()
    progress: list[ProgressLine] = []
    setting = PlayWorkspace(
        f"sqlite:///{folder}/roundtable.db",
        folder / "artifacts",
        tree_of(None),
        bot=BotInProcess,
        readers=readers or RunningReaders(),
    )
    # The bot logs to the error stream, on which the progress is told.
    with contextlib.redirect_stderr(io.StringIO()), World(item.script, setting) as world:
        player = Player(item.script, world, progress.append)
        result = performed(player, world)
        seconds = time.monotonic() - began
        return _record(item, player, world, progress, result.stopped or "", seconds)


def _record(
    item: Item,
    player: Player,
    world: World,
    progress: list[ProgressLine],
    stopped: str,
    seconds: float,
) -> Record:
    notes = tuple(f"{line.step} {line.words}".strip() for line in progress if line.note)
    if player.session is None:
        return Record(notes=notes, stopped=stopped or "nothing was started", seconds=seconds)
    reader, id_ = world.reader, player.session
    session = reader.load(id_)
    faults = reader.faults(id_)
    in_threads, top_level = _messages(world)
    return Record(
        claims=reader.claims(id_),
        answers=reader.answers(id_),
        follow_ups=tuple(_asked(player, world, id_)),
        people={world.workspace.user_id(name): name for name in item.script.people},
        files=files_in(world.artifacts / TEAM_ID / session.slug),
        steps=len(reader.all_steps(id_)),
        messages=in_threads - sum(fault.visible for fault in faults),
        top_level=top_level,
        clicks=tuple(_clicks(progress)),
        notes=notes,
        faults=tuple(fault.code for fault in faults),
        status=session.status,
        stopped=stopped,
        seconds=seconds,
    )


def _messages(world: World) -> tuple[int, int]:
    """Of the bot: those in threads or seen by one person alone, and those of the channel."""
    slack = world.workspace
    ours = [post for post in slack.messages(CHANNEL) if post.author_id == slack.bot_user_id]
    top_level = sum(post.thread_ts is None for post in ours)
    return len(ours) - top_level + len(slack.ephemerals), top_level


def _clicks(progress: list[ProgressLine]) -> Iterator[str]:
    """Choices of menus; what is tapped under a follow-up is none."""
    for line in progress:
        _, clicked, choice = line.words.partition(CLICKS)
        if clicked and not line.note and choice not in FOLLOW_UP:
            yield choice


def _asked(player: Player, world: World, session: SessionId) -> Iterator[Asked]:
    said = {(step, asked.question): entry for step, asked, entry in player.answered}
    for state in world.reader.all_steps(session):
        for asked in state.questions.follow_ups:
            yield Asked(state.id, asked, said.get((state.id, asked.question)))
