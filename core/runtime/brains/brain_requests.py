"""What is known of a session while one step of it is read: what a brain is asked with."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final, Protocol

from core.brains.tasks import DiagnosisRequest, Lines
from core.domain import effects as fx
from core.domain.answers import Answer, Claim, Draft, ReadRequest, Section, TurnRequest
from core.domain.assumptions import settled
from core.domain.ids import PhaseKey, Slug, StepId, TaskId, TeamId
from core.domain.mentions import users_in, with_names
from core.domain.party.contributions import ConsultRequest
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.stances import Agreement, Settlement, Stance
from core.domain.steps.glossary import Terms
from core.domain.steps.playbook import FACILITATOR, Playbook, Step, corrected
from core.ports import Directory, SessionReader
from core.runtime.brains.council_turns import NOTHING_SAID, CouncilTurns
from core.secrets import redact

SCAN_STEPS: Final = "00-"


class SessionDocuments(Protocol):
    """Where the documents lie that a step may name: the session's folder."""

    def read(self, team: TeamId, slug: Slug, name: str) -> str:
        """The text of a document.

        Raises `FileNotFoundError`, or what keeps it from being read: another `OSError`, or
        `UnicodeDecodeError`.
        """

    def names(self, team: TeamId, slug: Slug) -> tuple[str, ...]: ...


