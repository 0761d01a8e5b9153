"""The turns of a council as tables: who is asked for what, in which order, and what is counted.

Counted are messages between personas, ten in a phase at most (seed 001, E-006). Questions to
people, final positions and retry prompts are not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from core.domain.ids import PersonaKey
from core.domain.party import Protocol
from core.domain.party.contributions import Want
from core.domain.session.council import Council, Seat

Who = Literal["all", "first", "others", "ring", "asked"]


@dataclass(frozen=True, slots=True)
class Round:
    want: Want
    who: Who
    counted: bool
    own_thread: bool = False  # said in the persona's own thread, not in the card's
    people_next: bool = False  # then people answer before the council goes on


ROUNDS: Final[Mapping[Protocol, tuple[Round, ...]]] = {
    "question-broadcast-debate": (
        Round("questions", "all", counted=False, people_next=True),
        Round("interpretation", "all", counted=True),
        Round("cross-question", "all", counted=True),
        Round("reply", "asked", counted=True),
        Round("position", "all", counted=False, own_thread=True),
    ),
    "propose-critique-converge": (
        Round("proposal", "first", counted=True),
        Round("critique", "others", counted=True),
        Round("revision", "first", counted=True),
        Round("vote", "all", counted=False, own_thread=True),
    ),
    "produce-cross-review-finalize": (
        Round("draft", "all", counted=False, own_thread=True),
        Round("review", "ring", counted=True),
        Round("final", "all", counted=False, own_thread=True),
    ),
}

# Where a council takes up what people want changed.
CHANGED_AT: Final[Mapping[Protocol, int]] = {
    "question-broadcast-debate": 4,
    "propose-critique-converge": 2,
    "produce-cross-review-finalize": 2,
}


def is_parallel(protocol: str) -> bool:
    return protocol in ROUNDS


def final_round(protocol: Protocol) -> int:
    """The round of final positions: what the message limit leads to."""
    return len(ROUNDS[protocol]) - 1


def called_members(
    row: Round, council: Council, askers: Mapping[PersonaKey, PersonaKey]
) -> tuple[tuple[Seat, PersonaKey | None], ...]:
    """Who is asked in a round, each with whom it is about; in declared order.

    When a role is missing the next in declared order takes it. `askers`: who was put a question,
    and by whom.
    """
    seats = council.present
    if not seats:
        return ()
    first = seats[0]
    match row.who:
        case "all":
            return tuple((seat, None) for seat in seats)
        case "first":
            return ((first, None),)
        case "others":
            return tuple((seat, first.persona) for seat in seats[1:])
        case "ring":
            if len(seats) < 2:
                return ()
            neighbours = (*seats[1:], first)
            pairs = zip(seats, neighbours, strict=True)
            return tuple((seat, neighbour.persona) for seat, neighbour in pairs)
        case "asked":
            return tuple((seat, askers[seat.persona]) for seat in seats if seat.persona in askers)
        case _:
            assert_never(row.who)
