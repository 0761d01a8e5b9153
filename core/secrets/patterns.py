"""What a pattern is: a sign that makes it worth trying, and how it finds its spans of bytes.

Everything is matched by RE2, in bytes: no text, however hostile, takes more than linear time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

import re2

from core.patterns import options_of_bytes
from core.secrets.words import WORDS

Span = tuple[int, int]
"""Bytes of the text in UTF-8, from and up to."""

Check = Callable[..., bool]
"""Of the groups of what was matched, the last of which is the credential."""


BYTES: Final = options_of_bytes()

DISTINCT_MIN: Final = 8
TURNS_MIN: Final = 3  # from letters to digits or back
RUN_MAX: Final = 5  # the same sign again and again: somebody filled a form


@cache
def compiled(pattern: str) -> Any:
    """Over bytes. Compiled when it is first needed: most texts need none."""
    return re2.compile(pattern.encode(), BYTES)


@dataclass(frozen=True, slots=True)
class SecretPattern:
    """`sign` is what the one set looks for; it must be short, and must be there in every find."""

    kind: str
    label: str
    sign: str
    spans: Callable[[bytes], Iterator[Span]]


def group(kind: str, label: str, sign: str, pattern: str, check: Check) -> SecretPattern:
    """A pattern whose last group is the credential, if `check` agrees."""

    def spans(data: bytes) -> Iterator[Span]:
        search = compiled(pattern).search
        at = 0
        while match := search(data, at):
            groups = match.groups()
            start, end = match.span(len(groups))
            if check(*(part.decode("utf-8", "replace") for part in groups)):
                yield start, end
            at = end

    return SecretPattern(kind, label, sign, spans)


# A token may follow an escaped line end, or an escaped sign of an address; Slack's _italics_ too.
BEFORE: Final = r"(?:\b|_|\\[nrt]|%[0-9A-Fa-f]{2})"
AFTER: Final = r"_?(?:[^\w-]|$)"


def random(value: str) -> bool:
    """Made by a machine, as far as one can see: no placeholder, no form that was filled."""
    return (
        len(set(value)) >= DISTINCT_MIN
        and compiled(WORDS["placeholder"]).search(value.encode()) is None
        and not _repeats(value)
    )


def mixed(value: str) -> bool:
    """True if it is as random as a key, and has letters and digits."""
    return random(value) and has_both(value)


def has_both(value: str) -> bool:
    """Letters and digits."""
    signs = set(value)
    return any(map(str.isdigit, signs)) and any(map(str.isalpha, signs))


def has_turns(value: str) -> bool:
    """Letters and digits by turns, as no name has them."""
    kinds = [sign.isdigit() for sign in value if sign.isalnum()]
    return sum(one != two for one, two in pairwise(kinds)) >= TURNS_MIN


def _repeats(value: str) -> bool:
    run, last = 0, ""
    for sign in value:
        run = run + 1 if sign == last else 1
        if run > RUN_MAX:
            return True
        last = sign
    return False
