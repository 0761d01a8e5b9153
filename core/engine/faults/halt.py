"""Fatal: everything stops, what is known is kept, and the owner decides (seed 004, Fatal Errors).

Nothing of what halted a session is stored but what is left of it without the secret.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import Answer
from core.domain.ids import AnswerId, FaultId, PersonaKey, RunId
from core.domain.invariants import broken
from core.domain.session.course import ENDED
from core.domain.session.halt import CREDENTIAL, Fault
from core.domain.session.menu import Menu, OpenMenus
from core.domain.session.reading import Elaboration
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.engine.faults.remedies import place_of
from core.engine.flow import cancel, navigation, pause_resume
from core.engine.kernel.situation import Transition
from core.engine.kernel.turn import Turn
from core.engine.prompts import rebuild
from core.taxonomy.catalogue import CATALOGUE, shown

BOUNDARIES: Final = frozenset({"ERR-SEC-001", "ERR-SEC-002"})
UNREADABLE: Final = "it cannot be read"
LOG_DELETED: Final = "the log of the database"
LOG_SAVED: Final = "it was deleted while the bot ran; what it held was saved"
PRESERVED: Final = ("state.json", "receipt.json", "environment.json")
IN_A_FORM: Final = (
    on.DifferenceGiven,
    on.DifferenceSettled,
    on.DeciderNamed,
    on.ChoiceMade,
    on.LinesSorted,
)


def secret_found(turn: Turn, event: on.SecretFound) -> None:
    """Somebody sent a credential: it was dropped at the door, and the run ends here."""
    session, sent = turn.session, event.said
    kinds = ", ".join(event.kinds)
    facts = {
        "secret_type": kinds,
        **place_of(event.where),
        "exposure_risk": "Everybody in the channel can read the message",
    }
    if isinstance(sent, IN_A_FORM):
        # It stood in a form that nobody else has seen: as with a title, nothing is taken in.
        menu = turn.situation.menu
        about = sent.step if isinstance(sent, on.LinesSorted) else menu.step if menu else None
        step = turn.state(about)
        turn.fault(CREDENTIAL, step=step, detail=f"{event.where}: {kinds}", facts=facts, show=False)
        turn.say_back(fx.Reply("secret-sentence"))
        return
    if session.status in ENDED:
        if session.status == "halted":
            turn.halt = turn.halt.credential_found(_answer_held(turn, sent))
        turn.fault(
            CREDENTIAL,
            step=turn.state(session.course.step),
            thread=_thread(turn),
            detail=f"{event.where}: {kinds}",
            facts=facts,
            show=session.status != "halted",
        )
        turn.say_back(fx.Reply("halted-now", {"what": kinds}))
        return
    held, answer = _answer_held(turn, sent), turn.situation.answer
    if isinstance(sent, on.MessageEdited) and answer is not None:
        turn.record(fx.AnswerSaved(replace(answer, withdrawn=True, revision=answer.revision + 1)))
    halt(turn, CREDENTIAL, detail=f"{event.where}: {kinds}", facts=facts, held=held)
    turn.say_back(fx.Reply("halted-now", {"what": kinds}))


def damage_in(session: Session, at: float, *, log_was_deleted: bool) -> on.DamageFound | None:
    """What is wrong with a session as it was loaded. One that has ended is left as it is.

    `log_was_deleted`: the database's log was, while the bot ran: whoever comes first is halted.
    """
    if session.status in ENDED:
        return None
    if is_unreadable(session):
        return on.DamageFound(at, "ERR-DATA-001", session.damage.partition(":")[0], UNREADABLE)
    rule = broken(session)
    if rule:
        return on.DamageFound(at, "ERR-DATA-002", rule)
    return on.DamageFound(at, "ERR-DATA-001", LOG_DELETED, LOG_SAVED) if log_was_deleted else None


def is_unreadable(session: Session) -> bool:
    """True for one that goes on, of which a row cannot be read: nothing more is done for it."""
    return bool(session.damage) and session.status not in ENDED


def is_left_alone(session: Session) -> bool:
    """True for a session that is over and cannot be read: saving it would destroy what is left."""
    return bool(session.damage) and session.status in ENDED and session.status != "halted"


def left_alone(session: Session, event: on.Event) -> Transition:
    """What comes of any event to such a session: a record, and a word to its person."""
    fault = Fault(
        FaultId(f"damage:{session.id}:{session.version}"),
        "ERR-DATA-001",
        shown("ERR-DATA-001"),
        False,
        event.at,
        detail=session.damage.partition(":")[0],
        run=session.run,
    )
    reply = fx.Reply("damaged") if isinstance(event, on.FromPeople) else None
    return Transition(None, (fx.FaultRecorded(fault),), reply=reply)


def damage_found(turn: Turn, event: on.DamageFound) -> None:
    turn.course = turn.course.repaired()
    if turn.session.status in ENDED:
        # Shown only where it can be: what is damaged may be what showing it would need.
        shows = turn.session.status != "halted" and event.code in BOUNDARIES
        if turn.session.status == "halted" and event.code == CREDENTIAL:
            turn.halt = turn.halt.credential_found()
        turn.fault(
            event.code, thread=_thread(turn), detail=event.detail, type=event.what, show=shows
        )
        turn.say_back(fx.Reply("damaged"))
        return
    detail = f"{event.what}: {event.detail}"
    if event.code == CREDENTIAL:
        _credential_found(turn, event, detail)
        return
    facts = {"affected_resources": (event.what,), "location": event.what}
    halt(turn, event.code, detail=detail, facts=facts)
    turn.say_back(fx.Reply("halted-now"))


def _credential_found(turn: Turn, event: on.DamageFound, detail: str) -> None:
    """In what is ours: a file, a draft, the log. Where the owner knows of it, it is counted."""
    facts = {
        "affected_resources": (event.what,),
        "secret_type": event.detail,
        **place_of(event.what),
        "exposure_risk": "It would be written into a file",
    }
    if event.what in turn.halt.redacted:
        turn.fault(CREDENTIAL, detail=detail, facts=facts, show=False)
    else:
        halt(turn, CREDENTIAL, detail=detail, facts=facts, where=event.what)


def halt(
    turn: Turn,
    code: str,
    *,
    detail: str = "",
    facts: Mapping[str, Any] | None = None,
    held: tuple[Answer, ...] = (),
    where: str = "",
) -> None:
    """End the run: record, keep, tell; the menu says what can be done about it."""
    session, course, number = turn.session, turn.course, turn.halt.count + 1
    state = turn.state(course.step)
    thread = _thread(turn)
    path = f"_forensics/{session.team}/{session.slug}/fatal-{number:03d}"
    fault = FaultId(turn.fresh("fault"))
    first = "redact" if code == CREDENTIAL else "check"
    menus = turn.menus
    turn.reading = turn.reading.stopped()
    turn.close_menus()
    turn.cancel_timers()
    menu = turn.open_menu("fatal", (first, "cancel"), None, fault)
    turn.fault(
        code,
        step=state,
        detail=detail,
        in_menu=True,
        known_as=fault,
        facts={
            "halted_at": f"{course.phase}/{course.step}" if course.step else session.status,
            "halt_reason": CATALOGUE[code].title,
            "forensics_path": path,
            "artifacts_preserved": PRESERVED,
            "remediation_steps": CATALOGUE[code].remedies,
            "affected_resources": (session.slug,),
            "notification_id": menu,
            **(facts or {}),
        },
    )
    turn.halt = turn.halt.raised(code, held=held, place=where)
    turn.elaboration = Elaboration()
    turn.status = "halted"
    _take_buttons_away(turn, state, menus)
    turn.do(fx.PreserveState(fault, number), fx.ShowRecovery(menu, thread), fx.PaintCard())


def preserved(turn: Turn, event: on.StatePreserved) -> None:
    """What is known is kept, or it is known why not: now the operators hear of it."""
    if not event.path:
        words = {"artifact_name": "the forensic folder"}
        turn.fault("ERR-ART-002", words=words, show=False, detail=event.detail)
    turn.do(fx.TellOperators(event.fault, is_state_preserved=bool(event.path)))


def _take_buttons_away(turn: Turn, state: StepState | None, menus: OpenMenus) -> None:
    if state is None or turn.course.phase is None or not state.prompt.revision:
        return
    if menus.current is not None:
        turn.do(navigation.show_current_message(turn, state, menus))
    turn.do(fx.PaintPrompt(state.id))


def _thread(turn: Turn) -> PersonaKey | None:
    """Where it happened, or where the session stands; the card's thread before there is one."""
    if turn.situation.thread is not None:
        return turn.situation.thread
    return navigation.thread(turn)


