"""What taking a folder up comes to: everything that speaks against it, or what will be done."""

import filecmp
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from bot.cli.adopt.fitting import Fit, Kind, fit
from bot.server.settings import Settings
from bot.views.start import TITLE_CHARS_MAX
from core import patterns
from core.artifacts.files.arrival import ENTRIES_MAX, FolderProblem, look
from core.artifacts.files.meta import META_FILE, Meta
from core.content.library import Library, default_steps_dir
from core.domain.ids import ChannelId, Slug
from core.ports import Summary, Workspace
from core.store.connection.database import Database
from core.store.queries.reader import Reader

CHANNEL: Final = patterns.compile(r"[CG][A-Z0-9]+")
USER: Final = patterns.compile(r"[UW][A-Z0-9]+")
UNSAID: Final = (
    "what people said before: it is in no folder. Their answers cannot be edited, and what is done "
    "cannot be gone back to"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """`state`: it can be taken up, it was before, or something is wrong."""

    state: Literal["new", "there", "wrong"]
    folder: Path
    slug: Slug
    title: str
    channel: ChannelId
    owner: str | None
    meta: Meta | None
    fit: Fit | None
    files: tuple[str, ...]
    bytes: int
    in_place: bool  # it lies where the session's folder is to be
    copies: bool  # it has to be copied there
    problems: tuple[FolderProblem, ...]
    notes: tuple[str, ...]


def planned(
    settings: Settings,
    database: Database,
    workspace: Workspace,
    folder: Path,
    channel: str | None,
    owner: str | None,
    kind: Kind | None,
) -> Plan:
    """Look at everything, and write nothing."""
    arrival = look(folder)
    meta = arrival.meta
    slug = Slug(meta.slug if meta else "")
    place = settings.artifacts_dir / workspace.team / slug
    in_place = bool(slug) and place.exists() and folder.resolve() == place.resolve()
    where = ChannelId(channel or (meta.owner.channel if meta else ""))
    problems = [*arrival.problems, *_named(channel, owner, meta)]
    known = Reader(database).of_slug(workspace.team, slug) if slug else None
    title = " ".join(meta.title.split()) if meta else ""
    there = known is not None and (known.channel, known.title) == (where, title) and not problems
    if meta is not None and not problems and not there:
        problems += _clashes(settings, known, folder, place, in_place=in_place)
    library = Library(settings.steps_dir or default_steps_dir())
    fitted = fit(meta, arrival.files, library, kind) if meta else None
    state: Literal["there", "wrong", "new"] = "wrong" if problems else "there" if there else "new"
    return Plan(
        state,
        folder,
        slug,
        title,
        where,
        owner,
        meta,
        fitted,
        arrival.files,
        arrival.bytes,
        in_place,
        not in_place and not place.exists(),
        tuple(problems),
        tuple(_notes(meta, fitted, workspace, where)) if meta and fitted else (),
    )


def _named(channel: str | None, owner: str | None, meta: Meta | None) -> Iterator[FolderProblem]:
    if channel is not None and not CHANNEL.fullmatch(channel):
        what = f"{channel!r} is no channel's id (C…); it stands at the end of its details in Slack"
        yield FolderProblem("--channel", "", what)
    if channel is None and meta is not None and not CHANNEL.fullmatch(meta.owner.channel):
        yield FolderProblem(META_FILE, "$.owner.channel", "it is no channel's id: say --channel C…")
    if owner is not None and not USER.fullmatch(owner):
        what = f"{owner!r} is no person's id (U…); it stands in their profile in Slack"
        yield FolderProblem("--owner", "", what)
    if meta is not None and len(meta.title) > TITLE_CHARS_MAX:
        yield FolderProblem(META_FILE, "$.title", f"it is longer than {TITLE_CHARS_MAX} characters")


def _clashes(
    settings: Settings, known: Summary | None, folder: Path, place: Path, *, in_place: bool
) -> Iterator[FolderProblem]:
    if known is not None:
        what = f"{known.slug!r} is a session of {known.channel} ({known.status}) already"
        yield FolderProblem(META_FILE, "$.slug", what)
    elif settings.artifacts_dir.resolve().is_relative_to(folder.resolve()):
        yield FolderProblem(str(folder), "", "the artifacts folder lies in it")
    elif not in_place and place.exists() and not _same(folder, place):
        what = f"another folder stands in {place}: adopt that one, or move it away"
        yield FolderProblem(str(folder), "", what)


def _same(one: Path, other: Path) -> bool:
    """True if both hold the same files: a copy that was made before, and not begun with."""
    names = _file_names(one)
    if names != _file_names(other):
        return False
    return all(filecmp.cmp(one / name, other / name, shallow=False) for name in names)


def _file_names(folder: Path) -> list[str]:
    """At most one more than a folder may hold that is taken up."""
    paths = itertools.islice(folder.rglob("*"), ENTRIES_MAX + 1)
    return sorted(path.relative_to(folder).as_posix() for path in paths if path.is_file())


def _notes(meta: Meta, fitted: Fit, workspace: Workspace, channel: ChannelId) -> Iterator[str]:
    yield UNSAID
    yield from fitted.notes
    if meta.owner.channel != channel:
        yield f"{META_FILE}, $.owner.channel: {meta.owner.channel or 'none'}; it is {channel} now"
    if meta.owner.team != workspace.team:
        yield f"{META_FILE}, $.owner.team: {meta.owner.team or 'none'}; it is {workspace.team} now"
