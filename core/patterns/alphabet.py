"""Text as bytes, one a character: what a pattern may ask of a character is all that stays of it.

ASCII stays as it is. The signs that patterns name have a byte each; of every other character only
its class stays: white space, decimal digit, word character or none of these, as in Python's `re`.
So RE2 counts characters where it counts bytes, and its ASCII classes can be written out.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

SIGNS: Final = (
    "£«·»–—―‘’“”„•‣…‰€→▪●◦➔➜⟶⇒➡、。」』！），：；？（"
    "\x85\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)
"""The characters outside ASCII that patterns name."""

OTHER: Final = 0x80
SPACE: Final = 0x81
LETTER: Final = 0x82
DIGIT: Final = 0x83
FIRST_SIGN: Final = 0x84
BEFORE_TEXT: Final = b"\xff"  # no character: what stands before the first one of a text
# In folded text no capital is left, so that they stand for other word characters: RE2's \b, which
# knows ASCII alone, is then that of Python.
LETTER_FOLDED: Final = ord("A")
DIGIT_FOLDED: Final = ord("D")

BYTE_OF_SIGN: Final = {sign: byte for byte, sign in enumerate(SIGNS, FIRST_SIGN)}
# What `re.IGNORECASE` takes for letters of ASCII.
_SAME_AS: Final = {"İ": "i", "ı": "i", "ſ": "s", "\u212a": "k"}
_KEPT_MAX: Final = 4_096  # characters whose byte is remembered
_TEXTS_MAX: Final = 32  # the same line is searched for many things, one after the other


class _Table(dict[int, int]):
    """Code point → byte, worked out when a character is met first."""

    def __init__(self, *, folded: bool) -> None:
        super().__init__({ord(sign): byte for sign, byte in BYTE_OF_SIGN.items()})
        self._letter = LETTER_FOLDED if folded else LETTER
        self._digit = DIGIT_FOLDED if folded else DIGIT
        ascii_text = map(chr, range(0x80))
        self.update((ord(sign), ord(sign.lower() if folded else sign)) for sign in ascii_text)
        if folded:
            self.update((ord(sign), ord(same)) for sign, same in _SAME_AS.items())

    def __missing__(self, code: int) -> int:
        character = chr(code)
        if character.isdecimal():
            byte = self._digit
        elif character.isalnum():
            byte = self._letter
        else:
            byte = SPACE if character.isspace() else OTHER
        if len(self) < _KEPT_MAX:
            self[code] = byte
        return byte


_EXACT: Final = _Table(folded=False)
_FOLDED: Final = _Table(folded=True)


def encoded(text: str, *, folded: bool) -> bytes:
    """One byte for each character of `text`; `folded`: upper and lower case are the same."""
    if text.isascii():
        return (text.lower() if folded else text).encode("ascii")
    return _encoded(text, folded)


@lru_cache(maxsize=_TEXTS_MAX)
def _encoded(text: str, folded: bool) -> bytes:
    return text.translate(_FOLDED if folded else _EXACT).encode("latin-1")


# ── classes, as sets of bytes ──────────────────────────────────────────────────────────────────

ALL: Final = frozenset(range(0x100))
_ASCII: Final = tuple(map(chr, range(0x80)))


def _class(ascii_part: Iterable[str], *others: int) -> frozenset[int]:
    return frozenset({*map(ord, ascii_part), *others})


_SPACE_SIGNS: Final = [BYTE_OF_SIGN[sign] for sign in SIGNS if sign.isspace()]
SPACES: Final = _class((sign for sign in _ASCII if sign.isspace()), SPACE, *_SPACE_SIGNS)


@cache
def digits(*, folded: bool) -> frozenset[int]:
    return _class("0123456789", DIGIT_FOLDED if folded else DIGIT)


@cache
def words(*, folded: bool) -> frozenset[int]:
    plain = (sign for sign in _ASCII if (sign.isalnum() or sign == "_") and not sign.isupper())
    if folded:
        return _class(plain, LETTER_FOLDED, DIGIT_FOLDED)
    return _class((sign for sign in _ASCII if sign.isalnum() or sign == "_"), LETTER, DIGIT)
