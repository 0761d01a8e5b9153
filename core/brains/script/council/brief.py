"""The answers to a council's questions as claims, sorted as the classic mode sorts them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.conflicts import Disagreement, differences, marked
from core.brains.script import kinds
from core.brains.script.claims import Manner, said_in
from core.brains.script.council.claiming import not_answered, step_of
from core.brains.script.council.domains import DOMAINS, asks_what_stays_out, domains_of, takes_up
from core.brains.script.council.hearing import DOMAIN, answers_of, heard, is_of_phase
from core.brains.script.council.stack import slot_of
from core.brains.script.labels import LABELS
from core.brains.script.parts.signs import is_excluded, is_open, is_question
from core.brains.script.readers import READERS
from core.brains.script.readings import FACT, FragmentReading, Readings, added
from core.brains.script.topics import BRIEF, Topic
from core.brains.text.filler import is_filler, is_foreign, is_unknown
from core.brains.text.split import Fragment
from core.domain.answers import Answer, Claim, ReadRequest
from core.domain.ids import Digest, StepId
from core.domain.party import PARTY_FILE, Question
from core.domain.party.contributions import ConsultRequest
from core.domain.playbook import Step

_SEEN: Final = lexicon.pattern("can-be-seen")
_USUAL: Final[Topic] = "purpose"


@dataclass(frozen=True, slots=True)
class CouncilBrief:
    claims: tuple[Claim, ...]
    differences: tuple[Disagreement, ...]


def brief(request: ConsultRequest) -> CouncilBrief:
    """What people said in this phase as lines of its file; then what nobody answered."""
    answers = [one for one in answers_of(request) if is_of_phase(request, one)]
    made = read_request(request, request.phase.outputs[:1], answers)
    said = marked(said_in(made, _USUAL, _manner(request)), made)
    found = differences(made, said)
    return CouncilBrief((*said, *_unanswered(request, said, made.step.id)), found)


# ── a council as the reading of a step ─────────────────────────────────────────────────────────


def read_request(
    request: ConsultRequest, files: Sequence[str], answers: Iterable[Answer]
) -> ReadRequest:
    """What a reader of a step is given, with the numbered questions as the step's own."""
    asked = "\n".join(f"{number}. {one.text}" for number, _, one in request.asked)
    step = Step(
        id=step_of(request.phase, next(iter(files), "")),
        title=request.phase.label,
        persona=request.member.key,
        depth="standard",
        outputs=tuple(files),
        file=PARTY_FILE,
        phase=request.phase.key,
        digest=Digest(""),
        sections={"Standard Mode": asked},
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
    questions = {number: question for number, _, question in request.asked}
    lines = {(one.text, one.fragment.number): one for one in heard(request)}

    def readings(fragment: Fragment, made: ReadRequest, asked: Mapping[int, str]) -> Readings:
        question = questions.get(fragment.number or 0)
        line = lines.get((fragment.text, fragment.number))
        domain = next(iter(domains_of(line)), "") if line else ""
        more = {"question": str(fragment.number)} if question else {}
        more |= {DOMAIN: domain} if domain else {}
        return tuple(added(one, more) for one in _read(fragment, made, domain, question, asked))

    return Manner(readings, bool, LABELS[_USUAL].heading_of)


def _read(
    fragment: Fragment,
    request: ReadRequest,
    domain: str,
    question: Question | None,
    asked: Mapping[int, str],
) -> Readings:
    """By the classic rules; a plain line is what its domain asks for."""
    known = DOMAINS.get(domain)
    topic = known.topic if known else _USUAL
    plain = not _says_itself(fragment, topic)
    if plain and not known and slot_of(fragment.text):
        return FACT  # a technology is no purpose; the next council will ask
    if not plain or not known:
        return kinds.readings(fragment, request, topic, asked)
    text, reader = fragment.text, known.reader
    if reader == "goal":
        reader = "success" if _SEEN.search(text) else "purpose"
    if reader == "scope" and question and asks_what_stays_out(question):
        reader = "out-of-scope"
    found = READERS[reader](text)
    return tuple(_concluded(one) if reader == "risk" else one for one in found)


def _says_itself(fragment: Fragment, topic: Topic) -> bool:
    """Whether a line is sorted by what holds everywhere: its label, or that it leaves open."""
    text = fragment.text
    plain = not (fragment.code or fragment.table == "head")
    labelled = fragment.label or LABELS[topic].label_of(text)[0]
    leaves = is_filler(text) or is_unknown(text) or is_question(text) or is_open(text)
    return bool(not plain or labelled or leaves or (topic in BRIEF and is_excluded(text)))


def _concluded(reading: FragmentReading) -> FragmentReading:
    """What nobody has built before may go wrong, although nobody has said that it does."""
    return replace(reading, confidence="inferred")


# ── what nobody answered ───────────────────────────────────────────────────────────────────────


def _unanswered(request: ConsultRequest, said: Sequence[Claim], step: StepId) -> tuple[Claim, ...]:
    """The questions that no line takes up; none where a language is not known here."""
    lines = [one for one in heard(request) if is_of_phase(request, one.answer)]
    if any(is_foreign(one.text) for one in lines if one.question is None):
        return ()
    open_ones = [
        question
        for _, _, question in request.asked
        if not any(takes_up(line, question) for line in lines)
    ]
    return not_answered(step, len(said) + 1, (one.text for one in open_ones))
