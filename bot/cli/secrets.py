"""`roundtable secrets check`: what would be recognised as a credential, and what is left of a text.

The format is a contract (docs/reference/secrets.md): programs talk to it line by line.
"""

import json
from collections.abc import Iterator
from typing import BinaryIO, Final

import typer

LINE_BYTES_MAX: Final = 16 * 1024 * 1024
CHUNK_BYTES: Final = 1024 * 1024
FOUND_EXIT: Final = 1
FAULTY_EXIT: Final = 2

app = typer.Typer(
    name="secrets",
    help="Look for credentials in text.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class FaultyLineError(ValueError):
    """A line that is no JSON string; its words say what it is."""


@app.callback()
def secrets() -> None:
    """Look for credentials in text."""


@app.command("check")
def check() -> None:
    """Read JSON strings from standard input, one a line; write what is found in each, at once.

    Exit 1 if a credential was found, 2 if a line could not be read, 0 otherwise.
    """
    from core.secrets import redaction

    has_secret = faulty = False
    for line in _lines(typer.get_binary_stream("stdin")):
        try:
            result = redaction(_text(line))
        except FaultyLineError as fault:
            faulty = True
            _write({"error": str(fault)})
        else:
            has_secret = has_secret or bool(result.kinds)
            _write({"kinds": list(result.kinds), "redacted": result.text})
    if faulty or has_secret:
        raise typer.Exit(FAULTY_EXIT if faulty else FOUND_EXIT)


def _write(answer: dict[str, object]) -> None:
    """In ASCII, so that half a surrogate comes back as it was; flushed, somebody may be waiting."""
    output = typer.get_text_stream("stdout")
    output.write(f"{json.dumps(answer)}\n")
    output.flush()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines that are not blank. One that is too long is cut by one byte more than is allowed."""
    first = True
    while line := stream.readline(LINE_BYTES_MAX + 1):
        piece = line
        while len(line) > LINE_BYTES_MAX and piece and not piece.endswith(b"\n"):
            piece = stream.readline(CHUNK_BYTES)
        if first:
            line = line.removeprefix(b"\xef\xbb\xbf")
            first = False
        if line.strip():
            yield line


def _text(line: bytes) -> str:
    if len(line) > LINE_BYTES_MAX:
        raise FaultyLineError(f"a line of more than {LINE_BYTES_MAX} bytes")
    try:
        text = json.loads(line.decode())
    except UnicodeDecodeError:
        raise FaultyLineError("not UTF-8") from None
    except (ValueError, RecursionError):
        raise FaultyLineError("not JSON") from None
    if not isinstance(text, str):
        raise FaultyLineError("JSON, but not a string")
    return text
