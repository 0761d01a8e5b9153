"""Forms in which two lines may contradict each other: what each says of what both speak of.

No form is a verdict: `core.brains.bookkeeping.differences.chance` weighs them.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import Final

from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.lexis import content
from core.brains.bookkeeping.differences.precedence import is_other_precedence
from core.brains.bookkeeping.differences.statements import (
    Clause,
    Number,
    Statement,
    restriction,
)

SHARED_WORDS_MIN: Final = 2
DENIED_SHARE_MIN: Final = 0.75  # of what one line denies, the other says
DENIAL_WORDS_MAX: Final = 3
SHORT_WORDS_MAX: Final = 5
REPLY_WORDS_MAX: Final = 1  # of a line that is little more than a number
TELLING_NUMBER_MIN: Final = 10  # that a line of another step means, where it says it again


def clashes_of(one: Statement, other: Statement, *, near: bool) -> Iterator[str]:
    """The forms of two lines, of which `other` was said later; `near`: at the same step."""
    subject = _common_subject(one, other)
    yield f"subject-{subject}"
    if any(other_units_of(one, other)):
        yield f"other-number-{subject}"
    if _has_other_moment(one, other):
        yield f"other-moment-{subject}"
    is_reply = other.words <= one.words or len(other.words) <= REPLY_WORDS_MAX
    if one.numbers and "" in _values(other) and is_reply:
        yield "bare-number"
    if any(clause.denied & one.asserted for clause in other.clauses):
        yield "denies"
    yield from (name for name, rule in _RULES.items() if rule(one, other, near))


def _common_subject(one: Statement, other: Statement) -> str:
    """How the words of two lines relate, without units and moments; "unsaid": one has no others."""
    units = one.measures | other.measures | lexis.stems("moments")
    words, other_words = one.words - units, other.words - units
    if not words & other_words:
        return "other" if words and other_words else "unsaid"
    if words == other_words:
        return "same"
    return "within" if words <= other_words or other_words <= words else "apart"


def _has_other_moment(one: Statement, other: Statement) -> bool:
    """ "every Monday" · "every Friday"; "pay monthly" · "pay yearly"."""
    for row in lexis.row("moments"):
        names = frozenset(row.split())
        first, second = one.tokens & names, other.tokens & names
        if first and second and first.isdisjoint(second):
            return True
    return False


def other_units_of(one: Statement, other: Statement) -> Iterator[str]:
    """The units in which two lines have numbers that differ, and none in common; empty: none."""
    values, other_values = _values(one), _values(other)
    differing = {
        first.unit
        for first in one.numbers
        for second in other.numbers
        if is_other_value(first, second)
    }
    return (unit for unit in differing if values[unit].isdisjoint(other_values[unit]))


def _values(line: Statement) -> Mapping[str, set[float]]:
    values: dict[str, set[float]] = {}
    for number in line.numbers:
        values.setdefault(number.unit, set()).add(number.value)
    return values


# ── said and denied ────────────────────────────────────────────────────────────────────────────


def _is_denied(one: Statement, other: Statement, near: bool) -> bool:
    """True if one of two lines says what the other one says is not so."""
    if one.asks or other.asks or len(one.words & other.words) < SHARED_WORDS_MIN:
        return False
    return _denies(one, other, near) or _denies(other, one, near)


def _denies(line: Statement, other: Statement, near: bool) -> bool:
    """True if what a clause of the line denies is what a clause of the other says."""
    asserted = [clause for clause in other.clauses if clause.holds]
    if len(other.clauses) > 1 and len(other.words) <= SHORT_WORDS_MAX:  # "P2: alert, resume"
        asserted.append(Clause(other.asserted))
    return any(
        _is_what_is_said(clause, against, near)
        for clause in line.clauses
        if clause.denied and clause.holds
        for against in asserted
    )


def _is_what_is_said(denial: Clause, clause: Clause, near: bool) -> bool:
    """At another step both the subject and all that is denied have to be the same."""
    elsewhere = not near
    asserted = clause.words - clause.denied
    covered = len(denial.denied & asserted)
    if elsewhere and (not denial.subject or len(denial.denied) < SHARED_WORDS_MIN):
        return False
    share = 1 if elsewhere else DENIED_SHARE_MIN
    return (
        covered >= share * len(denial.denied)
        and len(denial.words & clause.words) >= SHARED_WORDS_MIN
        and 2 * len(denial.subject & clause.words) >= len(denial.subject)
        and not _is_of_another(denial, clause)
    )


def _is_of_another(denial: Clause, clause: Clause) -> bool:
    """True if each names a thing that the other does not: archived projects, and active ones."""
    own = restriction(denial.tokens), restriction(clause.tokens)
    if all(own) and own[0] != own[1]:
        return True
    words = takewhile(lambda word: word not in denial.denied, content(clause.tokens))
    subject = frozenset(words)
    return bool(denial.subject - clause.words and subject - denial.words)


def _is_turned_down(one: Statement, other: Statement, near: bool) -> bool:
    """ "Not in the current one.", "no!! not the photo": few words, all of the first line."""
    if one.asks:
        return False
    if not near:
        things = (thing for thing in other.given_up if len(thing) >= SHARED_WORDS_MIN)
        return any(thing <= one.asserted for thing in things)
    if any(
        thing <= one.words and thing & one.asserted and not _agrees_to_lose(one, other, thing)
        for thing in other.given_up
    ):
        return True
    if not other.says_no:
        return False
    clauses = (clause for clause in other.clauses if clause.words or clause.denied)
    first = next(clauses, None)
    if first is None or len(first.words) > DENIAL_WORDS_MAX:
        return False
    return first.words <= one.words and bool(first.words & one.asserted)


def _agrees_to_lose(one: Statement, other: Statement, thing: frozenset[str]) -> bool:
    """True if the first line denies something of the thing, or gives it up itself: "guests get no
    key" · "guests are out"; "what I'd give up first: the lamp" · "the lamp is gone"."""
    is_refused = any(clause.denied and thing & clause.subject for clause in one.clauses)
    gives_up = lexis.pattern("gives-up-first").search(one.text) is not None
    return is_refused or (gives_up and not other.says_no)


