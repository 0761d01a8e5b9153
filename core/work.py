"""The work a session asks for: reading the step tree, writing the folder. All of it ends in events.

Every piece can be done twice with the same result, so a crash between doing it and committing its
event costs nothing but the doing.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, assert_never

import structlog

from core.artifacts.folder import (
    REPORTS,
    Folder,
    FolderError,
    Unreadable,
    UnsafeName,
    WriteFailed,
)
from core.artifacts.meta import ABSENT, CORRUPT, Acceptance, Meta, MetaFound, Owner, analysis_status
from core.artifacts.report import environment, report_of
from core.artifacts.state import STATE_FILE, TeamError, Teams, state_text
from core.artifacts.writing import composed, voices_in
from core.content.library import Library
from core.domain import effects as fx
from core.domain import events as on
from core.domain.faults import record_of
from core.domain.ids import (
    ChannelId,
    Digest,
    Export,
    PersonaKey,
    PhaseKey,
    SessionId,
    Slug,
    StepId,
    TeamId,
    UserId,
)
from core.domain.party import Party
from core.domain.playbook import AgentFile, Phase, PinnedFile
from core.domain.session import Session
from core.ports import Clock, Directory
from core.runtime import Runtime
from core.secrets import redact
from core.secrets.named import kinds_of
from core.store.codec import dump_session
from core.taxonomy.catalogue import META_CORRUPT_KNOWN

if TYPE_CHECKING:
    from core.artifacts.voices import Voices

SOURCE: Final = "slack"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Worker:
    runtime: Runtime
    library: Library
    folder: Folder
    clock: Clock
    directory: Directory
    teams: Teams
    brain: Callable[[], str] = lambda: "scripted"  # what it is called; empty: it cannot be loaded
    channel_name: Callable[[TeamId, ChannelId], str] = lambda _team, _channel: ""

    def do(self, session: Session, effect: fx.Work) -> on.Event:
        """Perform one piece of work and say what came of it."""
        match effect:
            case fx.OpenFlow(respond_to):
                return self._open_flow(session, respond_to)
            case fx.OpenPhase(phase, look_at_folder):
                return self._open_phase(session, phase, look_at_folder)
            case fx.OpenStep(phase, file, step):
                found = self._storable(self.library.open_step(
                    session.tree, phase, file, self._personas(session)))  # fmt: skip
                return on.StepOpened(self.clock.now(), found, step)
            case fx.WriteFolder(step, aside):
                faults = tuple(self._write(session, step))
                return on.FolderWritten(self.clock.now(), step, faults, aside)
            case fx.PreserveState():
                return self._preserve(session, effect)
            case fx.WriteReport():
                return self._report(session, effect)
            case fx.CreateTeam(members):
                return self._create_team(session, members)
            case fx.DeleteTeam():
                return self._delete_team(session)
            case fx.WriteState(final):
                return self._write_state(session, final=final)
            case _:
                assert_never(effect)

    # ── the party's team and what is known of its progress ──

    def _create_team(
        self, session: Session, members: tuple[PersonaKey, ...]
    ) -> on.TeamCreated | on.TeamRefused:
        try:
            self.teams.create(session.id, members)
        except TeamError as error:
            return on.TeamRefused(self.clock.now(), str(error))
        return on.TeamCreated(self.clock.now())

    def _delete_team(self, session: Session) -> on.TeamDeleted:
        try:
            self.teams.delete(session.id)
        except TeamError as error:
            return on.TeamDeleted(self.clock.now(), ok=False, detail=str(error))
        return on.TeamDeleted(self.clock.now(), ok=True)

    def _write_state(self, session: Session, *, final: bool) -> on.StateWritten:
        try:
            self.folder.prepare(session.slug)
            if session.mode == "party":
                self.folder.write(session.slug, STATE_FILE, state_text(session))
            else:  # it fell back: what was known of the party is cleared
                self.folder.remove(session.slug, STATE_FILE)
        except FolderError as error:
            return on.StateWritten(self.clock.now(), ok=False, final=final, detail=_why(error))
        return on.StateWritten(self.clock.now(), ok=True, final=final)

    # ── what is kept when something failed ──

    def _preserve(self, session: Session, effect: fx.PreserveState) -> on.StatePreserved:
        """State, receipt and redacted environment (seed 004, `snapshot_state_to_forensics`)."""
        fault = self.runtime.reader.fault(effect.fault)
        record = json.dumps(record_of(fault, session.flow), indent=2, ensure_ascii=False)
        files = {
            "state.json": redact(session.damage or dump_session(session)),
            "receipt.json": redact(record),
            "environment.json": json.dumps(environment(), indent=2),
        }
        try:
            path = self.folder.preserve(session.slug, effect.number, files)
        except FolderError as error:
            log.error("forensics.failed", session=session.id, exc_info=True)
            return on.StatePreserved(self.clock.now(), "", effect.fault, _why(error))
        return on.StatePreserved(self.clock.now(), path, effect.fault)

    def _report(self, session: Session, effect: fx.WriteReport) -> on.ReportWritten:
        state = self.runtime.reader.step_state(session.id, effect.step)
        name = f"step-{effect.step}-{effect.tier}.md"
        text = report_of(effect, state.title if state else effect.step)
        try:
            self.folder.write_below(session.slug, REPORTS, name, redact(text))
        except FolderError as error:
            return on.ReportWritten(self.clock.now(), effect.step, "", _why(error))
        return on.ReportWritten(self.clock.now(), effect.step, f"{REPORTS}/{name}")

    # ── the step tree ──

    def _open_flow(self, session: Session, respond_to: str | None) -> on.FlowOpened:
        agent = self.library.read_agent(session.tree)
        party = self._party(session)
        digest, fault = None, None
        if isinstance(agent, AgentFile):
            digest = Digest(hashlib.sha256(repr(agent.personas).encode()).hexdigest())
            self.runtime.keep_personas(digest, agent.personas)
        else:
            fault = agent.code
        counts = self.library.count(session.tree)
        phases = tuple(
            (phase, counts.get(phase.key, 0)) for phase in self.library.phases(session.tree)
        )
        found = self._look(session)
        checks = self._preflight(phases, fault)
        for check in checks:
            if not check.ok:
                log.warning("preflight.failed", session=session.id, what=check.what,
                            method=check.method, found=check.found)  # fmt: skip
        return on.FlowOpened(
            self.clock.now(), digest, phases, found, fault, respond_to,
            self._short_questions(session), self._taken(session, found), checks, party,
        )  # fmt: skip

    def _party(self, session: Session) -> Digest | None:
        """Who sits at the table of a party; None where it is none, or its data is of no use."""
        if session.mode != "party":
            return None
        found = self.library.read_party()
        if not isinstance(found, Party):
            return None
        digest = Digest(hashlib.sha256(repr(found).encode()).hexdigest())
        self.runtime.keep_party(digest, found)
        return digest

    def _preflight(
        self, phases: Collection[tuple[Phase, int]], fault: str | None
    ) -> tuple[on.Checked, ...]:
        """What a session needs, each with its way of checking (seed 002, prevention).

        That the database can be written is known when this is saved; that we may post here, when
        the card stands. Only these two refuse a start: every other failure goes its code's way.
        """
        steps = sum(count for _, count in phases)
        trouble, brain = self.folder.trouble(), self.brain()
        return (
            on.Checked("step tree", "list its folders", steps > 0, f"{steps} step files"),
            on.Checked("agent file", "read and parse it", fault is None, fault or ""),
            on.Checked("folder", "write a file and remove it", not trouble, trouble),
            on.Checked("brain", "load it", bool(brain), brain),
            on.Checked("database", "save this line", ok=True),
            on.Checked("channel", "post the card", ok=True, found="the next thing that is done"),
        )

    def _short_questions(self, session: Session) -> int:
        files = self.library.step_files(session.tree)
        return sum(1 for file in files if file.front is not None and file.front.get("short"))

    def _open_phase(self, session: Session, phase: PhaseKey, look: bool) -> on.PhaseOpened:
        opened = self.library.open_phase(session.tree, phase, self._personas(session))
        return on.PhaseOpened(
            self.clock.now(),
            phase,
            tuple(self._storable(file) for file in opened.pinned),
            opened.fault.code if opened.fault else None,
            self._look(session) if look else None,
        )

    def _storable(self, file: PinnedFile) -> PinnedFile:
        """Front matter we do not know may hold what JSON cannot: it stays in the file."""
        if file.step is None or not file.step.extra:
            return file
        kept = {key: str(value) for key, value in file.step.extra.items()}
        return replace(file, step=replace(file.step, extra=kept))

    def _personas(self, session: Session) -> frozenset[PersonaKey]:
        known = self.runtime.reader.personas(session)
        return frozenset(persona.key for persona in known)

    # ── the folder ──

    def _look(self, session: Session) -> on.FolderFound:
        """What lies in the folder: nothing, ours, or what is not to be touched nor revealed."""
        found = self.folder.read_meta(session.slug, self._now())
        starting = session.status == "starting"
        if found.state == "absent":
            strange = starting and self.folder.listing(session.slug)
            return on.FolderFound("taken" if strange else "new")
        if starting and found.state == "corrupt" and found.kept_as is None:
            return on.FolderFound("taken")  # no folder, or none that we may write to
        meta = found.meta
        if meta is not None and not _belongs(meta, session):
            return on.FolderFound("taken")
        if meta is None:
            return on.FolderFound("ours", faults=found.faults, kept_as=found.kept_as)
        if not starting:
            return on.FolderFound("ours", faults=found.faults, kept_as=found.kept_as,
                                  overrides=_overrides(meta))  # fmt: skip
        return on.FolderFound(
            "ours",
            tuple(StepId(step) for step in meta.steps_completed),
            tuple(PhaseKey(phase) for phase in meta.phases_completed),
            _overrides(meta),
            found.faults,
            found.kept_as,
        )

    def _taken(self, session: Session, found: on.FolderFound) -> tuple[Slug, ...]:
        return (session.slug,) if found.state == "taken" else ()

    def _write(self, session: Session, step: StepId | None) -> Iterator[on.FileFault]:
        """Artifacts first, then meta.json; whatever fails is told and the rest is written."""
        slug = session.slug
        first = not session.done and step is None
        created = False
        try:
            created = self.folder.prepare(slug)
        except UnsafeName:
            yield on.FileFault("ERR-SEC-002", slug, "a link stands in the place of the folder")
            return
        except WriteFailed as error:
            for file in self._sections_of(session, step):
                yield on.FileFault("ERR-ART-002", file, _why(error))
            yield on.FileFault("ERR-META-003", "meta.json", _why(error))
            return
        if created and not first:
            yield on.FileFault("ERR-ART-001", slug)
        voices = voices_in(self.runtime.reader, self.directory, session)
        for file in self._files(session, step):
            yield from self._write_file(session, file, voices)
        yield from self._write_meta(session, first=first)

    def _files(self, session: Session, step: StepId | None) -> list[str]:
        """Those with a section of this step and those that are missing; all without a step."""
        every = self._sections_of(session, None)
        if step is None:
            return every
        mine = self._sections_of(session, step)
        there = set(self.folder.listing(session.slug))
        return [file for file in every if file in mine or file not in there]

    def _sections_of(self, session: Session, step: StepId | None) -> list[str]:
        """The files that show this step, or any."""
        shown = self.runtime.reader.shown_in(session.id)
        return list(dict.fromkeys(file for file, at in shown if step is None or at == step))

    def _write_file(self, session: Session, file: str, voices: "Voices") -> Iterator[on.FileFault]:
        existing: str | None = None
        try:
            existing = self.folder.read(session.slug, file)
        except Unreadable as error:
            yield on.FileFault("ERR-ART-003", file, _why(error))
        sections = self.runtime.reader.sections(session.id, file)
        text = composed(file, session, sections, existing, voices)
        if text == existing:
            return
        if found := kinds_of(text):
            if file not in session.redacts:
                yield on.FileFault("ERR-SEC-001", file, ", ".join(found))
                return
            text = redact(text)
        try:
            self.folder.write(session.slug, file, text)
        except WriteFailed as error:
            yield on.FileFault("ERR-ART-002", file, _why(error))

    def _write_meta(self, session: Session, *, first: bool) -> Iterator[on.FileFault]:
        found = self.folder.read_meta(session.slug, self._now())
        yield from _meta_faults(found, first=first)
        try:
            self.folder.write_meta(session.slug, self._meta(session))
        except WriteFailed as error:
            yield on.FileFault("ERR-META-003", "meta.json", _why(error))

    def _meta(self, session: Session) -> Meta:
        finished = tuple(p.key for p in session.phases if p.status == "completed")
        every = self.runtime.reader.all_steps(session.id)
        places = {state.id: place for place, state in enumerate(every)}
        last = len(places)
        done = sorted(set(session.done), key=lambda step: (places.get(step, last), step))
        return Meta(
            slug=session.slug,
            title=session.title,
            source=SOURCE,
            owner=Owner(session.team, session.channel),
            created_at=session.created_at,
            analysis_status=analysis_status(finished, tuple(p.key for p in session.phases)),
            phases_completed=finished,
            steps_completed=tuple(done),
            depth_overrides=dict(session.overrides),
            acceptance={
                phase.key: Acceptance(
                    self._name(session, phase.accepted_by), phase.accepted_at or ""
                )
                for phase in session.phases
                if phase.accepted_by
            },
        )

    def _name(self, session: Session, user: UserId) -> str:
        return self.directory.names(session.team, (user,)).get(user, user)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self.clock.now(), UTC)

    def export_of(self, session: SessionId, wanted: Export) -> tuple[tuple[str, bytes], ...]:
        """The files that were asked for, each with its name."""
        # The libraries that write a report are loaded when the first one is wanted.
        from core.artifacts.reporting.exporting import exported
        from core.artifacts.reporting.gathering import Gatherer

        reader = self.runtime.reader
        gatherer = Gatherer(reader, self.folder, self.directory, self.channel_name)
        return exported(gatherer, session, wanted)


def _why(error: FolderError) -> str:
    """Which file, and what the system says about it."""
    cause = error.__cause__
    words = cause.strerror if isinstance(cause, OSError) else None
    return f"{error}: {words or cause}" if cause else str(error)


def _belongs(meta: Meta, session: Session) -> bool:
    return meta.owner.channel == session.channel and meta.slug == session.slug


def _overrides(meta: Meta) -> tuple[tuple[str, str], ...]:
    return tuple((str(phase), str(depth)) for phase, depth in meta.depth_overrides.items())


def _meta_faults(found: MetaFound, *, first: bool) -> Iterator[on.FileFault]:
    for code in found.faults:
        if code == ABSENT and first:
            continue  # a start that creates folder and file is no fault
        message = None
        if code == CORRUPT and found.kept_as:
            message = META_CORRUPT_KNOWN.format(name=found.kept_as)
        yield on.FileFault(code, "meta.json", message=message)
