"""The page for everybody: with a keyboard alone, with a screen reader, on a phone."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_support import actions, button, client, rich_text, section
from tests.support.browser import DESKTOP, PHONE, opened
from tests.support.page import address, answered, composer, line, say, with_page

BAD = ("serious", "critical")


@pytest.fixture
def slack(patient_triggers: None) -> Iterator[LocalWorkspace]:
    with with_page() as local:
        yield local


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, PHONE)


def faults(page: Page) -> list[str]:
    """What axe-core finds that keeps somebody out, with where it is."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in BAD
    ]


def furnished(slack: LocalWorkspace) -> str:
    """A channel with something of every kind in it; the ts of its thread's root."""
    web, channel = client(slack), slack.channel_id("general")
    root = slack.say("Ada", "general", "A *question* for @Bob Lee about `code`")
    slack.say("Bob Lee", "general", "An answer, https://example.com/there", thread_ts=root)
    slack.react("Bob Lee", "general", root, "eyes")
    slack.react("Ada", "general", root, "+1")
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "A step"}},
        section("*Bold* and > quoted"),
        rich_text({"type": "text", "text": "words", "style": {"code": True}}),
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "a quiet line"}]},
        actions(
            button("Go on", "go", value="1", style="primary"),
            {
                "type": "overflow",
                "action_id": "more",
                "options": [{"text": {"type": "plain_text", "text": "Pause"}, "value": "p"}],
            },
        ),
    ]
    posted = {"channel": channel, "text": "step", "blocks": blocks, "username": "Maya"}
    web.chat_postMessage(icon_emoji=":compass:", **posted)
    web.chat_postMessage(thread_ts=root, **posted)
    web.chat_postEphemeral(channel=channel, user=slack.user_id("Ada"), text="only for Ada")
    web.files_upload_v2(channel=channel, filename="notes.md", content="# Notes")
    gone = slack.say("Bob Lee", "general", "to be taken back")
    slack.say("Ada", "general", "too late", thread_ts=gone)
    slack.delete("Bob Lee", "general", gone)
    slack.say("Bob Lee", "private-den", "@Ada psst")
    return root


@pytest.fixture
def night(browser: Browser) -> Iterator[Page]:
    """A browser whose system is set to dark."""
    yield from opened(browser, DESKTOP, scheme="dark")


def test_the_page_is_dark_where_the_system_is_and_keeps_nobody_out(
    slack: LocalWorkspace, night: Page
) -> None:
    root = furnished(slack)
    night.goto(address(slack, "Ada", thread=root))
    expect(line(night, "An answer", "thread")).to_be_visible()
    ground = "getComputedStyle(document.body).backgroundColor"
    assert night.evaluate(ground) == "rgb(26, 31, 29)"
    assert faults(night) == []


def test_on_a_phone_the_actions_of_a_message_cover_none_of_its_text(
    slack: LocalWorkspace, phone: Page
) -> None:
    slack.say("Ada", "general", "Words that fill the whole line of a small screen " * 4)
    slack.say("Ada", "general", "A second message, under the first one's name " * 3)
    phone.goto(address(slack, "Ada"))
    expect(line(phone, "A second message")).to_be_visible()
    overlaps = phone.evaluate(
        """() => [...document.querySelectorAll("main .msg")].filter((message) => {
            const actions = message.querySelector(".more").getBoundingClientRect();
            const range = document.createRange();
            range.selectNodeContents(message.querySelector(".msg-body"));
            return [...range.getClientRects()].some((line) => line.right > actions.left
                && line.left < actions.right
                && line.bottom > actions.top && line.top < actions.bottom);
        }).length"""
    )
    assert overlaps == 0


