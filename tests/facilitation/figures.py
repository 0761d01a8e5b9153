"""A figure, its gate, and how the figures of several items become one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

Measure = Literal[
    "share",  # found of all
    "count",
    "each",  # of one item; of several the worst
]
Bound = Literal["≥", "≤"]
Miss = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured, under which key, and the gate; None: there is none."""

    key: str
    name: str
    measure: Measure
    bound: Bound = "≥"
    gate: float | None = None
    digits: int = 0  # of a figure that is no share

    def of(
        self, found: float, of: int | None = None, misses: Iterable[Miss] = (), note: str = ""
    ) -> "Figure":
        return Figure(self, found, of, tuple(misses), note)


@dataclass(frozen=True, slots=True)
class Figure:
    """`of`: how many there are, of a share. `misses`: what keeps it from being better."""

    subject: Subject
    found: float
    of: int | None = None
    misses: tuple[Miss, ...] = ()
    note: str = ""

    @property
    def value(self) -> float | None:
        """A share from 0 to 1, or a number. None: there was nothing to be found."""
        if self.subject.measure != "share":
            return self.found
        return self.found / self.of if self.of else None

    @property
    def holds(self) -> bool | None:
        """True if the gate holds. None: it has none, or nothing was to be found."""
        gate, value = self.subject.gate, self.value
        if gate is None or value is None:
            return None
        return value >= gate if self.subject.bound == "≥" else value <= gate


def in_sum(items: Mapping[str, Sequence[Figure]]) -> tuple[Figure, ...]:
    """One figure for each subject, over all items; a miss says of which it is."""
    every = list(items.items())
    if not every:
        return ()
    rows = zip(*(figures for _, figures in every), strict=True)
    names = [name for name, _ in every]
    return tuple(_summed(names, row) for row in rows)


def _summed(names: Sequence[str], figures: Sequence[Figure]) -> Figure:
    first = figures[0]
    assert all(figure.subject == first.subject for figure in figures)
    misses = tuple(
        {"item": name, **miss}
        for name, figure in zip(names, figures, strict=True)
        for miss in figure.misses
    )
    found = [figure.found for figure in figures]
    if first.subject.measure == "each":
        worst = min(found) if first.subject.bound == "≥" else max(found)
        return replace(first, found=worst, misses=misses, note=_notes(figures))
    of = None if first.of is None else sum(figure.of or 0 for figure in figures)
    return replace(first, found=sum(found), of=of, misses=misses, note=_notes(figures))


def _notes(figures: Sequence[Figure]) -> str:
    """A note of numbers is summed; of others the first is as good as any."""
    numbers = [figure.note.split(" ", 1) for figure in figures if figure.note]
    if not numbers or not all(part[0].isdigit() and len(part) == 2 for part in numbers):
        return ""
    return f"{sum(int(part[0]) for part in numbers)} {numbers[0][1]}"


PERCENT: Final = 100


def as_text(figure: Figure) -> str:
    """The value, as the table has it: "31 of 35 · 89 %", "2", "2.25"."""
    if figure.subject.measure == "share":
        value = figure.value
        share = "–" if value is None else f"{value * PERCENT:.0f} %"
        return f"{figure.found:g} of {figure.of} · {share}"
    number = f"{figure.found:.{figure.subject.digits}f}"
    return number if figure.of is None else f"{number} of {figure.of}"


def gate_text(subject: Subject) -> str:
    if subject.gate is None:
        return ""
    if subject.measure == "share" and subject.gate == 1:
        return "100 %"
    if subject.measure == "share":
        return f"{subject.bound} {subject.gate * PERCENT:.0f} %"
    return f"{subject.bound} {subject.gate:g}" if subject.gate else "0"
