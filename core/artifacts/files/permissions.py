"""Who may read artifacts: whoever the operator lets into the folder that they lie in.

A root that we make is its owner's alone (0700). Below the root everything takes the permissions of
the folder above it, so that what an operator made for a group (setgid, 2770) stays the group's.
"""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE_FOLDER: Final = 0o700
FOLDER_BITS: Final = 0o2775  # neither sticky nor writable by everybody, whatever stands above
FILE_BITS: Final = 0o664


def folder_mode(above: int | Path) -> int:
    """The permissions of a new folder in that one, a path or an open descriptor."""
    return stat.S_IMODE(_status(above).st_mode) & FOLDER_BITS


def file_mode(above: int | Path) -> int:
    """The permissions of a new file in that folder, a path or an open descriptor."""
    return stat.S_IMODE(_status(above).st_mode) & FILE_BITS


def _status(folder: int | Path) -> os.stat_result:
    return os.fstat(folder) if isinstance(folder, int) else folder.stat()


def make_private(path: Path) -> None:
    """Make the folder and what is missing above it, each for its owner alone."""
    if not path.exists():
        make_private(path.parent)
        with suppress(FileExistsError):  # somebody else was quicker
            path.mkdir(mode=PRIVATE_FOLDER)
    _expect_folder(path)


def make_below(root: Path, path: Path) -> bool:
    """Make the folder and what is missing between it and the root. True if it was made now."""
    if path == root:
        make_private(root)
        return False
    make_below(root, path.parent)
    try:
        path.mkdir(mode=PRIVATE_FOLDER)
    except FileExistsError:
        _expect_folder(path)
        return False
    path.chmod(folder_mode(path.parent))
    return True


def _expect_folder(path: Path) -> None:
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def take_permissions(folder: Path, above: Path) -> None:
    """Give a folder that was copied, and all that is in it, the permissions of the one above."""
    folder.chmod(folder_mode(above))
    for directory, folders, files in os.walk(folder):
        for name in folders:
            _change_mode(Path(directory, name), folder_mode(folder))
        for name in files:
            _change_mode(Path(directory, name), file_mode(folder))


def _change_mode(path: Path, mode: int) -> None:
    if not path.is_symlink():
        path.chmod(mode)
