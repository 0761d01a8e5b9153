"""`make bench`: take every figure, print them; the exit code says whether all gates hold."""

import sys
from collections.abc import Sequence
from typing import Annotated, Final, Literal

import typer
from rich.console import Console

from tests.bench import run, size
from tests.bench.figures import Figure, as_json, as_table

Format = Literal["human", "json"]

EXIT_MISSED: Final = 1


def bench(
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer rounds; about eight minutes.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="How to print the figures.")] = "human",
    tiny: Annotated[bool, typer.Option("--tiny", hidden=True)] = False,
) -> None:
    """Measure rows 1 and 4 to 31 against their gates. Exit 1 when one is missed."""
    chosen_size = size.TINY if tiny else size.QUICK if quick else size.FULL
    print_figures(run.measured(chosen_size, print_progress), form)


def print_figures(figures: Sequence[Figure], form: Format) -> None:
    """Print the figures on standard output. Raises `typer.Exit` when a gate is missed."""
    if form == "json":
        typer.echo(as_json(figures))
    else:
        Console().print(as_table(figures))
    if not all(figure.holds for figure in figures):
        raise typer.Exit(EXIT_MISSED)


def print_progress(line: str) -> None:
    """One line on standard error, beside the figures."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    typer.run(bench)
