"""Names of lines: FR-001, US-002, GOAL-001."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from core.brains.bookkeeping.corrections import FORMER_REF, SORTED_BY
from core.brains.text.wording import plain
from core.domain.answers import Claim, ClaimKind, Claims, ReadRequest
from core.domain.lines import find_line, is_line, line_of

REF_PREFIX: Final[Mapping[ClaimKind, str]] = {
    "requirement": "FR",
    "quality": "NFR",
    "story": "US",
    "decision": "ADR",
    "purpose": "GOAL",
    "success": "GOAL",
    "check": "AC",
}


def numbered(
    claims: tuple[Claim, ...],
    request: ReadRequest,
    prefixes: Mapping[ClaimKind, str] = REF_PREFIX,
) -> tuple[Claim, ...]:
    """The claims of the kinds that have names, with their names."""
    elsewhere = (*request.claims, *request.unread)
    used_refs = {claim.ref for claim in elsewhere if claim.ref}
    lines = (*elsewhere, *claims, *request.previous)
    used_refs |= {line.data[FORMER_REF] for line in lines if FORMER_REF in line.data}
    refs = _kept_refs(claims, request.previous, used_refs) | _former_refs(
        claims, request.previous, prefixes
    )
    fresh = {
        prefix: _free_refs(prefix, used_refs, request.previous) for prefix in prefixes.values()
    }
    return _with_former_refs(
        tuple(
            replace(claim, ref=refs.get(claim.id) or next(fresh[prefixes[claim.kind]]))
            if claim.kind in prefixes
            else claim
            for claim in claims
        ),
        request.previous,
    )


def _with_former_refs(claims: Claims, previous: Claims) -> Claims:
    """The claims, those that were read as another kind before with the name that they had.

    What somebody had sorted is again what it was once that is taken back.
    """
    names_left = {old.ref for old in previous} - {claim.ref for claim in claims}
    former: dict[object, str] = {}
    for old in previous:
        ref = old.ref if old.ref and old.ref in names_left else old.data.get(FORMER_REF)
        if ref and SORTED_BY not in old.data:
            former.setdefault((plain(old.text), old.sources), ref)
    lines = []
    for claim in claims:
        ref = former.pop((plain(claim.text), claim.sources), None)
        if ref and ref != claim.ref and FORMER_REF not in claim.data:
            claim = replace(claim, data={**claim.data, FORMER_REF: ref})
        lines.append(claim)
    return tuple(lines)


def placed(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The claims, ranks that have the words of a requirement of the step with its name instead."""
    refs = {claim.text: claim.ref for claim in claims if claim.kind == "requirement" and claim.ref}
    return tuple(
        replace(claim, data={**claim.data, "requirement": refs[claim.data["requirement"]]})
        if claim.kind == "priority" and claim.data.get("requirement") in refs
        else claim
        for claim in claims
    )


def _kept_refs(
    claims: tuple[Claim, ...], previous: tuple[Claim, ...], used_refs: Iterable[str]
) -> dict[str, str]:
    """Claim id → the ref it had: found by its words, else (edited) by its answer.

    A line that is read as something else now leaves its ref to nobody.
    """
    free = [claim for claim in previous if claim.ref and claim.ref not in set(used_refs)]
    refs: dict[str, str] = {}
    for same in (_same_words, _same_line, _same_answer):
        if same is _same_answer:
            free = [old for old in free if not _is_read(old, claims)]
        for claim in claims:
            former = next((old for old in free if claim.id not in refs and same(old, claim)), None)
            if former and former.ref:
                refs[claim.id] = former.ref
                free.remove(former)
    return refs


def _is_read(old: Claim, claims: Iterable[Claim]) -> bool:
    line = line_of(old)
    return line is not None and find_line(line, claims) is not None


def _former_refs(
    claims: tuple[Claim, ...], previous: tuple[Claim, ...], prefixes: Mapping[ClaimKind, str]
) -> dict[str, str]:
    """Claim id → the ref it had before somebody sorted it as something else, and back."""
    away = [old for old in previous if FORMER_REF in old.data]
    return {
        claim.id: old.data[FORMER_REF]
        for claim in claims
        for old in away
        if (plain(old.text), old.sources) == (plain(claim.text), claim.sources)
        and old.data[FORMER_REF].startswith(f"{prefixes.get(claim.kind)}-")
    }


def _same_words(old: Claim, new: Claim) -> bool:
    return old.kind == new.kind and plain(old.text) == plain(new.text)


def _same_line(old: Claim, new: Claim) -> bool:
    line = line_of(old)
    return old.kind == new.kind and line is not None and is_line(line, new)


def _same_answer(old: Claim, new: Claim) -> bool:
    return old.kind == new.kind and bool(set(old.sources) & set(new.sources))


def _free_refs(prefix: str, used_refs: set[str], previous: tuple[Claim, ...]) -> Iterator[str]:
    """New refs, after the highest of the last reading: what was withdrawn leaves its gap."""
    own_refs = [claim.ref for claim in previous if claim.ref and claim.ref.startswith(f"{prefix}-")]
    highest = max((int(ref.rsplit("-", 1)[1]) for ref in own_refs), default=0)
    names = (f"{prefix}-{number:03d}" for number in count(highest + 1))
    return (name for name in names if name not in used_refs)
