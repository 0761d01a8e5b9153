"""The scripted brain: it sorts what people said into claims, and never adds a word of its own.

Deterministic and offline. Every sentence of every answer becomes a claim in the words it was said
in; what a step leaves unsaid becomes at most one question. The rules are described in
docs/reference/artifacts.md.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from core.brains._checks import question
from core.brains._kinds import QUICK_SCAN, REF_PREFIX, Reading, readings
from core.brains._recorded import recorded
from core.brains._scan import scan_of
from core.brains._split import split
from core.brains._wording import closest, refs_in
from core.domain.answers import Answer, Claim, ClaimKind, Draft, ReadRequest, Scan
from core.domain.ids import StepId

NOT_ANSWERED: Final = "Not answered: {}"
SCAN_STEPS: Final = "00-"


class Scripted:
    """The scripted brain behind the `Brain` port."""

    def read(self, request: ReadRequest) -> Draft:
        return read(request)


def read(request: ReadRequest) -> Draft:
    """Sort the step's answers into claims. The same request gives the same draft."""
    said = _linked(_numbered(_said(request), request), request)
    claims = (*said, *_assumptions(request, start=len(said) + 1))
    scan = _scan(request, said) if request.phase == QUICK_SCAN else None
    return Draft(
        recorded=recorded(request, claims),
        claims=claims,
        question=question(request, claims, scan or request.scan),
        scan=scan,
    )


# ── claims ─────────────────────────────────────────────────────────────────────────────────────


def _said(request: ReadRequest) -> tuple[Claim, ...]:
    """One claim for each thing said; who says the same again becomes one more source of it."""
    found: dict[tuple[object, ...], Claim] = {}
    for answer in request.answers:
        for text, reading in _read_answer(answer, request):
            key = (reading.kind, _plain(text), _plain_data(reading.data))
            known = found.get(key) or _claim(text, reading, request.step.id)
            if reading.kind == "scope":
                found.pop(key, None)  # said again is said later, and the latest size holds
            found[key] = replace(known, sources=tuple(dict.fromkeys((*known.sources, answer.id))))
    return tuple(
        replace(claim, id=f"{request.step.id}/{number}")
        for number, claim in enumerate(found.values(), start=1)
    )


def _read_answer(answer: Answer, request: ReadRequest) -> Iterator[tuple[str, Reading]]:
    for fragment in split(answer.text):
        for reading in readings(fragment, request):
            yield fragment.text, reading
    for file in answer.files:
        yield file.name, Reading("fact", {"file": file.permalink})


def _claim(text: str, reading: Reading, step: StepId) -> Claim:
    return Claim("", step, reading.kind, text, (), reading.confidence, data=reading.data)


def _assumptions(request: ReadRequest, *, start: int) -> tuple[Claim, ...]:
    step = request.step.id
    return tuple(
        Claim(f"{step}/{number}", step, "assumption", NOT_ANSWERED.format(gap), (), "assumed")
        for number, gap in enumerate(dict.fromkeys(request.gaps), start=start)
    )


def _plain(text: str) -> str:
    """The form in which two people's sentences are the same sentence."""
    if text.startswith("```"):
        return text
    folded = " ".join(text.split()).casefold()
    return folded.rstrip(".! ") or folded


def _plain_data(data: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((key, _plain(value)) for key, value in data.items())


# ── refs: a line keeps its number as long as it stands ─────────────────────────────────────────


def _numbered(claims: tuple[Claim, ...], request: ReadRequest) -> tuple[Claim, ...]:
    taken = {claim.ref for claim in request.claims if claim.ref}
    kept = _kept(claims, request.previous, taken)
    fresh = {prefix: _free(prefix, taken, request.previous) for prefix in REF_PREFIX.values()}
    return tuple(
        replace(claim, ref=kept.get(claim.id) or next(fresh[REF_PREFIX[claim.kind]]))
        if claim.kind in REF_PREFIX
        else claim
        for claim in claims
    )


def _kept(
    claims: tuple[Claim, ...], previous: tuple[Claim, ...], taken: Iterable[str]
) -> dict[str, str]:
    """Claim id → the ref it had: found by its words, else (edited) by its answer."""
    free = [claim for claim in previous if claim.ref and claim.ref not in set(taken)]
    kept: dict[str, str] = {}
    for same in (_same_words, _same_answer):
        for claim in claims:
            before = next((old for old in free if claim.id not in kept and same(old, claim)), None)
            if before and before.ref:
                kept[claim.id] = before.ref
                free.remove(before)
    return kept


def _same_words(old: Claim, new: Claim) -> bool:
    return old.kind == new.kind and _plain(old.text) == _plain(new.text)


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


def _linked(claims: tuple[Claim, ...], request: ReadRequest) -> tuple[Claim, ...]:
    return tuple(
        replace(claim, data={**claim.data, **_link(claim, (*request.claims, *claims))})
        if claim.kind in _LINKS
        else claim
        for claim in claims
    )


def _link(claim: Claim, others: tuple[Claim, ...]) -> dict[str, str]:
    """The lines a story or requirement belongs to: those it names, else the one it sounds like."""
    prefix, kind, key = _LINKS[claim.kind]
    known = {claim.ref: _gist(claim) for claim in others if claim.kind == kind and claim.ref}
    if named := [ref for ref in refs_in(prefix, claim.text) if ref in known]:
        return {key: ", ".join(named), "link": "stated"}
    nearest = closest(_gist(claim), known)
    return {key: nearest, "link": "inferred"} if nearest else {}


def _gist(claim: Claim) -> str:
    """What a line is about: of a story its wish, not its role or benefit."""
    return claim.data.get("want") or claim.text


# ── the quick scan ─────────────────────────────────────────────────────────────────────────────


def _scan(request: ReadRequest, said: tuple[Claim, ...]) -> Scan:
    """Made anew from every answer of phase 00, so that what was withdrawn leaves no trace."""
    steps: dict[StepId, list[Answer]] = {}
    for answer in request.other_answers:
        if answer.step.startswith(SCAN_STEPS) and not answer.withdrawn:
            steps.setdefault(answer.step, []).append(answer)
    parts = {step: _elsewhere(request, step, answers) for step, answers in steps.items()}
    parts[request.step.id] = said
    return scan_of(claim.data for step in sorted(parts) for claim in parts[step])


def _elsewhere(request: ReadRequest, step: StepId, answers: list[Answer]) -> tuple[Claim, ...]:
    ordered = tuple(sorted(answers, key=_when))
    return _said(replace(request, step=replace(request.step, id=step), answers=ordered))


def _when(answer: Answer) -> tuple[tuple[int, ...], str]:
    return tuple(int(part) for part in re.findall(r"[0-9]+", answer.ts)), answer.id
