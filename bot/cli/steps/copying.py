"""What `roundtable steps copy` does: a step tree, copied whole or not at all."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

# `brains` holds the words of the scripted brain, which are read from where it is installed alone.
LEFT_OUT: Final = shutil.ignore_patterns(".*", "__pycache__", "brains")


class CannotCopyError(Exception):
    """The copy was not made; the message says why, for people. Nothing was written at its place."""


def copy(source: Path, to: Path) -> int:
    """Copy the tree at `source` to `to`, and say how many files that were.

    `to` may be an empty folder, or not be there. Links are copied as links: what lies outside of
    the tree does not get in. Hidden files stay behind.

    Raises:
        CannotCopyError: `to` holds something, lies within `source`, or cannot be written.
    """
    is_empty = to.is_dir() and not any(to.iterdir())
    if to.is_symlink() or (to.exists() and not is_empty):
        raise CannotCopyError(f"{to} is there already. Name a folder that is not.")
    if to.resolve().is_relative_to(source.resolve()):
        raise CannotCopyError(f"{to} lies within the steps themselves. Name a folder elsewhere.")
    try:
        return _copy(source, to)
    except (OSError, shutil.Error) as why:
        raise CannotCopyError(f"{to} cannot be written: {_reason(why)}.") from why


def _copy(source: Path, to: Path) -> int:
    """Beside its place first: whoever interrupts it is left with no half of a tree."""
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".steps-", dir=to.parent) as beside:
        made = Path(beside) / "steps"
        shutil.copytree(source, made, symlinks=True, ignore=LEFT_OUT)
        made.replace(to)
    return sum(path.is_file() for path in to.rglob("*"))


def _reason(why: OSError) -> str:
    if why.strerror is None:  # what shutil collects of a tree has none
        return "some of the files could not be read"
    return f"{why.strerror.lower()} ({why.filename})"
