"""Several errors at once are answered by one decision, and none of them vanishes."""

from collections import Counter
from dataclasses import FrozenInstanceError, fields, replace
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.taxonomy.aggregation import DECISIONS, SEVERITIES, Raised, aggregate
from core.taxonomy.catalogue import Handling, Routing, Severity
from core.taxonomy.handling import PRECEDENCE, ROUTES

LIMIT = Raised(type="rate_limit", handling="transient", routing="RETRY", delay_s=4)
INVALID = Raised(type="validation_error", handling="permanent", routing="BLOCKED")
FLAKY = Raised(
    type="flaky_test", handling="retriable", routing="RETRY", delay_s=0, signature="login"
)
SECRET = Raised(type="secrets_exposure", handling="fatal", routing="TERMINATE", at=2)


def raised(handling: Handling, routing: Routing, severity: Severity, **more: float) -> Raised:
    return Raised(type="it", handling=handling, routing=routing, severity=severity, **more)  # type: ignore[arg-type]


def test_the_mixed_example_of_the_taxonomy_comes_out_to_the_letter() -> None:
    answer = aggregate([LIMIT, INVALID, FLAKY])
    assert answer is not None
    assert answer.winning == "permanent"
    assert answer.decision == "BLOCKED"
    assert answer.reason == "Validation error cannot be retried"
    assert [(one.error.handling, one.note) for one in answer.suppressed] == [
        ("transient", "Would retry, but permanent blocks"),
        ("retriable", "Would retry, but permanent blocks"),
    ]


def test_no_errors_need_no_answer() -> None:
    assert aggregate([]) is None


def test_the_earliest_fatal_halts_everything() -> None:
    earlier = Raised(type="corrupted", handling="fatal", routing="TERMINATE", at=1)
    answer = aggregate([INVALID, SECRET, earlier])
    assert answer is not None
    assert (answer.decision, answer.reason) == ("TERMINATE", "FATAL: corrupted")
    assert answer.reported == (earlier,)
    assert [one.note for one in answer.suppressed] == [
        "Would be reported, but fatal halts",
        "Would halt, but an earlier one did",
    ]


def test_all_permanent_ones_are_reported_and_the_gravest_decides() -> None:
    mild = raised("permanent", "ESCALATE", "WARNING")
    grave = raised("permanent", "UNVERIFIED", "ERROR")
    also = raised("permanent", "DETOUR", "ERROR")
    answer = aggregate([mild, grave, also])
    assert answer is not None
    assert (answer.decision, answer.severity) == ("DETOUR", "ERROR")
    assert Counter(answer.reported) == Counter([mild, grave, also])
    assert answer.suppressed == ()


def test_retriable_ones_are_tried_again_if_any_might_pass() -> None:
    spent = Raised(type="lint", handling="retriable", routing="CONTINUE", signature="style")
    answer = aggregate([spent, FLAKY, LIMIT])
    assert answer is not None
    assert (answer.decision, answer.delay_s) == ("RETRY", 0)
    assert answer.signatures == ("login", "style")
    assert [one.note for one in answer.suppressed] == ["Would retry, but retriable goes first"]
    given_up = aggregate([spent])
    assert given_up is not None
    assert (given_up.decision, given_up.delay_s) == ("CONTINUE", None)
    assert given_up.reason == "Lint came back too often"


def test_transient_ones_wait_once_for_the_longest() -> None:
    longer = Raised(type="timeout", handling="transient", routing="RETRY", delay_s=16)
    answer = aggregate([LIMIT, longer])
    assert answer is not None
    assert (answer.decision, answer.delay_s) == ("RETRY", 16)
    spent = Raised(type="timeout", handling="transient", routing="ESCALATE")
    in_vain = aggregate([LIMIT, spent])
    assert in_vain is not None
    assert (in_vain.decision, in_vain.delay_s) == ("ESCALATE", None)


def test_what_is_said_names_each_kind_once_and_what_waiting_came_to() -> None:
    missing = Raised(type="missing_file", handling="permanent", routing="UNVERIFIED", at=1)
    cannot = aggregate([INVALID, missing, replace(INVALID, at=2)])
    assert cannot is not None
    assert cannot.reason == "Validation error, missing file cannot be retried"
    waiting = aggregate([LIMIT])
    assert waiting is not None
    assert waiting.reason == "Rate limit should pass by waiting"
    in_vain = aggregate([replace(LIMIT, routing="ESCALATE", delay_s=None)])
    assert in_vain is not None
    assert in_vain.reason == "Rate limit did not pass by waiting"
    again = aggregate([FLAKY])
    assert again is not None
    assert again.reason == "Flaky test might pass on another try"


