"""Which of a model's lines rest on words that stand in people's answers, and how surely. Pure.

An answer is read at the revision of the request, and folded once. A quote is looked for in the
answer that it names, then in all others of the step: where exactly one has it, that one is meant.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, cast

from core.brains import lexicon
from core.brains.model import wording
from core.brains.model.folding import FoldedText, Span, bare, fold, folded, is_enough
from core.brains.model.harmless import Ids, harmless, spellings
from core.brains.model.replies import ReadReply, ReplyLine, ReplyQuote
from core.brains.text.split import split
from core.domain.answers import Answer, ClaimKind, Confidence, LineRef, ReadRequest
from core.domain.ids import AnswerId, order_of

_SIGNS: Final = lexicon.listed("confirming-signs")
_CONFIRMS: Final = lexicon.pattern("confirms")
_PROPOSES: Final = lexicon.pattern("proposes")


@dataclass(frozen=True, slots=True)
class VerifiedQuote:
    """Words that stand in an answer: where in its folded text, and where and how in itself."""

    answer: AnswerId
    span: Span
    start: int
    end: int
    words: str

    def overlaps(self, other: "VerifiedQuote") -> bool:
        is_apart = self.span[1] <= other.span[0] or other.span[1] <= self.span[0]
        return self.answer == other.answer and not is_apart


@dataclass(frozen=True, slots=True)
class VerifiedLine:
    """`text`: the model's wording; empty where only people's own words will do. `of`: the words of
    the line that it belongs to."""

    kind: ClaimKind
    text: str
    quotes: tuple[VerifiedQuote, ...]
    confidence: Confidence = "stated"
    of: LineRef | None = None
    number: int = 0  # of the reply's lines
    seen_as: ClaimKind | None = None  # the kind that it would have, were that for a model to say

    @property
    def quoted(self) -> str:
        return " … ".join(quote.words for quote in self.quotes)


@dataclass(frozen=True, slots=True)
class Verified:
    """What of a reply is true. `open`: ids of the criteria that no quote shows to be met."""

    lines: tuple[VerifiedLine, ...]
    open: tuple[str, ...] = ()
    answers: "FoldedAnswers" = field(default_factory=lambda: FoldedAnswers(()), compare=False)


class FoldedAnswers:
    """The answers of a step, each folded and parted into sentences once."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = {answer.id: answer for answer in answers}
        self._sentences: dict[AnswerId, tuple[Span, ...]] = {}

    @cached_property
    def texts(self) -> Mapping[AnswerId, FoldedText]:
        return {answer_id: fold(answer.text) for answer_id, answer in self._answers.items()}

    @cached_property
    def _remarkable(self) -> frozenset[AnswerId]:
        """Those that have a negation, a condition, a doubt or a question mark at all."""
        texts = self.texts.items()
        return frozenset(answer_id for answer_id, text in texts if wording.is_remarkable(text.text))

    @property
    def sentences(self) -> Iterator[VerifiedQuote]:
        """All that people said, piece by piece."""
        for answer in self.texts:
            yield from (self.quote(answer, span) for span in self._sentences_of(answer))

    def find(self, quote: ReplyQuote, ids: Ids) -> VerifiedQuote | None:
        """The quote where it stands, in the named answer or else in the only one that has it."""
        words = [folded(text) for text in spellings(quote.text, ids)]
        named_answer = ids.answers.get(quote.answer)
        if (
            named_answer
            and named_answer in self.texts
            and (true := self._find_in(named_answer, words))
        ):
            return true
        others = (self._find_in(other, words) for other in self.texts if other != named_answer)
        having = [quote for quote in others if quote]
        return having[0] if len(having) == 1 else None

    def quote(self, answer: AnswerId, span: Span, words: str = "") -> VerifiedQuote:
        """The words at a folded span, as they stand there unless they are given."""
        text = self.texts[answer]
        start, end = text.original_span(span)
        return VerifiedQuote(answer, span, start, end, words or text.words_at(span))

    def is_confirmation(self, quote: VerifiedQuote) -> bool:
        """True for words of an answer that only says yes."""
        return _confirms(self._answers[quote.answer].text)

    def put_before(self, answer: AnswerId, request: ReadRequest) -> str:
        """What somebody who only says yes may mean: what we asked, and what was put before."""
        in_order = list(self._answers.values())
        previous = in_order[: in_order.index(self._answers[answer])][-1:]
        proposals = [
            answer_before.text
            for answer_before in previous
            if "?" in answer_before.text or _PROPOSES.match(answer_before.text)
        ]
        ts = order_of(self._answers[answer].ts)
        questions = [
            follow_up.question for follow_up in request.follow_ups if order_of(follow_up.after) < ts
        ]
        return "\n".join((*proposals, *questions))

    def leaves_out(self, quotes: Sequence[VerifiedQuote]) -> bool:
        """True where a sentence has a negation, a condition, a doubt or a question mark outside of
        its quotes."""
        for answer in self._remarkable.intersection(quote.answer for quote in quotes):
            spans = [quote.span for quote in quotes if quote.answer == answer]
            text = self.texts[answer].text
            for sentence in self._sentences_at(answer, spans):
                unquoted = " ".join(text[start:end] for start, end in outside(sentence, spans))
                if unquoted.strip() and wording.is_remarkable(unquoted):
                    return True
        return False

    def _sentences_at(self, answer: AnswerId, spans: Iterable[Span]) -> Sequence[Span]:
        """The sentences that any of the spans is of."""
        sentences = self._sentences_of(answer)
        touched: dict[Span, None] = {}
        for start, end in spans:
            first = max(0, bisect_right(sentences, (start, end)) - 1)
            last = bisect_right(sentences, (end, 0))
            touched |= dict.fromkeys(
                sentence for sentence in sentences[first:last] if sentence[1] > start
            )
        return tuple(touched)

    def _sentences_of(self, answer: AnswerId) -> tuple[Span, ...]:
        if answer not in self._sentences:
            text = self.texts[answer]
            parts = (fragment.text for fragment in split(self._answers[answer].text))
            self._sentences[answer] = tuple(places(text, parts))
        return self._sentences[answer]

    def _find_in(self, answer: AnswerId, spelled: Iterable[str]) -> VerifiedQuote | None:
        text = self.texts[answer]
        for form in dict.fromkeys(form for words in spelled for form in (words, bare(words))):
            if form and (is_enough(form) or (form == text.text and _confirms(text.original))):
                span = next(text.spans(form), None)
                if span:
                    return self.quote(answer, span)
        return None