def test_a_menu_at_the_foot_of_a_thread_opens_above_the_composer(
    slack: LocalWorkspace, tab: Page
) -> None:
    web, channel = client(slack), slack.channel_id("general")
    options = [
        {"text": {"type": "plain_text", "text": f"Choice {number}"}, "value": str(number)}
        for number in range(5)
    ]
    overflow = {"type": "overflow", "action_id": "more", "options": options}
    for number in range(30):
        web.chat_postMessage(channel=channel, text=f"Line {number}")
    web.chat_postMessage(channel=channel, text="last", blocks=[section("Last"), actions(overflow)])
    tab.goto(address(slack, "Ada"))
    tab.locator("main .bk-overflow > summary").last.click()
    menu = tab.locator("main .bk-overflow[open] .bk-menu")
    expect(menu).to_be_visible()
    pane = tab.locator("main .scroll").bounding_box()
    box = menu.bounding_box()
    assert pane is not None
    assert box is not None
    assert box["y"] + box["height"] <= pane["y"] + pane["height"]
    assert box["y"] >= pane["y"]


def test_the_channel_and_the_thread_keep_nobody_out(slack: LocalWorkspace, tab: Page) -> None:
    root = furnished(slack)
    tab.goto(address(slack, "Ada", thread=root))
    expect(line(tab, "An answer", "thread")).to_be_visible()
    assert faults(tab) == []
    assert [one.text_content() for one in tab.get_by_role("heading", level=1).all()] == [
        "Local workspace"
    ]


def test_menus_suggestions_and_questions_keep_nobody_out(slack: LocalWorkspace, tab: Page) -> None:
    slack.say("Ada", "general", "mine")
    tab.goto(address(slack, "Ada"))
    composer(tab).type("/round")
    expect(tab.get_by_role("option").first).to_be_visible()
    assert faults(tab) == []
    composer(tab).fill("")
    line(tab, "mine").hover()
    tab.get_by_role("button", name="Actions for").click()
    assert faults(tab) == []
    tab.get_by_role("menuitem", name="Delete message").click()
    expect(tab.get_by_role("dialog", name="Delete message")).to_be_visible()
    assert faults(tab) == []


def test_the_trouble_panel_keeps_nobody_out(slack: LocalWorkspace, tab: Page) -> None:
    slack.inject("429", retry_after=3)
    slack.inject("revoke")
    tab.goto(address(slack, "Ada"))
    tab.get_by_role("button", name="Make trouble").click()
    expect(tab.get_by_role("dialog", name="Make trouble")).to_be_visible()
    assert faults(tab) == []


def test_a_home_and_a_form_keep_nobody_out(slack: LocalWorkspace, tab: Page) -> None:
    with answered(slack) as app:

        @app.action("open")
        def opened_form(ack, body) -> None:  # type: ignore[no-untyped-def]
            ack()
            text = {"type": "plain_text", "text": "Where"}
            element = {"type": "channels_select", "action_id": "where"}
            blocks = [
                {"type": "input", "label": text, "element": element},
                {
                    "type": "input",
                    "label": {"type": "plain_text", "text": "Why"},
                    "hint": {"type": "plain_text", "text": "In a word"},
                    "element": {"type": "plain_text_input", "action_id": "why"},
                },
            ]
            view = {"type": "modal", "title": text, "submit": text, "blocks": blocks}
            client(slack).views_open(trigger_id=body["trigger_id"], view=view)

        blocks = [section("Hello"), actions(button("Open", "open", value="1"))]
        view = {"type": "home", "blocks": blocks}
        client(slack).views_publish(user_id=slack.user_id("Ada"), view=view)
        tab.goto(address(slack, "Ada", "home"))
        expect(tab.get_by_text("Hello")).to_be_visible()
        assert faults(tab) == []
        tab.get_by_role("button", name="Open").click()
        form = tab.get_by_role("dialog", name="Where")
        expect(form.get_by_label("Where")).to_be_focused()
        form.get_by_role("button", name="Where").click()
        expect(form.get_by_text("Please complete this required field.").first).to_be_visible()
        assert faults(tab) == []
        form.get_by_label("Why").press("Escape")
        expect(form).to_have_count(0)


