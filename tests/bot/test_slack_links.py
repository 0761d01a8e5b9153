"""Addresses composed as Slack composes them, and what people typed as plain text."""

import pytest

from bot.payloads.links import permalink, plain, post_link
from core.domain.ids import ChannelId, Ts
from core.ports import Post

GENERAL = ChannelId("C0CH00001")


def test_a_message_in_the_channel_has_an_address_of_its_own() -> None:
    link = permalink("https://acme.slack.com/", GENERAL, Ts("1700000000.000100"))
    assert link == "https://acme.slack.com/archives/C0CH00001/p1700000000000100"
    assert permalink("https://acme.slack.com", GENERAL, Ts("1.2")).startswith(
        "https://acme.slack.com/archives/"
    )


def test_a_reply_names_its_thread() -> None:
    root, reply = Ts("1700000000.000100"), Ts("1700000001.000200")
    assert permalink("https://acme.slack.com/", GENERAL, reply, root) == (
        "https://acme.slack.com/archives/C0CH00001/p1700000001000200"
        "?thread_ts=1700000000.000100&cid=C0CH00001"
    )


def test_a_root_with_its_thread_opens_the_thread() -> None:
    root = Ts("1700000000.000100")
    opens = "?thread_ts=1700000000.000100&cid=C0CH00001"
    assert permalink("https://acme.slack.com/", GENERAL, root, root).endswith(opens)
    thread = Post("thread:business-analyst", GENERAL, root, None)
    assert post_link("https://acme.slack.com/", thread).endswith(opens)
    assert "?" not in post_link("https://acme.slack.com/", Post("card", GENERAL, root, None))
    assert post_link("https://acme.slack.com/", None) == ""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("<@U1>", "@U1"),
        ("<@U1|priya>", "@priya"),
        ("<#C1|general>", "#general"),
        ("<#C1>", "#C1"),
        ("<!channel> <!here>", "@channel @here"),
        ("<!subteam^S1|@group> <!subteam^S1>", "@group @S1"),
        ("<https://x.example/?a=1&amp;b|the page>", "the page (https://x.example/?a=1&b)"),
        ("<https://x.example>", "https://x.example"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("<!date^1700000000^{date}|last week>", "last week"),
        ("1 &lt; 2 and <no token", "1 < 2 and <no token"),
        ("", ""),
    ],
)
def test_no_markup_of_slack_is_left_in_what_people_typed(typed: str, meant: str) -> None:
    assert plain(typed) == meant
