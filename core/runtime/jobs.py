"""The work a session asks for: the step tree, the folder, a party's team. All of it ends in events.

Every piece can be done twice with the same result, so a crash between doing it and committing its
event costs nothing but the doing.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

import structlog

from core.artifacts.diagnosis import environment, report_of
from core.artifacts.files.exported import Exported
from core.artifacts.files.folder import REPORTS, Folder, FolderError
from core.artifacts.files.state import STATE_FILE, TeamError, Teams, state_text
from core.content.library import Library
from core.domain import effects as fx
from core.domain import events as on
from core.domain.faults import record_of
from core.domain.ids import ChannelId, Export, PersonaKey, SessionId, TeamId
from core.domain.session.session import Session
from core.ports import Clock, Directory
from core.runtime.artifact_writer import ArtifactWriter, why
from core.runtime.commit import Runtime
from core.runtime.step_loader import StepLoader
from core.secrets import redact
from core.store.documents import dump_session

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class JobRunner:
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
                return self._step_loader(session).open_flow(session, respond_to)
            case fx.OpenPhase(phase, look_at_folder):
                return self._step_loader(session).open_phase(session, phase, look_at_folder)
            case fx.OpenStep(phase, file, step):
                return self._step_loader(session).open_step(session, phase, file, step)
            case fx.WriteFolder(step, aside):
                faults = tuple(self._artifact_writer(session).write(session, step))
                return on.FolderWritten(self.clock.now(), step, faults, aside)
            case fx.PreserveState():
                return self._preserve(session, effect)
            case fx.WriteReport():
                return self._report(session, effect)
            case fx.CreateTeam(members):
                return self._create_team(session, members)
            case fx.DeleteTeam():
                return self._delete_team(session)
            case fx.WriteState(final, cleared):
                return self._write_state(session, final=final, cleared=cleared)
            case _:
                assert_never(effect)

    def _folder(self, session: Session) -> Folder:
        """The folders of the session's workspace."""
        return self.folder.of(session.team)

    def _artifact_writer(self, session: Session) -> ArtifactWriter:
        folder = self._folder(session)
        return ArtifactWriter(self.runtime.reader, folder, self.clock, self.directory)

    def _step_loader(self, session: Session) -> StepLoader:
        return StepLoader(
            self.runtime, self.library, self._artifact_writer(session), self.clock, self.brain
        )

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

    def _write_state(self, session: Session, *, final: bool, cleared: bool) -> on.StateWritten:
        try:
            self._folder(session).prepare(session.slug)
            if cleared:
                self._folder(session).remove(session.slug, STATE_FILE)
            else:
                self._folder(session).write(session.slug, STATE_FILE, state_text(session))
        except FolderError as error:
            return on.StateWritten(self.clock.now(), ok=False, final=final, detail=why(error))
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
            path = self._folder(session).preserve(session.slug, effect.number, files)
        except FolderError as error:
            log.error("forensics.failed", session=session.id, exc_info=True)
            return on.StatePreserved(self.clock.now(), "", effect.fault, why(error))
        return on.StatePreserved(self.clock.now(), path, effect.fault)

    def _report(self, session: Session, effect: fx.WriteReport) -> on.ReportWritten:
        state = self.runtime.reader.step_state(session.id, effect.step)
        name = f"step-{effect.step}-{effect.tier}.md"
        text = report_of(effect, state.title if state else effect.step)
        try:
            self._folder(session).write_below(session.slug, REPORTS, name, redact(text))
        except FolderError as error:
            return on.ReportWritten(self.clock.now(), effect.step, "", why(error))
        return on.ReportWritten(self.clock.now(), effect.step, f"{REPORTS}/{name}")

    def export_of(self, session: SessionId, wanted: Export) -> Exported:
        """Make the files that were asked for. Raises `Gone` and `HeldBack`."""
        # The libraries that write a report are loaded when the first one is wanted.
        from core.artifacts.report.export import exported
        from core.artifacts.report.gatherer import Gatherer

        reader = self.runtime.reader
        gatherer = Gatherer(reader, self.folder, self.directory, self.channel_name)
        return exported(gatherer, session, wanted)
