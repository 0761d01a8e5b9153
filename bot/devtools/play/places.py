"""The folders of a play: where the bot's work is left, and the copy of the step tree."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.exc import ArgumentError

from core.content.library import default_steps_dir
from core.store.connection.database import StoreError
from core.store.connection.sqlite import path_of

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


FLOW: Final = "analysis"
AGENT_FILE: Final = "roundtable.md"
UNREADABLE: Final = 0o000


class NoTreeError(Exception):
    """There are no steps to play with. Its text says why."""


def tree_of(directory: Path | None) -> Path:
    """The folder that holds the flows; a flow's own folder is understood too.

    Raises `NoTreeError`.
    """
    folder = directory or default_steps_dir()
    if not folder.is_dir():
        raise NoTreeError(f"there is no folder {folder}")
    return folder


def copy_tree(source: Path, target: Path) -> None:
    """Copy a step tree. Raises `NoTreeError`."""
    if _is_flow(source):
        target = target / FLOW
    try:
        shutil.copytree(source, target, symlinks=True, copy_function=_copied)
    except (shutil.Error, OSError) as cause:
        raise NoTreeError(f"{source} cannot be copied: {_reason(cause)}") from cause


def _is_flow(source: Path) -> bool:
    if (source / FLOW).is_dir():
        return False
    phases = (child for child in source.glob("[0-9][0-9]-*") if child.is_dir())
    return source.name == FLOW or (source / AGENT_FILE).exists() or any(phases)


def _copied(source: str, target: str) -> str:
    """A file that cannot be read is one in the copy too: that is a fault of the tree to be met."""
    try:
        return shutil.copy2(source, target)
    except PermissionError:
        Path(target).touch()
        Path(target).chmod(UNREADABLE)
        return target


def _reason(cause: Exception) -> str:
    if isinstance(cause, shutil.Error) and cause.args and cause.args[0]:
        return str(cause.args[0][0][2])
    return str(getattr(cause, "strerror", None) or cause)
