"""A thread as Slack's Web API gives it, as what the core compares. Over real HTTP."""

from typing import Any

import pytest

from bot.web_api.client import SlackClient
from bot.web_api.threads import CUT_MESSAGES, PAGE_MESSAGES, SlackThreads
from core.domain.ids import Ts
from core.domain.thread_range import ReactedBy, ThreadPage
from tests.support.bolt_front import (
    BOT,
    CHANNEL,
    MEMBER,
    NOW,
    TEAM,
    THREAD,
    WORKSPACE,
    ListeningSlack,
)

SINCE = Ts("150.000000")
Body = dict[str, Any]


def reply(ts: str = "200.000200", text: str = "We retry twice.", **more: Any) -> Body:
    said = {"type": "message", "user": MEMBER, "team": TEAM, "text": text, "ts": ts}
    return {**said, "thread_ts": THREAD, **more}


ROOT = reply(THREAD, "The root", user=BOT, bot_id="B1")


@pytest.fixture
def slack(server: ListeningSlack) -> ListeningSlack:
    server.calls.clear()
    return server


def page(slack: ListeningSlack, *messages: Body, cursor: str = "", asked: str = "") -> ThreadPage:
    slack.answers["conversations.replies"] = {
        "ok": True,
        "messages": [ROOT, *messages],
        "response_metadata": {"next_cursor": cursor},
    }
    client = SlackClient("xoxb-1", base_url=slack.url)
    pages = SlackThreads(lambda _: client, lambda _: WORKSPACE, lambda: NOW)
    found = pages.page(TEAM, CHANNEL, THREAD, SINCE, asked)
    assert isinstance(found, ThreadPage)
    return found


def test_a_range_is_asked_for_from_the_prompt_on_and_by_its_cursor(slack: ListeningSlack) -> None:
    found = page(slack, reply(), cursor="next", asked="this")
    ((method, args),) = slack.calls
    assert method == "conversations.replies"
    assert args == {
        "channel": CHANNEL, "ts": THREAD, "oldest": SINCE, "cursor": "this", "inclusive": "1",
        "limit": str(PAGE_MESSAGES),
    }  # fmt: skip
    assert found.cursor == "next"


def test_a_reply_is_the_event_it_would_have_been_with_its_newest_words(
    slack: ListeningSlack,
) -> None:
    _, message = page(slack, reply(edited={"user": MEMBER, "ts": "300.000000"})).messages
    posted = message.posted
    assert posted is not None
    assert (posted.by, posted.ts, posted.thread_ts) == (MEMBER, "200.000200", THREAD)
    assert (posted.text, posted.edited_ts) == ("We retry twice.", "300.000000")
    assert posted.permalink.startswith(WORKSPACE.url)


@pytest.mark.parametrize(
    "strange",
    [
        {"bot_id": "B2", "user": "UBOT2"},
        {"user": BOT},
        {"user": "USLACKBOT"},
        {"team": "T2"},
        {"user_team": "T2"},
        {"subtype": "tombstone"},
        {"subtype": "channel_join"},
        {"text": 7, "files": "none"},
    ],
)
def test_bots_outsiders_and_notices_are_there_and_nobodys_answer(
    slack: ListeningSlack, strange: Body
) -> None:
    _, message = page(slack, reply(**strange)).messages
    assert (message.ts, message.posted) == ("200.000200", None)


@pytest.mark.parametrize("text", ["", f"<@{BOT}> status"])
def test_what_says_nothing_to_the_step_is_without_words(slack: ListeningSlack, text: str) -> None:
    """So that an answer that was edited to it is withdrawn, as by the live event."""
    edited = {"user": MEMBER, "ts": "300.000000"}
    _, message = page(slack, reply(text=text, edited=edited)).messages
    assert message.posted is not None
    assert (message.posted.text, message.posted.edited_ts) == ("", "300.000000")


def test_an_edit_by_another_hand_is_none(slack: ListeningSlack) -> None:
    _, message = page(slack, reply(edited={"user": "UADMIN", "ts": "300.000000"})).messages
    assert message.posted is not None
    assert message.posted.edited_ts is None


def test_the_root_and_our_own_prompt_are_there_and_nobodys_answer(slack: ListeningSlack) -> None:
    prompt = reply(SINCE, user=BOT, bot_id="B1")
    found = page(slack, prompt).messages
    assert [(message.ts, message.posted) for message in found] == [(THREAD, None), (SINCE, None)]


def test_reactions_say_whether_everybody_is_named(slack: ListeningSlack) -> None:
    reactions = [
        {"name": "+1", "users": [MEMBER], "count": 1},
        {"name": "-1", "users": [MEMBER], "count": 60},
    ]
    _, message = page(slack, reply(reactions=reactions)).messages
    assert message.reactions == (
        ReactedBy("+1", (MEMBER,), is_complete=True),
        ReactedBy("-1", (MEMBER,), is_complete=False),
    )


def test_a_page_is_cut_where_slack_gives_fifteen_and_has_more(slack: ListeningSlack) -> None:
    many = [reply(f"200.{number:06d}") for number in range(1, CUT_MESSAGES + 2)]
    assert page(slack, *many[:-1], cursor="more").is_cut
    assert not page(slack, *many[:-1]).is_cut
    assert not page(slack, *many, cursor="more").is_cut
