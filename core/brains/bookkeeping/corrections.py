"""What people made of lines, above what any brain read. For any brain.

A correction holds for the words it was given to, whatever a reading makes of them; it lapses with
them. What it changes is marked with who changed it (`sorted_by`, a user's id) and when
(`sorted_at`, seconds since the epoch).
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from core.domain.answers import Claim, ClaimKind, Claims, LineRef, ReadRequest
from core.domain.lines import KIND_OF, Correction, find_line, in_force, is_lapsed, is_line

SORTED_BY: Final = "sorted_by"
SORTED_AT: Final = "sorted_at"
FORMER_REF: Final = "former_ref"  # the name it had; no other line takes it
_OWN_WORDS: Final = ("mitigation", "reason", "fields")
"""Keys under which a line keeps lines that people said beside it."""
_KEPT: Final = frozenset({"question", "file"})
"""Keys that hold whatever a line is sorted as."""


def corrected(lines: Claims, request: ReadRequest) -> Claims:
    """The lines of the step, each of the kind that somebody chose for it. None has a name yet."""
    every = list(lines)
    for correction in _kinds(request):
        if not is_lapsed(correction, request.answers, lines):
            _sort(every, correction, request)
    if tuple(every) == lines:
        return lines
    return tuple(
        replace(claim, id=f"{request.step.id}/{number}")
        for number, claim in enumerate(every, start=1)
    )


def related(claims: Claims, request: ReadRequest) -> Claims:
    """The named lines with what somebody said of two: checks, serves, stands in place of."""
    every = {claim.id: claim for claim in claims}
    for correction in in_force(request.corrections):
        line = find_line(correction.line, every.values())
        if line is None or correction.of is None or correction.step != request.step.id:
            continue
        if is_lapsed(correction, request.answers, claims):
            continue
        other = find_line(
            correction.of, (claim for claim in (*every.values(), *request.claims) if claim != line)
        )
        if other is not None:
            for reading in _readings(line, every.values()):
                every[reading.id] = _related(reading, other, correction)
    return tuple(every.values())


def _readings(line: Claim, claims: Iterable[Claim]) -> list[Claim]:
    """The claims that are readings of a line: one line may rank several requirements."""
    if line.kind != "priority":
        return [line]
    return [claim for claim in claims if claim.kind == line.kind and _is_same_line(claim, line)]


def is_decided(request: ReadRequest, one: Claim, other: Claim) -> bool:
    """True if somebody said which of two lines holds, or that both do."""
    return any(
        correction.of is not None
        and (
            (is_line(correction.line, one) and is_line(correction.of, other))
            or (is_line(correction.line, other) and is_line(correction.of, one))
        )
        for correction in in_force(request.corrections)
        if correction.sort in ("beside", "replaces")
    )


def _kinds(request: ReadRequest) -> Iterator[Correction]:
    for correction in in_force(request.corrections):
        says_what = correction.sort in KIND_OF or correction.sort == "dropped"
        if says_what and correction.step == request.step.id:
            yield correction


def _sort(every: list[Claim], correction: Correction, request: ReadRequest) -> None:
    """Put one line where somebody wants it; what was read of it besides goes with it."""
    line = find_line(correction.line, every)
    if correction.sort == "dropped":
        every[:] = [claim for claim in every if line is None or not _is_same_line(claim, line)]
    elif line is None:
        every.append(_as_said(correction))
    elif line.kind != KIND_OF[correction.sort]:  # else it is read like that anyway
        place = every.index(line)
        others = [claim for claim in every[place + 1 :] if not _is_same_line(claim, line)]
        every[place:] = [_of_kind(line, correction, request), *others, *_beside(line)]


def _is_same_line(claim: Claim, line: Claim) -> bool:
    return (claim.text, claim.sources) == (line.text, line.sources)


def _as_said(correction: Correction) -> Claim:
    """A line that the brain did not keep, while its words still stand in the answer."""
    line, kind = correction.line, KIND_OF[correction.sort]
    return Claim("", correction.step, kind, line.quote, (line.answer,), data=_signed(correction))


def _of_kind(line: Claim, correction: Correction, request: ReadRequest) -> Claim:
    kind = KIND_OF[correction.sort]
    data = {key: value for key, value in line.data.items() if key in _KEPT}
    data |= _former_ref(find_line(correction.line, request.previous), kind)
    return replace(line, kind=kind, confidence="stated", data={**data, **_signed(correction)})


def _former_ref(old_line: Claim | None, kind: ClaimKind) -> dict[str, str]:
    """The name that the line had as it was read, so that it gets it back when it is that again."""
    if old_line is None:
        return {}
    former = old_line.data.get(FORMER_REF) or (old_line.ref if old_line.kind != kind else None)
    return {FORMER_REF: former} if former else {}


def _beside(line: Claim) -> Iterator[Claim]:
    """What people said beside a line stays, as lines of its own."""
    for key in _OWN_WORDS:
        for text in filter(None, line.data.get(key, "").split("\n")):
            yield Claim("", line.step, "note", text, line.sources)


def _related(claim: Claim, other: Claim, correction: Correction) -> Claim:
    signed = {**claim.data, **_signed(correction)}
    match correction.sort:
        case "check" if other.ref:
            return replace(claim, data={**signed, "of": other.ref})
        case "serves" if other.ref:
            key = "stories" if other.kind == "story" else "goals"
            return replace(claim, data={**signed, key: other.ref, "link": "stated"})
        case "replaces":
            line = LineRef(other.sources[0], other.text) if other.sources else correction.of
            assert line is not None
            return replace(claim, data=signed, supersedes=(*claim.supersedes, line))
        case _:
            return claim


def _signed(correction: Correction) -> dict[str, str]:
    return {SORTED_BY: correction.by, SORTED_AT: f"{correction.at:.0f}"}
