"""What somebody who comes late is told, looked up in the last commit. Writes and sends nothing."""

from bot.payloads.links import post_link
from bot.views.channel.card import ThreadLink
from bot.views.kit.kinds import rank
from bot.views.private.catch_up import CatchUp, DecidedLine, WaitingMenu
from core.domain.answers import Claim
from core.domain.assumptions import assumptions, is_assumed
from core.domain.ids import MenuId, PersonaKey, PhaseKey, SessionId
from core.domain.playbook import BUILT_IN, FACILITATOR, Persona
from core.domain.session import Session
from core.ports import Gone, Post, SessionReader, Workspace


def caught_up(reader: SessionReader, workspace: Workspace, session_id: SessionId) -> CatchUp:
    """Raises `Gone` where there is no such session."""
    session = reader.load(session_id)
    steps = reader.all_steps(session_id)
    claims = reader.claims(session_id)
    here = next((step for step in steps if step.id == session.step), None)
    return CatchUp(
        session,
        decided=_decided(session, {step.id: step.phase for step in steps}, claims),
        here=here,
        url=post_link(workspace.url, _asking(reader, session)),
        assumed=tuple(claim for claim in assumptions(steps, claims) if not claim.confirmed),
        not_asked=tuple(step for step in steps if step.is_left_out),
        stale=tuple(step for step in steps if step.status == "stale"),
        choice=_choice(reader, workspace, session),
        files=tuple(dict.fromkeys(section.file for section in reader.sections(session_id))),
        threads=_threads(reader, workspace, session),
        card_url=post_link(workspace.url, reader.post(session_id, "card")),
        leader=_leader(reader, session),
        table=_table(reader, session),
    )


def _decided(
    session: Session, phase_of: dict[str, PhaseKey], claims: tuple[Claim, ...]
) -> tuple[DecidedLine, ...]:
    over = [phase for phase in session.phases if phase.accepted_by or phase.status != "pending"]
    decided = []
    for phase in over:
        if phase.accepted_by is None and phase.status == "open":
            continue
        mine = [claim for claim in claims if phase_of.get(claim.step) == phase.key]
        texts = sorted(
            (claim for claim in mine if not is_assumed(claim)), key=lambda claim: rank(claim.kind)
        )
        decided.append(DecidedLine(phase, tuple(texts), len(texts)))
    return tuple(decided)


def _asking(reader: SessionReader, session: Session) -> Post | None:
    """Where people are asked now: at the phase's summary, else at the step's prompt."""
    if session.menus.on_summary and session.phase:
        return reader.last_post(session.id, f"phase:{session.phase}:")
    return reader.last_post(session.id, f"prompt:{session.step}:") if session.step else None


def _choice(reader: SessionReader, workspace: Workspace, session: Session) -> WaitingMenu | None:
    """The recovery menu that is open, or the question how an inception is to be done."""
    menu = _open(reader, session.menus.recovery)
    if menu is None:
        mode = session.menus.current if session.status == "starting" else None
        post = reader.post(session.id, f"mode:{mode}") if mode else None
        return (
            WaitingMenu("How shall this be done?", post_link(workspace.url, post)) if mode else None
        )
    opened = reader.menu(menu)
    try:
        text = reader.fault(opened.fault).message if opened and opened.fault else ""
    except Gone:
        text = ""
    post = reader.post(session.id, f"recovery:{menu}")
    return WaitingMenu(text or "something went wrong.", post_link(workspace.url, post))


def _open(reader: SessionReader, menu: MenuId | None) -> MenuId | None:
    opened = reader.menu(menu) if menu else None
    return menu if opened is not None and opened.state == "open" else None


def _threads(
    reader: SessionReader, workspace: Workspace, session: Session
) -> tuple[ThreadLink, ...]:
    posts = {key: reader.post(session.id, f"thread:{key}") for key in session.met}
    return tuple(
        ThreadLink(_persona(reader, session, key).name, post_link(workspace.url, post))
        for key, post in posts.items()
        if post is not None
    )


def _leader(reader: SessionReader, session: Session) -> Persona | None:
    led = next((phase for phase in session.phases if phase.key == session.phase), None)
    if led is None:
        return None
    return FACILITATOR if led.facilitated else _persona(reader, session, led.persona)


def _table(reader: SessionReader, session: Session) -> tuple[str, ...]:
    seats = session.party.council.present if session.party.council else ()
    return tuple(_persona(reader, session, seat.persona).name for seat in seats)


def _persona(reader: SessionReader, session: Session, key: PersonaKey) -> Persona:
    personas = (*reader.personas(session), FACILITATOR, *BUILT_IN)
    return next((persona for persona in personas if persona.key == key), BUILT_IN[0])
