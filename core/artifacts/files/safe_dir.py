"""What is done inside a folder that is held open, so that nobody can swap it for a link meanwhile.

Folders are file descriptors here; no symbolic link is followed below them.
"""

import os
import secrets
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from core.artifacts.files.permissions import PRIVATE_FOLDER, file_mode, folder_mode

FILE_BYTES_MAX: Final = 16 * 1024 * 1024
PRIVATE_FILE: Final = 0o600
TEMPORARY: Final = ".writing-"
READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def made_below(folder: int, *names: str) -> Iterator[int]:
    """A folder of the folder, and one of that, and so on; made where they are missing."""
    current = os.dup(folder)
    try:
        for name in names:
            is_new = _make(current, name)
            inner = os.open(name, DIRECTORY, dir_fd=current)
            if is_new:
                os.fchmod(inner, folder_mode(current))
            os.close(current)
            current = inner
        yield current
    finally:
        os.close(current)


def _make(folder: int, name: str) -> bool:
    """True if it was not there before."""
    try:
        os.mkdir(name, PRIVATE_FOLDER, dir_fd=folder)
    except FileExistsError:
        return False
    return True


def names(folder: int) -> list[str]:
    return os.listdir(folder)


def is_file(folder: int, name: str) -> bool:
    """False for a link, and for what is not there."""
    with suppress(FileNotFoundError):
        return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    return False


def bytes_of(folder: int, name: str) -> bytes:
    """The content of a file. Raises `OSError`, also for what is no regular file or too large."""
    descriptor = os.open(name, READ, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > FILE_BYTES_MAX:
            raise OSError(f"{name} is no regular file of at most {FILE_BYTES_MAX} bytes")
        return file.read()


def replace(folder: int, name: str, content: bytes) -> None:
    """Write a file as a whole, or not at all.

    Raises `OSError`, also where something stands in its place that is no regular file.
    """
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(f"{name} is no regular file")
    temporary = f"{TEMPORARY}{secrets.token_hex(8)}"
    try:
        with os.fdopen(os.open(temporary, CREATE, PRIVATE_FILE, dir_fd=folder), "wb") as file:
            os.fchmod(file.fileno(), file_mode(folder))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)  # the name, too, has to survive a power cut


def sweep(folder: int) -> None:
    for name in names(folder):
        if name.startswith(TEMPORARY):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)


def free_name(taken_names: Collection[str], name: str) -> str:
    """The name, or one like it that is not taken."""
    number, candidate = 2, name
    while candidate in taken_names:
        candidate, number = f"{name}-{number}", number + 1
    return candidate
