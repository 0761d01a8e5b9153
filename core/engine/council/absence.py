"""Whoever cannot be launched, says nothing, errs or cannot be written down (seed 001).

E-002 at once, E-003 after one prompt, E-004 after one retry: then the council goes on without that
persona. When nobody is left, the owner chooses (E-005).
"""

from dataclasses import replace
from typing import Final, Literal

from core.domain import effects as fx
from core.domain import events as on
from core.domain.party.contributions import OUTPUT_NAMES
from core.domain.session.council import Council, Seat
from core.engine.council import asking
from core.engine.council import debate as debating
from core.engine.council.asking import TOO_LATE
from core.engine.flow import seats as seating
from core.engine.kernel.turn import Turn
from core.engine.model import voices
from core.taxonomy.catalogue import logged, told_to_agents

TRIES_MAX: Final = 2  # of one contribution: asked, and prompted once
WRITES_MAX: Final = 2  # of an artifact: by its persona, and once more by Roundtable


def model_failed(turn: Turn, event: on.ModelFailed) -> None:
    """A request for a member's turn failed: another one within its time, or it is missing."""
    seat = seating.seat_of_task(turn, event.task)
    speech = event.speech
    if seat is None or seat.call is None or turn.status != "debating":
        return
    if turn.model.script_only or event.config in voices.OUR_LIMITS:
        assert isinstance(speech, fx.Consult), speech
        asking.ask_script(turn, seat, speech)
        return
    following = voices.after(turn, seat.call, event)
    if following is None:
        failed(turn, on.ConsultFailed(event.at, event.task, _why(event), event.detail), event.flaws)
    elif event.at + following.wait_s >= seat.due:
        failed(turn, on.ConsultFailed(event.at, event.task, "silent", TOO_LATE))
    else:
        asking.ask_again(turn, seat, event, following)


def _why(event: on.ModelFailed) -> Literal["refused", "silent", "invalid"]:
    if voices.is_of_transport(event):
        return "refused"  # no provider is left
    return "silent" if event.is_empty else "invalid"


def failed(turn: Turn, event: on.ConsultFailed, flaws: tuple[str, ...] = ()) -> None:
    """E-002 at once, E-003 after one prompt, E-004 after one retry: then without that persona."""
    seat = seating.seat_of_task(turn, event.task)
    if seat is None:
        return
    _, phase = seating.current_council(turn)
    turn.record(fx.TimerCancelled(f"deadline:{seat.persona}"))
    if event.why == "refused":
        _leave(turn, seat)
        remaining = len(seating.current_council(turn)[0].present)
        name = seating.name(turn, seat.persona)
        turn.fault(
            "E-002",
            step=seating.step(turn),
            persona=seat.persona,
            detail=f"{logged('E-002', PersonaName=name)} {event.detail}".strip(),
            show=remaining > 0,  # E-005 says it of all of them
            words={"remaining_count": str(remaining), "phase_name": phase.label},
            facts={"error": event.detail},
        )
        debating.deliver_if_complete(turn)
        return
    if seat.tries < TRIES_MAX:
        _prompt(turn, seat, event, flaws)
        return
    _degrade(turn, seat, event)
    debating.deliver_if_complete(turn)


def deadline_passed(turn: Turn, event: on.DeadlinePassed) -> None:
    failed(turn, on.ConsultFailed(event.at, event.task, "silent", TOO_LATE))


def _prompt(turn: Turn, seat: Seat, event: on.ConsultFailed, flaws: tuple[str, ...]) -> None:
    """Once more, with words to the persona alone."""
    council, phase = seating.current_council(turn)
    want = seating.current_round(council, phase).want
    code = "E-003" if event.why == "silent" else "E-004"
    prompt = told_to_agents("E-003", expected_output_type=OUTPUT_NAMES.get(want, want))
    turn.fault(
        code,
        step=seating.step(turn),
        persona=seat.persona,
        detail=f"{event.why}: {event.detail}",
        show=False,
        routing="RETRY",
        words={"PersonaName": seating.name(turn, seat.persona)},
        facts={"attempt": seat.tries, "will_retry": True, "error": event.detail},
    )
    asking.ask(turn, seat, seat.neighbour, prompt, flaws)


def _degrade(turn: Turn, seat: Seat, event: on.ConsultFailed) -> None:
    _leave(turn, seat)
    alone = not seating.current_council(turn)[0].present
    turn.fault(
        "E-004",
        step=seating.step(turn),
        thread=None,
        persona=seat.persona,
        detail=f"{event.why}: {event.detail}",
        routing="CONTINUE",
        show=not alone,  # E-005 says it of all of them
        words={"PersonaName": seating.name(turn, seat.persona)},
        facts={"attempt": seat.tries, "will_retry": False, "error": event.detail},
    )


def _leave(turn: Turn, seat: Seat) -> None:
    seating.take_seat(turn, seat.left())
    seating.save_record(turn, seating.record(turn))
    turn.do(fx.PaintCard(), fx.WriteState())


def retry_phase(turn: Turn) -> None:
    """All members once more, with fresh prompts (E-005, Retry phase)."""
    council, phase = seating.current_council(turn)
    seats = tuple(Seat(seat.persona) for seat in council.seats)
    again = Council(phase.key, seats, phase.max_messages, contributions=council.contributions)
    turn.council, turn.status = again, "debating"
    # Pending, as seed 001 says: in progress again with the first member that answers.
    seating.save_record(turn, seating.record(turn).reopened())
    turn.do(fx.WriteState())
    debating.next_round(turn)


def unwritten(turn: Turn, faults: tuple[on.FileFault, ...]) -> tuple[on.FileFault, ...]:
    """E-007: an artifact of a council that cannot be written is tried once more, then noted.

    Returns what is not a council's own.
    """
    council = turn.council
    details = {fault.artifact: fault.detail for fault in faults if fault.code == "ERR-ART-002"}
    lost = tuple(details)
    if council is None:
        return faults
    if not lost:
        _note_unwritten(turn, ())
        return faults
    others = tuple(fault for fault in faults if fault.code != "ERR-ART-002")
    if council.writes == 0:
        turn.council = council.write_repeated()
        turn.do(fx.WriteFolder(seating.step(turn).id))
        return others
    turn.council = council.written()
    _note_unwritten(turn, lost)
    for name in lost:
        facts = {"attempt": WRITES_MAX, "will_retry": False, "input_source": name,
                 "error": details[name]}  # fmt: skip
        turn.fault("E-007", step=seating.step(turn), show=False, detail=name, facts=facts)
    return others


def _note_unwritten(turn: Turn, names: tuple[str, ...]) -> None:
    """Keep which artifacts are no files, for the summary and state.json, where that changed."""
    council = turn.council
    record = turn.party.record(council.phase) if council else None
    if record is not None and record.unwritten != names:
        seating.save_record(turn, replace(seating.record(turn), unwritten=names))
        turn.do(fx.WriteState())
