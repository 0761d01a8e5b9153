"""`design-summary.md`: the whole analysis for somebody who comes late, made from all claims."""

from collections.abc import Iterator
from typing import Final

from core.artifacts.compose.analysis.decisions import further_records, record_title
from core.artifacts.compose.analysis.options import (
    is_chosen,
    is_weighed,
    taken_option,
    weighed_options,
)
from core.artifacts.compose.claims import (
    REJECTED,
    detail,
    is_excluded,
    is_guess,
    is_open,
    once,
    open_questions,
    refs_in,
)
from core.artifacts.compose.readiness import readiness_of
from core.artifacts.compose.view import SectionView, is_decision_file, tagged
from core.artifacts.document import tree, words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, Span
from core.domain.answers import Claim
from core.domain.assumptions import ASKS, NOT_ANSWERED, is_assumed, is_left
from core.domain.playbook import BUILT_IN_PHASES

_LABELS: Final = {phase.key[:2]: phase.label for phase in BUILT_IN_PHASES}


def blocks(view: SectionView) -> Blocks:
    """What the whole analysis comes to, then what was said at the review itself."""
    left_out = tree.listing(tree.item(one_line(title)) for title in view.request.not_asked)
    unknown = "not_all_asked" if view.request.not_asked else ""
    assumed = view.sources.items(filter(is_guess, view.everything))
    review = view.grouped(view.lines, lead="fact", level=4)
    return (
        *_part("in_short", _in_short(view)),
        *_part("before_building", _before_building(view)),
        *_part("what_was_decided", tree.listing(_decided(view)), "nothing_decided"),
        *_part("by_phase", _by_phase(view), "nothing"),
        *_part("not_asked", left_out),
        *_part("open_questions", _questions(view), unknown or "no_open_question"),
        *_part("assumptions", assumed, unknown or "no_assumption"),
        *_part("files", tree.listing(_files(view))),
        *_part("at_the_review", review, "nothing"),
    )


def _part(title: str, blocks: Blocks, nothing: str = "") -> Blocks:
    """Blocks under a heading of ours; where there are none, the sentence that says so."""
    instead = tree.paragraph(words.text(nothing)) if nothing else ()
    return tree.titled(words.text(title), blocks or instead)


def _in_short(view: SectionView) -> Blocks:
    counts = {
        kind: sum(claim.kind == kind and _is_taken(claim) for claim in view.everything)
        for kind in ("requirement", "quality", "story", "risk", "decision")
    }
    counts["question"] = len(open_questions(view.everything))
    counts["assumption"] = sum(map(is_guess, view.everything))
    line = ", ".join(words.count(number, kind) for kind, number in counts.items())
    return tree.paragraph(f"{line[:1].upper()}{line[1:]}.")


def _questions(view: SectionView) -> Blocks:
    """Those of people, then what they were asked and did not answer."""
    unanswered = tree.titled(words.text("asked_not_answered"), tree.listing(_unanswered(view)), 4)
    return (*view.sources.items(open_questions(view.everything)), *unanswered)


def _unanswered(view: SectionView) -> Iterator[Blocks]:
    """Follow-ups without an answer; those on how to see that lines work are one of all lines.

    What the step itself asked stands in no other file, and is quoted here.
    """
    unanswered = [claim for claim in view.everything if is_left(claim)]
    joined = [claim for claim in unanswered if _is_joined(claim, view)]
    if joined:
        refs = ", ".join(refs_in(claim.text)[0] for claim in joined)
        yield tree.item(f"{words.text('asked_for_checks')}: {refs}")
    for claim in unanswered:
        if claim not in joined:
            yield tree.item(one_line(claim.text.removeprefix(NOT_ANSWERED.format(""))))


def _is_joined(claim: Claim, view: SectionView) -> bool:
    is_passed = claim.text.startswith(NOT_ANSWERED.format(""))
    is_check = claim.data.get(ASKS) == "check" and bool(refs_in(claim.text))
    return is_passed and is_check and claim.step != view.step.id


def _before_building(view: SectionView) -> Blocks:
    """What is not settled; of the musts without a check and of loose requirements, each line."""
    readiness = readiness_of(view.everything)
    texts = readiness.sentences(lambda claim: [voice.by for voice in view.sources.voices(claim)])
    return tree.joined(tree.paragraph(sentence) for sentence in texts)


def _decisions(view: SectionView) -> list[Claim]:
    """What people decided, and the options that they chose."""
    return [
        claim for claim in once(view.everything) if is_chosen(claim) and _is_decided(claim, view)
    ]


def _decided(view: SectionView) -> Iterator[Blocks]:
    """`Hold as a row in Postgres: Then let's go with A. — said by dev`."""
    options = weighed_options(view.everything)
    for claim in _decisions(view):
        yield view.sources.item(claim, under=taken_option(claim, options))


def _by_phase(view: SectionView) -> Blocks:
    decisions = _decisions(view)
    phases: dict[str, list[Claim]] = {}
    lines = once(claim for claim in view.everything if _is_decided(claim, view))
    for claim in (line for line in lines if line not in decisions):
        phases.setdefault(claim.step[:2], []).append(claim)
    return tree.joined(
        tree.titled(
            _LABELS.get(phase, f"{words.text('phase')} {phase}"),
            view.sources.items(phases[phase]),
            4,
        )
        for phase in sorted(phases)
    )


def _is_decided(claim: Claim, view: SectionView) -> bool:
    """What its step says it decides, in `(decides: …)`; and what is called a decision."""
    if not _is_taken(claim) or is_open(claim):
        return False
    if claim.kind == "option":
        return bool(detail(claim, "choice")) and detail(claim, "choice") != REJECTED
    if claim.kind in ("requirement", "quality"):
        return True  # wherever it was said
    if claim.kind == "scope":
        return bool(claim.data.keys() & {"scope", "complexity", "file_count"})
    step = view.steps.get(claim.step)
    decides = ("decision", *(tagged(step, "decides") if step else ()))
    return claim.kind in decides or is_excluded(claim)


def _is_taken(claim: Claim) -> bool:
    """True for what somebody said, or took over: no assumption, and no mere proposal."""
    return not is_assumed(claim) and claim.confidence != "proposed"


def _files(view: SectionView) -> Iterator[Blocks]:
    """Those that are there, each with what it is."""
    steps = sorted(view.steps.values(), key=lambda step: step.id)
    for file in dict.fromkeys(file for step in steps for file in step.outputs):
        if is_decision_file(file):
            yield from (_entry(f"{ref.lower()}.md", title) for ref, title in _recorded(view))
        elif file not in view.step.outputs and view.is_there(file):
            yield _entry(file, words.INTROS.get(file, words.HEADINGS.get(file, "")))


def _recorded(view: SectionView) -> Iterator[tuple[str, str]]:
    """Each record's name, and what it is about."""
    decisions = [claim for claim in view.everything if claim.kind == "decision" and claim.ref]
    for claim in decisions:
        if claim.ref and view.has_record(claim) and is_weighed(claim, view.everything):
            yield claim.ref, record_title(claim, view.everything)
    writing = (one.id for one in view.steps.values() if any(map(is_decision_file, one.outputs)))
    for step in writing:
        taken = {claim.ref or "" for claim in decisions if claim.step == step}
        for ref, choice in further_records(step, view.everything, taken):
            yield ref, record_title(choice, view.everything)


def _entry(file: str, intro: str) -> Blocks:
    return tree.item(Span(file, "", file), *((f": {intro}",) if intro else ()))
