"""Fits what speaks for two lines to differ: `tests.facilitation.weights` writes it down."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import yaml

from core.brains.bookkeeping.differences.chance import Pair, forms_of
from core.brains.bookkeeping.differences.statements import Statement, statement
from core.brains.text.split import split
from tests.facilitation.facts import Quote
from tests.facilitation.items import Item
from tests.facilitation.matching import shares
from tests.facilitation.weights import DATA, Limits, Sample, Weights, fit

OF_PAIRS: Final = Limits(samples_min=1, items_min=1, inverse_penalty=2)
TABLE: Final = "forms"
LISTS: Final = ("reversals", "contradictions")
FILE: Final = DATA / "differing_lines.yaml"
LISTED_TIMES: Final = 2
"""That a pair of the file counts: there are a hundred times as many of the items."""


@dataclass(frozen=True, slots=True)
class _Line:
    step: str
    turn: int  # of the step
    by: str
    says: Statement
    text: str
    lines: int  # of its message
    is_last: bool

    def has(self, quote: Quote) -> bool:
        is_place = quote.step in ("", self.step) and quote.by in ("", self.by)
        return is_place and shares(quote.text, self.text)


def fitted_pairs(items: Iterable[Item]) -> Weights:
    samples = chain.from_iterable((*map(pairs_of, items), *(listed_pairs(),) * LISTED_TIMES))
    fitted = fit(list(samples), (TABLE,), OF_PAIRS)
    return {"bias": fitted["bias"], **fitted[TABLE]}


def pairs_of(item: Item) -> Iterator[Sample]:
    """Each two lines of an item that can be compared."""
    lines = list(_lines_of(item))
    differing = set(_differing(item, lines))
    turns = {
        (step, turn): (move.by, statement(getattr(move, "text", "")))
        for step, moves in item.script.steps.items()
        for turn, move in enumerate(moves)
    }
    for at, later in enumerate(lines):
        for number, earlier in enumerate(lines[:at]):
            by_one, is_near = earlier.by == later.by, earlier.step == later.step
            between = [
                turns[later.step, turn]
                for turn in range(earlier.turn + 1, later.turn if is_near and by_one else 0)
            ]
            others = [says for by, says in between if by != later.by]
            gap = later.turn - earlier.turn if is_near else None
            is_next = len(others) == len(between)
            pair = Pair(
                earlier.says,
                later.says,
                by_one,
                gap,
                others,
                lines=earlier.lines,
                is_last=earlier.is_last,
                is_next=is_next,
            )
            if pair.is_comparable:
                yield Sample(item.name, _features(pair), (number, at) in differing)


def listed_pairs() -> list[Sample]:
    """The pairs of the file."""
    rows: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    return [Sample(FILE.stem, _features(_listed(row)), row["is"] == "differs") for row in rows]


def _listed(row: Mapping[str, Any]) -> Pair:
    between = [statement(row["between"])] if "between" in row else []
    gap = None if row.get("where") == "elsewhere" else 1 + len(between)
    first, second = (statement(row[key]) for key in ("first", "second"))
    return Pair(first, second, row.get("by") == "one", gap, between)


def _lines_of(item: Item) -> Iterator[_Line]:
    for step, moves in item.script.steps.items():
        for turn, move in enumerate(moves):
            texts = [fragment.text for fragment in split(getattr(move, "text", ""))]
            for at, text in enumerate(texts, 1):
                is_last = at == len(texts)
                yield _Line(step, turn, move.by, statement(text), text, len(texts), is_last)


def _differing(item: Item, lines: list[_Line]) -> Iterator[tuple[int, int]]:
    for fact in chain.from_iterable(item.facts[name] for name in LISTS):
        if fact.other is not None:
            ends = [
                [at for at, line in enumerate(lines) if line.has(quote)]
                for quote in (fact.other, fact.quote)
            ]
            yield from ((min(a, b), max(a, b)) for a in ends[0] for b in ends[1] if a != b)


def _features(pair: Pair) -> dict[tuple[str, str], float]:
    return {(TABLE, name): float(much) for name, much in forms_of(pair) if much}
