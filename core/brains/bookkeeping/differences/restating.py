"""A line that says an earlier one again with one thing changed, and no word for that.

"The list shows 20 rows" · "the list shows 50 rows"; "only the vet may" · "the nurse may, too".
Its author may have changed their mind, so it is asked about as well.
"""

from typing import Final

from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.clashes import Nearness, is_denied, is_other_value
from core.brains.bookkeeping.differences.lexis import WORD, content
from core.brains.bookkeeping.differences.statements import Statement

SHARED_WORDS_MIN: Final = 2
OTHER_WORDS_MAX: Final = 1


def is_restated(one: Statement, other: Statement, near: Nearness) -> bool:
    """True if both are of the same thing, and differ in one. `other` was said later."""
    if one.asks or other.asks:
        return False
    if near != "elsewhere" and (
        _is_opened_up(one, other) or _does_more(one, other) or _is_said_and_denied(one, other, near)
    ):
        return True
    return _has_other_number(one, other, near) or _has_other_time(one, other, near)


def _has_other_number(one: Statement, other: Statement, near: Nearness) -> bool:
    if len(one.numbers) != 1 or len(other.numbers) != 1:
        return False
    first, second = one.numbers[0], other.numbers[0]
    units = {first.unit, second.unit}
    return is_other_value(first, second) and _is_same(one.words - units, other.words - units, near)


def _has_other_time(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "Sent every Monday" · "sent every Friday"; "pay monthly" · "pay yearly"."""
    for words in lexis.row("moments"):
        names = frozenset(words.split())
        first, second = one.tokens & names, other.tokens & names
        stems = {lexis.stem(name) for name in names}
        if len(first) == len(second) == 1 and first != second:
            return _is_same(one.words - stems, other.words - stems, near)
    return False


def _is_same(words: frozenset[str], other_words: frozenset[str], near: Nearness) -> bool:
    """True if the other words of two lines are the same, or all but one of them."""
    if words == other_words:
        return len(words) >= SHARED_WORDS_MIN or (bool(words) and near != "elsewhere")
    is_near = len(words ^ other_words) <= OTHER_WORDS_MAX and near != "elsewhere"
    return is_near and len(words & other_words) >= SHARED_WORDS_MIN


def _is_said_and_denied(one: Statement, other: Statement, near: Nearness) -> bool:
    return is_denied(one, other, near) and len(one.words ^ other.words) <= OTHER_WORDS_MAX


def _does_more(one: Statement, other: Statement) -> bool:
    """ "Nurses only read" · "nurses can edit": who does one thing alone does another."""
    alone = lexis.pattern("does-only").match(one.text)
    also = lexis.pattern("may-too").match(other.text)
    if not alone or not also:
        return False
    who, what = (frozenset(content(WORD.findall(alone[name]))) for name in ("who", "what"))
    other_who, other_what = (
        frozenset(content(WORD.findall(also[name]))) for name in ("who", "what")
    )
    is_other = bool(what and other_what) and not what & other_what
    return bool(who) and who <= other_who and is_other


def _is_opened_up(one: Statement, other: Statement) -> bool:
    """ "Only the vet may open the cabinet" · "the nurse may open the cabinet too"."""
    alone = lexis.pattern("only-may").search(one.text)
    also = lexis.pattern("may-too").match(other.text)
    if not alone or not also:
        return False
    things, other_things = (
        frozenset(content(WORD.findall(match["what"]))) for match in (alone, also)
    )
    people, other_people = (
        frozenset(content(WORD.findall(match["who"]))) for match in (alone, also)
    )
    return (
        bool(things)
        and (things <= other_things or other_things <= things)
        and bool(other_things)
        and not people & other_people
    )
