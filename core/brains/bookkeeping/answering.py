"""Which follow-ups are over: what people said since has to do with them, or their line is gone.

A follow-up is answered by somebody who fits its kind or speaks of its line, and by a short reply
that comes right after it. "+1", "brb" and a question back answer nothing.
"""

from collections.abc import Iterator
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.spoken import Claims
from core.brains.text.filler import is_filler, is_unknown
from core.brains.text.wording import words_of
from core.domain.answers import NOT_SAID, Answer, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.lines import find_line

DIRECT_WORDS_MAX: Final = 14  # of a reply that needs no word of what it answers
SHARED_WORDS_MIN: Final = 2
REST_WORDS_MAX: Final = 4  # behind "idk, "
_CLAUSES: Final = patterns.compile(r"[,.;:!—]+")

WAY_TO_SEE: Final = lexicon.pattern("way-to-see")
_FITS: Final = {
    "number": lexicon.pattern("has-number"),
    "unit": lexicon.pattern("has-number"),
    "check": WAY_TO_SEE,
    "difference": lexicon.pattern("names-a-side"),
}


def over(request: ReadRequest, claims: Claims) -> tuple[FollowUp, ...]:
    """Those of the request that end by what people said since they were asked."""
    return tuple(filter(None, (_over(asked, request, claims) for asked in request.follow_ups)))


def reply_to(asked: FollowUp, request: ReadRequest) -> Answer | None:
    """The first answer that has to do with a follow-up; None where nobody answered it."""
    if asked.outcome not in ("open", "answered"):
        return None
    since = list(since_asked(asked, request))
    about = (answer for answer in since if _is_about(answer, asked))
    direct = (answer for answer in since[:1] if _is_direct(answer) and not knows_not(answer.text))
    return next(about, next(direct, None))


def order_of(ts: str) -> tuple[int, ...]:
    """By which times of messages are compared."""
    return tuple(int(part) for part in ts.split(".") if part.isdecimal())


def _over(asked: FollowUp, request: ReadRequest, claims: Claims) -> FollowUp | None:
    if asked.outcome == "answered":
        return None
    every = (*request.claims, *request.unread, *claims)
    lost = [line for line in (asked.line, asked.other) if line and find_line(line, every) is None]
    answers = {answer.id for answer in (*request.answers, *request.other_answers)}
    if any(line.answer not in answers for line in lost):
        return asked.ended("withdrawn")
    if asked.outcome == "withdrawn":  # its line was put back
        return asked.ended("passed")
    since = list(since_asked(asked, request))
    if any(_is_about(answer, asked) for answer in since):
        return asked.ended("answered")
    if asked.outcome != "open":
        return None
    if since and knows_not(since[0].text):
        return asked.ended("unknown", since[0].by)
    if since and _is_direct(since[0]):
        return asked.ended("answered")
    return asked.ended("passed") if lost else None


def since_asked(asked: FollowUp, request: ReadRequest) -> Iterator[Answer]:
    """What people said to the step since it was asked, without noise and questions back."""
    after = order_of(asked.after)
    for answer in request.answers:
        newest = max(order_of(answer.ts), order_of(answer.edited_ts or ""))
        if newest <= after or answer.source in NOT_SAID or answer.text.rstrip().endswith("?"):
            continue
        if not is_noise(answer.text):
            yield answer


def knows_not(text: str) -> bool:
    """True for "idk" and "no idea, ask somebody else"; "not sure, ten minutes" says more."""
    first, *clauses = _CLAUSES.split(text.strip(), maxsplit=1)
    more = " ".join(clauses)
    says_more = len(more.split()) > REST_WORDS_MAX or bool(_FITS["number"].search(more))
    return is_unknown(text) or (is_unknown(first) and not says_more)


def is_noise(text: str) -> bool:
    """True for "+1", "thanks" and "brb": it says nothing of the item. "idk" does."""
    if lexicon.pattern("steps-out").fullmatch(text.strip()):
        return True
    return is_filler(text) and not knows_not(text)


def _is_direct(answer: Answer) -> bool:
    """A short reply that brings nothing new up."""
    brings_more = lexicon.pattern("brings-up").match(answer.text.strip())
    return len(answer.text.split()) <= DIRECT_WORDS_MAX and not brings_more


def _is_about(answer: Answer, asked: FollowUp) -> bool:
    """It speaks of the line (or of the question, where that names none) and fits the kind."""
    if knows_not(answer.text):
        return False
    about = words_of(" ".join(_lines(asked)) or asked.question)
    shared = len(about & words_of(answer.text))
    fits = _FITS.get(asked.kind)
    if fits is None:
        return shared >= min(SHARED_WORDS_MIN, len(about))
    return shared >= 1 and bool(fits.search(answer.text))


def _lines(asked: FollowUp) -> Iterator[str]:
    lines: tuple[LineRef | None, ...] = (asked.line, asked.other)
    return (line.quote for line in lines if line is not None)
