"""What a search found, as measured lines; and the question that a difference brings.

Text of a repository is data: it is redacted, cleaned and cut here, and names nobody of Slack.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from core.characters import readable
from core.code_search import CodeChange, CodeLine, CodeUnavailable, CodeView
from core.domain.follow_ups import FollowUp
from core.domain.steps.code import MeasuredLine, MeasuredSort
from core.repositories.owners import PLACES, owners_of
from core.repositories.paths import is_test, share
from core.repositories.ranking import Hit, RankedFile
from core.secrets import has_secret, redact

SHOWN_MAX: Final = 5
LINE_CHARS_MAX: Final = 220
CODE_CHARS_MAX: Final = 120
PATH_CHARS_MAX: Final = 120
NAME_CHARS_MAX: Final = 40
COMMIT_CHARS: Final = 10
RECENT_S: Final = 180 * 86_400.0
SWEEPING_FILES_MIN: Final = 30  # a commit of so many files says nothing of what belongs together
TOGETHER_MIN: Final = 2  # commits
STEM_CHARS_MIN: Final = 5
TESTS_MAX: Final = 1_000  # that are looked through for a module's name
CODE_SHARE_MIN: Final = 0.5


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The files a search means, the likeliest first; every hit; every path there is."""

    files: tuple[RankedFile, ...] = ()
    hits: tuple[Hit, ...] = ()
    paths: tuple[str, ...] = ()

    @property
    def code(self) -> tuple[RankedFile, ...]:
        """Without tests, and without texts about code unless people named them."""
        return tuple(f for f in self.files if f.named or share(f.path) >= CODE_SHARE_MIN)


def plain(text: str, chars_max: int = LINE_CHARS_MAX) -> str:
    """Text of a repository as it may leave here: one line, without a credential, cut."""
    line = " ".join(readable(redact(text)).split())
    return line if len(line) <= chars_max else f"{line[: chars_max - 1]}…"


@dataclass(frozen=True, slots=True)
class _Places:
    """How a place in the repository is named and linked."""

    name: str
    view: CodeView

    def line(self, sort: MeasuredSort, text: str, path: str, line: int = 1) -> MeasuredLine:
        shown_path = plain(path, PATH_CHARS_MAX)
        at = f"{self.name}@{self.view.commit[:COMMIT_CHARS]}:{shown_path}#L{max(line, 1)}"
        url = self.view.url(path, line) if shown_path == path else ""
        return MeasuredLine(sort, plain(text), at, url)

    def is_safe(self, line: MeasuredLine) -> bool:
        """False for a line that reads like a credential only as it is put together."""
        return not has_secret(f"{line.text} [`{line.at}`]({line.url}) {line.at} {line.url}")


def lines_of(
    sort: MeasuredSort, result: SearchResult, name: str, view: CodeView, counted: Mapping[str, int]
) -> Iterator[MeasuredLine]:
    """The lines of one sort, at most `SHOWN_MAX` with places. `counted`: files, as people said."""
    places = _Places(name, view)
    if result.code:
        yield from filter(places.is_safe, _LINES[sort](result, places, counted))


def _count(
    result: SearchResult, places: _Places, counted: Mapping[str, int]
) -> Iterator[MeasuredLine]:
    number = len(result.code)
    counts = ", ".join(f"{plain(by, NAME_CHARS_MAX)} said {n}" for by, n in counted.items())
    noun = "file" if number == 1 else "files"
    names = ", ".join(PurePosixPath(plain(file.path, PATH_CHARS_MAX)).name for file in result.code)
    search = (
        f"the search finds {number}: {names}" if counts else f"The search finds {number} {noun}"
    )
    yield MeasuredLine("count", plain(f"{counts}; {search}" if counts else search))
    for file in result.code[:SHOWN_MAX]:
        yield places.line("count", _why(file), file.path, _first_line(file))


def _files(result: SearchResult, places: _Places, _: Mapping[str, int]) -> Iterator[MeasuredLine]:
    first_files = result.code[:SHOWN_MAX]
    changes = _changes(places.view, first_files)
    owners = _owners(places.view, first_files)
    for file in first_files:
        parts = [
            _why(file),
            *_together(file, changes),
            *_tests(file, result.hits),
            *owners[file.path],
        ]
        yield places.line("file", "; ".join(parts), file.path, _first_line(file))


def _callers(result: SearchResult, places: _Places, _: Mapping[str, int]) -> Iterator[MeasuredLine]:
    """Files that use what a candidate declares."""
    home = {hit.term: hit.path for file in result.code for hit in file.defines}
    caller_paths: set[str] = set()
    for file in result.code:
        hit = next((h for h in file.hits if home.get(h.term, h.path) != h.path), None)
        if hit is not None and not is_test(file.path) and len(caller_paths) < SHOWN_MAX:
            caller_paths.add(file.path)
            declared = plain(home[hit.term], PATH_CHARS_MAX)
            text = f"uses {plain(hit.term.text, NAME_CHARS_MAX)}, which {declared} declares"
            yield places.line("caller", text, file.path, hit.line)


def _risks(result: SearchResult, places: _Places, _: Mapping[str, int]) -> Iterator[MeasuredLine]:
    """The candidates that changed most, and those that no test names."""
    first_files = [file for file in result.code if not is_test(file.path)][:SHOWN_MAX]
    changes = _changes(places.view, first_files)
    tested = _tested(places.view, first_files, result.paths)
    for file in sorted(first_files, key=lambda file: -len(_recent(file, changes))):
        tests = [path for path in tested.get(file.path, ()) if path]
        test_note = (
            f"{PurePosixPath(plain(tests[0])).name} names it" if tests else "no test names it"
        )
        text = "; ".join(filter(None, (_churn(file, changes), test_note)))
        yield places.line("risk", text, file.path, _first_line(file))


