"""`roundtable db upgrade`, `roundtable export`, `roundtable sessions`: what is kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.serve import guarded, refuse

if TYPE_CHECKING:
    from core.store.reading import Reader

db = typer.Typer(help="The database.", no_args_is_help=True, rich_markup_mode=None)


@db.callback()
def _database() -> None:
    """The database."""


@db.command("upgrade")
def upgrade() -> None:
    """Bring the database to the newest schema; safe to run again."""
    from bot.settings import load_or_exit
    from core.store.migrate import upgrade as migrate

    settings = load_or_exit()
    revision = guarded(lambda: migrate(settings.database_url))
    typer.echo(f"The database is at revision {revision}.")


def sessions() -> None:
    """List every session of the database, newest first."""
    reader = reader_of_settings()
    for each in reader.all_sessions():
        where = each.step or each.phase or "-"
        typer.echo(f"{each.slug}  {each.status}  {each.done}/{each.total}  {where}  {each.channel}")


def export(
    slug: Annotated[str, typer.Argument(help="The session's slug; see `roundtable sessions`.")],
    to: Annotated[
        Path | None, typer.Option("--to", help="The zip file to write; SLUG.zip without it.")
    ] = None,
) -> None:
    """Write a session's artifacts to a zip file."""
    from bot.settings import load_or_exit
    from core.artifacts.folder import Folder
    from core.domain.ids import Slug

    settings = load_or_exit()
    known = [each for each in reader_of_settings().all_sessions() if each.slug == slug]
    if not known:
        raise refuse(f"There is no session {slug!r}. See: roundtable sessions")
    target = to or Path(f"{slug}.zip")
    try:
        target.write_bytes(Folder(settings.artifacts_dir).zip(Slug(slug)))
    except OSError as error:
        raise refuse(f"{target} cannot be written: {error.strerror}.") from error
    typer.echo(str(target.resolve()))


def reader_of_settings() -> "Reader":
    """What a command line may look up. Exits where the settings or the database do not serve."""
    from bot.settings import load_or_exit
    from core.store.database import Database
    from core.store.migrate import is_current
    from core.store.reading import Reader

    settings = load_or_exit()
    if not guarded(lambda: is_current(settings.database_url)):
        raise refuse("The database is not at the newest schema. Run: roundtable db upgrade")
    return Reader(guarded(lambda: Database(settings.database_url)))
