"""Slack's limits on blocks, what a reader sees of them, and whom they notify."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.devtools.workspace import Ping
from bot.devtools.workspace import text as words
from bot.devtools.workspace.blocks.limits import block_faults, view_faults
from bot.devtools.workspace.blocks.rules import KINDS
from bot.devtools.workspace.blocks.table import (
    BLOCKS,
    ELEMENTS,
    RICH_LEAVES,
    RICH_PARTS,
    SHAPES,
    Reading,
    ValueKind,
    Widget,
    block_of,
)
from bot.devtools.workspace.page.draw.blocks import message_body
from bot.devtools.workspace.reader_text import notified, plain
from bot.devtools.workspace.values import Names
from tests.bot.test_local_support import (
    actions,
    button,
    client,
    rich_text,
    section,
    workspace,
)

ADA, BOT = "U0PM00001", "U0BOT0001"
NAMES = Names({ADA: "Ada", BOT: "Roundtable"}, {"C1": "general"})
PLAIN = {"type": "plain_text", "text": "x"}
SENTENCE = {"type": "mrkdwn", "text": "x"}


def said(length: int, kind: str = "plain_text") -> dict[str, str]:
    return {"type": kind, "text": "x" * length}


def options(count: int, value: str = "v") -> list[dict[str, Any]]:
    return [{"text": PLAIN, "value": f"{value}{n}"} for n in range(count)]


def select(**more: Any) -> dict[str, Any]:
    return {"type": "static_select", "action_id": "s", "placeholder": PLAIN} | more


def overflow(count: int, **more: Any) -> dict[str, Any]:
    return {"type": "overflow", "action_id": "o", "options": options(count), **more}


def confirmed(**more: Any) -> dict[str, Any]:
    dialog = {"title": PLAIN, "text": SENTENCE, "confirm": PLAIN, "deny": PLAIN} | more
    return actions(button("Go", "a", confirm=dialog))


TAKEN = {
    "header of 150": [{"type": "header", "text": said(150)}],
    "section of 3,000": [section("x" * 3_000)],
    "ten fields": [{"type": "section", "fields": [said(2_000, "mrkdwn")] * 10}],
    "section with overflow": [section("x") | {"accessory": overflow(5)}],
    "context of ten": [{"type": "context", "elements": [SENTENCE] * 10}],
    "context with image": [
        {"type": "context", "elements": [{"type": "image", "image_url": "u", "alt_text": "a"}]}
    ],
    "25 buttons": [actions(*(button("x", f"a{n}") for n in range(25)))],
    "button at its limits": [actions(button("x" * 75, "a" * 255, value="v" * 2_000))],
    "button without a value": [actions(button("x", "a", style="danger"))],
    "confirm at its limits": [
        confirmed(title=said(100), text=said(300), confirm=said(30), deny=said(30))
    ],
    "select": [actions(select(options=options(100)))],
    "select of groups": [
        actions(select(option_groups=[{"label": PLAIN, "options": options(2)}] * 3))
    ],
    "markdown of 12,000": [{"type": "markdown", "text": "x" * 6_000}] * 2,
    "rich text": [
        rich_text({"type": "text", "text": "x"}, {"type": "broadcast", "range": "here"}),
        {
            "type": "rich_text",
            "elements": [
                {
                    "type": "rich_text_list",
                    "style": "bullet",
                    "elements": [{"type": "rich_text_section", "elements": []}],
                }
            ],
        },
    ],
    "divider": [{"type": "divider"}],
    "image": [{"type": "image", "image_url": "https://a.b/c.png", "alt_text": "a"}],
    "input": [
        {
            "type": "input",
            "label": PLAIN,
            "element": {"type": "plain_text_input", "action_id": "a"},
        }
    ],
    "fifty blocks": [{"type": "divider"}] * 50,
}

REFUSED = {
    "not an array": ({"type": "divider"}, "must be an array"),
    "51 blocks": ([{"type": "divider"}] * 51, "no more than 50"),
    "unknown type": ([{"type": "marquee"}], "unsupported type"),
    "no type": ([{}], "unsupported type"),
    "not an object": (["x"], "unsupported type"),
    "header of 151": ([{"type": "header", "text": said(151)}], "less than 151"),
    "header in mrkdwn": ([{"type": "header", "text": SENTENCE}], "plain_text"),
    "section of 3,001": ([section("x" * 3_001)], "less than 3001"),
    "empty section": ([section("")], "more than 0"),
    "section of nothing": ([{"type": "section"}], "text or fields"),
    "text that is a string": ([{"type": "section", "text": "x"}], "text object"),
    "eleven fields": ([{"type": "section", "fields": [SENTENCE] * 11}], "no more than 10"),
    "long field": ([{"type": "section", "fields": [said(2_001)]}], "less than 2001"),
    "eleven in context": ([{"type": "context", "elements": [SENTENCE] * 11}], "more than 10"),
    "empty context": ([{"type": "context", "elements": []}], "more than 0 items"),
    "button in context": ([{"type": "context", "elements": [button("x", "a")]}], "must be one"),
    "26 buttons": ([actions(*(button("x", f"a{n}") for n in range(26)))], "more than 25"),
    "empty actions": ([actions()], "more than 0 items"),
    "doubled action_id": ([actions(button("x", "a"), button("y", "a"))], "already exists"),
    "doubled block_id": ([{"type": "divider", "block_id": "b"}] * 2, "already exists"),
    "long block_id": ([{"type": "divider", "block_id": "b" * 256}], "less than 256"),
    "long action_id": ([actions(button("x", "a" * 256))], "less than 256"),
    "long label": ([actions(button("x" * 76, "a"))], "less than 76"),
    "empty label": ([actions(button("", "a"))], "more than 0"),
    "long value": ([actions(button("x", "a", value="v" * 2_001))], "less than 2001"),
    "value that is a number": ([actions(button("x", "a", value=1))], "must be a string"),
    "unknown style": ([actions(button("x", "a", style="default"))], "primary, danger"),
    "confirm without deny": ([confirmed(deny=None)], "text object"),
    "long confirm title": ([confirmed(title=said(101))], "less than 101"),
    "long confirm text": ([confirmed(text=said(301))], "less than 301"),
    "long confirm label": ([confirmed(confirm=said(31))], "less than 31"),
    "six in overflow": ([actions(overflow(6))], "no more than 5"),
    "empty overflow": ([actions(overflow(0))], "more than 0 items"),
    "101 options": ([actions(select(options=options(101)))], "no more than 100"),
    "long option value": ([actions(select(options=options(1, "v" * 150)))], "less than 151"),
    "option without value": ([actions(select(options=[{"text": PLAIN}]))], "field: value"),
    "select of nothing": ([actions(select())], "field: options"),
    "long placeholder": (
        [actions(select(options=options(1), placeholder=said(151)))],
        "less than 151",
    ),
    "text input in actions": ([actions({"type": "plain_text_input"})], "unsupported type"),
    "button in input": (
        [{"type": "input", "label": PLAIN, "element": button("x", "a")}],
        "unsupported type",
    ),
    "12,001 of markdown": (
        [{"type": "markdown", "text": "x" * 6_000}, {"type": "markdown", "text": "x" * 6_001}],
        "no more than 12000",
    ),
    "empty markdown": ([{"type": "markdown", "text": ""}], "more than 0"),
    "image without alt text": ([{"type": "image", "image_url": "u"}], "alt_text"),
    "image without an address": ([{"type": "image", "alt_text": "a"}], "image_url"),
    "unknown in rich text": ([rich_text({"type": "shout", "text": "x"})], "unsupported type"),
    "empty rich text leaf": ([rich_text({"type": "text", "text": ""})], "more than 0"),
    "broadcast to the world": ([rich_text({"type": "broadcast", "range": "all"})], "must be one"),
    "divider with text": ([{"type": "divider", "text": "x"}], "no more properties"),
    "emoji in mrkdwn": (
        [{"type": "section", "text": SENTENCE | {"emoji": True}}],
        "no more properties",
    ),
}


@pytest.mark.parametrize("blocks", TAKEN.values(), ids=TAKEN)
def test_what_slack_takes_is_taken(blocks: Any) -> None:
    assert block_faults(blocks) == []
    assert isinstance(plain(blocks, "", NAMES), str)


@pytest.mark.parametrize(("blocks", "why"), REFUSED.values(), ids=REFUSED)
def test_what_slack_refuses_is_refused(blocks: Any, why: str) -> None:
    (fault,) = block_faults(blocks)
    assert why in fault
    assert "[json-pointer:/blocks" in fault


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "text", "elements", "fields", "options", "confirm", "accessory"]
            )
            | st.text(max_size=3),
            inner
            | st.sampled_from(["section", "actions", "context", "button", "rich_text", "input"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_no_json_at_all_upsets_the_validator(value: Any) -> None:
    block_faults(value)
    block_faults([value])
    view_faults(value)


def test_views_have_limits_of_their_own() -> None:
    modal = {"type": "modal", "title": said(24), "blocks": [{"type": "divider"}] * 100}
    assert view_faults(modal) == []
    wrong = modal | {
        "title": said(25),
        "private_metadata": "x" * 3_001,
        "blocks": [{"type": "divider"}] * 101,
    }
    assert len(view_faults(wrong)) == 3
    form = {"type": "input", "label": PLAIN, "element": {"type": "plain_text_input"}}
    assert "submit" in view_faults(modal | {"blocks": [form]})[0]


HERE = "<!here>"
PINGS: dict[str, tuple[str, list[dict[str, Any]], list[str]]] = {
    "plain words": ("@Ada and @here", [], []),
    "a person": (f"<@{ADA}>", [], ["@Ada"]),
    "a person with a label": (f"<@{ADA}|somebody>", [], ["@Ada"]),
    "somebody unknown": ("<@U999>", [], ["@U999"]),
    "everybody": ("<!channel> <!here> <!everyone>", [], ["@channel", "@here", "@everyone"]),
    "a group": ("<!subteam^S1|@ops>", [], ["@group"]),
    "each once": (f"<@{ADA}> <@{ADA}>", [section(f"<@{ADA}>")], ["@Ada"]),
    "escaped": (words.escape(f"<@{ADA}> {HERE}"), [section(words.escape(HERE))], []),
    "a link": ("<https://a.b|@here> <#C1>", [], []),
    "fallback beside blocks": (HERE, [section("quiet")], ["@here"]),
    "mrkdwn section": ("x", [section(HERE)], ["@here"]),
    "mrkdwn field": (
        "x",
        [{"type": "section", "fields": [{"type": "mrkdwn", "text": HERE}]}],
        ["@here"],
    ),
    "mrkdwn context": (
        "x",
        [{"type": "context", "elements": [{"type": "mrkdwn", "text": HERE}]}],
        ["@here"],
    ),
    "plain_text section": ("x", [section(HERE, "plain_text")], []),
    "plain_text header": ("x", [{"type": "header", "text": {**PLAIN, "text": HERE}}], []),
    "button label": ("x", [actions(button(HERE, "a"))], []),
    "markdown": ("x", [{"type": "markdown", "text": f"# {HERE}"}], ["@here"]),
    "escaped markdown": ("x", [{"type": "markdown", "text": "&lt;!here&gt;"}], []),
    "rich_text text": ("x", [rich_text({"type": "text", "text": HERE})], []),
    "rich_text user": ("x", [rich_text({"type": "user", "user_id": ADA})], ["@Ada"]),
    "rich_text broadcast": ("x", [rich_text({"type": "broadcast", "range": "here"})], ["@here"]),
    "rich_text group": ("x", [rich_text({"type": "usergroup", "usergroup_id": "S1"})], ["@group"]),
}


@pytest.mark.parametrize(("text", "blocks", "expected"), PINGS.values(), ids=PINGS)
def test_a_post_notifies_exactly_whom_slack_would(
    text: str, blocks: list[dict[str, Any]], expected: list[str]
) -> None:
    assert notified(blocks, text, NAMES) == expected


def test_only_new_posts_notify_and_under_the_name_shown() -> None:
    with workspace() as local:
        slack, where = client(local), local.channel_id("general")
        ada = f"<@{local.user_id('Ada')}>"
        ts = slack.chat_postMessage(channel=where, text="quiet", username="Maya")["ts"]
        slack.chat_update(channel=where, ts=ts, text=f"{ada} <!channel>")
        slack.chat_postEphemeral(channel=where, user=local.user_id("Ada"), text=ada)
        local.say("Bob Lee", "general", "@Ada @here")
        assert local.pings == []
        loud = slack.chat_postMessage(channel=where, text=ada, username="Maya", thread_ts=ts)["ts"]
        slack.chat_postMessage(channel=where, text="@Ada <b@here>", link_names=True)
        assert local.pings == [
            Ping("Maya", "@Ada", "general", loud),
            Ping("Roundtable", "@Ada", "general", local.messages("general")[-1].ts),
        ]


TYPED = {
    "@Ada, look": f"<@{ADA}>, look",
    "@ada look": f"<@{ADA}> look",
    "@Adam look": "@Adam look",
    "mail ada@channel.org": "mail ada@channel.org",
    "@channel @here @everyone": "<!channel> <!here> <!everyone>",
    "@Roundtable analyze a & b": f"<@{BOT}> analyze a &amp; b",
    "<@U0PM00001> <!here>": "&lt;@U0PM00001&gt; &lt;!here&gt;",
    "see https://a.b/?x=1&y=2.": "see <https://a.b/?x=1&amp;y=2>.",
    "(https://a.b/@here)": "(<https://a.b/@here>)",
    "1 < 2 > 0 & so on": "1 &lt; 2 &gt; 0 &amp; so on",
}


@pytest.mark.parametrize(("line", "sent"), TYPED.items())
def test_what_is_typed_is_sent_as_slack_clients_send_it(line: str, sent: str) -> None:
    assert words.typed(line, {"Ada": ADA, "Roundtable": BOT}) == sent
    assert plain([], sent, NAMES).casefold() == line.casefold()


@given(st.text())
def test_typed_text_is_read_as_it_was_typed_and_is_never_live(line: str) -> None:
    assert words.unescape(words.escape(line)) == line
    assert words.mentioned(words.escape(line)) == []
    assert "@" in line or words.mentioned(words.typed(line, {})) == []


READ = {
    "*bold* _soft_ ~gone~ `code_with_*stars*`": "bold soft gone code_with_*stars*",
    "snake_case_name and 2*3*4": "snake_case_name and 2*3*4",
    "<https://a.b|label> <https://a.b> <#C1>": "label https://a.b #general",
    "<!date^1^{date}|May>": "May",
    "&lt;b&gt; &amp;amp;": "<b> &amp;",
    f"<@{ADA}> <!here>": "@Ada @here",
}


@pytest.mark.parametrize(("mrkdwn", "seen"), READ.items())
def test_mrkdwn_is_shown_as_a_reader_sees_it(mrkdwn: str, seen: str) -> None:
    assert plain([section(mrkdwn)], "fallback", NAMES) == seen


def test_every_block_is_shown_in_order() -> None:
    bullets = [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": f"item {n}"}]}
        for n in (1, 2)
    ]
    blocks = [
        {"type": "header", "text": {**PLAIN, "text": "Step 01-02"}},
        {"type": "markdown", "text": "## Heading\n**strong** [link](https://a.b) `a_b`"},
        {"type": "divider"},
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_list", "style": "ordered", "elements": bullets}],
        },
        {"type": "context", "elements": [SENTENCE, {**SENTENCE, "text": "_y_"}]},
        actions(button("Continue", "c"), button("Elaborate", "e"), overflow(2)),
    ]
    assert block_faults(blocks) == []
    assert plain(json.loads(json.dumps(blocks)), "fallback", NAMES) == (
        "Step 01-02\nHeading\nstrong link a_b\n1. item 1\n2. item 2\nx y\n[Continue] [Elaborate]"
    )


def test_every_rule_and_widget_of_the_table_is_one_that_there_is() -> None:
    shapes = [*SHAPES.values(), *RICH_PARTS.values(), *RICH_LEAVES.values()]
    shapes += [row.fields for row in BLOCKS.values()]
    shapes += [row.fields for row in ELEMENTS.values()]
    rules = [rule for fields in shapes for _, rule in fields]
    rules += [rule.of for rule in rules if rule.of is not None]
    assert {rule.kind for rule in rules} <= KINDS
    assert {row.widget for row in ELEMENTS.values()} == set(get_args(Widget))
    assert {row.value for row in ELEMENTS.values()} == set(get_args(ValueKind))
    assert {row.reading for row in BLOCKS.values()} == set(get_args(Reading))


def test_a_new_block_is_checked_read_and_drawn_by_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = {"kind": "words", "words": ["info", "error"], "optional": True}
    row = {"fields": {"text": {"kind": "text", "most": 9}, "level": levels}, "reads": ["text"]}
    monkeypatch.setitem(BLOCKS, "callout", block_of(row))
    callout = {"type": "callout", "block_id": "b", "text": {"type": "mrkdwn", "text": HERE}}
    assert block_faults([callout]) == []
    assert block_faults([callout | {"level": "loud", "text": said(10)}]) == [
        "[ERROR] must be less than 10 characters [json-pointer:/blocks/0/text/text]",
        "[ERROR] must be one of: info, error [json-pointer:/blocks/0/level]",
    ]
    assert plain([callout], "", NAMES) == "@here"
    assert notified([callout], "", NAMES) == ["@here"]
    assert 'class="bk-callout"' in message_body([callout], "", NAMES, scope="s")
