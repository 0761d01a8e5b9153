"""Reads what lies in the folder of a session, and writes its artifacts one by one.

A file that cannot be written is told, and the rest is written.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import structlog

from core.artifacts.files.folder import Folder, FolderError, Unreadable, UnsafeName, WriteFailed
from core.artifacts.files.meta import CORRUPT, Acceptance, Meta, MetaFound, Owner, analysis_status
from core.artifacts.render.page import with_old_end
from core.domain import events as on
from core.domain.answers import Scan
from core.domain.ids import ChannelId, PhaseKey, Slug, StepId
from core.domain.session.course import PhaseState
from core.domain.session.session import Session
from core.engine.flow.folder import FolderOwner, is_taken
from core.ports import Clock, Directory
from core.secrets import kinds_of, redact
from core.store.queries.reader import Reader
from core.taxonomy.catalogue import META_CORRUPT_KNOWN

if TYPE_CHECKING:
    from core.artifacts.compose.stance_files import Voices

SOURCE: Final = "slack"
QUICK_SCAN: Final = "quick-scan.md"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ArtifactWriter:
    reader: Reader
    folder: Folder
    clock: Clock
    directory: Directory

    def look(self, session: Session) -> on.FolderFound:
        """What lies in the folder: nothing, ours, or what is not to be touched nor revealed."""
        folder_meta = self.folder.read_meta(session.slug, self._now())
        if is_taken(session, self._owner(session, folder_meta)):
            return on.FolderFound("taken")
        meta = folder_meta.meta
        if folder_meta.state == "absent":
            return on.FolderFound("new")
        if meta is None:
            return on.FolderFound("ours", faults=folder_meta.faults, kept_as=folder_meta.kept_as)
        if session.status != "starting":
            return on.FolderFound("ours", faults=folder_meta.faults, kept_as=folder_meta.kept_as,
                                  overrides=_overrides(meta), types=folder_meta.types)  # fmt: skip
        return on.FolderFound(
            "ours",
            tuple(StepId(step) for step in meta.steps_completed),
            tuple(PhaseKey(phase) for phase in meta.phases_completed),
            _overrides(meta),
            folder_meta.faults,
            folder_meta.kept_as,
            self._scan(session.slug),
            meta.created_at,
            tuple((PhaseKey(key), mark.by, mark.at) for key, mark in meta.acceptance.items()),
            folder_meta.types,
        )

    def _owner(self, session: Session, folder_meta: MetaFound) -> FolderOwner:
        if folder_meta.meta is None:
            looks = folder_meta.state == "absent" and session.status == "starting"
            files = self.folder.listing(session.slug) if looks else ()
            # a corrupt one that was not set aside: no folder, or none that we may write to
            return FolderOwner(
                folder_meta.state, has_files=bool(files), is_writable=bool(folder_meta.kept_as)
            )
        owner = folder_meta.meta.owner
        return FolderOwner(folder_meta.state, ChannelId(owner.channel), Slug(folder_meta.meta.slug))

    def _scan(self, slug: Slug) -> Scan | None:
        """The size that an earlier session found out; None where its file says nothing of it."""
        from core.artifacts.compose.analysis.quick_scan import parse_quick_scan

        try:
            text = self.folder.read(slug, QUICK_SCAN)
        except Unreadable:
            return None
        scan = parse_quick_scan(text) if text else Scan()
        return scan if scan != Scan() else None

    def keep_aside(self, session: Session, folder: on.FolderFound) -> None:
        """A folder that is taken up is kept as it was: from here on it is written anew."""
        if not (folder.steps_completed or folder.phases_completed):
            return
        try:
            self.folder.keep_aside(session.slug, _kept_as(session))
        except FolderError:  # it can be taken up all the same, and nothing is lost yet
            log.error("folder.not-kept", session=session.id, exc_info=True)

    def write(self, session: Session, step: StepId | None) -> Iterator[on.FileFault]:
        """Artifacts first, then meta.json; whatever fails is told and the rest is written."""
        slug = session.slug
        created = False
        try:
            created = self.folder.prepare(slug)
        except UnsafeName:
            yield on.FileFault("ERR-SEC-002", slug, "a link stands in the place of the folder")
            return
        except WriteFailed as error:
            for file in self._showing(session, step):
                yield on.FileFault("ERR-ART-002", file, why(error))
            yield on.FileFault("ERR-META-003", "meta.json", why(error))
            return
        if created:
            yield on.FileFault("ERR-ART-001", slug)
        from core.artifacts.compose.stance_files import voices_in

        voices = voices_in(self.reader, self.directory, session)
        for file in self._files(session, step):
            yield from self._write_file(session, file, voices)
        yield from self._write_meta(session)

    def _files(self, session: Session, step: StepId | None) -> list[str]:
        """Those with a section of this step and those that are missing; all without a step."""
        files = self._showing(session, step)
        existing = {*self.folder.listing(session.slug), *files}
        if step is None or existing.issuperset(self.reader.files(session.id)):
            return files
        return [*files, *(file for file in self._showing(session, None) if file not in existing)]

    def _showing(self, session: Session, step: StepId | None) -> list[str]:
        """The files that show this step; or any, in the order in which they begin."""
        if step is not None:
            return list(self.reader.files(session.id, step))
        return list(self.reader.shown_files(session.id))

    def _write_file(self, session: Session, file: str, voices: "Voices") -> Iterator[on.FileFault]:
        from core.artifacts.compose.stance_files import composed_file

        existing: str | None = None
        try:
            existing = self.folder.read(session.slug, file)
        except Unreadable as error:
            yield on.FileFault("ERR-ART-003", file, why(error))
        sections = self.reader.sections(session.id, file)
        if session.taken_up and existing is not None and file.endswith(".md"):
            existing = with_old_end(existing, frozenset(section.step for section in sections))
        text = composed_file(file, session, sections, existing, voices).text
        if text == existing:
            return
        if kinds := kinds_of(text):
            if file not in session.halt.redacted:
                yield on.FileFault("ERR-SEC-001", file, ", ".join(kinds))
                return
            text = redact(text)
        try:
            self.folder.write(session.slug, file, text)
        except WriteFailed as error:
            yield on.FileFault("ERR-ART-002", file, why(error))

    def _write_meta(self, session: Session) -> Iterator[on.FileFault]:
        meta = self.folder.read_meta(session.slug, self._now())
        yield from _meta_faults(meta)
        try:
            self.folder.write_meta(session.slug, self._meta(session))
        except WriteFailed as error:
            yield on.FileFault("ERR-META-003", "meta.json", why(error))

    def _meta(self, session: Session) -> Meta:
        finished = tuple(p.key for p in session.course.phases if p.status == "completed")
        places = {step: place for place, step in enumerate(self.reader.step_order(session.id))}
        last = len(places)
        if session.taken_up:
            places = {}  # most have no row
        done = sorted(set(session.course.done), key=lambda step: (places.get(step, last), step))
        return Meta(
            slug=session.slug,
            title=session.title,
            source=SOURCE,
            owner=Owner(session.team, session.channel),
            created_at=session.created_at,
            analysis_status=analysis_status(finished, tuple(p.key for p in session.course.phases)),
            phases_completed=finished,
            steps_completed=tuple(done),
            depth_overrides=dict(session.course.depths),
            acceptance={
                phase.key: Acceptance(self._accepted_by(session, phase), phase.accepted_at or "")
                for phase in session.course.phases
                if phase.status == "completed" and (phase.accepted_by or phase.accepted_before)
            },
        )

    def _accepted_by(self, session: Session, phase: PhaseState) -> str:
        user = phase.accepted_by
        if user is None:
            return phase.accepted_before
        return self.directory.names(session.team, (user,)).get(user, user)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self.clock.now(), UTC)


def why(error: FolderError) -> str:
    """Which file, and what the system says about it."""
    return f"{error}: {error.reason}" if error.__cause__ else str(error)


def _kept_as(session: Session) -> str:
    """When it began; a session that was read from a damaged row has only its id left."""
    if not session.created_at:
        return session.id
    return f"{datetime.fromisoformat(session.created_at):%Y%m%dT%H%M%SZ}"


def _overrides(meta: Meta) -> tuple[tuple[str, str], ...]:
    return tuple((str(phase), str(depth)) for phase, depth in meta.depth_overrides.items())


def _meta_faults(meta: MetaFound) -> Iterator[on.FileFault]:
    for code in meta.faults:
        message = None
        if code == CORRUPT and meta.kept_as:
            message = META_CORRUPT_KNOWN.format(name=meta.kept_as)
        actual = meta.types.get(code, "")
        yield on.FileFault(code, "meta.json", actual=actual, message=message)
