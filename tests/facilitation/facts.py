"""What a careful reader finds in what people say in an item: `NAME.facts.yaml`, read and checked.

A fact names a step, a person and a quote of theirs. Every fault of a file is found at once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, get_args

from bot.devtools.play.terms import shown
from core import patterns
from core.domain.follow_ups import FollowUpKind

LISTS: Final = (
    "requirements", "checks", "stories", "decisions", "rejected", "reversals", "contradictions",
    "questions", "exclusions", "numbers", "names", "dates", "gaps", "not_requirements",
)  # fmt: skip
COMMON: Final = ("step", "by", "quote")
PAIRS: Final[Mapping[str, tuple[str, str]]] = {
    "reversals": ("old", "new"),
    "contradictions": ("first", "second"),
}
MORE_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "checks": ("of",),
    "gaps": ("kind",),
    "reversals": ("old", "new", "old_step", "old_by", "new_step", "new_by"),
    "contradictions": (
        "first", "second", "first_step", "first_by", "second_step", "second_by",
    ),
}  # fmt: skip
STEP_KEYS: Final = frozenset({"step", "old_step", "new_step", "first_step", "second_step"})
BY_KEYS: Final = frozenset({"by", "old_by", "new_by", "first_by", "second_by"})
GAP_KINDS: Final = get_args(FollowUpKind)
_STEP: Final = patterns.compile(r"\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of somebody, and where they stand. Empty `step` or `by`: anywhere, by anybody."""

    text: str
    step: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One entry of a list. `other` is the older or the first line of a pair, else None."""

    quote: Quote
    other: Quote | None = None
    of: str = ""  # of a check: a quote of the requirement it belongs to
    kind: str = ""  # of a gap: which follow-up asks about it


@dataclass(frozen=True, slots=True)
class Facts:
    lists: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> tuple[Fact, ...]:
        return self.lists.get(name, ())

    def quotes(self, *names: str) -> Iterator[Quote]:
        """All quotes of these lists, those of pairs included."""
        for fact in chain.from_iterable(self[name] for name in names):
            yield fact.quote
            if fact.other is not None:
                yield fact.other

    def __len__(self) -> int:
        return sum(map(len, self.lists.values()))


def facts_of(data: object, people: Iterable[str]) -> tuple[Facts, list[str]]:
    """The facts of a file's content, and every fault of it, each a line that names its place."""
    if not data:
        return Facts(), []
    if not isinstance(data, Mapping):
        return Facts(), [f"a mapping of lists is needed: {', '.join(LISTS)}"]
    faults = [
        f"{name}: nothing of that name belongs here; known are {', '.join(LISTS)}"
        for name in data
        if name not in LISTS
    ]
    known = tuple(people)
    lists = {}
    for name in LISTS:
        lists[name], more = _list(name, data.get(name), known)
        faults += more
    return Facts(lists), faults


def _list(name: str, rows: object, people: tuple[str, ...]) -> tuple[tuple[Fact, ...], list[str]]:
    if rows is None or rows == "":
        return (), []
    if not isinstance(rows, list):
        return (), [f"{name}: a list is needed, each fact on a line with a dash"]
    facts, faults = [], []
    for number, row in enumerate(rows, 1):
        wrong = list(_faults(name, row, people))
        faults += [f"{name}[{number}]{fault}" for fault in wrong]
        if not wrong:
            facts.append(_fact(name, row))
    return tuple(facts), faults


def _faults(name: str, row: object, people: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(row, Mapping):
        yield f': a mapping like {{step: "01-06", by: pm, quote: "…"}} is needed, not {shown(row)}'
        return
    keys = (*COMMON, *MORE_KEYS.get(name, ()))
    for key, value in row.items():
        if key not in keys:
            yield f".{key}: nothing of that name belongs here; known are {', '.join(keys)}"
        elif fault := _value_fault(str(key), value, people):
            yield f".{key}: {fault}"
    for key in PAIRS.get(name, ("quote",)):
        if key not in row:
            yield f".{key}: it is missing"


def _value_fault(key: str, value: object, people: tuple[str, ...]) -> str:
    if not isinstance(value, str) or not value.strip():
        return f"{shown(value)} is no text"
    if key in STEP_KEYS and _STEP.fullmatch(value) is None:
        return f'{shown(value)} is no step id; they look like "01-06", in quotes'
    if key in BY_KEYS and value not in people:
        return f"{shown(value)} is nobody; people are {', '.join(people)}"
    if key == "kind" and value not in GAP_KINDS:
        return f"{shown(value)} is none of {', '.join(GAP_KINDS)}"
    return ""


def _fact(name: str, row: Mapping[str, Any]) -> Fact:
    step, by = row.get("step", ""), row.get("by", "")
    if name not in PAIRS:
        quote = Quote(row["quote"], step, by)
        return Fact(quote, of=row.get("of", ""), kind=row.get("kind", ""))
    old, new = PAIRS[name]
    newer = Quote(row[new], row.get(f"{new}_step", step), row.get(f"{new}_by", by))
    # Where nothing is said of it, the older line may be anybody's, at any step.
    older = Quote(row[old], row.get(f"{old}_step", ""), row.get(f"{old}_by", ""))
    return Fact(newer, older)
