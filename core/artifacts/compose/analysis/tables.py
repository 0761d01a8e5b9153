"""Files that are one table: qualities, risks, flows, failures."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.artifacts.compose.gathered import gathered, left_open
from core.artifacts.compose.lines.claim_links import answers_to
from core.artifacts.compose.lines.claims import (
    detail,
    is_open,
    of_kind,
    or_not_said,
    risk_text,
)
from core.artifacts.compose.lines.english import JOINTS, LEVELS, pattern
from core.artifacts.compose.view import SectionView
from core.artifacts.document import tree, words
from core.artifacts.document.plain import is_code, one_line
from core.artifacts.document.tables import told_table
from core.artifacts.document.tree import Blocks, FileShare, Inline, Risk
from core.domain.answers import Claim

# ── nfr-matrix.md ──────────────────────────────────────────────────────────────────────────────

_MEASURE: Final = pattern("measure")
_NUMBER_NAMES: Final = pattern("number-names")
_MEASURED_BY: Final = ("number", "unit")  # the kinds of follow-ups whose answer is a measure


def quality_blocks(view: SectionView) -> Blocks:
    """A row for each quality; the numbers in it are its measure, with what people said of them."""
    qualities = [
        claim for claim in view.standing if claim.kind == "quality" and not is_code(claim.text)
    ]
    rows = ((claim, claim.ref or "", *_quality_cells(claim, view)) for claim in qualities)
    table = view.table("quality", rows) or tree.paragraph(words.text("no_quality"))
    return view.table_and_lines(table, lines_beside(view, qualities))


def _quality_cells(claim: Claim, view: SectionView) -> tuple[Inline, Inline]:
    """The quality and its measure; of a row of a pasted table its last cell, if it has a number."""
    name, bar, target = one_line(claim.text).rpartition("|")
    if bar and measure(target) and not (measure(name) or detail(claim, "measure")):
        return view.cell(claim, name.rstrip()), (target.strip(),)
    number = one_line(detail(claim, "measure") or measure(claim.text))
    answers = (
        (one_line(answer.text).rstrip("."), " (", view.sources.names_of(answer), ")")
        for answer in answers_to(claim, view.everything)
        if answer.data["answers"] in _MEASURED_BY
    )
    parts = (*([(number,)] if number else []), *answers)
    return view.cell(claim), tree.in_turn(parts, "; ") or (or_not_said(""),)


def measure(text: str) -> str:
    """The parts of a sentence that say a number, as they stand in it; "ISO 27001" is a name."""
    numbers = [match for match in _MEASURE.finditer(text) if not _NUMBER_NAMES.search(match.before)]
    return "; ".join(_without_joint(match[0]).rstrip(".,: ") for match in numbers)


def _without_joint(number: str) -> str:
    """A number without the "and" that goes on to the next one."""
    before, _, last = number.rpartition(" ")
    return before if last.casefold() in JOINTS else number


# ── impact-analysis.md ─────────────────────────────────────────────────────────────────────────


GRADE_WORDS_MAX: Final = 3  # of a level of people's own
IN_WORDS: Final = words.text("in_words")


def impact_blocks(view: SectionView) -> Blocks:
    return view.grouped(view.lines) or view.nothing


def impact_share(view: SectionView, file: str) -> FileShare:
    """As of every file; and every risk that anybody named, in step order."""
    if not view.writes_first(file):
        return gathered(view, file)
    risks = enumerate(of_kind(view.everything, "risk"), start=1)
    return replace(
        gathered(view, file), risks=tuple(_risk(number, claim, view) for number, claim in risks)
    )


def _risk(number: int, claim: Claim, view: SectionView) -> Risk:
    likelihood, impact = detail(claim, "likelihood"), detail(claim, "impact")
    row = (
        (f"R{number}",),
        view.cell(claim, risk_text(claim)),
        (or_not_said(likelihood),),
        (or_not_said(impact),),
        (or_not_said(detail(claim, "mitigation")),),
        (view.sources.line_source(claim, "cell"),),
    )
    return Risk(_grade(likelihood.casefold()), _grade(impact.casefold()), row)


def _grade(rating: str) -> str:
    """The level that a rating opens with: "high" of "high, as twice last year"; of words of one's
    own that they are such."""
    levels = (level for level in LEVELS if level and rating.startswith(level))
    level = max(levels, key=len, default="")
    is_level = level and not rating[len(level) : len(level) + 1].isalnum()
    return level if is_level else rating if len(rating.split()) <= GRADE_WORDS_MAX else IN_WORDS


def impact_end(file_share: FileShare) -> Blocks:
    return (*_risk_matrix(file_share.risks), *left_open(file_share))


def _risk_matrix(risks: tuple[Risk, ...]) -> Blocks:
    """Likelihood against impact, where anybody rated a risk, then the register of all risks."""
    impacts = _scale(risk.impact for risk in risks)
    grid = [
        (
            (tree.strong(or_not_said(likelihood)),),
            *(_at(likelihood, impact, risks) for impact in impacts),
        )
        for likelihood in reversed(_scale(risk.likelihood for risk in risks))
    ]
    columns = (words.text("likelihood_by_impact"), *map(or_not_said, impacts))
    is_rated = any(risk.likelihood or risk.impact for risk in risks)
    matrix = tree.table(columns, grid) if is_rated else ()
    register = told_table("risk", [risk.row for risk in risks])
    return tree.titled(words.text("risk_matrix"), (*matrix, *register), 2)


def _at(likelihood: str, impact: str, risks: tuple[Risk, ...]) -> Inline:
    names = (
        risk.row[0] for risk in risks if (risk.likelihood, risk.impact) == (likelihood, impact)
    )
    return tree.in_turn(names, ", ")


def _scale(levels: Iterable[str]) -> list[str]:
    """Those that were said, from low to high; words of one's own last, nothing said first."""
    return sorted(
        dict.fromkeys(levels),
        key=lambda level: LEVELS.index(level) if level in LEVELS else len(LEVELS),
    )


