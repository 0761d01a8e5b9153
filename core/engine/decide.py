"""The one door of the engine. No clock, no chance, no I/O: the same arguments, the same answer.

`NEXT` in `core.engine.moves` says which moves are legal; the modules beside it say what comes of
them. A new event needs a row in `NEXT` and a case here; mypy and the table test ask for both.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from core.domain import effects as fx
from core.domain import events as on
from core.domain.invariants import InvariantError
from core.domain.playbook import Playbook
from core.domain.session import ENDED, Menu, Session, Status
from core.engine import prompts
from core.engine.answers import (
    collect,
    elaboration,
    proposals,
    read_back,
    record,
    stances,
    withdraw,
)
from core.engine.council import absence, debate, questions
from core.engine.faults import brain_failure, escalation, halt, refused_posts
from core.engine.flow import cancel, pause_resume, reminders
from core.engine.kernel.situation import Situation, Transition
from core.engine.kernel.turn import Turn
from core.engine.menus import dispatch
from core.engine.moves import legal_targets
from core.engine.start import party
from core.engine.start import session as opening

OUT_OF_TURN: Final[Mapping[type[on.Event], fx.Reply]] = {
    on.MessagePosted: fx.Reply("ended-thread"),
    on.AnswerTakenOut: fx.Reply("ended-thread"),
    on.DepthChosen: fx.Reply("busy"),
    on.SessionResumed: fx.Reply("nothing-to-resume"),
    on.SessionCancelled: fx.Reply("gone"),
    on.ExportRequested: fx.Reply("nothing-to-export"),
    on.DifferenceGiven: fx.Reply("ended-thread"),
    on.DifferenceSettled: fx.Reply("ended-thread"),
    on.DeciderNamed: fx.Reply("ended-thread"),
}
NOT_NOW: Final[Mapping[Status, fx.ReplyKind]] = {  # a choice on an open menu
    "starting": "busy",
    "opening": "busy",
    "debating": "busy",
    "paused": "is-paused",
    "completed": "ended-thread",
    "halted": "is-halted",
}
NO_SESSION: Final[Mapping[type[on.Event], fx.Reply]] = {
    on.ChoiceMade: fx.Reply("gone"),
    on.AnswerTakenOut: fx.Reply("no-answer"),
}


def without_session(event: on.Event) -> Transition:
    """Decide on what is no session's, or another workspace's: nothing but what its person reads."""
    return Transition(None, reply=NO_SESSION.get(type(event)))


def decide(situation: Situation, event: on.Event, playbook: Playbook) -> Transition:
    """Say what the session becomes after `event`, what is written down, and what must be done.

    Raises `InvariantError` where the outcome is no legal move.
    """
    session = situation.session
    if isinstance(event, on.SessionRequested):
        return opening.requested(situation, event, playbook)
    if session is None and isinstance(event, on.SecretFound):
        return opening.refused_for_secret(event)
    assert session is not None, "only a start has no session"
    legal = legal_targets(session.status, event, _menu_here(session, situation.menu, event))
    if legal is None:
        return Transition(session, reply=_refusal(situation, event))
    if isinstance(event, on.DeletionRequested):
        return pause_resume.delete(session, event)
    turn = Turn(session, situation, playbook, event.at)
    _move(turn, event)
    if turn.needs_admin:
        return turn.result()
    opening.claim(turn)
    reminders.watch(turn, event)
    result = turn.result()
    assert result.session is not None
    if result.session.status not in legal:
        kind, after = type(event).__name__, result.session.status
        raise InvariantError(f"{kind} leads from {session.status} to {after}")
    return result


def _menu_here(session: Session, menu: Menu | None, event: on.Event) -> Menu | None:
    """The menu that is chosen on, if it is the session's and stands in its channel."""
    here = isinstance(event, on.ChoiceMade) and event.channel == session.channel
    return menu if here and menu is not None and menu.session == session.id else None


def _refused_choice(session: Session, menu: Menu | None, event: on.ChoiceMade) -> fx.Reply:
    """What a click is told that changes nothing: its menu is gone, or does not fit the status."""
    if menu is None:
        return fx.Reply("gone")
    if menu.state != "open" or session.status not in NOT_NOW:
        return dispatch.late(menu, event.by)
    if session.status == "paused":
        return pause_resume.is_paused(session)
    reply = NOT_NOW[session.status]
    return fx.Reply(reply) if reply == "busy" else fx.Reply(reply, {"title": session.title})


