"""What checks of a debate look for: the matter of each, and what answers say for or against it.

A check that belongs to no matter is known by its words: a line speaks of it that shares two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council.quoting import quote
from core.brains.script.council.transcript import CouncilLine
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX
from core.brains.text.wording import words_of

SHARED_WORDS_MIN: Final = 2


@dataclass(frozen=True, slots=True)
class Matter:
    """`brought`: words of a check; `spoken`: of a line about it; `against`: that defy the check.

    `area`: what of a stack it is about, if it is about one thing.
    """

    brought: patterns.Pattern
    spoken: patterns.Pattern
    against: patterns.Pattern
    area: str = ""


def _matter(row: Mapping[str, Any]) -> Matter:
    brought, spoken, defied = (
        lexicon.apart(row[name]) for name in ("brought", "spoken", "against")
    )
    return Matter(brought, spoken, defied, row.get("area", ""))


_MATTERS: Final = tuple(_matter(row) for row in lexicon.table("council")["matters"])
_REFUSES: Final = lexicon.apart(lexicon.table("council")["refuses"])


def matter_of(text: str) -> Matter | None:
    """What a check is about, or a critique that speaks of it."""
    return next((matter for matter in _MATTERS if matter.brought.search(text)), None)


def lines_on(check: str, lines: Sequence[CouncilLine]) -> list[CouncilLine]:
    """Every line that speaks of what a check looks for, or defies it."""
    matter = matter_of(check)
    if matter:
        return [line for line in lines if _is_on(matter, line.text[:PHRASE_CHARS_MAX])]
    wanted = words_of(check)
    return [line for line in lines if len(words_of(line.text) & wanted) >= SHARED_WORDS_MIN]


def _is_on(matter: Matter, text: str) -> bool:
    return bool(matter.spoken.search(text) or matter.against.search(text))


def clause_on(check: str, line: CouncilLine) -> str:
    """The clause of a line that defies a check, else one that speaks of it."""
    matter = matter_of(check)
    if matter is None:
        return quote(line.text)
    defying = matter.against if matter.against.search(line.text) else matter.spoken
    return quote(line.text, defying.search)


def against(check: str, lines: Sequence[CouncilLine]) -> CouncilLine | None:
    """The line that a check is defied by: the last word on its matter counts, whoever says it."""
    spoken = [line for line in lines_on(check, lines) if not line.is_open]
    return spoken[-1] if spoken and defies(check, spoken[-1].text) else None


def defies(check: str, text: str) -> bool:
    matter = matter_of(check)
    read = text[:PHRASE_CHARS_MAX]
    return bool((matter.against if matter else _REFUSES).search(read))
