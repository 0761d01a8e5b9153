"""Slack's mrkdwn in the page: what becomes bold, a mention, a link, and what stays as written.

docs: messaging/formatting-message-text
"""

import pytest

from bot.devtools.workspace.page.draw.blocks import message_body
from bot.devtools.workspace.values import Names
from tests.support.page_reading import Read, assert_harmless

NAMES = Names({"U1": "Ada", "U2": "Bob Lee"}, {"C1": "general"})


def said(text: str) -> Read:
    return assert_harmless(message_body([], text, NAMES, scope="1.2", viewer="U1"))


def marked(text: str, tag: str) -> list[str]:
    return [one.text for one in said(text).all(tag)]


@pytest.mark.parametrize(
    ("text", "tag", "found"),
    [
        ("*bold*", "strong", ["bold"]),
        ("a *bold* and *more*.", "strong", ["bold", "more"]),
        ("(*bold*), *so*!", "strong", ["bold", "so"]),
        ("_it_ and snake_case_name", "em", ["it"]),
        ("~gone~ and 2~3~4", "s", ["gone"]),
        ("* not this*", "strong", []),
        ("*not this *", "strong", []),
        ("2*3*4", "strong", []),
        ("**not this**", "strong", []),
        ("*over\nlines*", "strong", []),
        ("*_both_*", "em", ["both"]),
        ("*bold _both_ bold*", "strong", ["bold both bold"]),
        ("*<@U2>*", "strong", ["@Bob Lee"]),
        ("*`code`*", "strong", ["code"]),
        ("`*code*`", "strong", []),
        ("`<@U1> &lt;b&gt;`", "code", ["@Ada <b>"]),
        ("``` two\n  lines\n```", "pre", [" two\n  lines"]),
        ("```*no*```", "strong", []),
        ("*open", "strong", []),
        ("un*even *bold*", "strong", ["bold"]),
    ],
)
def test_style_marks(text: str, tag: str, found: list[str]) -> None:
    assert marked(text, tag) == found


@pytest.mark.parametrize(
    ("text", "quoted", "read"),
    [
        ("&gt; one\n&gt; two\nafter", ["one\ntwo"], "one\ntwoafter"),
        ("> *one*", ["one"], "one"),
        (
            "before\n&gt;&gt;&gt; one\ntwo\n\nthree",
            ["one\ntwo\n\nthree"],
            "beforeone\ntwo\n\nthree",
        ),
        ("a &gt; b", [], "a > b"),
    ],
)
def test_quotes(text: str, quoted: list[str], read: str) -> None:
    shown = said(text)
    assert [one.text for one in shown.all("blockquote")] == quoted
    assert shown.text == read


def test_escaped_text_is_never_live() -> None:
    shown = said("&lt;@U1&gt; &lt;!here&gt; &amp;lt; &lt;b&gt;")
    assert shown.text == "<@U1> <!here> &lt; <b>"
    assert shown.classed("bk-mention") == []


def test_mentions_are_marked_and_those_of_the_reader_more_so() -> None:
    shown = said(
        "<@U1> <@U2|bob> <@U9|ex> <#C1> <#C9|old> <!here> <!subteam^S1|@team> <!subteam^S2>"
    )
    mentions = [one.text for one in shown.classed("bk-mention")]
    assert mentions == ["@Ada", "@Bob Lee", "@ex", "#general", "#old", "@here", "@team", "@group"]
    assert [one.text for one in shown.classed("bk-mention-me")] == ["@Ada"]
    assert [one.text for one in shown.classed("bk-broadcast")] == ["@here"]


def test_links_lead_to_the_web_and_to_mail_only() -> None:
    shown = said(
        "<https://x.test/a?b=1&amp;c|the *page*> https://bare.test/x. <mailto:a@b.test|Ada> "
        "<javascript:alert(1)|bad> <data:text/html,x|worse> <//evil.test|worst>"
    )
    assert [(one.attributes["href"], one.text) for one in shown.all("a")] == [
        ("https://x.test/a?b=1&c", "the *page*"),
        ("https://bare.test/x", "https://bare.test/x"),
        ("mailto:a@b.test", "Ada"),
    ]
    assert shown.text.endswith("bad worse worst")


def test_emoji_names_become_emoji_where_there_is_one() -> None:
    shown = said(":tada: :wave::skin-tone-3: :our-own: 10:30:15 `:tada:`")
    assert shown.text == "🎉 👋🏼 :our-own: 10:30:15 :tada:"
    assert [one.attributes["title"] for one in shown.classed("bk-emoji")] == [
        ":tada:",
        ":wave::skin-tone-3:",
    ]


def test_a_date_is_written_out_and_falls_back() -> None:
    shown = said("<!date^1700000000^{date_num} {time}^https://x.test|then> <!date^x^{date}|soon>")
    moment = shown.one("time")
    assert moment.attributes["datetime"].startswith("2023-11-1")
    assert moment.text.startswith("2023-11-1")
    assert shown.one("a").attributes["href"] == "https://x.test"
    assert shown.text.endswith(" soon")


def test_line_ends_and_spaces_stay() -> None:
    assert said("one\n\n  two\r\nthree").text == "one\n\n  two\nthree"
