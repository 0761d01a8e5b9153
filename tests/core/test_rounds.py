"""The turns of a council: who is asked in a round, and about whom."""

import pytest

from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party import Protocol
from core.domain.session.council import Council, Seat, SeatState
from core.engine.flow.rounds import ROUNDS, Round, Who, called_members, final_round, is_parallel

A, B, C = (PersonaKey(each) for each in "abc")


def council(*away: PersonaKey) -> Council:
    def state(key: PersonaKey) -> SeatState:
        return "away" if key in away else "free"

    return Council(PhaseKey("01-x"), tuple(Seat(each, state(each)) for each in (A, B, C)), 10)


def asked(
    who: Who, *away: PersonaKey, by: dict[PersonaKey, PersonaKey] | None = None
) -> list[tuple[PersonaKey, PersonaKey | None]]:
    found = called_members(Round("position", who, counted=False), council(*away), by or {})
    return [(seat.persona, about) for seat, about in found]


def test_all_are_asked_about_nobody_and_in_the_order_of_the_team() -> None:
    assert asked("all") == [(A, None), (B, None), (C, None)]
    assert asked("all", B) == [(A, None), (C, None)]


def test_whoever_comes_first_takes_the_role_of_one_who_is_away() -> None:
    assert asked("first") == [(A, None)]
    assert asked("first", A) == [(B, None)]


def test_the_others_speak_of_what_the_first_said() -> None:
    assert asked("others") == [(B, A), (C, A)]
    assert asked("others", A) == [(C, B)]
    assert asked("others", A, B) == []


def test_in_a_ring_each_reads_the_next_and_nobody_reads_their_own() -> None:
    assert asked("ring") == [(A, B), (B, C), (C, A)]
    assert asked("ring", B) == [(A, C), (C, A)]
    assert asked("ring", A, B) == []


def test_whoever_was_put_a_question_answers_the_one_who_put_it() -> None:
    assert asked("asked", by={C: A, B: C}) == [(B, C), (C, A)]
    assert asked("asked", B, by={B: C}) == []
    assert asked("asked") == []


@pytest.mark.parametrize("who", ["all", "first", "others", "ring", "asked"])
def test_at_an_empty_table_nobody_is_asked(who: Who) -> None:
    assert asked(who, A, B, C, by={A: B}) == []


@pytest.mark.parametrize(
    ("protocol", "want"),
    [
        ("question-broadcast-debate", "position"),
        ("propose-critique-converge", "vote"),
        ("produce-cross-review-finalize", "final"),
    ],
)
def test_a_limit_leads_to_where_everybody_says_where_they_stand(
    protocol: Protocol, want: str
) -> None:
    last = ROUNDS[protocol][final_round(protocol)]
    assert (last.want, last.who, last.counted, last.own_thread) == (want, "all", False, True)
    assert is_parallel(protocol)


def test_one_who_leads_alone_holds_no_council() -> None:
    assert not is_parallel("single-leader")
