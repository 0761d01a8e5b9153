"""Regular expressions for text of people, files and models: RE2, in time linear in the text.

Python's notation and results, with the classes of Unicode as in `re`, but no backreference, and
look-around only beside a match (`core.patterns.dialect`). A pattern is compiled when it is first
used; its automaton keeps at most `PATTERN_BYTES_MAX`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, Final

import re2

from core.patterns.alphabet import BEFORE_TEXT, encoded
from core.patterns.dialect import Translated, translate

PATTERN_BYTES_MAX: Final = 1 << 20
BESIDE_CHARS_MAX: Final = 80  # of what a refusal may look at

IGNORECASE: Final = 1
DOTALL: Final = 2
MULTILINE: Final = 4

Span = tuple[int, int]
"""Code points of the text, from and up to; (-1, -1) for a group that matched nothing."""


def options_of_bytes() -> re2.Options:
    """How RE2 is to read what it is given: one byte a character."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False  # it would write past our own logging
    return options


_OPTIONS: Final = options_of_bytes()
_OPTIONS.max_mem = PATTERN_BYTES_MAX


class Match:
    """Where a pattern matched. Groups go by number or name; one that matched nothing is None."""

    __slots__ = ("_names", "_spans", "string")

    def __init__(self, string: str, spans: list[Span], names: dict[str, int]) -> None:
        self.string = string
        self._spans, self._names = spans, names

    def span(self, group: int | str = 0) -> Span:
        return self._spans[group if isinstance(group, int) else self._names[group]]

    def start(self, group: int | str = 0) -> int:
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        return self.span(group)[1]

    def __getitem__(self, group: int | str) -> str | Any:
        start, end = self.span(group)
        return None if start < 0 else self.string[start:end]

    @property
    def before(self) -> str:
        """Up to `BESIDE_CHARS_MAX` characters that stand before the match."""
        return self.string[max(self.start() - BESIDE_CHARS_MAX, 0) : self.start()]

    @property
    def after(self) -> str:
        """Up to `BESIDE_CHARS_MAX` characters that stand behind the match."""
        return self.string[self.end() : self.end() + BESIDE_CHARS_MAX]

    def group(self, group: int | str = 0) -> str | Any:
        """One group, the whole by default."""
        return self[group]

    def groups(self) -> tuple[str | Any, ...]:
        return tuple(self[number] for number in range(1, len(self._spans)))

    def groupdict(self) -> dict[str, str | Any]:
        return {name: self[number] for name, number in self._names.items()}

    @property
    def lastgroup(self) -> str | None:
        """The name of the group that matched; of several, the last one of the pattern."""
        group_names = [name for name, number in self._names.items() if self._spans[number][0] >= 0]
        return group_names[-1] if group_names else None


Refusal = Callable[[Match], object]
"""Tells of a match that it is none."""


