"""Which of two lines that differ a reply in words names; nothing where that is not certain.

It names a side and nothing else ("the first", "both, please"), or it says in words what one of the
lines alone says. A third value of what both lines measure stands in place of both. Who brings up
something else, "Tuesday first" or "ok, the lamp is a must", names no side.
"""

from collections.abc import Mapping
from typing import Final, Literal

from core.brains import lexicon
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.clashes import is_other_in_front
from core.brains.bookkeeping.differences.ranks import ranks_in
from core.brains.bookkeeping.differences.statements import Statement, statement
from core.domain.follow_ups import FollowUp

REPLY_WORDS_MAX: Final = 12

Side = Literal["first", "second", "both", "neither", "third"]
"""`third`: a value that is neither line's and stands in place of both."""
_SIDES: Final[tuple[Side, ...]] = ("first", "second", "both", "neither")
_FORMS: Final = ("names-side", "names-side-first", "names-side-alone", "gives-up-side")
_LETTERS: Final[Mapping[str, Side]] = {"A": "first", "B": "second"}


def side_of(reply: str, follow_up: FollowUp) -> Side | None:
    """Which side a reply takes; None: it does not say."""
    if follow_up.line is None or follow_up.other is None:
        return None
    first, second = follow_up.line.quote, follow_up.other.quote
    if opened := _opens_on_scale(reply, first, second):
        return opened
    if named := side_by_name(reply):
        return named
    if len(reply.split()) > REPLY_WORDS_MAX:
        return None
    return (
        _by_letter(reply, f"{first} {second}")
        or _by_value(reply, first, second)
        or _by_scale(reply, first, second)
    )


def side_by_name(reply: str) -> Side | None:
    """The side of which a reply names nothing but its place: "the first", "both, please"."""
    for form in _FORMS:
        if match := lexicon.pattern(form).fullmatch(reply.strip()):
            groups = match.groupdict()
            is_one = not lexicon.pattern("any-side").search(groups.get("more") or "")
            return next((side for side in _SIDES if groups.get(side)), None) if is_one else None
    return None


def _by_letter(reply: str, lines: str) -> Side | None:
    """ "B", where no line has that letter itself."""
    match = lexicon.pattern("names-letter").fullmatch(reply.strip())
    letter = match["letter"].upper() if match else ""
    return None if letter in lexis.WORD.findall(lines) else _LETTERS.get(letter)


# ── by words and numbers ───────────────────────────────────────────────────────────────────────


def _by_value(text: str, first: str, second: str) -> Side | None:
    reply, one, other = statement(text), statement(first), statement(second)
    if reply.asks or ranks_in(text) or any(clause.denied for clause in reply.clauses):
        return None
    measures = one.measures & other.measures
    if one.written & other.written:  # the second line doubts a number of the first
        measures |= one.measures | other.measures
    if reply.numbers and measures:
        return _by_number(reply, one, other, measures)
    words, numbers = one.words | other.words, one.written | other.written
    if not reply.words <= words | lexis.stems("words-of-choice") or not reply.written <= numbers:
        return None
    own, others_own = _own_part(reply, one, other), _own_part(reply, other, one)
    if own == others_own or is_other_in_front(one if own else other, reply, True):
        return None
    return "first" if own else "second"


def _own_part(reply: Statement, line: Statement, other: Statement) -> bool:
    """True if a reply has a word, or a number with its unit, of the line alone."""
    is_measured = bool(reply.numbers) and all(number.unit for number in reply.numbers)
    numbers = reply.written & line.written - other.written if is_measured else frozenset()
    return bool(reply.words & line.words - other.words or numbers)


def _by_number(
    reply: Statement, one: Statement, other: Statement, measures: frozenset[str]
) -> Side | None:
    """By the one number of a reply: that of one line, or a third one of what they measure."""
    number = reply.numbers[0]
    if len(reply.numbers) > 1 or number.unit not in measures | {""}:
        return None
    words = one.words | other.words | {number.unit}
    with_number = (
        clause for clause in reply.clauses if any(token[0].isdigit() for token in clause.tokens)
    )
    if not all(clause.words <= words | lexis.stems("words-of-choice") for clause in with_number):
        return None
    is_first, is_second = (bool(reply.written & line.written) for line in (one, other))
    if is_first != is_second:
        return "first" if is_first else "second"
    is_settled = number.ends or number.is_alone or reply.has_cue
    return "third" if is_settled and not is_first else None


def _opens_on_scale(reply: str, first: str, second: str) -> Side | None:
    """By the first word of a reply: "large, once all is counted in" to large and medium."""
    opening = reply.strip().casefold()
    for scale in lexis.row("scales"):
        levels = [
            {step.casefold() for step in lexis.named(scale).findall(text)}
            for text in (first, second)
        ]
        is_either = all(len(step) == 1 for step in levels) and levels[0] != levels[1]
        for side, (level, *_) in zip(_SIDES, levels if is_either else (), strict=False):
            if opening.startswith(level) and opening[len(level) : len(level) + 1] in ("", *",.;!"):
                return side
    return None


def _by_scale(reply: str, first: str, second: str) -> Side | None:
    """By another step of the scale on which the lines differ: "medium" to small or large."""
    for scale in lexis.row("scales"):
        steps = lexis.named(scale)
        levels = [
            {step.casefold() for step in steps.findall(text)} for text in (first, second, reply)
        ]
        is_third = all(len(step) == 1 for step in levels) and len(set.union(*levels)) == len(levels)
        allowed = lexis.stems("words-of-choice") | {lexis.stem(step) for step in levels[-1]}
        clauses = (clause for clause in statement(reply).clauses if levels[-1] & {*clause.tokens})
        if is_third and all(clause.words <= allowed for clause in clauses):
            return "third"
    return None
