"""What was measured, against its gate and its goal: as a table and as JSON."""

import json
import os
import platform
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from rich import box
from rich.table import Table

Bound = Literal["≥", "≤"]
DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Subject:
    """One row of the table before it is measured. Both bounds are on the same side."""

    row: int
    name: str
    unit: str
    bound: Bound
    gate: float
    goal: float

    def measured(self, value: float, *, sound: bool = True) -> "Figure":
        """`sound` False: whatever the value, something happened that must not."""
        kept = round(value, DIGITS)
        return Figure(self, kept, sound and self._within(kept, self.gate))

    def reaches_goal(self, value: float) -> bool:
        return self._within(value, self.goal)

    def _within(self, value: float, limit: float) -> bool:
        return value >= limit if self.bound == "≥" else value <= limit


@dataclass(frozen=True, slots=True)
class Figure:
    subject: Subject
    value: float
    holds: bool


def as_json(figures: Sequence[Figure]) -> str:
    return json.dumps([_data(figure) for figure in figures], indent=2, ensure_ascii=False)


def _data(figure: Figure) -> dict[str, object]:
    data = asdict(figure.subject)
    del data["bound"]
    gate, goal = data.pop("gate"), data.pop("goal")
    return {**data, "value": figure.value, "gate": gate, "goal": goal, "holds": figure.holds}


def as_table(figures: Sequence[Figure]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, caption=machine(), caption_justify="left")
    table.add_column("#", justify="right")
    table.add_column("What", max_width=60)
    for title in ("Value", "Gate", "Goal"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for figure in figures:
        table.add_row(*_row(figure))
    return table


def _row(figure: Figure) -> tuple[str, ...]:
    subject = figure.subject
    limits = (f"{subject.bound} {limit:g}" for limit in (subject.gate, subject.goal))
    verdict = "missed"
    if figure.holds:
        verdict = "goal" if subject.reaches_goal(figure.value) else "gate"
    value = f"{figure.value:g} {subject.unit}"
    return (str(subject.row), subject.name, value, *limits, verdict)


def machine() -> str:
    """What absolute figures are worth: the machine they were taken on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{_processor()}, {cores} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
