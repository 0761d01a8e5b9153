"""Characters that change how the text around them reads, and text without them.

Controls of the writing direction turn a line round, so that a name seems to stand elsewhere; what
has no width hides in a name and makes it another one.
"""

from typing import Final

_DIRECTION: Final = ((0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
_NO_WIDTH: Final = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200B), (0x2060, 0x2065), (0x206A, 0x206F), (0x3164, 0x3164), (0xFEFF, 0xFEFF)),
    *((0xFFA0, 0xFFA0), (0xFFF9, 0xFFFB), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
_CONTROL: Final = ((0x00, 0x08), (0x0E, 0x1B), (0x1F, 0x1F), (0x7F, 0x84), (0x86, 0x9F))
_NO_CHARACTER: Final = ((0xFFFE, 0xFFFF),)
_SURROGATE: Final = (0xD800, 0xDFFF)
_LINE_ENDS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
# Persian and Hindi words and families of emoji need them; between letters of ASCII they hide.
_JOINERS: Final = "\u200c\u200d"

GONE: Final = frozenset(
    code
    for first, last in (*_DIRECTION, *_NO_WIDTH, *_CONTROL, *_NO_CHARACTER)
    for code in range(first, last + 1)
)
"""Code points that no text keeps. White space stays, and so do joiners where a word needs them."""

_TABLE: Final[dict[int, str | None]] = {
    **dict.fromkeys(GONE),
    **dict.fromkeys(range(_SURROGATE[0], _SURROGATE[1] + 1), "\ufffd"),
}
_LINES: Final = dict.fromkeys(map(ord, _LINE_ENDS), "\n")


def readable(text: str) -> str:
    """`text` without what changes how other text reads; half a character becomes `\\ufffd`."""
    if text.isascii() and text.isprintable():
        return text  # most of what a program says of itself
    text = text.translate(_TABLE)
    if text.isascii() or not any(joiner in text for joiner in _JOINERS):
        return text
    return "".join(
        sign for place, sign in enumerate(text) if sign not in _JOINERS or not _hides(text, place)
    )


def one_line_each(text: str) -> str:
    """`text` with one kind of line end."""
    if text.isprintable():  # a line end is not
        return text
    return text.replace("\r\n", "\n").translate(_LINES)


def _hides(text: str, place: int) -> bool:
    """True if the joiner at `place` joins nothing of a script that has joiners."""
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    return not before or not after or any(_takes_no_joiner(beside) for beside in (before, after))


def _takes_no_joiner(sign: str) -> bool:
    return sign < "\u0600" or sign.isspace() or sign in _JOINERS
