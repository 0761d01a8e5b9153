"""`requirements-spec.md`: what is asked for, step by step, and what the whole of it leaves open."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from core import patterns
from core.artifacts.compose.analysis.stories import ranked_items, ranked_thing
from core.artifacts.compose.claim_links import loose_requirements
from core.artifacts.compose.claims import WORD_CHARS_MIN, detail, group_of, of_kind, only_one_with
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
NAME_WORDS_MAX: Final = 4
_WORDS: Final = patterns.compile(r"[\w-]+")
_LABEL: Final = r"[#(]*(?:[0-9]{1,3}|[A-Za-z])\)?"
_LABELS: Final = patterns.compile(rf"{_LABEL}(?:[\s–-]+{_LABEL})*")
"""What people call lines of their own list: "3", "(b)", "1 2 4", "5-7"."""


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
    standing = (claim for claim in claims if claim in view.standing)
    loose = loose_requirements(standing, view.everything)
    refs = [claim.ref for claim in loose if claim.ref]
    if refs and view.everything.nearly_all_loose:
        return ()
    sentence = words.text("loose_requirements").format(", ".join(refs))
    return tree.paragraph(tree.emphasis(sentence)) if refs else ()


def _priorities(ranked: list[Claim], view: SectionView) -> Blocks:
    """The most important first; two people who disagree have a row each."""
    texts = {claim.ref: claim.text for claim in view.everything if claim.kind == "requirement"}
    older = view.sources.older.items()
    current_texts = {claim.id: claim.text for claim in view.everything}
    texts |= {old.ref: current_texts.get(newer, "") for newer, lines in older for old in lines}
    last = {_rank_of(claim, view): claim for claim in ranked}
    repeated = [claim for claim in ranked if last[_rank_of(claim, view)] is not claim]
    rows = []
    for claim in sorted(ranked, key=lambda claim: _order(claim, ranked)):
        ref = detail(claim, "requirement")
        parts = ((part,) for part in (ref, one_line(texts.get(ref, ""))) if part)
        rank = (detail(claim, "priority"), *_disagreement(claim, ranked, view))
        requirement = tree.in_turn(parts, " ") or (words.text("not_said"),)
        if (ref and claim not in repeated) or not (ref or _names(claim)):
            rows.append((claim, requirement, rank, one_line(claim.text)))
    return view.table("priority", (*rows, *_unmatched_rows(ranked, texts, view)))


def _rank_of(claim: Claim, view: SectionView) -> tuple[object, ...]:
    """Which requirement, which rank, and who gave it."""
    answers = view.sources.answers
    people = frozenset(answers[source].by for source in claim.sources if source in answers)
    return detail(claim, "requirement"), detail(claim, "priority"), people or claim.id


def _unmatched_rows(
    ranked: list[Claim], texts: Mapping[str | None, str], view: SectionView
) -> Iterator[tuple[Claim, str, str, str]]:
    lines = {(claim.sources, claim.text): claim for claim in reversed(ranked)}
    for claim in sorted(lines.values(), key=lambda claim: _importance(claim)[1]):
        for name in _unmatched(claim, texts, view):
            yield claim, name, detail(claim, "priority"), one_line(claim.text)


def _unmatched(claim: Claim, texts: Mapping[str | None, str], view: SectionView) -> Iterator[str]:
    """The names in a line of ranks that name none of the requirements that it ranks."""
    alike = [line for line in view.own if (line.sources, line.text) == (claim.sources, claim.text)]
    refs = [detail(line, "requirement") for line in alike]
    matched = " ".join((*refs, *(texts.get(ref, "") for ref in refs)))
    words_matched = _WORDS.findall(matched.casefold())
    lines = of_kind(view.everything, "requirement", "story")
    labels = [name for name in _names(claim) if _LABELS.fullmatch(name)]
    of_labels = [line for line in alike if line.confidence == "stated"]
    for name in _names(claim):
        if name in labels and len(labels) <= len(of_labels):
            continue
        every = _WORDS.findall(name.casefold())
        telling = [word for word in every if len(word) >= WORD_CHARS_MIN] or every
        parts = (word.removesuffix("s") for word in telling)
        if all(any(word.startswith(part) for word in words_matched) for part in parts):
            continue
        line = only_one_with(name, lines)
        maybe = f"{line.ref}?" if line and line.ref else words.text("no_such_requirement")
        yield f"{name}: {maybe}"


def _names(claim: Claim) -> list[str]:
    """What a line lists under a rank; nothing of a line of prose, or of what will not be."""
    text = one_line(claim.text)
    if (thing := ranked_thing(text)) and not detail(claim, "requirement"):
        return [thing] if len(thing.split()) <= NAME_WORDS_MAX else []
    names = ranked_items(text) if detail(claim, "priority") != MOSCOW[-1] else []
    is_list = len(names) > 1 or (names and ":" in text.partition(names[0])[0])
    return names if is_list and all(len(name.split()) <= NAME_WORDS_MAX for name in names) else []


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


def end(file_share: FileShare) -> Blocks:
    voices = tree.table(words.columns("voice"), voice_rows(file_share.voices))
    return (
        *tree.titled(
            words.text("further"), (*tree.listing(file_share.further), *file_share.unchecked), 2
        ),
        *out_of_scope(file_share),
        *left_open(file_share),
        *tree.titled(words.text("who_said_what"), voices, 2),
    )
