"""Questions of people to each other, and the answers that follow them.

A question is open until somebody whom it names, or who shares a word with it, speaks after it in
its step; or somebody else next, in short and with no line of their own; or until a line of another
step shares its distinctive words. `answered_by` of its data names the answer, `answer` quotes it.
Whoever says of an open question that it is open asks it again: `again` quotes the first.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.answering import is_noise, knows_not, reply_to
from core.brains.text.wording import words_of
from core.domain.answers import NOT_SAID, Answer, Claim, Claims, ReadRequest
from core.domain.ids import AnswerId, UserId, order_of

SHARED_WORDS_MIN: Final = 3
DIRECT_WORDS_MAX: Final = 20  # of the next person's reply, where it shares no word
AGAIN_WORDS_MIN: Final = 2  # of a question that is asked again
OPENING_CHARS_MAX: Final = 60  # of an answer, within which a label may end
ANSWER_CHARS_MAX: Final = 200
_WORD: Final = patterns.compile(r"[\w-]+")
_LINE_OF_ITS_OWN: Final = lexicon.pattern("line-of-its-own")
_OPEN: Final = lexicon.pattern("open")
_ASKS_FOR: Final = lexicon.pattern("asks-for")


def paired(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, questions among them with what answered them, or the one that they ask again."""
    replies = (reply_to(asked, request, claims) for asked in request.follow_ups)
    ours = frozenset(reply.id for reply in replies if reply)
    questions = [line for line in request.claims if line.step < request.step.id and _is_open(line)]
    lines = []
    for claim in claims:
        line = _paired(claim, request, ours)
        if _is_open(line):
            line = _asked_again(line, questions)
            questions.append(line)
        lines.append(line)
    return tuple(lines)


def _is_open(claim: Claim) -> bool:
    return claim.kind == "question" and bool(claim.sources) and "answered_by" not in claim.data


def _asked_again(claim: Claim, before: Iterable[Claim]) -> Claim:
    """The question, with the first of those before it that asks the same."""
    first = next((other for other in before if _asks_again(claim.text, other.text)), None)
    if first is None:
        return claim
    return replace(claim, data={**claim.data, "again": first.data.get("again", first.text)})


def _asks_again(text: str, first: str) -> bool:
    """True for the same words, and for "nobody has decided *who tells the payer*"."""
    says_open = _OPEN.search(text)
    words, others = words_of(_OPEN.sub(" ", text)), words_of(first)
    asks_for, other = (_ASKS_FOR.search(line.casefold()) for line in (text, first))
    is_same = words == others or (says_open and words <= others)
    is_alike = asks_for and other and asks_for[0] == other[0]
    return bool(is_same and is_alike and len(words) >= AGAIN_WORDS_MIN)


def _paired(claim: Claim, request: ReadRequest, ours: frozenset[AnswerId]) -> Claim:
    if claim.kind != "question" or not claim.sources or not claim.text.rstrip().endswith("?"):
        return claim
    answer = _answer_to(claim, request, ours)
    if answer is None:
        return claim
    words = " ".join(answer.text.split())[:ANSWER_CHARS_MAX]
    return replace(claim, data={**claim.data, "answered_by": answer.id, "answer": words})


def _answer_to(claim: Claim, request: ReadRequest, ours: frozenset[AnswerId]) -> Answer | None:
    """`ours`: the answers to what we asked."""
    asked = next((answer for answer in request.answers if answer.id in claim.sources), None)
    if asked is None:
        return None
    about = words_of(claim.text)
    named = _named_in(claim.text, request)
    for place, answer in enumerate(_later(request.answers, asked)):
        follows = place == 0 and not named and answer.id not in ours and _is_direct(answer)
        if about & words_of(answer.text) or answer.by in named or follows:
            return answer
    elsewhere = _later(request.other_answers, asked)
    return next((claim for claim in elsewhere if _speaks_of(claim, about)), None)


def _named_in(question: str, request: ReadRequest) -> frozenset[UserId]:
    """The people whom a question calls: "dev, can we ring?"."""
    words = set(_WORD.findall(question.casefold()))
    return frozenset(who for who, name in request.names.items() if name.casefold() in words)


def _is_direct(answer: Answer) -> bool:
    """A short reply that opens no list, and no line under a label."""
    text = answer.text.strip()
    opens_line = _LINE_OF_ITS_OWN.match(text[:OPENING_CHARS_MAX])
    return not opens_line and len(text.split()) <= DIRECT_WORDS_MAX


def _later(answers: Iterable[Answer], asked: Answer) -> list[Answer]:
    """What others said after the question that is neither noise nor a question."""
    later = [
        answer
        for answer in answers
        if order_of(answer.ts) > order_of(asked.ts) and answer.by != asked.by
        if not answer.withdrawn and answer.source not in NOT_SAID
        if not is_noise(answer.text) and not knows_not(answer.text)
        if not answer.text.rstrip().endswith("?")
    ]
    return sorted(later, key=lambda answer: order_of(answer.ts))


def _speaks_of(answer: Answer, about: frozenset[str]) -> bool:
    return any(
        len(about & words_of(line)) >= min(SHARED_WORDS_MIN, max(len(about), 2))
        for line in answer.text.splitlines()
    )
