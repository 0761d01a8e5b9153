"""Question and broadcast: what members ask people, and how each reads their answers.

A lens is the domains of a member's questions. It quotes what was said of them and names what was
not; where people differ, it does not choose.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.brains.bookkeeping.conflicts import Disagreement
from core.brains.script.council import domains, transcript
from core.brains.script.council.brief import brief
from core.brains.script.council.domains import unsaid
from core.brains.script.council.quoting import begun, fit, listed, quote, voice
from core.brains.script.council.transcript import CouncilLine, sayings, says
from core.brains.tasks import NumberedQuestions
from core.brains.text.filler import is_foreign
from core.brains.text.split import split
from core.brains.text.wording import plain, words_of
from core.domain.answers import Answer
from core.domain.ids import AnswerId, PersonaKey, StepId, Ts, UserId
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest, Contribution, in_order

VOICES_SHOWN_MAX: Final = 2  # of people, on one domain
COVERING_WORDS_MIN: Final = 4  # of a sentence in a description, to save people a question
# Half of all words that carry meaning: two questions that begin alike and end otherwise ("What do
# people use for this today, and …") get one answer from people, so they are asked once. The check
# of step files calls questions alike from the same share on.
ALIKE_FROM: Final = 0.5
SHARED_WORDS_MIN: Final = 2  # one word in common is what two questions are about, not the same one


# ── the questions ──────────────────────────────────────────────────────────────────────────────


def questions(request: ConsultRequest) -> Contribution:
    """Its own, but for those that the title or the description answers already."""
    described = [line for line in _described(request) if not line.is_open]
    questions = tuple(
        question
        for question in request.member.questions
        if not any(domains.takes_up(line, question) for line in described)
    )
    text = voice(request.member.key, "asks") if questions else _ALL_ANSWERED
    return Contribution(request.member.key, "questions", text, questions=questions)


_ALL_ANSWERED: Final = "Your description answers what I would ask."
_NO_ANSWER: Final = Answer(
    AnswerId(""), StepId("00-00"), UserId(""), "", Ts("0"), Ts("0"), permalink=""
)


def _described(request: ConsultRequest) -> Iterator[CouncilLine]:
    """The description as lines; whoever wrote it, it is nobody's answer."""
    text = f"{request.title}\n{request.text}"
    for fragment in split(text):
        if not fragment.code and len(fragment.text.split()) >= COVERING_WORDS_MIN:
            yield CouncilLine(fragment.text, _NO_ANSWER, fragment)


def merged(contributions: Iterable[Contribution], order: Sequence[PersonaKey]) -> NumberedQuestions:
    """Each question once, with whoever of `order` asks it first; numbered through from 1.

    They are grouped by persona in that order. Personas that it does not name come last, by key.
    A key means one thing: once a question with it has become another one, so do all others.
    """
    merged: list[tuple[PersonaKey, Question]] = []
    keys: set[str] = set()
    for contribution in in_order(contributions, order):
        for question in contribution.questions:
            is_new = not any(alike(question, other) for _, other in merged)
            if question.key not in keys and is_new:
                merged.append((contribution.persona, question))
            keys.add(question.key)
    return tuple((number, *question) for number, question in enumerate(merged, start=1))


def alike(one: Question, other: Question) -> bool:
    """True if two questions are the same one: by their key, or by the words they share."""
    if one.key == other.key or plain(one.text) == plain(other.text):
        return True
    words, others = words_of(one.text), words_of(other.text)
    shared = len(words & others)
    return shared >= SHARED_WORDS_MIN and 2 * shared >= ALIKE_FROM * (len(words) + len(others))


# ── the lens ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DomainAnswers:
    """What was said on a domain, and what people say that they do not know of it."""

    domain: str
    lines: tuple[CouncilLine, ...]
    left_open: tuple[CouncilLine, ...]


def lens_of(request: ConsultRequest) -> list[DomainAnswers]:
    """What people said on each domain of the member's questions."""
    return answers_on(request.member.questions, transcript.heard(request))


