"""Slack in this process and Slack over HTTP give the bot's client the same answers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from bot.devtools.workspace import LocalWorkspace
from bot.views.kit.blocks import Message, context
from bot.web_api.api_errors import BlocksRefused
from bot.web_api.client import SlackClient
from core.domain.ids import ChannelId, Ts
from core.ports import Later, Refused, Unclear
from tests.chaos.slack import RETRY_AFTER_S, SimSlack, Trouble
from tests.support.fakes import CHANNEL, DrivenClock

HELLO = Message("Hello", (context("Hello"),))
MARK = {"event_type": "roundtable", "event_payload": {"order": "7", "session": "s1"}}


@dataclass(frozen=True, slots=True)
class Place:
    client: SlackClient
    channel: ChannelId
    goes_wrong: Callable[[str, Trouble], None]  # once, at the next call of that method


@pytest.fixture(params=["in process", "over HTTP"])
def slack(request: pytest.FixtureRequest) -> Iterator[Place]:
    if request.param == "in process":
        yield in_process()
        return
    with LocalWorkspace(people=["pm"]) as workspace:
        client = SlackClient(workspace.bot_token, base_url=workspace.api_url)
        channel = ChannelId(workspace.channel_id("general"))

        def goes_wrong(method: str, trouble: Trouble) -> None:
            workspace.inject(trouble, method=method, retry_after=RETRY_AFTER_S)  # type: ignore[arg-type]

        yield Place(client, channel, goes_wrong)


def in_process() -> Place:
    sim = SimSlack(DrivenClock())
    planned: list[tuple[str, Trouble]] = []

    def fate(method: str) -> Trouble | None:
        due = planned[0] if planned and planned[0][0] == method else None
        return planned.pop(0)[1] if due else None

    sim.web.fate = fate
    return Place(sim.client, CHANNEL, lambda method, trouble: planned.append((method, trouble)))


def posted(slack: Place) -> Ts:
    ts = slack.client.post(slack.channel, HELLO, metadata=MARK)
    assert isinstance(ts, str), ts
    return Ts(ts)


def looked_for(slack: Place) -> object:
    return slack.client.lookups.look_for(
        lambda message: message.get("metadata") == MARK, slack.channel, oldest=0.0
    )


def test_what_was_posted_is_found_by_its_metadata(slack: Place) -> None:
    assert looked_for(slack) is None
    ts = posted(slack)
    assert looked_for(slack) == ts


def test_every_post_has_a_time_of_its_own(slack: Place) -> None:
    times = [posted(slack) for _ in range(5)]
    assert sorted(times, key=float) == times
    assert len(set(times)) == 5


def test_an_edit_of_what_is_gone_counts_as_done(slack: Place) -> None:
    assert slack.client.update(slack.channel, posted(slack), HELLO) is None
    assert slack.client.update(slack.channel, Ts("1.000001"), HELLO) is None


def test_a_mark_is_put_on_and_taken_off_as_often_as_one_likes(slack: Place) -> None:
    ts = posted(slack)
    for on in (True, True, False, False):
        assert slack.client.react(slack.channel, ts, "white_check_mark", on=on) is None


def test_a_thread_that_is_not_there_is_refused(slack: Place) -> None:
    answer = slack.client.post(slack.channel, HELLO, thread_ts=Ts("1.000001"))
    assert answer == Refused("thread_not_found", "thread_gone")


def test_blocks_that_slack_refuses_are_refused(slack: Place) -> None:
    long = Message("Hello", ({"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}},))
    assert slack.client.post(slack.channel, long) == BlocksRefused(
        "invalid_blocks", "bad_blocks", (0,)
    )


def test_a_rate_limit_says_how_long_to_wait(slack: Place) -> None:
    slack.goes_wrong("chat.postMessage", "429")
    answer = slack.client.post(slack.channel, HELLO, metadata=MARK)
    assert answer == Later("ratelimited", RETRY_AFTER_S, 429)
    assert looked_for(slack) is None


@pytest.mark.parametrize("trouble", ["500", "accept-then-drop"])
def test_a_post_without_a_clear_answer_is_in_doubt(slack: Place, trouble: Trouble) -> None:
    slack.goes_wrong("chat.postMessage", trouble)
    assert isinstance(slack.client.post(slack.channel, HELLO, metadata=MARK), Unclear)
    assert (looked_for(slack) is not None) == (trouble == "accept-then-drop")


def test_an_edit_without_a_clear_answer_is_simply_repeated(slack: Place) -> None:
    ts = posted(slack)
    slack.goes_wrong("chat.update", "accept-then-drop")
    assert isinstance(slack.client.update(slack.channel, ts, HELLO), Later)
    assert slack.client.update(slack.channel, ts, HELLO) is None
