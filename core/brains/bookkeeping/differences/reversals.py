"""Whether a line takes back, or stands in place of, an earlier one that it points to."""

from typing import TYPE_CHECKING, Final

from core import patterns
from core.brains.bookkeeping.differences.clashes import Nearness, is_other_value
from core.brains.bookkeeping.differences.statements import Statement, statement

if TYPE_CHECKING:
    from core.brains.bookkeeping.differences.finder import SaidLine

SHARED_WORDS_MIN: Final = 2
SHARE_MIN: Final = 0.5  # of the words of the later line, the earlier has

_TAKES_BACK: Final = patterns.compile(
    r"\b(?:scratch|forget|strike|streiche?)\s+\(?([a-z]|[a-z]{1,3}-?[0-9]{1,3})\b",
    patterns.IGNORECASE,
)
_LABEL: Final = patterns.compile(r"[a-z]{1,3}-?[0-9]{1,3}")
_ANEW: Final = patterns.compile(
    r"\(?([a-z]|[a-z]{1,3}-?[0-9]{1,3})[).:]?\s+(?:new|neu|now)\b\s*:?", patterns.IGNORECASE
)


def replaces(first: "SaidLine", second: "SaidLine", near: Nearness) -> bool:
    """True if the later line names the earlier one as taken back, or gives its number anew."""
    if not first.by & second.by:
        return False
    if near != "elsewhere" and first.label and first.label in _labels(second.says.text):
        return True
    if _is_label_anew(first.says, second.says):
        return True
    numbers = _named_before(second)
    if numbers and _is_bare(second.says):
        is_meant = near != "elsewhere" and first.answer.id != second.answer.id
        return second.says.has_cue and is_meant and bool(numbers & first.says.written)
    return second.says.has_cue and _is_number_anew(first.says, second.says, near)


def _is_label_anew(first: Statement, second: Statement) -> bool:
    """ "F3: 13 months", behind "F3 a key is lent for 90 days"."""
    if len(second.numbers) != 1 or not second.words or not second.words <= first.words:
        return False
    if not all(_LABEL.fullmatch(word) for word in second.words):
        return False
    values = [number for number in first.numbers if number.unit == second.numbers[0].unit]
    return len(values) == 1 and is_other_value(values[0], second.numbers[0])


def _named_before(line: "SaidLine") -> frozenset[float]:
    """The numbers right before it: "250 is too low. Make that 400"."""
    before, found, _ = line.answer.text.partition(line.claim.text)
    return statement(before.rpartition("\n")[2]).written if found else frozenset()


def _is_bare(says: Statement) -> bool:
    """True for a number without a unit and without anything else."""
    return len(says.numbers) == 1 and says.numbers[0].is_alone and not says.numbers[0].unit


def takes_back(text: str) -> bool:
    """True for words that take something back, whatever that is."""
    return bool(statement(text).has_cue or _labels(text))


def nearness(first: "SaidLine", second: "SaidLine", near: Nearness) -> int:
    """How much of its subject a line that takes something back shares with the earlier one.

    0: it is not meant.
    """
    says = second.says
    if not says.has_cue or says.asks:
        return 0
    if near != "elsewhere" and _is_number_anew(first.says, says, near):
        return len(says.words) + 1
    shared = first.says.words & says.words
    alone = near != "elsewhere" and bool(first.by & second.by)
    least = 1 if alone and len(says.words) <= SHARED_WORDS_MIN else SHARED_WORDS_MIN
    share = SHARE_MIN * min(len(says.words), len(first.says.words))
    return len(shared) if len(shared) >= max(least, share) else 0


def _labels(text: str) -> set[str]:
    """The labels of lines that a text takes back: "scratch e)", "e) new: …"."""
    anew = _ANEW.match(text)
    names = {str(match[1]) for match in _TAKES_BACK.finditer(text)}
    return names | ({str(anew[1])} if anew else set())


def _is_number_anew(first: Statement, second: Statement, near: Nearness) -> bool:
    """ "180 days then", "actually loans last 4 weeks": another number of the same measure."""
    if len(second.numbers) != 1 or not first.numbers:
        return False
    number = second.numbers[0]
    if not number.unit and not number.ends:  # "8 is a must" speaks of a line, and measures nothing
        return False
    if (second.written - second.given_up_numbers) & first.written:
        return False
    others = [value for value in first.numbers if is_other_value(value, number)]
    if not number.unit and number.is_alone and near != "elsewhere":
        others = [value for value in first.numbers if value.unit and value.value != number.value]
    if len(others) != 1:
        return False
    if second.given_up_numbers:
        return near != "elsewhere" and bool(second.given_up_numbers & first.written)
    shared = len(first.words & second.words)
    return shared >= SHARED_WORDS_MIN or (near != "elsewhere" and (shared > 0 or number.is_alone))
