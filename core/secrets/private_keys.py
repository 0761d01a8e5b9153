"""Private keys: blocks of lines from BEGIN to END, whole or cut."""

from collections.abc import Iterator
from typing import Final

from core.secrets.patterns import SecretPattern, Span, compiled

_LINE: Final = r"-----(BEGIN|END) (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
# The body follows its BEGIN line and its headers at once: people write about BEGIN lines.
_BETWEEN: Final = r"""(?:\\+[nrt]|[\s>|"'`+*,-])*"""
_HEAD: Final = rf"{_BETWEEN}(?:[A-Za-z][\w-]{{1,30}}: [^\n\\]{{1,120}}{_BETWEEN}){{0,6}}"
_WHOLE: Final = rf"{_HEAD}[A-Za-z0-9+/]{{16}}"
_CUT: Final = rf"{_HEAD}[A-Za-z0-9+/]{{40}}"  # without an end it must look like a key


def _blocks(data: bytes) -> Iterator[Span]:
    """From each BEGIN to its END. A key that was cut ends where the next one begins, or the text.

    One walk over the lines that begin or end a key: nothing is looked for twice.
    """
    begin: Span | None = None
    for line in compiled(_LINE).finditer(data):
        is_end = line[1] == b"END"
        if begin is not None:
            end = line.end() if is_end else line.start()
            yield from _filled(data, begin, end, _WHOLE if is_end else _CUT)
        begin = None if is_end else line.span()
    if begin is not None:
        yield from _filled(data, begin, len(data), _CUT)


def _filled(data: bytes, begin: Span, end: int, body: str) -> Iterator[Span]:
    if compiled(body).match(data, begin[1], end) is not None:
        yield begin[0], end


PRIVATE_KEY: Final = SecretPattern(
    "private-key", "a private key", r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY", _blocks
)
