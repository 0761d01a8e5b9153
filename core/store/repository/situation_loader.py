"""Which rows an event names: the situation that `decide` rests on."""

from dataclasses import replace

from core.domain import events as on
from core.domain.follow_ups import SIDES
from core.domain.ids import AnswerId, PersonaKey, SessionId, StepId, TeamId, slug_of
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.engine.answers.collect import step_of_reply
from core.engine.answers.stale import is_read_again
from core.engine.flow.words import is_letter, is_menu_word
from core.engine.kernel.situation import Situation
from core.store.repository.journal_entry import Conditions
from core.store.repository.transaction import Transaction


def session_of(
    db: Transaction, team: TeamId, event: on.Event, session_id: SessionId | None
) -> SessionId | None:
    """The session an event of a workspace is about. None: it is not about any of ours."""
    match event:
        case on.SecretFound(said=message):
            return session_of(db, team, message, session_id)
        case on.MessagePosted(channel=channel, thread_ts=ts):
            thread = db.thread_at(team, channel, ts)
            return thread[0] if thread else None
        case (
            on.MessageEdited(channel=channel, ts=ts)
            | on.MessageDeleted(channel=channel, ts=ts)
            | on.AnswerTakenOut(channel=channel, ts=ts)
            | on.ReactionChanged(channel=channel, ts=ts)
        ):
            return db.session_of_answer(team, AnswerId(f"{channel}:{ts}"))
        case (
            on.ChoiceMade(menu=menu)
            | on.DifferenceGiven(menu=menu)
            | on.DifferenceSettled(menu=menu)
            | on.DeciderNamed(menu=menu)
        ):
            return db.session_of_menu(menu)
        case _:
            return session_id


def empty_situation(session: Session | None, conditions: Conditions) -> Situation:
    """The session alone, under the settings of a decision."""
    return Situation(
        session=session,
        quiet_s=conditions.quiet_s,
        remind_s=conditions.remind_s,
        deadline_s=conditions.deadline_s,
        tiers=conditions.tiers,
        offer=conditions.offer,
    )


def situation(
    db: Transaction, session: Session | None, event: on.Event, conditions: Conditions
) -> Situation:
    """The session and the rows that an event names.

    Raises `core.store.documents.CorruptError` where a row that is named cannot be read.
    """
    if isinstance(event, on.SecretFound):
        event = event.said
        if isinstance(event, on.SessionRequested):
            return Situation(session=session)
    base = empty_situation(session, conditions)
    if isinstance(event, on.SessionRequested):
        return replace(base, known=db.sessions_of_slug(event.team, slug_of(event.title)))
    assert session is not None
    match event:
        case on.MessagePosted():
            return _posted(db, base, session, event)
        case (
            on.MessageEdited(channel=channel, ts=ts)
            | on.MessageDeleted(channel=channel, ts=ts)
            | on.AnswerTakenOut(channel=channel, ts=ts)
        ):
            return _with_answer(db, base, session, AnswerId(f"{channel}:{ts}"))
        case on.ChoiceMade():
            return _chosen(db, base, session, event)
        case on.ReactionChanged(channel=channel, ts=ts):
            on_answer = _with_stances(db, base, session, AnswerId(f"{channel}:{ts}"))
            if on_answer.answer is None:
                return on_answer
            return replace(on_answer, claims=db.claims(session.id))
        case on.DifferenceGiven(answer=answer) | on.DifferenceSettled(answer=answer):
            with_menu = replace(base, menu=db.menu(event.menu))
            if isinstance(event, on.DifferenceSettled):
                with_menu = _contested(db, with_menu, session)
            return _with_stances(db, with_menu, session, answer)
        case on.LinesSorted(step=step):
            return replace(_with_step(db, base, session, step), claims=db.claims(session.id))
        case on.DeciderNamed(menu=named):
            return replace(base, menu=db.menu(named))
        case on.FlowOpened():
            return replace(base, known=db.sessions_of_slug(session.team, slug_of(session.title)))
        case on.PostRefused(what=what):
            menu_id = session.menus.recovery if what == "ShowRecovery" else session.menus.current
            return replace(base, menu=db.menu(menu_id) if menu_id else None)
        case on.PhaseOpened(phase=phase):
            return replace(base, stored=db.steps_of_phase(session.id, phase))
        case on.QuestionsMerged() if session.course.step is not None:
            return replace(base, answered=db.has_answers(session.id, session.course.step))
        case on.StepOpened(step=step):
            return replace(base, answered=db.has_answers(session.id, step))
        case on.BrainReplied():
            return _read(db, base, session, event)
        case on.EnrichRequested():
            return _with_every_step(db, base, session)
        case on.ModelReplied() | on.ModelFailed() | on.BrainFailed() if _enriches(session):
            return _with_every_step(db, base, session)  # another one is read next
        case (
            on.BrainFailed(step=step)
            | on.QuietPassed(step=step)
            | on.Diagnosed(step=step)
            | on.ModelReplied(step=step)
            | on.ModelFailed(step=step)
            | on.PatienceEnded(step=step)
        ):
            return _with_step(db, base, session, step)
        case on.ThreadRead(step=step, found=statements):
            ids = {AnswerId(f"{session.channel}:{statement.ts}") for statement in statements}
            taken_ids = frozenset(
                answer for answer in ids if db.session_of_answer(session.team, answer)
            )
            return replace(_with_step(db, base, session, step), taken=taken_ids)
        case on.FolderWritten(step=step):
            menu = db.menu(session.menus.current) if session.menus.current else None
            stale_menu = db.menu(session.menus.stale) if session.menus.stale else None
            with_step = _with_step(db, base, session, step) if step else base
            return replace(with_step, menu=menu, stale_menu=stale_menu)
        case _:
            return base


