"""The `roundtable` command: one table of subcommands, each in a file of its own."""

import os
from collections.abc import Callable
from typing import Annotated, Final

import typer

VERSION: Final = "0.1.0"
PRIVATE: Final = 0o077
"""The umask of every command: databases, logs and exports are their owner's alone."""

app = typer.Typer(
    name="roundtable",
    help="Structured analyses in Slack threads.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"roundtable {VERSION}")
        raise typer.Exit


@app.callback()
def roundtable(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Structured analyses in Slack threads."""


def _mount() -> None:
    from bot.cli import (
        brain,
        database,
        demo,
        errors,
        export,
        faults,
        files,
        replay,
        secrets,
        serve,
        workspaces,
    )
    from bot.cli.adopt.command import adopt
    from bot.cli.delete.command import delete
    from bot.cli.doctor.command import doctor
    from bot.cli.steps import command as steps

    app.add_typer(steps.app, name="steps")
    app.add_typer(database.app, name="db")
    app.add_typer(errors.app, name="errors")
    app.add_typer(secrets.app, name="secrets")
    app.add_typer(workspaces.app, name="workspaces")
    app.add_typer(workspaces.keys, name="keys")
    app.add_typer(brain.app, name="brain")
    app.add_typer(files.app, name="files")
    commands: tuple[Callable[..., None], ...] = (
        *(serve.serve, serve.worker, database.sessions, export.export, faults.faults),
        *(replay.replay, demo.demo, adopt, delete, doctor),
    )
    for command in commands:
        app.command(command.__name__)(command)


def main() -> None:
    os.umask(PRIVATE)
    _mount()
    app()