# ── data-flow.md ───────────────────────────────────────────────────────────────────────────────

TITLE_WORDS_MAX: Final = 2  # before a chain
_UNSAFE: Final = patterns.compile(r"[^\w .,:/()'’%+*=?!–—-]")


def flow_blocks(view: SectionView) -> Blocks:
    """The charts, where anybody said what goes where; a row for each arrow that has more to say."""
    charts: dict[str, list[Claim]] = {}
    for claim in filter(is_flow, view.everything):
        charts.setdefault(_chart_title(claim), []).append(claim)
    charts = {title: _joined_flows(flows, view) for title, flows in charts.items()}
    # Lines of other steps stand in the table alone, with who said them.
    listed = [
        flow
        for flows in charts.values()
        for flow in flows
        if detail(flow, "what") or flow not in view.own
    ]
    hops = hop_table("flow", listed, view)
    drawn = tree.joined(_titled_chart(title, claims) for title, claims in charts.items())
    return view.table_and_lines((*drawn, *hops), view.own, tree.paragraph(words.text("nothing")))


def _titled_chart(title: str, flows: Sequence[Claim]) -> Blocks:
    heading = tree.paragraph(tree.emphasis(title)) if title and flows else ()
    return (*heading, *chart(flows))


def _chart_title(flow: Claim) -> str:
    """What a chain is of: "report" of "report: open -> in review -> closed"; else nothing."""
    title, _, chain = one_line(flow.text).partition(": ")
    ends = (detail(flow, "from"), detail(flow, "to"))
    is_title = len(title.split()) <= TITLE_WORDS_MAX and not any(end in title for end in ends)
    return title if is_title and all(end in chain for end in ends) else ""


def _joined_flows(flows: Sequence[Claim], view: SectionView) -> list[Claim]:
    """The flows but for an arrow of the step's own that meets no other, with nothing said of it."""
    arrows = Counter(end for ends in {_ends(flow) for flow in flows} for end in ends)
    return [
        flow
        for flow in flows
        if flow not in view.own
        or detail(flow, "what")
        or any(arrows[end] > 1 for end in _ends(flow))
    ]


