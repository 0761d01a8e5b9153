"""A bot put together as in service, on a database of its own, with nothing running beside it."""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot.devtools.workspace import LocalWorkspace
from bot.server.composition import Roundtable, build
from bot.server.settings import Settings
from core.domain.ids import TeamId
from core.logs import configure
from core.store.maintenance.upgrade import upgrade
from tests.bench.sessions import SilentStage, harness_of
from tests.support.harness import Harness


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
    url = f"sqlite:///{folder}/arena.db"
    upgrade(url)
    with _logged_to(folder / "arena.log"), LocalWorkspace(people=["pm"]) as slack:
        environment = {
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "SLACK_SIGNING_SECRET": slack.signing_secret,
            "SLACK_API_URL": slack.api_url,
            "ROUNDTABLE_DATABASE_URL": url,
            "ROUNDTABLE_ARTIFACTS_DIR": str(folder / "artifacts"),
            "ROUNDTABLE_QUIET_SECONDS": "5",
        }
        settings = Settings.model_validate(environment)
        stage = SilentStage()
        table = build(settings, clock=stage.clock)
        team = TeamId(slack.team_id)
        harness = harness_of(folder, team, stage=stage, runtime=table.runtime)
        try:
            yield Arena(folder, table, harness, environment, slack.signing_secret)
        finally:
            harness.close()


@contextmanager
def _logged_to(path: Path) -> Iterator[None]:
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
