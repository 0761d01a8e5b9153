"""Two statements that cannot both hold, by their form. Lines that only share words do not clash.

Each rule needs the subject to be shared and one thing of it to be opposite: said and denied, two
numbers of one measure, two sides of a pair, in and out of scope.
"""

from collections.abc import Callable
from itertools import takewhile
from typing import Final, Literal

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
NUMBERS_SHARE_MIN: Final = 0.5  # of the words of the shorter line, both have
NUMBERS_SHARE_ELSEWHERE_MIN: Final = 0.65
DENIAL_WORDS_MAX: Final = 3
SHORT_WORDS_MAX: Final = 5
TELLING_NUMBER_MIN: Final = 10  # that a line of another step means, where it says it again

Nearness = Literal["question", "step", "elsewhere"]
"""Where the second line was said: in answer to the same question, at the same step, elsewhere."""
Rule = Callable[[Statement, Statement, Nearness], bool]


def is_clash(one: Statement, other: Statement, near: Nearness) -> bool:
    """True if two lines say what cannot both hold. `other` was said later."""
    return any(rule(one, other, near) for rule in (*_BY_VALUES, *_BY_WORDS))


def is_clash_of_values(one: Statement, other: Statement, near: Nearness) -> bool:
    """True if they clash by a number or the meaning of a name, whatever their words say."""
    return any(rule(one, other, near) for rule in _BY_VALUES)


# ── said and denied ────────────────────────────────────────────────────────────────────────────


def is_denied(one: Statement, other: Statement, near: Nearness) -> bool:
    """True if one of two lines says what the other one says is not so."""
    if one.asks or other.asks or len(one.words & other.words) < SHARED_WORDS_MIN:
        return False
    return _denies(one, other, near) or _denies(other, one, near)


def _denies(line: Statement, other: Statement, near: Nearness) -> bool:
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


def _is_what_is_said(denial: Clause, clause: Clause, near: Nearness) -> bool:
    """At another step both the subject and all that is denied have to be the same."""
    elsewhere = near == "elsewhere"
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


