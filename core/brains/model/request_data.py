"""The data of a request, task by task: what a model may rest on, as JSON's values.

Everything that people, files or models wrote stands here, and nowhere else in a request:

- `task`: the task's name.
- `persona`: `{name, role}`.
- `step`: `{id, title, section, validation: [{id, text}]}`: what is asked there, and its criteria.
- `item`: `{title, text}`: what the session is about.
- `documents`: `[{name, text}]`: the files that the step names.
- `earlier`: `[{step, title, lines, answers}]`, one for each other step that is read: its whole
  answers, as in `answers`, and what was understood of them, of which only what stands: `lines:
  [{ref, kind, text, confidence, people, answers}]`. In `ask_and_propose` the step itself is the
  last, with its lines alone.
- `asked`: `[{id, by, to, step, kind, question, line, other, outcome}]`: what was asked before.
  `line` and `other` (the second of a difference) are `{answer, text}` or null; `step` is null for
  another step's. `outcome` is open, answered, skipped, unknown, passed or withdrawn; "next" for
  what is asked unless the model has something better; null for a turn of a persona, which `by`
  names, and whose `kind` is "turn", or what a council asked it for.
- `answers`: `[{id, person, revision, reply_to, text}]`: what people said at this step. `reply_to`
  is the id of what was asked, where an answer answers that, or null.

People are P1…, answers A1…, criteria V1…, what was asked Q1…; null stands for what is not known.
`find_cause` has its category and what was seen as `item`, the name that leads nowhere as the one
that was `asked`, and the names that exist as `documents`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from core.brains.bookkeeping.answering import reply_to
from core.brains.model.sent_text import Person
from core.brains.tasks import DiagnosisRequest
from core.domain.answers import NOT_SAID, Answer, Claim, Draft, ReadRequest, TurnRequest
from core.domain.follow_ups import FollowUp, LineRef, with_outcomes
from core.domain.ids import AnswerId, StepId, UserId
from core.domain.lines import standing
from core.domain.model_calls import ModelTask
from core.domain.party.contributions import ConsultRequest, Contribution
from core.domain.steps.criteria import Criterion
from core.domain.steps.playbook import Persona

Json = dict[str, Any]
OURS = "Written by Roundtable itself."


@dataclass(frozen=True, slots=True)
class RequestData:
    """The content of a request before it is made fit to leave; `names`: of whom may be in it."""

    content: Json
    names: Mapping[UserId, str] = field(default_factory=dict)
    answers: Mapping[AnswerId, str] = field(default_factory=dict)


# ── the tasks ──────────────────────────────────────────────────────────────────────────────────


def reading_data(request: ReadRequest, draft: Draft, task: ModelTask) -> RequestData:
    """Of a step's answers, with what the script made of them: to read them, or to ask and propose
    about them."""
    asks = task == "ask_and_propose"
    own_follow_ups = [
        (follow_up, request.step.id)
        for follow_up in with_outcomes(request.follow_ups, draft.closed)
    ]
    follow_ups = (*own_follow_ups, *((follow_up, None) for follow_up in request.asked_elsewhere))
    others = [answer for answer in request.other_answers if request.step.is_given(answer.step)]
    answers = _Answers.of(request.answers, others, _replies(request, draft))
    titles = {step.id: step.title for step in (*request.steps, request.step)}
    claims = standing((*request.claims, *draft.claims))
    content = _content(
        task,
        request.persona,
        _step(
            request.step.id,
            request.step.title,
            request.step.prompt(request.depth)[0],
            request.step.criteria,
        ),
        (request.title, request.text),
        documents=[{"name": name, "text": text} for name, text in request.sources.items()],
        earlier=answers.earlier(claims, titles, last=request.step.id),
        questions=[
            *(answers.asked(follow_up, step) for follow_up, step in follow_ups),
            *(answers.next(request, draft) if asks else ()),
        ],
        answers=answers.here(),
    )
    return RequestData(content, {**request.mentioned, **request.names}, answers.numbers)


def turn_data(request: TurnRequest) -> RequestData:
    """Of a persona's turn in an elaboration. Its people are known by their names alone."""
    speakers = {name for name, _ in request.said} | set(request.people.values())
    names = {UserId(name): name for name in sorted(speakers)}
    statements = [
        _statement(f"A{number}", UserId(name), None, text)
        for number, (name, text) in enumerate(request.said, start=1)
    ]
    people = {answer: UserId(name) for answer, name in request.people.items()}
    content = _content(
        "take_turn",
        request.persona,
        _step("", request.topic),
        (request.title, request.text),
        earlier=_Answers(people=people).earlier(standing(request.claims), {}),
        questions=[_turn(by, text, "turn") for by, text in request.turns],
        answers=statements,
    )
    return RequestData(content, {**request.mentioned, **names})


