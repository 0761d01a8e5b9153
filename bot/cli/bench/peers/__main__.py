"""`make peers`: take rows 2 and 3, print them; the exit code says whether both gates hold."""

from typing import Annotated, Final

import typer

from bot.cli.bench.arena import scratch
from bot.cli.bench.command import Format, progress, show
from bot.cli.bench.peers.comparing import compared, missing

TURNS: Final = 60
TURNS_MIN: Final = 5
EXIT_MISSING: Final = 2


def peers(
    turns: Annotated[int, typer.Option(min=TURNS_MIN, help="Of sixteen steps each.")] = TURNS,
    form: Annotated[Format, typer.Option("--format", help="How to print the figures.")] = "human",
) -> None:
    """A durable step beside LangGraph and DBOS. Exit 1 when a gate is missed, 2 without them."""
    if absent := missing():
        progress(
            f"{', '.join(absent)} cannot be imported here; `make peers` installs what it needs"
        )
        raise typer.Exit(EXIT_MISSING)
    with scratch() as folder:
        found = compared(folder, turns, progress)
    show(found, form)


if __name__ == "__main__":
    typer.run(peers)
