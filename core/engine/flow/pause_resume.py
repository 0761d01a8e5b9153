"""Pause, resume, export and delete."""

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import UserId
from core.domain.session.reading import Elaboration
from core.domain.session.session import Session
from core.engine.flow import navigation
from core.engine.kernel.situation import Transition
from core.engine.kernel.turn import Turn


def pause_requested(turn: Turn, event: on.PauseRequested) -> None:
    """By the card's button, which may still stand there while a step is opened."""
    if turn.menus.prompt is None:
        turn.say_back(fx.Reply("busy"))
    else:
        pause(turn, event.by)


def stop(turn: Turn) -> None:
    """The session waits for somebody to resume it; a result that comes later is ignored."""
    turn.reading = turn.reading.stopped()
    turn.status = "paused"
    turn.cancel_timers()
    turn.do(fx.PaintCard())


def pause(turn: Turn, by: UserId) -> None:
    stop(turn)
    if turn.course.phase:
        turn.do(fx.Say("paused", navigation.thread(turn), {"by": by}))
    about = {"slug": turn.session.slug, "by": by, "session": turn.session.id}
    turn.say_back(fx.Reply("paused", about))


def is_paused(session: Session) -> fx.Reply:
    """For whoever chooses something meanwhile; it brings the way on along."""
    about = {"title": session.title, "slug": session.slug, "session": session.id}
    return fx.Reply("is-paused", about)


def resumed(turn: Turn) -> None:
    session = turn.session
    if session.status == "starting":
        turn.say_back(fx.Reply("already-going"))
        return
    if session.status == "completed":
        _reopen_faulty(turn)
        return
    turn.reading = turn.reading.stopped()
    turn.cancel_timers()
    turn.elaboration = Elaboration()
    turn.course = turn.course.resumed()
    turn.say_back(fx.Reply("resuming", {"title": session.title, "slug": session.slug}))
    assert session.course.phase is not None
    navigation.open_phase(turn, session.course.phase, look_at_folder=True)


def _reopen_faulty(turn: Turn) -> None:
    """A completed session is opened again for what a fault skipped."""
    if turn.session.asked_nothing:
        _begin_again(turn)
        return
    faulty = [phase for phase in turn.course.phases if phase.faulty or phase.status == "failed"]
    if not faulty:
        turn.say_back(fx.Reply("nothing-to-resume", {"title": turn.session.title}))
        return
    for phase in faulty:
        turn.save_phase(phase.reopened())
    turn.course = turn.course.resumed().gone_to(None)
    turn.say_back(fx.Reply("resuming", {"title": turn.session.title, "slug": turn.session.slug}))
    navigation.open_phase(turn, faulty[0].key, look_at_folder=True)


def _begin_again(turn: Turn) -> None:
    """No step could be asked: the tree and the table are read anew, as at a start."""
    turn.status, turn.course = "starting", turn.course.restarted().resumed()
    turn.say_back(fx.Reply("resuming", {"title": turn.session.title, "slug": turn.session.slug}))
    turn.do(fx.OpenFlow())


def export(turn: Turn, event: on.ExportRequested) -> None:
    if turn.session.holds_back:
        turn.say_back(fx.Reply("export-held-back", {"title": turn.session.title}))
        return
    turn.do(fx.UploadExport(turn.course.thread, event.wanted))
    turn.say_back(fx.Reply("exporting", {"title": turn.session.title, "wanted": event.wanted}))


def delete(session: Session, event: on.DeletionRequested) -> Transition:
    """For the owner alone, and asked first. A session that cannot be read can be deleted too."""
    about = {"slug": session.slug, "title": session.title}
    if event.by != session.owner:
        return Transition(session, reply=fx.Reply("delete-not-yours"))
    if not event.sure:
        return Transition(
            session, reply=fx.Reply("delete-question", about | {"session": session.id})
        )
    return Transition(session, (fx.SessionErased(),), reply=fx.Reply("deleted", about))
