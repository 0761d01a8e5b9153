"""Processes without powers, and folders in which there is no room any more.

Where a machine lets us, a folder gets a file system of its own of a few megabytes, in a mount
namespace, so that no other process sees it and it ends with whoever has it.
"""

import contextlib
import errno
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

Cramped = Literal["artifacts", "store"]  # which of a bot's folders has little room

PAGE_BYTES: Final = 4096
BALLAST: Final = ".ballast"
FULL: Final = f"a full file system ({os.strerror(errno.ENOSPC)})"
INSTEAD: Final[Mapping[Cramped, str]] = {
    "artifacts": "a folder that nobody may write to (chmod 555)",
    "store": "files that may not grow any more (RLIMIT_FSIZE)",
}

_POWERLESS: Final = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all")
_MOUNTED: Final = """
mount -t tmpfs -o size=8m roundtable "$PLACE/$CRAMPED" &&
cp "$PLACE/new.db" "$PLACE/store/roundtable.db" && exec "$@"
"""


@cache
def apart() -> tuple[str, ...]:
    """How a process gets mounts of its own here: as root, or as root among ourselves; else ()."""
    mount = ("mount", "-t", "tmpfs", "-o", "size=64k", "roundtable", tempfile.gettempdir())
    for way in (("unshare", "-m"), ("unshare", "-rm")):
        with contextlib.suppress(OSError):
            if subprocess.run([*way, *mount], check=False, capture_output=True).returncode == 0:
                return way
    return ()


@cache
def _permissions_count() -> bool:
    """Not for root."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0o000)
        return not os.access(file.name, os.R_OK)


def can_mount() -> bool:
    return bool(apart())


def restricted(command: Sequence[str], *, mounts: bool) -> list[str]:
    """The command without powers; with `mounts`, `$PLACE/$CRAMPED` is a file system of its own."""
    if not mounts:
        return list(command) if _permissions_count() else [*_POWERLESS, *command]
    return [*apart(), "sh", "-c", _MOUNTED, "sh", *_POWERLESS, *command]


def fill(folder: Path) -> None:
    """Write until nothing more fits."""
    with (folder / BALLAST).open("wb", buffering=0) as ballast, contextlib.suppress(OSError):
        while ballast.write(bytes(PAGE_BYTES)):
            pass
    assert shutil.disk_usage(folder).free == 0, folder


def let_write(root: Path, mode: int) -> None:
    for folder in root.glob("*/*/"):  # a workspace's, and in it a session's
        folder.chmod(mode)


def limit_files(process: int, size: int) -> None:
    """No file of that process may grow past so many bytes."""
    _, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, hard))
