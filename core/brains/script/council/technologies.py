"""The areas of a stack, and the technologies of which everybody knows that they belong there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council.transcript import CouncilLine


@dataclass(frozen=True, slots=True)
class Area:
    """`words`: that name it; `known`: technologies of which everybody knows that they belong there.

    The second only tells that the area was spoken of: no name of ours is put on a choice.
    """

    words: patterns.Pattern
    known: patterns.Pattern


_ON: Final = patterns.compile(r" (?:with|for|to|on|live|ahead)", patterns.IGNORECASE)


def _is_the_verb_go(match: patterns.Match) -> bool:
    """True if it says "go", which is a language with a capital, "Go", not "Go ahead", or where it
    is all that a label or an item of a list has: "backend: go", "go, postgres"."""
    if match[0].lower() != "go":
        return False
    before, after = match.before.rstrip(), match.after.lstrip()
    opens, ends = before[-1:] in ("", ",", "+", ":"), after[:1] in ("", ",", "+", ".", ";")
    if opens and ends and (before or after[:1] in (",", "+")):
        return False
    return match[0] != "Go" or bool(_ON.match(match.after))


AREAS: Final[Mapping[str, Area]] = {
    key: Area(*(lexicon.apart(row[name], unless=_is_the_verb_go) for name in ("words", "known")))
    for key, row in lexicon.table("council")["areas"].items()
}


def slot_of(text: str) -> str:
    """The area that a line names, or that its technology belongs to."""
    by_word = (key for key, area in AREAS.items() if area.words.search(text))
    by_name = (key for key, area in AREAS.items() if area.known.search(text))
    return next(iter((*by_name, *by_word)), "")


def spoken_of(slot: str, lines: Iterable[CouncilLine]) -> bool:
    area = AREAS[slot]
    return any(area.words.search(line.text) or area.known.search(line.text) for line in lines)


def technologies_in(text: str) -> dict[str, str]:
    """The technologies that everybody knows, each by its name in small letters, as it was said."""
    names = (match[0] for area in AREAS.values() for match in area.known.finditer(text))
    return {name.casefold(): name for name in names}
