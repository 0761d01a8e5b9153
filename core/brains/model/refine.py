"""A model's lines laid over the script's: what people said stays, in its place. Pure.

A script's line goes where model's lines that quote all of its words take its place; else it stays.
What has parts of its own (a rank, a size, a story, a decision) is only worded anew, and what a
person sorted stays as the script reads it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, get_args

from core.brains.bookkeeping.differences.reversals import takes_back
from core.brains.bookkeeping.references.checks import CHECKABLE, RELATED
from core.brains.bookkeeping.references.refs import REF_PREFIX
from core.brains.bookkeeping.worded import WORDED
from core.brains.model import wording
from core.brains.model.folding import Span, folded
from core.brains.model.quotes import (
    FoldedAnswers,
    Verified,
    VerifiedLine,
    VerifiedQuote,
    outside,
)
from core.brains.model.replies import LineKind
from core.domain.answers import CONFIRMED, Claim, ClaimKind, Claims, Confidence, ReadRequest
from core.domain.ids import AnswerId
from core.domain.lines import BETWEEN, QUOTED, SEEN_AS, SPANS, find_line, in_force, is_line

_ONLY_BY_RULES: Final[frozenset[ClaimKind]] = frozenset({"decision", "priority", "link", "scope"})
_TAKE_NO_OTHER: Final[frozenset[ClaimKind]] = frozenset({"priority", "link", "scope"})
_BUILT: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})
_BESIDE_IT: Final[frozenset[ClaimKind]] = frozenset(
    {"constraint", "module", "interface", "data", "error", "entry-point"}
)
"""What a line to be built may be as well, and stays one."""
_SORTED_BY_MODELS: Final = frozenset(get_args(LineKind))
_LOOSE: Final = frozenset({"question", "topic", "what", "of", "path"})
"""Keys of a line that is no more than its words."""
_ANYWHERE: Final = ("question",)  # hold whatever the line is sorted as
_SURENESS: Final[tuple[Confidence, ...]] = ("stated", "inferred", "assumed", "proposed")


@dataclass(frozen=True, slots=True)
class _Line:
    """A script's line, and where its words stand. `is_held`: a person sorted it."""

    number: int
    claim: Claim
    places: tuple[VerifiedQuote, ...]
    is_held: bool

    @property
    def is_fixed(self) -> bool:
        return self.is_held or not self.places or self.claim.kind in _TAKE_NO_OTHER

    @property
    def has_parts(self) -> bool:
        claim = self.claim
        is_more = bool(claim.data.keys() - _LOOSE or claim.supersedes)
        return is_more or claim.kind in ("decision", "question")

    def is_touched_by(self, line: VerifiedLine) -> bool:
        return any(place.overlaps(quote) for place in self.places for quote in line.quotes)


@dataclass(slots=True)
class _Taking:
    """A model's line with those of the script: that it touches, that it may take the place of."""

    line: VerifiedLine
    touched: Sequence[_Line]
    targets: list[_Line] = field(default_factory=list)

    @property
    def number(self) -> int:
        return min((line.number for line in self.targets or self.touched), default=-1)

    @property
    def loses_a_name(self) -> bool:
        """True for a line that joins others that have names, or makes another kind of one."""
        kinds = [line.claim.kind for line in self.targets if line.claim.kind in REF_PREFIX]
        return len(kinds) > 1 or kinds not in ([], [self.line.kind])


def refined(script: Claims, verified: Verified, request: ReadRequest) -> Claims:
    """The script's lines as the model sorts, joins, splits, words and relates them."""
    lines = tuple(_place_lines(script, verified.answers, request))
    keeps_names = request.model is not None and request.model.is_accepted
    every = (
        taking for taking in _takings(lines, verified) if not (keeps_names and taking.loses_a_name)
    )
    takings = [*_drop_unworded(tuple(every))]
    by_line = _by_line(takings)
    replaced_numbers = {
        line.number for line in lines if _is_taken(line, by_line.get(line.number, ()), verified)
    }
    staying = [taking for taking in takings if not _repeats(taking, replaced_numbers)]
    claims = _relate_checks(
        list(_drop_repeated(_lay_out_lines(lines, staying, replaced_numbers, request), script)),
        request,
    )
    return tuple(
        replace(claim, id=f"{request.step.id}/{number}")
        for number, claim in enumerate(claims, start=1)
    )


# ── the script's lines in the answers ──────────────────────────────────────────────────────────


def _place_lines(script: Claims, answers: FoldedAnswers, request: ReadRequest) -> Iterator[_Line]:
    """Each line with where its words stand, one behind the other."""
    ends: dict[AnswerId, int] = {}
    spans: dict[tuple[AnswerId, str], Span | None] = {}
    corrections = [
        correction
        for correction in in_force(request.corrections)
        if correction.step == request.step.id
    ]
    of_people = [
        line for correction in corrections for line in (correction.line, correction.of) if line
    ]
    for number, claim in enumerate(script):
        words = folded(claim.text) if "\n" not in claim.text and "file" not in claim.data else ""
        for source in claim.sources if words else ():
            if source in answers.texts and (source, words) not in spans:
                text = answers.texts[source]
                span = next(text.spans(words, ends.get(source, 0)), next(text.spans(words), None))
                spans[source, words] = span
                ends[source] = span[1] if span else ends.get(source, 0)
        places = [(source, spans.get((source, words))) for source in claim.sources]
        quotes = tuple(answers.quote(answer, span, claim.text) for answer, span in places if span)
        yield _Line(number, claim, quotes, any(is_line(line, claim) for line in of_people))


