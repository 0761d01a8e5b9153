"""Disagreement: two people who say different things of the same matter. Both lines stay.

Only plain cases count: sizes, ranks of one requirement, choices, and one number against another.
Whoever says something else later has changed their mind; that is no disagreement.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from core import patterns
from core.brains.bookkeeping.corrections import is_decided
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.lexis import content
from core.brains.text.wording import words_of
from core.domain.answers import Claim, Claims, ReadRequest
from core.domain.ids import AnswerId, UserId
from core.domain.lines import superseded

SHARED_WORDS_MIN: Final = 2
VALUE_CHARS_MAX: Final = 40
LINES_COMPARED_MAX: Final = 50  # of one unit

People = Mapping[AnswerId, UserId]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The matter, and what was said of it: each with its line and the person."""

    matter: str
    said: tuple[tuple[UserId, str, Claim], ...]


@dataclass(frozen=True, slots=True)
class _Measured:
    claim: Claim
    number: str
    unit: str
    words: str  # number and unit as said


_SIZES: Final = (
    ("scope", "the size"),
    ("file_count", "the number of files"),
    ("complexity", "the complexity"),
    ("confidence", "the confidence"),
)
_NUMBER: Final = patterns.compile(r"(?<![\w.,:/-])([0-9]+(?:[.,][0-9]+)*)\s?(%|[^\W\d_]+)")
UNITS: Final[Mapping[str, str]] = {
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "minute": "min", "minutes": "min",
    "mins": "min", "hour": "h", "hours": "h", "hrs": "h", "percent": "%", "millisecond": "ms",
    "milliseconds": "ms", "megabytes": "mb", "gigabytes": "gb",
}  # fmt: skip


def marked(claims: Claims, request: ReadRequest) -> Claims:
    """The claims, each with the ids of those that say something else."""
    others: dict[str, dict[str, None]] = {}
    for difference in differences(request, claims):
        for (_, _, one), (_, _, other) in combinations(difference.said, 2):
            others.setdefault(one.id, {})[other.id] = None
            others.setdefault(other.id, {})[one.id] = None
    return tuple(
        replace(claim, data={**claim.data, "conflicts": ", ".join(others[claim.id])})
        if claim.id in others
        else claim
        for claim in claims
    )


def differences(request: ReadRequest, claims: Claims) -> tuple[Disagreement, ...]:
    """On which matters people differ, where a claim of this step has a part in it."""
    own_ids = {claim.id for claim in claims}
    replaced = superseded((*request.claims, *claims))
    standing = tuple(line for line in (*request.claims, *claims) if line.id not in replaced)
    own = tuple(line for line in standing if line.id in own_ids)
    people = request.authors
    disagreements = (*_of_matters(standing, people), *_of_numbers(own, people))
    return tuple(
        disagreement
        for disagreement in disagreements
        if any(claim.id in own_ids for _, _, claim in disagreement.said)
        and not _is_decided(request, disagreement)
    )


def _is_decided(request: ReadRequest, matter: Disagreement) -> bool:
    pairs = combinations((claim for _, _, claim in matter.said), 2)
    return bool(request.corrections) and all(is_decided(request, *pair) for pair in pairs)


# ── one matter, several values ─────────────────────────────────────────────────────────────────


def _of_matters(claims: Claims, people: People) -> Iterator[Disagreement]:
    last: dict[str, dict[UserId, tuple[str, Claim]]] = {}
    for claim in claims:
        for matter, value in _matters(claim):
            for person in _authors_of(claim, people):
                last.setdefault(matter, {})[person] = (value, claim)
    for matter, by_person in last.items():
        if len({value.casefold() for value, _ in by_person.values()}) > 1:
            label = matter.partition("\0")[0]
            yield Disagreement(label, tuple((user, *by_person[user]) for user in by_person))


def _matters(claim: Claim) -> Iterator[tuple[str, str]]:
    """What a claim settles, and how. What stands behind the zero sign is not shown."""
    data = claim.data
    if claim.kind == "scope":
        is_sort = _counts_a_sort(data.get("files_said", claim.text))
        part = {key: data[key] for key in data if not (is_sort and key == "file_count")}
        yield from ((label, part[key]) for key, label in _SIZES if key in part)
    elif claim.kind == "priority" and data.get("requirement"):
        yield data["requirement"], data["priority"]
    elif claim.kind == "stack":
        if data.get("area") and data.get("choice") == "chosen":
            yield data["area"].casefold(), data["option"]
    elif "choice" in data and data.get("option"):
        yield f"{data['option']}\0{data['option'].casefold()}"[:200], data["choice"]
        if claim.kind == "option" and data["choice"] == "chosen":
            yield "the choice", data["option"]


def _counts_a_sort(text: str) -> bool:
    """True for "6 helm files": they may come on top of what somebody else counted."""
    match = lexis.pattern("counts-a-sort").search(text.casefold())
    sort = content(lexis.WORD.findall(match["sort"])) if match else []
    return bool(set(sort) - lexis.stems("any-file"))


# ── one number against another ─────────────────────────────────────────────────────────────────


def _of_numbers(claims: Claims, people: People) -> Iterator[Disagreement]:
    by_unit: dict[str, list[_Measured]] = {}
    for claim in claims:
        if claim.kind != "scope" and claim.sources and (measured := _measure_claim(claim)):
            by_unit.setdefault(measured.unit, []).append(measured)
    for lines in by_unit.values():
        for one, other in combinations(lines[:LINES_COMPARED_MAX], 2):
            if one.number != other.number and _same_thing(one, other):
                yield from _disagree_on_number(one, other, people)


def _measure_claim(claim: Claim) -> _Measured | None:
    """Number and unit, where a line has exactly one of them."""
    numbers = list(_NUMBER.finditer(claim.text))
    if len(numbers) != 1:
        return None
    unit = numbers[0][2].casefold()
    return _Measured(claim, numbers[0][1], UNITS.get(unit, unit.rstrip("s") or unit), numbers[0][0])


def _same_thing(one: _Measured, other: _Measured) -> bool:
    units = words_of(f"{one.words} {other.words}")
    shared = (words_of(one.claim.text) & words_of(other.claim.text)) - units
    same_question = one.claim.data.get("question", "1") == other.claim.data.get("question", "2")
    return one.claim.kind == other.claim.kind and len(shared) >= SHARED_WORDS_MIN - same_question


def _disagree_on_number(one: _Measured, other: _Measured, people: People) -> Iterator[Disagreement]:
    authors = list(_authors_of(one.claim, people))
    other_authors = list(_authors_of(other.claim, people))
    if authors and other_authors and not set(authors) & set(other_authors):
        views = ((authors[0], one.words, one.claim), (other_authors[0], other.words, other.claim))
        yield Disagreement("a number", views)


def _authors_of(claim: Claim, people: People) -> Iterable[UserId]:
    return dict.fromkeys(people[source] for source in claim.sources if source in people)
