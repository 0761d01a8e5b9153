"""What somebody settles who yields to an objection against what they had put."""

from collections.abc import Sequence
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.differences.statements import statement
from core.brains.script import evidence
from core.brains.script.parts import choosing, verbs
from core.brains.script.parts.phrases import on_one_line, trimmed
from core.brains.script.taking_up.forms import (
    Choice,
    LineContext,
    contested_lines,
    given_up,
    objection_in,
    objects,
    own_lines,
    share,
)
from core.domain.answers import Answer, Claim, LineRef
from core.domain.ids import UserId

OPTION_WORDS_MAX: Final = 25  # of what somebody yields with; a longer one tells something
NUMBER_WORDS_MAX: Final = 12  # of a line that puts a number in place of another one
ACCEPTED_LINES_MAX: Final = 2  # of an answer that is accepted as a whole
OBJECTION_ANSWERS_MAX: Final = 3  # between an objection and where it is given up
_ROWS: Final = lexicon.table("evidence")["giving-in"]
_YIELDS, _SURELY, _FOLLOWS, _ACCEPTS = (
    lexicon.compiled(_ROWS[name]) for name in ("yields", "yields-surely", "follows", "accepts")
)


def yielded(line: str, context: LineContext) -> Choice | None:
    """ "Good catch. Micros everywhere", "okay, convinced. The buyer sends it": behind an objection.

    What is told as a fact is a choice only if it is about a line of its author's own.
    """
    if not context.others:
        return None
    text = f"{context.lead} {line}".strip()
    for pattern in (_SURELY, _FOLLOWS, _YIELDS):
        match = pattern.match(text)
        if not match or not match["a"] or not text.endswith(line):
            continue
        option = _option_in(match["a"])
        is_told = pattern is not _YIELDS and _is_told_of(option, context)
        if option and (is_told or _is_to_be(option)):
            return Choice(option, supersedes=_replaced_by(option, context))
    return None


def _option_in(text: str) -> str:
    """What is taken: the whole text or its first clause; no question, doubt or remark."""
    for part in (text, text.partition(", ")[0]):
        option = trimmed(part)
        is_plain = choosing.is_plain("", option) and not evidence.is_aside(option)
        if is_plain and "?" not in option and 1 < len(option.split()) <= OPTION_WORDS_MAX:
            return option
    return ""


def _is_to_be(option: str) -> bool:
    """True for a thing, and for what is said to the system: "take it, block from the next call"."""
    return not verbs.told_by(option) or verbs.is_command(option)


def _is_told_of(option: str, context: LineContext) -> bool:
    texts = (*(line.text for line in own_lines(context)), *(one.text for one in context.others))
    return verbs.told_by(option) == "does" and any(share(text, option) for text in texts)


def _replaced_by(option: str, context: LineContext) -> tuple[LineRef, ...]:
    """The line of which both the objection and what is taken speak; else the one of either."""
    contested = contested_lines(context)
    similar = [line for line in own_lines(context) if share(line.text, option)]
    both = [line for line in contested if line in similar]
    return given_up(both) or given_up(contested) or given_up(similar)


def renumbered(line: str, context: LineContext) -> Choice | None:
    """ "72 hours", of whose author's "14 days" somebody else has just said that it is too long."""
    objection, option = objection_in(context), trimmed(line)
    numbers = statement(option)
    if verbs.told_by(option) or len(option.split()) > NUMBER_WORDS_MAX or not numbers.written:
        return None
    if not objection or not choosing.is_plain(option, option):
        return None
    contested = statement(objection).written
    own = [
        claim
        for claim in context.own
        if statement(claim.text).written & contested
        and statement(claim.text).measures & numbers.measures - {""}
        and not statement(claim.text).written & numbers.written
    ]
    short = [line for line in own_lines(context) if line in own]
    return Choice(option, supersedes=given_up(short)) if own else None


def accepts(claim: Claim, answer: Answer) -> bool:
    """True for a sentence with which an answer opens and takes what was put: "Very well."."""
    before, found, _ = answer.text.partition(claim.text)
    return bool(found and _ACCEPTS.fullmatch(on_one_line(f"{before}{claim.text}")))


def put_against(earlier: Sequence[Answer], by: UserId) -> Answer | None:
    """The last answer, of somebody else, if the one who accepts it has objected shortly before."""
    if not earlier or earlier[-1].by == by:
        return None
    before = earlier[-1 - OBJECTION_ANSWERS_MAX : -1]
    has_objected = any(answer.by == by and objects(answer.text) for answer in before)
    return earlier[-1] if has_objected else None


def accepted_line(lines: Sequence[Claim]) -> Claim | None:
    """The first line of a short answer, if that can be chosen; the newest of its kinds."""
    texts = list(dict.fromkeys(line.text for line in lines))
    if (
        not texts
        or len(texts) > ACCEPTED_LINES_MAX
        or any(line.data.get("choice") for line in lines)
    ):
        return None
    text = on_one_line(texts[0])
    is_choosable = verbs.told_by(text) in ("", "does") and _option_in(text)
    first = [line for line in lines if line.text == texts[0] and line.kind != "note"]
    return first[-1] if is_choosable and first else None
