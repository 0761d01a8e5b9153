"""The card, the threads' roots, and what is said in passing: who is there and who leads."""

from bot.publish.message_targets import edit_of, in_channel, in_thread
from bot.publish.render.catch_up import caught_up
from bot.publish.render.drawings import draws
from bot.publish.render.last_commit import LastCommit, Scene
from bot.views.channel import card as card_view
from bot.views.kit.identity import author_of
from bot.views.private import catch_up as catchup_view
from bot.views.thread import lines
from core.domain import effects
from core.domain.ids import PersonaKey, UserId
from core.domain.session.session import Session


def card(commit: LastCommit, session: Session, _: effects.Effect) -> Scene:
    card = card_view.card(
        session,
        commit.names(session, (*session.awaited, *_deciders(session))),
        leader=commit.leader(session),
        table=commit.table(session),
        threads=commit.threads(session),
        steps=commit.reader.all_steps(session.id),
    )
    return Scene(card)


draws(effects.PostCard, in_channel("card"))(card)
draws(effects.PaintCard, edit_of("card"))(card)


@draws(effects.ShowResult, in_thread("result"))
def result(commit: LastCommit, session: Session, _: effects.ShowResult) -> Scene:
    """The analysis's last message: what somebody who catches up would read, in full."""
    summary = caught_up(commit.reader, session.id)
    return Scene(catchup_view.result(summary, commit.names(session, summary.people)))


@draws(effects.OpenThread, in_channel("thread:{thread}"))
def root(commit: LastCommit, session: Session, effect: effects.OpenThread) -> Scene:
    persona = commit.persona(session, effect.thread)
    phases = [phase.label for phase in session.course.phases if phase.persona == effect.thread]
    return Scene(lines.root(persona, session.title, phases), author_of(persona))


@draws(effects.Greet, in_thread("say:{order}"))
def greeting(commit: LastCommit, session: Session, effect: effects.Greet) -> Scene:
    persona = commit.persona(session, effect.thread)
    label = commit.label(session, effect.phase)
    taken_over = _taken_over(commit, session, effect.taken_over_from)
    if _led_before(commit, session, effect.thread):
        return Scene(lines.return_greeting(label, taken_over), author_of(persona))
    return Scene(lines.greeting(persona, label, taken_over), author_of(persona))


def _led_before(commit: LastCommit, session: Session, key: PersonaKey) -> bool:
    led = {phase.key for phase in session.course.phases if phase.persona == key}
    return any(
        state.prompt.revision > 0 and state.phase in led and state.id != session.course.step
        for state in commit.reader.all_steps(session.id)
    )


def _taken_over(
    commit: LastCommit, session: Session, key: PersonaKey | None
) -> lines.TakenOver | None:
    if key is None:
        return None
    files = dict.fromkeys(section.file for section in commit.reader.sections(session.id))
    steps = commit.reader.all_steps(session.id)
    return lines.TakenOver(
        name=commit.persona(session, key).name,
        phases=tuple(p.label for p in session.course.phases if p.status == "completed"),
        files=tuple(files),
        open_questions=sum(len(state.questions.unanswered) for state in steps),
    )


@draws(effects.HandOver, in_thread("say:{order}"))
def handover(commit: LastCommit, session: Session, effect: effects.HandOver) -> Scene:
    coming = commit.persona(session, effect.coming)
    post = commit.reader.post(session.id, f"thread:{effect.coming}")
    leads = session.course.phase if commit.leads_now(session, effect.coming) else None
    message = lines.handover(coming.name, commit.label(session, leads), commit.url(session, post))
    return Scene(message, author_of(commit.persona(session, effect.thread)))


@draws(effects.Say, in_thread("say:{order}"))
def say(commit: LastCommit, session: Session, effect: effects.Say) -> Scene:
    by = UserId(effect.args.get("by", ""))
    names = commit.names(session, [by])
    args = {"title": session.title, "slug": session.slug} | dict(effect.args)
    message = lines.spoken(effect.kind, {**args, "by": names.get(by, "")})
    chair = commit.chair(session, session.course.phase, effect.thread) if effect.thread else None
    return Scene(message, chair)


def _deciders(session: Session) -> tuple[UserId, ...]:
    """The owner and whom they named, where they named anybody."""
    return (session.owner, session.people.decider) if session.people.decider else ()