class Pattern:
    """A regular expression. Each search takes time linear in the text; searches one after the
    other (`finditer`, `split`, `sub`) do where a match is settled near its end."""

    def __init__(self, pattern: str, flags: int = 0, unless: Refusal | None = None) -> None:
        self.pattern, self.flags, self._unless = pattern, flags, unless
        self._folded = bool(flags & IGNORECASE)

    @cached_property
    def _compiled(self) -> tuple[Any, Translated]:
        translated = translate(self.pattern, folded=self._folded)
        flags = ("s" if self.flags & DOTALL else "") + ("m" if self.flags & MULTILINE else "")
        expression = f"(?{flags}){translated.pattern}" if flags else translated.pattern
        return re2.compile(expression.encode("ascii"), _OPTIONS), translated

    def search(self, text: str, pos: int = 0) -> Match | None:
        """The first match at `pos` or behind it."""
        return self._search(text, self._data(text), pos)

    def match(self, text: str, pos: int = 0) -> Match | None:
        """The match at `pos`."""
        return self._accepted(self._find("match", text, self._data(text), pos))

    def fullmatch(self, text: str) -> Match | None:
        """The match of the whole text. Not for a pattern with look-ahead."""
        assert not self._compiled[1].ends, self.pattern
        return self._accepted(self._find("fullmatch", text, self._data(text), 0))

    def finditer(self, text: str) -> Iterator[Match]:
        """The matches that do not overlap, in order."""
        data = self._data(text)
        pos, emptied = 0, -1
        while pos <= len(text) and (match := self._search(text, data, pos)):
            start, end = match.span()
            if start == end == emptied:  # an empty match just behind another one
                pos, emptied = pos + 1, -1
                continue
            yield match
            pos, emptied = (end, end) if start == end else (end, -1)

    def findall(self, text: str) -> list[Any]:
        """Of each match the whole, its one group, or the tuple of its groups; "" for none."""
        return [_parts(match) for match in self.finditer(text)]

    def split(self, text: str, maxsplit: int = 0) -> list[Any]:
        """What stands between the matches, with their groups."""
        parts: list[Any] = []
        at = 0
        for match in islice(self.finditer(text), maxsplit or None):
            parts += [text[at : match.start()], *match.groups()]
            at = match.end()
        return [*parts, text[at:]]

    def sub(self, replacement: str | Callable[[Match], str], text: str, count: int = 0) -> str:
        """`text` with each match replaced. A string stands for itself: there is no template."""
        parts: list[str] = []
        at = 0
        for match in islice(self.finditer(text), count or None):
            new = replacement if isinstance(replacement, str) else replacement(match)
            parts += (text[at : match.start()], new)
            at = match.end()
        return "".join((*parts, text[at:]))

    def _search(self, text: str, data: bytes, pos: int) -> Match | None:
        """The first match that is not refused; behind one the search goes on with the next
        character."""
        while match := self._find("search", text, data, pos):
            if self._accepted(match):
                return match
            pos = match.start() + 1
        return None

    def _accepted(self, match: Match | None) -> Match | None:
        return None if match and self._unless and self._unless(match) else match

    def _data(self, text: str) -> bytes:
        """A pattern that looks behind has something to look at before the first character."""
        data = encoded(text, folded=self._folded)
        return BEFORE_TEXT + data if self._compiled[1].starts else data

    def _find(self, how: str, text: str, data: bytes, pos: int) -> Match | None:
        compiled, translated = self._compiled
        match = getattr(compiled, how)(data, pos)
        if match is None:
            return None
        spans = [match.span(number) for number in translated.groups]
        if translated.ends or translated.starts:
            end = _marked(match, translated.ends, spans[0][1])
            spans[0] = (_marked(match, translated.starts, spans[0][0]), end)
            if translated.starts:
                spans = [_shifted(span) for span in spans]
        return Match(text, spans, translated.names)


def compile(  # noqa: A001 (the name it has in `re`)
    pattern: str, flags: int = 0, *, unless: Refusal | None = None
) -> Pattern:
    """A pattern in Python's notation. What RE2 cannot say is a `ValueError` at its first use.

    `unless`: what look-around would say of more than one character, asked of each match.
    """
    return Pattern(pattern, flags, unless)


def fullmatch_of(forms: Iterable[Pattern], text: str) -> Match | None:
    """The match of the first of several patterns that is all of a text."""
    return next(filter(None, (form.fullmatch(text) for form in forms)), None)


def escape(text: str) -> str:
    """A pattern of `text` itself. For text of ours: people's words are found by `find_word`."""
    return "".join(sign if sign.isalnum() else f"\\{sign}" for sign in text)


def other_word(*words: str) -> str:
    """A pattern of a word that is none of `words`, which are in small letters."""
    return rf"(?:{_other_ends(words)})"


def _other_ends(ends: tuple[str, ...]) -> str:
    """How a word goes on so that its end is none of `ends`."""
    by_sign: dict[str, list[str]] = {}
    for end in filter(None, ends):
        by_sign.setdefault(end[0], []).append(end[1:])
    ways = []
    for sign, parts in by_sign.items():
        over = "" if "" in parts else r"|\b"
        ways.append(f"{sign}(?:{_other_ends(tuple(parts))}{over})")
    return "|".join((*ways, rf"[^\W{''.join(by_sign)}]\w*"))


def find_word(word: str, text: str, *, beside: str = "") -> int:
    """Where `word` stands in `text` with no letter, digit, underscore or sign of `beside` next to
    it; -1: nowhere."""
    at = text.find(word)
    while at >= 0:
        neighbours = text[max(at - 1, 0) : at] + text[at + len(word) : at + len(word) + 1]
        if not any(sign.isalnum() or sign == "_" or sign in beside for sign in neighbours):
            return at
        at = text.find(word, at + 1)
    return -1


def _marked(match: Any, markers: list[int], otherwise: int) -> int:
    return next((at for number in markers if (at := match.start(number)) >= 0), otherwise)


def _shifted(span: Span) -> Span:
    """Without the byte that stands before the text."""
    return (span[0] - 1, span[1] - 1) if span[0] >= 0 else span


def _parts(match: Match) -> Any:
    groups = tuple(group or "" for group in match.groups())
    if not groups:
        return match[0]
    return groups[0] if len(groups) == 1 else groups
