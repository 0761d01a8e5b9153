"""What a line settles by its head or its end: "→ B", "then bands, not tags", "bands. Final."

A head such as "my call:" chooses whatever stands behind it; a weaker one only what was spoken of,
and the weakest only what was put to choose from: an option of a list, or a side of "tags or bands".
"""

from collections.abc import Iterator
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import choices, choosing, verbs
from core.brains.script.parts.phrases import trimmed
from core.brains.script.taking_up.forms import Choice, LineContext, asks_how_it_is, share, tokens_of
from core.brains.script.taking_up.options import called

THING_WORDS_MAX: Final = 8  # a longer one tells something
_ROWS: Final = lexicon.table("evidence")["settling"]
_HEADS: Final = {
    strength: tuple(lexicon.compiled(row) for row in rows)
    for strength, rows in _ROWS["heads"].items()
}
_BY_WORDS: Final = ("sure", "spoken", "either", "side")
_NAMES: Final = patterns.compile(r"[A-Z][a-z]+")
_CUT: Final = lexicon.compiled(_ROWS["cut"])
_NO_THING: Final = lexicon.compiled(_ROWS["no-thing"])
_NOT_SO: Final = lexicon.compiled(_ROWS["not-so"])
_EITHER: Final = lexicon.compiled(_ROWS["either"])
_OTHER: Final = lexicon.compiled(_ROWS["other"])


def settled(line: str, context: LineContext) -> Choice | None:
    """What a line takes by how it is put, if that was put to choose from or spoken of."""
    return next(
        (choice for name in _BY_WORDS if (choice := _find_choice(line, name, context))), None
    )


def _find_choice(line: str, strength: str, context: LineContext) -> Choice | None:
    if line.rstrip().endswith("?") or _NOT_SO.search(line):
        return None
    for match in filter(None, (head.match(line) for head in _HEADS[strength])):
        thing = _thing_in(match["a"])
        if thing and _is_choosable(thing, strength, context, line):
            name = " + ".join(option.name for option in called(thing, context.options))
            return Choice(name or thing, choices.reason_in(line))
    return None


def _thing_in(text: str) -> str:
    """The thing that a line names, without its reason and without what it is taken instead of."""
    thing = trimmed(_CUT.sub("", text.lstrip("(")))
    if not thing or len(thing.split()) > THING_WORDS_MAX or _NO_THING.match(thing):
        return ""
    if verbs.told_by(_NAMES.sub("x", thing)) or verbs.is_bare(thing) or evidence.is_aside(thing):
        return ""
    return thing if choosing.is_plain(thing, thing) else ""


def _is_choosable(thing: str, strength: str, context: LineContext, line: str) -> bool:
    if strength == "sure" or (strength != "side" and called(thing, context.options)):
        return True
    if strength in ("either", "side"):
        return any(_is_side(thing, sides) for sides in _put_to_choose(context))
    rival = _OTHER.search(line)
    if rival and not _thing_in(rival["b"]):
        return False  # "bands, not for me"
    things = f"{thing} {rival['b']}" if rival else thing
    texts = (*(answer.text for answer in context.others), *(claim.text for claim in context.own))
    return any(share(text, things) for text in texts)


def _put_to_choose(context: LineContext) -> Iterator[tuple[str, str]]:
    texts = (*(answer.text for answer in context.others), context.question)
    for text in texts:
        for match in () if asks_how_it_is(text) else _EITHER.finditer(text):
            if not _NO_THING.match(match["other"]):  # "gzip yes/no?"
                yield match["one"], match["other"]


def _is_side(thing: str, sides: tuple[str, str]) -> bool:
    """True if a thing has words of one side only, and no others."""
    words = tokens_of(thing)
    one, other = (tokens_of(side) for side in sides)
    is_named = words <= one | other
    return is_named and bool(words & (one - other)) != bool(words & (other - one))
