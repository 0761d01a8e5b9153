"""The folder of a session's artifacts on disk: `root/{slug}/`, plain files with plain names.

Every path is opened step by step from the root, and no symbolic link is followed below it. A file
is either the old one or the new one, never half of either.
"""

import io
import os
import secrets
import shutil
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from core.artifacts.meta import ABSENT, CORRUPT, META_FILE, Meta, MetaFound, meta_in, meta_text
from core.domain.ids import Slug

FILE_BYTES_MAX: Final = 16 * 1024 * 1024
FILE_MODE: Final = 0o644
_TEMPORARY: Final = ".writing-"
_ZIP_TIME: Final = (
    1980,
    1,
    1,
    0,
    0,
    0,
)  # the earliest a zip can say: the same files, the same bytes
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class FolderError(Exception):
    """Something in a folder of artifacts. The cause is chained."""

    def __init__(self, slug: str, name: str | None = None) -> None:
        super().__init__(f"{slug}/{name}" if name else slug)
        self.slug = slug
        self.name = name


class Unreadable(FolderError):  # noqa: N818 (a state of the file, as its callers say it)
    """It is there, but cannot be read as a text file."""


class WriteFailed(FolderError):  # noqa: N818 (as above)
    """It could not be written; what was there before is still there."""


class UnsafeName(FolderError):  # noqa: N818 (as above)
    """A name that is no plain name, and could lead out of the folder."""


class Folder:
    """The artifact folders below one root."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def prepare(self, slug: Slug) -> bool:
        """Make sure that the folder is there, rid of what a kill left. True if it had to be made.

        Only for whoever writes the folder: a file that is being written would be swept, too.
        """
        path = self._root / _plain(slug)
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                path.mkdir()
                return True
            with self._opened(slug) as folder:
                _sweep(folder)
                return False
        except OSError as cause:
            raise WriteFailed(slug) from cause

    def read(self, slug: Slug, name: str) -> str | None:
        """The file's text, or None if there is no such file. Raises `Unreadable`."""
        _plain(slug, name)
        try:
            with self._opened(slug) as folder:
                return _bytes_of(folder, name).decode("utf-8-sig")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as cause:
            raise Unreadable(slug, name) from cause

    def write(self, slug: Slug, name: str, text: str) -> None:
        """Replace the file as a whole, or leave it as it was. Raises `WriteFailed`."""
        _plain(slug, name)
        try:
            content = text.encode()
            with self._opened(slug) as folder:
                _refuse_all_but_files(folder, name)
                _replace(folder, name, content)
        except (OSError, UnicodeEncodeError) as cause:
            raise WriteFailed(slug, name) from cause

    def read_meta(self, slug: Slug, now: datetime) -> MetaFound:
        """What `meta.json` says. One that says nothing is set aside under a name with the time."""
        try:
            text = self.read(slug, META_FILE)
        except Unreadable:
            return self._set_aside(slug, now)
        if text is None:
            return MetaFound("absent", faults=(ABSENT,))
        return meta_in(text) or self._set_aside(slug, now)

    def write_meta(self, slug: Slug, meta: Meta) -> None:
        """Write `meta.json`; keys of others stay. Raises `WriteFailed`."""
        try:
            existing = self.read(slug, META_FILE)
        except Unreadable:
            existing = None
        self.write(slug, META_FILE, meta_text(meta, existing))

    def listing(self, slug: Slug) -> tuple[str, ...]:
        """The names of its files, sorted; no folders, links or hidden files."""
        _plain(slug)
        try:
            with self._opened(slug) as folder:
                names = sorted(name for name in _names(folder) if not name.startswith("."))
                return tuple(name for name in names if _is_file(folder, name))
        except FileNotFoundError:
            return ()
        except OSError as cause:
            raise Unreadable(slug) from cause

    def zip(self, slug: Slug) -> bytes:
        """All its files in one archive; the same files give the same bytes."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in self.listing(slug):
                info = zipfile.ZipInfo(f"{slug}/{name}", _ZIP_TIME)
                info.external_attr = (stat.S_IFREG | FILE_MODE) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, self._content(slug, name))
        return packed.getvalue()

    def delete(self, slug: Slug) -> None:
        """Remove the folder and all that is in it. Raises `WriteFailed`."""
        path = self._root / _plain(slug)
        try:
            shutil.rmtree(path)  # refuses a link, and follows none inside
        except FileNotFoundError:
            return
        except OSError as cause:
            raise WriteFailed(slug) from cause

    def _content(self, slug: Slug, name: str) -> bytes:
        try:
            with self._opened(slug) as folder:
                return _bytes_of(folder, name)
        except OSError as cause:
            raise Unreadable(slug, name) from cause

    def _set_aside(self, slug: Slug, now: datetime) -> MetaFound:
        """Keep the file under another name; if even that fails, it stays where it is."""
        kept_as = f"{META_FILE}.corrupt-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
        try:
            with self._opened(slug) as folder:
                kept_as = _free_name(folder, kept_as)
                os.rename(META_FILE, kept_as, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            return MetaFound("corrupt", faults=(CORRUPT,))
        return MetaFound("corrupt", faults=(CORRUPT,), kept_as=kept_as)

    @contextmanager
    def _opened(self, slug: Slug) -> Iterator[int]:
        """The folder itself, held open, so that nobody can swap it for a link meanwhile."""
        descriptor = os.open(self._root / slug, _DIRECTORY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


def _plain(slug: str, name: str | None = None) -> str:
    """Refuse what could lead elsewhere: separators, dots alone, hidden names, nothing at all."""
    for part in (slug, slug if name is None else name):
        if not part or part.startswith(".") or any(sign in part for sign in "/\\\0"):
            raise UnsafeName(slug, name)
    return slug


def _names(folder: int) -> list[str]:
    return os.listdir(folder)


def _is_file(folder: int, name: str) -> bool:
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return False
    return stat.S_ISREG(mode)


def _refuse_all_but_files(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(f"{name} is no regular file")


def _bytes_of(folder: int, name: str) -> bytes:
    descriptor = os.open(name, _READ, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > FILE_BYTES_MAX:
            raise OSError(f"{name} is no regular file of at most {FILE_BYTES_MAX} bytes")
        return file.read()


def _replace(folder: int, name: str, content: bytes) -> None:
    temporary = f"{_TEMPORARY}{secrets.token_hex(8)}"
    try:
        with os.fdopen(os.open(temporary, _CREATE, FILE_MODE, dir_fd=folder), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)  # the name, too, has to survive a power cut


def _sweep(folder: int) -> None:
    for name in _names(folder):
        if name.startswith(_TEMPORARY):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)


def _free_name(folder: int, name: str) -> str:
    taken, number, candidate = set(_names(folder)), 2, name
    while candidate in taken:
        candidate, number = f"{name}-{number}", number + 1
    return candidate
