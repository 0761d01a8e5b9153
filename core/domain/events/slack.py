"""What Slack accepted, refused or delayed, which threads were read, and timers that ran out."""

from dataclasses import dataclass
from typing import Literal

from core.domain.ids import PersonaKey, StepId, TaskId
from core.domain.session import EarlierStatement as Said
from core.taxonomy.post_refusals import RefusalReason


@dataclass(frozen=True, slots=True)
class CardPosted:
    at: float


@dataclass(frozen=True, slots=True)
class PostRefused:
    """Slack refused a visible effect for good. `what` is the effect's type name."""

    at: float
    what: str
    error: str  # Slack's word for it, for the record
    respond_to: str | None = None
    thread: PersonaKey | None = None  # in whose thread it should have stood
    reason: RefusalReason = "unknown"


@dataclass(frozen=True, slots=True)
class PostDelayed:
    """A message could not be sent and is tried again. The first few attempts are reported."""

    at: float
    what: str
    why: str
    attempts: int
    delay_s: float  # waited so far, in all
    wait_s: float = 0.0  # until the next attempt
    http_status: int | None = None  # None: no answer came
    retry_after_s: float | None = None  # the wait that Slack asked for


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """What people said in the thread that a session was taken from, oldest first."""

    at: float
    task: TaskId
    step: StepId
    found: tuple[Said, ...]
    more: bool = False  # than is in `found`
    why: str = ""  # it could not be read


@dataclass(frozen=True, slots=True)
class ThreadsReadBack:
    """The current threads were read after the bot was away; what was found comes as events next.

    `wrote`: people posted, edited or deleted meanwhile. `off`: why they could not be read: a scope
    is missing, or Slack lets the app read next to nothing.
    """

    at: float
    wrote: bool
    off: Literal["", "scope", "limits"] = ""


@dataclass(frozen=True, slots=True)
class QuietPassed:
    at: float
    step: StepId


@dataclass(frozen=True, slots=True)
class ReminderDue:
    """It has been quiet for long enough to remind those who are awaited."""

    at: float
    step: StepId


@dataclass(frozen=True, slots=True)
class TakeBackPassed:
    """The time is over in which a cancel can be taken back."""

    at: float


FromSlack = (
    CardPosted
    | PostRefused
    | PostDelayed
    | ThreadRead
    | ThreadsReadBack
    | QuietPassed
    | ReminderDue
    | TakeBackPassed
)