@pytest.mark.parametrize(
    ("graver", "milder"), list(combinations(("FATAL", "ERROR", "WARNING", "INFO"), 2))
)
def test_the_highest_severity_is_the_one_of_the_whole(graver: Severity, milder: Severity) -> None:
    pair = [raised("permanent", "UNVERIFIED", severity) for severity in (milder, graver)]
    answer = aggregate(pair)
    assert answer is not None
    assert answer.severity == graver
    assert [one.severity for one in answer.reported] == [graver, milder]


@pytest.mark.parametrize(
    ("graver", "milder"),
    list(
        combinations(
            ("TERMINATE", "ESCALATE", "BLOCKED", "DETOUR", "UNVERIFIED", "CONTINUE", "RETRY"), 2
        )
    ),
)
def test_of_two_decisions_the_one_that_asks_most_of_people_is_taken(
    graver: Routing, milder: Routing
) -> None:
    answer = aggregate([raised("permanent", way, "ERROR") for way in (milder, graver)])
    assert answer is not None
    assert answer.decision == graver


def test_only_signatures_of_what_might_pass_are_tracked() -> None:
    ways: tuple[Handling, ...] = ("fatal", "permanent", "transient")
    for way in ways:
        alone = aggregate([replace(FLAKY, handling=way)])
        assert alone is not None
        assert alone.signatures == ()


def test_what_came_at_the_same_moment_is_reported_in_an_order_of_its_own() -> None:
    alike = [replace(LIMIT, delay_s=delay) for delay in (0, 1, 4, 16)]
    orders = {aggregate(order).reported for order in permutations(alike)}  # type: ignore[union-attr]
    assert orders == {tuple(alike)}


@pytest.mark.parametrize("higher", PRECEDENCE)
@pytest.mark.parametrize("lower", PRECEDENCE)
def test_of_two_classes_the_higher_one_wins(higher: Handling, lower: Handling) -> None:
    if PRECEDENCE.index(higher) < PRECEDENCE.index(lower):
        pair = [raised(way, ROUTES[way][0].gives, "ERROR") for way in (lower, higher)]
        answer = aggregate(pair)
        assert answer is not None
        assert answer.winning == higher
        assert len(answer.suppressed) == 1


def test_an_answer_cannot_be_changed() -> None:
    answer = aggregate([LIMIT, INVALID])
    assert answer is not None
    for value in (answer, answer.suppressed[0], LIMIT):
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, None)
        assert not hasattr(value, "__dict__")


@st.composite
def errors(draw: st.DrawFn) -> Raised:
    way = draw(st.sampled_from(PRECEDENCE))
    routing = draw(st.sampled_from([row.gives for row in ROUTES[way]]))
    return Raised(
        type=draw(st.sampled_from(["a", "b"])),
        handling=way,
        routing=routing,
        severity=draw(st.sampled_from(SEVERITIES)),
        at=draw(st.integers(0, 3)),
        delay_s=draw(st.integers(0, 60)) if routing == "RETRY" else None,
        signature=draw(st.sampled_from(["", "x"])),
    )


@given(st.lists(errors(), min_size=1, max_size=8), st.randoms())
def test_the_answer_does_not_depend_on_the_order(several: list[Raised], random: object) -> None:
    mixed = list(several)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    one, other = aggregate(several), aggregate(mixed)
    assert one is not None
    assert other is not None
    assert (one.winning, one.decision, one.reason) == (other.winning, other.decision, other.reason)
    assert (one.reported, one.delay_s) == (other.reported, other.delay_s)
    assert Counter(one.suppressed) == Counter(other.suppressed)


@given(st.lists(errors(), min_size=1, max_size=8))
def test_nothing_vanishes_and_the_earliest_fatal_wins(several: list[Raised]) -> None:
    answer = aggregate(several)
    assert answer is not None
    there = [*answer.reported, *(one.error for one in answer.suppressed)]
    assert Counter(there) == Counter(several)
    assert all(one.note for one in answer.suppressed)
    fatal = [one.at for one in several if one.handling == "fatal"]
    if fatal:
        assert [one.at for one in answer.reported] == [min(fatal)]
    assert set(DECISIONS) >= {answer.decision}
