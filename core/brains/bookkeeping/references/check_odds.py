"""Which line a check is of that names none, by its words and its place: logistic regression.

`steps/brains/weights.yaml` has under `check-of` what each form of a check and a line adds to the
odds that the one checks the other, as a logarithm. `make weights` fits them anew.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp, log, sqrt
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.differences.lexis import WORD, content
from core.brains.bookkeeping.differences.statements import statement

WORDS_MAX: Final = 20  # of a line; more count as so many
NUMBER_MIN: Final = 3  # "2 phones" stand in any line
LINES_MIN: Final = 20  # of fewer each word would be as rare
SMOOTHING: Final = 4.0  # so that a line of one rare word is not all that counts


@dataclass(frozen=True)
class Spoken:
    """A line where it was said. `turn`: its message among those of the session; `before`: what
    stands before it there."""

    text: str
    step: str
    by: str
    turn: int
    before: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(content(WORD.findall(self.text.casefold())))

    @cached_property
    def numbers(self) -> frozenset[float]:
        return frozenset(one for one in statement(self.text).written if one >= NUMBER_MIN)


def likeliest(check: Spoken, lines: Mapping[str, Spoken]) -> tuple[str, float] | None:
    """The name of the line that a check is most likely of, and how likely that is, from 0 to 1.

    `lines`: by name, in the order in which they were said. None where none was said before it.
    """
    chances = chances_of(check, lines)
    return max(reversed(chances.items()), key=lambda pair: pair[1]) if chances else None


def chances_of(check: Spoken, lines: Mapping[str, Spoken]) -> dict[str, float]:
    """How likely a check is of each line that was said before it; it may be of none of them."""
    earlier = {name: line for name, line in lines.items() if _is_before(line, check)}
    weights = lexicon.table("weights")["check-of"]
    odds = {
        name: exp(sum(much * weights.get(form, 0.0) for form, much in forms))
        for name, forms in forms_of(check, earlier).items()
    }
    every = sum(odds.values()) + exp(-float(weights["bias"]))
    return {name: one / every for name, one in odds.items()}


def forms_of(check: Spoken, lines: Mapping[str, Spoken]) -> Mapping[str, list[tuple[str, float]]]:
    """Each form that the check has with each line, and how much of it."""
    lines_with = Counter(word for line in (*lines.values(), check) for word in line.words)
    count_of_lines = max(len(lines), LINES_MIN)
    rarity = {word: log((count_of_lines + 2) / count) for word, count in lines_with.items()}
    last = max(lines.values(), key=lambda line: (line.turn, len(line.before)), default=None)
    return {
        name: [(form, much) for form, much in _forms(check, line, rarity, line is last) if much]
        for name, line in lines.items()
    }


def _forms(
    check: Spoken, line: Spoken, rarity: Mapping[str, float], is_last: bool
) -> Iterator[tuple[str, float]]:
    shared = sum(rarity[word] for word in check.words & line.words)
    yield "shares", shared
    yield "share-of-line", shared / sqrt(sum(rarity[word] for word in line.words) + SMOOTHING)
    yield "number", len(check.numbers & line.numbers)
    yield "length", min(len(line.words), WORDS_MAX) / WORDS_MAX
    yield "last", is_last
    yield "same-step", line.step == check.step
    yield "same-person", line.by == check.by
    yield "same-person-and-step", line.by == check.by and line.step == check.step
    yield "same-message", line.turn == check.turn
    yield "message-before", line.turn == check.turn - 1
    yield "right-before", _stands_right_before(line, check)


def _is_before(line: Spoken, check: Spoken) -> bool:
    return (line.turn, len(line.before)) < (check.turn, len(check.before))


def _stands_right_before(line: Spoken, check: Spoken) -> bool:
    """True where nothing but signs and numbers stands between a line and a check behind it."""
    if line.turn != check.turn or line.text not in check.before:
        return False
    return not any(map(str.isalpha, check.before.rpartition(line.text)[2]))
