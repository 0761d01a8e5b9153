"""Which rows an event names: the situation that `decide` rests on."""

from dataclasses import replace

from core.domain import events as on
from core.domain.ids import AnswerId, PersonaKey, SessionId, StepId, slug_of
from core.domain.session import Menu, Session, StepState
from core.engine.answers.collect import step_of_reply
from core.engine.answers.stale import is_read_again
from core.engine.flow.words import is_menu_word
from core.engine.kernel.situation import Situation
from core.store.repository.transaction import Transaction


def session_of(db: Transaction, event: on.Event, given: SessionId | None) -> SessionId | None:
    """The session an event is about. None: it is not about any of ours."""
    match event:
        case on.SecretFound(said=said):
            return session_of(db, said, given)
        case on.MessagePosted(channel=channel, thread_ts=ts):
            found = db.thread(channel, ts)
            return found[0] if found else None
        case (
            on.MessageEdited(channel=channel, ts=ts)
            | on.MessageDeleted(channel=channel, ts=ts)
            | on.AnswerTakenOut(channel=channel, ts=ts)
        ):
            return db.session_of_answer(f"{channel}:{ts}")
        case on.ReactionChanged(channel=channel, ts=ts):
            return db.session_of_answer(f"{channel}:{ts}")
        case (
            on.ChoiceMade(menu=menu)
            | on.DifferenceGiven(menu=menu)
            | on.DifferenceSettled(menu=menu)
            | on.DeciderNamed(menu=menu)
        ):
            return db.session_of_menu(menu)
        case _:
            return given


def situation(
    db: Transaction,
    session: Session | None,
    event: on.Event,
    quiet_s: float,
    tiers: tuple[str, ...] = (),
    remind_s: float = 0.0,
) -> Situation:
    """Raises `repository.codec.CorruptError` where a row that is named cannot be read."""
    if isinstance(event, on.SecretFound):
        event = event.said
        if isinstance(event, on.SessionRequested):
            return Situation(session=session)
    base = Situation(session=session, quiet_s=quiet_s, tiers=tiers, remind_s=remind_s)
    if isinstance(event, on.SessionRequested):
        return replace(base, known=db.known(event.team, slug_of(event.title)))
    assert session is not None
    match event:
        case on.MessagePosted():
            return _posted(db, base, session, event)
        case (
            on.MessageEdited(channel=channel, ts=ts)
            | on.MessageDeleted(channel=channel, ts=ts)
            | on.AnswerTakenOut(channel=channel, ts=ts)
        ):
            return _changed(db, base, session, channel, ts)
        case on.ChoiceMade():
            return _chosen(db, base, session, event)
        case on.ReactionChanged(channel=channel, ts=ts):
            return _differed(db, base, session, AnswerId(f"{channel}:{ts}"))
        case on.DifferenceGiven(answer=answer) | on.DifferenceSettled(answer=answer):
            found = replace(base, menu=db.menu(event.menu))
            if isinstance(event, on.DifferenceSettled):
                found = _contested(db, found, session)
            return _differed(db, found, session, answer)
        case on.DeciderNamed(menu=named):
            return replace(base, menu=db.menu(named))
        case on.FlowOpened():
            return replace(base, known=db.known(session.team, slug_of(session.title)))
        case on.PostRefused(what=what):
            shown = session.menus.recovery if what == "ShowRecovery" else session.menus.current
            return replace(base, menu=db.menu(shown) if shown else None)
        case on.PhaseOpened(phase=phase):
            return replace(base, stored=db.phase_steps(session.id, phase))
        case on.QuestionsMerged() if session.step is not None:
            return replace(base, answered=db.has_answers(session.id, session.step))
        case on.StepOpened(step=step):
            return replace(base, answered=db.has_answers(session.id, step))
        case on.BrainReplied():
            return _read(db, base, session, event)
        case on.BrainFailed(step=step) | on.QuietPassed(step=step) | on.Diagnosed(step=step):
            return _with_step(db, base, session, step)
        case on.ThreadRead(step=step, found=found_there):
            ids = {f"{session.channel}:{each.ts}" for each in found_there}
            taken = frozenset(each for each in ids if db.session_of_answer(each))
            return replace(_with_step(db, base, session, step), taken=taken)
        case on.FolderWritten(step=step):
            found = _with_step(db, base, session, step) if step else base
            menu = db.menu(session.menus.current) if session.menus.current else None
            stale_menu = db.menu(session.menus.stale) if session.menus.stale else None
            return replace(found, menu=menu, stale_menu=stale_menu)
        case _:
            return base


