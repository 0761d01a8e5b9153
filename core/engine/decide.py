"""The one door of the engine. No clock, no chance, no I/O: the same arguments, the same answer.

`NEXT` in `core.engine.moves` says which moves are legal; the modules beside it say what comes of
them. A new event needs a row in `NEXT` and one in `HANDLERS`; the table test asks for both.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from core.domain import effects as fx
from core.domain import events as on
from core.domain.invariants import InvariantError
from core.domain.session.course import ENDED, Status
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.steps.playbook import Playbook
from core.engine import prompts
from core.engine.answers import (
    collect,
    corrections,
    elaboration,
    enriched,
    measured,
    proposals,
    read_back,
    record,
    stances,
    withdraw,
)
from core.engine.council import absence, debate, questions
from core.engine.faults import brain_failure, escalation, halt, refused_posts
from core.engine.flow import brain_choice, cancel, pause_resume, reminders, repository
from core.engine.kernel.situation import Situation, Transition
from core.engine.kernel.turn import Turn
from core.engine.menus import dispatch
from core.engine.model import enriching, refining
from core.engine.moves import legal_targets
from core.engine.start import party, phase
from core.engine.start import session as opening

E = TypeVar("E")

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
    on.LinesSorted: fx.Reply("ended-thread"),
    on.RepositoryNamed: fx.Reply("busy"),
    on.BrainChosen: fx.Reply("busy"),
    on.EnrichRequested: fx.Reply("enrich-nothing"),
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
    """Decide on what is no session's, or another workspace's: what its person reads, and what
    is settled for a channel's sessions to come."""
    if isinstance(event, on.RepositoryNamed):
        return repository.named_for_channel(event)
    if isinstance(event, on.BrainChosen):
        return brain_choice.chosen_for_channel(event)
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
    HANDLERS[type(event)](turn, event)
    if turn.needs_admin:
        return turn.result()
    _claim(turn)
    reminders.watch(turn, event)
    result = turn.result()
    assert result.session is not None
    if result.session.status not in legal:
        kind, status = type(event).__name__, result.session.status
        raise InvariantError(f"{kind} leads from {session.status} to {status}")
    return result


def _claim(turn: Turn) -> None:
    """Whoever answers first owns a session that an operator took up for nobody in particular."""
    if turn.session.unclaimed and turn.people.answered:
        turn.owner, turn.unclaimed = turn.people.answered[0], False


def _menu_here(session: Session, menu: Menu | None, event: on.Event) -> Menu | None:
    """The menu that is chosen on, if it is the session's and stands in its channel."""
    is_in_channel = isinstance(event, on.ChoiceMade) and event.channel == session.channel
    return menu if is_in_channel and menu is not None and menu.session == session.id else None


def _refused_choice(session: Session, menu: Menu | None, event: on.ChoiceMade) -> fx.Reply:
    """What a click is told that changes nothing: its menu is gone, or does not fit the status."""
    if menu is None:
        return fx.Reply("gone")
    if menu.state != "open" or session.status not in NOT_NOW:
        return dispatch.refusal_of_late_click(menu, event.by)
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


# ── what comes of each event ───────────────────────────────────────────────────────────────────


def _resumed(turn: Turn, event: on.SessionResumed) -> None:
    status = turn.status
    if event.if_stopped and status not in ("paused", *ENDED):
        turn.say_back(fx.Reply("already-going", {"title": turn.session.title}))
    elif status == "halted":
        halt.remind(turn)
    elif status == "cancelled":
        cancel.take_back(turn, event)
    else:
        pause_resume.resumed(turn)


def _brain_chosen(turn: Turn, event: on.BrainChosen) -> None:
    brain_choice.chosen(turn, event)
    if turn.model.script_only:
        refining.leave_to_script(turn)


def _brain_replied(turn: Turn, event: on.BrainReplied) -> None:
    record.read(turn, event)
    enriched.go_on(turn, event)


def _brain_failed(turn: Turn, event: on.BrainFailed) -> None:
    brain_failure.failed(turn, event)
    enriched.go_on(turn, event)


def _model_replied(turn: Turn, event: on.ModelReplied) -> None:
    refining.replied(turn, event)
    enriching.go_on(turn, event)


