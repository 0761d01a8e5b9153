"""`roundtable demo`: the demo in the browser, or with `--play FILE` a play without one."""

import contextlib
import json
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from bot.cli.printing import EXIT_REFUSED, refuse
from bot.views.kit.terminal import echo

if TYPE_CHECKING:
    from bot.devtools.play.controls import Transport
    from bot.devtools.play.play import PlayResult
    from bot.devtools.play.script import Script

EXIT_INTERRUPTED: Final = 130
OUTPUT: Final = Path("play-output")
ONLY_IN_BROWSER: Final = "{option} goes with the demo in the browser, not with --play."
ONLY_WITH_PLAY: Final = "{option} goes with --play FILE; the demo in the browser has no use for it."

LIBRARIES: Final[Mapping[str, str]] = {  # by the module that is imported
    "emoji": "emoji",
    "mdit_py_plugins": "mdit-py-plugins",
    "starlette": "starlette",
    "websockets": "websockets",
}
"""What only the local workspace and its page need: the extra `[demo]`."""


def demo(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, metavar="N", help="Where the page is; 8765 without it."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Forget what earlier demos left in roundtable-demo/.")
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the page's address, but open no browser.")
    ] = False,
    play: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="No page: people from this script act to the end."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --play: the summary as JSON, and nothing else.")
    ] = False,
    artifacts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --play: where the artifacts go.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="With --play: where the record is kept: sqlite:///…"),
    ] = None,
    steps: Annotated[
        Path | None, typer.Option(metavar="DIR", help="With --play: another step tree; a copy.")
    ] = None,
    transport: Annotated[
        Literal["socket", "http"] | None,
        typer.Option(help="With --play: how Slack reaches the bot; socket without it."),
    ] = None,
) -> None:
    """Try Roundtable on this machine: a workspace in the browser, and the real bot in it.

    Ctrl-C ends it, with exit 0. With --play people from a script act through the same bot, without
    a browser: exit 0 when the session completed, 3 when it did not, 2 when nothing could be played.
    """
    in_browser = {"--port": port is not None, "--fresh": fresh, "--no-open": no_open}
    with_play = {
        "--json": as_json,
        "--artifacts": artifacts is not None,
        "--database": database is not None,
        "--steps": steps is not None,
        "--transport": transport is not None,
    }
    if play is None:
        _refuse_any(with_play, ONLY_WITH_PLAY)
        _require_extra()
        from bot.devtools.demo import lobby

        may_open = not no_open and lobby.can_open()
        raise typer.Exit(lobby.run(port=port, fresh=fresh, may_open=may_open))
    _refuse_any(in_browser, ONLY_IN_BROWSER)
    _require_extra()
    played = _played(play, artifacts, database, steps, transport or "socket")
    _print(played, as_json=as_json)
    raise typer.Exit(played.exit_code)


def _played(
    play: Path,
    artifacts: Path | None,
    database: str | None,
    steps: Path | None,
    transport: "Transport",
) -> "PlayResult":
    # What a play needs is heavy; no other command pays for it.
    from bot.devtools.play import places, printing
    from bot.devtools.play.places import NoTreeError
    from bot.devtools.play.play import play as perform
    from core.store.connection.database import StoreError

    script = _script(play)
    try:
        where = places.prepared(OUTPUT / play.stem, artifacts, database)
        with _told_to_end():
            return perform(
                script,
                artifacts=where.artifacts,
                database=where.database,
                steps=steps,
                transport=transport,
                tell=printing.progress(script),
            )
    except (NoTreeError, places.NoPlayFolderError, StoreError) as why:
        raise _refused([f"{why}."]) from None
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        raise typer.Exit(EXIT_INTERRUPTED) from None


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
    from bot.devtools.play.file import FaultyPlayError, read

    try:
        return read(path)
    except FaultyPlayError as error:
        raise _refused(error.faults) from None


def _print(played: "PlayResult", *, as_json: bool) -> None:
    from bot.devtools.play import printing

    if played.stopped:
        echo(f"The play stopped: {played.stopped}.", err=True)
    if as_json:
        echo(json.dumps(played.summary, indent=2, ensure_ascii=False))
    else:
        printing.print_summary(played.summary)


def _refuse_any(options: Mapping[str, bool], words: str) -> None:
    lines = [words.format(option=option) for option, is_given in options.items() if is_given]
    if lines:
        raise _refused(lines)


def _refused(lines: Sequence[str]) -> typer.Exit:
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return typer.Exit(EXIT_REFUSED)


def _require_extra() -> None:
    """Raise `typer.Exit` with one line that says what to install, unless all of it is here."""
    missing = [name for module, name in LIBRARIES.items() if find_spec(module) is None]
    if missing:
        raise refuse(
            "roundtable demo needs the extra [demo], which is not installed. "
            f"Run: pip install {' '.join(missing)}"
        )
