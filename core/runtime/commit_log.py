"""What a commit did, as lines of the log: the session's move, and each fault."""

from typing import Final

import structlog

from core.domain import events as on
from core.domain.effects import FaultRecorded
from core.domain.faults import record_of
from core.domain.session.halt import Fault
from core.domain.session.session import Session
from core.engine.kernel.situation import Transition
from core.logs import BoundLog

LEVELS: Final = {"FATAL": "critical", "ERROR": "error", "WARNING": "warning", "INFO": "info"}
log = structlog.get_logger(__name__)
_moves_log: Final = BoundLog(__name__)


def log_transition(before: Session | None, event: on.Event, result: Transition) -> None:
    """Log what came of an event. Called after the commit: no line tells of what did not happen."""
    after = result.session
    for record in result.records:
        if isinstance(record, FaultRecorded):
            log_fault(record.fault, after)
    if after is not None and result.has_effect(before):
        _moves_log.info(
            "session.moved",
            session=after.id,
            on=type(event).__name__,
            was=before.status if before else None,
            now=after.status,
            step=after.course.step,
        )


def log_fault(fault: Fault, session: Session | None) -> None:
    """Every fault as one line, under the names of seed 004."""
    record = record_of(fault, session.flow if session else "")
    level = LEVELS[record["severity"]]
    getattr(log, level)("fault.recorded", session=session.id if session else None, **record)
