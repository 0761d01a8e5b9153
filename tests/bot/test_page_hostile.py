"""Whatever stands in a block, the page shows it as text: nothing runs, nothing leaves its place."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.local.blocks import INPUTS
from bot.local.page.blocks import message_body, view_body
from bot.local.page.html import clean
from bot.local.render import Names
from bot.local.text import escape, unescape
from tests.bot.page_reading import Read, assert_harmless
from tests.bot.test_views_limits import HOSTILE, SURFACES

Json = dict[str, Any]

FRAGMENTS = st.sampled_from(
    [
        "<script>alert(1)</script>",
        '" onmouseover="alert(1)',
        "' autofocus onfocus='x",
        "javascript:alert(1)",
        "<javascript:alert(1)|x>",
        '<https://x.test/"onclick=x|y>',
        "[x](javascript:alert(1))",
        "![x](data:text/html,y)",
        "<!--",
        "-->",
        "</textarea>",
        "</pre></code>",
        "]]>",
        "&lt;",
        "&amp;lt;",
        "&#60;",
        "<@U1>",
        "<!here|<b>>",
        "<!date^1^{date}^javascript:x|y>",
        "```",
        "`",
        "*",
        "_",
        "~",
        "> ",
        "&gt;&gt;&gt;",
        ":tada:",
        "|---|",
        "- [x] ",
        "\n",
        "\r\n",
        "\x00",
        "\ud800",
        "\u202e",
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=8), min_size=1, max_size=8).map("".join)
NAMES = Names({"U1": "<b>Ada</b>"}, {"C1": '"general"'})


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text, "emoji": False}


def message(*blocks: Json) -> Read:
    return assert_harmless(message_body(blocks, "", NAMES, scope='1"2', viewer="U1"))


def form(block: Json, **more: Any) -> Read:
    return assert_harmless(view_body({"type": "modal", "blocks": [block]}, NAMES, **more))


def read_of(text: str) -> str:
    """What a reader sees of a plain_text object."""
    return clean(unescape(text))


@given(TEXTS)
def test_plain_text_is_read_as_it_is(text: str) -> None:
    option = {"text": plain(text), "value": text, "description": plain(text)}
    confirm = {name: plain(text) for name in ("title", "text", "confirm", "deny")}
    button = {
        "type": "button",
        "text": plain(text),
        "action_id": text,
        "value": text,
        "accessibility_label": text,
        "confirm": confirm,
    }
    menu = {"type": "overflow", "action_id": text, "options": [option]}
    shown = message(
        {"type": "header", "text": plain(text)},
        {"type": "section", "text": plain(text), "fields": [plain(text)], "accessory": menu},
        {"type": "context", "elements": [plain(text)]},
        {"type": "actions", "block_id": text, "elements": [button]},
        {"type": "image", "image_url": "https://x.test/p", "alt_text": text, "title": plain(text)},
    )
    read = read_of(text)
    assert shown.one("h3").text == read
    assert [one.text for one in shown.classed("bk-section-body")] == [read * 2]
    assert shown.one("figcaption").text == read
    assert shown.one("img").attributes["alt"] == clean(text)
    pressed = shown.classed("bk-button")[0]
    assert pressed.text == read
    for name in ("data-value", "data-action-id", "data-block-id", "aria-label"):
        assert pressed.attributes[name] == clean(text)
    assert set(json.loads(pressed.attributes["data-confirm"]).values()) == {read}
    chosen = shown.classed("bk-choice")[0]
    assert (chosen.text, chosen.attributes["data-value"]) == (read * 2, clean(text))


@given(TEXTS)
def test_rich_text_is_read_as_it_is(text: str) -> None:
    style = {"bold": True, "italic": True, "strike": True}
    leaf = {"type": "text", "text": text, "style": style}
    code = {"type": "text", "text": text, "style": {"code": True}}
    linked = {"type": "link", "url": text, "text": text}
    section = {"type": "rich_text_section", "elements": [leaf, code, linked]}
    shown = message(
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_list", "style": "ordered", "elements": [section]},
                {"type": "rich_text_quote", "elements": [leaf]},
                {"type": "rich_text_preformatted", "elements": [leaf]},
            ],
        }
    )
    read = clean(text)
    assert shown.one("li").text == read * 3
    assert (shown.one("blockquote").text, shown.one("pre").text) == (read, read)


@given(TEXTS)
def test_whatever_markup_is_tried_nothing_comes_of_it(text: str) -> None:
    mrkdwn = {"type": "mrkdwn", "text": text}
    assert_harmless(message_body([], text, NAMES, scope="1"))
    message(
        {"type": "section", "text": mrkdwn, "fields": [mrkdwn]},
        {"type": "context", "elements": [mrkdwn]},
        {"type": "markdown", "text": text},
    )


@given(st.text(st.characters(exclude_characters="*_~`:", exclude_categories=["Cs"])))
def test_escaped_text_without_marks_is_read_as_it_is(text: str) -> None:
    quoted = any(line.startswith(">") for line in clean(text).split("\n"))
    if quoted or "http" in text:
        return
    shown = assert_harmless(message_body([], escape(clean(text)), NAMES, scope="1"))
    assert shown.text == clean(text)


@given(TEXTS)
def test_a_form_shows_what_was_written_as_it_was(text: str) -> None:
    for multiline in (False, True):
        element = {"type": "plain_text_input", "action_id": "a", "multiline": multiline}
        block = {
            "type": "input",
            "block_id": "b",
            "label": plain(text),
            "hint": plain(text),
            "element": element | {"placeholder": plain(text)},
        }
        shown = form(block, values={"b|a": text}, errors={"b": text or "?"})
        assert shown.one("label").text == read_of(text)
        assert shown.classed("bk-hint")[0].text == read_of(text)
        assert shown.classed("bk-error")[0].text == clean(text or "?")
        field = shown.one("textarea" if multiline else "input")
        assert field.attributes["placeholder"] == read_of(text)
        # A browser drops the line end that opens a textarea.
        written = field.text.removeprefix("\n") if multiline else field.attributes["value"]
        assert written == clean(text)


@given(TEXTS, st.sampled_from(sorted(INPUTS)))
def test_every_control_keeps_its_options_in_place(text: str, kind: str) -> None:
    option = {"text": plain(text), "value": text}
    element = {
        "type": kind,
        "action_id": text,
        "placeholder": plain(text),
        "options": [option],
        "initial_option": option,
        "initial_options": [option],
        "initial_value": text,
        "initial_user": text,
        "initial_date": text,
        "filetypes": [text],
        "max_length": text,
    }
    label = plain(text)
    form({"type": "input", "block_id": text, "label": label, "element": element})
    form({"type": "input", "block_id": text, "label": label, "optional": True, "element": element})
    message({"type": "actions", "block_id": text, "elements": [element]})


BLOCK_KEYS = st.sampled_from(
    [
        "type",
        "text",
        "elements",
        "element",
        "fields",
        "accessory",
        "options",
        "style",
        "url",
        "label",
    ]
)
BLOCK_WORDS = st.sampled_from(
    ["section", "rich_text", "rich_text_section", "rich_text_list", "actions", "button", "mrkdwn",
     "plain_text", "text", "link", "date", "input", "static_select", "image", "context", "ordered"]
)  # fmt: skip
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | BLOCK_WORDS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(BLOCK_KEYS, inner, max_size=5),
    max_leaves=12,
)


@given(st.dictionaries(BLOCK_KEYS, ODD, max_size=6))
def test_a_block_of_any_shape_is_shown_or_is_a_grey_line(block: Json) -> None:
    message(block)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("hostile", ["mrkdwn", "links", "mentions", "disguised", "controls", "one"])
def test_every_message_of_the_product_can_be_shown(surface: str, hostile: str) -> None:
    shown: Any = SURFACES[surface](HOSTILE[hostile])
    names: Mapping[str, str] = {}
    read = assert_harmless(
        message_body(shown.blocks, shown.text, Names(names, names), scope=surface)
    )
    assert read.classed("bk-unshown") == []
    assert read.text.strip()
