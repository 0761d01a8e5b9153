"""What of a model's turn stands, in an elaboration, a council or a diagnosis. Pure.

A turn claims nothing: what it puts between “ and ” was said. Lines of a council are the script's,
to which a model adds those that quote people truly; a technology that nobody named is told to be
the member's own proposal.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.model.folding import folded, is_enough
from core.brains.model.harmless import Ids, harmless, spellings
from core.brains.model.quotes import FoldedAnswers, VerifiedQuote
from core.brains.model.replies import (
    CauseReply,
    ContributedLine,
    ContributionReply,
    TurnReply,
)
from core.brains.model.taking_in import FlawedReplyError
from core.brains.model.wording import adds, invents
from core.brains.tasks import Diagnosis, DiagnosisRequest
from core.domain.answers import Claim, TurnRequest
from core.domain.ids import PersonaKey, StepId
from core.domain.mentions import with_names
from core.domain.party import Question
from core.domain.party.contributions import ConsultRequest, Contribution, Want
from core.secrets import kinds_of

TEXT_CHARS_MAX: Final = 900  # of a turn
QUESTION_CHARS_MAX: Final = 300
QUESTIONS_MAX: Final = 3  # of one member
SILENT: Final = "it was asked by name and said nothing"
NOT_SAID: Final = "“{words}” stands in nothing that was said"
CREDENTIAL: Final = "it repeats {kind}"
MY_OWN: Final = "That takes {names}, which nobody here has named: it is my own proposal."
NO_PLACE: Final = StepId("00-00")  # of a line that has no number in its file yet
_CLAIMING: Final[frozenset[Want]] = frozenset({"proposal", "revision", "draft", "final"})
_ASKS: Final = ("?", "？", "؟")
_QUOTED: Final = patterns.compile(r"“([^“”]+)”")
_TECHNOLOGIES: Final = tuple(
    lexicon.apart(row["known"]) for row in lexicon.table("council")["areas"].values()
)
_VERB: Final = "go"  # a language only by its capital, which begins sentences, too


def turn_of(reply: TurnReply, request: TurnRequest, ids: Ids) -> str | None:
    """A persona's words; None where it has nothing to add. Raises `FlawedReplyError`."""
    text = harmless(reply.text or "", ids, TEXT_CHARS_MAX)
    if not text and request.addressed:
        raise FlawedReplyError("unexpected", SILENT)
    _check(text, (text,), _said_in_talk(request), ids)
    return text or None


def contribution_of(
    reply: ContributionReply, request: ConsultRequest, scripted: Contribution, ids: Ids
) -> Contribution:
    """A member's turn in a council; `scripted`: its lines as the script reads them.

    Raises `FlawedReplyError`.
    """
    sources = tuple(_said_in_council(request))
    questions = (question.text for question in reply.questions)
    lines = (line.text for line in reply.lines)
    _check(reply.text, (reply.text, *questions, *lines), sources, ids)
    names = {**request.mentioned, **request.names}
    text = with_names(harmless(reply.text, ids, TEXT_CHARS_MAX), names)
    others = [key for key in request.phase.members if key != request.member.key]
    return Contribution(
        request.member.key,
        request.want,
        " ".join((text, *_own_proposals(text, sources))),
        to=PersonaKey(reply.to) if reply.to in others else request.neighbour,
        questions=_questions(reply, scripted, ids) if request.want == "questions" else (),
        claims=_claims(reply, request, scripted, ids) if request.want in _CLAIMING else (),
        agrees=reply.agrees if request.want == "vote" else None,
        more=reply.more,
    )


def cause_of(reply: CauseReply, request: DiagnosisRequest, ids: Ids) -> Diagnosis:
    """What a failure came from; the name that leads nowhere is corrected to one that exists, or
    not. Raises `FlawedReplyError`."""
    _check("", (reply.findings,), (), ids)
    corrections = tuple(
        (correction.named, correction.there)
        for correction in reply.corrections
        if correction.named == request.missing and correction.there in request.there
    )[:1]
    findings = harmless(reply.findings, ids, TEXT_CHARS_MAX)
    return Diagnosis(reply.fixed and bool(corrections), findings, corrections)


# ── what is held against it ────────────────────────────────────────────────────────────────────