def places(text: FoldedText, parts: Iterable[str]) -> Iterator[Span]:
    """Where parts of a text stand in it, one behind the other. One that does not has no place."""
    at = 0
    for part in parts:
        span = next(text.spans(folded(part), at), None)
        if span:
            at = span[1]
            yield span


def outside(span: Span, spans: Iterable[Span]) -> Iterator[Span]:
    """The parts of a span that none of the others covers."""
    at, last = span
    for start, end in sorted(spans):
        if start >= last:
            break
        if start > at:
            yield at, start
        at = max(at, end)
    if at < last:
        yield at, last


def verify(reply: ReadReply, request: ReadRequest, ids: Ids) -> Verified:
    """What of a reply rests on people's words."""
    answers = FoldedAnswers(request.answers)
    lines = (_line(line, answers, request, ids) for line in reply.lines)
    verified = tuple(replace(line, number=at) for at, line in enumerate(lines) if line)
    met = [
        criterion.id
        for criterion in reply.criteria
        if criterion.met and _true_quotes(criterion.quotes, answers, ids)
    ]
    return Verified(
        verified,
        open=tuple(
            dict.fromkeys(criterion.id for criterion in reply.criteria if criterion.id not in met)
        ),
        answers=answers,
    )


def _line(
    line: ReplyLine, answers: FoldedAnswers, request: ReadRequest, ids: Ids
) -> VerifiedLine | None:
    quotes = _true_quotes(line.quotes, answers, ids)
    statements = tuple(quote for quote in quotes if not answers.is_confirmation(quote))
    if not quotes:
        return None
    verified = VerifiedLine(
        cast("ClaimKind", line.kind),
        harmless(line.text, ids),
        statements,
        of=line_ref(line.of, ids),
    )
    return (
        _weigh_line(verified, answers)
        if statements
        else _confirm_line(verified, quotes, answers, request)
    )


def _weigh_line(line: VerifiedLine, answers: FoldedAnswers) -> VerifiedLine:
    if not line.text or wording.invents(line.text, line.quoted):
        return replace(line, text="", confidence="inferred")
    is_guess = wording.adds(line.text, line.quoted) or answers.leaves_out(line.quotes)
    return replace(line, confidence="inferred") if is_guess else line


def _confirm_line(
    line: VerifiedLine,
    quotes: tuple[VerifiedQuote, ...],
    answers: FoldedAnswers,
    request: ReadRequest,
) -> VerifiedLine | None:
    """A line that people only said yes to, if that is what was put to them."""
    quotes_put = [
        quote for quote in quotes if _is_put(line.text, answers.put_before(quote.answer, request))
    ]
    if not (line.text and quotes_put):
        return None
    return replace(line, quotes=tuple(quotes_put), confidence="assumed")


def _is_put(text: str, earlier: str) -> bool:
    proposal = earlier.replace("?", ".")
    return not (wording.invents(text, proposal) or wording.adds(text, proposal))


def _true_quotes(
    quotes: Iterable[ReplyQuote], answers: FoldedAnswers, ids: Ids
) -> tuple[VerifiedQuote, ...]:
    places = (answers.find(quote, ids) for quote in quotes)
    return tuple(dict.fromkeys(place for place in places if place))


def line_ref(quote: ReplyQuote | None, ids: Ids) -> LineRef | None:
    """The line of any step that has these words, if there is such an answer."""
    answer = ids.answers.get(quote.answer) if quote else None
    return LineRef(answer, next(spellings(quote.text, ids))) if quote and answer else None


def _confirms(text: str) -> bool:
    plain = text.strip()
    return plain in _SIGNS or bool(_CONFIRMS.fullmatch(plain))


def ref_of(quote: VerifiedQuote) -> LineRef:
    """The quote as it is stored: its words are looked for anew at each reading."""
    return LineRef(quote.answer, quote.words)
