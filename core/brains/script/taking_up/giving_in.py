"""What a line settles once people were not of one mind: it gives in, or gives something up."""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.differences.statements import statement
from core.brains.script import evidence
from core.brains.script.parts import choosing, verbs
from core.brains.script.parts.phrases import trimmed
from core.brains.script.taking_up import forms
from core.brains.script.taking_up.forms import Choice, Form, LineContext, share
from core.domain.answers import LineRef

OPTION_WORDS_MAX: Final = 14  # of what a line gives in to; a longer one tells something
_ROWS: Final = lexicon.table("evidence")["giving-in"]
_FORMS: Final = {name: lexicon.compiled(row) for name, row in _ROWS.items()}
_NUMBER: Final = patterns.compile(r"[0-9]")
_CODE: Final = patterns.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")


def conceded(line: str, context: LineContext) -> Choice | None:
    """ "Ok 14", "fair, dropping the kiosk", "grouping per ward, ok": to what somebody said."""
    match = _FORMS["concedes"].match(line) or _FORMS["concedes-last"].match(line)
    option = trimmed(match["a"]) if match else ""
    if (
        not option
        or forms.prevailing(option)
        or not context.others
        or len(option.split()) > OPTION_WORDS_MAX
    ):
        return None
    if evidence.is_aside(option) or _FORMS["no-concession"].match(option):
        return None
    if not choosing.is_plain(option, option) or not _is_settled(option, context):
        return None
    return Choice(option, supersedes=_own_number(option, context))


def _is_settled(option: str, context: LineContext) -> bool:
    """True for a thing, a number or a deed that was spoken of; not for how something is."""
    texts = [answer.text for answer in context.others] + [claim.text for claim in context.own]
    is_spoken_of = any(share(text, option) for text in texts)
    is_number = bool(_NUMBER.search(option) and any(_NUMBER.search(text) for text in texts))
    if verbs.told_by(_CODE.sub("x", option)):
        return is_spoken_of and bool(_FORMS["in-or-out"].search(option))
    return is_spoken_of or is_number


def then_it_is(line: str, context: LineContext) -> Choice | None:
    """ "The keyboard's own then", behind an objection or a doubt, though nobody spoke of it."""
    match = _FORMS["then"].match(line)
    option = trimmed(match["a"]) if match else ""
    if not match or _FORMS["no-concession"].match(option) or verbs.is_bare(option):
        return None
    if not choosing.is_plain(option, option) or verbs.told_by(_CODE.sub("x", match["a"])):
        return None
    doubts = context.own and _FORMS["doubts"].match(context.own[-1].text)
    return Choice(option) if doubts or forms.objection_in(context) else None


def given_up(line: str, _: LineContext) -> Choice | None:
    """ "Then the nice names go overboard first", "we drop the bulk first"."""
    match = _FORMS["goes-first"].match(line) or _FORMS["drops-first"].match(line)
    option = trimmed(match["a"]) if match else ""
    if not option or not choosing.is_plain(line, option):
        return None
    return Choice(option, choice="rejected")


def _own_number(option: str, context: LineContext) -> tuple[LineRef, ...]:
    """The one line of its author's own with another number of the unit that somebody else named.

    Nothing where several have one, or where the line says much besides.
    """
    number = statement(option).written
    others = [statement(answer.text) for answer in context.others]
    units = {unit for other in others if other.written & number for unit in other.measures if unit}
    lines = [
        claim
        for claim in context.own
        if len(claim.text.split()) <= forms.OWN_WORDS_MAX
        and statement(claim.text).measures & units
        and not statement(claim.text).written & number
    ]
    return forms.given_up(lines)


EVERYWHERE: Final[tuple[Form, ...]] = (conceded, then_it_is, given_up)
