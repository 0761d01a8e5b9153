"""The one door of the engine. No clock, no chance, no I/O: the same arguments, the same answer.

`NEXT` in `core.engine.moves` says which moves are legal; the modules beside it say what comes of
them. A new event needs a row in `NEXT` and a case here; mypy and the table test ask for both.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from core.domain.effects import Reply
from core.domain.events import (
    AnswerTakenOut,
    BrainFailed,
    BrainReplied,
    CardPosted,
    ChoiceMade,
    Consulted,
    ConsultFailed,
    DamageFound,
    DeadlinePassed,
    DeciderNamed,
    DeletionRequested,
    DepthChosen,
    Diagnosed,
    DifferenceGiven,
    DifferenceSettled,
    Event,
    ExportRequested,
    FlowOpened,
    FolderWritten,
    FromPeople,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    PauseRequested,
    PersonaSpoke,
    PhaseOpened,
    PostDelayed,
    PostRefused,
    QuestionsMerged,
    QuietPassed,
    ReactionChanged,
    ReminderDue,
    ReportWritten,
    SecretFound,
    SessionCancelled,
    SessionRequested,
    SessionResumed,
    StatePreserved,
    StateWritten,
    StepOpened,
    TakeBackPassed,
    TeamCreated,
    TeamDeleted,
    TeamRefused,
    ThreadRead,
    ThreadsReadBack,
)
from core.domain.invariants import InvariantError
from core.domain.playbook import Playbook
from core.domain.session import ENDED
from core.engine import (
    absence,
    asking,
    asking_all,
    cancelling,
    choosing,
    council,
    differing,
    elaborating,
    escalating,
    failing,
    halting,
    hearing,
    leaving,
    opening,
    party,
    proposing,
    reading_back,
    recording,
    refusing,
    reminding,
    taking_out,
)
from core.engine.moves import NEXT
from core.engine.situation import Situation, Transition
from core.engine.turn import Turn

OUT_OF_TURN: Final[Mapping[type[Event], Reply]] = {
    MessagePosted: Reply("ended-thread"),
    AnswerTakenOut: Reply("ended-thread"),
    DepthChosen: Reply("busy"),
    SessionResumed: Reply("nothing-to-resume"),
    SessionCancelled: Reply("gone"),
    ExportRequested: Reply("nothing-to-export"),
    DifferenceGiven: Reply("ended-thread"),
    DifferenceSettled: Reply("ended-thread"),
    DeciderNamed: Reply("ended-thread"),
}
NO_SESSION: Final[Mapping[type[Event], Reply]] = {
    ChoiceMade: Reply("gone"),
    AnswerTakenOut: Reply("no-answer"),
}


def without_session(event: Event) -> Transition:
    """Decide on what is no session's, or another workspace's: nothing but what its person reads."""
    return Transition(None, reply=NO_SESSION.get(type(event)))


def decide(situation: Situation, event: Event, playbook: Playbook) -> Transition:
    """Say what the session becomes after `event`, what is written down, and what must be done."""
    session = situation.session
    if isinstance(event, SessionRequested):
        return opening.requested(situation, event, playbook)
    if session is None and isinstance(event, SecretFound):
        return opening.refused_for_secret(event)
    assert session is not None, "only a start has no session"
    legal = NEXT[session.status].get(type(event))
    if legal is None:
        return Transition(session, reply=_refusal(situation, event))
    if isinstance(event, DeletionRequested):
        return leaving.delete(session, event)
    turn = Turn(session, situation, playbook, event.at)
    _move(turn, event)
    if turn.needs_admin:
        return turn.result()
    opening.claim(turn)
    reminding.watch(turn, event)
    result = turn.result()
    assert result.session is not None
    if result.session.status not in legal:
        kind, after = type(event).__name__, result.session.status
        raise InvariantError(f"{kind} leads from {session.status} to {after}")
    return result


def _refusal(situation: Situation, event: Event) -> Reply | None:
    session = situation.session
    assert session is not None
    if isinstance(event, ChoiceMade):
        here = event.channel == session.channel
        return choosing.late(situation.menu, event.by) if here else Reply("gone")
    if isinstance(event, ReactionChanged):
        return None  # nobody is spoken to for a reaction
    if isinstance(event, PauseRequested):
        return Reply("busy")
    if session.status == "halted" and isinstance(event, FromPeople):
        return Reply("is-halted", {"title": session.title})
    if isinstance(event, DepthChosen) and session.status == "paused":
        return leaving.is_paused(session)
    return OUT_OF_TURN.get(type(event))


def _move(turn: Turn, event: Event) -> None:
    match event:
        case FlowOpened():
            opening.flow_opened(turn, event)
        case CardPosted():
            opening.card_posted(turn, event)
        case PhaseOpened():
            opening.phase_opened(turn, event)
        case StepOpened():
            asking.step_opened(turn, event)
        case MessagePosted():
            if not choosing.said(turn, event):
                hearing.posted(turn, event)
        case MessageEdited():
            if not proposing.edited(turn, event):
                hearing.edited(turn, event)
        case MessageDeleted():
            if not proposing.deleted(turn, event):
                hearing.deleted(turn, event)
        case AnswerTakenOut():
            if not proposing.taken_out(turn, event):
                taking_out.taken_out(turn, event)
        case ThreadRead():
            proposing.thread_read(turn, event)
        case ThreadsReadBack():
            reading_back.read_back(turn, event)
        case QuietPassed():
            hearing.quiet_passed(turn, event)
        case ReminderDue():
            reminding.due(turn, event)
        case TakeBackPassed():
            cancelling.way_back_closed(turn)
        case BrainReplied():
            recording.read(turn, event)
        case PersonaSpoke():
            elaborating.spoke(turn, event)
        case BrainFailed():
            failing.failed(turn, event)
        case FolderWritten():
            recording.written(turn, event)
        case ChoiceMade():
            choosing.made(turn, event)
        case ReactionChanged():
            differing.reacted(turn, event)
        case DifferenceGiven():
            differing.differed(turn, event)
        case DifferenceSettled():
            differing.settled(turn, event)
        case DeciderNamed():
            differing.decider_named(turn, event)
        case DepthChosen():
            hearing.set_depth(turn, turn.state(turn.session.step), event.depth)
        case PauseRequested():
            leaving.pause_requested(turn, event)
        case SessionResumed():
            if event.if_stopped and turn.session.status not in ("paused", *ENDED):
                leaving.leave_alone(turn)
            elif turn.session.status == "halted":
                halting.remind(turn)
            elif turn.session.status == "cancelled":
                cancelling.take_back(turn, event)
            else:
                leaving.resumed(turn, event)
        case SessionCancelled():
            cancelling.command(turn, event)
        case ExportRequested():
            leaving.export(turn, event)
        case PostRefused():
            if turn.session.status == "starting" and event.what == "PostCard":
                opening.refused(turn, event)
            else:
                refusing.post_refused(turn, event)
        case PostDelayed():
            refusing.post_delayed(turn, event)
        case SecretFound():
            if not proposing.secret_found(turn, event):
                halting.secret_found(turn, event)
        case DamageFound():
            halting.damage_found(turn, event)
        case StatePreserved():
            halting.preserved(turn, event)
        case Diagnosed():
            escalating.diagnosed(turn, event)
        case ReportWritten():
            escalating.reported(turn, event)
        case TeamCreated():
            party.team_created(turn, event)
        case TeamRefused():
            party.team_refused(turn, event)
        case TeamDeleted():
            party.team_deleted(turn, event)
        case StateWritten():
            party.state_written(turn, event)
        case Consulted():
            council.consulted(turn, event)
        case ConsultFailed():
            absence.failed(turn, event)
        case DeadlinePassed():
            absence.deadline_passed(turn, event)
        case QuestionsMerged():
            asking_all.merged(turn, event)
        case SessionRequested() | DeletionRequested():
            raise AssertionError(f"{type(event).__name__} is decided before")
        case _:
            assert_never(event)
