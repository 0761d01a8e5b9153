"""The Markdown pages of the inception flow. A table where its rows are known; then every line."""

from collections.abc import Callable, Mapping
from typing import Final

from core.artifacts.compose.flow import chart, hop_rows, is_flow
from core.artifacts.compose.gathered import gathered, left_open, out_of_scope
from core.artifacts.compose.inception import rows
from core.artifacts.compose.links import conflicting
from core.artifacts.compose.view import (
    SectionView,
    by_question,
    differing,
    full_item,
    grouped,
    is_assumed,
    is_excluded,
    is_open,
    or_not_said,
    said,
)
from core.artifacts.document import words
from core.artifacts.document.code import is_code
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import (
    Blocks,
    FileShare,
    Inline,
    StepPart,
    in_turn,
    item,
    joined,
    listing,
    paragraph,
    table,
    titled,
)
from core.domain.answers import Claim

_BRIEF: Final = ("purpose", "user", "success", "scope", "domain", "constraint")


def _lines(view: SectionView) -> list[Claim]:
    """The lines of the step, each once, but for those that stand at the end of the file."""
    once = {(line.kind, line.text, line.sources): line for line in reversed(view.own)}
    return [
        line
        for line in view.own
        if once[line.kind, line.text, line.sources] is line
        and not is_assumed(line)
        and not is_open(line)
    ]


def _or_nothing(view: SectionView, blocks: Blocks) -> Blocks:
    return blocks or paragraph(words.text("all_at_the_end") if view.own else words.text("nothing"))


# ── project-brief.md ───────────────────────────────────────────────────────────────────────────


def brief_body(view: SectionView) -> Blocks:
    """Purpose, users, success, scope, domain, constraints; then what else was said."""
    lines = [line for line in _lines(view) if not is_excluded(line)]
    groups = {kind: [line for line in lines if line.kind == kind] for kind in _BRIEF}
    rest = [line for line in lines if line.kind not in _BRIEF]
    parts = joined(
        titled(words.GROUPS[kind], by_question(group, view))
        for kind, group in groups.items()
        if group
    )
    return _or_nothing(view, (*parts, *grouped(rest, view, named=True)))


def brief_end(whole: FileShare) -> Blocks:
    return (*out_of_scope(whole), *left_open(whole))


# ── tech-stack.md ──────────────────────────────────────────────────────────────────────────────


def stack_body(view: SectionView) -> Blocks:
    """A row for each choice, every line in full, and how far the choices were agreed on."""
    if not view.own:
        return paragraph(words.text("nothing"))
    choices = rows.choices(view.own)
    written = [
        (
            or_not_said(choice.area),
            _contested(choice.claim, view),
            or_not_said(choice.reason),
            in_turn(((one_line(rival),) for rival in choice.rivals), " / ")
            or words.text("not_said"),
            (view.sources.said(choice.claim, "cell"),),
        )
        for choice in choices
    ]
    return (
        *(table(words.columns("stack"), written) or paragraph(words.text("no_stack"))),
        *grouped(_lines(view), view, named=True),
        *titled(words.text("consensus"), _consensus(choices, view)),
    )


def _contested(claim: Claim, view: SectionView) -> Inline:
    """A choice, and what others took instead."""
    others = conflicting(claim, view.everything)
    return (one_line(rows.name_of(claim)), *differing(others, view, rows.name_of))


def _consensus(choices: list[rows.ChosenTechnology], view: SectionView) -> Blocks:
    written = [
        (
            or_not_said(choice.area),
            one_line(choice.name),
            choice.vote,
            (view.sources.said(choice.claim, "cell"),),
        )
        for choice in choices
        if choice.vote != rows.NO_VOTE
    ]
    return table(words.columns("consensus"), written) or paragraph(words.text("no_vote"))


# ── data-model.md ──────────────────────────────────────────────────────────────────────────────


def data_body(view: SectionView) -> Blocks:
    """The things in a table, a chart and a table of how they belong together; then every line."""
    things = [
        (
            name,
            or_not_said(", ".join(fields)),
            or_not_said(rows.retention(name, view.own)),
            (view.sources.said(claim, "cell"),),
        )
        for name, fields, claim in rows.things(view.own)
    ]
    related = [claim for claim in rows.of_kind(view.own, "relation") if is_flow(claim)]
    blocks = (
        *table(words.columns("thing"), things),
        *chart(related),
        *table(words.columns("relation"), hop_rows(related, view)),
        *grouped(_lines(view), view, named=True),
    )
    return _or_nothing(view, blocks)


# ── test-strategy-outline.md ───────────────────────────────────────────────────────────────────


def testing_body(view: SectionView) -> Blocks:
    written = [
        (
            said(claim, "level"),
            said(claim, "covers") or one_line(rows.stated(claim)),
            (view.sources.said(claim, "cell"),),
        )
        for claim in rows.of_kind(view.own, "test")
        if said(claim, "level") and not is_code(claim.text)
    ]
    lines = grouped(_lines(view), view, named=True)
    return _or_nothing(view, (*table(words.columns("test"), written), *lines))


# ── constitution.md ────────────────────────────────────────────────────────────────────────────


def constitution_body(view: SectionView) -> Blocks:
    """The articles in the order of their numbers, each with its reason; then what else was said."""
    if not view.own:
        return paragraph(words.text("nothing"))
    articles = listing(_article(claim, view) for _, claim in rows.articles(view.own))
    rest = [line for line in _lines(view) if line.kind != "article"]
    return (
        *(articles or paragraph(words.text("no_article"))),
        *grouped(rest, view, named=True),
    )


def _article(claim: Claim, view: SectionView) -> Blocks:
    reason = said(claim, "reason")
    if not reason or reason.casefold() in claim.text.casefold():
        return full_item(claim, view)
    below = item(f"{words.text('reason')}: ", reason, view.sources.said(claim))
    return full_item(claim, view, below)


# ── skills-report.md ───────────────────────────────────────────────────────────────────────────


def skills_body(view: SectionView) -> Blocks:
    """What the team says of its skills, then what the stack asks for and nobody spoke of."""
    written = [
        (one_line(name), words.mapping("skill_status")[status], (view.sources.said(claim, "cell"),))
        for name, status, claim in rows.skills(view.own, view.everything)
    ]
    lines = grouped(_lines(view), view, named=True)
    return _or_nothing(view, (*table(words.columns("skill"), written), *lines))


# ── the pages by their names ───────────────────────────────────────────────────────────────────

Body = Callable[[SectionView], StepPart]
End = Callable[[FileShare], Blocks]


def _with_end(file: str, blocks: Callable[[SectionView], Blocks]) -> Body:
    return lambda view: StepPart(blocks(view), gathered(view, file))


PAGES: Final[Mapping[str, tuple[Body, End]]] = {
    file: (_with_end(file, blocks), brief_end if file == "project-brief.md" else left_open)
    for file, blocks in (
        ("project-brief.md", brief_body),
        ("tech-stack.md", stack_body),
        ("data-model.md", data_body),
        ("test-strategy-outline.md", testing_body),
        ("constitution.md", constitution_body),
        ("skills-report.md", skills_body),
    )
}
