"""Of which thing a line says that it wins over the others, or that it comes first.

Of several only one can: who says the same of another thing differs. `steps/brains/differences.yaml`
has the forms.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from core import patterns
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.lexis import WORD, content

FORMS: Final = ("wins", "comes-first")
NOTHING: Final = frozenset[str]()
_PART_END: Final = patterns.compile(r"[.,](?:\s|$)|[;:!?()|\n]+|->|→|\s[-–—]\s")


@dataclass(frozen=True, slots=True)
class Precedence:
    """`form`: the row that says so; `of`: the only matter in which it does, "for customer data"."""

    form: str
    thing: frozenset[str]
    over: frozenset[str] = NOTHING
    of: frozenset[str] = NOTHING


def precedences_in(text: str) -> Iterator[Precedence]:
    """What a text, in small letters, puts above or before others."""
    between = lexis.pattern("disagree").search(text)
    sources = _words(between["sources"]) - lexis.stems("any-source") if between else NOTHING
    parts = _PART_END.split(lexis.pattern("disagree").sub(";", text))
    plain = [part for part in parts if lexis.words("denies").isdisjoint(WORD.findall(part))]
    for (form, row), part in product(_rows(), plain):
        if match := row.search(part):
            groups = {name: _words(group or "") for name, group in match.groupdict().items()}
            is_of_people = match["thing"].split()[0] in lexis.words("people")
            if (thing := groups.pop("thing")) and not (form == "comes-first" and is_of_people):
                over = groups.pop("over", NOTHING) or sources - thing
                yield Precedence(form, thing, over, **groups)


@cache
def _rows() -> tuple[tuple[str, patterns.Pattern], ...]:
    return tuple(
        (form, patterns.compile(row, patterns.IGNORECASE))
        for form in FORMS
        for row in lexis.row(form)
    )


def is_other_precedence(one: Precedence, other: Precedence) -> bool:
    """True if only one of the two can be so."""
    if one.form != other.form or one.thing & other.thing:
        return False
    if one.of and other.of and not one.of & other.of:
        return False
    rivals = ((one.over, other), (other.over, one))
    return all(not over or over & (rival.thing | rival.over) for over, rival in rivals)


def _words(text: str) -> frozenset[str]:
    return frozenset(content(WORD.findall(text)))
