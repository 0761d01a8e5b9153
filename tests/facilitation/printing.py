"""The figures as a table for people, and as JSON for machines."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.facilitation.figures import Figure, Miss, as_text, gate_text, in_sum
from tests.facilitation.items import Item
from tests.facilitation.record import Record

SCHEMA: Final = 1
WIDTH: Final = 180
HOLDS: Final = {True: "holds", False: "misses", None: ""}


@dataclass(frozen=True, slots=True)
class Measured:
    """An item that was played, what it left, and its figures."""

    item: Item
    record: Record
    figures: tuple[Figure, ...]


def as_json(measured: Sequence[Measured]) -> str:
    """See docs/reference/facilitation.md for the keys."""
    value = {
        "schema": SCHEMA,
        "sum": _figures(_summed(measured)),
        "items": [_item(one) for one in measured],
    }
    return json.dumps(value, indent=2, ensure_ascii=False)


def _summed(measured: Sequence[Measured]) -> tuple[Figure, ...]:
    return in_sum({one.item.name: one.figures for one in measured})


def _item(one: Measured) -> dict[str, Any]:
    record = one.record
    return {
        "name": one.item.name,
        "status": record.status,
        "stopped": record.stopped,
        "seconds": round(record.seconds, 1),
        "notes": list(record.notes),
        "faults": list(record.faults),
        "not_said": [
            {"list": name, "step": quote.step, "by": quote.by, "quote": quote.text}
            for name, quote in one.item.not_said()
        ],
        "figures": _figures(one.figures),
        "follow_ups": [
            {
                "step": asked.step,
                "kind": asked.asked.kind,
                "question": asked.asked.question,
                "lines": [line.quote for line in asked.lines()],
                "outcome": asked.asked.outcome,
                "answered_by_play": asked.reply is not None,
            }
            for asked in record.follow_ups
        ],
    }


def _figures(figures: Iterable[Figure]) -> dict[str, Any]:
    return {figure.subject.key: _figure(figure) for figure in figures}


def _figure(figure: Figure) -> dict[str, Any]:
    subject = figure.subject
    return {
        "name": subject.name,
        "value": None if figure.value is None else round(figure.value, 4),
        "found": figure.found,
        "of": figure.of,
        "gate": gate_text(subject) or None,
        "holds": figure.holds,
        "note": figure.note,
        "misses": list(figure.misses),
    }


def print_table(measured: Sequence[Measured], *, misses: bool) -> None:
    """One row a figure, one column an item, the sum and the gate."""
    console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDTH)
    figures = _summed(measured)
    table = Table("Figure", *(one.item.name for one in measured), "in sum", "gate", "")
    for row, total in enumerate(figures):
        each = (as_text(one.figures[row]) for one in measured)
        verdict = HOLDS[total.holds]
        style = "" if total.holds is not False else "bold"
        table.add_row(
            total.subject.name, *each, as_text(total), gate_text(total.subject), verdict,
            style=style,
        )  # fmt: skip
    console.print(table)
    for line in (*_told(measured), *(_missed(figures) if misses else _notes(figures))):
        console.print(Text(line))


def _told(measured: Sequence[Measured]) -> Iterator[str]:
    """What people should know before they believe the figures."""
    for one in measured:
        record = one.record
        if record.stopped or record.status != "completed":
            yield f"{one.item.name}: {record.status}; {record.stopped or 'it did not end'}"
        for note in record.notes:
            yield f"{one.item.name}: {note}"
        for name, quote in one.item.not_said():
            yield f"{one.item.name}: nobody says what {name} quotes: {quote.step} {quote.text}"


def _notes(figures: Sequence[Figure]) -> Iterator[str]:
    for figure in figures:
        if figure.note:
            yield f"{figure.subject.name}: {figure.note}"


def _missed(figures: Sequence[Figure]) -> Iterator[str]:
    for figure in figures:
        if figure.misses or figure.note:
            yield ""
            yield f"{figure.subject.name}: {as_text(figure)}{figure.note and f' ({figure.note})'}"
            yield from (f"  {_miss(miss)}" for miss in figure.misses)


def _miss(miss: Mapping[str, str] | Miss) -> str:
    return " | ".join(f"{key}: {value}" for key, value in miss.items() if value)