def test_everything_is_reached_and_done_with_the_keyboard(slack: LocalWorkspace, tab: Page) -> None:
    root = slack.say("Ada", "general", "the question")
    tab.goto(address(slack, "Ada"))
    expect(composer(tab)).to_be_focused()
    composer(tab).press("Shift+Tab")  # the last message's menu
    opener = tab.get_by_role("button", name="Actions for the message of Ada")
    expect(opener).to_be_focused()
    tab.keyboard.press("Enter")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")  # the second reaction
    expect(tab.get_by_role("button", name=":-1: Ada")).to_be_visible()
    expect(opener).to_be_focused()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("menu")).to_be_hidden()
    expect(opener).to_be_focused()
    tab.keyboard.press("Enter")
    tab.get_by_role("menuitem", name="Reply in thread").press("Enter")
    expect(composer(tab, "thread")).to_be_focused()
    tab.keyboard.type("an answer")
    tab.keyboard.press("Enter")
    expect(line(tab, "an answer", "thread")).to_be_visible()
    assert [one.text for one in slack.messages("general", thread_ts=root)][-1] == "an answer"


def test_the_first_stop_of_the_keyboard_leads_past_the_sidebar(
    slack: LocalWorkspace, tab: Page
) -> None:
    tab.goto(address(slack, "Ada"))
    skip = tab.get_by_role("link", name="Skip to the messages")
    skip.focus()
    skip.press("Enter")
    expect(tab.get_by_role("region", name="Messages in #general")).to_be_focused()


def test_new_messages_of_others_are_read_out_and_ones_own_are_not(
    slack: LocalWorkspace, tab: Page
) -> None:
    tab.goto(address(slack, "Ada"))
    slack.say("Bob Lee", "general", "Good morning")
    expect(tab.locator("#live")).to_have_text("Bob Lee: Good morning")
    say(tab, "Good morning to you")
    expect(line(tab, "Good morning to you")).to_be_visible()
    expect(tab.locator("#live")).to_have_text("Bob Lee: Good morning")


def test_a_redrawn_message_keeps_the_focus_of_its_button(slack: LocalWorkspace, tab: Page) -> None:
    web, channel = client(slack), slack.channel_id("general")
    blocks = [actions(button("Continue", "go", value="1"), button("Pause", "stop", value="2"))]
    ts = web.chat_postMessage(channel=channel, text="menu", blocks=blocks)["ts"]
    tab.goto(address(slack, "Ada"))
    tab.get_by_role("button", name="Pause").focus()
    web.chat_update(channel=channel, ts=ts, text="menu", blocks=[section("News"), *blocks])
    expect(line(tab, "News")).to_be_visible()
    expect(tab.get_by_role("button", name="Pause")).to_be_focused()


def test_on_a_phone_one_pane_is_seen_at_a_time_and_links_lead_back(
    slack: LocalWorkspace, phone: Page
) -> None:
    root = furnished(slack)
    phone.goto(f"{slack.page_url}?as={slack.user_id('Ada')}")
    channels = phone.get_by_role("navigation", name="Workspace")
    expect(channels).to_be_visible()
    expect(phone.get_by_role("main")).to_be_hidden()
    assert faults(phone) == []
    channels.get_by_role("link", name="general").click()
    expect(line(phone, "A question")).to_be_visible()
    expect(channels).to_be_hidden()
    assert faults(phone) == []
    phone.get_by_role("link", name="2 replies").click()
    expect(phone.get_by_role("heading", name="Thread")).to_be_visible()
    expect(phone.get_by_role("main")).to_be_hidden()
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert faults(phone) == []
    say(phone, "typed on a phone", "thread")
    expect(line(phone, "typed on a phone", "thread")).to_be_in_viewport()
    phone.get_by_role("link", name="Back to #general").click()
    expect(phone.get_by_role("heading", name="# general")).to_be_visible()
    phone.get_by_role("link", name="Back to the list").click()
    expect(channels).to_be_visible()
    assert root


def test_on_a_phone_what_is_not_in_sight_stays_unread(slack: LocalWorkspace, phone: Page) -> None:
    phone.goto(f"{slack.page_url}?as={slack.user_id('Ada')}")
    general = phone.get_by_role("link", name="general")
    slack.say("Bob Lee", "general", "psst")
    expect(general).to_contain_text("new messages")
    general.click()
    expect(line(phone, "psst")).to_be_visible()
    phone.get_by_role("link", name="Back to the list").click()
    expect(general).not_to_contain_text("new messages")
