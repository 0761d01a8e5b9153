"""`roundtable faults`: what went wrong, with its full record."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

from bot.cli.database import reader_of_settings
from bot.cli.printing import Format, print_answer, refuse

if TYPE_CHECKING:
    from core.domain.ids import SessionId
    from core.domain.session.halt import Fault
    from core.store.queries.reader import Reader

Kept = tuple["SessionId", str, str, "Fault"]  # session id, slug, flow, fault


def faults(
    session: Annotated[
        str | None, typer.Option("--session", help="A session's slug or id; without it, all.")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option("--format", help="human or json.")
    ] = "human",
) -> None:
    """List what went wrong, oldest first; alike ones are counted."""
    if format not in get_args(Format):
        raise refuse(f"--format {format} is not known. Use human or json.")
    reader = reader_of_settings()
    rows: list[Kept] = list(reader.every_fault())
    if session is not None:
        if all(session not in (row.slug, row.id) for row in reader.all_sessions()):
            raise refuse(f"There is no session {session!r}. See: roundtable sessions")
        rows = [row for row in rows if session in row[:2]]
    print_answer(cast("Format", format), lines(rows), lambda: list(records(rows, reader)))


def records(rows: Sequence[Kept], reader: "Reader") -> Iterator[dict[str, Any]]:
    """Each occurrence under the names of seed 004, with which occurrence of its kind it is."""
    from core.domain.faults import alike, record_of

    occurrences: Counter[object] = Counter()
    for session, slug, flow, fault in rows:
        mark = (session, alike(fault))
        occurrences[mark] += 1
        yield {
            "session": session or None,
            "slug": slug or None,
            "occurrence": occurrences[mark],
            **record_of(fault, flow, notified=reader.is_notified(session, fault)),
        }


def lines(rows: Sequence[Kept]) -> Iterator[str]:
    from core.domain.faults import alike, routing_of

    if not rows:
        yield "Nothing has gone wrong."
        return
    counts = Counter((session, alike(fault)) for session, _, _, fault in rows)
    listed: set[object] = set()
    for session, slug, _, fault in rows:
        mark = (session, alike(fault))
        if mark in listed:
            continue
        listed.add(mark)
        again = f"  ×{counts[mark]}" if counts[mark] > 1 else ""
        where = fault.step or fault.phase or "-"
        yield f"{fault.code}  {slug or '-'}  {where}  {routing_of(fault)}{again}  {fault.message}"