def _takings(lines: Sequence[_Line], verified: Verified) -> Iterator[_Taking]:
    """The model's lines, each once, with the kinds that they may have."""
    once: set[object] = set()
    for line in verified.lines:
        touched = [script_line for script_line in lines if script_line.is_touched_by(line)]
        if any(script_line.is_held for script_line in touched) or _bundles(touched):
            continue
        taking = _Taking(_allow_kind(line, touched), touched)
        key = (taking.line.kind, frozenset(quote.span for quote in line.quotes))
        if key not in once:
            once.add(key)
            taking.targets = list(_targets(taking))
            yield taking


def _bundles(touched: Sequence[_Line]) -> bool:
    """True for several pieces of which one cannot become a part of a line."""
    has_whole = any(
        line.is_fixed or line.has_parts or takes_back(line.claim.text) for line in touched
    )
    return has_whole and len({line.claim.text for line in touched}) > 1


def _drop_unworded(takings: Sequence[_Taking]) -> Iterator[_Taking]:
    """Without those that have no wording, where another line quotes the same words."""
    quotes = [quote for taking in takings if taking.line.text for quote in taking.line.quotes]
    for taking in takings:
        own_quotes = taking.line.quotes
        if taking.line.text or not all(
            any(quote.overlaps(it) for it in quotes) for quote in own_quotes
        ):
            quotes += [] if taking.line.text else own_quotes
            yield taking


def _allow_kind(line: VerifiedLine, touched: Sequence[_Line]) -> VerifiedLine:
    """With the script's kind where only its rules or people may make another."""
    kinds = [script_line.claim.kind for script_line in touched]
    if own := [kind for kind in kinds if kind not in _SORTED_BY_MODELS]:
        return replace(line, kind=own[0])
    if line.kind in _ONLY_BY_RULES and line.kind not in kinds:
        return replace(line, kind=kinds[0] if kinds else "fact", seen_as=line.kind)
    return line


def _targets(taking: _Taking) -> Iterator[_Line]:
    """Of each piece the reading of that kind, else all of them. A mere yes takes no place."""
    if taking.line.confidence == "assumed":
        return
    pieces: dict[object, list[_Line]] = {}
    for line in taking.touched:
        pieces.setdefault((line.claim.text, line.claim.sources), []).append(line)
    for readings in pieces.values():
        same = [line for line in readings if line.claim.kind == taking.line.kind]
        for line in same or readings:
            if not line.is_fixed and (same or not line.has_parts):
                yield line


def _by_line(takings: Iterable[_Taking]) -> Mapping[int, list[_Taking]]:
    by_line: dict[int, list[_Taking]] = {}
    for taking in takings:
        for line in taking.targets:
            by_line.setdefault(line.number, []).append(taking)
    return by_line


def _is_taken(line: _Line, takings: Sequence[_Taking], verified: Verified) -> bool:
    """True where the model's lines quote all that somebody said with it."""
    if not takings or (line.has_parts and len(takings) > 1):
        return False
    kinds = {taking.line.kind for taking in takings}
    if line.claim.kind in _BUILT and kinds & _BESIDE_IT and not kinds & _BUILT:
        return False
    quotes = [quote for taking in takings for quote in taking.line.quotes]
    return any(not _leaves_words_out(place, quotes, verified.answers) for place in line.places)


def _leaves_words_out(
    place: VerifiedQuote, quotes: Iterable[VerifiedQuote], answers: FoldedAnswers
) -> bool:
    text = answers.texts[place.answer].text
    spans = [quote.span for quote in quotes if quote.answer == place.answer]
    unquoted = " ".join(text[start:end] for start, end in outside(place.span, spans))
    return wording.says_something(unquoted)


def _repeats(taking: _Taking, replaced_numbers: Collection[int]) -> bool:
    """True for a line that takes no place, and says what a line that stays says."""
    if any(line.number in replaced_numbers for line in taking.targets):
        return False
    kinds = {line.claim.kind for line in taking.touched}
    return taking.line.kind in kinds or (bool(kinds) and kinds <= _TAKE_NO_OTHER)


# ── the lines that come of it ──────────────────────────────────────────────────────────────────

Laid = tuple[Claim, VerifiedLine | None]
"""A line, and the model's that it comes of, if it does."""


