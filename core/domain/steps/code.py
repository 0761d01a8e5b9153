"""What a linked repository shows of a step, and which repository a session looks into.

Measured lines stand beside people's. They are no claims: nothing counts, sizes or decides by them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.domain.ids import MenuId, PhaseKey, TaskId, UserId
from core.domain.steps.playbook import Step

MeasuredSort = Literal[
    "count",  # how many files the search finds, beside people's number
    "file",  # a candidate: a file that has what people named
    "caller",  # an entry point: a file that uses by name what a candidate defines
    "risk",  # how often a candidate changed, and whether a test names it
    "signature",  # how something people named is declared
]
_IMPACT: Final = "impact-analysis.md"
_BY_FILE: Final[Mapping[str, MeasuredSort]] = {"quick-scan.md": "count", _IMPACT: "file"}
_BY_NEED: Final[Mapping[str, MeasuredSort]] = {"entry-point": "caller", "risk": "risk"}


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """One line of kind *measured*. `at`: `name@commit:path#L12`; `url`: the page of that place."""

    sort: MeasuredSort
    text: str
    at: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredLines:
    """The measured lines of a step. The default is a step that was never searched for."""

    task: TaskId | None = None  # the search whose result is shown
    lines: tuple[MeasuredLine, ...] = ()
    dropped: tuple[tuple[str, UserId], ...] = ()  # what a line was about, and who dropped it
    menu: MenuId | None = None  # on which one can be dropped, wherever the session is by now

    def asked(self, task: TaskId) -> "MeasuredLines":
        """A new search is under way; what the last one found stands until it is over."""
        return replace(self, task=task)

    def found(self, lines: Iterable[MeasuredLine]) -> "MeasuredLines":
        """The result of the search, without what somebody dropped."""
        dropped = {about for about, _ in self.dropped}
        return replace(self, lines=tuple(line for line in lines if about(line) not in dropped))

    def without(self, line: MeasuredLine, by: UserId) -> "MeasuredLines":
        """Somebody dropped a line: no later search brings it back."""
        lines = tuple(other for other in self.lines if other != line)
        return replace(self, lines=lines, dropped=(*self.dropped, (about(line), by)))


@dataclass(frozen=True, slots=True)
class CodeLink:
    """The repository of a session, and the commit of each phase. The default is none."""

    repository: str = ""
    pins: tuple[tuple[PhaseKey, str], ...] = ()

    def pin(self, phase: PhaseKey) -> str:
        """The commit that a phase looks at; empty before its first search."""
        return dict(self.pins).get(phase, "")

    def pinned(self, phase: PhaseKey, commit: str) -> "CodeLink":
        """A phase looks at that commit from now on."""
        return replace(self, pins=tuple({**dict(self.pins), phase: commit}.items()))


def about(line: MeasuredLine) -> str:
    """What a line is about, whichever commit it was found in: its sort and its path."""
    path = line.at.partition(":")[2].rpartition("#")[0]
    return f"{line.sort} {path or line.at}"


def sorts_of(step: Step) -> tuple[MeasuredSort, ...]:
    """What is measured at a step, by the files it writes and the lines it needs."""
    if "interface" in step.needs:
        return ("signature",)
    of_files = next((_BY_FILE[name] for name in step.outputs if name in _BY_FILE), None)
    if of_files != "file":
        return (of_files,) if of_files else ()
    of_needs = next((_BY_NEED[need] for need in step.needs if need in _BY_NEED), None)
    return (of_needs or of_files,)
