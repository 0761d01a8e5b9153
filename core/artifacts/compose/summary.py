"""`design-summary.md`: the whole analysis for somebody who comes late, made from all claims."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.artifacts.compose.decisions import RECORDED_BY, REJECTED
from core.artifacts.compose.view import (
    WRITTEN_BY,
    View,
    claim_list,
    grouped,
    is_assumed,
    is_excluded,
    is_open,
    said,
)
from core.artifacts.document import words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import (
    Blocks,
    Span,
    item,
    joined,
    listing,
    paragraph,
    titled,
)
from core.domain.answers import Claim
from core.domain.playbook import BUILT_IN_PHASES

# What counts as decided in each phase; in one of your own, only what is called a decision.
_DECIDES: Final[Mapping[str, tuple[str, ...]]] = {
    "00": ("scope",),
    "01": ("requirement", "quality", "constraint", "decision"),
    "02": ("risk", "decision"),
    "03": ("decision", "option"),
    "04": ("decision", "module", "interface"),
}
_LABELS: Final = {phase.key[:2]: phase.label for phase in BUILT_IN_PHASES}


def summary_body(view: View) -> Blocks:
    own = [claim for claim in view.own if not is_assumed(claim) and not is_open(claim)]
    unknown = words.NOT_ALL_ASKED if view.not_asked else ""
    left_open = claim_list(filter(_is_asked, view.everything), view.sources)
    assumed = claim_list(filter(is_assumed, view.everything), view.sources)
    review = grouped(own, view, lead="fact", level=4)
    return joined(
        (
            titled(words.IN_SHORT, _in_short(view)),
            titled(words.BY_PHASE, _by_phase(view) or paragraph(words.NOTHING_DECIDED)),
            titled(words.NOT_ASKED, listing(item(one_line(title)) for title in view.not_asked)),
            titled(words.OPEN_QUESTIONS, left_open or paragraph(unknown or words.NO_OPEN_QUESTION)),
            titled(words.ASSUMPTIONS, assumed or paragraph(unknown or words.NO_ASSUMPTION)),
            titled(words.FILES, listing(_files(view))),
            titled(words.AT_THE_REVIEW, review or paragraph(words.NOTHING)),
        )
    )


def _in_short(view: View) -> Blocks:
    counts = {
        kind: sum(claim.kind == kind and not is_assumed(claim) for claim in view.everything)
        for kind in ("requirement", "quality", "story", "risk", "decision")
    }
    counts["question"] = sum(map(_is_asked, view.everything))
    counts["assumption"] = sum(map(is_assumed, view.everything))
    line = ", ".join(words.count(number, kind) for kind, number in counts.items())
    return paragraph(f"{line[:1].upper()}{line[1:]}.")


def _is_asked(claim: Claim) -> bool:
    return is_open(claim) and not is_assumed(claim)


def _by_phase(view: View) -> Blocks:
    phases: dict[str, list[Claim]] = {}
    for claim in filter(_is_decided, view.everything):
        phases.setdefault(claim.step[:2], []).append(claim)
    return joined(
        titled(_label(phase), claim_list(phases[phase], view.sources), 4)
        for phase in sorted(phases)
    )


def _is_decided(claim: Claim) -> bool:
    if is_assumed(claim) or is_open(claim):
        return False
    if claim.kind == "option":
        return bool(said(claim, "choice")) and said(claim, "choice") != REJECTED
    if claim.kind == "scope":
        return bool(claim.data.keys() & {"scope", "complexity", "file_count"})
    decides = _DECIDES.get(claim.step[:2], ("decision",))
    return claim.kind in decides or is_excluded(claim)


def _label(phase: str) -> str:
    return _LABELS.get(phase, f"{words.PHASE} {phase}")


def _files(view: View) -> Iterator[Blocks]:
    """Those that are there, each with what it is."""
    for file in WRITTEN_BY:
        if view.is_there(file):
            yield _entry(file, words.INTROS.get(file, words.HEADINGS.get(file, "")))
        if file == "tech-stack-decision.md":
            yield from _records(view.everything)


def _records(claims: Iterable[Claim]) -> Iterator[Blocks]:
    for claim in claims:
        if claim.kind == "decision" and claim.step == RECORDED_BY and claim.ref:
            yield _entry(f"{claim.ref.lower()}.md", "")


def _entry(file: str, what: str) -> Blocks:
    return item(Span(file, "", file), *((f": {what}",) if what else ()))
