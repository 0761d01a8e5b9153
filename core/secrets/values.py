"""Whether a value under a telling name looks like a credential.

Not a word, a reference, a placeholder, a date, a version, a ticket or the name of an algorithm.
What people chose as a password has letters and digits, or signs of three classes; what a machine
made is longer, and mixes letters and digits throughout. Where only words around it say what it is,
it must look like nothing else: `is_strong`.
"""

from typing import Final

from core.secrets.patterns import compiled, has_both, has_turns
from core.secrets.words import WORDS

PASSWORD_CHARS_MIN: Final = 6
KEY_CHARS_MIN: Final = 10
STRONG_CHARS_MIN: Final = 8
LONG_KEY_CHARS_MIN: Final = 16  # of a key that no separator stands before
HEX_KEY_CHARS_MIN: Final = 32  # of one in two classes only
CLASSES_MIN: Final = 3  # of small letters, capitals, digits and other signs
WITHOUT_DIGIT_CHARS_MIN: Final = 8
DISTINCT_MIN: Final = 5
MIXED_SHARE_MIN: Final = 0.5  # of a key: in parts that mix letters and digits

_CODE: Final = frozenset("(){}[]\\")

_STOPS: Final = frozenset("-_.,:/'’")


def is_password(value: str) -> bool:
    """True if what is assigned to a password could be one: long and no plain word."""
    strong = has_both(value) or (
        len(value) >= WITHOUT_DIGIT_CHARS_MIN and _classes(value) >= CLASSES_MIN
    )
    return strong and len(value) >= PASSWORD_CHARS_MIN and not _is_ordinary(value)


def is_strong(value: str) -> bool:
    """True if it looks like a password wherever it stands: nothing that people write in prose."""
    return (
        len(value) >= STRONG_CHARS_MIN
        and (_classes(value) >= CLASSES_MIN or has_turns(value))
        and not _is_ordinary(value)
        and not _is_whole(WORDS["spoken"], value)
        and _CODE.isdisjoint(value)
    )


def is_cell(value: str) -> bool:
    """True if a cell of a table that is headed as a password holds one, and no type."""
    return is_password(value) and not _is_whole(rf"(?i){WORDS['types']}\W?[0-9]+\W?", value)


def is_key(value: str) -> bool:
    """True if what is assigned to a key could be one: most of it letters mixed with digits."""
    if len(value) < KEY_CHARS_MIN or not has_both(value):
        return False
    parts = compiled(r"%[0-9A-Fa-f]{2}|[-_./:+=]").split(value.encode())
    mixed = sum(len(part) for part in parts if has_both(part.decode()))
    return (
        mixed >= MIXED_SHARE_MIN * len(value)
        and not _is_whole(WORDS["name"], value)
        and not _is_ordinary(value)
    )


def is_long_key(value: str) -> bool:
    """True if it looks like a key although nothing stands between it and its name."""
    enough = LONG_KEY_CHARS_MIN if _classes(value) >= CLASSES_MIN else HEX_KEY_CHARS_MIN
    return len(value) >= enough and is_key(value)


def is_uuid(value: str) -> bool:
    return _is_whole(WORDS["uuid"], value.lower())


def _is_ordinary(value: str) -> bool:
    return (
        len(set(value)) < DISTINCT_MIN
        or any(map(str.isspace, value))
        or _is_whole(WORDS["no_credential"], value)
        or ((value.islower() or value.isupper()) and _is_whole(WORDS["words"], value.lower()))
        or compiled(WORDS["placeholder"]).search(value.encode()) is not None
    )


def _is_whole(pattern: str, value: str) -> bool:
    return compiled(pattern).fullmatch(value.encode()) is not None


def _classes(value: str) -> int:
    """Of small letters, capitals, digits and signs that are no stops: how many there are."""
    signs = set(value)
    return sum(
        (
            any(map(str.islower, signs)),
            any(map(str.isupper, signs)),
            any(map(str.isdigit, signs)),
            any(not sign.isalnum() and sign not in _STOPS for sign in signs),
        )
    )
