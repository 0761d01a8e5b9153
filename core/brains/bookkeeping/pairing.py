"""Questions of people to each other, and the answers that follow them.

A question is open until somebody else speaks next in its step without asking back, or until a line
of another step shares its distinctive words. `answered_by` of its data names the answer, `answer`
quotes it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.answering import is_noise, knows_not, order_of
from core.brains.bookkeeping.spoken import Claims
from core.brains.text.wording import words_of
from core.domain.answers import NOT_SAID, Answer, Claim, ReadRequest

SHARED_WORDS_MIN: Final = 3
DIRECT_WORDS_MAX: Final = 40  # of the next person's reply, where it shares no word
ANSWER_CHARS_MAX: Final = 200


def paired(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, questions among them with what answered them."""
    return tuple(_paired(claim, request) for claim in claims)


def _paired(claim: Claim, request: ReadRequest) -> Claim:
    if claim.kind != "question" or not claim.sources or not claim.text.rstrip().endswith("?"):
        return claim
    answer = _answer_to(claim, request)
    if answer is None:
        return claim
    words = " ".join(answer.text.split())[:ANSWER_CHARS_MAX]
    return replace(claim, data={**claim.data, "answered_by": answer.id, "answer": words})


def _answer_to(claim: Claim, request: ReadRequest) -> Answer | None:
    asked = next((answer for answer in request.answers if answer.id in claim.sources), None)
    if asked is None:
        return None
    about = words_of(claim.text)
    here = _later(request.answers, asked)
    for place, answer in enumerate(here):
        shares = bool(about & words_of(answer.text))
        if shares or (place == 0 and len(answer.text.split()) <= DIRECT_WORDS_MAX):
            return answer
    elsewhere = _later(request.other_answers, asked)
    return next((claim for claim in elsewhere if _speaks_of(claim, about)), None)


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