def _step(db: Transaction, session: Session, step: StepId) -> StepState | None:
    """One of those the session brought along, or a row of its own."""
    brought = next((state for state in session.steps if state.id == step), None)
    return brought or db.step(session.id, step)


def _with_step(db: Transaction, base: Situation, session: Session, step: str) -> Situation:
    if any(state.id == step for state in session.steps):
        return base
    state = db.step(session.id, step)  # type: ignore[arg-type]
    return replace(base, others={state.id: state}) if state else base


def _posted(
    db: Transaction, base: Situation, session: Session, event: on.MessagePosted
) -> Situation:
    found = db.thread(event.channel, event.thread_ts)
    persona = found[1] if found else None
    if persona is None:
        return heard(db, base, session, event, None, None)
    step = step_of_reply(
        session,
        persona,
        db.asked(session.id, event.thread_ts, event.ts),
        prompt_under_way=db.prompt_under_way(session.id, float(event.ts)),
    )
    return heard(db, base, session, event, persona, step)


def heard(
    db: Transaction,
    base: Situation,
    session: Session,
    event: on.MessagePosted,
    persona: PersonaKey | None,
    step: StepId | None,
) -> Situation:
    """What was said in that persona's thread, below the prompt of that step."""
    asked = _step(db, session, step) if step else None
    current = session.menus.current
    menu = db.menu(current) if current and is_menu_word(event.text) else None
    others = {asked.id: asked} if asked else {}
    return replace(base, thread=persona, asked=asked, menu=menu, others=others)


def _changed(
    db: Transaction, base: Situation, session: Session, channel: str, ts: str
) -> Situation:
    found = db.answer(channel, ts)  # type: ignore[arg-type]
    if found is None:
        return base
    return replace(_with_step(db, base, session, found[0].step), answer=found[0])


def _contested(db: Transaction, base: Situation, session: Session) -> Situation:
    """What people said at the step, and how they settled it before."""
    step = base.menu.step if base.menu else None
    return replace(
        base,
        claims=db.claims(session.id),
        answers=db.answers(session.id),
        settlements=db.settlements(session.id, step),
    )


def _differed(db: Transaction, base: Situation, session: Session, answer: AnswerId) -> Situation:
    found = db.named_answer(session.id, answer)
    if found is None:
        return base
    known = _with_step(db, base, session, found.step)
    return replace(known, answer=found, stances=db.stances_on(session.id, answer))


def _chosen(db: Transaction, base: Situation, session: Session, event: on.ChoiceMade) -> Situation:
    menu = db.menu(event.menu)
    if menu is None:
        return base
    held = (answer.step for answer in session.halt.held)  # they come in with the choice
    names = {step for step in (menu.step, *held, *session.stale) if step}
    inside = {state.id for state in session.steps}
    states = (db.step(session.id, step) for step in names - inside)
    others = {state.id: state for state in states if state}
    if menu.kind == "assumptions":
        key = event.choice.partition(":")[2]
        confirmed = db.answer_of(session.id, f"confirmed:{session.id}:{key}")
        base = replace(base, claims=db.claims(session.id), confirmed=confirmed)
    if event.choice == "confirm":
        base = replace(base, claims=db.claims(session.id))
    if event.choice == "classic":
        base = replace(base, answers=db.answers(session.id))
    if event.choice == "back":
        base = replace(base, all_steps=db.all_steps(session.id))
    about = _about(session, menu, event.choice)
    if about is not None:
        base = replace(base, answer=db.answer_of(session.id, about))
    waiting = session.reading.has_unread or session.reading.task is not None
    answered = bool(menu.step and waiting and db.has_answers(session.id, menu.step))
    return replace(base, menu=menu, others=others, answered=answered)


def _about(session: Session, menu: Menu, choice: str) -> str | None:
    """The answer that a choice is about, where it is about one."""
    if menu.kind == "put-back":
        return choice.partition(":")[2]
    return next(
        (proposal.answer for proposal in session.proposals if proposal.menu == menu.id), None
    )


def _read(db: Transaction, base: Situation, session: Session, event: on.BrainReplied) -> Situation:
    found = _with_step(db, base, session, event.step)
    if not is_read_again(_step(db, session, event.step), event):
        return found
    inside = {state.id for state in session.steps}
    others = {state.id: state for state in db.all_steps(session.id) if state.id not in inside}
    return replace(found, claims=db.claims(session.id), others=others)
