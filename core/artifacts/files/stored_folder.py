"""The artifacts of sessions as rows of the database: names, promises and faults as on disk.

What lies beside a folder on disk (forensics, copies of what was taken up) has it in its name here.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from core.artifacts.files import safe_dir
from core.artifacts.files.folder import (
    FORENSICS,
    TAKEN_UP,
    Folder,
    plain,
    reading,
    writing,
)
from core.artifacts.files.state import ROSTER, TEAMS, TeamError, Teams, roster_text
from core.domain.ids import PersonaKey, SessionId, Slug
from core.ports import StoredFiles

BESIDE: Final = (f"{FORENSICS}/", f"{TAKEN_UP}/")
NO_TEAM: Final = ""


class StoredFolder(Folder):
    """As `Folder`, over rows."""

    def __init__(self, rows: StoredFiles) -> None:
        super().__init__(Path())
        self._rows = rows

    def prepare(self, slug: Slug) -> bool:
        """True if there is no file yet. Raises `WriteFailed`."""
        plain(slug)
        with writing(slug):
            return not self._names(slug)

    def trouble(self) -> str:
        """Why nothing can be read; empty where it can. Whether the database can be written to is
        looked at for itself."""
        try:
            self._rows.names(NO_TEAM, TEAMS)
        except OSError as cause:
            return cause.strerror or type(cause).__name__
        return ""

    def put(self, slug: Slug, name: str, content: bytes) -> None:
        """Replace the file as a whole, or leave it as it was. Raises `WriteFailed`."""
        plain(slug, name)
        self._put(slug, {name: content})

    def remove(self, slug: Slug, name: str) -> None:
        """Take a file away; one that is gone is taken away. Raises `WriteFailed`."""
        plain(slug, name)
        with writing(slug, name):
            self._rows.delete(self._of_team, slug, (name,))

    def listing(self, slug: Slug) -> tuple[str, ...]:
        """The names of its files, sorted. Raises `Unreadable`."""
        plain(slug)
        with reading(slug):
            return tuple(name for name in self._names(slug) if "/" not in name)

    def write_below(self, slug: Slug, below: str, name: str, text: str) -> None:
        """Write a file in a folder of the folder. Raises `WriteFailed`."""
        plain(slug, name)
        plain(slug, below)
        self._put(slug, {f"{below}/{name}": text.encode(errors="replace")})

    def preserve(self, slug: Slug, number: int, files: Mapping[str, str]) -> str:
        """Keep what is known of a halted session; under which path. Raises `WriteFailed`."""
        place = f"{FORENSICS}/fatal-{number:03d}"
        contents = {
            f"{place}/{name}": text.encode(errors="replace") for name, text in files.items()
        }
        self._put(plain(slug), contents)
        return self._path(slug, place)

    def keep_aside(self, slug: Slug, name: str) -> str:
        """Copy all files as they are; under which path. Twice is once. Raises `WriteFailed`."""
        plain(slug, name)
        aside = f"{TAKEN_UP}/{name}"
        with writing(slug, TAKEN_UP):
            names = self._names(slug)
            if not any(file.startswith(f"{aside}/") for file in names):
                own = (file for file in names if not file.startswith(BESIDE))
                contents = {f"{aside}/{file}": self._bytes_of(slug, file) for file in own}
                self._rows.write(self._of_team, slug, contents)
        return self._path(slug, aside)

    def bring_in(self, source: Path, slug: Slug) -> None:
        """Copy a folder from a disk, whole or not at all. Raises `WriteFailed`."""
        with writing(slug):
            files = (path for path in source.rglob("*") if path.is_file() and not path.is_symlink())
            contents = {path.relative_to(source).as_posix(): path.read_bytes() for path in files}
            self._rows.write(self._of_team, plain(slug), contents)

    def kept_of(self, slug: Slug) -> tuple[str, ...]:
        """Every file that `delete` would take, as it would lie below a root."""
        return tuple(sorted(self._path(slug, name) for name in self._names(plain(slug))))

    def delete(self, slug: Slug) -> None:
        """Nothing: rows of a session go with the others of it. Raises `UnsafeName`."""
        plain(slug)

    def delete_all(self) -> None:
        """Nothing: rows of a workspace go with the others of it."""

    @property
    def _of_team(self) -> str:
        return self._team[0] if self._team else NO_TEAM

    def _names(self, slug: str) -> tuple[str, ...]:
        return self._rows.names(self._of_team, slug)

    def _bytes_of(self, slug: Slug, name: str) -> bytes:
        content = self._rows.read(self._of_team, slug, name)
        if content is None:
            raise FileNotFoundError(2, "No such file or directory", name)
        return content

    def _put(self, slug: str, contents: Mapping[str, bytes]) -> None:
        with writing(slug, next(iter(contents))):
            self._rows.write(self._of_team, slug, contents)

    def _rename(self, slug: Slug, name: str, wanted: str) -> str:
        new = safe_dir.free_name(self._names(slug), wanted)
        self._rows.write(self._of_team, slug, {new: self._bytes_of(slug, name)}, (name,))
        return new

    def _path(self, slug: str, name: str) -> str:
        """Where it would lie below a root on disk."""
        beside = next((place for place in BESIDE if name.startswith(place)), "")
        return f"{beside}{'/'.join((*self._team, slug))}/{name.removeprefix(beside)}"


class StoredTeams(Teams):
    """As `Teams`, over rows."""

    def __init__(self, rows: StoredFiles) -> None:
        super().__init__(Path())
        self._rows = rows

    def create(self, session: SessionId, members: Collection[PersonaKey]) -> None:
        """Make the team, with its roster. Twice is once. Raises `TeamError`."""
        try:
            self._rows.write(NO_TEAM, TEAMS, {f"{session}/{ROSTER}": roster_text(members).encode()})
        except OSError as cause:
            raise TeamError(cause.strerror or type(cause).__name__) from cause

    def delete(self, session: SessionId) -> None:
        """Remove it; one that is gone is removed. Raises `TeamError`."""
        try:
            self._rows.delete(NO_TEAM, TEAMS, (f"{session}/{ROSTER}",))
        except OSError as cause:
            raise TeamError(cause.strerror or type(cause).__name__) from cause

    def sweep(self, running: Collection[SessionId]) -> tuple[str, ...]:
        """Remove what a failed clean-up left behind (E-010); the names of what is gone."""
        try:
            names = {name.partition("/")[0] for name in self._rows.names(NO_TEAM, TEAMS)}
            gone = sorted(names - set(running))
            self._rows.delete(NO_TEAM, TEAMS, [f"{name}/{ROSTER}" for name in gone])
        except OSError:
            return ()
        return tuple(gone)
