"""The party's team: it comes before everything else of a party and goes after everything else."""

from dataclasses import replace

from core.domain.council import Council, CouncilRecord
from core.domain.effects import DeleteTeam, Say, WriteState
from core.domain.ids import PhaseKey
from core.engine.kernel.turn import Turn


def begin_records(turn: Turn) -> None:
    """Every phase is pending in state.json from the moment the team is there."""
    turn.set(
        seated=True,
        councils=tuple(CouncilRecord(phase.key) for phase in turn.session.phases),
    )


def entered(turn: Turn, key: PhaseKey) -> None:
    """A phase begins: whoever sits in it is active."""
    party = turn.situation.party
    if not turn.session.seated or party is None:
        return
    members = party.members_of(key) if any(each.key == key for each in party.phases) else ()
    known = next((each for each in turn.session.councils if each.phase == key), None)
    if known is None or known.status == "in_progress":
        return
    names = tuple(member.persona.name for member in members)
    _note(turn, replace(known, status="in_progress", agents=names, started_at=turn.now))


def left(turn: Turn, key: PhaseKey, *, failed: bool) -> None:
    known = next((each for each in turn.session.councils if each.phase == key), None)
    if not turn.session.seated or known is None or known.status == "completed":
        return
    status = "pending" if failed else "completed"  # a phase that failed is open for resume
    _note(turn, replace(known, status=status, completed_at=None if failed else turn.now))


def _note(turn: Turn, record: CouncilRecord) -> None:
    turn.set(
        councils=tuple(
            record if each.phase == record.phase else each for each in turn.session.councils
        )
    )
    turn.do(WriteState())


def finished(turn: Turn) -> None:
    """The last phase is done: the critical write, then the team goes."""
    if turn.session.seated:
        # One write, not two: the one that must not fail says what the other would.
        turn.effects = [effect for effect in turn.effects if effect != WriteState()]
        turn.do(Say("goodbye", None), WriteState(final=True), DeleteTeam())
        turn.set(seated=False)


def cancelled(turn: Turn) -> None:
    if not turn.session.seated:
        return
    turn.set(
        councils=tuple(_cancelled(each, turn.session.council) for each in turn.session.councils),
        council=None,
        seated=False,
    )
    turn.do(WriteState(), DeleteTeam())


def _cancelled(record: CouncilRecord, council: Council | None) -> CouncilRecord:
    if record.status == "completed":
        return record
    kept = council.kept if council and council.phase == record.phase else record.kept
    return replace(record, status="cancelled", kept=kept)