def _ends(flow: Claim) -> tuple[str, str]:
    """The names of its two ends, without what stands in brackets behind them."""
    return _node(detail(flow, "from")), _node(detail(flow, "to"))


def _node(end: str) -> str:
    return (end.partition(" (")[0] or end).casefold()


def is_flow(claim: Claim) -> bool:
    return bool(detail(claim, "from") and detail(claim, "to"))


def hop_table(name: str, flows: Sequence[Claim], view: SectionView) -> Blocks:
    """From, what, to, and who said so."""
    rows = (
        (claim, detail(claim, "from"), or_not_said(detail(claim, "what")), detail(claim, "to"))
        for claim in flows
    )
    return view.table(name, rows)


def chart(flows: Sequence[Claim]) -> Blocks:
    """Nodes in the order in which they are spoken of, then an arrow for each flow."""
    if not flows:
        return tree.NOTHING
    names: dict[str, str] = {}
    for claim in flows:
        for end in (detail(claim, "from"), detail(claim, "to")):
            names[_node(end)] = max(names.get(_node(end), ""), end, key=len)
    ids = {node: f"n{number}" for number, node in enumerate(names, start=1)}
    nodes = [f'    {ids[node]}["{label(name)}"]' for node, name in names.items()]
    arrows = dict.fromkeys(
        f"    {ids[start]} {_arrow(detail(claim, 'what'))} {ids[end]}"
        for claim in flows
        for start, end in (_ends(claim),)
    )
    return (tree.Diagram("\n".join(("flowchart LR", *nodes, *arrows))),)


def _arrow(flow: str) -> str:
    return f'-->|"{label(flow)}"|' if flow else "-->"


def label(text: str) -> str:
    """Text between quotes in Mermaid: every sign that could mean something becomes its number."""
    return _UNSAFE.sub(lambda sign: f"#{ord(sign[0])};", one_line(text))


# ── error-taxonomy.md ──────────────────────────────────────────────────────────────────────────

_CASE: Final = pattern("failure")
_CODED: Final = (pattern("code_first"), pattern("code_last"))
_NEXT: Final = pattern("next_failure")
_SEES: Final = pattern("who_sees")

Case = tuple[str, str]  # condition and response


def error_blocks(view: SectionView) -> Blocks:
    """A row for each condition whose response was said, of exchanges with others as well."""
    failures = of_kind(view.everything, "error", "interface")
    cases = [(claim, case) for claim in failures for case in _cases(claim)]
    rows = (
        (
            claim,
            view.cell(claim, condition),
            one_line(response),
            or_not_said(detail(claim, "sees") or _who_sees(response)),
        )
        for claim, (condition, response) in cases
    )
    lines = lines_beside(view, [claim for claim, _ in cases])
    table = view.table("error", rows)
    return view.table_and_lines(table, lines, tree.paragraph(words.text("nothing")))


def _cases(claim: Claim) -> list[Case]:
    condition, response = detail(claim, "condition"), detail(claim, "response")
    if condition and response:
        return _one_by_one(condition, response)
    if is_code(claim.text) or is_open(claim) or response:
        return []
    forms = (_CASE, *_CODED) if claim.kind == "error" else _CODED
    match = patterns.fullmatch_of(forms, claim.text)
    return [(match["condition"].strip(" ."), match["response"].strip())] if match else []


def _one_by_one(condition: str, response: str) -> list[Case]:
    """Two failures of one line: "mail down -> later. bell down -> mail"."""
    further = [*_NEXT.finditer(response)]
    conditions = [condition, *(match["condition"] for match in further)]
    starts = [0, *(match.end() for match in further)]
    ends = [*(match.start() for match in further), len(response)]
    return [
        (name, response[start:end])
        for name, start, end in zip(conditions, starts, ends, strict=True)
    ]


def _who_sees(response: str) -> str:
    people = (match["before"] or match["after"] for match in _SEES.finditer(response))
    return ", ".join(dict.fromkeys(people))


def lines_beside(view: SectionView, used: Sequence[Claim]) -> list[Claim]:
    """The lines that fit no row."""
    return [claim for claim in view.own if claim not in used]
