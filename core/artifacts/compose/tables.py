"""Files that are one table: qualities, risks, modules, failures. What fits no row follows it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.artifacts.compose.gathered import gathered, left_open
from core.artifacts.compose.view import (
    SectionView,
    cell,
    grouped,
    is_assumed,
    is_open,
    or_not_said,
    said,
)
from core.artifacts.document import words
from core.artifacts.document.code import is_code
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import (
    NOTHING,
    Blocks,
    FileShare,
    Inline,
    Risk,
    Row,
    StepPart,
    in_turn,
    paragraph,
    strong,
    table,
    titled,
)
from core.domain.answers import Claim

# ── nfr-matrix.md ──────────────────────────────────────────────────────────────────────────────

_NUMBER: Final = r"[0-9][0-9.,:]*(?:\s?(?:%|‰|[€$£])|\s?[^\W\d_]+)?"
_MEASURE: Final = patterns.compile(
    r"(?<!\w)(?:at (?:least|most)|no more than|(?:less|more|fewer) than|under|below|above|over"
    rf"|within|up to|every|after|before)\s+{_NUMBER}|(?<![\w.,-]){_NUMBER}",
    patterns.IGNORECASE,
)


def quality_body(view: SectionView) -> Blocks:
    """A row for each quality; the numbers in it are its measure."""
    qualities = [claim for claim in view.own if claim.kind == "quality" and not is_code(claim.text)]
    rows = [
        (
            claim.ref or "",
            cell(claim, view),
            or_not_said(said(claim, "measure") or measure(claim.text)),
            (view.sources.said(claim, "cell"),),
        )
        for claim in qualities
    ]
    written = table(words.columns("quality"), rows) or paragraph(words.text("no_quality"))
    return (*written, *grouped(_others(view, qualities), view, named=True))


def measure(text: str) -> str:
    """The parts of a sentence that say a number, as they stand in it."""
    return "; ".join(match[0].rstrip(".,: ") for match in _MEASURE.finditer(text))


# ── risks ──────────────────────────────────────────────────────────────────────────────────────


def impact_part(view: SectionView) -> StepPart:
    """The lines but for those that the end of the file gathers; and every risk so far."""
    lines = [claim for claim in view.own if not is_assumed(claim) and not is_open(claim)]
    nothing = words.text("all_at_the_end") if view.own else words.text("nothing")
    end = replace(gathered(view, "impact-analysis.md"), risks=_risks(view))
    return StepPart(grouped(lines, view) or paragraph(nothing), end)


def impact_end(whole: FileShare) -> Blocks:
    return (*_risk_matrix(whole.risks), *left_open(whole))


def _risks(view: SectionView) -> tuple[Risk, ...]:
    """Every risk that anybody named, in step order."""
    risks = [claim for claim in view.everything if claim.kind == "risk" and not is_assumed(claim)]
    return tuple(_risk(number, claim, view) for number, claim in enumerate(risks, start=1))


def _risk(number: int, claim: Claim, view: SectionView) -> Risk:
    likelihood, impact = said(claim, "likelihood"), said(claim, "impact")
    row: Row = (
        (f"R{number}",),
        cell(claim, view),
        (or_not_said(likelihood),),
        (or_not_said(impact),),
        (or_not_said(said(claim, "mitigation")),),
        (view.sources.said(claim, "cell"),),
    )
    return Risk(likelihood.casefold(), impact.casefold(), row)


def _risk_matrix(risks: tuple[Risk, ...]) -> Blocks:
    """Likelihood against impact, then the register that names each risk of it."""
    if not risks:
        return NOTHING
    impacts = _scale(risk.impact for risk in risks)
    grid = [
        (
            (strong(or_not_said(likelihood)),),
            *(_at(likelihood, impact, risks) for impact in impacts),
        )
        for likelihood in reversed(_scale(risk.likelihood for risk in risks))
    ]
    columns = (words.text("likelihood_by_impact"), *map(or_not_said, impacts))
    register = table(words.columns("risk"), [risk.row for risk in risks])
    return titled(words.text("risk_matrix"), (*table(columns, grid), *register), 2)


def _at(likelihood: str, impact: str, risks: tuple[Risk, ...]) -> Inline:
    names = (
        risk.row[0] for risk in risks if (risk.likelihood, risk.impact) == (likelihood, impact)
    )
    return in_turn(names, ", ")


_LEVELS: Final = (
    *("", "very low", "low", "unlikely", "small", "minor", "medium", "moderate", "possible"),
    *("likely", "large", "major", "high", "severe", "very high", "very likely", "critical"),
)


def _scale(levels: Iterable[str]) -> list[str]:
    """Those that were said, from low to high; words of one's own last, nothing said first."""
    return sorted(
        dict.fromkeys(levels),
        key=lambda one: _LEVELS.index(one) if one in _LEVELS else len(_LEVELS),
    )