def _signatures(
    result: SearchResult, places: _Places, _: Mapping[str, int]
) -> Iterator[MeasuredLine]:
    declared = [(file, hit) for file in result.code for hit in file.defines]
    for file, hit in declared[:SHOWN_MAX]:
        text = plain(hit.text.strip().rstrip("{: "), CODE_CHARS_MAX)
        yield places.line("signature", text, file.path, hit.line)


_LINES: Final[Mapping[MeasuredSort, Callable[..., Iterator[MeasuredLine]]]] = {
    "count": _count,
    "file": _files,
    "caller": _callers,
    "risk": _risks,
    "signature": _signatures,
}


# ── what is said of a file ─────────────────────────────────────────────────────────────────────


def _first_line(file: RankedFile) -> int:
    first = next(iter((*file.defines, *file.hits)), None)
    return first.line if first else 1


def _why(file: RankedFile) -> str:
    """Its rarest terms, and what it does with them."""
    declared = list(dict.fromkeys(hit.term.text for hit in file.defines))[:2]
    used = [t for t in dict.fromkeys(hit.term.text for hit in file.hits) if t not in declared][:2]
    parts = [f"declares {_names(declared)}"] if declared else []
    parts += [f"has {_names(used)}"] if used else []
    return ", ".join(parts) or "named by people"


def _names(texts: Sequence[str]) -> str:
    return " and ".join(plain(text.rstrip("("), NAME_CHARS_MAX) for text in texts)


def _changes(view: CodeView, files: Sequence[RankedFile]) -> tuple[CodeChange, ...]:
    """Nothing where there is no time left to ask."""
    with suppress(CodeUnavailable):
        return view.history([file.path for file in files])
    return ()


def _recent(file: RankedFile, changes: Sequence[CodeChange]) -> list[CodeChange]:
    """Its commits of the last half year before the newest of all."""
    since = max((change.at for change in changes), default=0.0) - RECENT_S
    return [change for change in changes if file.path in change.paths and change.at >= since]


def _churn(file: RankedFile, changes: Sequence[CodeChange]) -> str:
    recent = _recent(file, changes)
    if not recent:
        return ""
    times = "once" if len(recent) == 1 else f"{len(recent)} times"
    day = time.strftime("%Y-%m-%d", time.gmtime(recent[0].at))
    return f"changed {times} in half a year, last on {day} by {plain(recent[0].by, NAME_CHARS_MAX)}"


def _together(file: RankedFile, changes: Sequence[CodeChange]) -> Iterator[str]:
    """The file that changed most often in the same commits."""
    counts = Counter(
        path
        for change in changes
        if file.path in change.paths and len(change.paths) < SWEEPING_FILES_MIN
        for path in change.paths
        if path != file.path and share(path) >= CODE_SHARE_MIN
    )
    for path, count in counts.most_common(1):
        if count >= TOGETHER_MIN:
            yield f"changes together with {plain(path, PATH_CHARS_MAX)}"


def _tests(file: RankedFile, hits: Sequence[Hit]) -> Iterator[str]:
    """The first test that uses what the file declares."""
    terms = {hit.term for hit in (file.defines or file.hits[:1])}
    test = next((hit.path for hit in hits if hit.term in terms and is_test(hit.path)), None)
    if test is not None:
        yield f"{PurePosixPath(plain(test)).name} names it"


def _tested(
    view: CodeView, files: Sequence[RankedFile], paths: Sequence[str]
) -> Mapping[str, list[str]]:
    """By path, the tests that name its module."""
    stems = {file.path: PurePosixPath(file.path).stem for file in files}
    searched_stems = sorted({stem for stem in stems.values() if len(stem) >= STEM_CHARS_MIN})
    tests = [path for path in paths if is_test(path)][:TESTS_MAX]
    lines: Sequence[CodeLine] = ()
    with suppress(CodeUnavailable):
        lines = view.text(searched_stems, tests) if tests else ()
    return {
        path: [line.path for line in lines if stem in line.text] for path, stem in stems.items()
    }


def _owners(view: CodeView, files: Sequence[RankedFile]) -> Mapping[str, tuple[str, ...]]:
    """By path, who owns it as CODEOWNERS says: roles, never matched to people."""
    rules: Mapping[str, str] = {}
    with suppress(CodeUnavailable):
        rules = view.contents(PLACES)
    owned = {file.path: owners_of(file.path, rules)[:2] for file in files}
    return {
        path: (f"owned by {' and '.join(plain(o, NAME_CHARS_MAX) for o in owners)}",)
        if owners
        else ()
        for path, owners in owned.items()
    }


# ── a question ─────────────────────────────────────────────────────────────────────────────────


def question_of(
    result: SearchResult, sorts: Sequence[MeasuredSort], answers: Sequence[str], newest: str
) -> FollowUp | None:
    """About the first file that has what people named, where they named files and not this one."""
    asks = any(sort in ("count", "file") for sort in sorts)
    if not asks or not any(file.named for file in result.code):
        return None
    texts = "\n".join(answers).casefold()
    shared = {hit.term for file in result.code if file.named for hit in file.hits}
    for file in result.code:
        name = PurePosixPath(file.path).name
        hit = next((hit for hit in file.hits if hit.term in shared), None)
        if hit is None or file.named or is_test(file.path) or name.casefold() in texts:
            continue
        term = plain(hit.term.text.rstrip("("), NAME_CHARS_MAX)
        file_name = plain(name, NAME_CHARS_MAX)
        question = f"{file_name} has {term} as well; does it change too?"
        return FollowUp("code", question, after=newest)
    return None
