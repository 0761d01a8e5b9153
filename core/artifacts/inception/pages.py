"""The Markdown pages of the inception flow. A table where its rows are known; then every line."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from core.artifacts import words
from core.artifacts.decisions import architecture_body
from core.artifacts.flow import chart
from core.artifacts.inception import rows
from core.artifacts.links import conflicting
from core.artifacts.markdown import (
    escape,
    is_code,
    joined,
    provenance,
    said_by,
    table,
    titled,
)
from core.artifacts.share import Share, share, with_share
from core.artifacts.spec import left_open
from core.artifacts.tables import module_table
from core.artifacts.view import (
    View,
    asked,
    full_line,
    grouped,
    is_assumed,
    is_excluded,
    is_open,
    or_not_said,
    said,
)
from core.domain.answers import Claim

_BRIEF: Final = ("purpose", "user", "success", "scope", "domain", "constraint")


def _lines(view: View) -> list[Claim]:
    """The lines of the step, each once, but for those that stand at the end of the file."""
    once = {(one.kind, one.text, one.sources): one for one in reversed(view.own)}
    return [
        one
        for one in view.own
        if once[one.kind, one.text, one.sources] is one and not is_assumed(one) and not is_open(one)
    ]


def _written(view: View, blocks: Iterable[str]) -> str:
    nothing = words.ALL_AT_THE_END if view.own else words.NOTHING
    return joined(blocks) or nothing


# ── project-brief.md ───────────────────────────────────────────────────────────────────────────


def brief_body(view: View) -> str:
    """Purpose, users, success, scope, domain, constraints; then what else was said."""
    told = [one for one in _lines(view) if not is_excluded(one)]
    blocks = [
        titled(words.GROUPS[kind], asked(mine, view))
        for kind in _BRIEF
        if (mine := [one for one in told if one.kind == kind])
    ]
    rest = [one for one in told if one.kind not in _BRIEF]
    return _written(view, (*blocks, grouped(rest, view, named=True)))


def brief_end(whole: Share) -> str:
    excluded = "\n".join(whole.excluded) or words.NOTHING_EXCLUDED
    return joined((titled(words.OUT_OF_SCOPE, excluded, 2), left_open(whole)))


# ── tech-stack.md ──────────────────────────────────────────────────────────────────────────────


def stack_body(view: View) -> str:
    """A row for each choice, every line in full, and how far the choices were agreed on."""
    chosen = rows.choices(view.own)
    written = [
        [
            or_not_said(each.area),
            _contested(each.claim, view),
            or_not_said(each.reason),
            " / ".join(map(escape, each.rivals)) or words.NOT_SAID,
            said_by(each.claim, view.sources),
        ]
        for each in chosen
    ]
    if not view.own:
        return words.NOTHING
    return joined(
        (
            table(words.STACK_COLUMNS, written) or words.NO_STACK,
            grouped(_lines(view), view, named=True),
            titled(words.CONSENSUS, _consensus(chosen, view)),
        )
    )


def _contested(claim: Claim, view: View) -> str:
    """A choice, and what others took instead."""
    others = [
        f"{escape(rows.name_of(one))}, {escape(view.sources.names_of(one))}"
        for one in conflicting(claim, view.everything)
    ]
    name = escape(rows.name_of(claim))
    return f"{name} ({words.DIFFERS.lower()}: {'; '.join(others)})" if others else name


def _consensus(chosen: list[rows.Choice], view: View) -> str:
    voted = [each for each in chosen if each.vote != rows.NO_VOTE]
    written = [
        [or_not_said(each.area), escape(each.name), each.vote, said_by(each.claim, view.sources)]
        for each in voted
    ]
    return table(words.CONSENSUS_COLUMNS, written) or words.NO_VOTE


# ── architecture-overview.md: as in the analysis, with the parts that were named ───────────────


def architecture_page(view: View) -> str:
    return joined((module_table(view), architecture_body(view)))


# ── data-model.md ──────────────────────────────────────────────────────────────────────────────


def data_body(view: View) -> str:
    """The things in a table, a chart and a table of how they belong together; then every line."""
    written = [
        [
            escape(name),
            escape(", ".join(fields)) or words.NOT_SAID,
            or_not_said(rows.kept(name, view.own)),
            said_by(one, view.sources),
        ]
        for name, fields, one in rows.things(view.own)
    ]
    related = [
        one for one in rows.of_kind(view.own, "relation") if said(one, "from") and said(one, "to")
    ]
    ends = [
        [
            escape(said(one, "from")),
            or_not_said(said(one, "what")),
            escape(said(one, "to")),
            said_by(one, view.sources),
        ]
        for one in related
    ]
    tables = (
        table(words.THING_COLUMNS, written),
        chart(related),
        table(words.RELATION_COLUMNS, ends),
    )
    return _written(view, (*tables, grouped(_lines(view), view, named=True)))


# ── test-strategy-outline.md ───────────────────────────────────────────────────────────────────


def testing_body(view: View) -> str:
    written = [
        [escape(said(one, "level")), _covers(one), said_by(one, view.sources)]
        for one in rows.of_kind(view.own, "test")
        if said(one, "level") and not is_code(one.text)
    ]
    lines = grouped(_lines(view), view, named=True)
    return _written(view, (table(words.TEST_COLUMNS, written), lines))


def _covers(claim: Claim) -> str:
    return escape(said(claim, "covers") or rows.stated(claim))


# ── constitution.md ────────────────────────────────────────────────────────────────────────────


def constitution_body(view: View) -> str:
    """The articles in the order of their numbers, each with its reason; then what else was said."""
    written = "\n".join(_article(one, view) for _, one in rows.articles(view.own)).strip("\n")
    rest = [one for one in _lines(view) if one.kind != "article"]
    if not view.own:
        return words.NOTHING
    return joined((written or words.NO_ARTICLE, grouped(rest, view, named=True)))


def _article(claim: Claim, view: View) -> str:
    line, reason = full_line(claim, view), said(claim, "reason")
    if not reason or reason.casefold() in claim.text.casefold():
        return line
    return f"{line}\n  - {words.REASON}: {escape(reason)}{provenance(claim, view.sources)}"


# ── skills-report.md ───────────────────────────────────────────────────────────────────────────


def skills_body(view: View) -> str:
    """What the team says of its skills, then what the stack asks for and nobody spoke of."""
    written = [
        [escape(name), words.SKILL_STATUS[status], said_by(one, view.sources)]
        for name, status, one in rows.skills(view.own, view.everything)
    ]
    lines = grouped(_lines(view), view, named=True)
    return _written(view, (table(words.SKILL_COLUMNS, written), lines))


# ── the pages by their names ───────────────────────────────────────────────────────────────────

Body = Callable[[View], str]
End = Callable[[Share], str]


def _shared(file: str, body: Body) -> Body:
    return lambda view: with_share(body(view), share(view, file))


PAGES: Final[Mapping[str, tuple[Body, End]]] = {
    file: (_shared(file, body), brief_end if file == "project-brief.md" else left_open)
    for file, body in (
        ("project-brief.md", brief_body),
        ("tech-stack.md", stack_body),
        ("data-model.md", data_body),
        ("test-strategy-outline.md", testing_body),
        ("constitution.md", constitution_body),
        ("skills-report.md", skills_body),
    )
}
