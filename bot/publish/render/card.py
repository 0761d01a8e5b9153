"""The card, the threads' roots, and what is said in passing: who is there and who leads."""

from bot.publish.render.catch_up import caught_up
from bot.publish.render.last_commit import Look, Scene
from bot.views.channel import card as card_view
from bot.views.kit.blocks import Message
from bot.views.kit.identity import author_of
from bot.views.private import catch_up as catchup_view
from bot.views.thread import lines
from core.domain.effects import Greet, HandOver, Say
from core.domain.ids import PersonaKey, UserId
from core.domain.session import Session


def card(look: Look, session: Session) -> Message:
    return card_view.card(
        session,
        look.names(session, (*session.awaited, *_deciders(session))),
        leader=look.leader(session),
        table=_at_the_table(look, session),
        threads=_threads(look, session),
        steps=look.reader.all_steps(session.id),
    )


def result(look: Look, session: Session) -> Scene:
    """The analysis's last message: what somebody who catches up would read, in full."""
    found = caught_up(look.reader, look.reader.workspace(session.team), session.id)
    return Scene(catchup_view.result(found, look.names(session, found.people)))


def _at_the_table(look: Look, session: Session) -> tuple[str, ...]:
    council = session.party.council
    seats = council.present if council else ()
    return tuple(look.persona(session, seat.persona).name for seat in seats)


def _threads(look: Look, session: Session) -> tuple[card_view.ThreadLink, ...]:
    posts = {key: look.reader.post(session.id, f"thread:{key}") for key in session.met}
    return tuple(
        card_view.ThreadLink(look.persona(session, key).name, look.url(session, post))
        for key, post in posts.items()
        if post is not None
    )


def root(look: Look, session: Session, key: PersonaKey) -> Scene:
    persona = look.persona(session, key)
    phases = [each.label for each in session.phases if each.persona == key]
    return Scene(lines.root(persona, session.title, phases), author_of(persona))


def greeting(look: Look, session: Session, effect: Greet) -> Scene:
    persona = look.persona(session, effect.thread)
    label = look.label(session, effect.phase)
    taken = _taken_over(look, session, effect.taken_over_from)
    if _led_before(look, session, effect.thread):
        return Scene(lines.return_greeting(label, taken), author_of(persona))
    return Scene(lines.greeting(persona, label, taken), author_of(persona))


def _led_before(look: Look, session: Session, key: PersonaKey) -> bool:
    led = {each.key for each in session.phases if each.persona == key}
    return any(
        state.revision > 0 and state.phase in led and state.id != session.step
        for state in look.reader.all_steps(session.id)
    )


def _taken_over(look: Look, session: Session, key: PersonaKey | None) -> lines.TakenOver | None:
    if key is None:
        return None
    files = dict.fromkeys(section.file for section in look.reader.sections(session.id))
    steps = look.reader.all_steps(session.id)
    return lines.TakenOver(
        name=look.persona(session, key).name,
        phases=tuple(p.label for p in session.phases if p.status == "completed"),
        files=tuple(files),
        open_questions=sum(len(state.gaps) for state in steps),
    )


def handover(look: Look, session: Session, effect: HandOver) -> Scene:
    coming = look.persona(session, effect.coming)
    post = look.reader.post(session.id, f"thread:{effect.coming}")
    leads = session.phase if look.leads_now(session, effect.coming) else None
    said = lines.handover(coming.name, look.label(session, leads), look.url(session, post))
    return Scene(said, author_of(look.persona(session, effect.leaving)))


def line(look: Look, session: Session, effect: Say) -> Scene:
    by = UserId(effect.args.get("by", ""))
    names = look.names(session, [by] if by else [])
    args = {"title": session.title, "slug": session.slug} | dict(effect.args)
    message = lines.spoken(effect.kind, {**args, "by": names.get(by, "")}, effect.mention)
    chair = look.chair(session, session.phase, effect.thread) if effect.thread else None
    return Scene(message, chair)


def _deciders(session: Session) -> tuple[UserId, ...]:
    """The owner and whom they named, where they named anybody."""
    return (session.owner, session.decider) if session.decider else ()
