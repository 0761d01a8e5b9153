"""Finds credentials in text before anything is stored. It keeps, logs and changes nothing.

One set of short signs decides in a single pass whether there is anything to look at; only then the
patterns of those signs are tried, in time linear in the text, whatever the text is. A text is read
as people see it (`core.secrets.folding`), and what is Base64 in it is decoded once. Precise
patterns: what has no shape of its own and no word beside it is not found (SECURITY.md).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import re2

from core.data_tables import LazyTable
from core.secrets.encoded import decoded
from core.secrets.folding import fold
from core.secrets.patterns import BYTES, SecretPattern, Span


@cache
def _patterns() -> tuple[SecretPattern, ...]:
    """Every pattern; where two find the same, the earlier one names it.

    Their modules and tables are read when the first text is scanned: a command that meets nobody's
    text needs none of them.
    """
    from core.secrets.assigned import ASSIGNED
    from core.secrets.forms import CONNECTIONS, FORMS
    from core.secrets.phrases import PHRASES
    from core.secrets.private_keys import PRIVATE_KEY

    return (PRIVATE_KEY, *FORMS, *CONNECTIONS, *ASSIGNED, *PHRASES)


LABELS: Final[Mapping[str, str]] = LazyTable(
    lambda: {pattern.kind: pattern.label for pattern in _patterns()}
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
    folded = fold(text)
    # A lone surrogate becomes one question mark: the count of code points stays what it was.
    data = folded.text.encode("utf-8", "replace")
    spans = _apart(sorted((*_matches(data), *_hidden(data))))
    return tuple(
        Found(_patterns()[number].kind, *folded.span(start, end))
        for number, (start, end) in _placed(data, spans)
    )


def kinds_of(*texts: str) -> tuple[str, ...]:
    """The kinds of credential in these texts, in the words that people are told, each once."""
    kinds = (match.kind for text in texts if text for match in find(text))
    return tuple(dict.fromkeys(LABELS.get(kind, kind) for kind in kinds))


def has_secret(text: str) -> bool:
    """True if there is anything that `redact` would take out."""
    return bool(find(text))


def redact(text: str) -> str:
    """`text` with `[redacted: Slack bot token]` in place of each credential."""
    return redaction(text).text


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its credentials, and their kinds, each once."""

    text: str
    kinds: tuple[str, ...]


def redaction(text: str) -> Redaction:
    """Take the credentials out until none is left.

    What stood between two of them may have hidden a third.
    """
    kinds: dict[str, None] = {}
    while matches := find(text):
        kinds |= dict.fromkeys(match.kind for match in matches)
        text = _without(text, matches)
    return Redaction(text, tuple(kinds))


def _without(text: str, matches: tuple[Found, ...]) -> str:
    parts: list[str] = []
    at = 0
    for match in matches:
        parts += (text[at : match.start], replacement(match.kind))
        at = match.end
    return "".join((*parts, text[at:]))


def replacement(kind: str) -> str:
    """What stands in the place of a credential: its kind, without the article of its label."""
    return f"[redacted: {LABELS[kind].partition(' ')[2]}]"


@cache
def _compiled() -> tuple[re2.Set, tuple[tuple[int, ...], ...]]:
    """The set of signs, and for each of them the patterns that it makes worth trying.

    Made when the first text is scanned: it takes as long as a hundred scans.
    """
    numbers: dict[str, list[int]] = {}
    for number, pattern in enumerate(_patterns()):
        numbers.setdefault(pattern.sign, []).append(number)
    signs = re2.Set.SearchSet(BYTES)
    for sign in numbers:
        signs.Add(sign.encode())
    signs.Add(b"")  # always there, unless the set gave up
    signs.Compile()
    return signs, tuple(map(tuple, numbers.values()))


Match = tuple[int, int, int]
"""Start, end, number of the pattern."""


def _matches(data: bytes) -> Iterator[Match]:
    signs, worth_trying = _compiled()
    for sign in _signs_in(data, signs, len(worth_trying)):
        for number in worth_trying[sign]:
            for start, end in _patterns()[number].spans(data):
                yield start, end, number


def _hidden(data: bytes) -> Iterator[Match]:
    """Runs of Base64 that hold a credential: each as a whole, of the most precise kind."""
    for (start, end), text in decoded(data):
        if numbers := [number for _, _, number in _matches(text)]:
            yield start, end, min(numbers)


def _signs_in(data: bytes, signs: re2.Set, count: int) -> Sequence[int]:
    """The signs that are there. A set that gave up has seen nothing: all of them.

    The Set answers alike for "nothing there" and "out of memory"; its empty pattern tells the two
    apart.
    """
    matches = signs.Match(data)
    return range(count) if matches is None else sorted(matches)[:-1]


def _apart(matches: Sequence[Match]) -> Iterator[Match]:
    """Where two overlap, one that holds both, of the more precise kind."""
    if not matches:
        return
    start, end, number = matches[0]
    for next_start, next_end, next_number in matches[1:]:
        if next_start >= end:
            yield start, end, number
            start, end, number = next_start, next_end, next_number
        else:
            end, number = max(end, next_end), min(number, next_number)
    yield start, end, number


def _placed(data: bytes, matches: Iterable[Match]) -> Iterator[tuple[int, Span]]:
    """From bytes to code points, in one walk."""
    at = characters = 0
    for start, end, number in matches:
        first = characters + len(data[at:start].decode("utf-8", "ignore"))
        at, characters = end, first + len(data[start:end].decode("utf-8", "ignore"))
        yield number, (first, characters)
