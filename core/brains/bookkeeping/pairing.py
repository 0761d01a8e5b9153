"""Questions of people to each other, and the answers that follow them.

A question is open until somebody whom it names, or who shares a word with it, speaks after it in
its step; or somebody else next, in short and with no line of their own; or until a line of another
step shares its distinctive words. `answered_by` of its data names the answer, `answer` quotes it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.answering import is_noise, knows_not, reply_to
from core.brains.bookkeeping.spoken import Claims
from core.brains.text.wording import words_of
from core.domain.answers import NOT_SAID, Answer, Claim, ReadRequest
from core.domain.ids import AnswerId, UserId, order_of

SHARED_WORDS_MIN: Final = 3
DIRECT_WORDS_MAX: Final = 20  # of the next person's reply, where it shares no word
OPENING_CHARS_MAX: Final = 60  # of an answer, within which a label may end
ANSWER_CHARS_MAX: Final = 200
_WORD: Final = patterns.compile(r"[\w-]+")
_LINE_OF_ITS_OWN: Final = lexicon.pattern("line-of-its-own")


def paired(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, questions among them with what answered them."""
    replies = (reply_to(asked, request, claims) for asked in request.follow_ups)
    ours = frozenset(reply.id for reply in replies if reply)
    return tuple(_paired(claim, request, ours) for claim in claims)


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
