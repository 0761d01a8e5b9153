"""Where a play leaves what the bot wrote, when nobody says."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.exc import ArgumentError

from core.store.connection.database import StoreError, path_of

DATABASE: Final = "roundtable.db"
ARTIFACTS: Final = "artifacts"


class NoPlayFolderError(Exception):
    """Nothing can be written there. Its text says where and why."""


@dataclass(frozen=True, slots=True)
class Places:
    artifacts: Path
    database: str


def prepared(output: Path, artifacts: Path | None, database: str | None) -> Places:
    """What is given is used as it is; the rest lies in `output`, fresh.

    Raises `NoPlayFolderError`.
    """
    try:
        if artifacts is None:
            artifacts = output / ARTIFACTS
            shutil.rmtree(artifacts, ignore_errors=True)
        artifacts.mkdir(parents=True, exist_ok=True)
        if database is None:
            output.mkdir(parents=True, exist_ok=True)
            for file in output.glob(f"{DATABASE}*"):
                file.unlink()
            database = f"sqlite:///{output / DATABASE}"
        else:
            Path(path_of(database)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise NoPlayFolderError(f"{cause.filename} cannot be written: {cause.strerror}") from cause
    except (ArgumentError, StoreError) as cause:
        raise NoPlayFolderError(f"--database: {_plain(cause)}") from cause
    return Places(artifacts, database)


def _plain(cause: Exception) -> str:
    if isinstance(cause, StoreError):
        return str(cause)
    return "this is no database address; one looks like sqlite:///roundtable.db"