def _step(db: Transaction, session: Session, step: StepId) -> StepState | None:
    """One of those the session brought along, or a row of its own."""
    loaded = next((state for state in session.course.steps if state.id == step), None)
    return loaded or db.step_state(session.id, step)


def _with_step(db: Transaction, base: Situation, session: Session, step: StepId) -> Situation:
    if any(state.id == step for state in session.course.steps):
        return base
    state = db.step_state(session.id, step)
    return replace(base, others={state.id: state}) if state else base


def _enriches(session: Session) -> bool:
    return any(phase.awaited or phase.unwritten for phase in session.model.enriched)


def _with_every_step(db: Transaction, base: Situation, session: Session) -> Situation:
    inside = {state.id for state in session.course.steps}
    outside = (state for state in db.stored_steps(session.id) if state.id not in inside)
    return replace(base, others={state.id: state for state in outside})


def _posted(
    db: Transaction, base: Situation, session: Session, event: on.MessagePosted
) -> Situation:
    thread = db.thread_at(session.team, event.channel, event.thread_ts)
    persona = thread[1] if thread else None
    if persona is None:
        return with_message(db, base, session, event, None, None)
    prompted = db.prompted_step(session.id, event.thread_ts, event.ts)
    # A prompt under way is the one of the session's step: nothing else is to be asked there.
    is_under_way = prompted != session.course.step and db.prompt_under_way(
        session.id, float(event.ts)
    )
    step = step_of_reply(session, persona, prompted, prompt_under_way=is_under_way)
    return with_message(db, base, session, event, persona, step)


def with_message(
    db: Transaction,
    base: Situation,
    session: Session,
    event: on.MessagePosted,
    persona: PersonaKey | None,
    step: StepId | None,
) -> Situation:
    """What was said in that persona's thread, below the prompt of that step."""
    prompted = _step(db, session, step) if step else None
    current = session.menus.current
    menu = db.menu(current) if current and is_menu_word(event.text) else None
    asked = session.course.step
    may_take_option = menu is not None and is_letter(event.text)
    answers = db.answers_of_step(session.id, asked) if asked and may_take_option else ()
    others = {prompted.id: prompted} if prompted else {}
    return replace(
        base, thread=persona, prompted_step=prompted, menu=menu, others=others, answers=answers
    )


def _with_answer(
    db: Transaction, base: Situation, session: Session, answer_id: AnswerId
) -> Situation:
    answer = db.answer(session.id, answer_id)
    if answer is None:
        return base
    return replace(_with_step(db, base, session, answer.step), answer=answer)


def _contested(db: Transaction, base: Situation, session: Session) -> Situation:
    """What people said at the step, and how they settled it before."""
    step = base.menu.step if base.menu else None
    return replace(
        base,
        claims=db.claims(session.id),
        answers=db.stored_answers(session.id),
        settlements=db.settlements(session.id, step),
    )


def _with_stances(
    db: Transaction, base: Situation, session: Session, answer_id: AnswerId
) -> Situation:
    with_answer = _with_answer(db, base, session, answer_id)
    if with_answer.answer is None:
        return base
    return replace(with_answer, stances=db.stances_on(session.id, answer_id))


def _chosen(db: Transaction, base: Situation, session: Session, event: on.ChoiceMade) -> Situation:
    menu = db.menu(event.menu)
    if menu is None:
        return base
    held = (answer.step for answer in session.halt.held)  # they come in with the choice
    names = {step for step in (menu.step, *held, *session.course.stale) if step}
    inside = {state.id for state in session.course.steps}
    states = (db.step_state(session.id, step) for step in names - inside)
    others = {state.id: state for state in states if state}
    if menu.kind == "assumptions":
        key = event.choice.partition(":")[2]
        confirmed = db.answer(session.id, AnswerId(f"confirmed:{session.id}:{key}"))
        base = replace(base, claims=db.claims(session.id), confirmed=confirmed)
    if menu.kind == "enriched":
        others |= _with_every_step(db, base, session).others
    if event.choice == "confirm":
        base = replace(base, claims=db.claims(session.id))
    if menu.kind == "follow-up" and event.choice in SIDES:  # a line may be of any step
        others |= _with_every_step(db, base, session).others
        base = replace(base, claims=db.claims(session.id))
    if event.choice == "classic":
        base = replace(base, answers=db.stored_answers(session.id))
    if event.choice == "back":
        base = replace(base, all_steps=db.stored_steps(session.id))
    about = _about(session, menu, event.choice)
    if about is not None:
        base = replace(base, answer=db.answer(session.id, about))
    waiting = session.reading.has_unread or session.reading.task is not None
    answered = bool(menu.step and waiting and db.has_answers(session.id, menu.step))
    return replace(base, menu=menu, others=others, answered=answered)


def _about(session: Session, menu: Menu, choice: str) -> AnswerId | None:
    """The answer that a choice is about, where it is about one."""
    if menu.kind == "put-back":
        return AnswerId(choice.partition(":")[2])
    return next(
        (proposal.answer for proposal in session.proposals if proposal.menu == menu.id), None
    )


def _read(db: Transaction, base: Situation, session: Session, event: on.BrainReplied) -> Situation:
    with_step = _with_step(db, base, session, event.step)
    state = _step(db, session, event.step)
    if _enriches(session) or (state and not all(map(state.questions.has, event.draft.closed))):
        with_step = _with_every_step(db, base, session)
    if not is_read_again(state, event):
        return with_step
    return replace(_with_every_step(db, base, session), claims=db.claims(session.id))