def _is_turned_down(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "Not in the current one.", "no!! not the photo": few words, all of the first line."""
    if one.asks:
        return False
    if near == "elsewhere":
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


def _is_done_all_the_same(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "nobody looks at them" · "I look at them every day"."""
    nobody = lexis.pattern("nobody-does").search(one.text) if near != "elsewhere" else None
    somebody = lexis.pattern("one-does").match(other.text)
    if not nobody or not somebody or one.asks or other.asks:
        return False
    what, other_what = (
        {*content(words), *lexis.words("names-a-thing-said").intersection(words)}
        for words in (lexis.WORD.findall(match["what"]) for match in (nobody, somebody))
    )
    is_same_act = lexis.stem(nobody["act"]) == lexis.stem(somebody["act"])
    return is_same_act and not what.isdisjoint(other_what)


# ── one number against another ─────────────────────────────────────────────────────────────────


def _are_other_numbers(one: Statement, other: Statement, near: Nearness) -> bool:
    if len(one.numbers) != 1 or len(other.numbers) != 1:
        return False
    first, second = one.numbers[0], other.numbers[0]
    if not is_other_value(first, second) or not first.unit:
        return False
    shared = (one.words & other.words) - {first.unit}
    least = SHARED_WORDS_MIN - (near == "question")
    share = NUMBERS_SHARE_ELSEWHERE_MIN if near == "elsewhere" else NUMBERS_SHARE_MIN
    return len(shared) >= max(least, share * min(len(one.words), len(other.words)))


def is_other_value(first: Number, second: Number) -> bool:
    """True if two numbers measure the same in the same role, and differ."""
    same_role = first.role == second.role or "" in (first.role, second.role)
    return first.unit == second.unit and first.value != second.value and same_role


def _is_bare_number_against(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "50. Below that nobody looks." and "25. I will not move." """
    if near != "question" or one.leading is None or other.leading is None:
        return False
    return one.leading != other.leading


def _is_number_doubted(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "25? more like 40", "10 is too long": the first line says that number."""
    amounts = {(number.value, number.unit) for number in one.numbers}
    others = {(number.value, number.unit) for number in other.numbers if number.unit}
    if others and {unit for _, unit in others} <= one.measures and not others & amounts:
        return _is_given_up_number(one, other, near)  # "a week is too long" judges no day
    if near == "elsewhere":
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


def _is_given_up_number(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "under 10 minutes" · "that's 40 min, not 10"."""
    is_measured = other.measures & one.measures - {""}
    return near != "elsewhere" and bool(other.given_up_numbers & one.written and is_measured)


# ── one thing decided in two places ────────────────────────────────────────────────────────────


def _are_opposite(one: Statement, other: Statement, near: Nearness) -> bool:
    if one.asks or other.asks:
        return False
    for pair in lexis.opposites():
        for side, opposite in ((pair.one, pair.other), (pair.other, pair.one)):
            sides = side | opposite
            if not (one.tokens & side and other.tokens & opposite):
                continue
            if one.tokens & opposite or other.tokens & side:
                continue
            least = (
                pair.shared + (near == "elsewhere") - (pair.is_adjective and near != "elsewhere")
            )
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


def _have_other_holders(one: Statement, other: Statement, _near: Nearness) -> bool:
    """ "one calendar per user", "one calendar per team is enough"."""
    first, second = _per(one), _per(other)
    return any(counted == same and of != holder for counted, of in first for same, holder in second)


def _per(line: Statement) -> set[tuple[str, str]]:
    holders = lexis.words("holders")
    return {
        (lexis.stem(clause.tokens[at - 1]), clause.tokens[at + 1])
        for clause in line.clauses
        for at, token in enumerate(clause.tokens[:-1])
        if token in ("per", "pro", "por", "each") and at and clause.tokens[at + 1] in holders
    }


def is_other_in_front(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "the handheld wins", "server wins": only one of two can."""
    if near == "elsewhere" or one.asks or other.asks:
        return False
    return any(
        is_other_precedence(first, second)
        for first in one.precedences
        for second in other.precedences
    )


def _is_said_not_to(one: Statement, other: Statement, near: Nearness) -> bool:
    """ "the ledger wins", "at night the ledger is wrong": of what alone can do it, it is denied."""
    match = lexis.pattern("ends-in-not").match(other.text) if near != "elsewhere" else None
    thing = frozenset(content(lexis.WORD.findall(match["thing"]))) if match else frozenset()
    return any(first.thing <= thing for first in one.precedences)


def _are_other_meanings(one: Statement, other: Statement, _near: Nearness) -> bool:
    """ "G = Milk", "G was gluten"."""
    return any(
        name == same and meaning != otherwise
        for name, meaning in one.meanings
        for same, otherwise in other.meanings
    )


# ── in and out of scope ────────────────────────────────────────────────────────────────────────


def _is_left_out(one: Statement, other: Statement, _near: Nearness) -> bool:
    if one.asks or other.asks:
        return False
    return _leaves_out(one, other) or _leaves_out(other, one)


def _leaves_out(line: Statement, other: Statement) -> bool:
    if other.left_out or other.objects or not line.left_out:
        return False  # what says no as well agrees
    return any(
        len(listed) >= SHARED_WORDS_MIN and listed <= other.asserted for listed in line.left_out
    )


def _comes_in(one: Statement, other: Statement, _near: Nearness) -> bool:
    """ "no gift cards, v2" · "ok, gift cards are in": half of what comes in was left out."""
    left_out = [words for words in one.left_out if words & other.comes_in]
    return any(2 * len(words & other.comes_in) >= len(other.comes_in) for words in left_out)


def _is_new_all_the_same(one: Statement, other: Statement, near: Nearness) -> bool:
    if near == "elsewhere":
        return False
    return (one.bans_new and other.is_new) or (one.is_new and other.bans_new)


_BY_VALUES: Final[tuple[Rule, ...]] = (
    _is_number_doubted,
    _are_other_numbers,
    _is_bare_number_against,
    _are_other_meanings,
)
_BY_WORDS: Final[tuple[Rule, ...]] = (
    is_denied,
    _is_done_all_the_same,
    _is_turned_down,
    _is_left_out,
    _comes_in,
    _are_opposite,
    _have_other_holders,
    is_other_in_front,
    _is_said_not_to,
    _is_new_all_the_same,
)