class BrainRequests:
    """What is known of a session while one step of it is read."""

    def __init__(
        self,
        reader: SessionReader,
        directory: Directory,
        session: Session,
        documents: SessionDocuments,
        glossary: Terms,
    ) -> None:
        self._reader = reader
        self._documents = documents
        self._session = session
        self._glossary = glossary
        stored = reader.answers_as_stored(session.id)
        users = {user for answer in stored for user in users_in(answer.text)}
        self.mentioned = directory.names(session.team, users) if users else {}
        self._answers = tuple(
            replace(answer, text=with_names(answer.text, self.mentioned)) for answer in stored
        )
        self._claims = reader.claims(session.id)
        self._corrections = reader.corrections(session.id)
        people = {answer.by for answer in self._answers}
        people |= {correction.by for correction in self._corrections}
        agreements = tuple(_agreements(session, reader.stances(session.id), stored))
        thumbs = {agreement.by for agreement in agreements}
        strangers = directory.strangers(session.team, thumbs) if thumbs else frozenset()
        self._agreements = tuple(
            agreement for agreement in agreements if agreement.by not in strangers
        )
        people |= {agreement.by for agreement in self._agreements}
        self._names = directory.names(session.team, people)
        self._playbook = Playbook(reader.personas(session), {})

    @cached_property
    def _steps(self) -> tuple[StepState, ...]:
        return self._reader.all_steps(self._session.id)

    @cached_property
    def _settlements(self) -> tuple[Settlement, ...]:
        return self._reader.settlements(self._session.id)

    def request(self, effect: fx.ReadAnswers) -> ReadRequest:
        state = self._state(effect.step)
        request = self._request(state, effect, self._claims)
        if effect.persona == FACILITATOR.key:
            return request  # what the persona failed over may be one of these documents
        return replace(request, sources=self._sources(state))

    def _sources(self, state: StepState) -> dict[str, str]:
        """The documents the step names, as corrected.

        Raises what `SessionDocuments.read` raises, unless people said to do without that document.
        """
        texts: dict[str, str] = {}
        assert state.digest is not None, state.id
        names = dict(state.sources.corrections)
        for source in self._reader.content(state.digest).sources:
            name = names.get(source, source)
            try:
                texts[name] = redact(
                    self._documents.read(self._session.team, self._session.slug, name)
                )
            except (OSError, UnicodeDecodeError):
                if not {source, name} & set(state.sources.without):
                    raise
        return texts

    def consultation(self, effect: fx.Consult) -> ConsultRequest:
        session = self._session
        party = self._reader.party(session)
        assert party is not None, session.id
        council = session.party.council
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
            questions=council.questions if council else (),
            # what it asked for itself changes nothing
            changes=()
            if council and council.questions and not council.revising
            else self._changes(effect.phase),
            neighbour=effect.neighbour,
            prompt=effect.prompt,
            mentioned=self.mentioned,
            personas=tuple(persona.name for persona in party.personas),
        )

    def questions(self, step: StepId) -> ConsultRequest | None:
        """What was asked in a council and answered, as whoever leads it is given it; None: nothing
        was asked."""
        state, party = self._state(step), self._reader.party(self._session)
        if not state.questions.posed:
            return None
        assert party is not None, self._session.id
        leader = party.phase(state.phase).members[0]
        effect = fx.Consult(TaskId(""), state.phase, leader, "position")
        return replace(self.consultation(effect), questions=state.questions.posed)

    def _state(self, step: StepId) -> StepState:
        state = self._reader.step_state(self._session.id, step)
        assert state is not None, step
        return state

    def _changes(self, phase: PhaseKey) -> tuple[Answer, ...]:
        """What people said in this phase: the first phase asks, the others hear of changes."""
        steps = {state.id for state in self._session.course.steps if state.phase == phase}
        return tuple(answer for answer in self._answers if answer.step in steps)

    def council_turns(self, phase: PhaseKey) -> CouncilTurns:
        """What the members of a council delivered in a phase."""
        answers = frozenset(answer.id for answer in self._answers)
        return CouncilTurns(self._reader.contributions(self._session.id, phase), answers)

    def kept(self, step: StepId) -> Draft:
        """What a brain made of the step before: nothing is thought anew."""
        claims = tuple(claim for claim in self._claims if claim.step == step)
        state = self._reader.step_state(self._session.id, step)
        recorded = state.recorded if state else ""
        scan = self._session.scan if step.startswith(SCAN_STEPS) else None
        return Draft(recorded or NOTHING_SAID, claims, scan=scan)

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
        answers, _ = _parted(self._answers, step)
        confirmed = tuple(answer for answer in answers if answer.source == "confirmed")
        if state is None or not (confirmed or state.doubts):
            return claims
        return settled(claims, state, confirmed)

    def parts(
        self, request: ReadRequest, draft: Draft
    ) -> tuple[tuple[tuple[str, ...], Draft], ...]:
        """Whose file is whose, in a party."""
        party = self._reader.party(self._session)
        return self.council_turns(request.phase).parts(request, draft, party) if party else ()

    def concerns(self, step: StepId) -> tuple[str, ...]:
        state = self._reader.step_state(self._session.id, step)
        return state.concerns if state else ()

    def redacts(self, text: str) -> bool:
        """True if the owner chose to go on without the secrets in it."""
        return text in self._session.halt.redacted

    def turn_request(self, effect: fx.Speak) -> TurnRequest:
        state = self._state(effect.step)
        answers, _ = _parted(self._answers, effect.step)
        return TurnRequest(
            persona=self._playbook.persona(effect.persona),
            topic=state.title,
            said=tuple((self._name(answer), answer.text) for answer in _not_confirmed(answers)),
            turns=state.discussion.turns,
            addressed=effect.addressed,
            claims=self._claims,
            people={answer.id: self._name(answer) for answer in self._answers},
            title=self._session.title,
            text=self._session.text,
            mentioned=self.mentioned,
        )

    def failure(self, effect: fx.Diagnose) -> DiagnosisRequest:
        """A failed reading, with the names of the documents that are really there."""
        session = self._session
        return DiagnosisRequest(
            effect.step,
            effect.category,
            effect.seen,
            effect.missing,
            self._documents.names(session.team, session.slug),
            frozenset(section.file for section in self._reader.sections(session.id)),
        )

    def _name(self, answer: Answer) -> str:
        return self._names.get(answer.by, "someone")

    def elaboration(self, step: StepId) -> tuple[Lines, Lines]:
        """The turns of personas in an elaboration of the step, and what people said in it."""
        state = self._reader.step_state(self._session.id, step)
        turns = state.discussion.turns if state else ()
        answers, _ = _parted(self._answers, step)
        persona_lines = tuple(
            (self._playbook.persona(persona).name, text) for persona, text in turns
        )
        people_lines = tuple(
            (self._name(answer), answer.text)
            for answer in answers
            if answer.source == "elaboration"
        )
        return persona_lines, people_lines

    def _request(
        self, state: StepState, effect: fx.ReadAnswers, claims: tuple[Claim, ...]
    ) -> ReadRequest:
        assert state.digest is not None, state.id
        session = self._session
        answers, others = _parted(self._answers, state.id)
        request = ReadRequest(
            task=effect.task,
            title=session.title,
            text=session.text,
            slug=session.slug,
            phase=state.phase,
            step=corrected(self._reader.content(state.digest), state.sources.corrections),
            depth=state.prompt.depth or "standard",
            persona=self._playbook.persona(effect.persona),
            answers=answers,
            claims=tuple(claim for claim in claims if claim.step != state.id),
            other_answers=others,
            names=self._names,
            deciders=session.deciders,
            previous=tuple(claim for claim in claims if claim.step == state.id),
            follow_ups=state.questions.follow_ups,
            asked_elsewhere=tuple(
                follow_up
                for step in self._steps
                if step.id != state.id
                for follow_up in step.questions.follow_ups
            ),
            scan=session.scan,
            settlements=self._settlements,
            agreements=self._agreements,
            corrections=self._corrections,
            not_asked=tuple(step.title for step in self._steps if step.is_left_out),
            steps=self._contents({claim.step for claim in claims} - {state.id}),
            mode=session.mode,
            glossary=self._glossary,
            mentioned=self.mentioned,
            model=state.model if state.model.is_read else None,
            taken_proposals=state.model.taken,
        )
        is_same = request.basis == state.basis
        return replace(request, reflected=state.recorded) if is_same else request

    def _contents(self, ids: Collection[StepId]) -> tuple[Step, ...]:
        return tuple(
            self._reader.content(state.digest)
            for state in self._steps
            if state.id in ids and state.digest is not None
        )

    def shown_elsewhere(
        self, effect: fx.ReadAnswers, request: ReadRequest, draft: Draft
    ) -> Iterator[Section]:
        """Sections of other steps that show this step's claims, where they come out different."""
        from core.artifacts.compose.sections_elsewhere import sections_elsewhere

        claims = (*request.claims, *draft.claims)
        return sections_elsewhere(
            self._reader, self._session.id, request, draft,
            lambda state: self._request(state, effect, claims),
        )  # fmt: skip


def with_reads(request: ReadRequest) -> ReadRequest:
    """The request as a brain is given it: of other steps the claims that its step reads."""
    if request.step.reads is None:
        return request
    readable = tuple(claim for claim in request.claims if request.step.is_given(claim.step))
    unread = tuple(claim for claim in request.claims if not request.step.is_given(claim.step))
    return replace(request, claims=readable, unread=unread)


def _agreements(
    session: Session, stances: Iterable[Stance], answers: Iterable[Answer]
) -> Iterator[Agreement]:
    """The 👍 on answers as they read now; the owner and those who answered are asked for more."""
    revisions = {answer.id: answer.revision for answer in answers if not answer.withdrawn}
    deciders = {session.owner, *session.people.answered}
    for stance in stances:
        if stance.view == "agrees" and stance.revision == revisions.get(stance.answer):
            yield Agreement(stance.answer, stance.by, stance.by in deciders)


def _not_confirmed(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    return tuple(answer for answer in answers if answer.source != "confirmed")


def _parted(
    answers: tuple[Answer, ...], step: StepId
) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
    own = tuple(answer for answer in answers if answer.step == step)
    return own, tuple(answer for answer in answers if answer.step != step)
