"""Rate limits kept before a call: how many calls of a key fit into a window, and who waits."""

from core.ports import Limit
from core.runtime.pacing import KEYS_MAX, Pacing

UPDATES = Limit("T1 chat.update", 3, 60.0)


def test_calls_up_to_the_limit_go_at_once_and_the_next_waits_for_the_first_to_leave() -> None:
    pacing = Pacing()
    assert [pacing.take((UPDATES,), at) for at in (0.0, 10.0, 20.0)] == [None, None, None]
    assert pacing.take((UPDATES,), 30.0) == 60.0
    assert pacing.take((UPDATES,), 60.0) is None
    assert pacing.take((UPDATES,), 61.0) == 70.0


def test_no_window_ever_holds_more_calls_than_the_limit() -> None:
    pacing, now, made = Pacing(), 0.0, list[float]()
    for _ in range(500):
        free_at = pacing.take((UPDATES,), now)
        if free_at is None:
            made.append(now)
        now += 0.7
    for start in made:
        assert sum(start <= at < start + 60.0 for at in made) <= 3


def test_one_team_s_calls_are_not_another_s() -> None:
    pacing = Pacing()
    for _ in range(3):
        assert pacing.take((UPDATES,), 0.0) is None
    assert pacing.take((Limit("T2 chat.update", 3, 60.0),), 0.0) is None


def test_a_call_under_two_limits_waits_for_both_and_counts_under_neither_meanwhile() -> None:
    pacing, card = Pacing(), Limit("card s-1", 1, 4.0)
    assert pacing.take((UPDATES, card), 0.0) is None
    assert pacing.take((UPDATES, card), 1.0) == 4.0
    assert pacing.take((UPDATES,), 1.0) is None
    assert pacing.take((UPDATES,), 1.0) is None
    assert pacing.take((UPDATES, card), 5.0) == 60.0


def test_fewer_calls_of_the_same_key_leave_the_rest_to_others() -> None:
    pacing, card = Pacing(), Limit(UPDATES.key, 2, 60.0)
    assert pacing.take((card,), 0.0) is None
    assert pacing.take((card,), 0.0) is None
    assert pacing.take((card,), 0.0) == 60.0
    assert pacing.take((UPDATES,), 0.0) is None


def test_a_wait_that_slack_asks_for_holds_every_call_of_the_key() -> None:
    pacing = Pacing()
    pacing.hold(UPDATES.key, 30.0)
    pacing.hold(UPDATES.key, 12.0)  # an earlier one takes nothing back
    assert pacing.take((UPDATES,), 5.0) == 30.0
    assert pacing.take((Limit(UPDATES.key),), 5.0) == 30.0
    assert pacing.take((Limit("T1 reactions.add"),), 5.0) is None
    assert pacing.take((UPDATES,), 30.0) is None


def test_keys_that_rest_are_forgotten() -> None:
    pacing = Pacing()
    for number in range(KEYS_MAX + 10):
        pacing.take((Limit(f"card {number}", 1, 4.0),), float(number))
    assert len(pacing._calls) <= KEYS_MAX


def test_waits_that_are_over_are_forgotten_and_others_hold() -> None:
    pacing = Pacing()
    pacing.hold("the latest", 1e6)
    for number in range(KEYS_MAX + 10):
        pacing.hold(f"card {number}", number + 1.0)
        pacing.take((Limit("T1 reactions.add"),), float(number))
    assert len(pacing._held_until) <= KEYS_MAX
    assert pacing.held_until("the latest") == 1e6
