"""How a session came about: its pre-flight, other sessions, and what was said before it."""

from dataclasses import dataclass, replace
from typing import Literal

from core.domain.answers import SharedFile
from core.domain.ids import AnswerId, ChannelId, MenuId, SessionId, Slug, StepId, TaskId, Ts, UserId
from core.domain.session.course import Status


@dataclass(frozen=True, slots=True)
class Checked:
    """One line of the pre-flight: what was looked at before a session starts, and how."""

    what: str
    method: str
    ok: bool
    found: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What another session tells a start: enough to choose a slug, nothing to reveal."""

    id: SessionId
    slug: Slug
    channel: ChannelId
    status: Status
    title: str


@dataclass(frozen=True, slots=True)
class EarlierStatement:
    """What somebody said elsewhere: in a party, or in the thread that a session was taken from."""

    by: UserId
    text: str
    ts: Ts
    permalink: str
    files: tuple[SharedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """The message that a session was taken from."""

    ts: Ts
    thread_ts: Ts  # of its thread; its own ts where it begins one
    task: TaskId | None = None  # the reading of its thread, once it was asked for

    def read_by(self, task: TaskId) -> "Origin":
        """The request `task` reads the thread."""
        return replace(self, task=task)


@dataclass(frozen=True, slots=True)
class ShortPath:
    """The short questions that a flow has. The default is a flow without any."""

    questions: int = 0
    chosen_by: UserId | None = None  # whoever chose to be asked no others

    @property
    def can_be_chosen(self) -> bool:
        return self.questions > 0 and self.chosen_by is None


ProposalOutcome = Literal["", "confirmed", "left-out", "gone"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody said before, which counts once they confirm it. Its words stand in a row."""

    answer: AnswerId
    by: UserId
    menu: MenuId
    step: StepId
    outcome: ProposalOutcome = ""  # empty: nobody has decided yet
    chosen_by: UserId | None = None

    def decided(self, outcome: ProposalOutcome, by: UserId | None) -> "Proposal":
        """`by` is None where its message is gone."""
        return replace(self, outcome=outcome, chosen_by=by)
