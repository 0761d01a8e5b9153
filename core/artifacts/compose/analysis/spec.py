"""`requirements-spec.md`: what is asked for, step by step, and what the whole of it leaves open."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.artifacts.compose.analysis.stories import ranked_items, ranked_thing
from core.artifacts.compose.gathered import gathered, left_open, out_of_scope
from core.artifacts.compose.lines.claim_links import loose_requirements
from core.artifacts.compose.lines.claims import (
    WORD_CHARS_MIN,
    detail,
    group_of,
    of_kind,
    only_one_with,
)
from core.artifacts.compose.view import SectionView
from core.artifacts.document import tree, words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, FileShare, Inline
from core.domain.answers import Claim
from core.domain.ids import StepId
from core.domain.lines import CALLED, MAYBE, RANKED

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
MAYBE_MAX: Final = 3  # lines that a name may fit, to name each
_WORDS: Final = patterns.compile(r"[\w-]+")
_LABEL: Final = r"[#(]*(?:[0-9]{1,3}|[A-Za-z])\)?"
_LABELS: Final = patterns.compile(rf"{_LABEL}(?:[\s–-]+{_LABEL})*")
"""What people call lines of their own list: "3", "(b)", "1 2 4", "5-7"."""


def blocks(view: SectionView) -> Blocks:
    """The lines of a step. What lies out of scope or is left open stands at the end of the file."""
    own = [claim for claim in view.own if group_of(claim) not in AT_THE_END]
    ranked = [claim for claim in view.standing if claim.kind == "priority" and claim in own]
    others = [claim for claim in own if claim not in ranked]
    ranked += _ranked_elsewhere(view)
    # What answers the step's own subject needs no name: the section has it already.
    lead = LEADS.get(str(view.step.extra.get("topic")), "")
    written = (*_priorities(ranked, view), *view.grouped(others, lead=lead), *_loose(others, view))
    return written or view.nothing


def _ranked_elsewhere(view: SectionView) -> list[Claim]:
    """Ranks by name of other steps, where requirements are ranked: the later ones hold."""
    if view.step.extra.get("topic") != "priorities":
        return []
    ranks = of_kind(view.everything, "priority")
    return [rank for rank in ranks if rank.step != view.step.id and detail(rank, "requirement")]


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
    texts = {claim.ref: claim.text for claim in view.everything if claim.kind in RANKED}
    newest = _newest_lines(view)
    taken_out = {ref for ref, line in newest.items() if line.kind not in RANKED}
    newest = {ref: line for ref, line in newest.items() if ref not in taken_out}
    texts |= {ref: line.text for ref, line in newest.items()}
    last = {_rank_of(claim, view): claim for claim in ranked}
    repeated = [claim for claim in ranked if last[_rank_of(claim, view)] is not claim]
    rows = []
    for claim in sorted(ranked, key=lambda claim: _order(claim, ranked)):
        ref = detail(claim, "requirement")
        if ref in taken_out and claim.confidence != "stated":
            continue  # "the rest should", of a line that is none any more
        name = newest[ref].ref or ref if ref in newest else ref
        parts = ((part,) for part in (name, one_line(texts.get(ref, ""))) if part)
        rank = (detail(claim, "priority"), *_disagreement(claim, ranked, view))
        requirement = tree.in_turn(parts, " ") or (words.text("not_said"),)
        if (ref and claim not in repeated) or not (ref or _names(claim)):
            rows.append((claim, requirement, rank, one_line(claim.text)))
    return view.table("priority", (*rows, *_unmatched_rows(ranked, texts, view)))


def _newest_lines(view: SectionView) -> dict[str | None, Claim]:
    """Ref of a line that was replaced → what stands in its place."""
    standing = {claim.id: claim for claim in view.everything}
    older = ((standing[newer], lines) for newer, lines in view.sources.older.items()
             if newer in standing)  # fmt: skip
    return {old.ref: newest for newest, lines in older for old in lines if old.ref}


def _rank_of(claim: Claim, view: SectionView) -> tuple[object, ...]:
    """Which requirement, which rank, and who gave it."""
    return detail(claim, "requirement"), detail(claim, "priority"), _people(claim, view)


def _people(claim: Claim, view: SectionView) -> object:
    """Who said it, to tell lines of one person from those of others."""
    answers = view.sources.answers
    return frozenset(answers[it].by for it in claim.sources if it in answers) or claim.id


def _unmatched_rows(
    ranked: list[Claim], texts: Mapping[str | None, str], view: SectionView
) -> Iterator[tuple[Claim, str, str, str]]:
    """A row for each name that names nothing: of somebody's ranks of one name the last."""
    lists = (claim for claim in view.own if claim.kind == "priority" and
             (claim in ranked or ranked_items(one_line(claim.text))))  # fmt: skip
    lines: dict[object, list[Claim]] = {}
    for claim in lists:
        lines.setdefault((claim.sources, claim.text), []).append(claim)
    last: dict[tuple[object, ...], tuple[Claim, str]] = {}
    for alike in lines.values():
        for rank, name, meant in _unmatched(alike, texts, view):
            last[_folded(name), _people(rank, view)] = rank, f"{name}: {meant}"
    for claim, name in sorted(last.values(), key=lambda row: _importance(row[0])[1]):
        yield claim, name, detail(claim, "priority"), one_line(claim.text)


