"""A play as a command: its progress on the error stream, then the threads as they would read.

What cannot be played is said in a line each.
"""

import json
import signal
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from bot.devtools.play.controls import Transport
from bot.devtools.play.places import NoPlayFolderError, NoTreeError, prepared
from bot.devtools.play.play import play
from bot.devtools.play.script.entries import START, ProgressLine
from bot.devtools.play.script.file import read
from bot.devtools.play.script.script import Script
from bot.devtools.play.summary import PlaySummary, ThreadSummary
from bot.devtools.provider.readers import StandInReaders
from bot.devtools.yaml_file import FaultyFileError
from bot.views.kit.terminal import echo
from bot.views.kit.text import clean
from core.store.connection.database import StoreError

EXIT_REFUSED: Final = 2
EXIT_INTERRUPTED: Final = 130
OUTPUT: Final = Path("play-output")
GAP: Final = " "
INDENT: Final = "    "


def run(
    file: Path,
    artifacts: Path | None,
    database: str | None,
    steps: Path | None,
    transport: Transport,
    *,
    unknown_blocks: Collection[str],
    readers: StandInReaders | None,
    as_json: bool,
) -> int:
    """Play a file; the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it ends a play as Ctrl-C does
    try:
        script = read(file)
        where = prepared(OUTPUT / file.stem, artifacts, database)
        result = play(
            script,
            where.artifacts,
            where.database,
            steps,
            transport,
            tell=progress(script),
            unknown_blocks=unknown_blocks,
            readers=readers,
        )
    except FaultyFileError as error:
        return _refused(*error.faults)
    except (NoTreeError, NoPlayFolderError, StoreError) as why:
        return _refused(f"{why}.")
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return EXIT_INTERRUPTED
    if result.stopped:
        echo(f"The play stopped: {result.stopped}.", err=True)
    if as_json:
        echo(json.dumps(result.summary, indent=2, ensure_ascii=False))
    else:
        print_summary(result.summary)
    return result.exit_code


def _refused(*lines: str) -> int:
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return EXIT_REFUSED


def progress(script: Script) -> Callable[[ProgressLine], None]:
    """Tells line by line; the first column is as wide as the play's longest step or phase."""
    width = max(map(len, (START, *script.steps, *script.before)))
    console = Console(stderr=True, highlight=False, soft_wrap=True)

    def tell(line: ProgressLine) -> None:
        style = "yellow" if line.note else ""
        note = "note: " if line.note else ""
        text = Text(f"{line.step:<{width}}{GAP}", style="bold")
        console.print(text.append(f"{note}{clean(line.words)}", style=f"not bold {style}"))

    return tell


def print_summary(summary: PlaySummary) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for line in readable(summary):
        console.print(Text(clean(line)))


def readable(summary: PlaySummary) -> Iterator[str]:
    for thread in summary["threads"]:
        yield from _thread(thread)
    yield from _list("Seen by one person alone", [
        f"to {post['to']}: {_indented(post['text'])}" for post in summary["ephemerals"]
    ])  # fmt: skip
    yield from _list("Faults", [
        f"{fault['code']} {fault['step_id'] or ''}".strip() + f": {fault['message']}"
        for fault in summary["faults"]
    ])  # fmt: skip
    yield from _list("Artifacts", [
        f"{file['path']} ({file['bytes']:,} bytes)" for file in summary["artifacts"]
    ])  # fmt: skip
    yield _last_line(summary)


def _thread(thread: ThreadSummary) -> Iterator[str]:
    yield f"── {thread['persona']} in #{thread['channel']} ──"
    yield ""
    for message in thread["messages"]:
        yield f"{message['author']}:"
        yield INDENT + _indented(message["text"])
        yield ""


def _list(title: str, lines: Sequence[str]) -> Iterator[str]:
    if not lines:
        return
    yield title
    yield from (f"  {line}" for line in lines)
    yield ""


def _indented(text: str) -> str:
    return text.replace("\n", f"\n{INDENT}")


def _last_line(summary: PlaySummary) -> str:
    session = summary["session"]
    if session is None:
        return "Nothing was started."
    done = sum(step["status"] == "completed" for step in summary["steps"])
    return f"{session['slug']}: {session['status']}, {done} of {len(summary['steps'])} steps."
