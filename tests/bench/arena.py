"""A bot put together as in service, on a database of its own, with nothing running beside it."""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot.devtools.workspace import LocalWorkspace
from bot.server.composition import build
from bot.server.configuration.settings import Settings
from bot.server.roundtable import Roundtable
from core.domain.ids import TeamId
from core.logs import configure
from tests.bench.sessions import QUIET_S, SilentStage, harness_of
from tests.support.harness import Harness
from tests.support.serving import database_in, environment


@dataclass(frozen=True, slots=True)
class Arena:
    folder: Path
    table: Roundtable
    harness: Harness
    environment: dict[str, str]  # the same settings, for a process of its own
    signing_secret: str


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder on a disk: in memory a commit would cost nothing."""
    with tempfile.TemporaryDirectory(prefix="roundtable-bench-") as folder:
        yield Path(folder)


@contextmanager
def arena(folder: Path) -> Iterator[Arena]:
    database_in(folder)
    with logged_to(folder / "arena.log"), LocalWorkspace(people=["pm"]) as slack:
        settings = environment(
            slack, folder, ROUNDTABLE_QUIET_SECONDS=str(QUIET_S), ROUNDTABLE_PACE_SECONDS=None
        )
        stage = SilentStage()
        table = build(Settings.model_validate(settings), clock=stage.clock)
        team = TeamId(slack.team_id)
        harness = harness_of(folder, team, stage=stage, runtime=table.runtime)
        try:
            yield Arena(folder, table, harness, settings, slack.signing_secret)
        finally:
            harness.close()


@contextmanager
def logged_to(path: Path) -> Iterator[None]:
    """Every line is made and written as in service, only not to the terminal."""
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    with path.open("w") as stream:
        configure("json", "info", stream)
        try:
            yield
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)
            structlog.configure(**before)
