"""Faults where they happened, the menus they leave people, and what the operators are told."""

from typing import Final

from bot.publish.render.last_commit import Look, Scene
from bot.views.kit.blocks import Message
from bot.views.kit.identity import author_of
from bot.views.thread import recovery as recovery_view
from bot.views.thread.faults import fault_message
from core.domain.effects import ShowFault, ShowRecovery, TellOperators
from core.domain.playbook import FACILITATOR
from core.domain.session import Session
from core.ports import Gone
from core.taxonomy.catalogue import CATALOGUE, Severity

UNKNOWN_SEVERITY: Final[Severity] = "WARNING"


def fault(look: Look, session: Session, effect: ShowFault) -> Scene:
    faults = [look.reader.fault(each) for each in (effect.fault, *effect.more)]
    fault, shown = faults[0], [(each, _severity(each.code)) for each in faults]
    mention = (session.owner,) if any(severity == "FATAL" for _, severity in shown) else ()
    if effect.thread is None:
        return Scene(fault_message(shown, mention))
    author = look.author(session, fault.persona) if fault.persona else None
    chair = look.chair(session, fault.phase, effect.thread)
    return Scene(fault_message(shown, mention), author or chair)


def recovery(look: Look, session: Session, effect: ShowRecovery) -> Scene:
    menu = look.reader.menu(effect.menu)
    if menu is None or menu.fault is None:
        raise Gone(effect.menu)
    fault = look.reader.fault(menu.fault)
    names = look.names(session, [menu.used_by] if menu.used_by else [])
    message = recovery_view.recovery(
        menu,
        fault,
        _severity(fault.code),
        names,
        mention=(session.owner,),
        leader=look.persona(session, fault.persona).name if fault.persona else "them",
    )
    return Scene(message, author_of(FACILITATOR) if menu.kind == "fatal" else None)


def notice(look: Look, session: Session, effect: TellOperators) -> Message:
    """What the operators' channel is told."""
    found = look.reader.fault(effect.fault)
    url = look.url(session, look.reader.post(session.id, "card"))
    return recovery_view.operators_notice(
        found, _severity(found.code), session.title, url, kept=effect.kept
    )


def _severity(code: str) -> Severity:
    entry = CATALOGUE.get(code)
    return entry.severity if entry else UNKNOWN_SEVERITY
