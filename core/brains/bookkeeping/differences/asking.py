"""What comes of differences: a line stands in place of an earlier one, or people are asked.

Whoever says something else of the same matter later has changed their mind: their earlier line is
replaced. Between two people, and where the subject is not as plain, nothing is decided here.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from core.brains.bookkeeping.conflicts import Disagreement, differences
from core.brains.bookkeeping.corrections import is_decided
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.finder import Difference, found
from core.brains.bookkeeping.differences.replies import (
    replies_in,
    replies_to_differences,
    said_next,
    settled_in_words,
)
from core.brains.bookkeeping.differences.statements import statement
from core.domain.answers import Claim, Claims, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, UserId, order_of
from core.domain.lines import find_line, in_force, line_of, ranked_line, superseded
from core.domain.stances import PARTS

QUOTE_CHARS_MAX: Final = 70
SIZE: Final = "scope"
QUESTION: Final = "{first_by}: “{first}” · {second_by}: “{second}”. Which one holds?"
RANKS_MIN: Final = 3  # of whoever ranked the list
LATER: Final = "later"  # the same person


def reversed_in(claims: Claims, request: ReadRequest) -> Claims:
    """The claims of a step with the earlier lines in whose place their authors put them.

    Those on which people differ name each other.
    """
    older: dict[str, dict[LineRef, None]] = {}
    differing: dict[str, dict[str, None]] = {}
    lines = found(request, claims)
    pairs = _pairs(request, claims, lines)
    settling = (*replies_in(request), *said_next(request, claims, pairs))
    replies = {reply.id for _, reply, _ in settling}
    for difference in lines:
        if difference.second.answer.id in replies:
            continue
        first = line_of(difference.first.claim)
        pair = difference.first.claim, difference.second.claim
        if is_decided(request, *pair):
            continue
        if difference.replaces and first:
            older.setdefault(difference.second.claim.id, {})[first] = None
        else:
            for one, other in (pair, pair[::-1]):
                differing.setdefault(one.id, {})[other.id] = None
    placed = (*_of_one_matter(claims, request), *settled_in_words(request, claims, settling))
    for newer, line in placed:
        older.setdefault(newer.id, {})[line] = None
    placed_claims = tuple(
        replace(claim, supersedes=tuple({**dict.fromkeys(claim.supersedes), **older[claim.id]}))
        if claim.id in older
        else claim
        for claim in claims
    )
    replaced = superseded((*request.claims, *placed_claims))
    return tuple(_with_others(claim, differing, replaced) for claim in placed_claims)


def _with_others(
    claim: Claim, differing: Mapping[str, Iterable[str]], replaced: Container[str]
) -> Claim:
    others = [claim_id for claim_id in differing.get(claim.id, ()) if claim_id not in replaced]
    if not others or claim.id in replaced:
        return claim
    return replace(claim, data={**claim.data, "differs": ", ".join(others)})


def difference_asked(request: ReadRequest, claims: Claims) -> Iterator[FollowUp]:
    """What to ask of lines that differ: of the size first, then of ranks and choices, then of the
    rest in the order in which it was said. `claims`: those of the step."""
    everything = (*request.claims, *request.unread, *claims)
    replaced = superseded(everything)
    replies = replies_to_differences(request)
    pairs: set[frozenset[str]] = set()
    for first, second in _pairs(request, claims, found(request, claims)):
        ids = frozenset((first.id, second.id))
        if ids in pairs or ids & set(replaced) or is_decided(request, first, second):
            continue
        if replies & {*first.sources[:1], *second.sources[:1]}:
            continue
        pairs.add(ids)
        yield _question(request, first, second)


def _pairs(
    request: ReadRequest, claims: Claims, lines: Iterable[Difference]
) -> Iterator[tuple[Claim, Claim]]:
    for matter in sorted(differences(request, claims), key=lambda matter: not _is_size(matter)):
        if not (_is_size(matter) and _hold_both(request, matter)):
            yield _in_turn(request, *_sides(matter))
    for difference in lines:
        # what takes a line back has said which one holds
        if not (difference.replaces or difference.second.claim.supersedes):
            yield difference.first.claim, difference.second.claim


def _is_size(matter: Disagreement) -> bool:
    return matter.said[0][2].kind == SIZE


def _hold_both(request: ReadRequest, size: Disagreement) -> bool:
    """True if somebody let two sizes stand: nobody is asked which of the others holds."""
    claims = [claim for _, _, claim in size.said]
    return any(
        correction.sort == "beside"
        and correction.of is not None
        and find_line(correction.line, claims) is not None
        and find_line(correction.of, claims) is not None
        for correction in in_force(request.corrections)
    )


def _sides(disagreement: Disagreement) -> tuple[Claim, Claim]:
    """The last line on a matter, and the last one before it that says otherwise."""
    _, last, claim = disagreement.said[-1]
    others = (
        earlier for _, value, earlier in disagreement.said if value.casefold() != last.casefold()
    )
    return (*others,)[-1], claim


def _in_turn(request: ReadRequest, one: Claim, other: Claim) -> tuple[Claim, Claim]:
    at = _times(request)
    return (one, other) if _at(one, at) <= _at(other, at) else (other, one)


def _question(request: ReadRequest, first: Claim, second: Claim) -> FollowUp:
    people, names = request.authors, request.names
    first_by, second_by = (_names(claim, people, names) for claim in (first, second))
    words = QUESTION.format(
        first_by=first_by,
        first=_short(first.text),
        second_by=LATER if second_by == first_by != "someone" else second_by,
        second=_short(second.text),
    )
    return FollowUp("difference", words, line_of(first), line_of(second))


def _names(claim: Claim, people: Mapping[AnswerId, UserId], names: Mapping[UserId, str]) -> str:
    """Who said a line first."""
    user = next((people[source] for source in claim.sources if source in people), None)
    return " ".join(names.get(user, "").split()) or "someone" if user else "someone"


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= QUOTE_CHARS_MAX else f"{line[: QUOTE_CHARS_MAX - 1].rstrip()}…"


# ── one matter, said again by the same person ──────────────────────────────────────────────────


def _of_one_matter(claims: Claims, request: ReadRequest) -> Iterator[tuple[Claim, LineRef]]:
    """A claim of the step, and the line that its author gave on the same matter before.

    Whoever ranked the list has the last word on its ranks: those of others go as well. So do the
    sizes that others gave, where somebody closes the matter ("large then").
    """
    people, at = request.authors, _times(request)
    everything = (*request.claims, *request.unread, *claims)
    ranker = _ranker(everything, people)
    for newer in claims:
        for older in everything:
            if older.id == newer.id or not _is_said_anew(older, newer):
                continue
            if is_decided(request, older, newer):
                continue
            by = {people[source] for source in newer.sources if source in people}
            same = by & {people[source] for source in older.sources if source in people}
            line = line_of(older)
            later = _at(older, at) < _at(newer, at) or _is_taken_back(older, newer)
            rules = (newer.kind == "priority" and ranker in by) or _closes(newer)
            if (same or rules) and later and line is not None:
                yield newer, line


def _closes(claim: Claim) -> bool:
    """True for a size with a word that closes the matter: "medium it is", "so large, go"."""
    return claim.kind == SIZE and lexis.pattern("closes-size").search(claim.text) is not None


def _ranker(claims: Iterable[Claim], people: Mapping[AnswerId, UserId]) -> UserId | None:
    """Who ranked three lines at least, and more than anybody else."""
    ranked = {
        (people[source], claim.data.get("requirement"))
        for claim in claims
        if claim.kind == "priority"
        for source in claim.sources
        if source in people
    }
    counts = Counter(by for by, ref in ranked if ref).most_common(2)
    is_alone = len({count for _, count in counts}) == len(counts)
    return counts[0][0] if counts and counts[0][1] >= RANKS_MIN and is_alone else None


def _is_said_anew(older: Claim, newer: Claim) -> bool:
    """True if both settle one matter, and otherwise: a rank, the size, a lettered option."""
    if older.kind != newer.kind:
        return False
    old, new = older.data, newer.data
    match newer.kind:
        case "priority":
            same = ranked_line(older) == ranked_line(newer) != ""
            return same and old.get("priority") != new.get("priority")
        case "scope":
            parts = {key for key in PARTS if key in old}
            return (
                bool(parts)
                and all(key in new for key in parts)
                and _has_other_parts(old, new, parts)
            )
        case "option":
            chosen = old.get("choice") == new.get("choice") == "chosen"
            lettered = len(old.get("option", "")) == len(new.get("option", "")) == 1
            same = older.step == newer.step and old.get("option") != new.get("option")
            return chosen and lettered and same
        case _:
            return False


def _has_other_parts(one: Mapping[str, str], other: Mapping[str, str], keys: Iterable[str]) -> bool:
    return any(one[key] != other[key] for key in keys)


def _is_taken_back(older: Claim, newer: Claim) -> bool:
    """True if one answer says otherwise further down, and says that it does."""
    same = older.sources[:1] == newer.sources[:1] and older.text != newer.text
    return same and statement(newer.text).has_cue


def _times(request: ReadRequest) -> dict[AnswerId, tuple[int, ...]]:
    return {answer.id: order_of(answer.ts) for answer in request.every_answer}


def _at(claim: Claim, times: Mapping[AnswerId, tuple[int, ...]]) -> tuple[int, ...]:
    return next((times[source] for source in claim.sources if source in times), ())
