"""Finds credentials in text before anything is stored. It keeps, logs and changes nothing.

One set of short signs decides in a single pass whether there is anything to look at; only then the
patterns of those signs are tried, in time linear in the text, whatever the text is. Few and precise
patterns: what has no shape of its own and no name before it is not found (SECURITY.md).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import re2

from core.secrets.assigned import ASSIGNED
from core.secrets.patterns import BYTES, Span
from core.secrets.tokens import TOKENS

_PATTERNS: Final = (*TOKENS, *ASSIGNED)

LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {pattern.kind: pattern.label for pattern in _PATTERNS}
)
"""Words for people, by kind: "a Slack bot token"."""


@dataclass(frozen=True, slots=True)
class Found:
    """A credential in a text. `start` and `end` count code points, like the text's own indexes."""

    kind: str
    start: int
    end: int


def find(text: str) -> tuple[Found, ...]:
    """Every credential in `text`, in order; none overlaps another."""
    # A lone surrogate becomes one question mark: the count of code points stays what it was.
    data = text.encode("utf-8", "replace")
    signs = _signs(data)
    return tuple(_placed(data, _apart(data, signs))) if signs else ()


def has_secret(text: str) -> bool:
    """Whether there is anything that `redact` would take out."""
    return bool(find(text))


def redact(text: str) -> str:
    """`text` with `[redacted: Slack bot token]` in place of each credential.

    Until none is left: what stood between two of them may have hidden a third.
    """
    while found := find(text):
        text = _without(text, found)
    return text


def _without(text: str, found: tuple[Found, ...]) -> str:
    parts: list[str] = []
    at = 0
    for each in found:
        parts += (text[at : each.start], replacement(each.kind))
        at = each.end
    return "".join((*parts, text[at:]))


def replacement(kind: str) -> str:
    """What stands in the place of a credential: its kind, without the article of its label."""
    return f"[redacted: {LABELS[kind].partition(' ')[2]}]"


def _compiled() -> re2.Set:
    signs = re2.Set.SearchSet(BYTES)
    for pattern in _PATTERNS:
        signs.Add(pattern.sign.encode())
    signs.Add(b"")  # always there, unless the set gave up
    signs.Compile()
    return signs


_SIGNS: Final = _compiled()
_ALL: Final = tuple(range(len(_PATTERNS)))


def _signs(data: bytes) -> tuple[int, ...]:
    """The numbers of the patterns worth trying. A set that gave up has seen nothing: all of them.

    The Set answers alike for "nothing there" and "out of memory"; its empty pattern tells the two
    apart.
    """
    seen = _SIGNS.Match(data)
    return _ALL if seen is None else tuple(sorted(seen)[:-1])


def _apart(data: bytes, signs: tuple[int, ...]) -> Iterator[tuple[str, Span]]:
    """What the patterns find; where two overlap, one that holds both, of the more precise kind."""
    found = sorted((*span, number) for number in signs for span in _PATTERNS[number].spans(data))
    if not found:
        return
    start, end, kind = found[0]
    for next_start, next_end, next_kind in found[1:]:
        if next_start >= end:
            yield _PATTERNS[kind].kind, (start, end)
            start, end, kind = next_start, next_end, next_kind
        else:
            end, kind = max(end, next_end), min(kind, next_kind)
    yield _PATTERNS[kind].kind, (start, end)


def _placed(data: bytes, spans: Iterator[tuple[str, Span]]) -> Iterator[Found]:
    """From bytes to code points, in one walk."""
    at = characters = 0
    for kind, (start, end) in spans:
        first = characters + len(data[at:start].decode("utf-8", "ignore"))
        at, characters = end, first + len(data[start:end].decode("utf-8", "ignore"))
        yield Found(kind, first, characters)
