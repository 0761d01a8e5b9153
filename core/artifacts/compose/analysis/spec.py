"""`requirements-spec.md`: what is asked for, step by step, and what the whole of it leaves open."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core.artifacts.compose.claims import (
    detail,
    group_of,
    loose_requirements,
    nearly_all_loose,
)
from core.artifacts.compose.gathered import gathered, left_open, out_of_scope, voice_rows
from core.artifacts.compose.view import SectionView
from core.artifacts.document import tree, words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, FileShare, Inline
from core.domain.answers import Claim

# The group of lines that is the subject of a step, by the topic that its front matter names.
LEADS: Final = {
    "problem": "problem",
    "users": "user",
    "journey": "journey",
    "context": "constraint",
}
AT_THE_END: Final = frozenset({"exclusion", "assumption", "question"})
MOSCOW: Final = words.row("moscow")


def blocks(view: SectionView) -> Blocks:
    """The lines of a step. What lies out of scope or is left open stands at the end of the file."""
    own = [claim for claim in view.own if group_of(claim) not in AT_THE_END]
    ranked = [claim for claim in view.standing if claim.kind == "priority" and claim in own]
    others = [claim for claim in own if claim not in ranked]
    # What answers the step's own subject needs no name: the section has it already.
    lead = LEADS.get(str(view.step.extra.get("topic")), "")
    written = (*_priorities(ranked, view), *view.grouped(others, lead=lead), *_loose(others, view))
    return written or view.nothing


def _loose(claims: list[Claim], view: SectionView) -> Blocks:
    """Which requirements of the step serve no story or goal, in one sentence.

    Nothing where nearly none serves any: the design summary says that once.
    """
    every = loose_requirements(view.everything, view.everything)
    loose = [] if nearly_all_loose(every, view.everything) else every
    refs = [claim.ref for claim in loose if claim.ref and claim in claims]
    sentence = words.text("loose_requirements").format(", ".join(refs))
    return tree.paragraph(tree.emphasis(sentence)) if refs else ()


def _priorities(ranked: list[Claim], view: SectionView) -> Blocks:
    """The most important first; two people who disagree have a row each."""
    texts = {claim.ref: claim.text for claim in view.everything if claim.kind == "requirement"}
    older = view.sources.older.items()
    now = {claim.id: claim.text for claim in view.everything}
    texts |= {old.ref: now.get(newer, "") for newer, lines in older for old in lines}
    rows = []
    for claim in sorted(ranked, key=lambda claim: _order(claim, ranked)):
        ref = detail(claim, "requirement")
        named = ((part,) for part in (ref, one_line(texts.get(ref, ""))) if part)
        rank = (detail(claim, "priority"), *_disagreement(claim, ranked, view))
        what = tree.in_turn(named, " ") or (words.text("not_said"),)
        rows.append((claim, what, rank, one_line(claim.text)))
    return view.table("priority", rows)


def _order(claim: Claim, ranked: list[Claim]) -> tuple[bool, int, str, int]:
    """What names no requirement stands last."""
    return (not detail(claim, "requirement"), _highest(claim, ranked), *_importance(claim))


def _importance(claim: Claim) -> tuple[str, int]:
    rank = detail(claim, "priority")
    place = MOSCOW.index(rank) if rank in MOSCOW else len(MOSCOW)
    return detail(claim, "requirement"), place


def _highest(claim: Claim, ranked: Iterable[Claim]) -> int:
    """The highest rank that anybody gives to a requirement: its rows stay together."""
    name = detail(claim, "requirement")
    return min(rank for ref, rank in map(_importance, ranked) if ref == name)


def _disagreement(claim: Claim, ranked: Iterable[Claim], view: SectionView) -> Inline:
    others = (
        other
        for other in ranked
        if detail(other, "requirement") == detail(claim, "requirement") != ""
        and detail(other, "priority") != detail(claim, "priority")
    )
    return view.differing(others, lambda other: detail(other, "priority"))


def share(view: SectionView, file: str) -> FileShare:
    """As of every file; and requirements and qualities of steps that write no section of it."""
    if not view.writes_first(file):
        return gathered(view, file)
    further = [
        claim
        for claim in view.everything
        if claim.kind in ("requirement", "quality")
        and not view.writes(claim, file)
        and claim.step != view.step.id
    ]
    items, unchecked = tuple(map(view.full_item, further)), view.unchecked(further)
    return replace(gathered(view, file), further=items, unchecked=unchecked)


def end(whole: FileShare) -> Blocks:
    voices = tree.table(words.columns("voice"), voice_rows(whole.voices))
    return (
        *tree.titled(words.text("further"), (*tree.listing(whole.further), *whole.unchecked), 2),
        *out_of_scope(whole),
        *left_open(whole),
        *tree.titled(words.text("who_said_what"), voices, 2),
    )