def _check(text: str, texts: Iterable[str], sources: Sequence[str], ids: Ids) -> None:
    """Raises `FlawedReplyError` for a credential, and for words that nobody said."""
    flaws = [CREDENTIAL.format(kind=kind) for kind in kinds_of(*texts)]
    together = [folded(statement) for statement in sources]
    flaws += [
        NOT_SAID.format(words=match[1])
        for match in _QUOTED.finditer(text)
        if is_enough(folded(match[1])) and not _is_said(match[1], together, ids)
    ]
    if flaws:
        raise FlawedReplyError("misaligned", *flaws)


def _is_said(words: str, together: Sequence[str], ids: Ids) -> bool:
    forms = [folded(form).strip(" .,;:…") for form in spellings(words, ids)]
    return any(form in text for form in forms for text in together)


def _said_in_talk(request: TurnRequest) -> tuple[str, ...]:
    talk = (text for _, text in (*request.said, *request.turns))
    return (request.title, request.text, *talk, *(claim.text for claim in request.claims))


def _said_in_council(request: ConsultRequest) -> Iterator[str]:
    """What a member may rest on; its own list is the party's file."""
    yield from (request.title, request.text)
    yield from (answer.text for answer in (*request.answers, *request.changes))
    yield from (claim.text for claim in request.claims)
    yield from (turn.text for turn in request.said)
    yield from (question.text for _, _, question in request.questions)
    member = request.member
    yield from (*member.expertise, *member.focus, *member.checks)
    yield from (question.text for question in member.questions)


def _own_proposals(text: str, sources: Iterable[str]) -> Iterator[str]:
    """A sentence on the technologies that stand in the turn, and in nothing that was said."""
    together = folded("\n".join(sources))
    names = (match[0] for row in _TECHNOLOGIES for match in row.finditer(text))
    new = [name for name in names if name.lower() != _VERB and folded(name) not in together]
    if new:
        yield MY_OWN.format(names=" and ".join(dict.fromkeys(new)))


# ── questions and lines ────────────────────────────────────────────────────────────────────────


def _questions(reply: ContributionReply, scripted: Contribution, ids: Ids) -> tuple[Question, ...]:
    """The model's, each with a key of the member's own of the same domain; without any, those."""
    own = {question.domain.casefold(): question for question in reversed(scripted.questions)}
    questions = []
    asking = [question for question in reply.questions if question.text.rstrip().endswith(_ASKS)]
    for number, question in enumerate(asking[:QUESTIONS_MAX], start=1):
        alike = own.pop(question.domain.casefold(), None)
        key = alike.key if alike else f"{scripted.persona}-asks-{number}"
        domain = alike.domain if alike else harmless(question.domain, ids, QUESTION_CHARS_MAX)
        questions.append(Question(key, domain, harmless(question.text, ids, QUESTION_CHARS_MAX)))
    return tuple(questions) or scripted.questions


def _claims(
    reply: ContributionReply, request: ConsultRequest, scripted: Contribution, ids: Ids
) -> tuple[Claim, ...]:
    every = {answer.id: answer for answer in (*request.answers, *request.changes)}
    answers = FoldedAnswers(every.values())
    claims = list(scripted.claims)
    for line in reply.lines:
        places = (answers.find(quote, ids) for quote in line.quotes)
        quotes = [quote for quote in places if quote and not answers.is_confirmation(quote)]
        if new := [quote for quote in quotes if not _is_covered(quote, claims)]:
            claims.append(_claim(line, new, answers, ids, len(claims) + 1))
    return tuple(claims)


def _is_covered(quote: VerifiedQuote, claims: Iterable[Claim]) -> bool:
    words = folded(quote.words)
    return any(quote.answer in claim.sources and words in folded(claim.text) for claim in claims)


def _claim(
    line: ContributedLine,
    quotes: Sequence[VerifiedQuote],
    answers: FoldedAnswers,
    ids: Ids,
    number: int,
) -> Claim:
    """In people's own words where the model's say anything else. It decides nothing."""
    words = " … ".join(quote.words for quote in quotes)
    wording = harmless(line.text, ids)
    is_true = not (invents(wording, words) or adds(wording, words))
    return Claim(
        f"{NO_PLACE}/{number}",
        NO_PLACE,
        "option" if line.kind == "decision" else line.kind,
        wording if is_true else words,
        tuple(dict.fromkeys(quote.answer for quote in quotes)),
        "inferred" if answers.leaves_out(quotes) else "stated",
    )
