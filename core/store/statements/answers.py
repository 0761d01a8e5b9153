"""Statements on answers, what people think of them, and turns of a council."""

from typing import Final

from sqlalchemy import bindparam, exists, func, literal_column, or_, select

from core.store.schema import tables, workspace_tables
from core.store.statements import statement as sql

answers: Final = tables.table_of(tables.AnswerRow)
sessions: Final = tables.table_of(tables.SessionRow)
deliveries: Final = tables.table_of(workspace_tables.DeliveryRow)
stances: Final = tables.table_of(tables.StanceRow)
settlements: Final = tables.table_of(tables.SettlementRow)
corrections: Final = tables.table_of(tables.CorrectionRow)
contributions: Final = tables.table_of(tables.ContributionRow)

# ── answers ──

CURRENT: Final = (answers.c.current == literal_column("1"),)
BY_TS: Final = (answers.c.ts, answers.c.id)

IS_CURRENT_OF_TEAM: Final = (sql.is_param(answers.c.id), *CURRENT, sql.is_param(sessions.c.team))
ANSWER_SESSION: Final = sql.SqlStatement(
    select(answers.c.session)
    .join(sessions, sessions.c.id == answers.c.session)
    .where(*IS_CURRENT_OF_TEAM)
)
# A message that became an answer is known by the answer's row.
MESSAGE: Final = sql.SqlStatement(
    select(literal_column("1")).where(
        or_(
            exists().where(answers.c.session == sessions.c.id, *IS_CURRENT_OF_TEAM),
            exists().where(sql.is_param(deliveries.c.key)),
        )
    )
)
ANSWER_TEAMS: Final = sql.SqlStatement(
    select(sessions.c.team)
    .distinct()
    .select_from(answers.join(sessions, sessions.c.id == answers.c.session))
    .where(sql.is_param(answers.c.id), *CURRENT)
    .order_by(sessions.c.team)
)
ANSWER: Final = sql.select_docs(answers, "session", "id", where=CURRENT)
ANSWER_REVISION: Final = sql.select_docs(answers, "session", "id", "revision")
ANSWERS: Final = sql.select_docs(answers, "session", where=CURRENT, order_by=BY_TS)
ANSWERS_BY_STEP: Final = sql.select_docs(
    answers, "session", where=CURRENT, order_by=(answers.c.step, *BY_TS)
)
ANSWERS_OF_STEP: Final = sql.select_docs(answers, "session", "step", where=CURRENT, order_by=BY_TS)
ANSWERS_SINCE: Final = sql.select_docs(
    answers, "session", where=(*CURRENT, answers.c.ts > bindparam("since")), order_by=BY_TS
)
LAST_REVISION: Final = sql.SqlStatement(
    select(func.max(answers.c.revision)).where(*sql.are_params(answers, "session", "id"))
)
RETIRE_ANSWER: Final = sql.update_rows(
    answers, "session", "id", where=CURRENT, current=literal_column("0")
)
INSERT_ANSWER: Final = sql.insert_row(answers, current=literal_column("1"))

# ── stances, settlements, corrections, turns of a council ──

STANCES: Final = sql.select_docs(
    stances, "session", order_by=(stances.c.step, stances.c.answer, stances.c.by)
)
STANCES_OF_STEP: Final = sql.select_docs(
    stances, "session", "step", order_by=(stances.c.answer, stances.c.by)
)
STANCES_ON: Final = sql.select_docs(stances, "session", "answer", order_by=(stances.c.by,))
SAVE_STANCE: Final = sql.upsert(stances)
SETTLEMENTS: Final = sql.select_docs(settlements, "session", order_by=(settlements.c.place,))
SETTLEMENTS_OF_STEP: Final = sql.select_docs(
    settlements, "session", "step", order_by=(settlements.c.place,)
)
INSERT_SETTLEMENT: Final = sql.insert_row(
    settlements, place=sql.next_number(settlements.c.place, settlements.c.session)
)
CORRECTIONS: Final = sql.select_docs(corrections, "session", order_by=(corrections.c.place,))
INSERT_CORRECTION: Final = sql.insert_row(
    corrections, place=sql.next_number(corrections.c.place, corrections.c.session)
)
SAVE_CONTRIBUTION: Final = sql.upsert(contributions)
CONTRIBUTIONS: Final = sql.select_docs(
    contributions, "session", "phase", order_by=(contributions.c.place,)
)
CONTRIBUTION: Final = sql.select_docs(contributions, "session", "phase", "place")
