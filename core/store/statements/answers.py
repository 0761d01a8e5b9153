"""Statements on answers, what people think of them, and turns of a council."""

from typing import Final

from sqlalchemy import bindparam, func, literal_column, select, update

from core.store.schema.tables import AnswerRow, ContributionRow, SettlementRow, StanceRow, table_of
from core.store.statements.statement import Statement, insert_row, is_param, upsert

answers: Final = table_of(AnswerRow)
stances: Final = table_of(StanceRow)
settlements: Final = table_of(SettlementRow)
contributions: Final = table_of(ContributionRow)

IS_CURRENT: Final = answers.c.current == literal_column("1")

# ── answers ──

ANSWER: Final = Statement(
    select(answers.c.doc, answers.c.session).where(is_param(answers.c.id), IS_CURRENT)
)
ANSWER_SESSION: Final = Statement(
    select(answers.c.session).where(is_param(answers.c.id), IS_CURRENT)
)
SESSION_ANSWER: Final = Statement(
    select(answers.c.doc).where(is_param(answers.c.session), is_param(answers.c.id), IS_CURRENT)
)
ANSWERS: Final = Statement(
    select(answers.c.doc)
    .where(is_param(answers.c.session), IS_CURRENT)
    .order_by(answers.c.ts, answers.c.id)
)
ANSWERS_BY_STEP: Final = Statement(
    select(answers.c.doc)
    .where(is_param(answers.c.session), IS_CURRENT)
    .order_by(answers.c.step, answers.c.ts, answers.c.id)
)
ANSWERS_OF_STEP: Final = Statement(
    select(answers.c.doc)
    .where(is_param(answers.c.session), is_param(answers.c.step), IS_CURRENT)
    .order_by(answers.c.ts, answers.c.id)
)
ANSWERS_SINCE: Final = Statement(
    select(answers.c.doc)
    .where(is_param(answers.c.session), IS_CURRENT, answers.c.ts > bindparam("since"))
    .order_by(answers.c.ts)
)
LAST_REVISION: Final = Statement(
    select(func.max(answers.c.revision)).where(is_param(answers.c.session), is_param(answers.c.id))
)
RETIRE_ANSWER: Final = Statement(
    update(answers)
    .where(is_param(answers.c.session), is_param(answers.c.id), IS_CURRENT)
    .values(current=literal_column("0"))
)
INSERT_ANSWER: Final = insert_row(answers, current=literal_column("1"))


# ── stances, settlements, turns of a council ──

STANCES: Final = Statement(
    select(stances.c.doc)
    .where(is_param(stances.c.session))
    .order_by(stances.c.step, stances.c.answer, stances.c.by)
)
STANCES_OF_STEP: Final = Statement(
    select(stances.c.doc)
    .where(is_param(stances.c.session), is_param(stances.c.step))
    .order_by(stances.c.answer, stances.c.by)
)
STANCES_ON: Final = Statement(
    select(stances.c.doc)
    .where(is_param(stances.c.session), is_param(stances.c.answer))
    .order_by(stances.c.by)
)
SAVE_STANCE: Final = upsert(stances)
SETTLEMENTS: Final = Statement(
    select(settlements.c.doc).where(is_param(settlements.c.session)).order_by(settlements.c.place)
)
SETTLEMENTS_OF_STEP: Final = Statement(
    select(settlements.c.doc)
    .where(is_param(settlements.c.session), is_param(settlements.c.step))
    .order_by(settlements.c.place)
)
NEXT_SETTLEMENT: Final = (
    select(func.coalesce(func.max(settlements.c.place), literal_column("0")) + literal_column("1"))
    .where(is_param(settlements.c.session))
    .scalar_subquery()
)
INSERT_SETTLEMENT: Final = insert_row(settlements, place=NEXT_SETTLEMENT)
SAVE_CONTRIBUTION: Final = upsert(contributions)
CONTRIBUTIONS: Final = Statement(
    select(contributions.c.doc)
    .where(is_param(contributions.c.session), is_param(contributions.c.phase))
    .order_by(contributions.c.place)
)
CONTRIBUTION: Final = Statement(
    select(contributions.c.doc).where(
        is_param(contributions.c.session),
        is_param(contributions.c.phase),
        is_param(contributions.c.place),
    )
)
