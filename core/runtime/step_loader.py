"""Opening what a session walks through: its flow, a phase, a step, as their files are now."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from core.content.library import Library
from core.content.models.values import is_key
from core.domain import events as on
from core.domain.ids import Digest, PersonaKey, PhaseKey, StepId
from core.domain.party import Party
from core.domain.session.session import Session
from core.domain.steps.playbook import AgentFile, Persona, PinnedFile
from core.ports import Clock
from core.runtime.artifact_writer import ArtifactWriter
from core.runtime.commit import Runtime
from core.runtime.preflight import Preflight

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StepLoader:
    runtime: Runtime
    library: Library
    artifact_writer: ArtifactWriter
    clock: Clock
    brain: Callable[[], str]  # what it is called; empty: it cannot be loaded

    def open_flow(self, session: Session, respond_to: str | None) -> on.FlowOpened:
        agent = self.library.read_agent(session.tree)
        party = self._party(session)
        digest, fault = None, None
        if isinstance(agent, AgentFile):
            digest = self.runtime.save_content("agent", agent.personas, tuple[Persona, ...])
        else:
            fault = agent.code
        counts = self.library.count(session.tree)
        phases = tuple(
            (phase, counts.get(phase.key, 0)) for phase in self.library.phases(session.tree)
        )
        folder = self.artifact_writer.look(session)
        self.artifact_writer.keep_aside(session, folder)
        slugs = (session.slug,) if folder.state == "taken" else ()
        checks = self._preflight.checks(session)
        for check in checks:
            if not check.ok:
                log.warning("preflight.failed", session=session.id, what=check.what,
                            method=check.method, found=check.found)  # fmt: skip
        return on.FlowOpened(
            self.clock.now(), digest, phases, folder, fault, respond_to,
            self._short_questions(session), slugs, checks, party,
            next(iter(agent.flaws), None) if isinstance(agent, AgentFile) else agent,
            self._named(session),
            tuple(persona.key for persona in self.library.personas(session.tree)),
            self.runtime.reader.channel_repository(session.team, session.channel),
            self.runtime.reader.is_script_channel(session.team, session.channel),
        )  # fmt: skip

    def _named(self, session: Session) -> tuple[PersonaKey, ...]:
        """Whom the step files name, each once, in their order."""
        files = self.library.step_files(session.tree)
        names = [file.front.get("persona") for file in files if file.front is not None]
        return tuple(PersonaKey(str(name)) for name in dict.fromkeys(filter(is_key, names)))

    def _party(self, session: Session) -> Digest | None:
        """Who sits at the table of a party; None where it is none, or its data is of no use."""
        if session.mode != "party":
            return None
        party = self.library.read_party()
        return self.runtime.save_content("party", party) if isinstance(party, Party) else None

    @property
    def _preflight(self) -> Preflight:
        return Preflight(
            self.library, self.artifact_writer.folder, self.brain, self.runtime.database.trouble
        )

    def _short_questions(self, session: Session) -> int:
        files = self.library.step_files(session.tree)
        return sum(1 for file in files if file.front is not None and file.front.get("short"))

    def open_phase(self, session: Session, phase: PhaseKey, look: bool) -> on.PhaseOpened:
        opened = self.library.open_phase(session.tree, phase, self._personas(session))
        return on.PhaseOpened(
            self.clock.now(),
            phase,
            tuple(self._storable(file) for file in opened.pinned),
            opened.fault.code if opened.fault else None,
            self.artifact_writer.look(session) if look else None,
        )

    def open_step(
        self, session: Session, phase: PhaseKey, file: str, step: StepId
    ) -> on.StepOpened:
        personas = self._personas(session)
        pinned = self.library.open_step(session.tree, phase, file, personas)
        return on.StepOpened(self.clock.now(), self._storable(pinned), step)

    def _storable(self, file: PinnedFile) -> PinnedFile:
        """Front matter we do not know may hold what JSON cannot: it stays in the file."""
        if file.step is None or not file.step.extra:
            return file
        extra = {key: str(value) for key, value in file.step.extra.items()}
        return replace(file, step=replace(file.step, extra=extra))

    def _personas(self, session: Session) -> frozenset[PersonaKey]:
        personas = frozenset(persona.key for persona in self.runtime.reader.personas(session))
        return personas | frozenset(
            session.roster.leaderless if session.roster.has_stand_in else ()
        )
