"""Having a brain do what an effect asks for: its request, and the event that its result becomes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from core.artifacts.compose.notes import lapsed_lines, with_elaboration, with_notes
from core.artifacts.compose.quoted_documents import documents_of
from core.brains.review import kinds_in, redacted, review
from core.brains.running import Brains
from core.brains.tasks import (
    BrainError,
    Contribute,
    FindCause,
    LaunchError,
    Merge,
    ReadStep,
    SumUp,
    Synthesise,
    TakeTurn,
)
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Draft, ReadRequest, Section
from core.domain.ids import SessionId, StepId, TaskId
from core.domain.party.contributions import Contribution
from core.domain.session.step import StepState
from core.domain.steps.glossary import Terms
from core.domain.steps.playbook import FACILITATOR
from core.ports import Directory, SessionReader
from core.runtime.brains.brain_requests import BrainRequests, SessionDocuments, with_reads
from core.runtime.exception_observation import missing_in, observed, trace_of
from core.secrets import redact
from core.store.documents import CorruptError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class BrainRunner:
    reader: SessionReader
    directory: Directory
    brains: Brains
    documents: SessionDocuments
    glossary: Callable[[], Terms]  # what the step tree explains itself

    def read(
        self, session: SessionId, effect: fx.ReadAnswers
    ) -> on.BrainReplied | on.BrainFailed | on.DamageFound:
        """What the brain made of the answers, composed; or how it failed.

        Raises `core.store.documents.CorruptError` where a stored row cannot be read.
        """
        requests = self._requests(session)
        try:
            return self._read(requests, effect)
        except BrainError as error:
            return self._failed(effect, error.why, error.detail)
        except CorruptError:
            raise
        except Exception as error:
            # A brain may fail in any way; what kind of failure it is is not judged here.
            log.warning("brain.crashed", session=session, step=effect.step, exc_info=True)
            crash = self._failed(effect, "crash", type(error).__name__)
            brain = self.brains.of(effect.persona)
            observation = observed(error, getattr(brain, "tier", "haiku"))
            return replace(
                crash, seen=observation, missing=missing_in(error), trace=trace_of(error)
            )

    def with_waiting(self, session: SessionId, state: StepState) -> Draft | None:
        """The draft as it would be with the lines that wait at a step; None: it cannot be read."""
        requests = self._requests(session)
        reader = state.prompt.persona or FACILITATOR.key
        effect = fx.ReadAnswers(TaskId(""), state.id, reader)
        try:
            request = replace(requests.request(effect), model=state.model.accepted())
            draft = self._draft(requests, effect, request)
        except (BrainError, OSError, UnicodeDecodeError):
            return None
        return replace(draft, claims=requests.settled(state.id, draft.claims))

    def consult(self, session: SessionId, effect: fx.Consult) -> on.Consulted | on.ConsultFailed:
        """A member's turn in a council, or how it failed.

        Raises `core.store.documents.CorruptError` where a stored row cannot be read.
        """
        at = self.brains.clock.now
        task = Contribute(self._requests(session).consultation(effect))
        try:
            contribution = self.brains.run(task, effect.persona)
        except LaunchError as error:
            return on.ConsultFailed(at(), effect.task, "refused", redact(str(error)))
        except BrainError as error:
            if error.why == "silent":  # in the words of the timer, which may pass first
                return on.ConsultFailed(at(), effect.task, "silent", "the deadline passed")
            return on.ConsultFailed(at(), effect.task, "invalid", redact(error.detail))
        except CorruptError:
            raise
        except Exception as error:
            log.warning("brain.crashed", session=session, persona=effect.persona, exc_info=True)
            return on.ConsultFailed(at(), effect.task, "error", type(error).__name__)
        if not isinstance(contribution, Contribution) or contribution.want != effect.want:
            kind = type(contribution).__name__
            return on.ConsultFailed(at(), effect.task, "invalid", f"a {kind} of another kind")
        # A brain may repeat a credential, which it should not.
        clean = replace(contribution, text=redact(contribution.text))
        return on.Consulted(at(), effect.task, clean)

    def merge(self, session: SessionId, effect: fx.MergeQuestions) -> on.QuestionsMerged:
        """The questions of all members as one list, numbered through."""
        state = self.reader.load(session)
        party = self.reader.party(state)
        order = party.phase(effect.phase).members if party else ()
        contributions = tuple(
            contribution
            for contribution in self.reader.contributions(session, effect.phase)
            if contribution.want == "questions" or contribution.questions
        )
        merged = self.brains.run(Merge(contributions, tuple(order)))
        return on.QuestionsMerged(self.brains.clock.now(), effect.task, merged)

    def diagnose(self, session: SessionId, effect: fx.Diagnose) -> on.Diagnosed:
        """A higher tier looks into a failed reading."""
        request = self._requests(session).failure(effect)
        diagnosis = self.brains.run(FindCause(request), tier=effect.tier)
        return on.Diagnosed(
            self.brains.clock.now(), effect.task, effect.step, effect.tier,
            diagnosis.fixed, redact(diagnosis.findings),
            tuple((redact(name), redact(actual)) for name, actual in diagnosis.corrections),
        )  # fmt: skip

    def speak(self, session: SessionId, effect: fx.Speak) -> on.PersonaSpoke:
        """Another persona's turn."""
        task = TakeTurn(self._requests(session).turn_request(effect))
        text = self.brains.run(task, effect.persona)
        return on.PersonaSpoke(
            self.brains.clock.now(),
            effect.task,
            effect.step,
            effect.persona,
            redact(text) if text else text,
        )

    def _requests(self, session: SessionId) -> BrainRequests:
        stored = self.reader.load(session)
        return BrainRequests(self.reader, self.directory, stored, self.documents, self.glossary())

    def _failed(self, effect: fx.ReadAnswers, why: str, detail: str) -> on.BrainFailed:
        reason = why if why in ("silent", "invalid", "overflow") else "crash"
        return on.BrainFailed(self.brains.clock.now(), effect.task, effect.step, reason, detail)  # type: ignore[arg-type]

    def _read(
        self, requests: BrainRequests, effect: fx.ReadAnswers
    ) -> on.BrainReplied | on.DamageFound:
        request = requests.request(effect)
        draft = self._draft(requests, effect, request)
        if misread := review(request, draft):
            raise BrainError("invalid", f"the review found: {'; '.join(misread)}")
        draft = replace(draft, claims=requests.settled(effect.step, draft.claims))
        parts = requests.parts(request, draft) if effect.council else ()
        made = with_elaboration(
            _in_parts(request, draft, parts), self._synthesis(requests, effect.step)
        )
        lapsed, concerns = lapsed_lines(request, draft), requests.concerns(effect.step)
        noted = with_notes(made, documents_of(request, draft), concerns, lapsed)
        composed = replace(draft, sections=noted)
        if kinds := kinds_in(composed):
            if not requests.redacts(f"draft {effect.step}"):
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
            request.basis,
            tuple(requests.shown_elsewhere(effect, request, draft)),
            tuple(sorted(requests.mentioned.items())),
        )

    def _draft(
        self, requests: BrainRequests, effect: fx.ReadAnswers, request: ReadRequest
    ) -> Draft:
        """The brain's draft with what a council came to; the one of before, where it is kept."""
        if effect.keep:
            return requests.kept(effect.step)
        read = with_reads(request)
        brain_request = requests.said_alone(_less(read) if effect.less else read)
        draft = self.brains.run(ReadStep(brain_request), effect.persona)
        if not isinstance(draft, Draft):
            raise BrainError("invalid", f"a {type(draft).__name__} instead of a draft")
        return self._with_council(requests, draft, request) if effect.council else draft

    def _with_council(self, requests: BrainRequests, draft: Draft, request: ReadRequest) -> Draft:
        """The reading of the answers with what the council came to, where it gave claims."""
        # The numbered questions say what an answer is about.
        questions = requests.questions(request.step.id)
        summed_up = self.brains.run(SumUp(questions)) if questions else None
        if questions:  # its members ask what is missing
            draft = replace(draft, follow_up=None)
        made = requests.council_turns(request.phase).with_claims(draft, request, summed_up)
        if made.claims == draft.claims or not request.answers:
            return made
        # The rules of the brains are loaded when the first of them is asked.
        from core.brains.bookkeeping.drafting import compared, reflected

        return reflected(request, replace(made, claims=compared(made.claims, request)))

    def _synthesis(self, requests: BrainRequests, step: StepId) -> tuple[str, ...]:
        """What an elaboration of the step came to, line by line with who said it."""
        turns, answers = requests.elaboration(step)
        return self.brains.run(Synthesise(turns, answers)) if turns else ()


def _in_parts(
    request: ReadRequest, draft: Draft, parts: tuple[tuple[tuple[str, ...], Draft], ...]
) -> tuple[Section, ...]:
    """The files of a step, each of its own writer's lines; one without a writer of all of them."""
    from core.artifacts.compose.layouts import sections

    written = {file for files, _ in parts for file in files}
    unwritten = tuple(file for file in request.step.outputs if file not in written)
    made: list[Section] = []
    for files, part in (*parts, (unwritten, draft)):
        outputs = tuple(file for file in files if file in request.step.outputs)
        if outputs:
            made += sections(replace(request, step=replace(request.step, outputs=outputs)), part)
    return tuple(made)


def _less(request: ReadRequest) -> ReadRequest:
    """The step's own answers, and of the rest only the claims of its phase."""
    prefix = request.step.id.partition("-")[0]
    near = tuple(claim for claim in request.claims if claim.step.partition("-")[0] == prefix)
    return replace(request, claims=near, other_answers=())
