"""The `roundtable` command: one table of subcommands, each in a file of its own."""

import importlib
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
    from bot.cli import database, errors, export, faults, replay, secrets, serve
    from bot.cli.steps import command as steps

    app.add_typer(steps.app, name="steps")
    app.add_typer(database.db, name="db")
    app.add_typer(errors.app, name="errors")
    app.add_typer(secrets.app, name="secrets")
    commands: tuple[Callable[..., None], ...] = (
        serve.serve,
        serve.worker,
        database.sessions,
        export.export,
        faults.faults,
        replay.replay,
    )
    for command in commands:
        app.command(command.__name__)(command)
    for module, name in (
        ("bot.cli.demo", "demo"),
        ("bot.cli.adopt.command", "adopt"),
        ("bot.cli.delete.command", "delete"),
        ("bot.cli.doctor.command", "doctor"),
    ):
        app.command(name)(getattr(importlib.import_module(module), name))


def main() -> None:
    os.umask(PRIVATE)
    _mount()
    app()
