"""Pause, cancel, resume, and what happens when Slack does not let us speak."""

from dataclasses import replace
from typing import Final

from core.domain.effects import (
    OpenFlow,
    PaintCard,
    PaintPrompt,
    Reply,
    Say,
    ShowPhase,
    ShowStep,
    UploadExport,
    WriteFolder,
)
from core.domain.events import (
    ExportRequested,
    PostDelayed,
    PostRefused,
    SessionCancelled,
    SessionResumed,
)
from core.domain.ids import UserId
from core.domain.session import Session
from core.engine import course, reminding, team
from core.engine.turn import Turn

THREAD_GONE: Final = frozenset({"cannot_reply_to_message", "thread_not_found", "no_thread"})
TOKEN_GONE: Final = frozenset(
    {"invalid_auth", "account_inactive", "token_revoked", "token_expired", "not_authed"}
)

NOT_TAKEN: Final = (
    "Slack did not take my messages for a while. Nothing is lost; we go on from here."
)

# What people have to see for the session to go on. A ✓ that is refused stops nobody.
NEEDED: Final = frozenset(
    {"PostCard", "OpenThread", "Greet", "PostPrompt", "PostQuestions", "ShowStep", "ShowPhase"}
)


def pause(turn: Turn, by: UserId) -> None:
    stop_reading(turn)
    turn.set(status="paused", paused_from=turn.session.status)
    turn.cancel_timers()
    turn.do(PaintCard())
    if turn.session.phase:
        turn.do(Say("paused", course.thread(turn), {"by": by}))
    about = {"slug": turn.session.slug, "by": by, "session": turn.session.id}
    turn.say_back(Reply("paused", about))


def is_paused(session: Session) -> Reply:
    """For whoever chooses something meanwhile; it brings the way on along."""
    about = {"title": session.title, "slug": session.slug, "session": session.id}
    return Reply("is-paused", about)


def stop_reading(turn: Turn) -> None:
    """A result that comes later is ignored; what it was to read is read at resume."""
    if turn.session.reading is not None or turn.session.escalation is not None:
        turn.set(reading=None, escalation=None, unread=True)


def cancelled(turn: Turn, event: SessionCancelled) -> None:
    cancel(turn, event.by, event.admin)


def cancel(turn: Turn, by: UserId, admin: bool | None) -> None:
    if by != turn.session.owner and not admin:
        turn.say_back(Reply("not-yours", {"owner": turn.session.owner}))
        return
    here = turn.state(turn.session.step)
    turn.end_menu(turn.session.recovery, by, "cancel")
    summary, choosing = turn.session.summary, turn.session.menu is not None
    turn.close_menus()
    turn.cancel_timers()
    team.cancelled(turn)
    turn.set(status="cancelled", reading=None, unread=False, talking=False, speaking=None)
    if here is not None and turn.session.phase:
        turn.save(replace(here, outcome="cancel", chosen_by=by, question=None))
        phase = turn.session.current_phase
        if choosing:
            shown = ShowPhase(phase.key, phase.persona) if summary else None
            turn.do(shown or ShowStep(here.id, phase.persona))
        if here.revision:
            turn.do(PaintPrompt(here.id))
    if turn.session.phases:
        turn.do(PaintCard(), WriteFolder(None))
    turn.say_back(Reply("cancelled", {"title": turn.session.title, "by": by}))


def resumed(turn: Turn, event: SessionResumed) -> None:
    session = turn.session
    if session.status == "starting":
        turn.say_back(Reply("already-going"))
        return
    if session.status == "completed":
        _reopen_faulty(turn)
        return
    stop_reading(turn)
    turn.cancel_timers()
    turn.set(resuming=True, paused_from=None, talking=False, speaking=None, to_speak=())
    turn.say_back(Reply("resuming", {"title": session.title, "slug": session.slug}))
    assert session.phase is not None
    course.open_phase(turn, session.phase, look_at_folder=True)


def _reopen_faulty(turn: Turn) -> None:
    """A completed session is opened again for what a fault skipped."""
    if turn.session.asked_nothing:
        _begin_again(turn)
        return
    faulty = [phase for phase in turn.session.phases if phase.faulty or phase.status == "failed"]
    if not faulty:
        turn.say_back(Reply("nothing-to-resume", {"title": turn.session.title}))
        return
    for phase in faulty:
        turn.set_phase(phase.key, status="open", facilitated=False)
    turn.set(resuming=True, step=None)
    turn.say_back(Reply("resuming", {"title": turn.session.title, "slug": turn.session.slug}))
    course.open_phase(turn, faulty[0].key, look_at_folder=True)


def _begin_again(turn: Turn) -> None:
    """No step could be asked: the tree and the table are read anew, as at a start."""
    turn.set(status="starting", resuming=True, phases=(), phase=None, steps=(), step=None)
    turn.say_back(Reply("resuming", {"title": turn.session.title, "slug": turn.session.slug}))
    turn.do(OpenFlow())


def export(turn: Turn, event: ExportRequested) -> None:
    if turn.session.holds_back:
        turn.say_back(Reply("export-held-back", {"title": turn.session.title}))
        return
    turn.do(UploadExport(turn.session.voice, event.wanted))
    turn.say_back(Reply("exporting", {"title": turn.session.title, "wanted": event.wanted}))


def post_refused(turn: Turn, event: PostRefused) -> None:
    """Slack will not have it: the code is recorded; the session waits where a human must act."""
    code = _code_of(event.error)
    missed = event.what in NEEDED
    if event.what == "PostReminder":
        reminding.hush(turn)
    show = code == "ERR-SLACK-002" and missed  # nothing can be shown for the others
    here = turn.state(turn.session.step)
    turn.fault(code, step=here, show=show, detail=f"{event.what}: {event.error}")
    root = event.what == "OpenThread" and code != "ERR-SLACK-003"  # that one waits in the outbox
    if event.thread and (root or show):  # whoever spoke there opens a thread anew at resume
        turn.set(met=tuple(each for each in turn.session.met if each != event.thread))
    waits = missed or code == "ERR-SLACK-003"
    if waits and turn.session.status in ("asking", "choosing", "opening"):
        stop_reading(turn)
        turn.set(status="paused", paused_from=turn.session.status)
        turn.cancel_timers()
        turn.do(PaintCard())


def post_delayed(turn: Turn, event: PostDelayed) -> None:
    """A persistent transient (seed 004): still tried, and told once Slack takes messages again."""
    phase = turn.session.phase
    turn.fault(
        "ERR-SLACK-001",
        step=turn.state(turn.session.step),
        thread=course.thread(turn) if phase else None,
        message=NOT_TAKEN,
        detail=f"{event.what}: {event.why}",
        handling="transient",
        category="execution_error",
        facts={
            "attempt": event.attempts,
            "will_retry": True,
            "total_delay_ms": round(event.delay_s * 1000),
            "endpoint": "slack.com",
            "error": event.why,
        },
    )


def _code_of(error: str) -> str:
    if error in TOKEN_GONE:
        return "ERR-SLACK-003"
    return "ERR-SLACK-002" if error in THREAD_GONE else "ERR-SLACK-001"
