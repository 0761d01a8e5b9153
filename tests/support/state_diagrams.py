"""The states of a session drawn from the table of legal moves, for the docs."""

from collections.abc import Iterable
from typing import Final, get_args

from core.domain.session.course import Status
from core.domain.session.menu import MenuKind
from core.engine.moves import CHOICES, NEXT

MAIN_ROAD: Final[tuple[tuple[Status, Status], ...]] = (
    ("starting", "opening"),
    ("opening", "asking"),
    ("asking", "choosing"),
    ("choosing", "opening"),
    ("opening", "debating"),
    ("debating", "asking"),
    ("choosing", "debating"),
    ("choosing", "completed"),
    ("choosing", "paused"),
    ("paused", "opening"),
    ("choosing", "halted"),
    ("halted", "opening"),
    ("choosing", "cancelled"),
)
"""The arrows of `overview`, for whoever meets the states for the first time."""


def diagram() -> str:
    """The table as a Mermaid state diagram. Events that stay where they are are left out."""
    return _drawn(
        (status, target)
        for status in get_args(Status)
        for target in get_args(Status)
        if status != target
    )


def overview() -> str:
    """`diagram` with the arrows of the main road alone."""
    return _drawn(MAIN_ROAD)


def _drawn(arrows: Iterable[tuple[Status, Status]]) -> str:
    lines = ["stateDiagram-v2", "    [*] --> starting: SessionRequested"]
    for status, target in arrows:
        events = [event.__name__ for event, targets in NEXT[status].items() if target in targets]
        if events:
            lines.append(f"    {status} --> {target}: {', '.join(sorted(events))}")
    return "\n".join(lines)


def choices_table() -> str:
    """Which menus can be chosen on in which status, as a Markdown table."""
    rows: dict[MenuKind | tuple[MenuKind, str], list[Status]] = {}
    for status, row in CHOICES.items():
        for kind in row:
            rows.setdefault(kind, []).append(status)
    names = {kind: kind if isinstance(kind, str) else f"{kind[0]}: {kind[1]}" for kind in rows}
    lines = [
        f"| {names[kind]} | {', '.join(rows[kind])} |"
        for kind in sorted(rows, key=lambda kind: names[kind])
    ]
    return "\n".join(("| Menu | Can be chosen on while |", "|---|---|", *lines))
