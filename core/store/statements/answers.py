"""Statements on answers, what people think of them, and turns of a council."""

from typing import Final

from sqlalchemy import bindparam, func, literal_column, select

from core.store.schema.tables import AnswerRow, ContributionRow, SettlementRow, StanceRow, table_of
from core.store.statements.statement import (
    Statement,
    are_params,
    insert_row,
    next_number,
    select_columns,
    select_docs,
    update_rows,
    upsert,
)

answers: Final = table_of(AnswerRow)
stances: Final = table_of(StanceRow)
settlements: Final = table_of(SettlementRow)
contributions: Final = table_of(ContributionRow)

# ── answers ──

CURRENT: Final = (answers.c.current == literal_column("1"),)
BY_TS: Final = (answers.c.ts, answers.c.id)

ANSWER_SESSION: Final = select_columns(answers, "session", keys=("id",), where=CURRENT)
ANSWER: Final = select_docs(answers, "session", "id", where=CURRENT)
ANSWER_REVISION: Final = select_docs(answers, "session", "id", "revision")
ANSWERS: Final = select_docs(answers, "session", where=CURRENT, order_by=BY_TS)
ANSWERS_BY_STEP: Final = select_docs(
    answers, "session", where=CURRENT, order_by=(answers.c.step, *BY_TS)
)
ANSWERS_OF_STEP: Final = select_docs(answers, "session", "step", where=CURRENT, order_by=BY_TS)
ANSWERS_SINCE: Final = select_docs(
    answers, "session", where=(*CURRENT, answers.c.ts > bindparam("since")), order_by=BY_TS
)
LAST_REVISION: Final = Statement(
    select(func.max(answers.c.revision)).where(*are_params(answers, "session", "id"))
)
RETIRE_ANSWER: Final = update_rows(
    answers, "session", "id", where=CURRENT, current=literal_column("0")
)
INSERT_ANSWER: Final = insert_row(answers, current=literal_column("1"))

# ── stances, settlements, turns of a council ──

STANCES: Final = select_docs(
    stances, "session", order_by=(stances.c.step, stances.c.answer, stances.c.by)
)
STANCES_OF_STEP: Final = select_docs(
    stances, "session", "step", order_by=(stances.c.answer, stances.c.by)
)
STANCES_ON: Final = select_docs(stances, "session", "answer", order_by=(stances.c.by,))
SAVE_STANCE: Final = upsert(stances)
SETTLEMENTS: Final = select_docs(settlements, "session", order_by=(settlements.c.place,))
SETTLEMENTS_OF_STEP: Final = select_docs(
    settlements, "session", "step", order_by=(settlements.c.place,)
)
INSERT_SETTLEMENT: Final = insert_row(
    settlements, place=next_number(settlements.c.place, settlements.c.session)
)
SAVE_CONTRIBUTION: Final = upsert(contributions)
CONTRIBUTIONS: Final = select_docs(
    contributions, "session", "phase", order_by=(contributions.c.place,)
)
CONTRIBUTION: Final = select_docs(contributions, "session", "phase", "place")
