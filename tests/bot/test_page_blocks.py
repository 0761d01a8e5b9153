"""Block Kit in the page: every block and every control, as a browser would read it."""

import json
from typing import Any

import pytest

from bot.local.page.blocks import emoji_of, message_body, view_body
from bot.local.render import Names
from tests.bot.page_reading import Read, assert_harmless

Json = dict[str, Any]
NAMES = Names({"U1": "Ada", "U2": "Bob Lee"}, {"C1": "general", "G1": "private-den"})


def plain(text: str, **extra: Any) -> Json:
    return {"type": "plain_text", "text": text, **extra}


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text}


def shown(*blocks: Json) -> Read:
    return assert_harmless(message_body(blocks, "fallback", NAMES, scope="1.2", viewer="U1"))


def said(text: str) -> Read:
    return assert_harmless(message_body([], text, NAMES, scope="1.2", viewer="U1"))


def modal(*blocks: Json, **extra: Any) -> Read:
    return assert_harmless(
        view_body({"id": "V1", "type": "modal", "blocks": list(blocks)}, NAMES, **extra)
    )


def test_a_message_without_blocks_shows_its_text() -> None:
    assert said("Hello *world*").one("strong").text == "world"


def test_a_header_is_one() -> None:
    assert shown({"type": "header", "text": plain("Steps")}).one("h3").text == "Steps"


def test_what_is_not_known_is_a_grey_line() -> None:
    (line,) = shown({"type": "carousel"}).classed("bk-unshown")
    assert line.text == "This part can't be shown here"


def test_a_button_says_what_it_does_when_pressed() -> None:
    button = {
        "type": "button",
        "text": plain("Go on"),
        "action_id": "menu:continue",
        "value": '"><script>',
        "style": "primary",
        "confirm": {
            "title": plain("Sure?"),
            "text": mrkdwn("It *ends* here, <@U1>"),
            "confirm": plain("Yes"),
            "deny": plain("No"),
            "style": "danger",
        },
    }
    pressed = shown({"type": "actions", "block_id": "b1", "elements": [button]}).one("button")
    assert pressed.text == "Go on"
    assert pressed.attributes["type"] == "button"
    assert pressed.attributes["class"] == "bk-button bk-primary"
    assert pressed.attributes["data-action-id"] == "menu:continue"
    assert pressed.attributes["data-block-id"] == "b1"
    assert pressed.attributes["data-value"] == '"><script>'
    assert json.loads(pressed.attributes["data-confirm"]) == {
        "title": "Sure?",
        "text": "It ends here, @Ada",
        "confirm": "Yes",
        "deny": "No",
        "style": "danger",
    }


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//evil", "/x", "ftp://x"]
)
def test_a_button_leads_to_the_web_only(url: str) -> None:
    button = {"type": "button", "text": plain("Go"), "action_id": "a", "url": url}
    read = shown({"type": "actions", "block_id": "b", "elements": [button]})
    assert read.all("a") == []
    assert read.one("button").attributes["data-action-id"] == "a"


def test_a_button_with_an_address_is_a_link_that_still_tells_the_app() -> None:
    button = {
        "type": "button",
        "text": plain("Go"),
        "action_id": "a",
        "url": "https://x.test/?a=1&b",
    }
    link = shown({"type": "actions", "block_id": "b", "elements": [button]}).one("a")
    assert link.attributes["href"] == "https://x.test/?a=1&b"
    assert link.attributes["data-action-id"] == "a"


def test_emoji_have_their_slack_names() -> None:
    assert [emoji_of(name) for name in (":+1:", "tada", "flag-nz", "female-technologist")] == [
        "👍",
        "🎉",
        "🇳🇿",
        "👩‍💻",
    ]
    assert emoji_of(":wave::skin-tone-4:") == "👋🏽"
    assert emoji_of("our-own") == ":our-own:"


def test_a_form_names_its_controls_and_ties_errors_to_them() -> None:
    title = {
        "type": "input",
        "block_id": "title",
        "label": plain("Title"),
        "hint": plain("Short"),
        "element": {"type": "plain_text_input", "action_id": "t", "max_length": 80},
    }
    read = modal(title, errors={"title": "Too long"}, values={"title|t": "x<y"})
    field = read.one("input")
    assert field.attributes["name"] == "title|t"
    assert field.attributes["value"] == "x<y"
    assert field.attributes["maxlength"] == "80"
    assert field.attributes["aria-invalid"] == "true"
    assert "required" in field.attributes
    assert read.one("label").attributes["for"] == field.attributes["id"]
    described = field.attributes["aria-describedby"].split()
    assert [read.one(id=one).text for one in described] == ["Short", "Too long"]
