"""`roundtable bench`: take every figure, print them; the exit code says whether all gates hold."""

import sys
from typing import Annotated, Final, Literal

import typer

Format = Literal["human", "json"]

EXIT_MISSED: Final = 1


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer rounds; about a minute.")] = False,
    form: Annotated[Format, typer.Option("--format", help="How to print the figures.")] = "human",
    tiny: Annotated[bool, typer.Option("--tiny", hidden=True)] = False,
) -> None:
    """Measure how good it is, against its gates. Exit 1 when one is missed."""
    from bot.cli.bench import figures, size
    from bot.cli.bench.run import measured

    wanted = size.TINY if tiny else size.QUICK if quick else size.FULL
    found = measured(wanted, _told)
    if form == "json":
        typer.echo(figures.as_json(found))
    else:
        from rich.console import Console

        Console().print(figures.as_table(found))
    if not all(figure.holds for figure in found):
        raise typer.Exit(EXIT_MISSED)


def _told(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
