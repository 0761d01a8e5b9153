"""What comes after a request to a model that failed: the rows of product 6.3, one by one."""

from dataclasses import replace

import pytest

from core.domain import events as on
from core.domain.ids import StepId, TaskId
from core.domain.model_calls import ModelOffer, ProviderFault, Usage
from core.domain.session.model_reading import CALLS_MAX, ModelCall, ModelUse
from core.engine.model.tries import NextTry, first_call, next_try
from tests.support.model_calls import TWO

CALL = ModelCall(TaskId("t1"), "read_answers", "fast")
NOBODY_RESTS = ModelUse()


def failed(fault: ProviderFault, **more: object) -> on.ModelFailed:
    return on.ModelFailed(
        100.0, CALL.task, StepId("01-01"), "anthropic:haiku", fault, "it broke", **more
    )


def after(
    call: ModelCall, fault: ProviderFault, offer: ModelOffer = TWO, **more: object
) -> NextTry | None:
    return next_try(call, failed(fault, **more), offer, NOBODY_RESTS, TaskId("t2"))


def test_a_transient_fault_is_tried_five_times_in_all_with_a_wait_that_doubles() -> None:
    call, waits = CALL, []
    while (tried := after(call, "transient")) is not None and tried.way == "RETRY":
        waits.append(tried.wait_s)
        call = tried.call
    assert len(waits) == 4
    assert [int(wait) for wait in waits] == [1, 2, 4, 8]
    assert tried is not None
    assert (tried.way, tried.call.provider, tried.call.attempt) == ("DETOUR", 1, 1)


def test_what_the_provider_says_of_its_wait_wins() -> None:
    tried = after(CALL, "transient", retry_after=17.0)
    assert tried is not None
    assert (tried.way, tried.wait_s) == ("RETRY", 17.0)


def test_a_wait_beyond_a_minute_goes_to_the_next_provider_at_once() -> None:
    tried = after(CALL, "transient", retry_after=61.0)
    assert tried is not None
    assert (tried.way, tried.wait_s, tried.call.provider) == ("DETOUR", 0.0, 1)


@pytest.mark.parametrize("fault", ["configuration", "permanent"])
def test_what_no_retry_mends_goes_to_the_next_provider(fault: ProviderFault) -> None:
    tried = after(CALL, fault)
    assert tried is not None
    assert (tried.way, tried.call.provider) == ("DETOUR", 1)
    assert after(replace(CALL, provider=1), fault) is None


def test_a_context_that_is_too_long_is_sent_once_with_less_and_then_goes_up() -> None:
    less = after(CALL, "overflow")
    assert less is not None
    assert (less.call.less, less.call.tier) == (True, "fast")
    up = after(less.call, "overflow")
    assert up is not None
    assert (up.way, up.call.tier, up.call.provider) == ("ESCALATE", "middle", 0)


def test_a_reply_of_the_wrong_form_is_repaired_once_then_read_by_the_middle_tier() -> None:
    repair = after(CALL, "unexpected")
    assert repair is not None
    assert repair.call.flaws == ("it broke",)
    up = after(repair.call, "unexpected")
    assert up is not None
    assert (up.call.tier, up.call.flaws) == ("middle", ())
    again = after(up.call, "unexpected")
    assert again is not None
    assert again.call.flaws
    assert after(again.call, "unexpected") is None


def test_flaws_are_repaired_once_and_then_left_to_the_script() -> None:
    repair = after(CALL, "misaligned", flaws=("two questions in one",))
    assert repair is not None
    assert repair.call.flaws == ("two questions in one",)
    assert after(repair.call, "misaligned", flaws=("two questions in one",)) is None


def test_who_cannot_tell_asks_the_middle_tier_then_the_strong_one_then_people() -> None:
    tiers, call = [], CALL
    while (tried := after(call, "unsure")) is not None:
        tiers.append(tried.call.tier)
        call = tried.call
    assert tiers == ["middle", "strong"]


def test_at_most_four_calls_are_made_for_faults_of_content() -> None:
    call, count = CALL, 0
    while (tried := after(call, "unexpected")) is not None:
        call, count = tried.call, count + 1
    assert count < CALLS_MAX


def test_a_tier_that_is_not_offered_is_left_out() -> None:
    offer = ModelOffer((("fast", ("a",)), ("strong", ("z",))))
    tried = after(CALL, "unsure", offer)
    assert tried is not None
    assert tried.call.tier == "strong"


def test_a_model_that_rests_is_passed_over_until_its_time_is_over() -> None:
    use = ModelUse().rested("anthropic:haiku", 100.0)
    resting = first_call(CALL, TWO, use, 130.0)
    assert resting is not None
    assert resting.provider == 1
    rested = first_call(CALL, TWO, use, 161.0)
    assert rested is not None
    assert rested.provider == 0


def test_a_rest_doubles_up_to_a_quarter_of_an_hour_and_ends_with_an_answer() -> None:
    use, ends = ModelUse(), []
    for _ in range(6):
        use = use.rested("m", 0.0)
        ends.append(use.rests[0].until)
    assert ends == [60, 120, 240, 480, 900, 900]
    assert not use.woken("m").rests


def test_three_escalations_in_five_readings_start_the_next_one_at_the_middle_tier() -> None:
    use = ModelUse()
    for escalated in (True, False, True, True):
        use = use.read(escalated=escalated)
    assert use.first_tier == "middle"
    for _ in range(3):
        use = use.read(escalated=False)
    assert use.first_tier == "fast"


def test_what_took_nothing_leaves_the_price_known_and_what_took_something_does_not() -> None:
    priced = Usage(1_000, 100, 0.002)
    assert (priced + Usage()).usd == 0.002  # it was refused at once
    assert (Usage() + priced).usd == 0.002
    assert (priced + priced).usd == 0.004
    assert (priced + Usage(10, 0)).usd is None
