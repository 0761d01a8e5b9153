"""What somebody settles who yields to an objection against what they had put."""

from collections.abc import Sequence
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.differences.statements import statement
from core.brains.script import evidence
from core.brains.script.parts import choosing, verbs
from core.brains.script.parts.phrases import on_one_line, trimmed
from core.brains.script.taking_up.forms import Choice, LineContext, share
from core.domain.answers import Answer, Claim, LineRef
from core.domain.ids import UserId

OPTION_WORDS_MAX: Final = 25  # of what somebody yields with; a longer one tells something
NUMBER_WORDS_MAX: Final = 12  # of a line that puts a number in place of another one
OWN_WORDS_MAX: Final = 20  # of a line that is given up with its number
ACCEPTED_LINES_MAX: Final = 2  # of an answer that is accepted as a whole
OBJECTION_ANSWERS_MAX: Final = 3  # between an objection and where it is given up
_ROWS: Final = lexicon.table("evidence")["giving-in"]
_YIELDS, _SURELY, _FOLLOWS, _ACCEPTS, _OBJECTS = (
    lexicon.compiled(_ROWS[name])
    for name in ("yields", "yields-surely", "follows", "accepts", "objects")
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
        own = _own_lines(option, context, text)
        is_to_be = _is_to_be(option) or (
            pattern is not _YIELDS and _is_told_of(option, own, context)
        )
        if option and is_to_be:
            return Choice(option, supersedes=_given_up(own))
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


def _is_told_of(option: str, own: Sequence[Claim], context: LineContext) -> bool:
    is_of_others = any(share(answer.text, option) for answer in context.others)
    return verbs.told_by(option) == "does" and bool(own or is_of_others)


def _own_lines(option: str, context: LineContext, text: str) -> list[Claim]:
    return [
        claim
        for claim in context.own
        if claim.kind not in ("note", "question", "check", "interface")
        and share(claim.text, option)
        and on_one_line(claim.text) not in text
    ]


def _given_up(lines: Sequence[Claim]) -> tuple[LineRef, ...]:
    """The line that is given up; nothing where it may be one of several."""
    texts = dict.fromkeys((line.text, line.sources) for line in lines)
    return (LineRef(lines[0].sources[0], lines[0].text),) if len(texts) == 1 else ()


def renumbered(line: str, context: LineContext) -> Choice | None:
    """ "72 hours", of whose author's "14 days" somebody else has just said that it is too long."""
    objection = context.others[-1].text if context.others else ""
    option = trimmed(line)
    numbers = statement(option)
    if verbs.told_by(option) or len(option.split()) > NUMBER_WORDS_MAX or not numbers.written:
        return None
    if not _OBJECTS.search(objection) or not choosing.is_plain(option, option):
        return None
    contested = statement(objection).written
    own = [
        claim
        for claim in context.own
        if statement(claim.text).written & contested
        and statement(claim.text).measures & numbers.measures - {""}
        and not statement(claim.text).written & numbers.written
    ]
    short = [claim for claim in own if len(claim.text.split()) <= OWN_WORDS_MAX]
    return Choice(option, supersedes=_given_up(short)) if own else None


def accepts(claim: Claim, answer: Answer) -> bool:
    """True for a sentence with which an answer opens and takes what was put: "Very well."."""
    before, found, _ = answer.text.partition(claim.text)
    return bool(found and _ACCEPTS.fullmatch(on_one_line(f"{before}{claim.text}")))


def put_against(earlier: Sequence[Answer], by: UserId) -> Answer | None:
    """The last answer, of somebody else, if the one who accepts it has objected shortly before."""
    if not earlier or earlier[-1].by == by:
        return None
    before = earlier[-1 - OBJECTION_ANSWERS_MAX : -1]
    has_objected = any(answer.by == by and _OBJECTS.search(answer.text) for answer in before)
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
