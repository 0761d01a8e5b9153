"""The lines that may be asked about, how a question names one, and what was said about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Final

from core import patterns
from core.brains.bookkeeping.answering import said_at
from core.brains.bookkeeping.references.checks import perhaps_checked
from core.brains.bookkeeping.spoken import spoken
from core.brains.text.filler import is_closing, is_unknown
from core.brains.text.wording import words_of
from core.domain.answers import NOT_SAID, Claim, Claims, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, StepId
from core.domain.lines import line_of, superseded
from core.domain.steps.criteria import Need

QUOTE_CHARS_MAX: Final = 90
WORDS_MIN: Final = 2  # of a line that is asked about
SHARED_WORDS_MIN: Final = 2
SHARED_WORDS_MAX: Final = 3  # that are enough for any line
_QUOTES: Final = patterns.compile("“([^”]+)”")
_SENTENCE_END: Final = patterns.compile(r"[.;!?]+\s+|\n")
MARGIN: Final = frozenset({"note", "assumption", "question"})


@dataclass(frozen=True)
class Grounds:
    """A step's request with the claims of its reading: all that a follow-up may rest on."""

    request: ReadRequest
    claims: Claims  # of the step

    @cached_property
    def every(self) -> Claims:
        """The lines of all steps."""
        return (*self.request.claims, *self.request.unread, *self.claims)

    @cached_property
    def lines(self) -> Claims:
        """Those that may be asked about: the step's own first."""
        replaced = superseded(self.every)
        return tuple(
            claim
            for claim in spoken((*self.claims, *self.request.claims))
            if claim.id not in replaced and _is_askable(claim)
        )

    @cached_property
    def sentences(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Every sentence that anybody said, at any step, with its words that carry meaning."""
        answers = self.request.every_answer
        texts = (answer.text for answer in answers if answer.source not in NOT_SAID)
        sentences = (sentence for text in texts for sentence in _SENTENCE_END.split(text))
        return tuple((sentence, words_of(sentence)) for sentence in sentences if sentence.strip())

    @cached_property
    def perhaps_checked(self) -> frozenset[str]:
        """The names of the lines of which a check may be that somebody said at any step."""
        return perhaps_checked(self.every, self.request)

    @cached_property
    def times(self) -> Mapping[AnswerId, tuple[int, ...]]:
        """When every answer was said, at any step, or edited last."""
        return {answer.id: said_at(answer) for answer in self.request.every_answer}

    @property
    def questions(self) -> Claims:
        """Questions of the step by which somebody puts something: "closes 6 before?"."""
        return tuple(claim for claim in spoken(self.claims) if claim.kind == "question")

    def is_own(self, claim: Claim) -> bool:
        return claim.step == self.request.step.id

    def steps_for(self, kind: Need) -> frozenset[StepId]:
        """The steps of the session that must obtain lines of a kind."""
        return frozenset(step.id for step in self.request.steps if kind in step.needed_kinds)

    def has(self, follow_up: FollowUp) -> bool:
        """True if it is about a line of the step, or about none."""
        answers = {source for claim in self.claims for source in claim.sources}
        lines = [line for line in (follow_up.line, follow_up.other) if line]
        return not lines or any(line.answer in answers for line in lines)

    def says_of(self, claim: Claim, *expressions: patterns.Pattern, but: str = "") -> bool:
        """True if a sentence of another line says such things and shares half of its words.

        `but`: what is known to be said of other lines.
        """
        about = words_of(claim.text)
        half = min(SHARED_WORDS_MAX, max(SHARED_WORDS_MIN, ceil(len(about) / 2)))
        enough = min(half, len(about)) or 1
        return any(
            len(about & words) >= enough
            and all(expression.search(text) for expression in expressions)
            for text, words in self.sentences
            if text.strip() not in claim.text and claim.text not in text
            if text.strip() not in but
        )


def named(claim: Claim) -> str:
    """`FR-003 “hold a slot for ten minutes”`, cut at a word."""
    quote = " ".join(claim.text.split()).rstrip(".")
    if len(quote) > QUOTE_CHARS_MAX:
        quote = quote[:QUOTE_CHARS_MAX].rpartition(" ")[0].rstrip(",;:") + " …"
    return f"{claim.ref} “{quote}”" if claim.ref else f"“{quote}”"


def named_before(claim: Claim, question: str) -> str:
    """A question with the line that it is about before it, as far as it does not name it itself."""
    about = words_of(claim.text)
    if not any(words and words <= about for words in map(words_of, _QUOTES.findall(question))):
        return f"{named(claim)}: {question}"
    if not claim.ref or claim.ref in question:
        return question
    return f"{claim.ref} {question}" if question.startswith("“") else f"{claim.ref}: {question}"


def of_kind(grounds: Grounds, *kinds: str) -> Iterator[Claim]:
    """The lines of these kinds."""
    return (claim for claim in grounds.lines if claim.kind in kinds)


def _is_askable(claim: Claim) -> bool:
    if claim.kind in MARGIN or claim.confidence in ("assumed", "proposed"):
        return False
    plain = claim.text.strip()
    if plain.startswith("```") or plain.endswith(("?", ":")) or len(plain.split()) < WORDS_MIN:
        return False
    return line_of(claim) is not None and not (is_unknown(plain) or is_closing(plain))
