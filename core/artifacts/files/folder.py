"""The folder of a session's artifacts on disk: `root/{team}/{slug}/`, plain files, plain names.

Every path is opened step by step from the root, and no symbolic link is followed below it. A file
is either the old one or the new one, never half of either.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from core.artifacts.files import permissions, safe_dir
from core.artifacts.files.meta import (
    ABSENT,
    CORRUPT,
    META_FILE,
    Meta,
    MetaFound,
    meta_in,
    meta_text,
)
from core.domain.ids import Slug, TeamId


class FolderError(Exception):
    """Something in a folder of artifacts. The cause is chained."""

    def __init__(self, slug: str, name: str | None = None) -> None:
        super().__init__(f"{slug}/{name}" if name else slug)

    @property
    def reason(self) -> str:
        """What the system says of it; the name where it says nothing."""
        return getattr(self.__cause__, "strerror", None) or str(self.__cause__ or self)


class Unreadable(FolderError):  # noqa: N818 (a state of the file, as its callers say it)
    """It is there, but cannot be read as a text file."""


class WriteFailed(FolderError):  # noqa: N818 (as above)
    """It could not be written; what was there before is still there."""


class UnsafeName(FolderError):  # noqa: N818 (as above)
    """A name that is no plain name, or a link in the place of the folder: it could lead out."""


FORENSICS: Final = "_forensics"  # no slug begins with an underscore
TAKEN_UP: Final = "_taken-up"  # folders as they were when a session took them up
REPORTS: Final = "reports"


class Folder:
    """The artifact folders of one workspace below a root; `of` says of which.

    One that was asked for no workspace has its folders in the root itself.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._team: tuple[str, ...] = ()

    def of(self, team: TeamId) -> Self:
        """The same root, seen from a workspace. Raises `UnsafeName`."""
        folder = copy(self)
        folder._team = (plain(team),)
        return folder

    def prepare(self, slug: Slug) -> bool:
        """Make sure that the folder is there, rid of what a kill left. True if it had to be made.

        Only for whoever writes the folder: a file that is being written would be swept, too.

        Raises `UnsafeName` where a link has its name, `WriteFailed` where it cannot be made.
        """
        path = self._place(slug)
        if path.is_symlink():
            raise UnsafeName(slug)
        with writing(slug):
            if permissions.make_below(self._root, path):
                return True
            with self._opened(slug) as folder:
                safe_dir.sweep(folder)
            return False

    def trouble(self) -> str:
        """Why nothing can be written below the root; empty where a file can. Leaves nothing."""
        place = self._root.joinpath(*self._team).absolute()
        while not place.exists() and place != place.parent:
            place = place.parent  # where the root would be made
        try:
            with tempfile.TemporaryFile(dir=place):
                return ""
        except OSError as cause:
            return cause.strerror or type(cause).__name__

    def read(self, slug: Slug, name: str) -> str | None:
        """The file's text, or None if there is no such file. Raises `Unreadable`."""
        plain(slug, name)
        with reading(slug, name), suppress(FileNotFoundError):
            return self._bytes_of(slug, name).decode("utf-8-sig")
        return None

    def content(self, slug: Slug, name: str) -> bytes:
        """The file's bytes. Raises `Unreadable`, also where there is no such file."""
        plain(slug, name)
        with reading(slug, name):
            return self._bytes_of(slug, name)

    def write(self, slug: Slug, name: str, text: str) -> None:
        """As `put`, of a text. Raises `WriteFailed`."""
        with writing(slug, name):
            content = text.encode()
        self.put(slug, name, content)

    def put(self, slug: Slug, name: str, content: bytes) -> None:
        """Replace the file as a whole, or leave it as it was. Raises `WriteFailed`."""
        plain(slug, name)
        with writing(slug, name), self._opened(slug) as folder:
            safe_dir.replace(folder, name, content)

    def remove(self, slug: Slug, name: str) -> None:
        """Take a file away; one that is gone is taken away. Raises `WriteFailed`."""
        plain(slug, name)
        with writing(slug, name), self._opened(slug) as folder, suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)

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
        """The names of its files, sorted; no folders, links or hidden files.

        Raises `Unreadable`.
        """
        plain(slug)
        with reading(slug), suppress(FileNotFoundError), self._opened(slug) as folder:
            names = sorted(name for name in safe_dir.names(folder) if not name.startswith("."))
            return tuple(name for name in names if safe_dir.is_file(folder, name))
        return ()

    def names(self, slug: Slug) -> tuple[str, ...]:
        """As `listing`, and nothing where it cannot be read."""
        try:
            return self.listing(slug)
        except FolderError:
            return ()

    def write_below(self, slug: Slug, below: str, name: str, text: str) -> None:
        """Write a file in a folder of the folder, which is made. Raises `WriteFailed`."""
        plain(slug, name)
        plain(slug, below)
        with (
            writing(slug, f"{below}/{name}"),
            self._opened(slug) as folder,
            safe_dir.made_below(folder, below) as inner,
        ):
            safe_dir.replace(inner, name, text.encode(errors="replace"))

    def preserve(self, slug: Slug, number: int, files: Mapping[str, str]) -> str:
        """Keep what is known of a halted session; the path below the root. Raises `WriteFailed`."""
        parts = (FORENSICS, *self._team, plain(slug), f"fatal-{number:03d}")
        with writing(slug, FORENSICS):
            permissions.make_private(self._root)
            with self._within() as root, safe_dir.made_below(root, *parts) as folder:
                for name, text in files.items():
                    safe_dir.replace(folder, name, text.encode(errors="replace"))
        return "/".join(parts)

    def keep_aside(self, slug: Slug, name: str) -> str:
        """Copy the whole folder as it is; the path below the root. Twice under a name is once.

        Raises `WriteFailed`; then nothing is there under that name.
        """
        plain(slug, name)
        aside = self._root.joinpath(TAKEN_UP, *self._team, slug)
        with writing(slug, TAKEN_UP), self._opened(slug):  # no link in its place
            permissions.make_below(self._root, aside)
            _copied(self._place(slug), aside / name)
        return "/".join((TAKEN_UP, *self._team, slug, name))

    def bring_in(self, source: Path, slug: Slug) -> None:
        """Copy a folder from elsewhere, whole or not at all. Raises `WriteFailed`."""
        with writing(slug):
            place = self._place(slug)
            permissions.make_below(self._root, place.parent)
            _copied(source, place)

    def kept_of(self, slug: Slug) -> tuple[str, ...]:
        """Every file that `delete` would take, below the root."""
        below = (*self._team, plain(slug))
        places = (self._root.joinpath(beside, *below) for beside in ("", FORENSICS, TAKEN_UP))
        files = (path for place in places for path in place.rglob("*") if not path.is_dir())
        return tuple(sorted(path.relative_to(self._root).as_posix() for path in files))

    def delete(self, slug: Slug) -> None:
        """Remove the folder and what was kept of it beside. Raises `WriteFailed`."""
        plain(slug)
        with writing(slug):
            for beside in ((), (FORENSICS,), (TAKEN_UP,)):
                with suppress(FileNotFoundError), self._within(*beside, *self._team) as folder:
                    shutil.rmtree(slug, dir_fd=folder)  # refuses a link, and follows none inside

    def delete_all(self) -> None:
        """Remove every folder of the workspace and what was kept beside. Raises `WriteFailed`."""
        (team,) = self._team
        with writing(team):
            for beside in ((), (FORENSICS,), (TAKEN_UP,)):
                with suppress(FileNotFoundError), self._within(*beside) as folder:
                    shutil.rmtree(team, dir_fd=folder)  # as `delete`

    def _set_aside(self, slug: Slug, now: datetime) -> MetaFound:
        """Keep the file under another name; if even that fails, it stays where it is."""
        kept_as = f"{META_FILE}.corrupt-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
        try:
            kept_as = self._rename(slug, META_FILE, kept_as)
        except OSError:
            return MetaFound("corrupt", faults=(CORRUPT,))
        return MetaFound("corrupt", faults=(CORRUPT,), kept_as=kept_as)

    def _bytes_of(self, slug: Slug, name: str) -> bytes:
        with self._opened(slug) as folder:
            return safe_dir.bytes_of(folder, name)

    def _rename(self, slug: Slug, name: str, wanted: str) -> str:
        """Give a file the name that is wanted, or a free one like it; which."""
        with self._opened(slug) as folder:
            new = safe_dir.free_name(safe_dir.names(folder), wanted)
            os.rename(name, new, src_dir_fd=folder, dst_dir_fd=folder)
            return new

    def _opened(self, slug: Slug) -> AbstractContextManager[int]:
        """The folder itself, held open, so that nobody can swap it for a link meanwhile."""
        return self._within(*self._team, slug)

    @contextmanager
    def _within(self, *names: str) -> Iterator[int]:
        """A folder below the root, opened step by step; the root itself may be a link."""
        with ExitStack() as opened:
            folder = os.open(self._root, safe_dir.DIRECTORY & ~os.O_NOFOLLOW)
            opened.callback(os.close, folder)
            for name in names:
                folder = os.open(name, safe_dir.DIRECTORY, dir_fd=folder)
                opened.callback(os.close, folder)
            yield folder

    def _place(self, slug: str) -> Path:
        """Where the folder is to be. Raises `UnsafeName` where a link stands above it."""
        home = self._root.joinpath(*self._team)
        if self._team and home.is_symlink():
            raise UnsafeName(slug)
        return home / plain(slug)


