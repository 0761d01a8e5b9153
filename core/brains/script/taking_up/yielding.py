"""What somebody settles who yields to an objection against what they had put."""

from typing import Final

from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import choosing, verbs
from core.brains.script.parts.phrases import trimmed
from core.brains.script.taking_up.forms import (
    Choice,
    LineContext,
    contested_lines,
    given_up,
    own_lines,
    share,
)
from core.domain.answers import LineRef

OPTION_WORDS_MAX: Final = 25  # of what somebody yields with; a longer one tells something
_ROWS: Final = lexicon.table("evidence")["giving-in"]
_YIELDS, _SURELY = (lexicon.compiled(_ROWS[name]) for name in ("yields", "yields-surely"))


def yielded(line: str, context: LineContext) -> Choice | None:
    """ "Good catch. Micros everywhere", "okay, convinced. The buyer sends it": behind an objection.

    What is told as a fact is a choice only if it is about a line of its author's own.
    """
    if not context.others:
        return None
    text = f"{context.lead} {line}".strip()
    for pattern in (_SURELY, _YIELDS):
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
