"""`roundtable replay RUN`: decides a session's journal once more and says what differs."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bot.cli.database import database_of_settings
from bot.cli.serve import refuse
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from core.ports import Summary
    from core.store.journal.replay import Replayed
    from core.store.queries.reader import Reader

EXIT_DIFFERS: Final = 1
SHOWN_MAX: Final = 40


def replay(
    run: Annotated[
        str, typer.Argument(help="A run's id, or the slug or id of its session.", metavar="RUN")
    ],
    form: Annotated[
        Literal["human", "json"], typer.Option("--format", help="How to print it.")
    ] = "human",
) -> None:
    """Decide every event of a session once more, and compare with what is stored.

    Writes nothing. Exit 0 when all is the same, 1 when something differs, 2 when there is no such
    run.
    """
    from core.ports import Gone
    from core.store.journal.replay import replayed
    from core.store.queries.reader import Reader

    database = database_of_settings()
    session = _session(Reader(database), run)
    try:
        came = replayed(database, session.id)
    except Gone as none:
        raise refuse(f"{session.slug} has no journal: it was not begun here.") from none
    if form == "json":
        echo(json.dumps(_record(session, came), indent=2, ensure_ascii=False))
    else:
        for line in _lines(session, came):
            echo(line)
    if came.differences:
        raise typer.Exit(EXIT_DIFFERS)


def _session(reader: "Reader", name: str) -> "Summary":
    known = reader.all_sessions()
    owner = reader.session_of_run(name)
    found = [each for each in known if each.id in (owner, name)]
    found = found or [each for each in known if each.slug == name]
    if not found:
        raise refuse(f"There is no run or session {name!r}. See: roundtable sessions")
    if len(found) > 1:
        ids = ", ".join(each.id for each in found)
        raise refuse(f"Several sessions are called {name!r}. Name one by its id: {ids}")
    return found[0]


def _record(session: "Summary", came: "Replayed") -> dict[str, object]:
    return {
        "session": session.id,
        "slug": session.slug,
        "events": came.events,
        "compared": came.compared,
        "same": not came.differences,
        "differences": [
            {"where": difference.where, "stored": difference.stored, "now": difference.now}
            for difference in came.differences
        ],
    }


def _lines(session: "Summary", came: "Replayed") -> Iterator[str]:
    decided = f"{session.slug}: {came.events} events decided again"
    if not came.differences:
        yield f"{decided}, and all is the same."
        return
    count = len(came.differences)
    yield f"{decided}, and {count} {'thing differs' if count == 1 else 'things differ'}:"
    for difference in came.differences[:SHOWN_MAX]:
        yield f"  {difference}"
    if count > SHOWN_MAX:
        yield f"  and {count - SHOWN_MAX} more; --format json has them all"
