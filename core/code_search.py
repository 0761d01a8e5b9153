"""The door to the repositories that an operator linked: what the core asks of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.ids import ChannelId, TeamId


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of a file in a linked repository."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class CodeChange:
    """A commit of a linked repository, with the files it changed. `by`: as it names its author."""

    at: float  # seconds since the epoch
    by: str
    paths: tuple[str, ...]


class CodeUnavailable(Exception):  # noqa: N818 - reads as what it is
    """A linked repository cannot be searched now. Its text says why, and no address."""


class CodeView(Protocol):
    """A linked repository at one commit, for a few seconds. All of it is text of strangers.

    Every method raises `CodeUnavailable` where the time is over or the mirror is damaged.
    """

    @property
    def commit(self) -> str: ...

    def text(self, texts: Sequence[str], within: Sequence[str] = ()) -> tuple[CodeLine, ...]:
        """The lines that hold one of these, of files that people write; `within`: of these alone.

        What stands in many files may be left out: it says nothing.
        """

    def paths(self) -> tuple[str, ...]:
        """The files that people write."""

    def contents(self, paths: Sequence[str]) -> Mapping[str, str]:
        """The beginnings of some files, by path."""

    def history(self, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """The latest commits that changed one of these, the newest first."""

    def url(self, path: str, line: int) -> str:
        """The page that shows that line; empty where there is none."""


class CodeSearch(Protocol):
    """The repositories that an operator linked."""

    def names(self, team: TeamId, channel: ChannelId) -> tuple[str, ...]:
        """Those that a channel may see."""

    def view(self, name: str, commit: str, seconds: float) -> CodeView:
        """A repository at `commit`, or, where that is empty or gone, as last fetched.

        It may be looked at for `seconds`. Raises `CodeUnavailable`.
        """
