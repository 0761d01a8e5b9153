"""Payloads to core values: what is an answer, and what is nothing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.payloads import inbound_clicks, inbound_messages, people
from bot.payloads.links import TEXT_CHARS_MAX
from bot.payloads.payload_models import UnreadablePayloadError
from core.domain.answers import SharedFile
from core.domain.events import MessageDeleted, MessageEdited, MessagePosted
from tests.support.bolt_front import (
    BOT,
    CHANNEL,
    MEMBER,
    NOW,
    THREAD,
    WORKSPACE,
    Body,
    click,
    deleted,
    edited,
    event_body,
    mention,
    posted,
    slash,
)


def heard(event: Body, **envelope: Any) -> inbound_messages.InboundMessage | None:
    return inbound_messages.message_heard(event_body(event, **envelope), WORKSPACE, NOW)


def text_of(event: Body) -> str:
    found = heard(event)
    assert found is not None
    assert isinstance(found.event, MessagePosted | MessageEdited)
    return found.event.text


# ── new messages ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("subtype", ["thread_broadcast", "file_share"])
def test_a_broadcast_and_a_shared_file_are_answers(subtype: str) -> None:
    assert heard(posted(subtype=subtype)) is not None


def test_a_file_alone_is_an_answer_with_its_name_and_place() -> None:
    files = [
        {"name": "log.txt", "title": "A log", "permalink": "https://acme.slack.com/f/1", "size": 3},
        {"id": "F2", "file_access": "check_file_info", "name": None},
    ]
    found = heard(posted("", subtype="file_share", files=files))
    assert found is not None
    assert isinstance(found.event, MessagePosted)
    assert found.event.text == ""
    assert found.event.files == (
        SharedFile("log.txt", "https://acme.slack.com/f/1"),
        SharedFile("a file", found.event.permalink),
    )


@pytest.mark.parametrize(
    "event",
    [
        posted(thread_ts=None),
        posted(thread_ts="200.000200"),
        posted(""),
        posted(text=None),
        posted(user=None),
        posted(user=BOT),
        posted(user="USLACKBOT"),
        posted(bot_id="B9"),
        posted(subtype="bot_message", bot_id="B9", user=None),
        posted(subtype="channel_join"),
        posted(subtype="message_replied"),
        posted(subtype="me_message"),
        posted(subtype="a_new_one_of_slacks"),
        posted(team="T2"),
        posted(user_team="T2", team="T2", source_team="T2"),
        posted(user_team="E2"),
    ],
    ids=str,
)
def test_what_no_person_of_ours_answered_is_nothing(event: Body) -> None:
    assert heard(event) is None


def test_a_member_is_no_outsider_where_slack_names_the_organisation() -> None:
    assert heard(posted(user_team="E1"), enterprise_id="E1") is not None
    assert heard(posted(), is_ext_shared_channel=True) is not None


def test_text_is_read_as_its_author_sees_it() -> None:
    said = "See <https://acme.io|the plan> &amp; ask <@U2|sam>: a &lt; b, <!channel>"
    assert text_of(posted(said)) == "See the plan (https://acme.io) & ask @sam: a < b, @channel"


def test_long_answers_are_kept_whole_up_to_slacks_limit() -> None:
    assert text_of(posted("x" * TEXT_CHARS_MAX)) == "x" * 40_000
    assert len(text_of(posted("x" * 50_000))) == TEXT_CHARS_MAX


def test_what_no_database_stores_is_taken_out() -> None:
    assert text_of(posted("a\x00b\ud800c")) == "ab?c"


# ── edits and deletions ────────────────────────────────────────────────────────────────────────


def test_an_edit_revises_the_message_it_names() -> None:
    found = heard(edited("Three &amp; more"))
    assert found is not None
    assert found.event == MessageEdited(
        by=MEMBER,
        at=NOW,
        channel=CHANNEL,
        ts="200.000200",  # type: ignore[arg-type]
        edited_ts="300.000000",  # type: ignore[arg-type]
        text="Three & more",
        was="Twice.",
    )
    assert found.place.thread_ts == THREAD


@pytest.mark.parametrize(
    "event",
    [
        edited("Twice."),
        edited(edited=None),
        edited(bot_id="B1"),
        edited(user=BOT, edited={"user": BOT, "ts": "300.0"}),
        edited(edited={"user": "USLACKBOT", "ts": "300.0"}),
        edited(thread_ts=None),
        edited(user_team="T2"),
        {**edited(), "message": None},
        {**edited(), "previous_message": None},
    ],
    ids=str,
)
def test_unfurls_thread_counts_and_edits_of_bots_are_nothing(event: Body) -> None:
    assert heard(event) is None


def test_a_deletion_withdraws_the_message_it_names() -> None:
    found = heard(deleted())
    assert found is not None
    expected = MessageDeleted(by=MEMBER, at=NOW, channel=CHANNEL, ts="200.000200")  # type: ignore[arg-type]
    assert found.event == expected
    assert found.keys == ("del:T1:C1:200.000200",)


@pytest.mark.parametrize(
    "event",
    [
        deleted(user=None),
        deleted(bot_id="B1"),
        deleted(user=BOT),
        deleted(thread_ts=None),
        {**deleted(), "previous_message": None},
        {**deleted(), "deleted_ts": None},
    ],
    ids=str,
)
def test_a_deletion_of_what_was_no_answer_is_nothing(event: Body) -> None:
    assert heard(event) is None


# ── mentions, clicks, commands ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "line", "leading"),
    [
        (f"<@{BOT}> list", " list", True),
        (f"  <@{BOT}|roundtable>  analyze a &amp; b", "  analyze a & b", True),
        (f"please <@{BOT}> list", " list", False),
        (f"<@{BOT}>", "", True),
        ("<@U9> list", "<@U9> list".replace("<@U9>", "@U9"), True),
    ],
)
def test_a_mention_is_split_at_our_name(text: str, line: str, leading: bool) -> None:
    said = {**mention(""), "text": text}
    found = inbound_messages.mention_heard(event_body(said), WORKSPACE, NOW)
    assert found is not None
    assert (found.line, found.leading) == (line, leading)


def test_a_mention_by_a_bot_or_an_outsider_is_nothing() -> None:
    for said in (mention("list", bot_id="B9"), mention("list", user_team="T2")):
        assert inbound_messages.mention_heard(event_body(said), WORKSPACE, NOW) is None


def test_a_mention_of_one_of_ours_is_heard_whichever_workspace_it_was_read_in() -> None:
    """In a shared channel `team` may be the other one: slackapi/bolt-python, test_internals.py."""
    said = mention("list", team="T2", user_team=WORKSPACE.team)
    assert inbound_messages.mention_heard(event_body(said), WORKSPACE, NOW) is not None


def test_a_click_says_where_it_was_made() -> None:
    found = inbound_clicks.click_made(click("menu:continue", "m-1", by=MEMBER), WORKSPACE)
    assert found is not None
    assert found.place == people.InteractionPlace(MEMBER, CHANNEL, THREAD)
    assert (found.value, found.standing, found.link) == ("m-1", "member", False)


def test_a_click_outside_any_channel_is_nothing() -> None:
    assert inbound_clicks.click_made({**click("a"), "channel": None}, WORKSPACE) is None


def test_a_command_is_a_line_with_a_key_and_a_reply_address() -> None:
    line = inbound_clicks.command_given(slash("analyze a &lt;b&gt;", trigger="1.2.abc"), WORKSPACE)
    assert (line.text, line.keys) == ("analyze a <b>", ("act:T1:U1:1.2.abc",))
    assert line.respond_to == "https://hooks.slack.com/commands/1"


# ── hostile payloads ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "event",
    [
        posted(ts="1"),
        posted(ts="１.２"),
        posted(thread_ts="a.b"),
        posted(channel="C1/../x"),
        posted(user="U 1"),
        posted(text=["a"]),
        posted(files="many"),
        {},
    ],
    ids=str,
)
def test_what_lacks_slacks_shape_is_unreadable_and_never_quoted(event: Body) -> None:
    with pytest.raises(UnreadablePayloadError) as caught:
        heard(event)
    assert str(caught.value).startswith("MessageEvent: ")
    assert caught.value.__cause__ is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
fields = st.sampled_from(
    ["subtype", "user", "text", "ts", "thread_ts", "message", "previous_message", "edited", "files"]
)


@given(st.dictionaries(fields, json_values, max_size=4), st.sampled_from([posted, edited, deleted]))
def test_any_payload_is_an_answer_nothing_or_unreadable(changes: Body, base: Any) -> None:
    try:
        found = heard({**base(), **changes})
    except UnreadablePayloadError:
        return
    assert found is None or len(found.keys) == 1


@given(st.text(max_size=300))
def test_any_text_is_storable_and_has_no_markup_of_slacks(text: str) -> None:
    found = heard(posted(f"a{text}"))
    assert found is not None
    assert isinstance(found.event, MessagePosted)
    assert "\x00" not in found.event.text
    found.event.text.encode()
