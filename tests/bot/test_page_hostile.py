"""Markup and scripts in every field that people or the bot can fill: nothing of it lives."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import actions, button, client, section
from tests.support.page import address, answered, choose, composer, line, say, with_page

EVIL = (
    """"><img src=x onerror="window.hit=1"><script>window.hit=1</script>'{{7*7}}${7*7}<b>bold</b>"""
)
SHORT = "<img src=x onerror=hit=1>"
LINK = "javascript:window.hit=1"


@pytest.fixture
def slack(patient_triggers: None) -> Iterator[LocalWorkspace]:
    people = ["Ada", f"Bob {SHORT}"]
    with with_page(people=people, channels=["general", f"den {SHORT}"]) as local:
        yield local


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def unharmed(page: Page) -> None:
    """No script ran, no element was made, and no address of ours is a script's."""
    assert page.evaluate("window.hit") is None
    assert page.locator("img, iframe, object, embed, body b b").count() == 0
    assert page.locator("script").count() == 1
    assert page.locator("[href^='javascript' i], [src^='javascript' i]").count() == 0
    events = "[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())"
    assert [name for name in page.evaluate(events) if name.startswith("on")] == []


def filled(slack: LocalWorkspace) -> str:
    web, channel = client(slack), slack.channel_id("general")
    bob = f"Bob {SHORT}"
    root = slack.say(bob, "general", EVIL)
    slack.say(bob, "general", f"{EVIL} @{bob} {LINK}", thread_ts=root, files=[f"{SHORT}.html"])
    slack.say(bob, "general", f"<{LINK}|click> <!here|{SHORT}>", literal=False)
    confirm = {name: plain(SHORT) for name in ("title", "text", "confirm", "deny")}
    menu = {
        "type": "static_select",
        "action_id": f"{SHORT}2",
        "placeholder": plain(SHORT),
        "options": [{"text": plain(SHORT), "value": SHORT, "description": plain(SHORT)}],
    }
    blocks = [
        {"type": "header", "text": plain(EVIL)},
        section(EVIL),
        {
            "type": "markdown",
            "text": f"{EVIL}\n\n[x]({LINK}) ![y]({LINK})\n\n<script>hit=1</script>",
        },
        {"type": "context", "elements": [{"type": "mrkdwn", "text": EVIL}]},
        actions(button(SHORT, SHORT, value=EVIL, confirm=confirm), menu),
    ]
    said = {"text": EVIL, "blocks": blocks, "username": EVIL, "icon_emoji": EVIL[:60]}
    web.chat_postMessage(channel=channel, **said)
    web.chat_postEphemeral(channel=channel, user=slack.user_id("Ada"), text=EVIL, username=EVIL)
    web.files_upload_v2(channel=channel, filename=f"{SHORT}.html", title=EVIL, content=EVIL)
    return root


def test_nothing_that_is_shown_runs(slack: LocalWorkspace, tab: Page) -> None:
    root = filled(slack)
    tab.goto(address(slack, "Ada", thread=root))
    expect(line(tab, EVIL, "thread").first).to_be_visible()
    unharmed(tab)
    with tab.expect_response("**/state?*"):
        filled(slack)  # and once more, drawn by the script
    expect(tab.locator("#list-channel .msg.private")).to_have_count(2)
    unharmed(tab)
    tab.get_by_role("button", name=SHORT, exact=True).first.click()
    expect(tab.locator("#title-confirm")).to_have_text(SHORT)
    unharmed(tab)


def test_nothing_that_is_typed_runs(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    say(tab, EVIL)
    mine = line(tab, EVIL)
    expect(mine).to_be_visible()
    choose(tab, mine, "Edit message")
    editor = tab.get_by_role("textbox", name="Edit your message")
    expect(editor).to_have_value(EVIL)
    editor.fill(f"again {EVIL}")
    editor.press("Enter")
    expect(mine).to_contain_text("again")
    composer(tab).type("@bob")
    expect(tab.get_by_role("option")).to_have_text(f"@Bob {SHORT}")
    composer(tab).fill(f"/roundtable {SHORT}")
    composer(tab).press("Enter")
    expect(composer(tab)).to_have_value("")
    unharmed(tab)


def test_nothing_in_a_form_or_on_the_home_runs(slack: LocalWorkspace, tab: Page) -> None:
    with answered(slack) as app:

        @app.action("open")
        def opened(ack: Any, body: dict[str, Any]) -> None:
            ack()
            element = {"type": "plain_text_input", "action_id": "a", "initial_value": EVIL}
            element["placeholder"] = plain(SHORT)
            form = {"type": "input", "block_id": "b", "label": plain(EVIL), "element": element}
            form |= {"hint": plain(EVIL)}
            view = {"type": "modal", "callback_id": "f", "blocks": [form, section(EVIL)]}
            view |= {name: plain("<script>hit=1") for name in ("title", "submit", "close")}
            client(slack).views_open(trigger_id=body["trigger_id"], view=view)

        @app.view("f")
        def sent(ack: Any) -> None:
            ack(response_action="errors", errors={"b": EVIL})

        @app.event("app_home_opened")
        def home(event: dict[str, Any]) -> None:
            blocks = [section(EVIL), actions(button("Open", "open", value="1"))]
            client(slack).views_publish(
                user_id=event["user"], view={"type": "home", "blocks": blocks}
            )

        tab.goto(address(slack, "Ada", "home"))
        tab.get_by_role("button", name="Open").click()
        form = tab.get_by_role("dialog")
        expect(form.get_by_role("textbox")).to_have_value(EVIL)
        unharmed(tab)
        form.get_by_role("button", name="<script>hit=1").last.click()
        expect(form.locator(".bk-error")).to_have_text(EVIL)
        unharmed(tab)


def test_half_a_character_of_the_bot_takes_no_page_down(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    client(slack).chat_postMessage(channel=slack.channel_id("general"), text="half \ud83d and on")
    expect(line(tab, "and on")).to_be_visible()
    tab.reload()
    expect(line(tab, "and on")).to_be_visible()
