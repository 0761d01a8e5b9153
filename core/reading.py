"""Having a brain read answers: what it is asked, its deadline, what is made of its draft."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeVar

import structlog

from core.artifacts.elaboration import with_elaboration
from core.artifacts.notes import with_notes
from core.artifacts.writing import rests_on, sections
from core.brains.diagnosis import Diagnosis, DiagnosisRequest
from core.brains.loading import consult
from core.brains.review import kinds_in, redacted, review
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer, Claim, Draft, ReadRequest, Section, TurnRequest
from core.domain.assumptions import settled
from core.domain.council import ConsultRequest, Contribution
from core.domain.ids import PersonaKey, PhaseKey, SessionId, Slug, StepId, TaskId
from core.domain.playbook import Playbook, Step
from core.domain.session import Session, StepState
from core.observing import missing_in, observed, trace_of
from core.ports import Brain, BrainError, Clock, Directory, LaunchError, SessionReader
from core.secrets import redact
from core.store.codec import CorruptError

log = structlog.get_logger(__name__)

T = TypeVar("T")
BrainKey = PersonaKey | None  # None: everybody without a brain of their own


class Shelf(Protocol):
    """Where the documents lie that a step may name: the session's folder."""

    def read(self, slug: Slug, name: str) -> str:
        """Raises `FileNotFoundError`."""
        ...

    def names(self, slug: Slug) -> tuple[str, ...]: ...


class _Empty:
    def read(self, slug: Slug, name: str) -> str:
        raise FileNotFoundError(2, "No such file or directory", name)

    def names(self, slug: Slug) -> tuple[str, ...]:
        return ()