def _answer_held(turn: Turn, sent: object) -> tuple[Answer, ...]:
    """What is left of the message, as the answer it would have been; nothing where it is none.

    Its id is its own: whoever follows the advice to delete the message does not withdraw it.
    """
    original = turn.situation.answer
    if isinstance(sent, on.MessageEdited) and original is not None:
        return (replace(original, id=_redacted_id(original.id), text=sent.text, revision=1),)
    prompted_step = turn.situation.prompted_step
    if not isinstance(sent, on.MessagePosted) or prompted_step is None:
        return ()
    answer = sent.answer_to(prompted_step.id)
    return (replace(answer, id=_redacted_id(answer.id), edited_ts=None),)


def _redacted_id(answer_id: str) -> AnswerId:
    return AnswerId(f"redacted:{answer_id}")


# ── what the owner chooses ─────────────────────────────────────────────────────────────────────


def chosen(turn: Turn, menu: Menu, event: on.ChoiceMade) -> None:
    """Redact and resume, check and resume, or cancel: for the owner or an admin."""
    if turn.refuses(event.by, event.admin):
        return
    turn.end_menu(menu.id, event.by, event.choice)
    turn.do(fx.ShowRecovery(menu.id, _thread(turn)))
    if event.choice == "cancel":
        turn.halt = turn.halt.held_dropped()
        turn.damage = ""
        cancel.cancel(turn, event.by, event.admin)
    else:
        _go_on(turn)


def _go_on(turn: Turn) -> None:
    """A new run from the last clean commit, with what is left of the message."""
    session = turn.session
    held = turn.halt.held
    turn.halt = turn.halt.lifted()
    turn.run, turn.damage = RunId(turn.fresh("run")), ""
    for answer in held:
        _save_held(turn, answer)
    if session.course.phase is None:
        turn.status = "starting"
        turn.do(fx.OpenFlow())
        return
    turn.status = "paused"
    turn.do(fx.WriteFolder(None))  # before anybody is asked to choose anything: is the folder well?
    pause_resume.resumed(turn)


def _save_held(turn: Turn, held: Answer) -> None:
    turn.record(fx.AnswerSaved(held))
    at_step = held.step == turn.course.step
    turn.people = turn.people.with_answer(held.by, at_step=at_step)
    turn.do(fx.Mark(turn.session.channel, held.ts, on=True))
    state = turn.state(held.step)
    if at_step:
        turn.reading = turn.reading.answers_came()
    elif state is not None:
        rebuild(turn, state, late_by=held.by)


def remind(turn: Turn) -> None:
    """`resume` on a halted session: the menu decides, not the command."""
    menu = turn.menus.recovery
    if menu is not None:
        turn.do(fx.ShowRecovery(menu, _thread(turn)))
    turn.say_back(fx.Reply("is-halted", {"title": turn.session.title}))
