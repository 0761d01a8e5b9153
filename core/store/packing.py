"""How a value's JSON is kept in a row: as text, or packed where that is shorter.

Packed is a byte that says with which dictionary, then the JSON deflated with it. A row is a few
hundred bytes, too few to repeat itself: without a dictionary of what recurs in all rows, packing
would hardly pay. Rows of before are text, and are read as they are.
"""

import zlib
from functools import cache
from typing import Any, Final

from core.store.dictionary import FIRST

DICTIONARIES: Final = {1: FIRST}
NOW: Final = 1  # what is written; all of them are read
SHORT_CHARS: Final = 12  # not worth the trouble
LEVEL: Final = 3  # the dictionary does the work: 6 takes a fifth longer for two bytes
WINDOW_BITS: Final = (
    -14
)  # raw, 16 kB: the dictionary and a row; twice as much takes three times as long
MEMORY_LEVEL: Final = 5

Stored = str | bytes


class PackingError(ValueError):
    """Bytes that cannot be read: damaged, or of a later version."""


def packed(text: str) -> Stored:
    """As it is stored: the shorter of the two."""
    if len(text) < SHORT_CHARS:
        return text
    raw = text.encode()
    deflating = _primed(NOW).copy()
    found = _PREFIX + deflating.compress(raw) + deflating.flush()
    return found if len(found) < len(raw) else text


def plain(stored: Stored) -> str:
    """The JSON that was packed; text is given back as it is. Raises `PackingError`."""
    if isinstance(stored, str):
        return stored
    dictionary = DICTIONARIES.get(stored[0]) if stored else None
    if dictionary is None:
        raise PackingError("it was packed in a way that is not known")
    return _inflated(stored[1:], WINDOW_BITS, dictionary)


def readable(stored: Stored | None) -> str | None:
    """`plain` for SQL: nothing where it cannot be read, so that one row spoils no list."""
    try:
        return None if stored is None else plain(stored)
    except PackingError:
        return ""


def _inflated(deflated: bytes, window_bits: int, dictionary: bytes) -> str:
    inflating = zlib.decompressobj(window_bits, dictionary)
    try:
        raw = inflating.decompress(deflated)
        if not inflating.eof or inflating.unused_data:
            raise PackingError("it breaks off")
        return raw.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise PackingError("it cannot be unpacked") from error


_PREFIX: Final = bytes([NOW])


@cache
def _primed(number: int) -> Any:
    """A compressor that has read the dictionary; to copy it is ten times faster than to make it."""
    return zlib.compressobj(
        LEVEL, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL, 0, DICTIONARIES[number]
    )


# ── what is nearly the same as something else that is kept ──────────────────────────────────────

CHANGE: Final = b"\x80"  # in place of a dictionary's number
WIDE_BITS: Final = -15  # both texts have to be in sight


def as_change(text: str, other: str) -> bytes:
    """`text` by what distinguishes it from `other`; without that one it cannot be read."""
    deflating = zlib.compressobj(9, zlib.DEFLATED, WIDE_BITS, 8, 0, FIRST + other.encode())
    return CHANGE + deflating.compress(text.encode()) + deflating.flush()


def is_change(stored: Stored) -> bool:
    return isinstance(stored, bytes) and stored.startswith(CHANGE)


def changed_back(stored: Stored, other: str) -> str:
    """What `as_change` was given. Raises `PackingError`."""
    if not is_change(stored):
        return plain(stored)
    assert isinstance(stored, bytes)
    return _inflated(stored[1:], WIDE_BITS, FIRST + other.encode())