NO_SHELF: Final = _Empty()


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    reader: SessionReader
    directory: Directory
    brains: Mapping[BrainKey, Brain]
    clock: Clock
    deadline_s: float
    shelf: Shelf = NO_SHELF
    tiers: Mapping[str, Callable[[DiagnosisRequest], Diagnosis]] = field(default_factory=dict)
    table: Callable[[ConsultRequest], Contribution] = consult

    def read(
        self, session: SessionId, effect: fx.ReadAnswers
    ) -> on.BrainReplied | on.BrainFailed | on.DamageFound:
        """What the brain made of the answers, composed; or how it failed.

        Raises `core.store.codec.CorruptError` where a stored row cannot be read.
        """
        desk = Desk(self.reader, self.directory, self.reader.load(session), self.shelf)
        brain = self.brains.get(effect.persona) or self.brains[None]
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
        at = self.clock.now
        desk = Desk(self.reader, self.directory, self.reader.load(session), self.shelf)
        try:
            given = self.table(desk.consultation(effect))
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
        from core.brains.council.merging import merged

        state = self.reader.load(session)
        party = self.reader.party(state)
        order = party.phase(effect.phase).members if party else ()
        given = [
            each
            for each in self.reader.contributions(session, effect.phase)
            if each.want == "questions"
        ]
        return on.QuestionsMerged(self.clock.now(), effect.task, merged(given, order))

    def diagnose(self, session: SessionId, effect: fx.Diagnose) -> on.Diagnosed:
        """A higher tier looks into a failed reading. One that fails itself has mended nothing."""
        slug = self.reader.load(session).slug
        request = DiagnosisRequest(
            effect.step,
            effect.category,
            effect.seen,
            effect.missing,
            self.shelf.names(slug),
            frozenset(section.file for section in self.reader.sections(session)),
        )
        try:
            found = self._within_deadline(lambda: self.tiers[effect.tier](request))
        except Exception as error:
            log.warning("diagnosis.failed", session=session, step=effect.step, exc_info=True)
            found = Diagnosis(False, f"Looking into it failed as well: {type(error).__name__}.")
        return on.Diagnosed(
            self.clock.now(), effect.task, effect.step, effect.tier,
            found.fixed, redact(found.findings),
            tuple((redact(named), redact(there)) for named, there in found.corrections),
        )  # fmt: skip

    def speak(self, session: SessionId, effect: fx.Speak) -> on.PersonaSpoke:
        """Another persona's turn. A brain that fails has nothing to add: nobody waits for it."""
        try:
            desk = Desk(self.reader, self.directory, self.reader.load(session), self.shelf)
            request = desk.turn_request(effect)
            brain = self.brains.get(effect.persona) or self.brains[None]
            text = self._within_deadline(lambda: brain.speak(request))
        except Exception:
            log.warning("brain.crashed", session=session, step=effect.step, exc_info=True)
            text = None
        said = redact(text) if text else text
        return on.PersonaSpoke(self.clock.now(), effect.task, effect.step, effect.persona, said)

    def _failed(self, effect: fx.ReadAnswers, why: str, detail: str) -> on.BrainFailed:
        known = why if why in ("silent", "invalid", "overflow") else "crash"
        return on.BrainFailed(self.clock.now(), effect.task, effect.step, known, detail)  # type: ignore[arg-type]

    def _read(
        self, desk: "Desk", brain: Brain, effect: fx.ReadAnswers
    ) -> on.BrainReplied | on.DamageFound:
        request = desk.request(effect)
        asked = desk.said_alone(_less(request) if effect.less else request)
        draft = (
            desk.kept(effect.step)
            if effect.keep
            else self._within_deadline(lambda: brain.read(asked))
        )
        if effect.council and not effect.keep and isinstance(draft, Draft):
            draft = desk.with_council(draft, effect.step)
        if not isinstance(draft, Draft):
            raise BrainError("invalid", f"a {type(draft).__name__} instead of a draft")
        if misread := review(request, draft):
            raise BrainError("invalid", f"the review found: {'; '.join(misread)}")
        draft = replace(draft, claims=desk.settled(effect.step, draft.claims))
        parts = desk.parts(effect.step, draft) if effect.council else ()
        composed_of = _in_parts(request, draft, parts) if parts else sections(request, draft)
        made = with_elaboration(composed_of, desk.elaboration(effect.step))
        noted = with_notes(made, tuple(request.sources), desk.concerns(effect.step))
        composed = replace(draft, sections=noted)
        if kinds := kinds_in(composed):
            if not desk.redacts(f"draft {effect.step}"):
                words = ", ".join(kinds)
                return on.DamageFound(
                    self.clock.now(), "ERR-SEC-001", f"draft {effect.step}", words
                )
            composed = redacted(composed)
        return on.BrainReplied(
            self.clock.now(),
            effect.task,
            effect.step,
            composed,
            tuple(f"{answer.id}@{answer.revision}" for answer in request.answers),
            tuple(desk.shown_elsewhere(effect, request, draft)),
        )

    def _within_deadline(self, think: Callable[[], T]) -> T:
        """The result, or silence past the deadline. A brain that hangs keeps only its thread."""
        condition = threading.Condition()
        result: list[T | BaseException] = []

        def run() -> None:
            try:
                outcome: T | BaseException = think()
            except BaseException as error:  # noqa: BLE001 - handed over to the waiting thread
                outcome = error
            with condition:
                result.append(outcome)
                condition.notify()

        deadline = self.clock.now() + self.deadline_s
        threading.Thread(target=run, name="brain", daemon=True).start()
        with condition:
            while not result:
                if self.clock.now() >= deadline:
                    raise BrainError("silent", f"no answer within {self.deadline_s:g} s")
                self.clock.wait(condition, deadline)
        if isinstance(result[0], BaseException):
            raise result[0]
        return result[0]


