"""Files that are one table: qualities, risks, modules, failures. What fits no row follows it."""

from collections.abc import Iterable, Sequence
from typing import Final

from core import patterns
from core.artifacts import words
from core.artifacts.markdown import escape, is_code, joined, said_by, table, titled
from core.artifacts.share import Share
from core.artifacts.view import View, cell, grouped, is_assumed, or_not_said, said
from core.domain.answers import Claim

Row = list[str]

# ── nfr-matrix.md ──────────────────────────────────────────────────────────────────────────────

_NUMBER: Final = r"[0-9][0-9.,:]*(?:\s?(?:%|‰|[€$£])|\s?[^\W\d_]+)?"
_MEASURE: Final = patterns.compile(
    r"(?<!\w)(?:at (?:least|most)|no more than|(?:less|more|fewer) than|under|below|above|over"
    rf"|within|up to|every|after|before)\s+{_NUMBER}|(?<![\w.,-]){_NUMBER}",
    patterns.IGNORECASE,
)


def quality_body(view: View) -> str:
    """A row for each quality; the numbers in it are its measure."""
    qualities = [one for one in view.own if one.kind == "quality" and not is_code(one.text)]
    rows = [
        [
            escape(one.ref or ""),
            cell(one, view),
            or_not_said(said(one, "measure") or measure(one.text)),
            said_by(one, view.sources),
        ]
        for one in qualities
    ]
    return joined(
        (
            table(words.QUALITY_COLUMNS, rows) or words.NO_QUALITY,
            grouped(_others(view, qualities), view, named=True),
        )
    )


def measure(text: str) -> str:
    """The parts of a sentence that say a number, as they stand in it."""
    return "; ".join(match[0].rstrip(".,: ") for match in _MEASURE.finditer(text))


# ── risks ──────────────────────────────────────────────────────────────────────────────────────


def risk_rows(view: View) -> tuple[tuple[str, ...], ...]:
    """Every risk that anybody named, in step order: likelihood, impact, then the row's cells."""
    found = [one for one in view.everything if one.kind == "risk" and not is_assumed(one)]
    return tuple(
        (
            *(said(one, "likelihood").casefold(), said(one, "impact").casefold(), f"R{number}"),
            cell(one, view),
            or_not_said(said(one, "likelihood")),
            or_not_said(said(one, "impact")),
            or_not_said(said(one, "mitigation")),
            said_by(one, view.sources),
        )
        for number, one in enumerate(found, start=1)
    )


def risk_matrix(part: Share) -> str:
    """Likelihood against impact, then the register that names each risk of it."""
    if not part.risks:
        return ""
    likelihoods = _scale(row[0] for row in part.risks)
    impacts = _scale(row[1] for row in part.risks)
    grid = [
        [
            f"**{or_not_said(likely)}**",
            *(
                ", ".join(row[2] for row in part.risks if (row[0], row[1]) == (likely, impact))
                for impact in impacts
            ),
        ]
        for likely in reversed(likelihoods)
    ]
    columns = (escape(words.LIKELIHOOD_BY_IMPACT), *map(or_not_said, impacts))
    register = table(words.RISK_COLUMNS, [row[2:] for row in part.risks])
    return titled(words.RISK_MATRIX, joined((table(columns, grid), register)), 2)


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


def module_body(view: View) -> str:
    """A row for each module; where a line goes on with what it may not do, that is its edge."""
    found = [one for one in view.own if module_in(one)]
    return _table_and_rest(words.MODULE_COLUMNS, _modules(view), _others(view, found), view)


def module_table(view: View) -> str:
    return table(words.MODULE_COLUMNS, _modules(view))


def _modules(view: View) -> list[Row]:
    return [
        [
            cell(one, view, parts[0]),
            or_not_said(parts[1]),
            or_not_said(parts[2]),
            said_by(one, view.sources),
        ]
        for one in view.own
        if (parts := module_in(one))
    ]


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


def error_body(view: View) -> str:
    """A row for each condition whose response was said."""
    rows, used = [], []
    for one in view.own:
        if one.kind == "error" and not is_assumed(one) and (parts := _case(one)):
            condition, response = parts
            sees = said(one, "sees") or _who_sees(response)
            shown = [cell(one, view, condition), escape(response), or_not_said(sees)]
            rows.append([*shown, said_by(one, view.sources)])
            used.append(one)
    return _table_and_rest(words.ERROR_COLUMNS, rows, _others(view, used), view)


def _case(claim: Claim) -> tuple[str, str] | None:
    condition, response = said(claim, "condition"), said(claim, "response")
    if condition and response:
        return condition, response
    if is_code(claim.text) or not (match := _CASE.fullmatch(claim.text)):
        return None
    return match["condition"].strip(), match["response"].strip()


def _who_sees(response: str) -> str:
    found = (match["before"] or match["after"] for match in _SEES.finditer(response))
    return ", ".join(dict.fromkeys(found))


# ── what fits no row ───────────────────────────────────────────────────────────────────────────


def _others(view: View, used: Sequence[Claim]) -> list[Claim]:
    return [one for one in view.own if one not in used]


def _table_and_rest(columns: Sequence[str], rows: list[Row], rest: list[Claim], view: View) -> str:
    if not rows:
        return grouped(rest, view) or words.NOTHING
    return joined((table(columns, rows), grouped(rest, view, named=True)))
