"""`roundtable demo --play FILE`: a play through the real bot, and what came of it."""

import contextlib
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

if TYPE_CHECKING:
    from bot.cli.play.play import Played
    from bot.cli.play.script import Script

EXIT_FAULTY: Final = 2
EXIT_INTERRUPTED: Final = 130
OUTPUT: Final = Path("play-output")
NO_PAGE: Final = (
    "The demo in the browser is not there yet. "
    "Play a script instead: roundtable demo --play docs/examples/export-dashboard-as-pdf.yaml"
)


def demo(
    play: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The play: who says and does what.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the summary as JSON, and nothing else.")
    ] = False,
    artifacts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the artifacts go.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the record is kept: sqlite:///…")
    ] = None,
    steps: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Another step tree; it is copied.")
    ] = None,
    transport: Annotated[
        Literal["socket", "http"], typer.Option(help="How Slack reaches the bot.")
    ] = "socket",
) -> None:
    """Have people from a script act through the real bot on a local workspace.

    Exit 0 when the session completed, 3 when it did not, 2 when nothing could be played.
    """
    if play is None:
        raise _refused([NO_PAGE])
    # What a play needs is heavy; no other command pays for it.
    from bot.cli.play import places, printing
    from bot.cli.play.play import play as perform
    from bot.cli.play.tree import NoTreeError
    from core.store.database import StoreError

    script = _script(play)
    try:
        where = places.prepared(OUTPUT / play.stem, artifacts, database)
        with _told_to_end():
            played = perform(
                script,
                artifacts=where.artifacts,
                database=where.database,
                steps=steps,
                transport=transport,
                tell=printing.progress(script),
            )
    except (NoTreeError, places.NoPlaceError, StoreError) as why:
        raise _refused([f"{why}."]) from None
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    _print(played, as_json=as_json)
    raise typer.Exit(played.exit_code)


@contextlib.contextmanager
def _told_to_end() -> Iterator[None]:
    """SIGTERM ends a play as Ctrl-C does: the bot goes, and so does what is temporary."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _script(path: Path) -> "Script":
    from bot.cli.play.file import FaultyPlayError, read

    try:
        return read(path)
    except FaultyPlayError as error:
        raise _refused(error.faults) from None


def _print(played: "Played", *, as_json: bool) -> None:
    from bot.cli.play import printing

    if played.stopped:
        sys.stderr.write(f"The play stopped: {played.stopped}.\n")
    if as_json:
        sys.stdout.write(json.dumps(played.summary, indent=2, ensure_ascii=False) + "\n")
    else:
        printing.print_summary(played.summary)


def _refused(lines: Sequence[str]) -> typer.Exit:
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return typer.Exit(EXIT_FAULTY)
