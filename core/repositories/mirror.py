"""A bare mirror of one repository: made, fetched, and thrown away where it is damaged."""

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal

from core.repositories.declared import Repository
from core.repositories.git import TOO_LONG, Git, GitError

HEAD: Final = "refs/roundtable/head"
FETCH_S_MAX: Final = 600.0
MIRROR_BYTES_MAX: Final = 1_000_000_000
LOCAL_S: Final = 10.0  # of what asks nobody
PACK_S_MAX: Final = 120.0
PRIVATE: Final = 0o700
FOLDER_ENDING: Final = ".git"

MirrorFault = Literal[
    "", "never-fetched", "gone", "refused", "untrusted", "slow", "branch", "empty", "large", "disk",
    "damaged", "failed",
]  # fmt: skip
_SIGNS: Final[tuple[tuple[str, MirrorFault], ...]] = (
    (TOO_LONG, "slow"),
    ("no space left", "disk"),
    ("disk quota", "disk"),
    ("couldn't find remote ref head", "empty"),
    ("couldn't find remote ref", "branch"),
    ("authentication failed", "refused"),
    ("could not read username", "refused"),
    ("could not read password", "refused"),
    ("permission denied", "refused"),
    ("access denied", "refused"),
    ("returned error: 403", "refused"),
    ("returned error: 401", "refused"),
    ("host key verification failed", "refused"),
    ("transport", "refused"),
    ("certificate verification failed", "untrusted"),
    ("certificate problem", "untrusted"),
    ("certificate subject name", "untrusted"),
    ("operation too slow", "slow"),
    ("timed out", "slow"),
    ("not found", "gone"),
    ("does not exist", "gone"),
    ("does not appear to be a git repository", "gone"),
    ("could not resolve host", "gone"),
    ("connection refused", "gone"),
    ("unable to access", "gone"),
)


@dataclass(frozen=True, slots=True)
class MirrorState:
    """How a mirror stands. `fault`: of the last fetch; empty: it went well."""

    fetched_at: float = 0.0
    fault: MirrorFault = "never-fetched"


@dataclass(frozen=True, slots=True)
class Mirror:
    """The mirror of a repository below `root`. Another address is another mirror."""

    repository: Repository
    root: Path
    bytes_max: int = MIRROR_BYTES_MAX
    fetch_s_max: float = FETCH_S_MAX
    now: Callable[[], float] = field(default=time.time)

    @property
    def name(self) -> str:
        where = f"{self.repository.url} {self.repository.branch}"
        return f"{self.repository.name}-{hashlib.sha256(where.encode()).hexdigest()[:10]}"

    @property
    def folder(self) -> Path:
        return self.root / f"{self.name}{FOLDER_ENDING}"

    @property
    def git(self) -> Git:
        """Git on the mirror, with no transport at all."""
        return Git(self.folder)

    @property
    def state(self) -> MirrorState:
        """As the last fetch left it."""
        try:
            doc = json.loads(self._state_file.read_text("utf-8"))
            return MirrorState(float(doc["fetched_at"]), doc["fault"])
        except (OSError, ValueError, KeyError, TypeError):
            return MirrorState()

    @property
    def _state_file(self) -> Path:
        return self.root / f"{self.name}.json"

    def head(self) -> str:
        """The commit at which the branch stood at the last fetch. Raises `GitError`."""
        commit = self.git.run("rev-parse", "--verify", f"{HEAD}^{{commit}}", seconds=LOCAL_S)
        return commit.decode("ascii", "replace").strip()

    def fetch(self, goes_on: Callable[[], bool] = lambda: True) -> MirrorState:
        """Bring it up to date, making it first if need be. Never raises for what git says.

        One that is not to go on changes nothing.
        """
        before = self.state
        fault = self._fetch(goes_on)
        if fault == "damaged":  # thrown away: it is made again at once
            fault = self._fetch(goes_on)
        if not goes_on():
            return before
        at = before.fetched_at if fault else self.now()
        state = MirrorState(at, fault)
        self._save(state)
        return state

    def suspect(self) -> None:
        """A search failed over it: the next fetch makes it anew."""
        self._save(MirrorState(self.state.fetched_at, "damaged"))

    def _save(self, state: MirrorState) -> None:
        with suppress(OSError):
            self._state_file.write_text(json.dumps(asdict(state)), "utf-8")

    def _fetch(self, goes_on: Callable[[], bool]) -> MirrorFault:
        try:
            if self.state.fault == "damaged":
                self.throw_away()
            self._make()
            self._sweep()
            had = self._has_head()
            source = f"refs/heads/{self.repository.branch}" if self.repository.branch else "HEAD"
            Git(self.folder, self.repository.protocol).run(
                "fetch", "--quiet", "--no-tags", "--force", "--no-recurse-submodules",
                "--no-write-fetch-head", "--no-auto-maintenance", "--", self.repository.url,
                f"+{source}:{HEAD}",
                seconds=self.fetch_s_max,
                goes_on=lambda: goes_on() and self._fits(),
            )  # fmt: skip
            if not self._fits():
                raise GitError("too large")
            self._pack()
        except GitError as error:
            return self.fault_of(error, had=self._has_head())
        except OSError as error:
            return "disk" if error.errno in (28, 122) else "failed"
        finally:
            self._sweep()
        return "" if had or self._has_head() else "empty"

    def _make(self) -> None:
        if (self.folder / "HEAD").is_file():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.root.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        self.folder.mkdir(mode=PRIVATE)
        self.git.run("init", "--quiet", "--bare", "--template=", str(self.folder), seconds=LOCAL_S)

    def _sweep(self) -> None:
        """Whatever a fetch that failed, or was killed, left half done; one is under way at most."""
        for unfinished in ("tmp_*", "*.lock"):
            for path in self.folder.rglob(unfinished):
                with suppress(OSError):
                    path.unlink()

    def _has_head(self) -> bool:
        try:
            self.git.run("rev-parse", "--verify", f"{HEAD}^{{tree}}", seconds=LOCAL_S)
        except GitError:
            return False
        return True

    def _pack(self) -> None:
        """Many small fetches become one pack; nothing that a phase looks at is thrown away."""
        with suppress(GitError):
            self.git.run(
                "-c", "gc.auto=4000", "-c", "gc.autoDetach=false", "-c", "gc.bigPackThreshold=50m",
                "gc", "--auto", "--quiet", "--no-prune", seconds=PACK_S_MAX,
            )  # fmt: skip

    def _fits(self) -> bool:
        return self.size() <= self.bytes_max

    def size(self) -> int:
        """Bytes on the disk."""
        total = 0
        for path in self.folder.rglob("*"):
            with suppress(OSError):
                total += path.lstat().st_size
        return total

    def fault_of(self, error: GitError, *, had: bool) -> MirrorFault:
        if not self._fits():
            shutil.rmtree(self.folder, ignore_errors=True)
            return "large"
        output = error.output.casefold()
        fault = next((fault for sign, fault in _SIGNS if sign in output), None)
        if fault is not None:
            return fault
        if not had and self.state.fetched_at:
            self.throw_away()
            return "damaged"
        return "failed"

    def throw_away(self) -> None:
        """It is damaged: the next fetch makes it anew."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):
            self._state_file.unlink()
