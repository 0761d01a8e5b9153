"""`roundtable replay RUN`: decides a session's journal once more and says what differs."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.database import database_of_settings
from bot.cli.printing import FormatOption, only_one, print_answer, refuse

if TYPE_CHECKING:
    from core.store.journal.replay import Replayed
    from core.store.maintenance.stored_rows import StoredSession

EXIT_DIFFERS: Final = 1
SHOWN_MAX: Final = 40


def replay(
    run: Annotated[
        str, typer.Argument(help="A run's id, or the slug or id of its session.", metavar="RUN")
    ],
    form: FormatOption = "human",
) -> None:
    """Decide every event of a session once more, and compare with what is stored.

    Writes nothing. Exit 0 when all is the same, 1 when something differs, 2 when there is no such
    run.
    """
    from core.ports import Gone
    from core.store.journal.replay import replayed
    from core.store.maintenance.stored_rows import called

    database = database_of_settings()
    with database.reading() as db:
        session = only_one(run, called(db, run))
    try:
        outcome = replayed(database, session.id)
    except Gone as none:
        raise refuse(f"{session.slug} has no journal: it was not begun here.") from none
    print_answer(form, _lines(session, outcome), lambda: _record(session, outcome))
    if outcome.differences:
        raise typer.Exit(EXIT_DIFFERS)


def _record(session: "StoredSession", outcome: "Replayed") -> dict[str, object]:
    return {
        "session": session.id,
        "slug": session.slug,
        "events": outcome.events,
        "compared": outcome.compared,
        "same": not outcome.differences,
        "differences": [asdict(difference) for difference in outcome.differences],
    }


def _lines(session: "StoredSession", outcome: "Replayed") -> Iterator[str]:
    decided = f"{session.slug}: {outcome.events} events decided again"
    if not outcome.differences:
        yield f"{decided}, and all is the same."
        return
    count = len(outcome.differences)
    yield f"{decided}, and {count} {'thing differs' if count == 1 else 'things differ'}:"
    for difference in outcome.differences[:SHOWN_MAX]:
        yield f"  {difference}"
    if count > SHOWN_MAX:
        yield f"  and {count - SHOWN_MAX} more; --format json has them all"