def _lay_out_lines(
    lines: Sequence[_Line],
    takings: Sequence[_Taking],
    replaced_numbers: Collection[int],
    request: ReadRequest,
) -> Iterator[Laid]:
    """The lines in the order in which they were said."""
    by_line = _by_line(takings)
    trusted = {number for number in replaced_numbers if _is_told(lines[number], by_line[number])}
    at: dict[int, list[_Taking]] = {}
    for taking in takings:
        at.setdefault(taking.number, []).append(taking)
    for number in (-1, *(line.number for line in lines)):
        if number >= 0 and number not in replaced_numbers:
            yield lines[number].claim, None
        for taking in at.get(number, ()):
            replaced = [line for line in taking.targets if line.number in replaced_numbers]
            sole_lines = [line for line in replaced if len(by_line[line.number]) == 1]
            is_trusted = all(line.number in trusted for line in replaced)
            text = taking.line.text if is_trusted else ""
            yield (
                _claim(replace(taking.line, text=text), replaced, sole_lines, request),
                taking.line,
            )


def _drop_repeated(laid: Iterable[Laid], script: Claims) -> Iterator[Laid]:
    """Without a model's line that says in the same words what another says.

    Words that the script reads in two ways stay in both, and so does a decision that is something
    to be built as well.
    """
    every = list(laid)
    readings = {(claim.kind, _words_and_sources(claim)) for claim in script}
    scripts = [_words_and_sources(claim) for claim, line in every if line is None]
    words_seen = {(decides, words) for words in scripts for decides in (True, False)}
    readings_seen: set[object] = set()
    for claim, line in every:
        reading = (claim.kind, _words_and_sources(claim))
        words = (claim.kind == "decision", _words_and_sources(claim))
        is_new = reading in readings or words not in words_seen
        if line is None or (is_new and reading not in readings_seen):
            words_seen.add(words)
            readings_seen.add(reading)
            yield claim, line


def _words_and_sources(claim: Claim) -> tuple[str, frozenset[AnswerId]]:
    return folded(claim.data.get(WORDED, claim.text)), frozenset(claim.sources)


def _is_told(line: _Line, takings: Sequence[_Taking]) -> bool:
    """True where the wordings of a line say all that people did."""
    wordings = [taking.line.text or taking.line.quoted for taking in takings]
    return not wording.loses(line.claim.text, wordings)


def _claim(
    line: VerifiedLine, replaced: Sequence[_Line], sole_lines: Sequence[_Line], request: ReadRequest
) -> Claim:
    """`replaced`: the lines whose place it takes; `sole_lines`: those that it takes alone."""
    quotes = tuple(_quotes(line, sole_lines))
    quoted = BETWEEN.join(quote.words for quote in quotes)
    claims = [script_line.claim for script_line in replaced]
    if len(replaced) == len(quotes) == len(sole_lines) == 1 and claims[0].kind == line.kind:
        base = claims[0]
        if line.text in ("", quoted):
            return replace(base, data={**base.data, **_seen_as_data(line)})
    else:
        places = (place.answer for script_line in replaced for place in script_line.places)
        sources = dict.fromkeys((*(quote.answer for quote in quotes), *places))
        data = {key: claim.data[key] for claim in claims for key in _ANYWHERE if key in claim.data}
        base = Claim("", request.step.id, line.kind, quoted, tuple(sources), data=data)
    sure = max((line.confidence, *(claim.confidence for claim in claims)), key=_SURENESS.index)
    return replace(base, confidence=sure, data={**base.data, **_quote_data(line, quotes, quoted)})


def _quote_data(
    line: VerifiedLine, quotes: Sequence[VerifiedQuote], quoted: str
) -> Mapping[str, str]:
    """Where its words stand, and what it is worded as."""
    data = {SPANS: "\n".join(f"{quote.start}-{quote.end} {quote.answer}" for quote in quotes)}
    if line.text not in ("", quoted) or len(quotes) > 1:
        words = (" ".join(quote.words.split()) for quote in quotes)
        data |= {QUOTED: "\n".join(words), WORDED: line.text or quoted}
    data |= _seen_as_data(line)
    if line.confidence == "assumed":
        data[CONFIRMED] = "yes"
    return data


def _seen_as_data(line: VerifiedLine) -> Mapping[str, str]:
    return {SEEN_AS: line.seen_as} if line.seen_as else {}


def _quotes(line: VerifiedLine, sole_lines: Sequence[_Line]) -> Iterator[VerifiedQuote]:
    """What it quotes: all of a line that it has alone, its part of one that others share."""
    whole_places = [place for script_line in sole_lines for place in script_line.places]
    yield from (script_line.places[0] for script_line in sole_lines)
    yield from (
        quote for quote in line.quotes if not any(place.overlaps(quote) for place in whole_places)
    )


# ── which belong together ──────────────────────────────────────────────────────────────────────


def _relate_checks(laid: Sequence[Laid], request: ReadRequest) -> Iterator[Claim]:
    """The lines, each check with the line that the model says it is of."""
    claims = [claim for claim, _ in laid]
    for claim, line in laid:
        of = line.of if line and claim.kind == "check" else None
        others = (candidate for candidate in (*claims, *request.claims) if candidate is not claim)
        target = (
            find_line(of, (candidate for candidate in others if candidate.kind in CHECKABLE))
            if of
            else None
        )
        if target:
            claim = replace(
                claim, data={**claim.data, "of": target.ref or target.text, RELATED: "model"}
            )
        yield claim
