"""`design-summary.md`: the whole analysis for somebody who comes late, made from all claims."""

from collections.abc import Iterator
from typing import Final

from core.artifacts.compose.decisions import REJECTED
from core.artifacts.compose.view import (
    SectionView,
    claim_list,
    grouped,
    is_assumed,
    is_decision_file,
    is_excluded,
    is_open,
    said,
    tagged,
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

_LABELS: Final = {phase.key[:2]: phase.label for phase in BUILT_IN_PHASES}


def summary_body(view: SectionView) -> Blocks:
    own = [claim for claim in view.own if not is_assumed(claim) and not is_open(claim)]
    unknown = words.text("not_all_asked") if view.not_asked else ""
    left_open = claim_list(filter(_is_asked, view.everything), view.sources)
    assumed = claim_list(filter(is_assumed, view.everything), view.sources)
    review = grouped(own, view, lead="fact", level=4)
    return joined(
        (
            titled(words.text("in_short"), _in_short(view)),
            titled(
                words.text("by_phase"), _by_phase(view) or paragraph(words.text("nothing_decided"))
            ),
            titled(
                words.text("not_asked"), listing(item(one_line(title)) for title in view.not_asked)
            ),
            titled(
                words.text("open_questions"),
                left_open or paragraph(unknown or words.text("no_open_question")),
            ),
            titled(
                words.text("assumptions"),
                assumed or paragraph(unknown or words.text("no_assumption")),
            ),
            titled(words.text("files"), listing(_files(view))),
            titled(words.text("at_the_review"), review or paragraph(words.text("nothing"))),
        )
    )


def _in_short(view: SectionView) -> Blocks:
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


def _by_phase(view: SectionView) -> Blocks:
    phases: dict[str, list[Claim]] = {}
    for claim in (claim for claim in view.everything if _is_decided(claim, view)):
        phases.setdefault(claim.step[:2], []).append(claim)
    return joined(
        titled(_label(phase), claim_list(phases[phase], view.sources), 4)
        for phase in sorted(phases)
    )


def _is_decided(claim: Claim, view: SectionView) -> bool:
    """What its step says it decides, in `(decides: …)`; and what is called a decision."""
    if is_assumed(claim) or is_open(claim):
        return False
    if claim.kind == "option":
        return bool(said(claim, "choice")) and said(claim, "choice") != REJECTED
    if claim.kind == "scope":
        return bool(claim.data.keys() & {"scope", "complexity", "file_count"})
    step = view.steps.get(claim.step)
    decides = ("decision", *(tagged(step, "decides") if step else ()))
    return claim.kind in decides or is_excluded(claim)


def _label(phase: str) -> str:
    return _LABELS.get(phase, f"{words.text('phase')} {phase}")


def _files(view: SectionView) -> Iterator[Blocks]:
    """Those that are there, each with what it is."""
    steps = sorted(view.steps.values(), key=lambda step: step.id)
    for file in dict.fromkeys(file for step in steps for file in step.outputs):
        if is_decision_file(file):
            yield from (_entry(f"{ref.lower()}.md", "") for ref in _recorded(view))
        elif file not in view.step.outputs and view.is_there(file):
            yield _entry(file, words.INTROS.get(file, words.HEADINGS.get(file, "")))


def _recorded(view: SectionView) -> Iterator[str]:
    for claim in view.everything:
        if claim.kind == "decision" and claim.ref and view.has_record(claim):
            yield claim.ref


def _entry(file: str, what: str) -> Blocks:
    return item(Span(file, "", file), *((f": {what}",) if what else ()))
