"""Finds and reads the files of a step tree. Nothing outside of its root is ever read."""

import codecs
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FILE_BYTES_MAX: Final = 256 * 1024

# A pipe or a device that calls itself x.md must not make us wait for its other end.
_READ_ONLY: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK: Final[int] = getattr(os, "O_NOFOLLOW", 0)


class UnreadableFileError(Exception):
    """This file cannot be read (ERR-STEP-003). Its text says why."""


def read_text(path: str, root: Path) -> tuple[bytes, str]:
    """The bytes of a file below `root`, and its text with plain line ends and no BOM.

    Raises `UnreadableFileError`.
    """
    data = _read(path, root)
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as cause:
        raise UnreadableFileError("it is not valid UTF-8") from cause
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return data, text


def _read(path: str, root: Path) -> bytes:
    try:
        handle = _opened(path, root)
    except (OSError, ValueError) as cause:
        raise UnreadableFileError(_reason(path, cause)) from cause
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise UnreadableFileError("it is not a file")
        if about.st_size > FILE_BYTES_MAX:
            raise UnreadableFileError(f"it is larger than {FILE_BYTES_MAX // 1024} KiB")
        data = b""
        while len(data) < about.st_size and (part := os.read(handle, about.st_size - len(data))):
            data += part
    except OSError as cause:
        raise UnreadableFileError("reading it failed") from cause
    finally:
        os.close(handle)
    return data


def _opened(path: str, root: Path) -> int:
    """Links are rare: the system sees one when it opens, and only then we ask where it leads."""
    if _NO_LINK:
        try:
            return os.open(path, _READ_ONLY | _NO_LINK)
        except OSError:
            if not is_link(path):
                raise
    if not is_inside(path, root):
        raise UnreadableFileError("it leads out of the folder of steps")
    return os.open(path, _READ_ONLY)


def _reason(path: str, cause: Exception) -> str:
    if not isinstance(cause, FileNotFoundError):
        return "it cannot be opened"
    return "it is a link to nothing" if is_link(path) else "it does not exist"


# `os.path` says False where `Path` would raise: a folder we may not enter, a name that is too long.


def is_link(path: str | Path) -> bool:
    return os.path.islink(path)  # noqa: PTH114


def is_directory(path: str | Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: str | Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_there(path: str | Path) -> bool:
    """True if there is anything of that name, a link to nothing included."""
    return os.path.lexists(path)


def is_inside(path: str, root: Path) -> bool:
    """True if `path` stays below `root`, links followed. Only links can leave: names are plain."""
    if not is_link(path):
        return True
    try:
        return Path(path).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a link in a circle
        return False


def step_files(directory: Path) -> list[str] | None:
    """The names of a phase's `.md` files in order; None where there is no such directory."""
    names = _names(directory)
    if names is None:
        return None
    return sorted(name for name in names if name.endswith(".md") and not name.startswith("."))


def phase_directories(flow: Path, root: Path) -> Iterator[str]:
    """The names of a flow's directories that begin with a number, in order."""
    for name in sorted(_names(flow) or ()):
        path = flow / name
        if name[:2].isdigit() and is_directory(path) and is_inside(str(path), root):
            yield name


def children(directory: Path) -> list[Path]:
    """Everything in a directory we may look into, in order."""
    return [directory / name for name in sorted(_names(directory) or ())]


def _names(directory: Path) -> list[str] | None:
    try:
        with os.scandir(directory) as entries:
            return [entry.name for entry in entries]
    except (OSError, ValueError):
        return None


def is_plain_name(name: str) -> bool:
    """True if `name` is one component of a path, and can be stored and shown."""
    return name.isprintable() and name not in ("", ".", "..") and not set(name) & {"/", "\\"}


def storable(name: str) -> str:
    """A file name as it can be written down: what cannot becomes a question mark."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)