# ── one number against another ─────────────────────────────────────────────────────────────────


def is_other_value(first: Number, second: Number) -> bool:
    """True if two numbers measure the same in the same role, and differ."""
    same_role = first.role == second.role or "" in (first.role, second.role)
    return first.unit == second.unit and first.value != second.value and same_role


def _is_number_doubted(one: Statement, other: Statement, near: bool) -> bool:
    """ "25? more like 40", "10 is too long": the first line says that number."""
    amounts = {(number.value, number.unit) for number in one.numbers}
    others = {(number.value, number.unit) for number in other.numbers if number.unit}
    if others and {unit for _, unit in others} <= one.measures and not others & amounts:
        return _is_given_up_number(one, other, near)  # "a week is too long" judges no day
    if not near:
        is_judged = any(
            number in one.written and number >= TELLING_NUMBER_MIN for number in other.comments
        )
        is_too_much = any(number in one.written for number, _ in other.too_much)
        return is_judged or (is_too_much and len(one.words & other.words) >= SHARED_WORDS_MIN)
    if other.echoed in one.written or other.comments & one.written:
        return True
    if _is_given_up_number(one, other, near):
        return True
    judgements = set(one.too_much)
    shares = other.words & one.words
    return any(
        number in one.written and (number, how) not in judgements
        for number, how in other.too_much
        if shares
        or number >= TELLING_NUMBER_MIN
        or any(was == number for was, _ in judgements)
        or len(one.numbers) == 1
    )


def _is_given_up_number(one: Statement, other: Statement, near: bool) -> bool:
    """ "under 10 minutes" · "that's 40 min, not 10"."""
    is_measured = other.measures & one.measures - {""}
    return near and bool(other.given_up_numbers & one.written and is_measured)


def is_number_anew(first: Statement, second: Statement, near: bool) -> bool:
    """ "180 days then", "actually loans last 4 weeks": another number of the same measure."""
    if not second.has_cue or len(second.numbers) != 1 or not first.numbers:
        return False
    number = second.numbers[0]
    if not number.unit and not number.ends:  # "8 is a must" speaks of a line, and measures nothing
        return False
    if (second.written - second.given_up_numbers) & first.written:
        return False
    others = [value for value in first.numbers if is_other_value(value, number)]
    if not number.unit and number.is_alone and near:
        others = [value for value in first.numbers if value.unit and value.value != number.value]
    if len(others) != 1:
        return False
    if second.given_up_numbers:
        return near and bool(second.given_up_numbers & first.written)
    shared = len(first.words & second.words)
    return shared >= SHARED_WORDS_MIN or (near and (shared > 0 or number.is_alone))


# ── one thing decided in two places ────────────────────────────────────────────────────────────


def _are_opposite(one: Statement, other: Statement, near: bool) -> bool:
    if one.asks or other.asks:
        return False
    for pair in lexis.opposites():
        for side, opposite in ((pair.one, pair.other), (pair.other, pair.one)):
            sides = side | opposite
            if not (one.tokens & side and other.tokens & opposite):
                continue
            if one.tokens & opposite or other.tokens & side:
                continue
            least = pair.shared + (not near) - (pair.is_adjective and near)
            stems = {lexis.stem(word) for word in sides}
            words, other_words = one.words - stems, other.words - stems
            if len(words & other_words) >= least and 2 * len(words & other_words) >= min(
                len(words), len(other_words)
            ):
                return not _is_unsaid(one, side) and not _is_unsaid(other, opposite)
    return False


def _is_unsaid(line: Statement, side: frozenset[str]) -> bool:
    """True if the word of a side stands in a condition or is denied itself."""
    stems = {lexis.stem(word) for word in side}
    clauses = [clause for clause in line.clauses if side & set(clause.tokens)]
    return all(not clause.holds or bool(clause.denied & stems) for clause in clauses)


def is_other_in_front(one: Statement, other: Statement, near: bool) -> bool:
    """ "the handheld wins", "server wins": only one of two can."""
    if not near or one.asks or other.asks:
        return False
    return any(
        is_other_precedence(first, second)
        for first in one.precedences
        for second in other.precedences
    )


# ── in and out of scope ────────────────────────────────────────────────────────────────────────


def _is_left_out(one: Statement, other: Statement, _near: bool) -> bool:
    if one.asks or other.asks:
        return False
    return _leaves_out(one, other) or _leaves_out(other, one)


def _leaves_out(line: Statement, other: Statement) -> bool:
    if other.left_out or other.objects or not line.left_out:
        return False  # what says no as well agrees
    return any(
        len(listed) >= SHARED_WORDS_MIN and listed <= other.asserted for listed in line.left_out
    )


_RULES: Final[Mapping[str, Callable[[Statement, Statement, bool], bool]]] = {
    "said-and-denied": _is_denied,
    "turned-down": _is_turned_down,
    "number-doubted": _is_number_doubted,
    "number-anew": is_number_anew,
    "opposite": _are_opposite,
    "other-in-front": is_other_in_front,
    "left-out": _is_left_out,
}
