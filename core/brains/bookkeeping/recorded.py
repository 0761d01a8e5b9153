"""The one line that says what a reading changed, on what people differ and what is missing.

Plain text: names, refs, numbers, and of people's words only what they differ on.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.conflicts import VALUE_CHARS_MAX, Disagreement
from core.brains.bookkeeping.gaps import Claims, Gap, spoken
from core.domain.answers import Claim, ReadRequest
from core.domain.ids import UserId

NAMES_SHOWN_MAX: Final = 3
REFS_SHOWN_MAX: Final = 4
KINDS_SHOWN_MAX: Final = 3
DIFFERENCES_SHOWN_MAX: Final = 2
QUOTES_MAX: Final = 3
NAME_CHARS_MAX: Final = 60
ALL_WITHDRAWN: Final = "All answers to this step were withdrawn."

_NOUNS: Final[Mapping[str, list[str]]] = lexicon.table("nouns")
_PLURALS: Final = {names[0]: names[1] for names in _NOUNS.values() if len(names) > 1}
_SCAN_WORDS: Final[Mapping[str, str]] = {
    "scope": "scope {}",
    "file_count": "{}",
    "complexity": "{} complexity",
    "confidence": "{} confidence",
}


def recorded(
    request: ReadRequest, claims: Claims, differences: Sequence[Disagreement], gap: Gap | None
) -> str:
    """What is new since the last reading, how much there is by now, and what is still missing."""
    if not request.answers:
        return ALL_WITHDRAWN
    points, before = spoken(claims), spoken(request.previous)
    earlier = {_same(claim) for claim in before}
    new = tuple(claim for claim in points if _same(claim) not in earlier)
    gone = tuple(claim for claim in before if _same(claim) not in {_same(one) for one in points})
    if new and all(claim.is_confirmed_draft for claim in new):
        line = _confirmed(request, new)
    elif not points:
        line = f"Noted: nothing to add to {_line(request.step.title)}"
    elif gone and not new:
        line = f"{_points(gone)} taken out; what else was said stays"
    else:
        line = _what(request, new or points)
    line += f"{'.' if ';' in line and gap else ';'} {_begun(gap, line)}." if gap else "."
    if points and before and (new or gone):
        line += f" So far: {_count(len(points), 'point')} from {speakers(request, points)}."
    return f"{line}{_differing(request, differences)}{_left_open(len(request.gaps))}"


def _confirmed(request: ReadRequest, new: Claims) -> str:
    """Nobody said what a draft says: it is kept as what somebody confirmed."""
    quoted = _listed([f"“{_line(claim.text).rstrip('.')}”" for claim in new[:QUOTES_MAX]])
    more = f" and {len(new) - QUOTES_MAX} more" if len(new) > QUOTES_MAX else ""
    return f"Assumed, confirmed by {speakers(request, new)}: {quoted}{more}"


def _begun(gap: Gap, line: str) -> str:
    return gap.missing[:1].upper() + gap.missing[1:] if ";" in line else gap.missing


def _what(request: ReadRequest, claims: Claims) -> str:
    people = speakers(request, claims)
    ranked = [_ranking(claim) for claim in claims if claim.kind == "priority"]
    scan = _scan_words(claims)
    if ranked:
        others = [claim for claim in claims if claim.kind != "priority"]
        also = f", with {_listed(_things(others))}" if others else ""
        return f"Recorded from {people}: {_some(ranked)}{also}"
    if scan:
        return f"Recorded {_count(len(claims), 'point')} from {people}: {scan}"
    things = _things(claims)
    if things == [_count(len(claims), "point")]:
        return f"Recorded {things[0]} from {people}"
    return f"{_listed(things)} recorded from {people}"


def _things(claims: Sequence[Claim]) -> list[str]:
    """Refs first, then how many of each kind; what has no kind of its own is a point."""
    refs = list(dict.fromkeys(claim.ref for claim in claims if claim.ref))
    counts: dict[str, int] = {}
    for claim in claims:
        if not claim.ref:
            noun = _NOUNS.get(claim.kind, ["point"])[0]
            counts[noun] = counts.get(noun, 0) + 1
    points = counts.pop("point", 0)
    ordered = list(counts.items())
    for _, number in ordered[KINDS_SHOWN_MAX:]:
        points += number
    shown = [_count(number, noun) for noun, number in ordered[:KINDS_SHOWN_MAX]]
    named = refs if len(refs) <= REFS_SHOWN_MAX else [*refs[: REFS_SHOWN_MAX - 1]]
    if len(refs) > len(named):
        named = [*named, f"{len(refs) - len(named)} more"]
    other = "other point" if named or shown else "point"
    return [*named, *shown, *([_count(points, other)] if points else [])]


def speakers(request: ReadRequest, claims: Claims) -> str:
    """The names of those whose answers the claims rest on: "Priya, Sam and 2 others"."""
    rests_on = {source for claim in claims for source in claim.sources}
    people = [answer.by for answer in request.answers if answer.id in rests_on]
    return _people(request, people)


def _people(request: ReadRequest, people: Sequence[UserId]) -> str:
    names = list(dict.fromkeys(_name(request.names, person) for person in people))
    if len(names) > NAMES_SHOWN_MAX:
        shown = names[: NAMES_SHOWN_MAX - 1]
        names = [*shown, _count(len(names) - len(shown), "other")]
    return _listed(names) or "someone"


def _differing(request: ReadRequest, differences: Sequence[Disagreement]) -> str:
    """`Priya and Sam differ on the size: large or medium.`"""
    shown = differences[:DIFFERENCES_SHOWN_MAX]
    by_people: dict[str, list[str]] = {}
    for one in shown:
        people = _people(request, [person for person, _, _ in one.said])
        by_people.setdefault(people, []).append(_difference(one))
    lines = [
        f" {people} differ on {'; on '.join(matters)}." for people, matters in by_people.items()
    ]
    more = len(differences) - len(shown)
    return "".join(lines) + (f" They differ on {_count(more, 'more matter')}." if more else "")


def _difference(one: Disagreement) -> str:
    values = dict.fromkeys(_cut(value) for _, value, _ in one.said)
    return f"{_cut(one.matter)}: {' or '.join(values)}"


def _cut(text: str) -> str:
    short = _line(text)
    return short if len(short) <= VALUE_CHARS_MAX else f"{short[: VALUE_CHARS_MAX - 1].rstrip()}…"


def _ranking(claim: Claim) -> str:
    guessed = " (inferred)" if claim.confidence == "inferred" else ""
    return f"{claim.data['requirement']} {claim.data['priority']}{guessed}"


def _scan_words(claims: Claims) -> str:
    parts: dict[str, str] = {}
    for claim in claims:
        parts |= {key: claim.data[key] for key in _SCAN_WORDS if key in claim.data}
    if parts.get("file_count"):
        parts["file_count"] = _count(int(parts["file_count"]), "file")
    return ", ".join(words.format(parts[key]) for key, words in _SCAN_WORDS.items() if key in parts)


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
    belongs = tuple(claim.data.get(key) for key in ("requirement", "acceptance", "mitigation"))
    return (claim.kind, claim.text, claim.sources, belongs)


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
    return f"{number} {noun if number == 1 else _PLURALS.get(noun, f'{noun}s')}"
