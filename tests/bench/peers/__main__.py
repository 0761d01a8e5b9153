"""`make peers`: take rows 2 and 3, print them; the exit code says whether both gates hold."""

from typing import Annotated, Final

import typer

from tests.bench.__main__ import Format, print_figures, print_progress
from tests.bench.arena import scratch
from tests.bench.peers.comparing import compared, missing

TURNS: Final = 60
TURNS_MIN: Final = 5
EXIT_MISSING: Final = 2


def peers(
    turns: Annotated[int, typer.Option(min=TURNS_MIN, help="Of sixteen steps each.")] = TURNS,
    form: Annotated[Format, typer.Option("--format", help="How to print the figures.")] = "human",
) -> None:
    """A durable step beside LangGraph and DBOS. Exit 1 when a gate is missed, 2 without them."""
    if absent := missing():
        print_progress(
            f"{', '.join(absent)} cannot be imported here; `make peers` installs what it needs"
        )
        raise typer.Exit(EXIT_MISSING)
    with scratch() as folder:
        found = compared(folder, turns, print_progress)
    print_figures(found, form)


if __name__ == "__main__":
    typer.run(peers)
