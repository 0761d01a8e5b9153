"""A play for the eyes: its progress on the error stream, then the threads as they would read."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from bot.devtools.play.player import ProgressLine
from bot.devtools.play.script import Script
from bot.devtools.play.summary import PlaySummary, ThreadSummary
from bot.views.kit.terminal import printable

START: Final = "start"
GAP: Final = " "
INDENT: Final = "    "


def progress(script: Script) -> Callable[[ProgressLine], None]:
    """Tells line by line; the first column is as wide as the play's longest step or phase."""
    width = max(map(len, (START, *script.steps, *script.before)))
    console = Console(stderr=True, highlight=False, soft_wrap=True)

    def tell(line: ProgressLine) -> None:
        style = "yellow" if line.note else ""
        note = "note: " if line.note else ""
        text = Text(f"{line.step:<{width}}{GAP}", style="bold")
        console.print(text.append(f"{note}{printable(line.words)}", style=f"not bold {style}"))

    return tell


def print_summary(summary: PlaySummary) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for line in readable(summary):
        console.print(Text(printable(line)))


def readable(summary: PlaySummary) -> Iterator[str]:
    for thread in summary["threads"]:
        yield from _thread(thread)
    yield from _list("Seen by one person alone", [
        f"to {whisper['to']}: {_indented(whisper['text'])}" for whisper in summary["ephemerals"]
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
