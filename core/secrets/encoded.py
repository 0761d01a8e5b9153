"""Base64 in a text, decoded once: a credential in it is found as the whole run that hides it."""

import base64
import binascii
from collections.abc import Iterator
from typing import Final

from core.secrets.patterns import Span, compiled

RUN_BYTES_MIN: Final = 20  # what decodes to fewer than 15 bytes hides nothing that could be told
_LINE: Final = rf"[A-Za-z0-9+/_-]{{{RUN_BYTES_MIN},}}"
LINES: Final = rf"{_LINE}(?:(?:\r?\n|\\n){_LINE})*={{0,2}}"
PIECE: Final = rf"[A-Za-z0-9+]{{{RUN_BYTES_MIN},}}={{0,2}}"


def decoded(data: bytes) -> Iterator[tuple[Span, bytes]]:
    """Every run of Base64 that holds text, and the text. Runs over several lines are one."""
    for run in compiled(LINES).finditer(data):
        text = _text(run[0])
        if text is not None:
            yield run.span(), text
        else:
            yield from _pieces(run[0], run.start())


def _pieces(run: bytes, at: int) -> Iterator[tuple[Span, bytes]]:
    """A run may be a path, or several words, one of which is Base64."""
    for piece in compiled(PIECE).finditer(run):
        text = None if piece[0] == run else _text(piece[0])
        if text is not None:
            yield (at + piece.start(), at + piece.end()), text


def _text(run: bytes) -> bytes | None:
    """What a run says, if that is text: UTF-8, or plain letters in UTF-16."""
    plain = run.replace(b"\\n", b"").translate(_URL_SAFE, b"\r\n=")
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        content = base64.b64decode(plain + b"=" * (-len(plain) % 4))
        if len(content) > 1 and not any(content[1::2]):
            content = content[::2]
        text = content.decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return content if text.translate(_LINE_SIGNS).isprintable() else None


_LINE_SIGNS: Final = dict.fromkeys(map(ord, "\t\r\n"))
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")
