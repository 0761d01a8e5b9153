"""`make facilitation`: play the items of a folder and print the figures.

Exit 0: the items were played, whatever the figures are; 2: the folder has faults; 3: a play did not
come to its end.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from bot.devtools.provider import PERSONALITIES
from bot.devtools.provider.readers import (
    FaultyReadersError,
    RunningReaders,
    StandInReaders,
    readers,
    running,
)
from tests.facilitation.asking import asking_figures
from tests.facilitation.filed_replies import FiledReplies
from tests.facilitation.items import FaultyItemsError, Item, read_items
from tests.facilitation.lines import line_figures
from tests.facilitation.printing import Measured, as_json, print_table
from tests.facilitation.running import record_of

Format = Literal["table", "json"]
Brain = Literal["scripted", "thoughtful", "lazy", "malicious"]
ITEMS: Final = Path(__file__).parent / "items"
TOKENS: Final = 10_000_000  # so that a model reads an item to its end
EXIT_REFUSED: Final = 2
EXIT_NOT_ENDED: Final = 3

app: Final = typer.Typer(pretty_exceptions_enable=False, add_completion=False)


@app.command()
def facilitation(
    folder: Annotated[Path, typer.Argument(help="A folder of items.")] = ITEMS,
    form: Annotated[Format, typer.Option("--format", help="How to print the figures.")] = "table",
    only: Annotated[list[str] | None, typer.Option(help="An item's name; again for more.")] = None,
    misses: Annotated[bool, typer.Option("--misses", help="List what is missed.")] = False,
    keep: Annotated[Path | None, typer.Option(help="Keep databases and artifacts there.")] = None,
    brain: Annotated[Brain, typer.Option(help="Who refines what the script reads.")] = "scripted",
    provider_url: Annotated[str | None, typer.Option(help="A provider that refines.")] = None,
    model: Annotated[
        str | None, typer.Option(help="Its model, or fast=A,middle=B,strong=C.")
    ] = None,
    replies: Annotated[
        Path | None, typer.Option(help="Replies by item and step; requests without one go there.")
    ] = None,
) -> None:
    """Play every item against the real bot and say how much of what people said was understood."""
    try:
        items = read_items(folder, tuple(only or ()))
        reading = reading_of("thoughtful" if replies else brain, provider_url, model)
    except FaultyItemsError as error:
        raise _refused(*error.faults) from None
    except FaultyReadersError as error:
        raise _refused(str(error)) from None
    filed = FiledReplies(replies) if replies else None
    with running(reading, filed or PERSONALITIES.get(brain)) as readers_running:
        if readers_running.told:
            sys.stderr.write(f"{readers_running.told}\n")
        measured = measured_items(items, keep, readers_running, filed)
    if form == "json":
        typer.echo(as_json(measured))
    else:
        print_table(measured, misses=misses)
    if any(one.record.status != "completed" or one.record.stopped for one in measured):
        raise typer.Exit(EXIT_NOT_ENDED)


def reading_of(brain: Brain, provider_url: str | None, model: str | None) -> StandInReaders | None:
    """Who reads besides the script; None: nobody. Raises `FaultyReadersError`."""
    if brain == "scripted" and provider_url is None:
        return None
    return replace(readers(provider_url, model), tokens=TOKENS)


def _refused(*lines: str) -> typer.Exit:
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return typer.Exit(EXIT_REFUSED)


def measured_items(
    items: Sequence[Item],
    keep: Path | None = None,
    reading: RunningReaders | None = None,
    filed: FiledReplies | None = None,
) -> list[Measured]:
    measured = []
    with tempfile.TemporaryDirectory(prefix="roundtable-facilitation-") as temporary:
        for item in items:
            provider = reading.provider if reading and filed else None
            if filed and provider:
                filed.item = item.name
                provider.forget()
            measured.append(measured_item(item, (keep or Path(temporary)) / item.name, reading))
            if filed and provider:
                filed.keep(provider.requests)
    return measured


def measured_item(item: Item, folder: Path, reading: RunningReaders | None = None) -> Measured:
    """Play an item into a folder that is empty or not there, and measure it."""
    sys.stderr.write(f"{item.name}: ")
    sys.stderr.flush()
    folder.mkdir(parents=True, exist_ok=True)
    record = record_of(item, folder, reading)
    sys.stderr.write(f"{record.seconds:.0f} s\n")
    figures = (*line_figures(item, record), *asking_figures(item, record))
    return Measured(item, record, figures)


if __name__ == "__main__":
    app()
