"""What somebody who comes late is told, looked up in the last commit. Writes and sends nothing."""

from bot.publish.render.last_commit import CommittedRows
from bot.views.kit.kinds import rank
from bot.views.private.catch_up import CatchUp, DecidedLine, WaitingMenu
from core.artifacts.compose.lines.changed_lines import ChangedLines
from core.artifacts.compose.lines.claim_links import ClaimIndex, is_must
from core.artifacts.compose.readiness import readiness_of
from core.domain.answers import NOT_SAID, Claim
from core.domain.assumptions import assumptions, is_assumed, with_unanswered
from core.domain.ids import FaultId, PhaseKey, SessionId, UserId
from core.domain.lines import standing
from core.domain.session.session import Session
from core.ports import Gone, SessionReader


def caught_up(reader: SessionReader, session_id: SessionId) -> CatchUp:
    """What there is to tell of a session. Raises `Gone` where there is no such session."""
    rows = CommittedRows(reader)
    session = reader.load(session_id)
    steps = reader.all_steps(session_id)
    every = reader.claims(session_id)
    claims = standing(every)
    is_over = not session.mode and session.status == "completed"
    current = next((step for step in steps if step.id == session.course.step), None)
    return CatchUp(
        session,
        decided=_decided(session, {step.id: step.phase for step in steps}, claims),
        current=current,
        url=rows.url(session, rows.asking(session, session.course.step)),
        assumed=assumptions(steps, claims),
        not_asked=tuple(step for step in steps if step.is_left_out),
        stale=tuple(step for step in steps if step.status == "stale"),
        choice=_choice(rows, session),
        files=tuple(dict.fromkeys(section.file for section in reader.sections(session_id))),
        threads=rows.threads(session),
        card_url=rows.url(session, reader.post(session_id, "card")),
        leader=rows.leader(session),
        table=rows.table(session),
        readiness=readiness_of(with_unanswered(steps, claims)) if is_over else None,
        let_pass=_clicks(reader, session_id) if is_over else {},
        changed=ChangedLines.of(every, reader.corrections(session_id), reader.answers(session_id)),
    )


def _clicks(reader: SessionReader, session_id: SessionId) -> dict[str, UserId]:
    """Who confirmed what nobody said, by answer."""
    answers = reader.answers(session_id)
    return {answer.id: answer.by for answer in answers if answer.source in NOT_SAID}


def _decided(
    session: Session, phase_of: dict[str, PhaseKey], claims: tuple[Claim, ...]
) -> tuple[DecidedLine, ...]:
    phases = session.course.phases
    over = [phase for phase in phases if phase.accepted_by or phase.status != "pending"]
    decided, index = [], ClaimIndex(claims)
    for phase in over:
        if phase.accepted_by is None and phase.status == "open":
            continue
        phase_claims = [claim for claim in claims if phase_of.get(claim.step) == phase.key]
        texts = sorted(
            (claim for claim in phase_claims if not is_assumed(claim)),
            key=lambda claim: (rank(claim.kind), not is_must(claim, index)),
        )
        decided.append(DecidedLine(phase, tuple(texts)))
    return tuple(decided)


def _choice(rows: CommittedRows, session: Session) -> WaitingMenu | None:
    """The recovery menu that is open, or the question how an inception is to be done."""
    menu = rows.open_menu(session.menus.recovery)
    if menu is not None:
        post = rows.reader.post(session.id, f"recovery:{menu.id}")
        text = _fault_text(rows.reader, menu.fault) or "something went wrong."
    elif session.status == "starting" and session.menus.current:
        post = rows.reader.post(session.id, f"mode:{session.menus.current}")
        text = "How shall this be done?"
    else:
        return None
    return WaitingMenu(text, rows.url(session, post))


def _fault_text(reader: SessionReader, fault: FaultId | None) -> str:
    try:
        return reader.fault(fault).message if fault else ""
    except Gone:
        return ""
