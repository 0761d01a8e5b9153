"""What Slack accepted, refused or delayed, which threads were read, and timers that ran out."""

from dataclasses import dataclass

from core.domain.events.happening import Happening
from core.domain.ids import PersonaKey, StepId, TaskId
from core.domain.session.session import ReadBackOff
from core.domain.session.start import EarlierStatement as Said
from core.taxonomy.post_refusals import RefusalReason


@dataclass(frozen=True, slots=True)
class CardPosted(Happening):
    """The session's first message stands in its channel."""


@dataclass(frozen=True, slots=True)
class PostRefused(Happening):
    """Slack refused a visible effect for good. `what` is the effect's type name."""

    what: str
    error: str  # Slack's word for it, for the record
    respond_to: str | None = None
    thread: PersonaKey | None = None  # in whose thread it should have stood
    reason: RefusalReason = "unknown"


@dataclass(frozen=True, slots=True)
class PostDelayed(Happening):
    """A message could not be sent and is tried again. The first few attempts are reported."""

    what: str
    why: str
    attempts: int
    delay_s: float  # waited so far, in all
    wait_s: float = 0.0  # until the next attempt
    http_status: int | None = None  # None: no answer came
    retry_after_s: float | None = None  # the wait that Slack asked for


@dataclass(frozen=True, slots=True)
class ThreadRead(Happening):
    """What people said in the thread that a session was taken from, oldest first."""

    task: TaskId
    step: StepId
    found: tuple[Said, ...]
    more: bool = False  # than is in `found`
    why: str = ""  # it could not be read


@dataclass(frozen=True, slots=True)
class ThreadsReadBack(Happening):
    """The current threads were read after the bot was away; what was found comes as events next.

    `wrote`: people posted, edited or deleted meanwhile. `off`: why they could not be read: a scope
    is missing, or Slack lets the app read next to nothing.
    """

    wrote: bool
    off: ReadBackOff = ""


@dataclass(frozen=True, slots=True)
class QuietPassed(Happening):
    step: StepId


@dataclass(frozen=True, slots=True)
class ReminderDue(Happening):
    """It has been quiet for long enough to remind those who are awaited."""

    step: StepId


@dataclass(frozen=True, slots=True)
class TakeBackPassed(Happening):
    """The time is over in which a cancel can be taken back."""


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