def _unmatched(
    alike: list[Claim], texts: Mapping[str | None, str], view: SectionView
) -> Iterator[tuple[Claim, str, str]]:
    """The names in a line of ranks that name none of the lines that it ranks; what may be meant.

    `alike`: its ranks.
    """
    refs = [detail(line, "requirement") for line in alike]
    matched = " ".join((*refs, *(texts.get(ref, "") for ref in refs)))
    words_matched = _WORDS.findall(matched.casefold())
    lines = of_kind(view.everything, "requirement", "story")
    names = list(dict.fromkeys(name for rank in alike for name in _names(rank)))
    labels = [name for name in names if _LABELS.fullmatch(name)]
    of_labels = [line for line in alike if line.confidence == "stated" and CALLED not in line.data]
    called = {_folded(detail(line, CALLED)): line for line in alike if CALLED in line.data}
    for name in names:
        rank = called.get(_folded(name), alike[0])
        if _folded(name) in called:
            if detail(rank, "requirement") or rank.id in view.sources.replaced:
                continue
            if MAYBE in rank.data:
                yield rank, name, _maybe(detail(rank, MAYBE).split(", "))
                continue
        if name in labels and len(labels) <= len(of_labels):
            continue
        every = _WORDS.findall(name.casefold())
        telling = [word for word in every if len(word) >= WORD_CHARS_MIN] or every
        parts = (word.removesuffix("s") for word in telling)
        if all(any(word.startswith(part) for word in words_matched) for part in parts):
            continue
        line = only_one_with(name, lines)
        yield rank, name, _maybe([line.ref] if line and line.ref else [])


def _maybe(refs: Sequence[str]) -> str:
    """ "FR-004 or FR-009?" of the lines that a name fits."""
    refs = list(filter(None, refs))
    if len(refs) > MAYBE_MAX:
        return words.text("fits_several")
    *first, last = refs or [""]
    named = f"{', '.join(first)} {words.text('or')} {last}" if first else last
    return f"{named}?" if named else words.text("no_such_requirement")


def _folded(name: str) -> str:
    """A name without its article, to compare it."""
    return one_line(name).casefold().removeprefix("the ").strip(" .!*")


def _names(claim: Claim) -> list[str]:
    """What a line lists under a rank; nothing of a line of prose, or of what will not be."""
    text = one_line(claim.text)
    if (called := detail(claim, CALLED)) and not (
        ranked_items(text) or detail(claim, "requirement")
    ):
        return [called]
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
    """As of every file; and what is asked for at steps that write no section of it."""
    if not view.writes_first(file):
        return gathered(view, file)
    others = [
        claim
        for claim in view.everything
        if not view.writes(claim, file) and claim.step != view.step.id
    ]
    requirements = [claim for claim in others if claim.kind in ("requirement", "quality")]
    parts = (
        tree.titled(
            words.DATA_HEADINGS["user-stories.json"], _items(of_kind(others, "story"), view), 2
        ),
        tree.titled(words.text("further"), _by_step(requirements, view), 2),
    )
    return replace(gathered(view, file), further=tuple(filter(None, parts)))


def _by_step(claims: Iterable[Claim], view: SectionView) -> Blocks:
    """Lines under the title of the step at which they were said."""
    steps: dict[StepId, list[Claim]] = {}
    for claim in claims:
        steps.setdefault(claim.step, []).append(claim)
    titles = {step: view.steps[step].title if step in view.steps else "" for step in steps}
    return tree.joined(
        tree.titled(one_line(titles[step]), _items(lines, view)) for step, lines in steps.items()
    )


def _items(claims: Iterable[Claim], view: SectionView) -> Blocks:
    return tree.listing(item for _, item in view.full_items(claims))


def end(file_share: FileShare) -> Blocks:
    return (
        *tree.joined(file_share.further),
        *out_of_scope(file_share),
        *left_open(file_share),
    )
