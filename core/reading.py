"""Having a brain read answers: what it is asked, its deadline, what is made of its draft."""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import structlog

from core.artifacts.compose import RESTS_ON, sections
from core.artifacts.elaboration import with_elaboration
from core.brains.elaboration import synthesis
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer, Claim, Draft, ReadRequest, Section, TurnRequest
from core.domain.ids import PersonaKey, SessionId, StepId
from core.domain.playbook import Playbook
from core.domain.session import Session, StepState
from core.ports import Brain, BrainError, Clock, Directory, SessionReader

log = structlog.get_logger(__name__)

T = TypeVar("T")
BrainKey = PersonaKey | None  # None: everybody without a brain of their own


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    reader: SessionReader
    directory: Directory
    brains: Mapping[BrainKey, Brain]
    clock: Clock
    deadline_s: float

    def read(self, session: SessionId, effect: fx.ReadAnswers) -> on.BrainReplied | on.BrainFailed:
        """What the brain made of the answers, composed; or how it failed."""
        try:
            return self._read(self.reader.load(session), effect)
        except BrainError as error:
            return self._failed(effect, error.why, error.detail)
        except Exception as error:
            # A brain may fail in any way; each is ERR-INT-001.
            log.warning("brain.crashed", session=session, step=effect.step, exc_info=True)
            return self._failed(effect, "crash", type(error).__name__)

    def speak(self, session: SessionId, effect: fx.Speak) -> on.PersonaSpoke:
        """Another persona's turn. A brain that fails has nothing to add: nobody waits for it."""
        try:
            desk = Desk(self.reader, self.directory, self.reader.load(session))
            request = desk.turn_request(effect)
            brain = self.brains.get(effect.persona) or self.brains[None]
            text = self._within_deadline(lambda: brain.speak(request))
        except Exception:
            log.warning("brain.crashed", session=session, step=effect.step, exc_info=True)
            text = None
        return on.PersonaSpoke(self.clock.now(), effect.task, effect.step, effect.persona, text)

    def _failed(self, effect: fx.ReadAnswers, why: str, detail: str) -> on.BrainFailed:
        known = why if why in ("silent", "invalid", "overflow") else "crash"
        return on.BrainFailed(self.clock.now(), effect.task, effect.step, known, detail)  # type: ignore[arg-type]

    def _read(self, session: Session, effect: fx.ReadAnswers) -> on.BrainReplied:
        desk = Desk(self.reader, self.directory, session)
        request = desk.request(effect)
        brain = self.brains.get(effect.persona) or self.brains[None]
        asked = _less(request) if effect.less else request
        draft = self._within_deadline(lambda: brain.read(asked))
        if not isinstance(draft, Draft):
            raise BrainError("invalid", f"a {type(draft).__name__} instead of a draft")
        made = with_elaboration(sections(request, draft), desk.elaboration(effect.step))
        composed = replace(draft, sections=made)
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

    def __init__(self, reader: SessionReader, directory: Directory, session: Session) -> None:
        self._reader = reader
        self._session = session
        self._answers = reader.answers(session.id)
        self._claims = reader.claims(session.id)
        self._names = directory.names(session.team, {answer.by for answer in self._answers})
        self._playbook = Playbook(reader.personas(session), {})

    def request(self, effect: fx.ReadAnswers) -> ReadRequest:
        state = self._reader.step_state(self._session.id, effect.step)
        assert state is not None, effect.step
        return self._request(state, effect, self._claims)

    def turn_request(self, effect: fx.Speak) -> TurnRequest:
        state = self._reader.step_state(self._session.id, effect.step)
        assert state is not None, effect.step
        mine, _ = _parted(self._answers, effect.step)
        return TurnRequest(
            persona=self._playbook.persona(effect.persona),
            topic=state.title,
            said=tuple(answer.text for answer in mine),
            turns=state.turns,
            addressed=effect.addressed,
        )

    def elaboration(self, step: StepId) -> tuple[str, ...]:
        """What an elaboration of the step came to, line by line with who said it."""
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
        stored = self._reader.sections(self._session.id)
        claims = (*request.claims, *draft.claims)
        for section in stored:
            if section.step == effect.step or not RESTS_ON.get(section.file, set()) & changed:
                continue
            state = self._reader.step_state(self._session.id, section.step)
            if state is None or state.digest is None:
                continue
            own = tuple(claim for claim in claims if claim.step == section.step)
            made = sections(self._request(state, effect, claims), Draft("", own))
            again = next((each for each in made if each.file == section.file), section)
            if again != section:
                yield again


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
