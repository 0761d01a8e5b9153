"""What is asked about lines that people gave, and how a line is named."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.domain.ids import AnswerId, UserId

FollowUpKind = Literal[
    "check",  # how would somebody see that a requirement holds?
    "unit",  # a number without a unit
    "number",  # a quality without a number
    "difference",  # two lines that say different things
    "person",  # a story without a person
    "alternative",  # a decision without what it was chosen over
    "priority",  # a requirement that is not ranked
    "code",  # a file that uses what people named, and that nobody named
    "missing",  # what the step cannot do without (its criteria)
]
FollowUpOutcome = Literal[
    "open",
    "answered",
    "skipped",  # by its button
    "unknown",  # "We don't know yet": an open question with a name on it
    "passed",  # people went on: asked, not answered
    "withdrawn",  # the message with its line was taken out: nothing is left to ask about
]

WHICH_UNIT: Final = "{}: {} of what?"  # of a line and one of its numbers
SO_FAR: Final = "{} So far there is {}."  # behind a question, a line that there is
FOLLOW_UPS_MAX: Final = 2  # of a step
SIDES: Final = ("first", "second", "both")  # of a difference
WAYS: Final = ("skip-question", "unknown")
_OF_WHAT: Final = WHICH_UNIT.rpartition("{}")[2]
_SO_FAR: Final = SO_FAR.split("{}")[1]


@dataclass(frozen=True, slots=True)
class LineRef:
    """A line of what people said: the answer, and words of it. It holds whatever is read of it."""

    answer: AnswerId
    quote: str


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One question of ours about a line that people gave; `other`: of a difference, the second."""

    kind: FollowUpKind
    question: str  # plain text that names the line
    line: LineRef | None = None
    other: LineRef | None = None
    outcome: FollowUpOutcome = "open"
    by: UserId | None = None  # who skipped it or does not know yet
    after: str = ""  # ts of the newest answer when it was asked; what answers it is newer

    @property
    def is_unanswered(self) -> bool:
        """True if people went on from it, skipped it, or cannot answer it yet."""
        return self.outcome in ("passed", "skipped", "unknown")

    @property
    def what_is_asked(self) -> str:
        """The question, without what there is so far."""
        return self.question.partition(_SO_FAR)[0]

    @property
    def number_asked_about(self) -> str:
        """Of a question for a unit, the number that has none; "" where the question names none."""
        before, of_what, _ = self.question.rpartition(_OF_WHAT)
        number = before.rpartition(" ")[2]
        return number if of_what and number.isdecimal() else ""

    @property
    def choices(self) -> tuple[str, ...]:
        """What its buttons choose, in their order."""
        return (*SIDES, *WAYS) if self.kind == "difference" else WAYS

    def is_same(self, other: "FollowUp") -> bool:
        """True if both ask the same of the same line, whatever became of either."""
        lines = {line for line in (self.line, self.other) if line is not None}
        others = {line for line in (other.line, other.other) if line is not None}
        if lines or others:
            return self.kind == other.kind and lines == others
        return self.question == other.question

    def ended(self, outcome: FollowUpOutcome, by: UserId | None = None) -> "FollowUp":
        return replace(self, outcome=outcome, by=by)


def with_outcomes(
    follow_ups: Iterable[FollowUp], closed: Collection[FollowUp]
) -> tuple[FollowUp, ...]:
    """What was asked, with the outcome of what is over."""
    return tuple(
        next((question for question in closed if question.is_same(old)), old) for old in follow_ups
    )
