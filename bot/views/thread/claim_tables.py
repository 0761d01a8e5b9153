"""Tables of a phase's lines: priorities, options with what speaks for and against, rated risks.

A table stands where it can put something in its columns; what is not known stays "–". All other
lines are lists.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.views.kit.names import counted
from bot.views.kit.text import short
from bot.views.widgets.table import Cells, FoldedTable, Rows
from core.artifacts.compose.analysis.options import WeighedOption, weighed_options
from core.artifacts.compose.lines.claim_links import ClaimIndex, ranks
from core.artifacts.compose.lines.claims import detail, of_kind, risk_text
from core.artifacts.document.plain import is_code
from core.domain.answers import Claim
from core.domain.assumptions import is_assumed

CELL_CHARS_MAX: Final = 160
ROOM: Final = 1_600  # of a message, for one table as JSON
IN_THE_FILES: Final = "more, in the files."


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """A table, and the claims that need no other place because they stand in it."""

    table: FoldedTable
    claims: tuple[Claim, ...]


def claim_tables(claims: Sequence[Claim], key: str) -> list[ClaimTable]:
    """`key` tells the folds of a message apart. Assumptions are shown elsewhere."""
    tables = (_priorities(claims, key), _options(claims, key), _risks(claims, key))
    return [table for table in tables if table is not None]


def _priorities(claims: Sequence[Claim], key: str) -> ClaimTable | None:
    """A row for each requirement or story that was ranked, with all ranks that people gave it."""
    rankings = [claim for claim in of_kind(claims, "priority") if _ranked_ref(claim)]
    lines = {claim.ref: claim for claim in of_kind(claims, "requirement", "story") if claim.ref}
    labelled = {ref: rank for ref, line in lines.items() if (rank := detail(line, "priority"))}
    rows, index = [], ClaimIndex(rankings)
    for ref in dict.fromkeys((*labelled, *map(_ranked_ref, rankings))):
        text = lines[ref].text if ref in lines else ""
        ranking = ranks(ref, index) or [labelled[ref]]
        rows.append((_cell(f"{ref} {text}"), _cell(" / ".join(ranking))))
    title = "1 priority" if len(rows) == 1 else f"{len(rows)} priorities"
    return _table(f"{key}:priorities", title, ("What", "Priority"), rows, rankings)


def _ranked_ref(claim: Claim) -> str:
    return detail(claim, "requirement") if detail(claim, "priority") else ""


def _options(claims: Sequence[Claim], key: str) -> ClaimTable | None:
    options = weighed_options([claim for claim in claims if not is_assumed(claim)])
    rows = [_option_row(option, claims) for option in options]
    if not any(any(row[1:]) for row in rows):
        return None
    lines = [line for option in options for line in option.lines if not is_code(line.text)]
    header = ("Option", "For", "Against", "Choice")
    return _table(f"{key}:options", counted(len(rows), "option"), header, rows, lines)


def _option_row(option: WeighedOption, claims: Sequence[Claim]) -> Cells:
    text = " / ".join(option.descriptions)
    label = text if option.name.casefold() in text.casefold() else f"{option.name}: {text}"
    columns = (option.in_favour, option.against, option.choices(claims))
    return (
        _cell(label if text else option.name),
        *(_cell(" / ".join(texts)) for texts in columns),
    )


def _risks(claims: Sequence[Claim], key: str) -> ClaimTable | None:
    risks = of_kind(claims, "risk")
    ratings = ("likelihood", "impact", "mitigation")
    rows = [
        (_cell(risk_text(risk)), *(_cell(detail(risk, name)) for name in ratings)) for risk in risks
    ]
    if not any(any(row[1:]) for row in rows):
        return None
    header = ("Risk", "Likelihood", "Impact", "What is done about it")
    return _table(f"{key}:risks", counted(len(rows), "risk"), header, rows, risks)


def _table(
    key: str, title: str, header: Cells, rows: Sequence[Cells], claims: Iterable[Claim]
) -> ClaimTable | None:
    if not rows:
        return None
    table_rows = Rows(header, rows, IN_THE_FILES, ROOM)
    return ClaimTable(FoldedTable(key, title, table_rows), tuple(claims))


def _cell(text: str) -> str:
    return short(text, CELL_CHARS_MAX)
