"""Row 21: a step's search in a repository of 20,000 files, and what it takes of the memory."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.code_search import CodeUnavailable
from core.domain.ids import ChannelId, TeamId
from core.repositories.declared import Repository
from core.repositories.lines import lines_of
from core.repositories.search import GitSearch
from core.runtime.brains.code_runner import SEARCH_S_MAX, found_in
from tests.bench.figures import Figure, Subject
from tests.bench.size import Size

LINES_PER_FILE: Final = 60
COMMITS: Final = 200
TERMS: Final = 40
QUANTILE: Final = 0.95

SEARCH: Final = Subject(21, "a step's search in 20,000 files (p95)", "s", "≤", 1.5, 1.0)
MEMORY: Final = Subject(21, "the same: memory of git while it searches", "MB", "≤", 100, 60)


def searched(folder: Path, size: Size, progress: Callable[[str], None]) -> list[Figure]:
    """Both figures; nothing where the size leaves out what takes long to make."""
    if size.searched_files == 0:
        progress(f"row {SEARCH.row} is left out: its repository takes long to make")
        return []
    progress(f"row {SEARCH.row}: {SEARCH.name}")
    remote = made(folder / "remote", size.searched_files)
    channels = frozenset(((TeamId("T1"), ChannelId("C1")),))
    search = GitSearch((Repository("shop", str(remote), channels),), folder / "mirrors")
    assert not search.mirrors[0].fetch().fault
    own = [sys.executable, "-m", "tests.bench.searching", str(remote), str(size.searches)]
    run = subprocess.run(own, check=True, capture_output=True, text=True)
    *times, peak_mb = map(float, run.stdout.split())
    seconds = times[min(int(len(times) * QUANTILE), len(times) - 1)]
    sound = times[-1] <= SEARCH_S_MAX
    return [SEARCH.measured(seconds, sound=sound), MEMORY.measured(peak_mb)]


def main(remote: str, searches: int) -> None:
    """In a process of its own, whose size is the search's: each search's seconds, git's memory."""
    channels = frozenset(((TeamId("T1"), ChannelId("C1")),))
    search = GitSearch((Repository("shop", remote, channels),), Path(remote).parent / "mirrors")
    times = sorted(_timed(search, number) for number in range(searches))
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(*times, peak_mb)


def made(folder: Path, files: int) -> Path:
    """A bare repository of so many files, some of them changed by each commit."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True)
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=folder, input="".join(_stream(files)).encode(),
        check=True,
    )  # fmt: skip
    subprocess.run(["git", "symbolic-ref", "HEAD", "refs/heads/main"], cwd=folder, check=True)
    return folder


def _stream(files: int) -> Iterator[str]:
    for commit in range(COMMITS):
        yield f"commit refs/heads/main\ncommitter c <c@x> {1_700_000_000 + commit * 3600} +0000\n"
        yield "data 1\nx\n"
        numbers = range(files) if commit == 0 else range(commit, files, files // 7)
        for number in numbers:
            text = _text(number, commit)
            yield f"M 644 inline {_path(number)}\ndata {len(text)}\n{text}\n"


def _path(number: int) -> str:
    return f"src/area_{number % 97}/part_{number % 11}/module_{number}.py"


def _text(number: int, commit: int) -> str:
    lines = [f"def handle_request_{number}(self, account):  # {commit}"]
    lines += [
        f"    value_{line} = self.load_{(number * line) % 5000}(account, limit={line})"
        for line in range(LINES_PER_FILE)
    ]
    return "\n".join(lines)


def _timed(search: GitSearch, number: int) -> float:
    """One step's search: forty terms, rare and common, for the lines that ask most of git.

    One that is given up counts with the time that it took.
    """
    rare = " ".join(f"handle_request_{number * 100 + term}()" for term in range(TERMS // 2))
    common = " ".join(f"load_{term * 7} value_{term}" for term in range(TERMS // 4))
    begun = time.perf_counter()
    with suppress(CodeUnavailable):
        view = search.view("shop", "", SEARCH_S_MAX)
        result = found_in(view, [f"module_{number}.py {rare}", common])
        assert list(lines_of("risk", result, "shop", view, {}))
    return time.perf_counter() - begun


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
