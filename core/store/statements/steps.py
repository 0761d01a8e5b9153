"""Statements on steps, their claims and their sections."""

from typing import Final

from sqlalchemy import and_, bindparam, case, literal_column, select

from core.store.schema import tables
from core.store.statements import statement as sql

steps: Final = tables.table_of(tables.StepRow)
claims: Final = tables.table_of(tables.ClaimRow)
sections: Final = tables.table_of(tables.SectionRow)

# ── steps and their claims ──

IN_ORDER: Final = (steps.c.phase, steps.c.place, steps.c.id)

PHASE_STEPS: Final = sql.select_docs(steps, "session", "phase", order_by=IN_ORDER[1:])
ALL_STEPS: Final = sql.select_docs(steps, "session", order_by=IN_ORDER)
STEP_IDS: Final = sql.select_columns(steps, "id", keys=("session",), order_by=IN_ORDER)
STEP: Final = sql.select_docs(steps, "session", "id")
SAVE_STEP: Final = sql.upsert(
    steps,
    "session",
    "id",
    "phase",
    "place",
    "doc",
    # A step of another phase keeps its place: the session brought only those of its own.
    place=sql.unless_negative(steps.c.place),
)
CLAIMS: Final = sql.select_docs(claims, "session", order_by=(claims.c.step,))
CLAIMS_BY_STEP: Final = sql.select_columns(claims, "step", "doc", keys=("session",))
STEP_CLAIMS: Final = sql.select_docs(claims, "session", "step")
SAVE_CLAIMS: Final = sql.upsert(claims)
DELETE_CLAIMS: Final = sql.delete_rows(claims, "session", "step")
ACCEPT_PHASE: Final = sql.update_rows(steps, "session", "phase", accepted=bindparam("accepted"))
KEEP_ACCEPTED: Final = sql.update_rows(
    steps,
    "session",
    "id",
    where=(steps.c.accepted == bindparam("unchanged"),),
    accepted=bindparam("accepted"),
)
ACCEPTED_CLAIMS: Final = case((steps.c.accepted == "", claims.c.doc), else_=steps.c.accepted)
STEPS_WITH_CLAIMS: Final = steps.outerjoin(
    claims, and_(claims.c.session == steps.c.session, claims.c.step == steps.c.id)
)
IS_ACCEPTED: Final = (sql.is_param(steps.c.session), steps.c.accepted.is_not(None))
ACCEPTED: Final = sql.SqlStatement(
    select(ACCEPTED_CLAIMS)
    .select_from(STEPS_WITH_CLAIMS)
    .where(*IS_ACCEPTED, sql.is_param(steps.c.phase))
    .order_by(steps.c.place)
)
ACCEPTED_BY_STEP: Final = sql.SqlStatement(
    select(steps.c.id, ACCEPTED_CLAIMS).select_from(STEPS_WITH_CLAIMS).where(*IS_ACCEPTED)
)

# ── sections ──

CURRENT: Final = (sections.c.current == literal_column("1"),)

RETIRE_SECTIONS: Final = sql.update_rows(
    sections, "session", "step", where=CURRENT, current=literal_column("0")
)
RETIRE_SECTION: Final = sql.update_rows(
    sections, "session", "step", "file", where=CURRENT, current=literal_column("0")
)
LAST_SECTION: Final = sql.SqlStatement(
    select(sections.c.version)
    .where(*sql.are_params(sections, "session", "step", "file"))
    .order_by(sections.c.version.desc())
    .limit(1)
)
SAVE_SECTION: Final = sql.upsert(sections)
SHOWN: Final = (sections.c.file, sections.c.step, sections.c.title, sections.c.body)
SECTION_VERSION: Final = sql.select_columns(
    sections, "title", "body", keys=("session", "step", "file", "version")
)
SECTIONS_IN_ORDER: Final = (
    select(*SHOWN)
    .select_from(
        sections.outerjoin(
            steps, and_(steps.c.session == sections.c.session, steps.c.id == sections.c.step)
        )
    )
    .where(sql.is_param(sections.c.session), *CURRENT)
    .order_by(steps.c.phase, steps.c.place, sections.c.step, sections.c.file)
)
SECTIONS: Final = sql.SqlStatement(SECTIONS_IN_ORDER)
SECTIONS_OF_FILE: Final = sql.SqlStatement(SECTIONS_IN_ORDER.where(sql.is_param(sections.c.file)))
SHOWN_FILES: Final = sql.SqlStatement(SECTIONS_IN_ORDER.with_only_columns(sections.c.file))
FILES: Final = sql.SqlStatement(
    select(sections.c.file).distinct().where(sql.is_param(sections.c.session))
)
FILES_OF_STEP: Final = sql.select_columns(
    sections, "file", keys=("session", "step"), where=CURRENT, order_by=(sections.c.file,)
)
