"""The answers to a council's questions as claims, sorted as the classic mode sorts them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.conflicts import Disagreement, differences, marked
from core.brains.script import kinds
from core.brains.script.claims import Manner, said_in
from core.brains.script.council import blueprint, proposing
from core.brains.script.council.domains import DOMAINS, asks_what_stays_out, domains_of, takes_up
from core.brains.script.council.stack import STACK_FILE
from core.brains.script.council.technologies import slot_of
from core.brains.script.council.transcript import (
    DOMAIN,
    CouncilLine,
    answers_of,
    heard,
    is_of_phase,
    step_of,
    with_unanswered,
)
from core.brains.script.evidence import is_excluded
from core.brains.script.parts.signs import is_open, is_question
from core.brains.script.readers import FACT, READERS, Readings, added
from core.brains.script.topics import BRIEF, LABELS, Topic
from core.brains.text.filler import is_filler, is_foreign, is_unknown
from core.brains.text.questions import Fragment
from core.domain.answers import Answer, Claim, ReadRequest
from core.domain.ids import Digest
from core.domain.party import PARTY_FILE, Question
from core.domain.party.contributions import ConsultRequest
from core.domain.steps.playbook import Step

_USUAL: Final[Topic] = "purpose"
_ROWS: Final = lexicon.table("council")
_GOES_ON, _PURPOSE = (lexicon.compiled(_ROWS[row]) for row in ("goes-on", "tells-purpose"))
_REPLIES: Final = lexicon.pattern("opens-reply")


@dataclass(frozen=True, slots=True)
class CouncilBrief:
    claims: tuple[Claim, ...]
    differences: tuple[Disagreement, ...]


def brief(request: ConsultRequest) -> CouncilBrief:
    """What people said in this phase as lines of its file; then what nobody answered."""
    answers = [answer for answer in answers_of(request) if is_of_phase(request, answer)]
    made = read_request(request, request.phase.outputs[:1], answers)
    claims = marked(said_in(made, _USUAL, _manner(request)), made)
    unanswered = (question.text for question in _unanswered(request))
    return CouncilBrief(
        with_unanswered(claims, unanswered, made.step.id), differences(made, claims)
    )


def summed_up(request: ConsultRequest) -> tuple[Claim, ...]:
    """The answers to a council's questions as lines of its files, in the manner of its members."""
    files = request.phase.outputs
    if STACK_FILE in files:
        claims = proposing.claims_of(request)
    elif any(file in blueprint.TOPIC_OF_FILE for file in files):
        claims = tuple(claim for file in files for claim in blueprint.claims_of(request, file))
    else:
        return brief(request).claims
    answer_ids = {answer.id for answer in answers_of(request) if is_of_phase(request, answer)}
    return tuple(claim for claim in claims if not answer_ids.isdisjoint(claim.sources))


# ── a council as the reading of a step ─────────────────────────────────────────────────────────


def read_request(
    request: ConsultRequest, files: Sequence[str], answers: Iterable[Answer]
) -> ReadRequest:
    """What a reader of a step is given, with the numbered questions as the step's own."""
    question_list = "\n".join(
        f"{number}. {question.text}" for number, _, question in request.questions
    )
    step = Step(
        id=step_of(request.phase, next(iter(files), "")),
        title=request.phase.label,
        persona=request.member.key,
        depth="standard",
        outputs=tuple(files),
        file=PARTY_FILE,
        phase=request.phase.key,
        digest=Digest(""),
        sections={"Standard Mode": question_list},
    )
    return ReadRequest(
        task=request.task,
        title=request.title,
        text=request.text,
        slug=request.slug,
        phase=request.phase.key,
        step=step,
        depth="standard",
        persona=request.member.persona,
        answers=tuple(answers),
        claims=(),
        other_answers=answers_of(request),
        names=request.names,
    )


# ── one line ───────────────────────────────────────────────────────────────────────────────────


def _manner(request: ConsultRequest) -> Manner:
    questions = {number: question for number, _, question in request.questions}
    every = heard(request)
    lines = {(line.fragment.text, line.fragment.number): line for line in every}
    carried_on = _carried_on(every)

    def readings(
        fragment: Fragment, made: ReadRequest, step_questions: Mapping[int, str]
    ) -> Readings:
        question = questions.get(fragment.number or 0)
        line = lines.get((fragment.text, fragment.number))
        domain = next(iter(domains_of(line)), carried_on.get(line, "")) if line else ""
        fragment = replace(fragment, text=line.text) if line else fragment
        more = {"question": str(fragment.number)} if question else {}
        more |= {DOMAIN: domain} if domain else {}
        return tuple(
            added(reading, more)
            for reading in _read_fragment(fragment, made, domain, question, step_questions)
        )

    return Manner(readings, bool, LABELS[_USUAL].heading_of)


def _carried_on(lines: Iterable[CouncilLine]) -> dict[CouncilLine, str]:
    """The domain of each line that shows none and goes on with the one before it: "oh and …"."""
    domains: dict[CouncilLine, str] = {}
    for before, line in pairwise(lines):
        if before.answer.id == line.answer.id and _GOES_ON.match(line.text):
            domains[line] = next(iter(domains_of(before)), domains.get(before, ""))
    return domains


def _read_fragment(
    fragment: Fragment,
    request: ReadRequest,
    domain: str,
    question: Question | None,
    step_questions: Mapping[int, str],
) -> Readings:
    """By the classic rules; a plain line is what its domain asks for."""
    row = DOMAINS.get(domain)
    topic = row.topic if row else _USUAL
    plain = not _says_itself(fragment, topic)
    if plain and not row and slot_of(fragment.text):
        return FACT  # a technology is no purpose; the next council will ask
    if not plain or not row:
        readings = kinds.readings(fragment, request, topic, step_questions)
        is_usual = plain and {reading.kind for reading in readings} == {_USUAL}
        return FACT if is_usual and not _tells_purpose(fragment.text) else readings
    text, reader = fragment.text, row.reader
    if reader == "goal":
        reader = "success" if lexicon.pattern("can-be-seen").search(text) else "purpose"
    if reader == "scope" and question and asks_what_stays_out(question):
        reader = "out-of-scope"
    if reader == "risk":  # what nobody has built before may go wrong, although nobody says so
        return tuple(replace(risk, confidence="inferred") for risk in READERS[reader](text))
    return READERS[reader](text)


def _tells_purpose(text: str) -> bool:
    """True for what people want, need or suffer from, unless it answers what somebody said."""
    return bool(_PURPOSE.search(text)) and not _REPLIES.match(text)


def _says_itself(fragment: Fragment, topic: Topic) -> bool:
    """True if a line is sorted by what holds everywhere: its label, or that it leaves open."""
    text = fragment.text
    plain = not (fragment.code or fragment.table == "head")
    labelled = fragment.label or LABELS[topic].label_of(text)[0]
    leaves = is_filler(text) or is_unknown(text) or is_question(text) or is_open(text)
    return bool(not plain or labelled or leaves or (topic in BRIEF and is_excluded(text)))


# ── what nobody answered ───────────────────────────────────────────────────────────────────────


def _unanswered(request: ConsultRequest) -> list[Question]:
    """The questions that no line takes up; none where a language is not known here."""
    lines = [line for line in heard(request) if is_of_phase(request, line.answer)]
    if any(is_foreign(line.text) for line in lines if line.question is None):
        return []
    questions = [question for _, _, question in request.questions]
    return [
        question for question in questions if not any(takes_up(line, question) for line in lines)
    ]
