"""Whether a line names an earlier one as taken back: by its label, its words or its number."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from core import patterns
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.clashes import is_number_anew, is_other_value
from core.brains.bookkeeping.differences.lexis import TIME, WORD, content
from core.brains.bookkeeping.differences.statements import Statement, statement
from core.brains.bookkeeping.differences.turns import is_denied
from core.brains.text.filler import behind_turn
from core.brains.text.wording import worded_anew

if TYPE_CHECKING:
    from core.brains.bookkeeping.differences.finder import SaidLine

WORDS_BETWEEN_MAX: Final = 3  # of two lines that stand right behind each other
WORDS_TAKEN_BACK_MIN: Final = 2  # shared by what is taken back and what is said instead
LISTED_MIN: Final = 3  # lines of an answer that may be a list
_TAKES_BACK: Final = patterns.compile(
    r"\b(?:scratch|forget|strike|streiche?)\s+\(?([a-z]|[a-z]{1,3}-?[0-9]{1,3})\b",
    patterns.IGNORECASE,
)
_IS_OFF: Final = patterns.compile(  # "5 is off, the lead decides", "ok no (d)"
    r"\W*(?:(?:ok(?:ay)?|so|fine|then|well)[,. ]+)*"
    r"(?:\(?(?P<name>[a-z]|[a-z]{1,3}-?[0-9]{1,3}|[0-9]{1,2})\)? is (?:off|out|gone|dropped)\b"
    r"|no \((?P<not>[a-z]|[0-9]{1,2})\))",
    patterns.IGNORECASE,
)
_LABEL: Final = patterns.compile(r"[a-z]{1,3}-?[0-9]{1,3}")
_REF: Final = patterns.compile(r"(?<!\w)[A-Z]{2,4}-[0-9]{3,}(?!\w)")
_ANEW: Final = patterns.compile(
    r"\(?([a-z]|[a-z]{1,3}-?[0-9]{1,3})[).:]?\s+(?:new|neu|now)\b\s*:?", patterns.IGNORECASE
)


def is_named(first: "SaidLine", second: "SaidLine") -> bool:
    """True if the later line says that the earlier one holds no more: "scratch e)", "F3: 13
    months", "I take back “links only”", "no wait, …", "hm no, …" or "make that 8" right behind it;
    of the size, "make it 95"."""
    is_one_answer = first.answer.id == second.answer.id
    is_near = first.claim.step == second.claim.step
    if first.is_of_scan:
        return is_number_anew(first.says, second.says, is_near)
    if is_one_answer and second.says.corrects and first.says.words:
        return True
    is_cut_short = is_one_answer and first.claim.text.endswith(("...", "…"))
    if is_cut_short and behind_turn(second.claim.text) and _is_before(first, second):
        return True
    sets_number = lexis.pattern("sets-number").fullmatch(second.claim.text)
    may_be_set = sets_number and not first.tells_how_it_is and _is_before(first, second)
    if may_be_set and _has_one_to_set(first.says, second.says):
        return True
    takes_it_back = lexis.pattern("takes-it-back").match(second.claim.text)
    if takes_it_back and len(first.says.words & second.says.words) >= WORDS_TAKEN_BACK_MIN:
        return True
    if is_near and {first.label, first.number} & _labels(second.says.text) - {""}:
        return True
    takes_last_back = lexis.pattern("takes-last-back").fullmatch(second.claim.text)
    if takes_last_back and is_near and not is_one_answer and first.demands:
        return True
    return _is_label_anew(first.says, second.says) or (
        not is_one_answer and _is_quoted(first.says, second.says)
    )


def _is_before(first: "SaidLine", second: "SaidLine") -> bool:
    """True for a line right before, in its answer or at the end of the one before; "Hm, or 150" may
    stand between."""
    before, is_said, _ = second.answer.text.partition(second.claim.text)
    if first.answer.id == second.answer.id:
        before = before.rpartition(first.claim.text)[2]
    elif not (first.turn is not None and second.turn == first.turn + 1 and first.ends_answer):
        return False
    return bool(is_said) and len(before.split()) <= WORDS_BETWEEN_MAX


def _has_one_to_set(first: Statement, second: Statement) -> bool:
    """True if a line has one number of the measure that another says anew, or of any measure."""
    units = {number.unit for number in second.numbers}
    values = [one for one in first.numbers if one.unit and units <= {"", one.unit}]
    if len(values) > 1:  # "200 companies three months after launch"
        values = [one for one in values if one.unit != TIME]
    return len(values) == 1 and values[0].value not in {one.value for one in second.numbers}


def corrected_by(later: "SaidLine", earlier: Sequence["SaidLine"]) -> "SaidLine | None":
    """The line whose number a later one says is not so, of any step: "100 greens, not 30".

    The one that shares most words with it; the only one with that number in its measure, where none
    shares any. `earlier`: the newest first.
    """
    says = later.says
    compares = later.claim.kind == "story" or lexis.pattern("compares").search(says.text)
    if not says.given_up_numbers or not says.numbers or compares:
        return None
    for line in earlier:
        has_name = line.claim.ref and patterns.find_word(line.claim.ref, later.claim.text) >= 0
        if has_name and says.given_up_numbers & line.says.written:
            return line  # "GOAL-001 is 150, not 200"
    lines = [line for line in earlier if _has_number_given_up(line, later)]
    about = [line for line in lines if line.says.words & says.words]
    if about:
        return max(about, key=lambda line: len(line.says.words & says.words))
    has_unit = says.measures - {""}  # without one, "30, not 20" is of its own step
    is_only = len(lines) == 1 and (has_unit or lines[0].claim.step == later.claim.step)
    return lines[0] if is_only else None


def is_worded_anew(first: "SaidLine", second: "SaidLine") -> bool:
    """True for "FR-012: …" of a line that says what shall be, of an earlier one with that name.

    Not in an answer of several lines: a list whose author gave them such names.
    """
    ref, _ = worded_anew(second.claim.text) if second.lines < LISTED_MIN else ("", "")
    return bool(ref) and ref == first.claim.ref and first.demands and second.demands


def is_number_of_words(first: "SaidLine", second: "SaidLine") -> bool:
    """True for "5 nearest catchers → make it 3" of a line that has those words."""
    match = lexis.pattern("sets-number-of").match(second.claim.text)
    return match is not None and match["quote"].casefold() in first.claim.text.casefold()


def is_number_set_next(first: "SaidLine", second: "SaidLine") -> bool:
    """True for "more like 2 s" and "make it 50, …" of somebody else right behind a line with one
    number of that measure."""
    setting = None if first.by & second.by else _setting(second)
    return bool(setting and _is_before(first, second) and _has_one_to_set(first.says, setting))


def _setting(line: "SaidLine") -> Statement | None:
    """What a line that sets a number says before it gives a reason: "make that 180 days, …"."""
    clause, _, _ = line.claim.text.partition(", ")
    return statement(clause) if lexis.pattern("sets-number").fullmatch(clause) else None


def is_labelled_anew(first: "SaidLine", second: "SaidLine") -> bool:
    """True for "c) make that 30" and "d) paused, not deleted" of an earlier line with that label.

    Not in an answer of several lines, which answers the items of a list one by one.
    """
    has_label = bool(first.label) and first.label == second.label and second.lines < LISTED_MIN
    if not has_label or first.claim.step != second.claim.step:
        return False
    if setting := _setting(second):
        return _has_one_to_set(first.says, setting)
    denied = (clause.words for clause in second.says.clauses if clause.denied)
    return any(words & first.says.words for words in (*denied, *second.says.given_up))


def is_denied_next(first: "SaidLine", second: "SaidLine") -> bool:
    """True if somebody else says no to an answer right behind it: its last line is denied, and the
    first line behind that no says what holds instead.

    "OCR wins" · "No. The typed number wins, it is what they declare".
    """
    if first.turn is None or second.turn is None or second.turn - first.turn != 1:
        return False
    reply = second.answer.text
    if first.by & second.by or not is_denied(first.claim.text, first.answer.text, reply):
        return False
    named = {*_REF.findall(second.claim.text)}  # "no. ART-003 stays" is of ART-003 alone
    if named and named.isdisjoint({first.claim.ref, *_REF.findall(first.claim.text)}):
        return False
    before, _, _ = reply.partition(second.claim.text)
    no_alone = lexis.pattern("no-alone")
    is_first = not before.strip() or no_alone.fullmatch(before)
    return bool(is_first and not no_alone.fullmatch(second.claim.text))


def with_new_number(line: "SaidLine", following: Sequence["SaidLine"]) -> "SaidLine":
    """Of "80 % is too late. Make it 70 %" the second line says what shall hold instead."""
    for other in following:
        is_next = other.answer.id == line.answer.id and other.says.has_cue and line.says.comments
        numbers = ((one, new) for one in line.says.numbers for new in other.says.numbers)
        if is_next and any(is_other_value(one, new) for one, new in numbers):
            return other
    return line


def with_its_number(
    line: "SaidLine", later: "SaidLine", earlier: Sequence["SaidLine"]
) -> "SaidLine":
    """The newest line that says what shall be, with the number that a line only speaks of: "less
    than 98 % is refused" for "argue with me about the 98 %". `earlier`: the newest first."""
    if line.demands:
        return line
    numbers = {
        (number.value, number.unit)
        for number in line.says.numbers
        if number.unit and any(is_other_value(number, other) for other in later.says.numbers)
    }
    demands = (
        other
        for other in earlier
        if other.demands and numbers & {(one.value, one.unit) for one in other.says.numbers}
    )
    return next(demands, line)