class Desk:
    """What is known of a session while one step of it is read."""

    def __init__(
        self, reader: SessionReader, directory: Directory, session: Session, shelf: Shelf
    ) -> None:
        self._reader = reader
        self._shelf = shelf
        self._session = session
        self._answers = reader.answers(session.id)
        self._claims = reader.claims(session.id)
        self._names = directory.names(session.team, {answer.by for answer in self._answers})
        self._playbook = Playbook(reader.personas(session), {})

    def request(self, effect: fx.ReadAnswers) -> ReadRequest:
        state = self._reader.step_state(self._session.id, effect.step)
        assert state is not None, effect.step
        request = self._request(state, effect, self._claims)
        return replace(request, sources=self._sources(state, request.step))

    def _sources(self, state: StepState, step: Step) -> dict[str, str]:
        """The documents the step names, as corrected. Raises `FileNotFoundError` for one that is
        not there, unless people said to do without it."""
        found: dict[str, str] = {}
        known = dict(state.corrections)
        for named in step.sources:
            name = known.get(named, named)
            try:
                found[name] = redact(self._shelf.read(self._session.slug, name))
            except FileNotFoundError:
                if not {named, name} & set(state.without):
                    raise
        return found

    def consultation(self, effect: fx.Consult) -> ConsultRequest:
        session = self._session
        party = self._reader.party(session)
        assert party is not None, session.id
        council = session.council
        return ConsultRequest(
            task=effect.task,
            title=session.title,
            text=session.text,
            slug=session.slug,
            phase=party.phase(effect.phase),
            member=party.member(effect.persona),
            want=effect.want,
            answers=self._answers,
            names=self._names,
            claims=self._claims,
            said=self._reader.contributions(session.id, effect.phase),
            asked=council.questions if council else (),
            changes=self._changes(effect.phase),
            neighbour=effect.neighbour,
            prompt=effect.prompt,
        )

    def _consulted(self, state: StepState) -> ConsultRequest:
        """What was asked in a council and answered, as whoever leads it is given it."""
        party = self._reader.party(self._session)
        assert party is not None, self._session.id
        leader = party.phase(state.phase).members[0]
        effect = fx.Consult(TaskId(""), state.phase, leader, "position")
        return replace(self.consultation(effect), asked=state.posed)

    def _changes(self, phase: PhaseKey) -> tuple[Answer, ...]:
        """What people said in this phase: the first phase asks, the others hear of changes."""
        steps = {state.id for state in self._session.steps if state.phase == phase}
        return tuple(answer for answer in self._answers if answer.step in steps)

    def with_council(self, draft: Draft, step: StepId) -> Draft:
        """The reading of the answers with what the council came to, where it gave claims."""
        from core.brains.council.brief import brief
        from core.brains.council.converging import consensus, with_agreement

        state = self._reader.step_state(self._session.id, step)
        assert state is not None, step
        given = self._reader.contributions(self._session.id, state.phase)
        votes = [each for each in given if each.want == "vote"]
        last = {each.persona: each for each in given if each.want in ("draft", "final")}
        proposed = [each for each in given if each.want in ("proposal", "revision")]
        last |= {each.persona: each for each in proposed[-1:]}  # the limit may cut a revision off
        claims = [claim for each in last.values() for claim in self._standing(each.claims)]
        if state.posed:  # the numbered questions say what an answer is about
            claims = list(brief(self._consulted(state)).claims)
        if votes:
            claims = list(with_agreement(claims, consensus(votes)))
        if not claims:
            return draft if draft.recorded.strip() else replace(draft, recorded=NOTHING_SAID)
        numbered = tuple(
            replace(claim, id=f"{step}/{number}", step=step)
            for number, claim in enumerate(claims, start=1)
        )
        return replace(draft, claims=numbered, recorded=draft.recorded or NOTHING_SAID)

    def _standing(self, claims: Collection[Claim]) -> tuple[Claim, ...]:
        """Those that still rest on something: people may have taken their words back since."""
        known = {answer.id for answer in self._answers}
        left = ((claim, tuple(each for each in claim.sources if each in known)) for claim in claims)
        return tuple(
            replace(claim, sources=sources)
            for claim, sources in left
            if sources or not claim.sources
        )

    def kept(self, step: StepId) -> Draft:
        """What a brain made of the step before: nothing is thought anew."""
        mine = tuple(claim for claim in self._claims if claim.step == step)
        state = self._reader.step_state(self._session.id, step)
        recorded = state.recorded if state else ""
        scan = self._session.scan if step.startswith(SCAN_STEPS) else None
        return Draft(recorded or NOTHING_SAID, mine, scan=scan)

    def said_alone(self, request: ReadRequest) -> ReadRequest:
        """What people said, without the assumptions they stand by: those are added again after."""
        if not any(answer.source == "confirmed" for answer in self._answers):
            return request
        return replace(
            request,
            answers=_not_confirmed(request.answers),
            other_answers=_not_confirmed(request.other_answers),
        )

    def settled(self, step: StepId, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
        state = self._reader.step_state(self._session.id, step)
        mine, _ = _parted(self._answers, step)
        confirmed = tuple(answer for answer in mine if answer.source == "confirmed")
        if state is None or not (confirmed or state.wrong):
            return claims
        return settled(claims, state, confirmed)

    def parts(self, step: StepId, draft: Draft) -> tuple[tuple[tuple[str, ...], Draft], ...]:
        """Whose file is whose: a member that drafts alone shows its own lines, and no others."""
        state = self._reader.step_state(self._session.id, step)
        party = self._reader.party(self._session)
        if state is None or party is None:
            return ()
        given = self._reader.contributions(self._session.id, state.phase)
        last = {each.persona: each for each in given if each.want in ("draft", "final")}
        claims, found = list(draft.claims), []
        for persona, each in last.items():
            count = len(self._standing(each.claims))
            mine, claims = claims[:count], claims[count:]
            found.append((party.member(persona).produces, replace(draft, claims=tuple(mine))))
        return tuple(found)

    def concerns(self, step: StepId) -> tuple[str, ...]:
        state = self._reader.step_state(self._session.id, step)
        return state.concerns if state else ()

    def redacts(self, what: str) -> bool:
        """Whether the owner chose to go on without the secrets in it."""
        return what in self._session.redacts

    def turn_request(self, effect: fx.Speak) -> TurnRequest:
        state = self._reader.step_state(self._session.id, effect.step)
        assert state is not None, effect.step
        mine, _ = _parted(self._answers, effect.step)
        return TurnRequest(
            persona=self._playbook.persona(effect.persona),
            topic=state.title,
            said=tuple(answer.text for answer in _not_confirmed(mine)),
            turns=state.turns,
            addressed=effect.addressed,
        )

    def elaboration(self, step: StepId) -> tuple[str, ...]:
        """What an elaboration of the step came to, line by line with who said it."""
        from core.brains.elaboration import synthesis

        state = self._reader.step_state(self._session.id, step)
        if state is None or not state.turns:
            return ()
        turns = tuple((self._playbook.persona(who).name, text) for who, text in state.turns)
        mine, _ = _parted(self._answers, step)
        said = tuple(
            (self._names.get(answer.by, "someone"), answer.text)
            for answer in mine
            if answer.source == "elaboration"
        )
        return synthesis(turns, said)

    def _request(
        self, state: StepState, effect: fx.ReadAnswers, claims: tuple[Claim, ...]
    ) -> ReadRequest:
        assert state.digest is not None, state.id
        session = self._session
        mine, others = _parted(self._answers, state.id)
        return ReadRequest(
            task=effect.task,
            title=session.title,
            text=session.text,
            slug=session.slug,
            phase=state.phase,
            step=self._reader.content(state.digest),
            depth=state.depth or "standard",
            persona=self._playbook.persona(effect.persona),
            answers=mine,
            claims=tuple(claim for claim in claims if claim.step != state.id),
            other_answers=others,
            names=self._names,
            previous=tuple(claim for claim in claims if claim.step == state.id),
            gaps=state.gaps,
            asked=state.asked,
            scan=session.scan,
        )

    def shown_elsewhere(
        self, effect: fx.ReadAnswers, request: ReadRequest, draft: Draft
    ) -> Iterator[Section]:
        """Sections of other steps that show this step's claims, where they come out different."""
        changed = {claim.kind for claim in (*draft.claims, *request.previous)}
        if not any(rests_on(file) & changed for file in self._reader.files(self._session.id)):
            return
        stored = self._reader.sections(self._session.id)
        claims = (*request.claims, *draft.claims)
        for section in stored:
            if section.step == effect.step or not rests_on(section.file) & changed:
                continue
            state = self._reader.step_state(self._session.id, section.step)
            if state is None or state.digest is None:
                continue
            own = tuple(claim for claim in claims if claim.step == section.step)
            made = sections(self._request(state, effect, claims), Draft("", own))
            again = next((each for each in made if each.file == section.file), section)
            if again != section:
                yield again


SCAN_STEPS: Final = "00-"
NOTHING_SAID: Final = "Nothing new was recorded."


def _not_confirmed(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    return tuple(answer for answer in answers if answer.source != "confirmed")


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


def _parted(
    answers: tuple[Answer, ...], step: StepId
) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
    mine = tuple(answer for answer in answers if answer.step == step)
    return mine, tuple(answer for answer in answers if answer.step != step)
