"""Which lines of a session differ, and which stand in place of earlier ones. For any brain.

The line that was said later is compared with those before it: of the same step, then of earlier
ones. Lines of one answer are compared only where the later takes something back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from core import patterns
from core.brains.bookkeeping.answering import order_of
from core.brains.bookkeeping.differences.clashes import Nearness, is_clash, is_clash_of_values
from core.brains.bookkeeping.differences.reversals import nearness, replaces
from core.brains.bookkeeping.differences.statements import Statement, statement
from core.domain.answers import Answer, Claim, ClaimKind, ReadRequest
from core.domain.ids import AnswerId, UserId
from core.domain.lines import superseded

LINES_OF_STEP_MAX: Final = 150
LINES_BEFORE_MAX: Final = 400
LABEL_BEFORE_CHARS_MAX: Final = 12

Claims = tuple[Claim, ...]

_LABEL: Final = patterns.compile(
    r"\W{0,3}([A-Za-z]|[A-Za-z]{1,3}-?[0-9]{1,3})[).:]\s", patterns.IGNORECASE
)
_TELLS_HOW_IT_IS: Final[frozenset[ClaimKind]] = frozenset({"fact", "risk", "note"})
_TELLS_HOW_IT_SHALL_BE: Final[frozenset[ClaimKind]] = frozenset(
    {"requirement", "story", "quality", "decision", "check", "exclusion", "constraint"}
)
_NO_SIDE: Final[frozenset[ClaimKind]] = frozenset({"question", "assumption", "scope", "priority"})


@dataclass(frozen=True)
class SaidLine:
    """A claim with who said it, when, and what it says."""

    claim: Claim
    answer: Answer
    by: frozenset[UserId]
    place: tuple[object, ...]

    @cached_property
    def says(self) -> Statement:
        return statement(self.claim.text)

    @cached_property
    def label(self) -> str:
        """What people call the line themselves: "e", "R6"; else its ref."""
        if match := _LABEL.match(self.claim.text):
            return str(match[1]).casefold()
        at = self.answer.text.find(self.claim.text)
        start = self.answer.text.rfind("\n", 0, max(at, 0)) + 1
        before = self.answer.text[max(start, at - LABEL_BEFORE_CHARS_MAX) : max(at, 0)]
        match = _LABEL.match(f"{before.strip()} ") if before.strip() else None
        return str(match[1]).casefold() if match else (self.claim.ref or "").casefold()


@dataclass(frozen=True)
class Difference:
    """Two lines that say different things; `first` was said earlier."""

    first: SaidLine
    second: SaidLine
    replaces: bool = False  # the second stands in place of the first: its author said so


def found(request: ReadRequest, claims: Claims) -> tuple[Difference, ...]:
    """Differences in which a claim of the request's step has a part, the nearest of each line.

    `claims`: those of the step.
    """
    lines = _lines(request, claims)
    mine = {claim.id for claim in claims}
    differences: list[Difference] = []
    for at, later in enumerate(lines):
        earlier = [
            line for line in reversed(lines[:at]) if later.claim.id in mine or line.claim.id in mine
        ]
        if difference := _nearest(later, earlier):
            differences.append(difference)
    return tuple(_once(differences))


def _once(differences: Sequence[Difference]) -> Iterator[Difference]:
    """Without a second question on one line, and none on a line that was replaced meanwhile."""
    gone = {difference.first.claim.id for difference in differences if difference.replaces}
    asked: set[str] = set()
    for difference in differences:
        ids = {difference.first.claim.id, difference.second.claim.id}
        if difference.replaces or not (difference.first.claim.id in asked or ids & gone):
            asked |= set() if difference.replaces else {difference.first.claim.id}
            yield difference


def near(first: SaidLine, second: SaidLine) -> Nearness:
    if first.claim.step != second.claim.step:
        return "elsewhere"
    one, other = (line.claim.data.get("question", "") for line in (first, second))
    return "question" if one and one == other else "step"


def _lines(request: ReadRequest, claims: Claims) -> list[SaidLine]:
    """The lines that may differ, in the order in which they were said."""
    answers = {answer.id: answer for answer in (*request.other_answers, *request.answers)}
    everywhere = (*request.claims, *request.unread)
    before = list(_said(everywhere, answers))[-LINES_BEFORE_MAX:]
    replaced = superseded((*everywhere, *claims))
    lines = [*before, *list(_said(claims, answers))[-LINES_OF_STEP_MAX:]]
    return sorted(
        (line for line in lines if line.claim.id not in replaced), key=lambda line: line.place
    )


def _said(claims: Iterable[Claim], answers: Mapping[AnswerId, Answer]) -> Iterator[SaidLine]:
    seen: set[tuple[AnswerId, str]] = set()
    for number, claim in enumerate(claims):
        replies = [answers[source] for source in claim.sources if source in answers]
        if claim.kind in _NO_SIDE or claim.is_confirmed_draft or not replies or "```" in claim.text:
            continue
        if (replies[0].id, claim.text) in seen:  # read twice: a risk that is a question as well
            continue
        seen.add((replies[0].id, claim.text))
        by = frozenset(answer.by for answer in replies)
        yield SaidLine(claim, replies[0], by, (order_of(replies[0].ts), number))


def _nearest(later: SaidLine, earlier: Sequence[SaidLine]) -> Difference | None:
    """The line before it that it replaces, clashes with or takes back: the nearest such."""
    own = [line for line in earlier if line.by & later.by]
    for line in (*own, *(line for line in earlier if not line.by & later.by)):
        if line.answer.id == later.answer.id and not later.says.has_cue:
            continue
        if replaces(line, later, near(line, later)):
            return Difference(line, later, replaces=bool(line.by & later.by))
    for line in earlier:
        if line.answer.id != later.answer.id and _clash(line, later):
            return Difference(line, later)
    meant = max(earlier, key=lambda line: nearness(line, later, near(line, later)), default=None)
    if meant and nearness(meant, later, near(meant, later)):
        return Difference(meant, later)
    return None


def _clash(first: SaidLine, second: SaidLine) -> bool:
    where = near(first, second)
    if first.by & second.by and where != "elsewhere" and not second.says.has_cue:
        return False
    kinds = {first.claim.kind, second.claim.kind}
    if "risk" in kinds or _is_lack(first, second):
        return is_clash_of_values(first.says, second.says, where)
    return is_clash(first.says, second.says, where)


def _is_lack(first: SaidLine, second: SaidLine) -> bool:
    """True if one tells, at another step, how it is today and the other what shall be."""
    kinds = (first.claim.kind, second.claim.kind)
    return first.claim.step != second.claim.step and any(
        one in _TELLS_HOW_IT_IS and other in _TELLS_HOW_IT_SHALL_BE
        for one, other in (kinds, kinds[::-1])
    )
