"""Numbers that nobody gave a unit, and qualities that nobody gave a number."""

from collections.abc import Iterator
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.differences.lexis import units
from core.brains.script.follow_ups.lines import SHARED_WORDS_MIN, Grounds, named, of_kind
from core.brains.script.parts import signs
from core.brains.script.parts.phrases import endpoints_in
from core.brains.text.wording import words_of
from core.domain.answers import Claim
from core.domain.follow_ups import WHICH_UNIT, FollowUp
from core.domain.lines import line_of

HOW_MUCH: Final = "{}: how much is good enough, as a number?"
KINDS: Final = (
    "requirement", "quality", "constraint", "error", "data", "interface", "decision", "success"
)  # fmt: skip
TELL: Final = ("fact", "entry-point", "module", "risk")  # asked about only where the form is plain
_NAMES: Final = lexicon.pattern("number-names")
_STANDS_BARE: Final = lexicon.pattern("number-stands-bare")
_IS_LIMIT: Final = lexicon.pattern("limits")
_SPANS: Final = lexicon.pattern("number-spans")
_CLOCK: Final = lexicon.pattern("clock-follows")
_SHALL_BE: Final = lexicon.pattern("shall-be-so")
_ANY: Final = patterns.compile(r"[0-9]+")
_JOINED: Final = frozenset(".,:/#+-_$%'’")  # a number beside one of these is a part of something
YEARS: Final = range(1900, 2100)
STATUSES: Final = range(100, 600)  # of HTTP, in a line or message that names a call
_STATUS_CLASS: Final = patterns.compile(r"\b[1-5]xx\b", patterns.IGNORECASE)
REPLY_WORDS_MAX: Final = 12  # that put a number against that of somebody else
ANSWERS_BEFORE: Final = 3
_CLAUSES: Final = patterns.compile(r"[,;] ")
_PER: Final = lexicon.pattern("per-something")
_CODE: Final = lexicon.pattern("number-of-a-code")
_COUNTS_LIST: Final = lexicon.pattern("numbers-with-one-unit")
_OF_A_NAME: Final = lexicon.pattern("number-of-a-name", flags=0)
_CARRIES_ON: Final = lexicon.pattern("carries-on")
_CARRIES_ON_IN_LIST: Final = lexicon.pattern("carries-on-in-list")
_SET_AGAINST: Final = lexicon.pattern("set-against-things")
_PART_OF_MANY: Final = lexicon.pattern("part-of-many")
_AGE: Final = lexicon.pattern("age-of-people")
_KNOWN_STATUSES: Final = frozenset(lexicon.table("english")["known-statuses"])
_MEASURED: Final = patterns.compile(r"(?<![\w.,-])([0-9]+)\s?([^\W\d_]+|[%€$£])")
_PLURAL: Final = patterns.compile(r"[^\W\d_]{3,}s")
_OF_THINGS: Final = lexicon.pattern("things-that-are-counted")
_BOUNDS_BEHIND: Final = lexicon.pattern("bounds-behind")
_SAYS_HOW_MUCH: Final = lexicon.pattern("says-how-much")
_WANTS_NUMBER: Final = lexicon.pattern("wants-number")


def without_unit(grounds: Grounds) -> Iterator[FollowUp]:
    for claim in (*of_kind(grounds, *KINDS, *TELL), *grounds.questions):
        # another value of something that was said before has the unit of that
        bare = () if signs.SETS_ANEW.match(claim.text) else bare_numbers(claim.text)
        limits = [number for number in bare if claim.kind in KINDS or _is_limit(claim.text, number)]
        numbers = [match[0] for match in _ANY.finditer(claim.text)]
        for number in limits:
            is_bare = numbers.count(number) == bare.count(number)
            if is_bare and not any(
                is_known(number, claim, grounds)
                for is_known in (_is_version, _is_status, _has_unit, _is_set_against)
            ):
                yield FollowUp("unit", WHICH_UNIT.format(named(claim), number), line_of(claim))
                break


def without_number(grounds: Grounds) -> Iterator[FollowUp]:
    for claim in of_kind(grounds, "quality", "requirement", *TELL, "constraint", "story"):
        is_asked_of = claim.kind == "quality" and _WANTS_NUMBER.search(claim.text)
        if not (is_asked_of or _SHALL_BE.search(claim.text)) or _is_measured(claim):
            continue
        if not grounds.says_of(claim, _SAYS_HOW_MUCH):
            yield FollowUp("number", HOW_MUCH.format(named(claim)), line_of(claim))


def _is_measured(claim: Claim) -> bool:
    """True if a number stands in the line; of a quality, in the clause of its degree or behind."""
    clauses = _CLAUSES.split(claim.text) if claim.kind == "quality" else [claim.text]
    of_degree = (place for place, clause in enumerate(clauses) if _WANTS_NUMBER.search(clause))
    return any(_SAYS_HOW_MUCH.search(clause) for clause in clauses[next(of_degree, 0) :])


def bare_numbers(text: str) -> tuple[str, ...]:
    """The numbers that nothing countable follows."""
    numbers = _ANY.finditer(text)
    return tuple(match[0] for match in numbers if _is_bare(text, match.start(), match.end()))


