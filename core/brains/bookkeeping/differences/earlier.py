"""Lines of earlier answers, of any step, that a line points back to without repeating them.

Each rule takes the words of the thing: "I take back “links only”", "pork comes in after all" behind
an answer that names what was left out, "photos only for members".
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.lexis import WORD, content
from core.brains.bookkeeping.differences.statements import statement
from core.domain.answers import Answer, ClaimKind

if TYPE_CHECKING:
    from core.brains.bookkeeping.differences.finder import SaidLine

RESTRICTED_MAX: Final = 2  # requirements of one thing; of more nobody can tell which is meant
_BINDS: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality", "decision"})


def taken_back(later: "SaidLine", own: Sequence["SaidLine"]) -> "SaidLine | None":
    """The last line of its author, of another answer, with the words that a line takes back."""
    match = lexis.pattern("takes-back").search(later.says.text)
    thing = _words(match["thing"]) if match else frozenset()
    lines = (line for line in own if line.answer.id != later.answer.id)
    return next((line for line in lines if thing and thing <= line.says.words), None)


def pointed_at(
    later: "SaidLine", earlier: Sequence["SaidLine"], lines: Sequence[Answer]
) -> "SaidLine | None":
    """The line that it denies by its label or restricts, or that the answer right before speaks of.

    `lines`: the answers of the step, the oldest first.
    """
    at = lines.index(later.answer) if later.answer in lines else 0
    if labelled := _denied_by_label(later, earlier):
        return labelled
    if not at:
        return _restricted(later, earlier)
    previous = [line for line in earlier if line.answer.id == lines[at - 1].id]
    return (
        next((line for line in previous if _are_figures(line, later)), None)
        or _outbid(later, previous)
        or _restricted(later, earlier)
        or _taken_in(later, earlier, lines[at - 1])
    )


def _denied_by_label(later: "SaidLine", earlier: Sequence["SaidLine"]) -> "SaidLine | None":
    """The line that others called "b)", where it opens with "b) no." or stands behind that."""
    at = later.answer.text.find(later.claim.text)
    before = later.answer.text[:at].rpartition("\n")[2]
    is_no = lexis.pattern("denies-label").match(f"{before}{later.claim.text}")
    of_step = (line for line in earlier if line.claim.step == later.claim.step)
    others = (line for line in of_step if not line.by & later.by and line.says.words)
    is_one = bool(is_no and at >= 0 and later.label and later.says.words)
    return next((line for line in others if is_one and line.label == later.label), None)


def _are_figures(line: "SaidLine", later: "SaidLine") -> bool:
    """ "50. Below that nobody looks." and, as the next answer, "25. I will not move." """
    figures = {line.says.leading, later.says.leading}
    open_answers = all(
        said_line.answer.text.startswith(said_line.claim.text) for said_line in (line, later)
    )
    return None not in figures and len(figures) > 1 and open_answers and not line.by & later.by


def _outbid(later: "SaidLine", previous: Sequence["SaidLine"]) -> "SaidLine | None":
    """The line of the answer before, of somebody else, against whose number a line offers another:
    "answers in under 1 s" · "1 s can't be done. 3 s I can do". Nothing where it may be any."""
    if len(later.says.numbers) != 1 or not lexis.pattern("offers").search(later.says.text):
        return None
    offer = later.says.numbers[0]
    numbered = [
        (number, line)
        for line in previous
        if not line.by & later.by
        for number in line.says.numbers
        if number.unit and number.unit == (offer.unit or number.unit)
    ]
    repeated = {(number.value, number.unit) for number in statement(later.answer.text).numbers}
    if len(numbered) > 1:
        numbered = [pair for pair in numbered if (pair[0].value, pair[0].unit) in repeated]
    is_plain = len(numbered) == 1 and numbered[0][0].value != offer.value
    return numbered[0][1] if is_plain else None


def _taken_in(
    later: "SaidLine", earlier: Sequence["SaidLine"], previous: Answer
) -> "SaidLine | None":
    """What was left out and the answer before speaks of, where a line takes something in."""
    if not (later.says.comes_in and lexis.pattern("in-after-all").search(later.says.text)):
        return None
    spoken_of = statement(previous.text).words
    left_out = ((line, thing) for line in earlier for thing in line.says.left_out)
    candidates = [(len(thing), line) for line, thing in left_out if thing and thing <= spoken_of]
    return max(candidates, key=lambda pair: pair[0], default=(0, None))[1]


def _restricted(later: "SaidLine", earlier: Sequence["SaidLine"]) -> "SaidLine | None":
    """The last of one or two requirements of a thing that a line has "only for" some."""
    match = lexis.pattern("restricts").search(later.says.text)
    if match is None or later.claim.kind not in _BINDS:
        return None
    thing, some = _words(match["thing"]), _words(match.after)
    of_thing = [
        line
        for line in earlier
        if line.claim.kind == "requirement" and thing and thing <= line.says.words
        if line.answer.id != later.answer.id
    ]
    is_known = any("only" in line.says.tokens or some <= line.says.words for line in of_thing)
    return of_thing[0] if 0 < len(of_thing) <= RESTRICTED_MAX and not is_known else None


def _words(text: str) -> frozenset[str]:
    return frozenset(content(WORD.findall(text)))
