"""A folder from elsewhere, looked at before a session takes it up. Reads it; writes nothing.

Everything that speaks against it is found at once, each with its file and its place. What stands
there is never repeated: it may be a credential.
"""

import itertools
import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import patterns
from core.artifacts.files.meta import META_FILE, Meta, meta_in
from core.artifacts.files.meta_shape import flaws
from core.artifacts.files.safe_dir import FILE_BYTES_MAX, READ
from core.domain.ids import SLUG_CHARS_MAX
from core.secrets import LABELS, find, redact
from core.secrets.files import NotScanned, kinds_in_file

SLUG: Final = patterns.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NUMBER_CHARS_MAX: Final = 10  # of the number behind a slug
ENTRIES_MAX: Final = 2000  # files, folders and whatever else lies there
FOLDER_BYTES_MAX: Final = 64 * 1024 * 1024
PROBLEMS_MAX: Final = 200  # named; of a folder with more, nobody reads on


@dataclass(frozen=True, slots=True)
class FolderProblem:
    """Why it is not taken up: in which file, where in it, and what."""

    file: str
    place: str  # "line 3", "$.title"; empty: the file as a whole
    what: str

    def __str__(self) -> str:
        return f"{self.file}{f', {self.place}' if self.place else ''}: {self.what}"


@dataclass(frozen=True, slots=True)
class Arrival:
    """What lies in the folder. `meta` is None where it says nothing that could be used."""

    meta: Meta | None
    files: tuple[str, ...]  # below the folder, sorted
    bytes: int
    problems: tuple[FolderProblem, ...]


def _problem(name: str, problem: str, place: str = "") -> FolderProblem:
    """With the name as people see it: without credentials, and without what is no letter."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in redact(name))
    return FolderProblem(printable, place, problem)


def look(folder: Path) -> Arrival:
    """Look at everything in it, within bounds for the whole. Links are not followed."""
    if folder.is_symlink() or not folder.is_dir():
        problem = "it is a link" if folder.is_symlink() else "there is no such folder"
        return Arrival(None, (), 0, (FolderProblem(str(folder), "", problem),))
    problems: list[FolderProblem] = []
    files: dict[str, bytes] = {}
    size = 0
    for name in _below(folder, problems):
        content = _content(folder, name, problems)
        if content is None:
            continue
        files[name] = content
        size += len(content)
        if size > FOLDER_BYTES_MAX:
            limit = FOLDER_BYTES_MAX // 1024 // 1024
            problems.append(_problem(folder.name, f"it holds more than {limit} MB"))
            break
    for name, content in sorted(files.items()):
        room = max(0, PROBLEMS_MAX - len(problems))
        problems += itertools.islice(_credentials(name, content), room)
    meta = _meta(files.get(META_FILE), problems)
    return Arrival(meta, tuple(sorted(files)), size, tuple(problems[:PROBLEMS_MAX]))


def _below(folder: Path, problems: list[FolderProblem]) -> Iterator[str]:
    """The regular files, by their names below the folder; none after `ENTRIES_MAX` entries."""

    def unreadable(error: OSError) -> None:
        name = os.path.relpath(error.filename or folder, folder)
        problems.append(_problem(name, f"it cannot be read: {error.strerror}"))

    entries = 0
    for directory, below, names in os.walk(folder, onerror=unreadable):
        entries += len(below) + len(names)
        if entries > ENTRIES_MAX:
            problem = f"it holds more than {ENTRIES_MAX} files and folders"
            problems.append(_problem(folder.name, problem))
            return
        below.sort()
        for name in sorted((*below, *names)):
            path = Path(directory) / name
            relative = path.relative_to(folder).as_posix()
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode):
                yield relative
            elif not stat.S_ISDIR(mode):
                problem = "it is a link" if stat.S_ISLNK(mode) else "it is no file"
                problems.append(_problem(relative, problem))


def _content(folder: Path, name: str, problems: list[FolderProblem]) -> bytes | None:
    try:
        with os.fdopen(os.open(folder / name, READ), "rb") as file:
            content = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        problems.append(_problem(name, f"it cannot be read: {error.strerror}"))
        return None
    if len(content) > FILE_BYTES_MAX:
        problem = f"it is larger than {FILE_BYTES_MAX // 1024 // 1024} MB"
        problems.append(_problem(name, problem))
        return None
    return content


def _credentials(name: str, content: bytes) -> Iterator[FolderProblem]:
    text = content.decode("utf-8", "replace")
    for secret in find(name):
        yield _problem(name, f"it holds {LABELS.get(secret.kind, secret.kind)}", "its name")
    secrets = find(text)
    for secret in secrets:
        line = text.count("\n", 0, secret.start) + 1
        yield _problem(name, f"it holds {LABELS.get(secret.kind, secret.kind)}", f"line {line}")
    if not secrets:
        # What is no plain text: in another encoding, or in an archive that can be looked into.
        with suppress(NotScanned):
            yield from (_problem(name, f"it holds {kind}") for kind in kinds_in_file(content))


def _meta(content: bytes | None, problems: list[FolderProblem]) -> Meta | None:
    if content is None:
        if not any(problem.file == META_FILE for problem in problems):
            problems.append(_problem(META_FILE, "it is missing"))
        return None
    try:
        text = content.decode("utf-8-sig")
        value = json.loads(text)
    except json.JSONDecodeError as error:
        problems.append(_problem(META_FILE, f"it is no JSON: {error.msg}", f"line {error.lineno}"))
        return None
    except (ValueError, RecursionError):
        problems.append(_problem(META_FILE, "it is no text in UTF-8, or no JSON"))
        return None
    wrong = [_problem(META_FILE, problem, redact(place)) for place, problem in flaws(value)]
    read = meta_in(text)
    meta = read.meta if read else None
    if meta is None:
        problems += wrong or [_problem(META_FILE, "it is no JSON: NaN or Infinity")]
        return None
    problems += wrong
    if meta.slug and not _is_slug(meta.slug):
        reason = "it is no slug (small letters, digits and single hyphens)"
        problems.append(_problem(META_FILE, reason, "$.slug"))
    if not meta.title.strip():
        problems.append(_problem(META_FILE, "it is empty", "$.title"))
    return meta


def _is_slug(text: str) -> bool:
    return len(text) <= SLUG_CHARS_MAX + NUMBER_CHARS_MAX and SLUG.fullmatch(text) is not None
