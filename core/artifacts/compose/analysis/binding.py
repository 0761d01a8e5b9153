"""What an analysis is for, which dates bind it, and who must agree: lines for the design summary.

They are found by their step's topic and by their words, at any step of any tree.
"""

from typing import Final

from core.artifacts.compose.lines.claims import GOALS, besides, is_open, is_taken, once
from core.artifacts.compose.lines.context import says_whom_to_ask
from core.artifacts.compose.lines.english import pattern
from core.artifacts.compose.view import SectionView
from core.artifacts.document.plain import is_code
from core.domain.answers import Claim, ClaimKind

PURPOSE_WORDS_MIN: Final = 5  # a greeting has fewer
_SENTENCES: Final[frozenset[ClaimKind]] = frozenset(
    {"fact", "constraint", "requirement", "quality", "decision", *GOALS}
)
_OF_USE: Final[frozenset[ClaimKind]] = frozenset({"check", "story", "requirement", "error"})
_GAIN, _DAY, _PAST = pattern("gain"), pattern("day"), pattern("past")
_NO_DAY, _DAY_ALONE = pattern("no-day"), pattern("day-alone")
_AGREEMENT, _REFUSAL = pattern("agreement"), pattern("refusal")


def purposes(view: SectionView) -> list[Claim]:
    """What gets better and how one notices it, then what else was said of the problem."""
    lines = [line for line in _sentences(view) if _is_purpose(line, view)]
    goals = [line for line in lines if is_goal(line, view)]
    others = besides(lines, goals)
    gains = [line for line in others if _GAIN.search(line.text)]
    remaining = (line for line in others if line not in gains and not _is_dated(line))
    return [*goals, *gains, *remaining]


def is_goal(line: Claim, view: SectionView) -> bool:
    """True for a goal, and for what stands in place of one: "Let me say 150"."""
    older = view.sources.older.get(line.id, ())
    return line.kind in GOALS or any(old.kind in GOALS for old in older)


def dated(view: SectionView) -> list[Claim]:
    """What binds to a date, unless it is a purpose; a rule that was decided on stands once."""
    lines = [line for line in besides(_sentences(view), purposes(view)) if _is_dated(line)]
    rules = [line for line in lines if line.kind != "decision"]
    return [line for line in lines if line in rules or line in besides(lines, rules)]


def in_the_way(view: SectionView) -> list[Claim]:
    """Lines of other steps that say who must agree still, or refuses."""
    others = (line for line in _sentences(view) if line.step != view.step.id)
    return [line for line in others if _is_in_the_way(line, view)]


def to_ask(view: SectionView) -> list[Claim]:
    """Lines that say whom to ask, and what somebody is to find out, but for open questions."""
    lines = (line for line in view.everything if is_taken(line) and not is_open(line))
    return once(line for line in lines if line.kind not in _OF_USE and says_whom_to_ask(line.text))


def _is_purpose(line: Claim, view: SectionView) -> bool:
    has_words = len(line.text.split()) >= PURPOSE_WORDS_MIN
    return is_goal(line, view) or (has_words and _topic(line, view) == "problem")


def _is_dated(line: Claim) -> bool:
    """True for a line with a date; what happened on one does not bind, nor a day alone."""
    text = line.text.strip()
    is_alone = line.kind != "decision" and _DAY_ALONE.fullmatch(text)
    has_day = _DAY.search(_NO_DAY.sub(" ", text)) and not _PAST.search(text)
    return "date" in line.data or bool(has_day and not is_alone)


def _is_in_the_way(line: Claim, view: SectionView) -> bool:
    is_review = _topic(line, view).endswith("-review")
    return bool(_REFUSAL.search(line.text) or (is_review and _AGREEMENT.search(line.text)))


def _topic(line: Claim, view: SectionView) -> str:
    step = view.steps.get(line.step)
    return str(step.extra.get("topic", "")) if step else ""


def _sentences(view: SectionView) -> list[Claim]:
    """What people stated of the whole, each line once: no check, no option, nothing of its size."""
    lines = (line for line in view.everything if is_taken(line) and not is_open(line))
    return once(line for line in lines if line.kind in _SENTENCES and not is_code(line.text))
