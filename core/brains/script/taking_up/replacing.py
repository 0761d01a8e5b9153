"""What a few words without a verb put in place of a line of which somebody else has just spoken.

"ok then the barge", "3 May", "the siren only at night", "the kiosk dropped": each says little
alone. It settles something where its author has put the line that it takes the place of.
"""

from collections.abc import Sequence
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.differences.statements import statement
from core.brains.script import evidence
from core.brains.script.parts import choosing, verbs
from core.brains.script.parts.phrases import trimmed
from core.brains.script.taking_up.forms import (
    Choice,
    Form,
    LineContext,
    given_up,
    objects,
    own_lines,
    share,
)
from core.domain.answers import Claim

_ROWS: Final = lexicon.table("evidence")["replacing"]
_FORMS: Final = {name: lexicon.compiled(row) for name, row in _ROWS.items()}
_NUMBER: Final = patterns.compile(r"[0-9]+")
_LABEL: Final = patterns.compile(r"(?:\| ?)?(?P<label>[A-Z]{1,3}-?[0-9]{1,2})(?:$|[^\w])")


def switched(line: str, context: LineContext) -> Choice | None:
    """ "Ok then the barge", behind what somebody said of its author's "by lorry"."""
    option = _thing_of("then", line)
    lines = _spoken_of(context)
    return Choice(option, supersedes=given_up(lines)) if option and lines else None


def swapped(line: str, context: LineContext) -> Choice | None:
    """ "Gas. 20% dearer, whatever", behind what somebody said against its author's "coal"."""
    option = _thing_of("alone", line) if context.opens else ""
    last = context.others[-1].text if context.others else ""
    lines = _spoken_of(context) if option and _FORMS["compares"].match(context.goes_on) else []
    return Choice(option, supersedes=given_up(lines)) if lines and objects(last) else None


def dropped_idea(line: str, context: LineContext) -> Choice | None:
    """ "Nah, plain tickets", right behind what its author only thought of."""
    option = _thing_of("nah", line)
    last = context.own[-1] if context.own else None
    is_idea = last and last.sources[:1] == (context.answer,) and _FORMS["idea"].match(last.text)
    return Choice(option) if option and is_idea else None


def bounded(line: str, context: LineContext) -> Choice | None:
    """ "The siren only at night", behind what somebody said against the siren."""
    match = _FORMS["only"].match(line)
    option = _thing_of("only", line)
    lines = [one for one in own_lines(context) if match and share(one.text, match["thing"])]
    is_contested = any(_objects_to(lines, answer.text) for answer in context.others[-2:])
    return Choice(option, supersedes=given_up(lines)) if option and is_contested else None


def ended(line: str, context: LineContext) -> Choice | None:
    """ "Mondays at 9, nothing else", behind what somebody else said."""
    option = _thing_of("nothing-else", line)
    return Choice(trimmed(line)) if option and context.others else None


def fell(line: str, context: LineContext) -> Choice | None:
    """ "The kiosk dropped", "kiosk dies, the board lives": of what its author had put."""
    match = _FORMS["falls"].match(line)
    thing = trimmed(match["a"]) if match else ""
    if not match or not _is_thing(thing):
        return None
    lines = [
        one
        for one in context.own
        if one.kind not in ("note", "question", "check")
        and one.sources[:1] != (context.answer,)
        and share(one.text, thing)
    ]
    if not lines:
        return None
    if match["lives"]:
        return Choice(trimmed(line), supersedes=given_up(lines))
    return Choice(thing, choice="rejected", supersedes=given_up(lines))


def redated(line: str, context: LineContext) -> Choice | None:
    """ "3 May", behind what somebody said of the date that its author had put."""
    match, last = _FORMS["date-alone"].match(line), context.others[-1:]
    if not match or not last or not _NUMBER.search(last[0].text):
        return None
    dated = [one for one in own_lines(context) if _FORMS["dated"].search(one.text)]
    same = [one for one in dated if _days_in(one.text) & frozenset(_NUMBER.findall(last[0].text))]
    lines = same or (dated if len(dated) == 1 else [])
    is_new = not any(_days_in(line) & _days_in(one.text) for one in lines)
    return Choice(trimmed(line), supersedes=given_up(lines)) if lines and is_new else None


def relabelled(line: str, context: LineContext) -> Choice | None:
    """ "72 h", of whose author's "N3: 24 h" somebody else has just spoken by its label."""
    last = context.others[-1].text if context.others else ""
    number = statement(line)
    if (
        not number.written
        or _FORMS["is-fine"].search(last)
        or not _FORMS["measure-alone"].match(line)
    ):
        return None
    lines = [
        one
        for one in own_lines(context)
        if (label := _LABEL.match(one.text))
        and patterns.find_word(label["label"], last) >= 0
        and statement(one.text).measures & number.measures - {""}
        and not statement(one.text).written & number.written
    ]
    return Choice(trimmed(line), supersedes=given_up(lines)) if lines else None


EVERYWHERE: Final[tuple[Form, ...]] = (
    switched,
    swapped,
    dropped_idea,
    bounded,
    ended,
    fell,
    redated,
)


def _thing_of(form: str, line: str) -> str:
    match = _FORMS[form].match(line)
    option = trimmed(match["a"]) if match else ""
    return option if _is_thing(option) else ""


def _is_thing(option: str) -> bool:
    if not option or verbs.told_by(option) or evidence.is_aside(option):
        return False
    return choosing.is_plain(option, option) and not _FORMS["no-thing"].match(option)


def _spoken_of(context: LineContext) -> list[Claim]:
    """The lines of its author's own of which the last answer of somebody else speaks."""
    text = context.others[-1].text if context.others else ""
    return [one for one in own_lines(context) if share(one.text, text)]


def _objects_to(lines: Sequence[Claim], text: str) -> bool:
    return objects(text) and bool(lines)


def _days_in(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(" ".join(m[0] for m in _FORMS["dated"].finditer(text))))
