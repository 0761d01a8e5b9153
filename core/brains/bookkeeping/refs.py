"""Names of lines (FR-001, US-002) and which story belongs to which requirement."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from core.brains.text.wording import closest, plain, refs_in
from core.domain.answers import Claim, ClaimKind, ReadRequest

REF_PREFIX: Final[Mapping[ClaimKind, str]] = {
    "requirement": "FR",
    "quality": "NFR",
    "story": "US",
    "decision": "ADR",
}


def numbered(
    claims: tuple[Claim, ...],
    request: ReadRequest,
    prefixes: Mapping[ClaimKind, str] = REF_PREFIX,
) -> tuple[Claim, ...]:
    """The claims of the kinds that have names, with their names."""
    taken = {claim.ref for claim in (*request.claims, *request.unread) if claim.ref}
    refs = _kept(claims, request.previous, taken)
    fresh = {prefix: _free(prefix, taken, request.previous) for prefix in prefixes.values()}
    return tuple(
        replace(claim, ref=refs.get(claim.id) or next(fresh[prefixes[claim.kind]]))
        if claim.kind in prefixes
        else claim
        for claim in claims
    )


def _kept(
    claims: tuple[Claim, ...], previous: tuple[Claim, ...], taken: Iterable[str]
) -> dict[str, str]:
    """Claim id → the ref it had: found by its words, else (edited) by its answer."""
    free = [claim for claim in previous if claim.ref and claim.ref not in set(taken)]
    refs: dict[str, str] = {}
    for same in (_same_words, _same_answer):
        for claim in claims:
            before = next((old for old in free if claim.id not in refs and same(old, claim)), None)
            if before and before.ref:
                refs[claim.id] = before.ref
                free.remove(before)
    return refs


def _same_words(old: Claim, new: Claim) -> bool:
    return old.kind == new.kind and plain(old.text) == plain(new.text)


def _same_answer(old: Claim, new: Claim) -> bool:
    return old.kind == new.kind and bool(set(old.sources) & set(new.sources))


def _free(prefix: str, taken: set[str], previous: tuple[Claim, ...]) -> Iterator[str]:
    """New refs, after the highest of the last reading: what was withdrawn leaves its gap."""
    mine = [claim.ref for claim in previous if claim.ref and claim.ref.startswith(f"{prefix}-")]
    highest = max((int(ref.rsplit("-", 1)[1]) for ref in mine), default=0)
    names = (f"{prefix}-{number:03d}" for number in count(highest + 1))
    return (name for name in names if name not in taken)


# ── links between stories and requirements ─────────────────────────────────────────────────────

_LINKS: Final[Mapping[ClaimKind, tuple[str, ClaimKind, str]]] = {
    "story": ("FR", "requirement", "requirements"),
    "requirement": ("US", "story", "stories"),
}


def linked(claims: tuple[Claim, ...], request: ReadRequest) -> tuple[Claim, ...]:
    return tuple(
        replace(claim, data={**claim.data, **_link(claim, (*request.claims, *claims))})
        if claim.kind in _LINKS
        else claim
        for claim in claims
    )


def _link(claim: Claim, others: tuple[Claim, ...]) -> dict[str, str]:
    """The lines a story or requirement belongs to: those it names, else the one it sounds like."""
    prefix, kind, key = _LINKS[claim.kind]
    gists = {claim.ref: _gist(claim) for claim in others if claim.kind == kind and claim.ref}
    if named := [ref for ref in refs_in(prefix, claim.text) if ref in gists]:
        return {key: ", ".join(named), "link": "stated"}
    nearest = closest(_gist(claim), gists)
    return {key: nearest, "link": "inferred"} if nearest else {}


def _gist(claim: Claim) -> str:
    """What a line is about: of a story its wish, not its role or benefit."""
    return claim.data.get("want") or claim.text


# ── checks that name their line ────────────────────────────────────────────────────────────────


def attached(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """A check that names a line of this step (`FR-001: …`) belongs to that line."""
    lines = {claim.ref: claim for claim in claims if claim.kind in _LINKS and claim.ref}
    taken: set[str] = set()
    for claim in claims:
        named = [ref for prefix in ("FR", "US") for ref in refs_in(prefix, claim.text)]
        if claim.kind != "fact" or "acceptance" not in claim.data or len(named) != 1:
            continue
        if line := lines.get(named[0]):
            lines[named[0]] = _with_check(line, claim)
            taken.add(claim.id)
    rest = (claim for claim in claims if claim.id not in taken)
    return tuple(lines.get(claim.ref, claim) if claim.ref else claim for claim in rest)


def _with_check(line: Claim, check: Claim) -> Claim:
    before = line.data.get("acceptance", "")
    together = "\n".join(filter(None, (before, check.data["acceptance"])))
    sources = tuple(dict.fromkeys((*line.sources, *check.sources)))
    return replace(line, sources=sources, data={**line.data, "acceptance": together})