@contextmanager
def reading(slug: str, name: str | None = None) -> Iterator[None]:
    """What the system refuses, or is no text, as `Unreadable`."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as cause:
        raise Unreadable(slug, name) from cause


@contextmanager
def writing(slug: str, name: str | None = None) -> Iterator[None]:
    """What the system refuses, as `WriteFailed`."""
    try:
        yield
    except (OSError, UnicodeEncodeError) as cause:
        raise WriteFailed(slug, name) from cause


def _copied(source: Path, target: Path) -> None:
    """All of a folder under another name; half a copy never has that name. Links stay links."""
    if target.exists():
        return
    half = Path(tempfile.mkdtemp(prefix=safe_dir.TEMPORARY, dir=target.parent))
    try:
        shutil.copytree(source, half, symlinks=True, dirs_exist_ok=True)
        permissions.take_permissions(half, target.parent)
        half.rename(target)
    except BaseException:
        shutil.rmtree(half, ignore_errors=True)
        raise


def plain(slug: str, name: str | None = None) -> str:
    """The slug. Raises `UnsafeName` for what could lead elsewhere: separators, hidden, empty."""
    for part in (slug, slug if name is None else name):
        if not part or part.startswith(".") or any(sign in part for sign in "/\\\0"):
            raise UnsafeName(slug, name)
    return slug
