"""The search terms of a text: what only code is called. Pure; ordinary words give nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from core import patterns
from core.characters import readable
from core.repositories.words import listed

TERMS_MAX: Final = 40
TEXT_CHARS_MAX: Final = 40_000
TERM_CHARS_MIN: Final = 3
TERM_CHARS_MAX: Final = 80
PHRASE_WORDS_MAX: Final = 8

TermKind = Literal["file", "span", "identifier", "phrase"]
_KINDS: Final[tuple[TermKind, ...]] = ("file", "span", "identifier", "phrase")
"""Which goes first where there are too many."""

_SPAN: Final = patterns.compile(r"`{1,3}([^`\n]{2,120})`{1,3}")
_BLOCK: Final = patterns.compile(r"```([^`]{2,1000})```")
_QUOTED: Final = patterns.compile(
    r"“([^”\n]{4,80})”|„([^“”\n]{4,80})[“”]|«([^»\n]{4,80})»|(?:^|[\s(:,])\"([^\"\n]{4,80})\""
    r"|(?:^|[\s(:,])'([^'\n]{4,80})'(?:$|[\s).,;:?!])"
)
_ENDINGS: Final = frozenset(listed("endings"))
_PATH: Final = patterns.compile(r"[A-Za-z0-9_@.-][A-Za-z0-9_@./\\-]{2,200}")
_IDENTIFIER: Final = patterns.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*(\()?")
_PLURALS: Final = ("s)", "es)", "n)", "en)", "in)")  # "item(s)" is a word
_OPTION: Final = patterns.compile(r"--[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_HUMPS: Final = patterns.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2}")
_HUMPED_CHARS_MIN: Final = 5
_HUMPED_LOWER_MIN: Final = 3  # "B2B", "PhD", "APIs" and "GmbH" are words
_JOINED: Final = patterns.compile(r"[A-Za-z0-9]_+[A-Za-z0-9]")
_JOINTS: Final = patterns.compile(r"\.|::|->|#")
_WORD: Final = patterns.compile(r"\w+")
_PRODUCTS: Final = frozenset(listed("products"))
_LANGUAGE: Final = frozenset(listed("language"))


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A text to search for, as it stands in code."""

    text: str
    kind: TermKind


def terms_of(texts: Iterable[str]) -> tuple[SearchTerm, ...]:
    """At most `TERMS_MAX` terms, each once; those of earlier texts, and of surer kinds, first."""
    terms: dict[str, SearchTerm] = {}
    for text in texts:
        for term in sorted(
            _terms(readable(text[:TEXT_CHARS_MAX])), key=lambda term: _KINDS.index(term.kind)
        ):
            if TERM_CHARS_MIN <= len(term.text) <= TERM_CHARS_MAX:
                terms.setdefault(term.text, term)
    return tuple(terms.values())[:TERMS_MAX]


def _terms(text: str) -> Iterator[SearchTerm]:
    spans = [match[1] for match in (*_BLOCK.finditer(text), *_SPAN.finditer(text))]
    for span in spans:
        yield from _of_span(span)
    yield from _of_prose(text)
    for match in _QUOTED.finditer(text):
        phrase = next(group for group in map(match.__getitem__, range(1, 6)) if group)
        if 2 <= len(phrase.split()) <= PHRASE_WORDS_MAX:
            yield SearchTerm(phrase.strip(" .,;:!?…"), "phrase")


def _of_span(span: str) -> Iterator[SearchTerm]:
    """A span is code whatever it looks like: the whole of a short one, and its names."""
    lines = [line.strip() for line in span.splitlines() if line.strip()]
    if len(lines) == 1 and len(lines[0].split()) <= PHRASE_WORDS_MAX:
        plain = lines[0].removesuffix("()").lstrip("-$ ")
        yield SearchTerm(plain, "span" if _WORD.fullmatch(plain) or " " not in plain else "phrase")
        yield from _spellings(plain)
    yield from _of_prose(span)


def _of_prose(text: str) -> Iterator[SearchTerm]:
    files = [name for match in _PATH.finditer(text) if (name := _file_name(match[0]))]
    yield from (SearchTerm(name, "file") for name in files)
    for match in _OPTION.finditer(text):
        yield SearchTerm(match[0].lstrip("-"), "identifier")
        yield from _spellings(match[0].lstrip("-"))
    for match in _IDENTIFIER.finditer(text):
        name = match[0].removesuffix("(")
        if any(name in file for file in files):
            continue
        is_call = match[1] is not None and not text.startswith(_PLURALS, match.end())
        if name not in _LANGUAGE and (_is_code(name) or is_call):
            yield from _of_name(name)


def _file_name(token: str) -> str:
    """A file, with its folders; empty for what is none."""
    path = token.strip("/\\.-@").replace("\\", "/")
    stem, dot, ending = path.rpartition(".")
    is_file = dot and stem and ending.casefold() in _ENDINGS and stem.rpartition("/")[2]
    return path if is_file else ""


def _of_name(name: str) -> Iterator[SearchTerm]:
    """A dotted name as a whole, and its last part, which is what its own file calls it."""
    parts = _JOINTS.split(name)
    if len(parts) == 1:
        yield SearchTerm(name, "identifier")
        return
    yield SearchTerm(name, "identifier")
    yield from (SearchTerm(part, "identifier") for part in parts if _is_code(part))
    if not _is_code(parts[-1]):
        yield SearchTerm(f"{parts[-1]}(", "identifier")


def _spellings(name: str) -> Iterator[SearchTerm]:
    """`ignore-paths` is `ignore_paths` where it is read."""
    if "-" in name and _WORD.fullmatch(name.replace("-", "")):
        yield SearchTerm(name.replace("-", "_"), "identifier")


def _is_code(name: str) -> bool:
    """True for snake_case, camelCase and the like; false for words and names of products."""
    if name.casefold() in _PRODUCTS:
        return False
    if _JOINED.search(name) or (name.startswith("__") and name.endswith("__")):
        return True
    small = sum(sign.islower() for sign in name)
    return (
        len(name) >= _HUMPED_CHARS_MIN and small >= _HUMPED_LOWER_MIN and bool(_HUMPS.search(name))
    )
