"""Searches mirrors with `git grep` and `git log`, at one commit and within a deadline."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from core import patterns
from core.code_search import CodeChange, CodeLine, CodeUnavailable
from core.domain.ids import ChannelId, TeamId
from core.repositories.declared import Repository
from core.repositories.git import TOO_LONG, GitError
from core.repositories.mirror import Mirror
from core.repositories.paths import is_searched, is_written_by_hand

SAMPLE_FILES: Final = 500
SAMPLE_HITS_MAX: Final = 5  # a term in more of them is in one file of a hundred
LINES_PER_FILE_MAX: Final = 40
LINES_MAX: Final = 20_000
LINE_CHARS_MAX: Final = 400
LINES_BYTES_MAX: Final = 8_000_000
FILES_MAX: Final = 200_000
LISTING_BYTES_MAX: Final = 40_000_000
CONTENT_CHARS_MAX: Final = 60_000
CONTENTS_BYTES_MAX: Final = 8_000_000
COMMITS_MAX: Final = 200
HISTORY_BYTES_MAX: Final = 2_000_000
HISTORY_S_MAX: Final = 2.0  # of a search: what changed is said where there is time to ask
_FILE_MODES: Final = frozenset((b"100644", b"100755"))
_COMMIT: Final = patterns.compile(r"[0-9a-f]{40,64}")
_MARK: Final = "\x02"


@dataclass(slots=True)
class GitView:
    """A mirror at one commit."""

    mirror: Mirror
    commit: str
    deadline: float  # of the monotonic clock
    _blobs: dict[str, str] = field(default_factory=dict)
    _paths: tuple[str, ...] = ()

    def text(self, texts: Sequence[str], within: Sequence[str] = ()) -> tuple[CodeLine, ...]:
        """The lines that hold one of these. Raises `CodeUnavailable`."""
        rare = texts if within else self._rare(texts)
        wanted = [part for text in rare for part in ("-e", text)]
        if not wanted:
            return ()
        command = ("grep", "-I", "-F", "-n", "-z", "--full-name", "--no-textconv", "--no-color")
        most = f"--max-count={LINES_PER_FILE_MAX}"
        try:
            output = self._run(
                *command, most, *wanted, self.commit, "--", *within, limit=LINES_BYTES_MAX
            )
        except GitError as error:
            if error.output == "1":  # nothing was found
                return ()
            raise self._unavailable(error) from error
        lines = (line for line in _lines(output, self.commit) if is_searched(line.path))
        return tuple(line for line, _ in zip(lines, range(LINES_MAX), strict=False))

    def _rare(self, texts: Sequence[str]) -> Sequence[str]:
        """Those that few files of a sample hold: git takes long over what stands in most lines."""
        paths = self.paths()
        if len(paths) <= SAMPLE_FILES:
            return texts
        sample = self.contents(paths[:: len(paths) // SAMPLE_FILES][:SAMPLE_FILES]).values()
        counts = {text: sum(text in content for content in sample) for text in texts}
        return [text for text in texts if counts[text] < SAMPLE_HITS_MAX]

    def paths(self) -> tuple[str, ...]:
        if not self._paths:
            self._paths = tuple(path for path in self._listing() if is_searched(path))
        return self._paths

    def contents(self, paths: Sequence[str]) -> Mapping[str, str]:
        listing = self._listing()
        wanted = [path for path in paths if path in listing]
        if not wanted:
            return {}
        fed = "".join(f"{listing[path]}\n" for path in wanted).encode("ascii")
        output = self._git_output("cat-file", "--batch", fed=fed, limit=CONTENTS_BYTES_MAX)
        texts = dict(zip(wanted, _blobs(output), strict=False))
        return {path: text for path, text in texts.items() if is_written_by_hand(text)}

    def history(self, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        if not paths:
            return ()
        output = self._git_output(
            "log", "-z", "--no-merges", "--no-mailmap", "--no-ext-diff", "--no-textconv",
            "--no-renames", "--full-diff", "--name-only", f"--max-count={COMMITS_MAX}",
            f"--format={_MARK}%at%x01%an", self.commit, "--", *paths,
            limit=HISTORY_BYTES_MAX, seconds=HISTORY_S_MAX,
        )  # fmt: skip
        return tuple(_changes(output.decode("utf-8", "replace")))

    def url(self, path: str, line: int) -> str:
        web = self.mirror.repository.web.replace("{commit}", self.commit)
        return web.replace("{line}", str(max(line, 1))).replace("{path}", quote(path))

    def _listing(self) -> Mapping[str, str]:
        """Each regular file with the name of its contents; no link, no submodule."""
        if not self._blobs:
            output = self._git_output("ls-tree", "-r", "-z", self.commit, limit=LISTING_BYTES_MAX)
            for row, _ in zip(output.split(b"\0"), range(FILES_MAX), strict=False):
                head, _, path = row.partition(b"\t")
                mode, _, type_and_name = head.partition(b" ")
                if mode in _FILE_MODES:
                    name = path.decode("utf-8", "surrogateescape")
                    self._blobs[name] = type_and_name.rpartition(b" ")[2].decode("ascii")
        return self._blobs

    def _git_output(
        self, *arguments: str, fed: bytes = b"", limit: int, seconds: float = 60.0
    ) -> bytes:
        try:
            return self._run(*arguments, fed=fed, limit=limit, seconds=seconds)
        except GitError as error:
            raise self._unavailable(error) from error

    def _run(self, *arguments: str, fed: bytes = b"", limit: int, seconds: float = 60.0) -> bytes:
        left_s = self.deadline - time.monotonic()
        if left_s <= 0:
            raise CodeUnavailable("the time is over")
        return self.mirror.git.run(
            *arguments, seconds=min(left_s, seconds), fed=fed, bytes_max=limit
        )

    def _unavailable(self, error: GitError) -> CodeUnavailable:
        if error.output == TOO_LONG:
            return CodeUnavailable("it took too long")
        self.mirror.suspect()
        return CodeUnavailable("its mirror is damaged")


@dataclass(frozen=True, slots=True)
class GitSearch:
    """The declared repositories, with their mirrors below `root`."""

    repositories: Sequence[Repository]
    root: Path

    def names(self, team: TeamId, channel: ChannelId) -> tuple[str, ...]:
        where = (team, channel)
        return tuple(
            repository.name for repository in self.repositories if where in repository.channels
        )

    @property
    def mirrors(self) -> tuple[Mirror, ...]:
        return tuple(Mirror(repository, self.root) for repository in self.repositories)

    def view(self, name: str, commit: str, seconds: float) -> GitView:
        """A repository at a commit. Raises `CodeUnavailable`."""
        mirror = next((mirror for mirror in self.mirrors if mirror.repository.name == name), None)
        if mirror is None:
            raise CodeUnavailable("it is not declared any more")
        deadline = time.monotonic() + seconds
        if commit and _COMMIT.fullmatch(commit) and _has(mirror, commit):
            return GitView(mirror, commit, deadline)
        try:
            return GitView(mirror, mirror.head(), deadline)
        except GitError as error:
            raise CodeUnavailable("it was never fetched, or its mirror is damaged") from error


def _has(mirror: Mirror, commit: str) -> bool:
    """False for a commit of a mirror that was thrown away, where history was rewritten since."""
    try:
        mirror.git.run("cat-file", "-e", f"{commit}^{{tree}}", seconds=2.0)
    except GitError:
        return False
    return True


def _lines(output: bytes, commit: str) -> Iterator[CodeLine]:
    """What `grep -n -z` writes; a name may hold line ends, a text none. A cut row is left out."""
    prefix = f"{commit}:"
    place = 0
    while (name_end := output.find(b"\0", place)) >= 0:
        number_end = output.find(b"\0", name_end + 1)
        end = output.find(b"\n", number_end + 1)
        if number_end < 0 or end < 0:
            return
        path = output[place:name_end].decode("utf-8", "surrogateescape").removeprefix(prefix)
        number = output[name_end + 1 : number_end]
        text = output[number_end + 1 : end][: LINE_CHARS_MAX * 4].decode("utf-8", "replace")
        yield CodeLine(path, int(number) if number.isdigit() else 0, text[:LINE_CHARS_MAX])
        place = end + 1


def _blobs(output: bytes) -> Iterator[str]:
    place = 0
    while (end := output.find(b"\n", place)) >= 0:
        size = output[place:end].rpartition(b" ")[2]
        if not size.isdigit():  # missing: it has no content
            yield ""
            place = end + 1
            continue
        content = output[end + 1 : end + 1 + min(int(size), CONTENT_CHARS_MAX)]
        yield content.decode("utf-8", "replace")
        place = end + 1 + int(size) + 1


def _changes(output: str) -> Iterator[CodeChange]:
    for record in output.split(_MARK)[1:]:
        head, _, names = record.partition("\0")
        at, _, by = head.partition("\x01")
        paths = tuple(name.lstrip("\n") for name in names.split("\0") if name.strip("\n"))
        if at.isdigit():
            yield CodeChange(float(at), by, paths)
