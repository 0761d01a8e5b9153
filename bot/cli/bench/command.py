"""`roundtable bench`: take every figure, print them; the exit code says whether all gates hold."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bot.cli.demo_extra import require_demo

if TYPE_CHECKING:
    from bot.cli.bench.figures import Figure

Format = Literal["human", "json"]

EXIT_MISSED: Final = 1


def bench(
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer rounds; about five minutes.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="How to print the figures.")] = "human",
    tiny: Annotated[bool, typer.Option("--tiny", hidden=True)] = False,
) -> None:
    """Measure how good it is, against its gates. Exit 1 when one is missed."""
    require_demo("bench")
    from bot.cli.bench import size
    from bot.cli.bench.run import measured

    wanted = size.TINY if tiny else size.QUICK if quick else size.FULL
    show(measured(wanted, progress), form)


def show(found: Sequence["Figure"], form: Format) -> None:
    """Print them; raises `typer.Exit` when a gate is missed."""
    from bot.cli.bench import figures

    if form == "json":
        typer.echo(figures.as_json(found))
    else:
        from rich.console import Console

        Console().print(figures.as_table(found))
    if not all(figure.holds for figure in found):
        raise typer.Exit(EXIT_MISSED)


def progress(line: str) -> None:
    """Beside the figures, on standard error."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
