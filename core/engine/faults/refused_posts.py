"""What happens when Slack does not take a message: later, never, or not in this place.

Slack's error strings are unknown here: a refusal comes with its reason
(`core.taxonomy.post_refusals`).
"""

from collections.abc import Mapping
from typing import Any, Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PersonaKey
from core.engine.flow import navigation, pause_resume, reminders
from core.engine.kernel.turn import Turn
from core.taxonomy.catalogue import Code
from core.taxonomy.post_refusals import (
    ACCESS_LOST,
    EDITS_REFUSED,
    REFUSALS,
    RefusalReason,
    paused_words,
)
from core.taxonomy.rows import ATTEMPTS_MAX

NOT_TAKEN: Final = (
    "Slack did not take my messages for a while. Nothing is lost; we go on from here."
)
NOT_TAKEN_YET: Final = "Slack did not take a message. I am trying again; nothing is lost."

# What people have to see for the session to go on. A ✓ that is refused stops nobody.
NEEDED: Final = frozenset(name for name, kind in fx.EFFECTS.items() if kind.is_needed)
CODES: Final[Mapping[RefusalReason, Code]] = {
    "thread_gone": "ERR-SLACK-002",
    "token_revoked": "ERR-SLACK-003",
}
WITH_MENUS: Final = ("ShowStep", "ShowPhase", "ShowRecovery")
NO_REPLIES: Final[frozenset[RefusalReason]] = frozenset({"no_threads"})


def waits_for_resume(effect: fx.Effect, reason: RefusalReason) -> bool:
    """True if a refused message stays in the outbox until somebody resumes the session.

    Nothing is lost where access was: it is sent when that is back. Why a session waits is said at
    the latest when somebody resumes it.
    """
    if reason == "token_revoked":
        return not isinstance(effect, fx.PostCard)
    return isinstance(effect, fx.ShowFault) and reason != "thread_gone"


def drop_dependents(turn: Turn, event: on.PostRefused) -> None:
    """Drop what waits to be sent and depends on a message that will never be posted."""
    token_lost = event.reason == "token_revoked"
    if event.reason == "thread_gone" and event.what in NEEDED and event.thread is not None:
        turn.record(fx.ThreadForgotten(event.thread))
    elif event.what == "PostCard" or (event.what == "OpenThread" and not token_lost):
        turn.record(fx.WaitingPostsDropped())


def post_refused(turn: Turn, event: on.PostRefused) -> None:
    """Record the code; where people would miss the message, pause and say why in the thread."""
    if event.reason == "edit_refused":
        _show_anew(turn, event)
        return
    if event.what == "PostReminder":
        reminders.hush(turn)
    token_lost = event.reason == "token_revoked"
    thread_lost = event.reason == "thread_gone" and event.what in NEEDED
    pauses = (event.what in NEEDED or token_lost) and turn.session.status in (
        "asking",
        "choosing",
        "opening",
    )
    _record(turn, event, show=pauses or thread_lost)
    root = event.what == "OpenThread" and not token_lost  # that one waits in the outbox
    if event.thread and (root or thread_lost):  # whoever spoke there opens a thread anew at resume
        turn.course = turn.course.thread_lost(event.thread)
    if pauses:
        pause_resume.stop(turn)


def _record(turn: Turn, event: on.PostRefused, *, show: bool) -> None:
    words = ACCESS_LOST if event.reason == "token_revoked" else paused_words(event.reason)
    message = None if event.reason == "thread_gone" else words
    code = CODES.get(event.reason, "ERR-SLACK-001")
    _fault(turn, event, code, thread=_where_to_say(turn, event), show=show, message=message)
    if show and event.reason in NO_REPLIES:
        about = REFUSALS[event.reason]
        reply = fx.Reply("refused", {"what": about.what, "helps": about.helps})
        turn.do(fx.Tell(turn.session.owner, reply))


def _fault(turn: Turn, event: on.PostRefused, code: str, **how: Any) -> None:
    """Record the refusal. `how`: its message, and whether and where it is shown (`Turn.fault`)."""
    turn.fault(
        code,
        step=turn.state(turn.course.step),
        detail=f"{event.what}: {event.error}",
        facts={"endpoint": "slack.com", "error": event.error, "actual_value": event.reason},
        **how,
    )


def _where_to_say(turn: Turn, event: on.PostRefused) -> PersonaKey | None:
    """The thread it was meant for; the card's where that one is not there or takes nothing."""
    closed = event.reason in ("thread_gone", "thread_locked") or event.what == "OpenThread"
    if closed or turn.course.phase is None:
        return None
    return event.thread or navigation.thread(turn)


def _show_anew(turn: Turn, event: on.PostRefused) -> None:
    """A message that cannot be edited: its open menu ends, and another one comes in a new message.

    What has no open menu (the card, a prompt, a step that is passed) stays as it is; that is said
    once a session.
    """
    menu = turn.situation.menu
    if menu is not None and menu.state == "open" and event.what in WITH_MENUS:
        turn.end_menu(menu.id)
        opened = turn.open_menu(menu.kind, menu.choices, menu.step, menu.fault)
        if event.what == "ShowRecovery":
            turn.do(fx.ShowRecovery(opened, event.thread))
        else:
            turn.do(
                navigation.show_current_message(turn, turn.existing(turn.course.step), anew=True)
            )
    is_first, thread = turn.set_mark(event.reason), navigation.thread(turn)
    _fault(turn, event, "ERR-SLACK-001", thread=thread, show=is_first, message=EDITS_REFUSED)


def post_delayed(turn: Turn, event: on.PostDelayed) -> None:
    """Record a message that is tried again (seed 004, transient).

    The fifth attempt makes it a persistent transient: told once Slack takes messages again. A wait
    that Slack asked for is no failure before that.
    """
    persistent = event.attempts == ATTEMPTS_MAX
    if event.retry_after_s is not None and not persistent:
        return
    turn.fault(
        "ERR-SLACK-001",
        step=turn.state(turn.course.step),
        thread=navigation.thread(turn),
        message=NOT_TAKEN if persistent else NOT_TAKEN_YET,
        show=persistent,
        detail=f"{event.what}: {event.why}",
        handling="transient",
        category="execution_error",
        routing="" if persistent else "RETRY",
        facts={
            "attempt": event.attempts,
            "delay_ms": round(event.wait_s * 1000),
            "will_retry": True,
            "total_delay_ms": round(event.delay_s * 1000),
            "endpoint": "slack.com",
            "http_status": event.http_status,
            "retry_after": event.retry_after_s,
            "error": event.why,
        },
    )
