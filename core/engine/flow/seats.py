"""The party's people: its team as a whole, and the seats at the table of a council.

The team comes before everything else of a party and goes after everything else.
"""

from dataclasses import replace
from typing import Final

from core.domain import effects as fx
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party import Party, PartyPhase
from core.domain.session.council import Council, CouncilRecord, Seat
from core.domain.session.step import StepState
from core.domain.steps.playbook import BUILT_IN, Step
from core.engine.flow import rounds
from core.engine.flow.rounds import ROUNDS, Round
from core.engine.kernel.turn import Turn

STAND_IN: Final = BUILT_IN[0]


def phase_of(turn: Turn, key: PhaseKey | None) -> PartyPhase | None:
    """The council that a phase is, if it is one."""
    party = turn.situation.party
    if turn.session.mode != "party" or not isinstance(party, Party):
        return None
    phase = next((candidate for candidate in party.phases if candidate.key == key), None)
    return phase if phase and rounds.is_parallel(phase.protocol) else None


def sits_in(turn: Turn, key: PhaseKey, persona: PersonaKey) -> bool:
    """True if a persona is a member of that phase of the party."""
    party = turn.situation.party
    phases = party.phases if isinstance(party, Party) else ()
    return any(phase.key == key and persona in phase.members for phase in phases)


def current_council(turn: Turn) -> tuple[Council, PartyPhase]:
    council = turn.council
    assert council is not None, "a council is under way"
    phase = phase_of(turn, council.phase)
    assert phase is not None, council.phase
    return council, phase


def current_round(council: Council, phase: PartyPhase) -> Round:
    return ROUNDS[phase.protocol][council.round]


def step(turn: Turn) -> StepState:
    """The one step of a council: what people say belongs to it."""
    state = turn.state(turn.course.step) or turn.course.steps[0]
    assert state is not None
    return state


def take_seat(turn: Turn, seat: Seat) -> None:
    council, _ = current_council(turn)
    turn.council = council.seated(seat)


def seat_of_task(turn: Turn, task: str) -> Seat | None:
    council = turn.council
    seats = council.seats if council else ()
    return next((seat for seat in seats if seat.task == task), None)


def record(turn: Turn) -> CouncilRecord:
    """The record of the phase under way, with those who are active now."""
    council, _ = current_council(turn)
    return replace(
        turn.party.record(council.phase) or CouncilRecord(council.phase),
        agents=tuple(name(turn, seat.persona) for seat in council.present),
        unavailable=tuple(
            name(turn, seat.persona) for seat in council.seats if seat.state == "away"
        ),
    )


def save_record(turn: Turn, record: CouncilRecord) -> None:
    """Keep what state.json says of the phase."""
    turn.party = turn.party.recorded(record)


def name(turn: Turn, key: PersonaKey) -> str:
    return turn.playbook.persona(key).name


def show_recommendation(turn: Turn, *, anew: bool = False) -> None:
    """The recommendation with its menu, in the card's thread."""
    turn.do(fx.ShowPhase(turn.course.current_phase.key, None, anew), fx.PaintCard())


def is_finished(turn: Turn) -> bool:
    council, phase = current_council(turn)
    return council.round >= len(ROUNDS[phase.protocol])


def menu_choices(turn: Turn) -> tuple[str, ...] | None:
    """The menu of a council's step; None where there is no council."""
    council = turn.council
    if council is None or council.phase != turn.course.phase:
        return None
    return ("accept", "changes") if is_finished(turn) else ("continue",)


def asker_of(turn: Turn, step: Step) -> PersonaKey:
    """Who asks a step: the persona it names, or who stands in where nobody is that."""
    session, roster = turn.session, turn.roster
    if not roster.has_stand_in or step.persona not in roster.leaderless:
        return step.persona
    return session.course.current_phase.persona if session.flow == "inception" else STAND_IN.key


def phase_entered(turn: Turn, key: PhaseKey) -> None:
    """A phase begins: whoever sits in it is active."""
    party, record = turn.situation.party, turn.party.record(key)
    if not turn.party.is_seated or party is None:
        return
    if record is None or record.status == "in_progress":
        return
    members = party.members_of(key) if any(phase.key == key for phase in party.phases) else ()
    names = tuple(member.persona.name for member in members)
    save_record(turn, record.begun(turn.now, names))
    turn.do(fx.WriteState())


def phase_left(turn: Turn, key: PhaseKey, *, failed: bool) -> None:
    record = turn.party.record(key)
    if not turn.party.is_seated or record is None or record.status == "completed":
        return
    # A phase that failed is open for resume.
    save_record(turn, record.failed() if failed else record.completed(turn.now))
    turn.do(fx.WriteState())


def team_finished(turn: Turn) -> None:
    """The last phase is done: the critical write, then the team goes."""
    if turn.party.is_seated:
        # One write, not two: the one that must not fail says what the other would.
        turn.effects = [effect for effect in turn.effects if effect != fx.WriteState()]
        turn.do(fx.Say("goodbye", None), fx.WriteState(final=True), fx.DeleteTeam())
        turn.party = turn.party.finished()


def team_cancelled(turn: Turn, *, cleared: bool = False) -> None:
    """The team goes. `cleared`: with all that `state.json` says of it."""
    if turn.party.is_seated:
        turn.party = turn.party.cancelled()
        turn.do(fx.WriteState(cleared=cleared), fx.DeleteTeam())
