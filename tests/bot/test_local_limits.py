"""Slack's rate limits in the local workspace: by method and workspace, and by channel."""

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.devtools.workspace.web_api.endpoint import CALLS_OF
from bot.devtools.workspace.web_api.rate_limits import RateLimits
from tests.bot.test_local_support import client, workspace


class Clock:
    at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_method_takes_its_tier_a_minute_and_says_when_the_next_call_may_come(
    clock: Clock,
) -> None:
    limits = RateLimits(clock, CALLS_OF)
    assert [limits.retry_after_s("chat.update", "C1") for _ in range(50)] == [None] * 50
    clock.at = 17.5
    assert limits.retry_after_s("chat.update", "C2") == 43
    assert limits.retry_after_s("reactions.add", "C1") is None
    clock.at = 60.0
    assert limits.retry_after_s("chat.update", "C1") is None


def test_a_channel_takes_a_post_a_second_after_a_short_burst(clock: Clock) -> None:
    limits = RateLimits(clock, CALLS_OF)
    assert [limits.retry_after_s("chat.postMessage", "C1") for _ in range(4)] == [
        None, None, None, 1,
    ]  # fmt: skip
    assert limits.retry_after_s("chat.postMessage", "C2") is None
    clock.at = 1.0
    assert [limits.retry_after_s("chat.postMessage", "C1") for _ in range(2)] == [None, 1]


def test_a_post_a_second_is_never_refused(clock: Clock) -> None:
    limits = RateLimits(clock, CALLS_OF)
    for second in range(300):
        clock.at = second - 0.2 * (second % 2)  # it does not arrive to the millisecond
        assert limits.retry_after_s("chat.postMessage", "C1") is None


def test_a_call_over_the_limit_is_a_429_with_the_seconds_to_wait() -> None:
    with workspace(rate_limits=True) as local:
        slack: WebClient = client(local)
        channel = local.channel_id("general")
        ts = slack.chat_postMessage(channel=channel, text="Hello")["ts"]
        for number in range(50):
            slack.chat_update(channel=channel, ts=ts, text=f"Hello {number}")
        with pytest.raises(SlackApiError) as refusal:
            slack.chat_update(channel=channel, ts=ts, text="Once more")
        assert refusal.value.response.status_code == 429
        assert 1 <= int(refusal.value.response.headers["Retry-After"]) <= 60
        assert local.messages("general")[0].text == "Hello 49"
