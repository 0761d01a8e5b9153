"""Statements on steps, their claims and their sections."""

from typing import Final

from sqlalchemy import and_, bindparam, case, delete, func, literal_column, select, update

from core.store.schema.tables import ClaimRow, SectionRow, StepRow, table_of
from core.store.statements.statement import Statement, insert_row, is_param, unless_negative, upsert

steps: Final = table_of(StepRow)
claims: Final = table_of(ClaimRow)
sections: Final = table_of(SectionRow)

# ── steps and their claims ──

PHASE_STEPS: Final = Statement(
    select(steps.c.doc)
    .where(is_param(steps.c.session), is_param(steps.c.phase))
    .order_by(steps.c.place, steps.c.id)
)
ALL_STEPS: Final = Statement(
    select(steps.c.doc)
    .where(is_param(steps.c.session))
    .order_by(steps.c.phase, steps.c.place, steps.c.id)
)
STEP: Final = Statement(select(steps.c.doc).where(is_param(steps.c.session), is_param(steps.c.id)))
SAVE_STEP: Final = upsert(
    steps,
    "session",
    "id",
    "phase",
    "place",
    "doc",
    # A step of another phase keeps its place: the session brought only those of its own.
    place=unless_negative(steps.c.place),
)
CLAIMS: Final = Statement(
    select(claims.c.doc).where(is_param(claims.c.session)).order_by(claims.c.step)
)
STEP_CLAIMS: Final = Statement(
    select(claims.c.doc).where(is_param(claims.c.session), is_param(claims.c.step))
)
SAVE_CLAIMS: Final = upsert(claims)
DELETE_CLAIMS: Final = Statement(
    delete(claims).where(is_param(claims.c.session), is_param(claims.c.step))
)
ACCEPT_PHASE: Final = Statement(
    update(steps)
    .where(is_param(steps.c.session), is_param(steps.c.phase))
    .values(accepted=bindparam("accepted"))
)
KEEP_ACCEPTED: Final = Statement(
    update(steps)
    .where(
        is_param(steps.c.session),
        is_param(steps.c.id),
        steps.c.accepted == bindparam("unchanged"),
    )
    .values(accepted=bindparam("accepted"))
)
ACCEPTED_CLAIMS: Final = case((steps.c.accepted == "", claims.c.doc), else_=steps.c.accepted)
STEPS_WITH_CLAIMS: Final = steps.outerjoin(
    claims, and_(claims.c.session == steps.c.session, claims.c.step == steps.c.id)
)
ACCEPTED: Final = Statement(
    select(ACCEPTED_CLAIMS)
    .select_from(STEPS_WITH_CLAIMS)
    .where(is_param(steps.c.session), is_param(steps.c.phase), steps.c.accepted.is_not(None))
    .order_by(steps.c.place)
)

# ── sections ──

RETIRE_SECTIONS: Final = Statement(
    update(sections)
    .where(is_param(sections.c.session), is_param(sections.c.step))
    .values(current=literal_column("0"))
)
RETIRE_SECTION: Final = Statement(
    update(sections)
    .where(
        is_param(sections.c.session),
        is_param(sections.c.step),
        is_param(sections.c.file),
    )
    .values(current=literal_column("0"))
)
LAST_SECTION: Final = Statement(
    select(func.max(sections.c.version)).where(
        is_param(sections.c.session), is_param(sections.c.step), is_param(sections.c.file)
    )
)
INSERT_SECTION: Final = insert_row(sections, current=literal_column("1"))
SECTIONS_IN_ORDER: Final = (
    select(sections.c.doc)
    .select_from(
        sections.outerjoin(
            steps, and_(steps.c.session == sections.c.session, steps.c.id == sections.c.step)
        )
    )
    .where(is_param(sections.c.session), sections.c.current == literal_column("1"))
    .order_by(steps.c.phase, steps.c.place, sections.c.step, sections.c.file)
)
SECTIONS: Final = Statement(SECTIONS_IN_ORDER)
SECTIONS_OF_FILE: Final = Statement(SECTIONS_IN_ORDER.where(is_param(sections.c.file)))
SHOWN_IN: Final = Statement(SECTIONS_IN_ORDER.with_only_columns(sections.c.file, sections.c.step))
FILES_OF_STEP: Final = Statement(
    select(sections.c.file)
    .where(
        is_param(sections.c.session),
        is_param(sections.c.step),
        sections.c.current == literal_column("1"),
    )
    .order_by(sections.c.file)
)