def _refusal(situation: Situation, event: on.Event) -> fx.Reply | None:
    session = situation.session
    assert session is not None
    if isinstance(event, on.ChoiceMade):
        return _refused_choice(session, _menu_here(session, situation.menu, event), event)
    if isinstance(event, on.ReactionChanged):
        return None  # nobody is spoken to for a reaction
    if session.status == "paused" and isinstance(event, on.DepthChosen | on.PauseRequested):
        return pause_resume.is_paused(session)
    if isinstance(event, on.PauseRequested):
        return fx.Reply("busy")
    if session.status == "halted" and isinstance(event, on.FromPeople):
        return fx.Reply("is-halted", {"title": session.title})
    return OUT_OF_TURN.get(type(event))


def _move(turn: Turn, event: on.Event) -> None:
    match event:
        case on.FlowOpened():
            opening.flow_opened(turn, event)
        case on.CardPosted():
            opening.card_posted(turn, event)
        case on.PhaseOpened():
            opening.phase_opened(turn, event)
        case on.StepOpened():
            prompts.step_opened(turn, event)
        case on.MessagePosted():
            if not dispatch.said(turn, event):
                collect.posted(turn, event)
        case on.MessageEdited():
            if not proposals.edited(turn, event):
                collect.edited(turn, event)
        case on.MessageDeleted():
            if not proposals.deleted(turn, event):
                collect.deleted(turn, event)
        case on.AnswerTakenOut():
            if not proposals.taken_out(turn, event):
                withdraw.taken_out(turn, event)
        case on.ThreadRead():
            proposals.thread_read(turn, event)
        case on.ThreadsReadBack():
            read_back.read_back(turn, event)
        case on.QuietPassed():
            collect.quiet_passed(turn, event)
        case on.ReminderDue():
            reminders.due(turn, event)
        case on.TakeBackPassed():
            cancel.way_back_closed(turn)
        case on.BrainReplied():
            record.read(turn, event)
        case on.PersonaSpoke():
            elaboration.spoke(turn, event)
        case on.BrainFailed():
            brain_failure.failed(turn, event)
        case on.FolderWritten():
            record.written(turn, event)
        case on.ChoiceMade():
            dispatch.made(turn, event)
        case on.ReactionChanged():
            stances.reacted(turn, event)
        case on.DifferenceGiven():
            stances.differed(turn, event)
        case on.DifferenceSettled():
            stances.settled(turn, event)
        case on.DeciderNamed():
            stances.decider_named(turn, event)
        case on.DepthChosen():
            collect.set_depth(turn, turn.state(turn.session.step), event.depth)
        case on.PauseRequested():
            pause_resume.pause_requested(turn, event)
        case on.SessionResumed():
            if event.if_stopped and turn.session.status not in ("paused", *ENDED):
                turn.say_back(fx.Reply("already-going", {"title": turn.session.title}))
            elif turn.session.status == "halted":
                halt.remind(turn)
            elif turn.session.status == "cancelled":
                cancel.take_back(turn, event)
            else:
                pause_resume.resumed(turn, event)
        case on.SessionCancelled():
            cancel.command(turn, event)
        case on.ExportRequested():
            pause_resume.export(turn, event)
        case on.PostRefused():
            refused_posts.drop_dependents(turn, event)
            if turn.session.status == "starting" and event.what == "PostCard":
                opening.refused(turn, event)
            else:
                refused_posts.post_refused(turn, event)
        case on.PostDelayed():
            refused_posts.post_delayed(turn, event)
        case on.SecretFound():
            if not proposals.secret_found(turn, event):
                halt.secret_found(turn, event)
        case on.DamageFound():
            halt.damage_found(turn, event)
        case on.StatePreserved():
            halt.preserved(turn, event)
        case on.Diagnosed():
            escalation.diagnosed(turn, event)
        case on.ReportWritten():
            escalation.reported(turn, event)
        case on.TeamCreated():
            party.team_created(turn, event)
        case on.TeamRefused():
            party.no_team(turn, event.detail)
        case on.TeamDeleted():
            party.team_deleted(turn, event)
        case on.StateWritten():
            party.state_written(turn, event)
        case on.Consulted():
            debate.consulted(turn, event)
        case on.ConsultFailed():
            absence.failed(turn, event)
        case on.DeadlinePassed():
            absence.failed(turn, on.ConsultFailed(event.at, event.task, "silent", absence.TOO_LATE))
        case on.QuestionsMerged():
            questions.merged(turn, event)
        case on.SessionRequested() | on.DeletionRequested():
            raise AssertionError(f"{type(event).__name__} is decided before")
        case _:
            assert_never(event)
