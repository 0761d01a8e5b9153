"""`requirements-spec.md`: what is asked for, step by step, and what the whole of it leaves open."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core.artifacts.compose.gathered import gathered, left_open, out_of_scope, voice_rows
from core.artifacts.compose.view import (
    SectionView,
    differing,
    full_item,
    group_of,
    grouped,
    said,
    tagged,
)
from core.artifacts.document import words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import (
    Blocks,
    FileShare,
    Inline,
    StepPart,
    in_turn,
    joined,
    listing,
    paragraph,
    table,
    titled,
)
from core.domain.answers import Claim

SPEC: Final = "requirements-spec.md"
AT_THE_END: Final = frozenset({"out-of-scope", "assumption", "question"})


def spec_part(view: SectionView) -> StepPart:
    return StepPart(_blocks(view), replace(gathered(view, SPEC), further=_further(view)))


def _blocks(view: SectionView) -> Blocks:
    """The lines of a step. What lies out of scope or is left open stands at the end of the file."""
    own = [claim for claim in view.own if group_of(claim) not in AT_THE_END]
    ranked = [claim for claim in own if claim.kind == "priority"]
    rest = [claim for claim in own if claim not in ranked]
    # What answers the step's own subject needs no name: the section has it already.
    lead = next(iter(tagged(view.step, "topic")), "")
    nothing = words.text("all_at_the_end") if view.own else words.text("nothing")
    return (*_priorities(ranked, view), *grouped(rest, view, lead=lead)) or paragraph(nothing)


def _priorities(ranked: list[Claim], view: SectionView) -> Blocks:
    """The most important first; two people who disagree have a row each."""
    texts = {claim.ref: claim.text for claim in view.everything if claim.kind == "requirement"}
    rows = [
        (
            _named(said(claim, "requirement"), texts.get(said(claim, "requirement"), "")),
            (said(claim, "priority"), *_disagreement(claim, ranked, view)),
            one_line(claim.text),
            (view.sources.said(claim, "cell"),),
        )
        for claim in sorted(
            ranked, key=lambda claim: (_highest(claim, ranked), *_importance(claim))
        )
    ]
    return table(words.columns("priority"), rows)


def _named(ref: str, text: str) -> Inline:
    return in_turn(((part,) for part in (ref, one_line(text)) if part), " ")


def _importance(claim: Claim) -> tuple[str, int]:
    rank = said(claim, "priority")
    place = (
        words.row("moscow").index(rank) if rank in words.row("moscow") else len(words.row("moscow"))
    )
    return said(claim, "requirement"), place


def _highest(claim: Claim, ranked: Iterable[Claim]) -> int:
    """The highest rank that anybody gives to a requirement: its rows stay together."""
    name = said(claim, "requirement")
    return min(rank for ref, rank in map(_importance, ranked) if ref == name)


def _disagreement(claim: Claim, ranked: Iterable[Claim], view: SectionView) -> Inline:
    others = (
        other
        for other in ranked
        if said(other, "requirement") == said(claim, "requirement")
        and said(other, "priority") != said(claim, "priority")
    )
    return differing(others, view, lambda other: said(other, "priority"))


def _further(view: SectionView) -> tuple[Blocks, ...]:
    """Requirements and qualities told at steps that write no section of this file."""
    return tuple(
        full_item(claim, view)
        for claim in view.everything
        if claim.kind in ("requirement", "quality")
        and not view.writes(claim, SPEC)
        and claim.step != view.step.id
    )


def spec_end(whole: FileShare) -> Blocks:
    voices = table(words.columns("voice"), voice_rows(whole.voices))
    return joined(
        (
            titled(words.text("further"), listing(whole.further), 2),
            out_of_scope(whole),
            left_open(whole),
            titled(words.text("who_said_what"), voices, 2),
        )
    )