def answers_on(questions: Sequence[Question], lines: Sequence[CouncilLine]) -> list[DomainAnswers]:
    """The lines on each domain of some questions, in the order of the questions."""
    return [
        DomainAnswers(
            domain,
            tuple(line for line in about if not line.is_open),
            tuple(line for line in about if line.is_open),
        )
        for domain in dict.fromkeys(question.domain for question in questions)
        for about in [[line for line in lines if domains.speaks_of(line, domain, questions)]]
    ]


def interpretation(request: ConsultRequest) -> Contribution:
    """What was said of its domains and by whom, and what nobody said."""
    lens = lens_of(request)
    missing = [unsaid(on.domain) for on in lens if not on.lines and not on.left_open]
    sentences = [
        voice(request.member.key, "hears"),
        *(_quote_domain(request, on) for on in lens),
        not_said(request, missing),
        *(differing(request, difference) for difference in differences_in(request, lens)),
        _quote_unsorted(request),
    ]
    if not transcript.heard(request):
        about = [unsaid(on.domain) for on in lens]
        tail = f", so I cannot say {listed(about)}" if about else ""
        sentences = [f"Nobody has answered yet{tail}."]
    return Contribution(request.member.key, "interpretation", fit(sentences))


def not_said(request: ConsultRequest, missing: Sequence[str]) -> str:
    """What nobody has said; or that it may have been said in words that no rule here knows."""
    if not missing:
        return ""
    if is_foreign_to(request):
        return f"I read English only, so I cannot tell whether somebody said {listed(missing)}."
    return f"Nobody has said {listed(missing)}."


def is_foreign_to(request: ConsultRequest) -> bool:
    """True if a line that takes up no question is in a language that no rule here knows."""
    lines = transcript.heard(request)
    return any(is_foreign(line.text) for line in lines if line.question is None)


def _quote_domain(request: ConsultRequest, on: DomainAnswers) -> str:
    """`Who it is for: Priya says “…” and Sam says “…”.`"""
    about = domains.clause_about(on.domain)
    if lines := transcript.several(on.lines)[:VOICES_SHOWN_MAX]:
        return f"{begun(unsaid(on.domain))}: {sayings(request, lines, about)}."
    if on.left_open and not on.lines:
        first = transcript.first_of_each(on.left_open)[:1]
        voices = [says(request, line) for line in first] or ["somebody asks back"]
        return f"{begun(unsaid(on.domain))} is left open: {listed(voices)}."
    return ""


def differences_in(request: ConsultRequest, lens: Sequence[DomainAnswers]) -> list[Disagreement]:
    """Where people differ on something in its lens."""
    texts = {line.text for on in lens for line in on.lines}
    return [
        difference
        for difference in brief(request).differences
        if any(claim.text in texts for _, _, claim in difference.said)
    ]


def differing(request: ConsultRequest, difference: Disagreement) -> str:
    """Both sides of a difference in people's words; nothing where only one can be quoted."""
    sides = [
        f"{transcript.name_of(request, person)} says “{piece}”"
        for person, value, _ in difference.said
        if (piece := quote(value))
    ]
    return f"That is not the same: {listed(sides)}." if len(sides) > 1 else ""


def _quote_unsorted(request: ConsultRequest) -> str:
    """What no domain takes up is named once, by whoever comes first at the table."""
    questions = request.member.questions
    if request.member.key not in request.phase.members[:1]:
        return ""
    own = [question.domain for question in questions if question.domain not in domains.DOMAINS]
    unsorted = [
        line
        for line in transcript.heard(request)
        if not domains.domains_of(line)
        and not line.is_open
        and not any(domains.speaks_of(line, domain, questions) for domain in own)
    ]
    quotes = sayings(request, transcript.first_of_each(unsorted)[:VOICES_SHOWN_MAX])
    return f"Beside that, {quotes}." if quotes else ""