def council_data(request: ConsultRequest) -> RequestData:
    """Of a member's turn in a council: the numbered questions, what was answered, all turns."""
    every = {answer.id: answer for answer in (*request.answers, *request.changes)}.values()
    number = request.phase.key[:2]
    own_answers = [answer for answer in every if answer.step.startswith(number)]
    answers = _Answers.of(
        own_answers, [answer for answer in every if not answer.step.startswith(number)]
    )
    questions = [
        _turn(by, f"{place}. {question.text}", "questions")
        for place, by, question in request.questions
    ]
    content = _content(
        "contribute",
        request.member.persona,
        _step(request.phase.key, request.phase.label),
        (request.title, request.text),
        earlier=answers.earlier(standing(request.claims), {}),
        questions=[*questions, *(_contributed(turn) for turn in request.said if turn.text)],
        answers=answers.here(),
    )
    return RequestData(content, {**request.mentioned, **request.names}, answers.numbers)


def cause_data(request: DiagnosisRequest, persona: Persona) -> RequestData:
    """Of a failure: as it was reported, and the names of what is there."""
    documents = [
        {"name": name, "text": OURS if name in request.ours else ""} for name in request.there
    ]
    content = _content(
        "find_cause",
        persona,
        _step(request.step),
        (request.category, request.seen),
        documents=documents,
        questions=[_turn("", request.missing, "name")] if request.missing else [],
    )
    return RequestData(content)


# ── the parts ──────────────────────────────────────────────────────────────────────────────────


def _content(
    task: ModelTask,
    persona: Persona,
    step: Json,
    item: tuple[str, str],
    *,
    documents: Sequence[Json] = (),
    earlier: Sequence[Json] = (),
    questions: Sequence[Json] = (),
    answers: Sequence[Json] = (),
) -> Json:
    """In the order in which a model reads them: what changes least comes first."""
    title, text = item
    return {
        "task": task,
        "persona": {"name": persona.name, "role": persona.role},
        "step": step,
        "item": {"title": title, "text": text},
        "documents": documents,
        "earlier": earlier,
        "asked": [
            {"id": f"Q{number}", **question} for number, question in enumerate(questions, start=1)
        ],
        "answers": answers,
    }


def _step(
    step: str, title: str = "", section: str = "", criteria: Iterable[Criterion] = ()
) -> Json:
    validation = [
        {"id": f"V{number}", "text": criterion.text}
        for number, criterion in enumerate(criteria, start=1)
    ]
    return {"id": step, "title": title, "section": section, "validation": validation}