def _has_number_given_up(line: "SaidLine", later: "SaidLine") -> bool:
    measures = later.says.measures - {""}
    is_measured = bool(measures & line.says.measures if measures else line.says.measures - {""})
    has_number = bool(later.says.given_up_numbers & line.says.written)
    return has_number and is_measured and not (line.says.asks or line.is_of_scan)


def _is_quoted(first: Statement, second: Statement) -> bool:
    match = lexis.pattern("takes-back").search(second.text)
    thing = frozenset(content(WORD.findall(match["thing"]))) if match else frozenset()
    return bool(thing) and thing <= first.words


def _is_label_anew(first: Statement, second: Statement) -> bool:
    """ "F3: 13 months", behind "F3 a key is lent for 90 days"."""
    if len(second.numbers) != 1 or not second.words or not second.words <= first.words:
        return False
    if not all(_LABEL.fullmatch(word) for word in second.words):
        return False
    values = [number for number in first.numbers if number.unit == second.numbers[0].unit]
    return len(values) == 1 and is_other_value(values[0], second.numbers[0])


def takes_back(text: str) -> bool:
    """True for words that take something back, whatever that is."""
    return bool(statement(text).has_cue or _labels(text))


def _labels(text: str) -> set[str]:
    """The labels of lines that a text takes back: "scratch e)", "e) new: …"."""
    anew, is_off = _ANEW.match(text), _IS_OFF.match(text)
    names = {str(match[1]) for match in _TAKES_BACK.finditer(text)}
    names |= {str(is_off["name"] or is_off["not"])} if is_off else set()
    return names | ({str(anew[1])} if anew else set())