# ── module-design.md ───────────────────────────────────────────────────────────────────────────

_NAMED: Final = patterns.compile(
    r"(?P<name>[^:;.!?]{2,40}?)(?: [-–—]|:) (?P<does>.+)", patterns.DOTALL
)
_ACTS: Final = patterns.compile(
    r"(?:the |an? )?(?P<name>[^\W\d_][\w -]{0,30}?) "
    r"(?P<does>(?:turns|decides|starts|stops|keeps|holds|stores|sends|shows|draws|reads|writes|knows|makes|takes|gives|owns|handles|checks|does|runs"
    r"|asks|answers|calls|converts|formats|prints|renders|returns|retries|schedules|collects"
    r"|watches|listens|counts|chooses|validates|serves|computes|loads|saves|tracks|records|is|has"
    r"|must|may|can|will)\b.+)",
    patterns.IGNORECASE | patterns.DOTALL,
)
_LEAVES: Final = patterns.compile(
    r"[,;]?\s*(?:and |but )?(?=(?:knows? nothing|(?:must|may|does|do|can|should|will) not|cannot"
    r"|never|leaves?|is not)\b)",
    patterns.IGNORECASE,
)


def module_body(view: SectionView) -> Blocks:
    """A row for each module; where a line goes on with what it may not do, that is its edge."""
    modules = [claim for claim in view.own if module_in(claim)]
    return _table_and_rest(module_table(view), _others(view, modules), view)


def module_table(view: SectionView) -> Blocks:
    rows = [
        (
            cell(claim, view, parts[0]),
            or_not_said(parts[1]),
            or_not_said(parts[2]),
            (view.sources.said(claim, "cell"),),
        )
        for claim in view.own
        if (parts := module_in(claim))
    ]
    return table(words.columns("module"), rows)


def module_in(claim: Claim) -> tuple[str, str, str] | None:
    """A module's name, what it does and what it leaves to others; nothing without a name."""
    if claim.kind != "module" or is_assumed(claim) or is_code(claim.text):
        return None
    match = _NAMED.fullmatch(claim.text) or _ACTS.fullmatch(claim.text)
    name, does = (match["name"], match["does"]) if match else ("", "")
    name = said(claim, "module") or name
    if not name:
        return None
    parts = _LEAVES.split(does or claim.text, maxsplit=1)
    return name.strip(), parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""


# ── error-taxonomy.md ──────────────────────────────────────────────────────────────────────────

_CASE: Final = patterns.compile(r"(?P<condition>[^:]{3,160}): (?P<response>.{3,})", patterns.DOTALL)
_PERSON: Final = (
    r"(?:person|users?|operators?|customers?|callers?|clients?|admins?|administrators?|owners?"
    r"|readers?|subscribers?|payers?|developers?|support|team|ops)"
)
_SEES: Final = patterns.compile(
    rf"\b(?P<before>(?:the |an? )?{_PERSON})\b[^,;.]{{0,20}}?\b(?:reads?|sees?|is (?:told|shown)"
    rf"|are (?:told|shown)|gets?|learns?|is notified|are notified)\b"
    rf"|\b(?:tells?|shows?|notif(?:y|ies)|warns?|alerts?)\s+(?P<after>(?:the |an? )?{_PERSON})\b",
    patterns.IGNORECASE,
)


def error_body(view: SectionView) -> Blocks:
    """A row for each condition whose response was said."""
    cases = [
        (claim, case)
        for claim in view.own
        if claim.kind == "error" and not is_assumed(claim) and (case := _case(claim))
    ]
    rows = [
        (
            cell(claim, view, condition),
            one_line(response),
            or_not_said(said(claim, "sees") or _who_sees(response)),
            (view.sources.said(claim, "cell"),),
        )
        for claim, (condition, response) in cases
    ]
    rest = _others(view, [claim for claim, _ in cases])
    return _table_and_rest(table(words.columns("error"), rows), rest, view)


def _case(claim: Claim) -> tuple[str, str] | None:
    condition, response = said(claim, "condition"), said(claim, "response")
    if condition and response:
        return condition, response
    if is_code(claim.text) or not (match := _CASE.fullmatch(claim.text)):
        return None
    return match["condition"].strip(), match["response"].strip()


def _who_sees(response: str) -> str:
    people = (match["before"] or match["after"] for match in _SEES.finditer(response))
    return ", ".join(dict.fromkeys(people))


# ── what fits no row ───────────────────────────────────────────────────────────────────────────


def _others(view: SectionView, used: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in view.own if claim not in used]


def _table_and_rest(rows: Blocks, rest: list[Claim], view: SectionView) -> Blocks:
    if not rows:
        return grouped(rest, view) or paragraph(words.text("nothing"))
    return (*rows, *grouped(rest, view, named=True))