def _is_bare(text: str, start: int, end: int) -> bool:
    before, after = text[:start], text[end:]
    number = int(text[start:end])
    if not start:
        return bool(_PER.match(after))
    if before.casefold().endswith("not "):  # "not 20, 10 is enough"
        return False
    if before[-1].isalpha() or before[-1] in _JOINED or number in YEARS or not number:
        return False
    if number in STATUSES and endpoints_in(text):
        return False
    if _OF_A_NAME.search(before) and not _IS_LIMIT.search(before):
        return False
    if (
        _carries_on(before)
        or _SET_AGAINST.search(before)
        or _AGE.search(before)
        or _PART_OF_MANY.match(after)
    ):
        return False
    if _CODE.search(f"{before[-24:]}#") or _COUNTS_LIST.match(after) or _OF_THINGS.search(before):
        return False
    if before[-1] == "(" or _SPANS.search(f"{before[-8:]}#{after[:8]}") or _CLOCK.match(after):
        return False
    if after[:1] in _JOINED and after[1:2].isalnum():
        return False
    return bool(_STANDS_BARE.match(after)) and not _NAMES.search(before)


def _carries_on(before: str) -> bool:
    """True behind "8 seconds at first and": a second number of one unit.

    In a list, as of "ropes every 6", the word that bounds it bounds the first number, too.
    """
    match = _CARRIES_ON.search(before)
    in_list = None if match else _CARRIES_ON_IN_LIST.search(before)
    carried = match or in_list
    if carried is None or carried["unit"].casefold() not in units():
        return False
    head = before[: carried.start()].rstrip()
    if not head[-1:].isdigit():
        return False
    first = head.rstrip("0123456789.,")
    is_bound = in_list is not None and _IS_LIMIT.search(before) is not None
    return not is_bound or before.split()[-1:] == first.split()[-1:]


def _is_limit(text: str, number: str) -> bool:
    """True if the line names beside it what it bounds: "limit 50", "within 14", "6 before"."""
    bounds = [match for match in _ANY.finditer(text) if match[0] == number]
    return any(
        _IS_LIMIT.search(text[: match.start()]) or _BOUNDS_BEHIND.match(text[match.end() :])
        for match in bounds
    )


def _is_version(number: str, claim: Claim, _: Grounds) -> bool:
    """True for "Django 5, Postgres 16", where it is decided what is used."""
    names = patterns.compile(rf"(?:^|[.,;+] |and )(?P<name>[A-Z][\w-]*) {number}(?:[.,;+]|$| and )")
    match = names.search(claim.text) if claim.kind == "decision" else None
    return match is not None and not _IS_LIMIT.search(f"{match['name']} ")


def _is_status(number: str, claim: Claim, grounds: Grounds) -> bool:
    """True for an HTTP status: one that is hardly anything else, or of a message with calls."""
    is_known = int(number) in _KNOWN_STATUSES
    if is_known and (f": {number}," in claim.text or not _is_limit(claim.text, number)):
        return True
    texts = (answer.text for answer in grounds.request.answers if answer.id in claim.sources)
    return int(number) in STATUSES and any(
        endpoints_in(text) or _STATUS_CLASS.search(text) for text in texts
    )


def _is_set_against(number: str, claim: Claim, grounds: Grounds) -> bool:
    """True for "I'd go 280" right behind "500 letters at most" of somebody else."""
    answers = grounds.request.answers
    at = next((n for n, answer in enumerate(answers) if answer.id in claim.sources), 0)
    if len(claim.text.split()) > REPLY_WORDS_MAX or len(bare_numbers(claim.text)) > 1:
        return False
    before = (answer.text for answer in reversed(answers[max(at - ANSWERS_BEFORE, 0) : at]))
    numbered = next((text for text in before if _ANY.search(text)), "")
    measured = [match[2].casefold() for match in _MEASURED.finditer(numbered)]
    if len(measured) != 1 or len(list(_ANY.finditer(numbered))) != 1:
        return False
    return measured[0] in units() or _PLURAL.fullmatch(measured[0]) is not None


def _is_measured_at_step(number: str, claim: Claim, grounds: Grounds) -> bool:
    """True if "ok 180 then" takes up "180 days" of another answer of its step."""
    texts = (
        answer.text
        for answer in grounds.request.every_answer
        if answer.step == claim.step and answer.id not in claim.sources
    )
    measured = patterns.compile(rf"(?<![\w.,-]){patterns.escape(number)}\s?([^\W\d_]+|[%€$£])")
    return any(
        match[1].casefold() in units() for text in texts for match in measured.finditer(text)
    )


def _has_unit(number: str, claim: Claim, grounds: Grounds) -> bool:
    """True if a line about the same said the number with what it counts."""
    counted = patterns.compile(rf"(?<![\w.-]){patterns.escape(number)}\s?(?:%|[^\W\d_]{{2,}})")
    read_as = (line for line in grounds.every if line.text == claim.text)
    takes_up = any(line.kind == "decision" or line.supersedes for line in read_as)
    if takes_up and _is_measured_at_step(number, claim, grounds):
        return True
    about = words_of(claim.text) - {number}
    enough = min(SHARED_WORDS_MIN, len(about))
    return any(
        len(about & words) >= enough and counted.search(text) and number not in bare_numbers(text)
        for text, words in grounds.sentences
    )
