"""The Markdown pages of the inception flow. A table where its rows are known; then every line."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from core.artifacts.compose.analysis.tables import chart, hop_table, is_flow
from core.artifacts.compose.gathered import gathered, left_open, out_of_scope
from core.artifacts.compose.inception import rows
from core.artifacts.compose.lines.claims import (
    conflicting,
    detail,
    is_excluded,
    of_kind,
    or_not_said,
    refs_in,
)
from core.artifacts.compose.view import SectionView
from core.artifacts.document import tree, words
from core.artifacts.document.plain import is_code, one_line
from core.artifacts.document.tree import Blocks, FileShare, Inline
from core.domain.answers import Claim, ClaimKind

CONSTITUTION: Final = "constitution.md"
CONTEXT: Final = "discovery-context.json"
_REMARKS: Final[frozenset[ClaimKind]] = frozenset({"note", "fact", "remark"})
_BRIEF: Final = ("purpose", "user", "success", "scope", "domain", "constraint")


def _lines(view: SectionView) -> list[Claim]:
    """The lines of the step, each once, but for those that stand at the end of the file."""
    first = {(line.kind, line.text, line.sources): line for line in reversed(view.own)}
    return [line for line in view.lines if first[line.kind, line.text, line.sources] is line]


# ── project-brief.md ───────────────────────────────────────────────────────────────────────────


def brief_blocks(view: SectionView) -> Blocks:
    """Purpose, users, success, scope, domain, constraints; then what else was said."""
    lines = [line for line in _lines(view) if not is_excluded(line)]
    groups = {kind: [line for line in lines if line.kind == kind] for kind in _BRIEF}
    others = [line for line in lines if line.kind not in _BRIEF]
    parts = tree.joined(
        tree.titled(words.GROUPS[kind], view.by_question(view.each_once(group)))
        for kind, group in groups.items()
        if group
    )
    return (*parts, *view.grouped(others, titled=True)) or view.nothing


def brief_share(view: SectionView, file: str) -> FileShare:
    """As of every file; and what was said at the walkthrough, which writes no page of its own."""
    if not view.writes_first(file):
        return gathered(view, file)
    walk = [
        step
        for step in view.steps.values()
        if CONTEXT in step.outputs and not any(name.endswith(".md") for name in step.outputs)
    ]
    replaced = chain.from_iterable(view.sources.older.values())
    lines = sorted((*view.everything, *replaced), key=lambda claim: (len(claim.id), claim.id))
    parts = (
        tree.titled(
            one_line(step.title),
            view.grouped((line for line in lines if line.step == step.id), titled=True, level=4),
        )
        for step in walk
    )
    walked = tree.titled(words.text("walkthrough"), tree.joined(parts), 2)
    return replace(gathered(view, file), further=(walked,) if walked else ())


def brief_end(file_share: FileShare) -> Blocks:
    return (
        *tree.joined(file_share.further),
        *out_of_scope(file_share),
        *left_open(file_share),
    )


# ── tech-stack.md ──────────────────────────────────────────────────────────────────────────────


def stack_blocks(view: SectionView) -> Blocks:
    """A row for each choice, every line in full, and how far the choices were agreed on."""
    if not view.own:
        return view.nothing
    choices = rows.choices(view.standing)
    cells = (
        (
            choice.claim,
            or_not_said(choice.area),
            _contested(choice.claim, view),
            or_not_said(choice.reason),
            tree.in_turn(((one_line(rival),) for rival in choice.rivals), " / ")
            or words.text("not_said"),
        )
        for choice in choices
    )
    return (
        *(view.table("stack", cells) or tree.paragraph(words.text("no_stack"))),
        *view.grouped(_lines(view), titled=True),
        *tree.titled(words.text("consensus"), _consensus(choices, view)),
    )


def _contested(claim: Claim, view: SectionView) -> Inline:
    """A choice, and what others took instead."""
    others = conflicting(claim, view.everything)
    return (one_line(rows.name_of(claim)), *view.differing(others, rows.name_of))


def _consensus(choices: Sequence[rows.ChosenTechnology], view: SectionView) -> Blocks:
    """How the personas voted, and on which choices nobody did."""
    votes = dict.fromkeys(choice.vote for choice in choices if choice.vote != rows.NO_VOTE)
    if not votes:
        return tree.paragraph(words.text("no_vote"))
    without = (
        tree.item(
            f"{rows.VOTED[rows.NO_VOTE]}: ",
            one_line(choice.name),
            view.sources.line_source(choice.claim),
        )
        for choice in choices
        if choice.vote == rows.NO_VOTE
    )
    return (*tree.paragraph(" ".join(rows.VOTED[vote] for vote in votes)), *tree.listing(without))


# ── data-model.md ──────────────────────────────────────────────────────────────────────────────


def data_blocks(view: SectionView) -> Blocks:
    """The things in a table, a chart and a table of how they belong together; then every line."""
    things = (
        (
            claim,
            name,
            or_not_said(", ".join(fields)),
            or_not_said(rows.retention(name, view.standing)),
        )
        for name, fields, claim in rows.things(view.standing)
    )
    related = [claim for claim in of_kind(view.standing, "relation") if is_flow(claim)]
    return (
        *view.table("thing", things),
        *chart(related),
        *hop_table("relation", related, view),
        *view.grouped(_lines(view), titled=True),
    ) or view.nothing


# ── test-strategy-outline.md ───────────────────────────────────────────────────────────────────


def testing_blocks(view: SectionView) -> Blocks:
    levels = (
        (claim, detail(claim, "level"), detail(claim, "covers") or one_line(rows.stated(claim)))
        for claim in of_kind(view.standing, "test")
        if detail(claim, "level") and not is_code(claim.text)
    )
    table = view.table("test", levels)
    return (*table, *view.grouped(_lines(view), titled=True)) or view.nothing


# ── constitution.md ────────────────────────────────────────────────────────────────────────────


def constitution_blocks(view: SectionView) -> Blocks:
    """The articles in the order of their numbers, each with its reason and what was said of it
    later; then what else was said."""
    if not view.own:
        return view.nothing
    articled = [claim for claim in _articles(view) if not _is_removed(claim, view)]
    articles = tree.listing(_article(claim, view) for _, claim in rows.articles(articled))
    others = [line for line in _lines(view) if line not in articled]
    return view.table_and_lines(articles or tree.paragraph(words.text("no_article")), others)


def _articles(view: SectionView) -> list[Claim]:
    """Those of the step; the first that writes them has what is added at the walkthrough too."""
    added = [
        claim
        for claim in of_kind(view.everything, "article")
        if not (view.writes(claim, CONSTITUTION) or view.sources.older.get(claim.id))
    ]
    return [*of_kind(view.own, "article"), *(added if view.writes_first(CONSTITUTION) else ())]


def _is_removed(article: Claim, view: SectionView) -> bool:
    """True for what nothing but the removal stands in place of, or an older wording of another."""
    return article.id in view.sources.replaced and view.sources.newest(article).kind != "article"


def _article(claim: Claim, view: SectionView) -> Blocks:
    reason = detail(claim, "reason")
    is_in_text = reason.casefold() in claim.text.casefold()  # as is none at all
    by = view.sources.line_source(claim)
    reasons = () if is_in_text else (tree.item(f"{words.text('reason')}: ", reason, by),)
    remarks = (
        tree.item(
            f"{words.text('remarked')}: ", one_line(remark.text), view.sources.line_source(remark)
        )
        for remark in view.everything
        if remark.kind in _REMARKS
        and remark.step > claim.step
        and claim.ref in refs_in(remark.text)
    )
    return view.full_item(claim, *reasons, *remarks)


# ── skills-report.md ───────────────────────────────────────────────────────────────────────────


def skills_blocks(view: SectionView) -> Blocks:
    """What the team says of its skills, then what the stack asks for and nobody spoke of."""
    skills = (
        (claim, one_line(name), rows.SKILL_STATUS[status])
        for name, status, claim in rows.skills(view.standing, view.everything)
    )
    table = view.table("skill", skills)
    return (*table, *view.grouped(_lines(view), titled=True)) or view.nothing