def _model_failed(turn: Turn, event: on.ModelFailed) -> None:
    """Whoever the request was for decides what comes next."""
    turn.model = turn.model.used(event.usage)
    match event.speech:
        case None:
            refining.failed(turn, event)
        case fx.Consult():
            absence.model_failed(turn, event)
        case fx.Speak():
            elaboration.model_failed(turn, event)
        case fx.Diagnose():
            escalation.model_failed(turn, event)
    enriching.go_on(turn, event)


def _post_refused(turn: Turn, event: on.PostRefused) -> None:
    refused_posts.drop_dependents(turn, event)
    if turn.status == "starting" and event.what == "PostCard":
        opening.refused(turn, event)
    else:
        refused_posts.post_refused(turn, event)


Handler = Callable[[Turn, Any], object]


def _row(kind: type[E], handler: Callable[[Turn, E], object]) -> tuple[type[E], Handler]:
    """A row of `HANDLERS`: its handler takes that kind of event."""
    return kind, handler


def _unless(
    interceptor: Callable[[Turn, E], bool], handler: Callable[[Turn, E], object]
) -> Callable[[Turn, E], object]:
    """`handler` is for what `interceptor` has not dealt with."""
    return lambda turn, event: interceptor(turn, event) or handler(turn, event)


HANDLERS: Final[Mapping[type, Handler]] = dict(
    (
        _row(on.FlowOpened, opening.flow_opened),
        _row(on.CardPosted, opening.card_posted),
        _row(on.PhaseOpened, phase.phase_opened),
        _row(on.StepOpened, prompts.step_opened),
        _row(on.MessagePosted, _unless(dispatch.carry_out_word, collect.posted)),
        _row(on.MessageEdited, _unless(proposals.edited, collect.edited)),
        _row(on.MessageDeleted, _unless(proposals.deleted, collect.deleted)),
        _row(on.AnswerTakenOut, _unless(proposals.taken_out, withdraw.taken_out)),
        _row(on.SecretFound, _unless(proposals.secret_found, halt.secret_found)),
        _row(on.ThreadRead, proposals.thread_read),
        _row(on.ThreadsReadBack, read_back.read_back),
        _row(on.QuietPassed, collect.quiet_passed),
        _row(on.ReminderDue, reminders.due),
        _row(on.TakeBackPassed, cancel.way_back_closed),
        _row(on.BrainReplied, _brain_replied),
        _row(on.ModelReplied, _model_replied),
        _row(on.ModelFailed, _model_failed),
        _row(on.PatienceEnded, refining.patience_ended),
        _row(on.PersonaSpoke, elaboration.spoke),
        _row(on.BrainFailed, _brain_failed),
        _row(on.FolderWritten, record.written),
        _row(on.ChoiceMade, dispatch.carry_out_choice),
        _row(on.ReactionChanged, stances.reacted),
        _row(on.DifferenceGiven, stances.differed),
        _row(on.DifferenceSettled, stances.settled),
        _row(on.DeciderNamed, stances.decider_named),
        _row(on.LinesSorted, corrections.lines_sorted),
        _row(on.RepositoryNamed, repository.named),
        _row(on.BrainChosen, _brain_chosen),
        _row(on.EnrichRequested, enriching.requested),
        _row(on.CodeSearched, measured.searched),
        _row(on.DepthChosen, collect.depth_chosen),
        _row(on.PauseRequested, pause_resume.pause_requested),
        _row(on.SessionResumed, _resumed),
        _row(on.SessionCancelled, cancel.command),
        _row(on.ExportRequested, pause_resume.export),
        _row(on.PostRefused, _post_refused),
        _row(on.PostDelayed, refused_posts.post_delayed),
        _row(on.DamageFound, halt.damage_found),
        _row(on.StatePreserved, halt.preserved),
        _row(on.Diagnosed, escalation.diagnosed),
        _row(on.ReportWritten, escalation.reported),
        _row(on.TeamCreated, party.team_created),
        _row(on.TeamRefused, party.team_refused),
        _row(on.TeamDeleted, party.team_deleted),
        _row(on.StateWritten, party.state_written),
        _row(on.Consulted, debate.consulted),
        _row(on.ConsultFailed, absence.failed),
        _row(on.DeadlinePassed, absence.deadline_passed),
        _row(on.QuestionsMerged, questions.merged),
    )
)
