"""`roundtable files`: the artifacts of a session, one by one, wherever they are kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.database import database_of_settings
from bot.cli.printing import only_one, refuse
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from core.artifacts.files.folder import Folder
    from core.domain.ids import Slug

SlugArgument = Annotated[
    str, typer.Argument(help="The session's slug; see `roundtable sessions`.", metavar="SLUG")
]
NameArgument = Annotated[str, typer.Argument(help="The file's name.", metavar="NAME")]

app = typer.Typer(help="The artifacts of a session.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_files(slug: SlugArgument) -> None:
    """List the names of a session's files."""
    with _folder(slug) as (folder, owner):
        for name in folder.listing(owner):
            echo(name)


@app.command("get")
def get(
    slug: SlugArgument,
    name: NameArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; NAME without it.")
    ] = None,
) -> None:
    """Read one file of a session into a file here."""
    target = output or Path(name)
    with _folder(slug) as (folder, owner):
        content = folder.content(owner, name)
    try:
        target.write_bytes(content)
    except OSError as error:
        raise refuse(f"{target} cannot be written: {error.strerror}.") from error
    echo(str(target.resolve()))


@app.command("put")
def put(
    slug: SlugArgument,
    file: Annotated[Path, typer.Argument(help="The file to take.", metavar="FILE")],
    name: Annotated[
        str | None, typer.Option("--name", help="Its name there; its own without it.")
    ] = None,
) -> None:
    """Put one file into a session's folder, or in the place of the one of that name."""
    from core.artifacts.files.safe_dir import FILE_BYTES_MAX

    try:
        content = file.read_bytes()
    except OSError as error:
        raise refuse(f"{file} cannot be read: {error.strerror}.") from error
    if len(content) > FILE_BYTES_MAX:
        raise refuse(f"{file} is larger than {FILE_BYTES_MAX:,} bytes.")
    with _folder(slug) as (folder, owner):
        folder.put(owner, name or file.name, content)
    echo(f"{slug}/{name or file.name}: {len(content):,} bytes")


@contextmanager
def _folder(slug: str) -> "Iterator[tuple[Folder, Slug]]":
    """The folder of a session's workspace, and its slug. What goes wrong is said in one line."""
    from bot.server.artifacts import folder_of
    from bot.server.configuration.settings import load_or_exit
    from core.artifacts.files.folder import FolderError, UnsafeName
    from core.store.maintenance.stored_rows import called

    settings, database = load_or_exit(), database_of_settings()
    try:
        with database.reading() as db:
            session = only_one(slug, called(db, slug))
        yield folder_of(settings, database).of(session.team), session.slug
    except UnsafeName as error:
        raise refuse(f"{error} is no plain name.") from error
    except FolderError as error:
        why = getattr(error.__cause__, "strerror", None) or error.__cause__
        raise refuse(f"{error}: {why}.") from error
    finally:
        database.close()
