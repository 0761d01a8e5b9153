"""What leaves something out: a later time, another place, somebody else's job, a part nobody gets.

Its forms are rows of `steps/brains/exclusions.yaml`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts import verbs
from core.brains.script.parts.weighing import opens_with_people
from core.brains.text.questions import Fragment

LabelOf = Callable[[str], tuple[str, str]]

_ROWS: Final = lexicon.table("exclusions")
_GOES_FIRST: Final = lexicon.compiled(_ROWS["goes-first"])
_FORMS: Final = (
    lexicon.compiled(
        [f"(?:{row})" for row in _ROWS["says"]],
        unless=lambda match: match["version"] and match.after.startswith(" of"),  # of a thing
    ),
    lexicon.compiled(
        [f"(?:{row})" for row in _ROWS["declines"]],
        unless=lambda match: _GOES_FIRST.search(match.after),  # if time runs short
    ),
    lexicon.compiled(_ROWS["no-part"]),
)
_OF_THINGS: Final = lexicon.compiled(_ROWS["of-things"])
_NO_THING: Final = lexicon.compiled(_ROWS["no-thing"])
_LEAVES_NOTHING_OUT: Final = lexicon.compiled(_ROWS["leaves-nothing-out"])
_HAPPENS: Final = lexicon.compiled(_ROWS["happens"])
_LATER: Final = lexicon.compiled(_ROWS["later"])
_BETWEEN: Final = patterns.compile(
    r"\s*[,;]\s+(?:(?:and|or|und|oder|y|et)\s+)?|\s+/\s+|\s+(?:and|und|y|et)\s+",
    patterns.IGNORECASE,
)
THING_WORDS_MAX: Final = 8


def leaves_out(line: str) -> bool:
    """True if a line, without the words that only lead to it, leaves something out."""
    if leaves_nothing_out(line):
        return False
    if any(form.search(line) for form in _FORMS):
        return True
    match = _OF_THINGS.match(line)
    return match is not None and any(map(_is_thing, filter(None, match.groups())))


def leaves_nothing_out(line: str) -> bool:
    """True for "no deposit, no key", "no photo → ask" and "nothing ever blocks a call-out"."""
    happens = _HAPPENS.search(line)
    is_rule = happens is not None and not _LATER.search(happens["then"])
    return is_rule or _LEAVES_NOTHING_OUT.match(line) is not None


def _is_thing(words: str) -> bool:
    """True for what a product may have; not for people, nor for what somebody does."""
    return _is_named(words) and not (verbs.is_bare(words) or opens_with_people(words))


def _is_named(words: str) -> bool:
    is_short = len(words.split()) <= THING_WORDS_MAX
    return is_short and not (_NO_THING.search(words) or verbs.told_by(words))


def listed_apart(fragment: Fragment, label_of: LabelOf) -> list[Fragment]:
    """ "Out: chat, a map and the kiosk": each thing of the list, the first with its label."""
    label, things = label_of(fragment.text)
    label = label or fragment.label
    parts = [part for part in _BETWEEN.split(things) if part.strip()]
    is_list = len(parts) > 1 and "(" not in things and all(map(_is_named, parts))
    if fragment.code or fragment.table or label != "out-of-scope" or not is_list:
        return [fragment]
    first, *others = parts
    opening = fragment.text[: fragment.text.rindex(things) + things.index(first) + len(first)]
    more = (replace(fragment, text=part, label=label, opens=False) for part in others)
    return [replace(fragment, text=opening), *more]
