"""Having a brain read answers: its deadline, and what is made of its draft."""

from dataclasses import dataclass, replace

import structlog

from core.artifacts.compose.notes import with_elaboration, with_notes
from core.artifacts.lazy import sections
from core.brains.review import kinds_in, redacted, review
from core.brains.running import Brains
from core.brains.tasks import (
    Brain,
    Contribute,
    Diagnosis,
    DiagnosisRequest,
    FindCause,
    Merge,
    ReadStep,
    SumUp,
    Synthesise,
    TakeTurn,
)
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Draft, ReadRequest, Section
from core.domain.ids import SessionId, StepId
from core.domain.party.contributions import Contribution
from core.ports import BrainError, Directory, LaunchError, SessionReader
from core.runtime.brain_requests import NO_DOCUMENTS, BrainRequests, SessionDocuments, with_reads
from core.runtime.exception_observation import missing_in, observed, trace_of
from core.runtime.quoted_documents import documents_of
from core.secrets import redact
from core.store.documents import CorruptError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class BrainRunner:
    reader: SessionReader
    directory: Directory
    brains: Brains
    documents: SessionDocuments = NO_DOCUMENTS

    def read(
        self, session: SessionId, effect: fx.ReadAnswers
    ) -> on.BrainReplied | on.BrainFailed | on.DamageFound:
        """What the brain made of the answers, composed; or how it failed.

        Raises `core.store.documents.CorruptError` where a stored row cannot be read.
        """
        desk = BrainRequests(self.reader, self.directory, self.reader.load(session), self.documents)
        brain = self.brains.of(effect.persona)
        try:
            return self._read(desk, brain, effect)
        except BrainError as error:
            return self._failed(effect, error.why, error.detail)
        except CorruptError:
            raise
        except Exception as error:
            # A brain may fail in any way; what kind of failure it is is not judged here.
            log.warning("brain.crashed", session=session, step=effect.step, exc_info=True)
            crash = self._failed(effect, "crash", type(error).__name__)
            seen = observed(error, getattr(brain, "tier", "haiku"))
            return replace(crash, seen=seen, missing=missing_in(error), trace=trace_of(error))

    def consult(self, session: SessionId, effect: fx.Consult) -> on.Consulted | on.ConsultFailed:
        """A member's turn in a council, or how it failed. Its deadline is a timer of its own."""
        at = self.brains.clock.now
        desk = BrainRequests(self.reader, self.directory, self.reader.load(session), self.documents)
        try:
            task = Contribute(desk.consultation(effect))
            given = self.brains.run_here(effect.persona, task)
        except LaunchError as error:
            return on.ConsultFailed(at(), effect.task, "refused", redact(str(error)))
        except BrainError as error:
            why = "silent" if error.why == "silent" else "invalid"
            return on.ConsultFailed(at(), effect.task, why, redact(error.detail))  # type: ignore[arg-type]
        except CorruptError:
            raise
        except Exception as error:
            log.warning("brain.crashed", session=session, persona=effect.persona, exc_info=True)
            return on.ConsultFailed(at(), effect.task, "error", type(error).__name__)
        if not isinstance(given, Contribution) or given.want != effect.want:
            kind = type(given).__name__
            return on.ConsultFailed(at(), effect.task, "invalid", f"a {kind} of another kind")
        return on.Consulted(at(), effect.task, _clean(given))

    def merge(self, session: SessionId, effect: fx.MergeQuestions) -> on.QuestionsMerged:
        """The questions of all members as one list, numbered through."""
        state = self.reader.load(session)
        party = self.reader.party(state)
        order = party.phase(effect.phase).members if party else ()
        asked = tuple(
            contribution
            for contribution in self.reader.contributions(session, effect.phase)
            if contribution.want == "questions"
        )
        merged = self.brains.run_here(None, Merge(asked, tuple(order)))
        return on.QuestionsMerged(self.brains.clock.now(), effect.task, merged)

    def diagnose(self, session: SessionId, effect: fx.Diagnose) -> on.Diagnosed:
        """A higher tier looks into a failed reading. One that fails itself has mended nothing."""
        about = self.reader.load(session)
        request = DiagnosisRequest(
            effect.step,
            effect.category,
            effect.seen,
            effect.missing,
            self.documents.names(about.team, about.slug),
            frozenset(section.file for section in self.reader.sections(session)),
        )
        try:
            found = self.brains.run(self.brains.of_tier[effect.tier], FindCause(request))
        except Exception as error:
            log.warning("diagnosis.failed", session=session, step=effect.step, exc_info=True)
            found = Diagnosis(False, f"Looking into it failed as well: {type(error).__name__}.")
        return on.Diagnosed(
            self.brains.clock.now(), effect.task, effect.step, effect.tier,
            found.fixed, redact(found.findings),
            tuple((redact(named), redact(there)) for named, there in found.corrections),
        )  # fmt: skip

    def speak(self, session: SessionId, effect: fx.Speak) -> on.PersonaSpoke:
        """Another persona's turn. A brain that fails has nothing to add: nobody waits for it."""
        try:
            desk = BrainRequests(
                self.reader, self.directory, self.reader.load(session), self.documents
            )
            task = TakeTurn(desk.turn_request(effect))
            text = self.brains.run(self.brains.of(effect.persona), task)
        except Exception:
            log.warning("brain.crashed", session=session, step=effect.step, exc_info=True)
            text = None
        said = redact(text) if text else text
        return on.PersonaSpoke(
            self.brains.clock.now(), effect.task, effect.step, effect.persona, said
        )

    def _failed(self, effect: fx.ReadAnswers, why: str, detail: str) -> on.BrainFailed:
        known = why if why in ("silent", "invalid", "overflow") else "crash"
        return on.BrainFailed(self.brains.clock.now(), effect.task, effect.step, known, detail)  # type: ignore[arg-type]

    def _read(
        self, desk: BrainRequests, brain: Brain, effect: fx.ReadAnswers
    ) -> on.BrainReplied | on.DamageFound:
        request = desk.request(effect)
        asked = desk.said_alone(_less(with_reads(request)) if effect.less else with_reads(request))
        draft = desk.kept(effect.step) if effect.keep else self.brains.run(brain, ReadStep(asked))
        if not isinstance(draft, Draft):
            raise BrainError("invalid", f"a {type(draft).__name__} instead of a draft")
        if effect.council and not effect.keep:
            draft = self._with_council(desk, draft, effect.step)
        if misread := review(request, draft):
            raise BrainError("invalid", f"the review found: {'; '.join(misread)}")
        draft = replace(draft, claims=desk.settled(effect.step, draft.claims))
        parts = desk.parts(effect.step, draft) if effect.council else ()
        composed_of = _in_parts(request, draft, parts) if parts else sections(request, draft)
        made = with_elaboration(composed_of, self._synthesis(desk, effect.step))
        noted = with_notes(made, documents_of(request, draft), desk.concerns(effect.step))
        composed = replace(draft, sections=noted)
        if kinds := kinds_in(composed):
            if not desk.redacts(f"draft {effect.step}"):
                words = ", ".join(kinds)
                return on.DamageFound(
                    self.brains.clock.now(), "ERR-SEC-001", f"draft {effect.step}", words
                )
            composed = redacted(composed)
        return on.BrainReplied(
            self.brains.clock.now(),
            effect.task,
            effect.step,
            composed,
            tuple(f"{answer.id}@{answer.revision}" for answer in request.answers),
            tuple(desk.shown_elsewhere(effect, request, draft)),
            tuple(sorted(desk.mentioned.items())),
        )

    def _with_council(self, desk: BrainRequests, draft: Draft, step: StepId) -> Draft:
        """The reading of the answers with what the council came to, where it gave claims."""
        asked = desk.questions(step)  # the numbered questions say what an answer is about
        summed_up = self.brains.run_here(None, SumUp(asked)) if asked else None
        return desk.with_council(draft, step, summed_up)

    def _synthesis(self, desk: BrainRequests, step: StepId) -> tuple[str, ...]:
        """What an elaboration of the step came to, line by line with who said it."""
        turns, answers = desk.elaboration(step)
        return self.brains.run_here(None, Synthesise(turns, answers)) if turns else ()


def _clean(given: Contribution) -> Contribution:
    """A turn without credentials: a brain may repeat what it should not."""
    return replace(given, text=redact(given.text))


def _in_parts(
    request: ReadRequest, draft: Draft, parts: tuple[tuple[tuple[str, ...], Draft], ...]
) -> tuple[Section, ...]:
    """The files of a step, each of its own writer's lines; one without a writer of all of them."""
    written = {file for files, _ in parts for file in files}
    left = tuple(file for file in request.step.outputs if file not in written)
    made: list[Section] = []
    for files, part in (*parts, (left, draft)):
        mine = tuple(file for file in files if file in request.step.outputs)
        if mine:
            made += sections(replace(request, step=replace(request.step, outputs=mine)), part)
    return tuple(made)


def _less(request: ReadRequest) -> ReadRequest:
    """The step's own answers, and of the rest only the claims of its phase."""
    prefix = request.step.id.partition("-")[0]
    near = tuple(claim for claim in request.claims if claim.step.partition("-")[0] == prefix)
    return replace(request, claims=near, other_answers=())
