"""The party's team: it comes before everything else of a party and goes after everything else."""

from core.domain import effects as fx
from core.domain.ids import PhaseKey
from core.domain.session import CouncilRecord
from core.engine.kernel.turn import Turn


def entered(turn: Turn, key: PhaseKey) -> None:
    """A phase begins: whoever sits in it is active."""
    party, record = turn.situation.party, turn.party.record(key)
    if not turn.party.is_seated or party is None:
        return
    if record is None or record.status == "in_progress":
        return
    members = party.members_of(key) if any(phase.key == key for phase in party.phases) else ()
    names = tuple(member.persona.name for member in members)
    _note(turn, record.begun(turn.now, names))


def left(turn: Turn, key: PhaseKey, *, failed: bool) -> None:
    record = turn.party.record(key)
    if not turn.party.is_seated or record is None or record.status == "completed":
        return
    # A phase that failed is open for resume.
    _note(turn, record.failed() if failed else record.completed(turn.now))


def _note(turn: Turn, record: CouncilRecord) -> None:
    turn.party = turn.party.recorded(record)
    turn.do(fx.WriteState())


def finished(turn: Turn) -> None:
    """The last phase is done: the critical write, then the team goes."""
    if turn.party.is_seated:
        # One write, not two: the one that must not fail says what the other would.
        turn.effects = [effect for effect in turn.effects if effect != fx.WriteState()]
        turn.do(fx.Say("goodbye", None), fx.WriteState(final=True), fx.DeleteTeam())
        turn.party = turn.party.finished()


def cancelled(turn: Turn) -> None:
    if turn.party.is_seated:
        turn.party = turn.party.cancelled()
        turn.do(fx.WriteState(), fx.DeleteTeam())
