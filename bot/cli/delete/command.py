"""`roundtable delete`: a session goes for good, with every row, file and trace of it.

With the bot stopped: one that runs may write a row or a file of it at any moment, and keeps what
was deleted readable in the log beside the database.
"""

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.printing import FormatOption, only_one, refuse
from bot.cli.serve import guarded, refuse_unfit
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from bot.cli.delete.erasing import Doomed
    from bot.server.settings import Settings
    from core.store.maintenance.stored_rows import Named

EXIT_NOT_DONE: Final = 1


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
    from bot.cli.delete import words
    from bot.server.settings import load_or_exit

    settings = load_or_exit()
    if (name is None) == (person is None):
        raise refuse("Say which: roundtable delete SLUG, or roundtable delete --person U…")
    refuse_unfit(settings.database_url)
    if name is None:
        words.print_person(str(person), _named(settings, str(person)), form)
        return
    doomed = _found(settings, name, channel)
    if form == "human":
        words.print_what(doomed)
    state = "would be deleted"
    if not dry_run:
        state = _deleted(settings, doomed) if yes or _confirmed(doomed.slug) else "kept"
    words.print_state(doomed, state, form)
    if state not in ("deleted", "would be deleted"):
        raise typer.Exit(EXIT_NOT_DONE)


def _named(settings: "Settings", person: str) -> "tuple[Named, ...]":
    from core.domain.ids import UserId
    from core.store.connection.database import Database
    from core.store.maintenance.stored_rows import naming

    opened = guarded(lambda: Database(settings.database_url))
    with closing(opened) as database, database.reading() as db:
        return naming(db, UserId(person))


def _found(settings: "Settings", name: str, channel: str | None) -> "Doomed":
    from bot.cli.delete.erasing import doomed

    rows = [row for row in doomed(settings, name) if channel in (None, row.channel)]
    return only_one(name, rows, f" in {channel}" if channel else "")


def _confirmed(slug: str) -> bool:
    """Whether somebody at a terminal types what is to go."""
    if not sys.stdin.isatty():
        echo("Nobody is there to be asked: add --yes.", err=True)
        return False
    typed: str = typer.prompt(f"To delete it, type {slug}", default="", show_default=False)
    return typed.strip() == slug


def _deleted(settings: "Settings", doomed: "Doomed") -> str:
    from bot.cli.delete.erasing import FailedError, erase
    from core.store.maintenance.exclusive_lock import InUseError

    try:
        traces = erase(settings, doomed)
    except InUseError as error:
        raise refuse("The bot is running. Stop it, run this again, and start it.") from error
    except FailedError as error:
        raise refuse(f"{error} Run this again when that is mended.") from error
    if traces:
        echo(f"The file could not be written anew: {traces}.", err=True)
    return "deleted, traces left" if traces else "deleted"
