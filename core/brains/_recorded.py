"""The one line that says what a reading changed. Plain text: names, refs and numbers, no quotes."""

from collections.abc import Mapping, Sequence
from typing import Final

from core.brains._checks import Claims, spoken
from core.domain.answers import Claim, ReadRequest
from core.domain.ids import UserId

NAMES_SHOWN_MAX: Final = 3
REFS_SHOWN_MAX: Final = 4
NAME_CHARS_MAX: Final = 60
ALL_WITHDRAWN: Final = "All answers to this step were withdrawn."

_SCAN_WORDS: Final[Mapping[str, str]] = {
    "scope": "scope {}",
    "file_count": "{}",
    "complexity": "{} complexity",
    "confidence": "{} confidence",
}


def recorded(request: ReadRequest, claims: Claims) -> str:
    """What is new since the last reading, and how much there is by now."""
    if not request.answers:
        return ALL_WITHDRAWN
    said, before = spoken(claims), spoken(request.previous)
    known = {_same(claim) for claim in before}
    new = tuple(claim for claim in said if _same(claim) not in known)
    gone = tuple(claim for claim in before if _same(claim) not in {_same(one) for one in said})
    if not said:
        line = f"Noted: nothing to add to {_line(request.step.title)}."
    elif gone and not new:
        line = f"{_points(gone)} taken out; what else was said stays."
    else:
        line = _what(request, new or said)
    if said and before and (new or gone):
        line += f" So far: {_count(len(said), 'point')} from {speakers(request, said)}."
    return f"{line}{_left_open(len(request.gaps))}"


def _what(request: ReadRequest, claims: Claims) -> str:
    people = speakers(request, claims)
    refs = [claim.ref for claim in claims if claim.ref]
    ranked = [_ranking(claim) for claim in claims if claim.kind == "priority"]
    others = sum(not claim.ref and claim.kind != "priority" for claim in claims)
    also = f", with {_count(others, 'other point')}" if others else ""
    if ranked:
        return f"Recorded from {people}: {_some(ranked)}{also}."
    if refs:
        return f"{_some(refs)} recorded from {people}{also}."
    scan = _scan_words(claims)
    return f"Recorded {_count(len(claims), 'point')} from {people}{f': {scan}' if scan else ''}."


def speakers(request: ReadRequest, claims: Claims) -> str:
    """The names of those whose answers the claims rest on: "Priya, Sam and 2 others"."""
    rests_on = {source for claim in claims for source in claim.sources}
    people = [answer.by for answer in request.answers if answer.id in rests_on]
    names = list(dict.fromkeys(_name(request.names, person) for person in people))
    if len(names) > NAMES_SHOWN_MAX:
        shown = names[: NAMES_SHOWN_MAX - 1]
        names = [*shown, _count(len(names) - len(shown), "other")]
    return _listed(names) or "someone"


def _ranking(claim: Claim) -> str:
    guessed = " (inferred)" if claim.confidence == "inferred" else ""
    return f"{claim.data['requirement']} {claim.data['priority']}{guessed}"


def _scan_words(claims: Claims) -> str:
    said: dict[str, str] = {}
    for claim in claims:
        said |= {key: claim.data[key] for key in _SCAN_WORDS if key in claim.data}
    if said.get("file_count"):
        said["file_count"] = _count(int(said["file_count"]), "file")
    return ", ".join(words.format(said[key]) for key, words in _SCAN_WORDS.items() if key in said)


def _points(gone: Claims) -> str:
    refs = [claim.ref for claim in gone if claim.ref]
    if refs and len(refs) == len(gone):
        return f"{_some(refs)} {'was' if len(refs) == 1 else 'were'}"
    return f"{_count(len(gone), 'point')} {'was' if len(gone) == 1 else 'were'}"


def _left_open(gaps: int) -> str:
    if not gaps:
        return ""
    noun = "an assumption" if gaps == 1 else "assumptions"
    return f" {_count(gaps, 'question')} left open, recorded as {noun}."


def _same(claim: Claim) -> tuple[object, ...]:
    return (claim.kind, claim.text, claim.sources, claim.data.get("requirement"))


def _name(names: Mapping[UserId, str], person: UserId) -> str:
    return _line(names.get(person, ""))[:NAME_CHARS_MAX].strip() or "someone"


def _line(text: str) -> str:
    return " ".join(text.split())


def _some(items: Sequence[str]) -> str:
    items = list(dict.fromkeys(items))
    if len(items) <= REFS_SHOWN_MAX:
        return _listed(items)
    return f"{', '.join(items[: REFS_SHOWN_MAX - 1])} and {len(items) - REFS_SHOWN_MAX + 1} more"


def _listed(items: Sequence[str]) -> str:
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
