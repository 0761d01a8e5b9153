"""Faults where they happened, the menus they leave people, and what the operators are told."""

from typing import Final

from bot.publish.message_targets import in_thread, operators_channel
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.kit.identity import author_of
from bot.views.thread import recovery as recovery_view
from bot.views.thread.recovery import fault_message
from core.domain.effects import ShowFault, ShowRecovery, TellOperators
from core.domain.session.session import Session
from core.domain.steps.playbook import FACILITATOR
from core.ports import Gone
from core.taxonomy.catalogue import CATALOGUE, Severity

UNKNOWN_SEVERITY: Final[Severity] = "WARNING"


@draws(ShowFault, in_thread("fault:{fault}"))
def fault(commit: LastCommit, session: Session, effect: ShowFault) -> Scene:
    faults = [commit.reader.fault(fault_id) for fault_id in (effect.fault, *effect.more)]
    fault = faults[0]
    rows = [(row_fault, _severity(row_fault.code)) for row_fault in faults]
    mention = (session.owner,) if any(severity == "FATAL" for _, severity in rows) else ()
    if effect.thread is None:
        return Scene(fault_message(rows, mention))
    author = commit.author(session, fault.persona) if fault.persona else None
    chair = commit.chair(session, fault.phase, effect.thread)
    return Scene(fault_message(rows, mention), author or chair)


@draws(ShowRecovery, in_thread("recovery:{menu}"))
def recovery(commit: LastCommit, session: Session, effect: ShowRecovery) -> Scene:
    """A recovery menu. Raises `Gone` if it is not there, or of no fault."""
    menu = commit.reader.menu(effect.menu)
    if menu is None or menu.fault is None:
        raise Gone(effect.menu)
    fault = commit.reader.fault(menu.fault)
    names = commit.names(session, [menu.used_by])
    message = recovery_view.recovery(
        menu,
        fault,
        _severity(fault.code),
        names,
        mention=(session.owner,),
        leader=commit.persona(session, fault.persona).name if fault.persona else "them",
    )
    return Scene(message, author_of(FACILITATOR) if menu.kind == "fatal" else None)


@draws(TellOperators, operators_channel("operators:{fault}"))
def notice(commit: LastCommit, session: Session, effect: TellOperators) -> Scene:
    """What the operators' channel is told."""
    fault = commit.reader.fault(effect.fault)
    if commit.operators is not None and commit.operators.is_elsewhere(session):
        return Scene(
            recovery_view.notice_elsewhere(
                fault.code, _severity(fault.code), (session.team, session.id, fault.id)
            )
        )
    url = commit.url(session, commit.reader.post(session.id, "card"))
    notice = recovery_view.operators_notice(
        fault,
        _severity(fault.code),
        session.title,
        url,
        is_state_preserved=effect.is_state_preserved,
    )
    return Scene(notice)


def _severity(code: str) -> Severity:
    entry = CATALOGUE.get(code)
    return entry.severity if entry else UNKNOWN_SEVERITY
