"""A council: its members work side by side, round by round, until people are asked to decide.

What a member gives waits for the rest of its round and is delivered in declared order, so that
neither artifacts nor counts depend on who was faster. Only people move a council on from where it
asks them.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import PersonaKey
from core.domain.party import PartyPhase
from core.domain.session.council import Council, Seat
from core.domain.session.step import StepChoice, StepState
from core.engine import prompts
from core.engine.council import asking, questions
from core.engine.flow import navigation, rounds
from core.engine.flow import seats as seating
from core.engine.flow.rounds import CHANGED_AT, ROUNDS, Round
from core.engine.kernel.turn import Turn
from core.engine.model import voices

ALL_FAILED_CHOICES: Final = ("retry", "classic", "cancel")


def opened(turn: Turn, phase: PartyPhase) -> None:
    """The phase is open: its members come to the table, or go on where they were."""
    state = turn.course.steps[0]
    council = turn.council
    turn.course = turn.course.gone_to(state.id).resume_ended()
    if council is not None and council.phase == phase.key:
        _take_up(turn, council, state)
        return
    seats = tuple(Seat(member) for member in phase.members)
    record = turn.party.record(phase.key)
    # What a cancelled debate said keeps its rows and messages.
    contributions = record.contributions if record else 0
    turn.council = Council(phase.key, seats, phase.max_messages, contributions=contributions)
    turn.people = turn.people.asked_anew()
    turn.status, turn.course = "debating", turn.course.thread_entered(phase.members[0])
    navigation.open_threads(turn, phase.members)
    seating.save_record(turn, seating.record(turn).begun(turn.now))
    turn.do(fx.Say("council-opens", None, {"phase": phase.label}), fx.PaintCard(), fx.WriteState())
    next_round(turn)


def _take_up(turn: Turn, council: Council, state: StepState) -> None:
    """After a pause: whoever was asked is asked again; people are shown what they were asked."""
    phase = seating.phase_of(turn, council.phase)
    assert phase is not None
    navigation.open_threads(turn, phase.members)
    if council.is_waiting:
        turn.status = "debating"
        for seat in council.seats:
            if seat.state == "asked":
                asking.ask(turn, seat, seat.neighbour)
        turn.do(fx.PaintCard())
        return
    if council.merging is not None:
        turn.council, turn.status = council.merging_begun(None), "debating"
        questions.merge(turn)
        return
    turn.status = "asking"
    if state.status == "completed":
        prompts.offer_menu(turn, state, anew=True)
    else:
        questions.pose(turn, state)
    if turn.reading.has_unread:
        take_changes(turn, state)


def next_round(turn: Turn) -> None:
    council, _ = seating.current_council(turn)
    turn.council, turn.status = council.at_round(council.round + 1), "debating"
    begin_round(turn)


def begin_round(turn: Turn) -> None:
    council, phase = seating.current_council(turn)
    if council.round >= len(ROUNDS[phase.protocol]):
        _conclude(turn)
        return
    row = seating.current_round(council, phase)
    turn.council = council.renewed()
    if council.round >= CHANGED_AT[phase.protocol]:  # its turns are made of all that was said
        turn.reading = turn.reading.dropped()
    council, phase = seating.current_council(turn)
    called = rounds.called_members(row, council, _asked_of(turn))
    for seat, neighbour in called:
        asking.ask(turn, seat, neighbour)
    turn.do(fx.PaintCard())
    if not called:
        next_round(turn)


def _asked_of(turn: Turn) -> dict[PersonaKey, PersonaKey]:
    """Who was put a question in this phase, and by whom; the first who asked is answered."""
    council = turn.council
    assert council is not None
    pairs = [
        (seat.neighbour, seat.persona)
        for seat in council.seats
        if seat.neighbour is not None and seat.state == "free"
    ]
    return dict(reversed(pairs))


def consulted(turn: Turn, event: on.Consulted) -> None:
    voices.used(turn, event)
    seat = seating.seat_of_task(turn, event.task)
    if seat is None:
        return  # after its deadline, a cancel or a fall back: recorded, ignored
    turn.record(fx.TimerCancelled(f"deadline:{seat.persona}"))
    seating.take_seat(turn, seat.answered(event.contribution))
    _begin_again(turn)
    deliver_if_complete(turn)


def _begin_again(turn: Turn) -> None:
    """A phase that was retried is in progress once one of its members answers (E-005)."""
    council, _ = seating.current_council(turn)
    record = turn.party.record(council.phase)
    if record is not None and record.status == "pending":
        seating.save_record(turn, seating.record(turn).begun(turn.now))
        turn.do(fx.WriteState())


def deliver_if_complete(turn: Turn) -> None:
    council, phase = seating.current_council(turn)
    if council.is_waiting:
        return
    if not council.present:
        _all_failed(turn)
        return
    row = seating.current_round(council, phase)
    if row.who == "first" and all(seat.contribution is None for seat in council.seats):
        begin_round(turn)  # whoever had the role is gone: the next in declared order takes it
        return
    if row.want != "questions" and not council.questions and _ask_people(turn):
        return
    again = [seat for seat in council.seats if _deliver(turn, row, seat)]
    if again and not turn.council.limited:  # type: ignore[union-attr]
        _give_the_floor(turn, again)
        return
    council, phase = seating.current_council(turn)
    if council.limited and council.round < rounds.final_round(phase.protocol):
        turn.council = council.at_round(rounds.final_round(phase.protocol))
        begin_round(turn)
    elif row.want == "questions":
        questions.merge(turn)
    else:
        next_round(turn)


def _ask_people(turn: Turn) -> bool:
    """Pose what members cannot do their part without, once a phase; then the round begins again."""
    council, phase = seating.current_council(turn)
    contributions = [seat.contribution for seat in council.seats if seat.contribution]
    asking = [contribution for contribution in contributions if contribution.questions]
    for contribution in asking:
        council, _ = seating.current_council(turn)
        turn.record(fx.ContributionKept(phase.key, council.contributions, contribution))
        turn.council = council.delivered(counts=False)
    if asking:
        for seat in seating.current_council(turn)[0].present:
            seating.take_seat(turn, seat.delivered(None))
        questions.merge(turn)
    return bool(asking)


def _deliver(turn: Turn, row: Round, seat: Seat) -> bool:
    """Let everybody hear it. True: the persona wishes to say more."""
    council, phase = seating.current_council(turn)
    contribution = seat.contribution
    if seat.state != "answered" or contribution is None:
        return False
    seating.take_seat(
        turn, seat.delivered(contribution.to if row.want == "cross-question" else None)
    )
    if not contribution.text and not contribution.claims and not contribution.questions:
        return False
    council, _ = seating.current_council(turn)
    counts = row.counted and not council.revising
    if counts and council.messages >= council.max_messages:
        _limit(turn)
        return False
    turn.record(fx.ContributionKept(phase.key, council.contributions, contribution))
    if contribution.text and row.want != "questions":
        thread = seat.persona if row.own_thread else None
        turn.do(fx.SayContribution(phase.key, council.contributions, thread))
    council = council.delivered(counts=counts)
    turn.council = council
    seating.save_record(turn, replace(seating.record(turn), messages=council.messages))
    return contribution.more and counts


def _give_the_floor(turn: Turn, seats: list[Seat]) -> None:
    """Whoever wishes to say more may, as long as there are messages left."""
    council, _ = seating.current_council(turn)
    if council.messages >= council.max_messages:
        _limit(turn)
        deliver_if_complete(turn)
        return
    for seat in seats:
        current_seat = next(
            candidate for candidate in council.seats if candidate.persona == seat.persona
        )
        asking.ask(turn, replace(current_seat, tries=0), seat.neighbour)


def _limit(turn: Turn) -> None:
    """E-006: the tenth was delivered; now everybody says where they stand."""
    council, _ = seating.current_council(turn)
    if council.limited:
        return
    turn.council = council.limit_reached()
    turn.fault("E-006", step=seating.step(turn), thread=None)


def _conclude(turn: Turn) -> None:
    """What the council came to goes into the artifacts; then people decide."""
    state = turn.save(replace(seating.step(turn), choice=StepChoice()))
    turn.status = "asking"
    turn.do(fx.WriteState())
    if not (turn.reading.has_unread and take_changes(turn, state)):
        prompts.begin_reading(turn, state)


def accepted(turn: Turn) -> None:
    """The phase is accepted: its members leave the table."""
    council = turn.council
    if council is None:
        return
    seating.save_record(turn, seating.record(turn).completed(turn.now))
    turn.council = None
    turn.do(fx.Say("farewell", None, {"phase": turn.course.current_phase.label}), fx.WriteState())


def _all_failed(turn: Turn) -> None:
    """E-005: nobody is left; the owner chooses."""
    _, phase = seating.current_council(turn)
    turn.cancel_timers()
    fault = turn.fault("E-005", step=seating.step(turn), in_menu=True,
                       words={"phase_name": phase.label})  # fmt: skip
    turn.end_menu(turn.menus.recovery)
    menu = turn.open_menu("all-failed", ALL_FAILED_CHOICES, seating.step(turn).id, fault.id)
    turn.do(fx.ShowRecovery(menu, None), fx.PaintCard())


# ── people move it on ──────────────────────────────────────────────────────────────────────────


def is_open_to_changes(turn: Turn) -> bool:
    """True if words of people set the council to work: they want changes, or may still accept.

    The vision council's file is made of the answers themselves; its debate adds nothing to it.
    """
    council = turn.council
    if council is None or council.changes:
        return council is not None
    _, phase = seating.current_council(turn)
    return phase.protocol != "question-broadcast-debate" and seating.is_finished(turn)


def take_changes(turn: Turn, state: StepState) -> bool:
    """People's words on what a council came to. False: they are read as any answer is."""
    if not is_open_to_changes(turn):
        return False
    council, phase = seating.current_council(turn)
    if turn.menus.on_summary:  # nobody accepts what is being revised
        turn.end_menu(turn.menus.current)
        turn.do(navigation.show_current_message(turn, state))
        turn.menus = turn.menus.moved(to_summary=False)
    turn.reading = turn.reading.dropped()
    turn.council = council.revised_at(CHANGED_AT[phase.protocol])
    if phase.protocol == "question-broadcast-debate":
        prompts.begin_reading(turn, state)
        return True
    turn.status = "debating"
    begin_round(turn)
    return True


def go_on(turn: Turn) -> None:
    """People said what they had to say: the members take it from there."""
    council, phase = seating.current_council(turn)
    row = seating.current_round(council, phase)
    turn.council = council.changes_dropped()
    if row.people_next:
        next_round(turn)
    else:
        turn.status = "debating"
        begin_round(turn)


def want_changes(turn: Turn) -> None:
    council, _ = seating.current_council(turn)
    turn.menus = turn.menus.moved(to_summary=False)
    turn.council = council.changes_wanted()
    questions.pose(turn, seating.step(turn))
