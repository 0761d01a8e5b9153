"""What a line points back to: "that must work offline", "and the kitchen?" say little alone.

The sentence before it in its own answer, else the last one of the answer before it at the step. It
is shown as what was said there; whether the line means it, nobody is made to have said.
"""

from collections.abc import Iterable
from typing import Final

from core import patterns
from core.artifacts.compose.analysis.english import pattern
from core.artifacts.compose.claims import is_asked
from core.artifacts.document.plain import is_code, one_line
from core.domain.answers import NOT_SAID, Answer, Claim, ClaimKind
from core.domain.ids import order_of
from core.domain.lines import quoted_in

CONTEXT_CHARS_MAX: Final = 160
QUESTION_WORDS_MAX: Final = 3  # of a question that says nothing without what it was asked about
_LINES: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality", "decision", "exclusion"})
_LIST_SIGNS: Final = "-*+•> "
_POINTS_BACK: Final = pattern("points_back")
_SENTENCE_END: Final = patterns.compile(r"[.…]+\s+|\n")


def said_before(claim: Claim, answers: Iterable[Answer]) -> tuple[str, Answer] | None:
    """The sentence and its answer; None for a line that stands by itself or opens its step."""
    every = [answer for answer in answers if not answer.withdrawn]
    own = next((answer for answer in every if answer.id in claim.sources), None)
    if own is None or not _leans(claim) or is_code(claim.text):
        return None
    at = own.text.find(quoted_in(claim)[0])
    if at > 0 and (sentence := _last_of(own.text[:at])):
        return sentence, own
    earlier = [
        answer
        for answer in every
        if answer.step == own.step and answer.source not in NOT_SAID and answer.id != own.id
        if order_of(answer.ts) < order_of(own.ts)
    ]
    last = max(earlier, key=lambda answer: order_of(answer.ts), default=None)
    sentence = _last_of(last.text) if last and at >= 0 else ""
    return (sentence, last) if last and sentence else None


def _leans(claim: Claim) -> bool:
    if is_asked(claim) and len(claim.text.split()) <= QUESTION_WORDS_MAX:
        return True
    return (is_asked(claim) or claim.kind in _LINES) and bool(_POINTS_BACK.match(claim.text))


def _last_of(text: str) -> str:
    """The last sentence of two words or more, cut at its head. "Yes" and "f)" say nothing."""
    lines = text.replace("? ", "?\n").replace("! ", "!\n")  # a question stays one
    sentences = (one_line(part).lstrip(_LIST_SIGNS) for part in _SENTENCE_END.split(lines))
    last = next((sentence for sentence in reversed([*sentences]) if len(sentence.split()) > 1), "")
    if len(last) <= CONTEXT_CHARS_MAX:
        return last
    return f"… {last[-CONTEXT_CHARS_MAX:].partition(' ')[2]}"
