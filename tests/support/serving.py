"""What every bot of a test is put together from: a migrated database, and settings of its own."""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.devtools.workspace import LocalWorkspace
from core.store.maintenance import upgrade
from tests.support.databases import DATABASES

DATABASE = "roundtable.db"
OURS = ("SLACK_", "ROUNDTABLE_")


@cache
def migrated_database() -> bytes:
    """An empty database at the newest revision: migrated once, copied for every test."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        upgrade.upgrade(f"sqlite:///{path}")
        return path.read_bytes()


def database_in(folder: Path, name: str = DATABASE) -> str:
    """The URL of the database there, which is made where there is none; or one of the server's."""
    path = folder / name
    if not DATABASES.is_postgres and not path.exists():
        path.write_bytes(migrated_database())
    return address_in(folder, name)


def address_in(folder: Path, name: str = DATABASE) -> str:
    """The URL of a database there, whether there is one or not; or of one of the server's."""
    path = folder / name
    return DATABASES.url(path) if DATABASES.is_postgres else f"sqlite:///{path}"


def environment(slack: LocalWorkspace, folder: Path, **more: str | None) -> dict[str, str]:
    """The settings of a bot that waits for nothing, over that workspace and folder.

    `more` settings come last; None takes one out.
    """
    settings = {
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
        "SLACK_API_URL": slack.api_url,
        **folders(folder),
        "ROUNDTABLE_PACE_SECONDS": "0",
        "ROUNDTABLE_QUIET_SECONDS": "0",
        **more,
    }
    return {name: value for name, value in settings.items() if value is not None}


def folders(folder: Path) -> dict[str, str]:
    """The settings that say where a bot keeps things: all of it there."""
    return {
        "ROUNDTABLE_DATABASE_URL": address_in(folder),
        "ROUNDTABLE_ARTIFACTS_DIR": str(folder / "artifacts"),
    }


def bare_environment() -> dict[str, str]:
    """The variables of this process but those of any bot."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
