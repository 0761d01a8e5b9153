"""Which rows an event names: the situation that `decide` rests on."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from core import patterns
from core.domain import events as on
from core.domain.answers import Claim
from core.domain.ids import AnswerId, PersonaKey, SessionId, StepId, slug_of
from core.domain.session import Menu, Session, StepState
from core.engine.situation import Situation
from core.store import statements as sql
from core.store.sessions import Writing

WORD_CHARS_MAX: Final = 20  # a longer message is no word for a menu

_NAME: Final = patterns.compile(r"[\w-]+")


def session_of(db: Writing, event: on.Event, given: SessionId | None) -> SessionId | None:
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
            return db.owner(sql.ANSWER_OWNER, f"{channel}:{ts}")
        case on.ReactionChanged(channel=channel, ts=ts):
            return db.owner(sql.ANSWER_OWNER, f"{channel}:{ts}")
        case (
            on.ChoiceMade(menu=menu)
            | on.DifferenceGiven(menu=menu)
            | on.DifferenceSettled(menu=menu)
            | on.DeciderNamed(menu=menu)
        ):
            return db.owner(sql.MENU_OWNER, menu)
        case _:
            return given


def situation(
    db: Writing,
    session: Session | None,
    event: on.Event,
    quiet_s: float,
    tiers: tuple[str, ...] = (),
    remind_s: float = 0.0,
) -> Situation:
    """Raises `core.store.codec.CorruptError` where a row that is named cannot be read."""
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
            shown = session.recovery if what == "ShowRecovery" else session.menu
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
            taken = frozenset(each for each in ids if db.owner(sql.ANSWER_OWNER, each))
            return replace(_with_step(db, base, session, step), taken=taken)
        case on.FolderWritten(step=step):
            found = _with_step(db, base, session, step) if step else base
            menu = db.menu(session.menu) if session.menu else None
            return replace(found, menu=menu, stale_offered=_offered(db, session))
        case _:
            return base


def _offered(db: Writing, session: Session) -> frozenset[StepId]:
    menu = db.menu(session.stale_menu) if session.stale_menu else None
    listed = (choice.partition(":")[2] for choice in menu.choices) if menu else ()
    return frozenset(StepId(step) for step in listed if step)


def _step(db: Writing, session: Session, step: StepId) -> StepState | None:
    """One of those the session brought along, or a row of its own."""
    brought = next((state for state in session.steps if state.id == step), None)
    return brought or db.step(session.id, step)


def _with_step(db: Writing, base: Situation, session: Session, step: str) -> Situation:
    if any(state.id == step for state in session.steps):
        return base
    state = db.step(session.id, step)  # type: ignore[arg-type]
    return replace(base, others={state.id: state}) if state else base


def _posted(db: Writing, base: Situation, session: Session, event: on.MessagePosted) -> Situation:
    found = db.thread(event.channel, event.thread_ts)
    persona = found[1] if found else None
    step = None
    if persona is not None:
        step = db.asked(session.id, event.thread_ts, event.ts)
        under_way = db.prompt_under_way(session.id, float(event.ts))
        if under_way and persona == session.voice and session.step is not None:
            step = session.step  # it may be standing there, though we have not heard so yet
        if step is None and _sits(session, persona):
            step = session.step  # a council hears its people in any of its threads
    return heard(db, base, session, event, persona, step)


def heard(
    db: Writing,
    base: Situation,
    session: Session,
    event: on.MessagePosted,
    persona: PersonaKey | None,
    step: StepId | None,
) -> Situation:
    """What was said in that persona's thread, below the prompt of that step."""
    asked = _step(db, session, step) if step else None
    wordy = session.menu is not None and len(event.text) <= WORD_CHARS_MAX
    menu = db.menu(session.menu) if wordy and session.menu else None
    others = {asked.id: asked} if asked else {}
    return replace(base, thread=persona, asked=asked, menu=menu, others=others)


def _sits(session: Session, persona: str) -> bool:
    seats = session.council.seats if session.council else ()
    return any(seat.persona == persona for seat in seats)


def _changed(db: Writing, base: Situation, session: Session, channel: str, ts: str) -> Situation:
    found = db.answer(channel, ts)  # type: ignore[arg-type]
    if found is None:
        return base
    return replace(_with_step(db, base, session, found[0].step), answer=found[0])


def _contested(db: Writing, base: Situation, session: Session) -> Situation:
    """What people said at the step, and how they settled it before."""
    step = base.menu.step if base.menu else None
    return replace(
        base,
        claims=db.claims(session.id),
        answers=db.answers(session.id),
        settlements=db.settlements(session.id, step),
    )


def _differed(db: Writing, base: Situation, session: Session, answer: AnswerId) -> Situation:
    found = db.named_answer(session.id, answer)
    if found is None:
        return base
    known = _with_step(db, base, session, found.step)
    return replace(known, answer=found, stances=db.stances_on(session.id, answer))


def _chosen(db: Writing, base: Situation, session: Session, event: on.ChoiceMade) -> Situation:
    menu = db.menu(event.menu)
    if menu is None:
        return base
    held = (answer.step for answer in session.held)  # they come in with the choice
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
    before = None
    if event.choice == "back":
        earlier = [
            state
            for state in db.all_steps(session.id)
            if session.phase and state.phase < session.phase and state.revision and state.pinned
        ]
        before = earlier[-1] if earlier else None
        if before is not None:
            others[before.id] = before
    about = _about(session, menu, event.choice)
    if about is not None:
        base = replace(base, answer=db.answer_of(session.id, about))
    waiting = session.unread or session.reading is not None
    answered = bool(menu.step and waiting and db.has_answers(session.id, menu.step))
    return replace(base, menu=menu, others=others, before=before, answered=answered)


def _about(session: Session, menu: Menu, choice: str) -> str | None:
    """The answer that a choice is about, where it is about one."""
    if menu.kind == "put-back":
        return choice.partition(":")[2]
    return next((each.answer for each in session.proposals if each.menu == menu.id), None)


def _read(db: Writing, base: Situation, session: Session, event: on.BrainReplied) -> Situation:
    found = _with_step(db, base, session, event.step)
    here = db.step(session.id, event.step)
    if here is None or not here.basis or here.basis == event.basis:
        return found  # read for the first time, or nothing changed: nothing can rest on a change
    everything = db.claims(session.id)
    before = [claim for claim in everything if claim.step == event.step]
    changed = _changed_words(before, event.draft.claims) | _changed_answers(here.basis, event.basis)
    resting = tuple(
        dict.fromkeys(
            claim.step
            for claim in everything
            if claim.step != event.step and _rests(claim, changed)
        )
    )
    inside = {state.id for state in session.steps}
    states = (db.step(session.id, step) for step in resting if step not in inside)
    others = {**found.others, **{state.id: state for state in states if state}}
    return replace(found, resting=resting, others=others)


def _changed_words(before: Iterable[Claim], after: Iterable[Claim]) -> set[str]:
    """Names of claims (FR-001, …) that say something else now, or are gone."""
    now = {claim.ref: claim.text for claim in after if claim.ref}
    return {claim.ref for claim in before if claim.ref and now.get(claim.ref) != claim.text}


def _changed_answers(before: Iterable[str], after: Iterable[str]) -> set[str]:
    """Answers that were edited or withdrawn; one that was added changes nothing others rest on."""
    return {mark.rsplit("@", 1)[0] for mark in set(before) - set(after)}


def _rests(claim: Claim, changed: set[str]) -> bool:
    named = {word for value in claim.data.values() for word in _NAME.findall(value)}
    return not changed.isdisjoint((*claim.sources, *named))
