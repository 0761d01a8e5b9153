"""`roundtable delete`: a session goes for good, with every row, file and trace of it.

With the bot stopped: one that runs may write a row or a file of it at any moment, and keeps what
was deleted readable in the log beside the database.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.printing import FormatOption, only_one, print_answer, refuse
from bot.cli.serve import guarded, refuse_unfit
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from bot.cli.delete.erasing import Doomed
    from bot.server.configuration.settings import Settings
    from core.store.maintenance.stored_rows import Named

EXIT_NOT_DONE: Final = 1
RECORD_KEYS: Final = ("slug", "title", "channel", "status", "owner", "people", "rows", "files")
NAMED_KEYS: Final = ("session", "slug", "title", "channel", "status")
TABLES_SHOWN_MAX: Final = 4
SLACKS: Final = "Slack keeps its messages on its own: what has to go there is deleted there"
COPIES: Final = "backups, exports and other copies, which this command does not know of"
WHOLE: Final = (
    "One answer alone cannot be taken out of the record: what was decided after it rests on it. "
    "To remove what they said, delete the session:"
)


def delete(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[RUN]", help="A session's slug or id, or the id of a run of it."),
    ] = None,
    channel: Annotated[
        str | None,
        typer.Option(metavar="C…", help="The channel it is in, to be sure that it is the one."),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(metavar="U…", help="Only list the sessions that hold what they said."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    form: FormatOption = "human",
) -> None:
    """Delete a session for good: its rows, its files and their traces, with the bot stopped.

    Asks for the slug first. Exit 0 when it is gone, 1 when nothing was deleted or traces are left,
    2 when it cannot be done now.
    """
    from bot.server.configuration.settings import load_or_exit

    settings = load_or_exit()
    if (name is None) == (person is None):
        raise refuse("Say which: roundtable delete SLUG, or roundtable delete --person U…")
    refuse_unfit(settings.database_url)
    if name is None:
        rows = _named(settings, str(person))
        print_answer(form, _person(str(person), rows), lambda: [_named_record(row) for row in rows])
        return
    doomed = _found(settings, name, channel)
    if form == "human":
        for line in _what(doomed):
            echo(line)
    state = "would be deleted"
    if not dry_run:
        state = _deleted(settings, doomed) if yes or _confirmed(doomed.slug) else "kept"
    print_answer(form, _after(doomed, state), lambda: _record(doomed, state))
    if state not in ("deleted", "would be deleted"):
        raise typer.Exit(EXIT_NOT_DONE)


def _named(settings: "Settings", person: str) -> "tuple[Named, ...]":
    from core.domain.ids import UserId
    from core.store.connection.opening import open_database
    from core.store.maintenance.stored_rows import naming

    opened = guarded(lambda: open_database(settings.database_url))
    with closing(opened) as database, database.reading() as db:
        return naming(db, UserId(person))


def _found(settings: "Settings", name: str, channel: str | None) -> "Doomed":
    from bot.cli.delete.erasing import doomed

    rows = [row for row in doomed(settings, name) if channel in (None, row.channel)]
    return only_one(name, rows, f" in {channel}" if channel else "")


def _confirmed(slug: str) -> bool:
    """True if somebody at a terminal types what is to go."""
    if not sys.stdin.isatty():
        echo("Nobody is there to be asked: add --yes.", err=True)
        return False
    typed: str = typer.prompt(f"To delete it, type {slug}", default="", show_default=False)
    return typed.strip() == slug


def _deleted(settings: "Settings", doomed: "Doomed") -> str:
    from bot.cli.delete.erasing import FailedError, erase

    try:
        traces = guarded(lambda: erase(settings, doomed))
    except FailedError as error:
        raise refuse(f"{error} Run this again when that is mended.") from error
    if traces:
        echo(f"The file could not be written anew: {traces}.", err=True)
    return "deleted, traces left" if traces else "deleted"


# ── words ──────────────────────────────────────────────────────────────────────────────────────


def _what(doomed: "Doomed") -> Iterator[str]:
    yield f"{doomed.slug}: “{doomed.title}”, {doomed.status}, in {doomed.channel}"
    yield f"  started by  {doomed.owner}"
    yield f"  answers of  {', '.join(doomed.people) or 'nobody'}"
    most = sorted(doomed.rows.items(), key=lambda row: -row[1])
    counts = [f"{count} {table}" for table, count in most[:TABLES_SHOWN_MAX]]
    more = ", …" if len(most) > TABLES_SHOWN_MAX else ""
    yield f"  rows        {sum(doomed.rows.values())} ({', '.join(counts)}{more})"
    yield f"  files       {len(doomed.files)}"


def _after(doomed: "Doomed", state: str) -> Iterator[str]:
    words = {
        "deleted": "It is deleted, and the database file was written anew.",
        "deleted, traces left": "It is deleted. Traces of it are left in the database file.",
        "kept": "Nothing was deleted.",
        "would be deleted": "Nothing was deleted: this was a dry run.",
    }
    yield words[state]
    if state == "kept":
        return
    yield "What stays:"
    for line in stays(doomed):
        yield f"  {line}"


def stays(doomed: "Doomed") -> tuple[str, ...]:
    """What is not deleted, and why."""
    ours = "1 message" if doomed.posts == 1 else f"{doomed.posts} messages"
    begun = f", from {doomed.card} on" if doomed.card else ""
    return (f"{ours} of the bot in {doomed.channel}{begun}, and what people said. {SLACKS}", COPIES)


def _record(doomed: "Doomed", state: str) -> dict[str, object]:
    values = {key: getattr(doomed, key) for key in RECORD_KEYS}
    return {"state": state, "session": doomed.id, **values, "stays": list(stays(doomed))}


def _person(person: str, rows: Sequence["Named"]) -> Iterator[str]:
    sessions = [row for row in rows if row.session]
    if not sessions:
        yield f"No session names {person}."
    for row in sessions:
        answers = "1 answer" if row.answers == 1 else f"{row.answers} answers"
        started = ", started it" if row.owns else ""
        row_count = sum(row.rows.values())
        where = f"{row.slug}  {row.channel}  {row.status}"
        yield f"{where}  {answers}, {row_count} {'row' if row_count == 1 else 'rows'}{started}"
    if any(not row.session for row in rows):
        yield "Beside these: that a start of theirs was refused, without what it was."
    if sessions:
        yield WHOLE
        yield from (f"  roundtable delete {session.slug}" for session in sessions)
        yield f"{SLACKS}."


def _named_record(row: "Named") -> dict[str, object]:
    return {
        **{key: getattr(row, key) or None for key in NAMED_KEYS},
        "started_it": row.owns,
        "answers": row.answers,
        "rows": dict(row.rows),
    }
