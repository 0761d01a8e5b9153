"""Which files a search means: those with the rarest of its terms. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.code_search import CodeLine
from core.repositories.paths import is_test, share
from core.repositories.terms import SearchTerm

FILES_MAX: Final = 12
COMMON_FILES_MIN: Final = 8  # a term in more files than the share, within these bounds, is common
COMMON_FILES_MAX: Final = 40
COMMON_SHARE: Final = 0.02
WORTH_SHARE: Final = 0.15  # of the first file's score
DEFINED_TIMES: Final = 1.8
_NAMED: Final = 1.5  # of the rarest there is: a file that people called by its name
_DEFINES: Final = patterns.compile(
    r"(?:^|[\s(;])(?:def|class|func|fn|function|interface|type|struct|enum|trait|const|let|var|module|object"
    r"|record|rpc|message|procedure)\s+(?:\([^)]{0,80}\)\s*)?([\w$]+)"
    r"|^\s*(?:(?:public|private|protected|static|async|final|override|export|default|abstract)\s)+"
    r"[\w<>\[\],.?\s]{0,80}[\s*&]([\w$]+)\s*\("
    r"|^([\w$]+)\s*(?::[^=]{1,60})?=[^=]"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A line of a file that holds a term."""

    path: str
    line: int
    text: str
    term: SearchTerm


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file with its hits, the rarest term's first."""

    path: str
    score: float
    hits: tuple[Hit, ...]
    named: bool = False  # people called it by its name

    @property
    def defines(self) -> tuple[Hit, ...]:
        """The lines that declare what people named."""
        return tuple(hit for hit in self.hits if is_definition(hit))


def hits_of(lines: Iterable[CodeLine], terms: Sequence[SearchTerm]) -> tuple[Hit, ...]:
    """Each line with each term it holds."""
    return tuple(
        Hit(line.path, line.line, line.text, term)
        for line in lines
        for term in terms
        if _holds(line.text, term)
    )


def _holds(text: str, term: SearchTerm) -> bool:
    """True if the term stands there; a name only as a whole one."""
    start = text.find(term.text)
    while start >= 0:
        end = start + len(term.text)
        beside = text[start - 1 : start] + ("" if term.text.endswith("(") else text[end : end + 1])
        if term.kind in ("phrase", "file") or not any(c == "_" or c.isalnum() for c in beside):
            return True
        start = text.find(term.text, start + 1)
    return False


def is_definition(hit: Hit) -> bool:
    """True for a line that declares the term."""
    match = _DEFINES.search(hit.text)
    if match is None:
        return False
    name = next((group for group in (match[1], match[2], match[3]) if group), "")
    return name == hit.term.text.rstrip("(").rpartition(".")[2]


def named_files(terms: Iterable[SearchTerm], paths: Iterable[str]) -> dict[str, SearchTerm]:
    """The files that a term names: by the end of their path, or as a module is called."""
    wanted = [(term, term.text.replace("\\", "/").casefold()) for term in terms]
    files = [(term, text) for term, text in wanted if term.kind == "file"]
    stems = {_stem(text): term for term, text in wanted if term.kind in ("identifier", "span")}
    terms_by_path: dict[str, SearchTerm] = {}
    for path in paths:
        folded = f"/{path.casefold()}"
        term = next((term for term, text in files if folded.endswith(f"/{text}")), None)
        if term is None and stems and not is_test(path):
            term = stems.get(_stem(folded.rpartition("/")[2].partition(".")[0]))
        if term is not None:
            terms_by_path[path] = term
    return terms_by_path


def _stem(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").rstrip("(s")


def ranked(
    hits: Sequence[Hit], terms_by_path: Mapping[str, SearchTerm], file_count: int
) -> tuple[RankedFile, ...]:
    """The files worth naming, the likeliest first. Nothing where only common terms hit."""
    files_of: dict[SearchTerm, set[str]] = {}
    by_path: dict[str, list[Hit]] = {path: [] for path in terms_by_path}
    for hit in hits:
        files_of.setdefault(hit.term, set()).add(hit.path)
        by_path.setdefault(hit.path, []).append(hit)
    common = max(COMMON_FILES_MIN, min(COMMON_FILES_MAX, int(file_count * COMMON_SHARE)))
    weights = {
        term: math.log(1 + file_count / len(paths))
        for term, paths in files_of.items()
        if len(paths) <= common
    }
    few_named = {path for path in terms_by_path if _is_rare_name(terms_by_path, path)}
    scored = [
        _rank_file(path, own, weights, math.log(1 + file_count) * _NAMED * (path in few_named))
        for path, own in by_path.items()
    ]
    scored = sorted((file for file in scored if file.score > 0), key=lambda f: (-f.score, f.path))
    least = scored[0].score * WORTH_SHARE if scored else 0.0
    return tuple(file for file in scored if file.score >= least)[:FILES_MAX]


def _is_rare_name(terms_by_path: Mapping[str, SearchTerm], path: str) -> bool:
    """`__init__.py` names every package."""
    return sum(term == terms_by_path[path] for term in terms_by_path.values()) <= 3


def _rank_file(
    path: str, hits: Sequence[Hit], weights: Mapping[SearchTerm, float], for_name: float
) -> RankedFile:
    best: dict[SearchTerm, float] = {}
    for hit in hits:
        weight = weights.get(hit.term, 0.0) * (DEFINED_TIMES if is_definition(hit) else 1.0)
        best[hit.term] = max(best.get(hit.term, 0.0), weight)
    rare = sorted((h for h in hits if h.term in weights), key=lambda h: (-best[h.term], h.line))
    score = (sum(best.values()) + for_name) * share(path)
    return RankedFile(path, score, tuple(rare), named=for_name > 0)