@dataclass(frozen=True, slots=True)
class _Answers:
    """The answers of a request with their numbers; those of its own step come first."""

    own: tuple[Answer, ...] = ()
    others: tuple[Answer, ...] = ()
    numbers: Mapping[AnswerId, str] = field(default_factory=dict)
    people: Mapping[AnswerId, UserId] = field(default_factory=dict)
    replies: Mapping[AnswerId, str] = field(default_factory=dict)  # to what was asked

    @classmethod
    def of(
        cls,
        own: Iterable[Answer],
        others: Iterable[Answer],
        replies: Mapping[AnswerId, str] = MappingProxyType({}),
    ) -> "_Answers":
        """A click is nobody's words, and what was withdrawn is not said any more."""
        own_answers, other_answers = (tuple(filter(_is_said, answers)) for answers in (own, others))
        every = (*own_answers, *other_answers)
        numbers = {answer.id: f"A{number}" for number, answer in enumerate(every, start=1)}
        people = {answer.id: answer.by for answer in every}
        return cls(own_answers, other_answers, numbers, people, replies)

    def here(self) -> list[Json]:
        return list(map(self._answer, self.own))

    def earlier(
        self, claims: Iterable[Claim], titles: Mapping[StepId, str], last: StepId | None = None
    ) -> list[Json]:
        """What was said and understood, step by step; lines of the step `last` come last."""
        every = tuple(claims)
        steps = {claim.step for claim in every} | {answer.step for answer in self.others}
        return [
            {
                "step": step,
                "title": titles.get(step),
                "lines": [self._line(claim) for claim in every if claim.step == step],
                "answers": [self._answer(answer) for answer in self.others if answer.step == step],
            }
            for step in sorted(steps, key=lambda step: (step == last, step))
        ]

    def asked(self, follow_up: FollowUp, step: StepId | None) -> Json:
        return {
            **_turn(None, follow_up.question, follow_up.kind),
            "step": step,
            "line": self._quote(follow_up.line),
            "other": self._quote(follow_up.other),
            "outcome": follow_up.outcome,
        }

    def next(self, request: ReadRequest, draft: Draft) -> Iterator[Json]:
        """What the script would ask, where that is not open already."""
        new = draft.follow_up
        if new and not any(new.is_same(follow_up) for follow_up in request.follow_ups):
            yield {**self.asked(new, request.step.id), "outcome": "next"}

    def _answer(self, answer: Answer) -> Json:
        number, replied = self.numbers[answer.id], self.replies.get(answer.id)
        return _statement(number, answer.by, answer.revision, answer.text, replied)

    def _line(self, claim: Claim) -> Json:
        people = dict.fromkeys(
            self.people[source] for source in claim.sources if source in self.people
        )
        return {
            "ref": claim.ref,
            "kind": claim.kind,
            "text": claim.text,
            "confidence": claim.confidence,
            "people": [Person(person) for person in people],
            "answers": [self.numbers[source] for source in claim.sources if source in self.numbers],
        }

    def _quote(self, line: LineRef | None) -> Json | None:
        number = self.numbers.get(line.answer) if line else None
        return {"answer": number, "text": line.quote} if line and number else None


def _is_said(answer: Answer) -> bool:
    return not answer.withdrawn and answer.source not in NOT_SAID


def _replies(request: ReadRequest, draft: Draft) -> dict[AnswerId, str]:
    """What each answer answers of what was asked at the step: that comes first of all asked."""
    answers = [
        reply_to(follow_up, request, draft.claims)
        for follow_up in with_outcomes(request.follow_ups, draft.closed)
    ]
    return {answer.id: f"Q{number}" for number, answer in enumerate(answers, start=1) if answer}


def _statement(
    number: str, by: UserId, revision: int | None, text: str, reply_to: str | None = None
) -> Json:
    person = Person(by)
    return {
        "id": number, "person": person, "revision": revision, "reply_to": reply_to, "text": text
    }  # fmt: skip


def _turn(by: str | None, text: str, kind: str) -> Json:
    nothing = dict.fromkeys(("line", "other", "outcome"))
    return {"by": by, "to": None, "step": None, "kind": kind, "question": text, **nothing}


def _contributed(turn: Contribution) -> Json:
    return {**_turn(turn.persona, turn.text, turn.want), "to": turn.to}
