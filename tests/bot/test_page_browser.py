"""The page of the local workspace as a person uses it: a real browser, clicking and typing."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bot.devtools.workspace import LocalWorkspace
from bot.views.kit.wording import WORDING, command_notes
from tests.bot.test_local_support import actions, button, client, section
from tests.support.page import WAIT_MS, address, answered, choose, composer, line, say, with_page
from tests.support.waiting import wait_until


@pytest.fixture
def slack(patient_triggers: None) -> Iterator[LocalWorkspace]:
    with with_page() as local:
        yield local


def test_what_one_person_says_another_sees_at_once(
    slack: LocalWorkspace, tab: Page, browser: Browser
) -> None:
    tab.goto(address(slack, "Ada"))
    with browser.new_context() as context:
        other = context.new_page()
        other.goto(address(slack, "Bob Lee"))
        say(tab, "Hello @Bob Lee")
        expect(line(other, "Hello @Bob Lee")).to_be_visible()
    expect(composer(tab)).to_have_value("")
    assert slack.messages("general")[0].text == f"Hello <@{slack.user_id('Bob Lee')}>"


def test_shift_and_enter_makes_a_new_line(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    composer(tab).type("one")
    composer(tab).press("Shift+Enter")
    composer(tab).type("two")
    composer(tab).press("Enter")
    expect(line(tab, "one")).to_be_visible()
    assert [message.text for message in slack.messages("general")] == ["one\ntwo"]


def test_a_thread_opens_beside_its_channel_and_takes_replies(
    slack: LocalWorkspace, tab: Page
) -> None:
    root = slack.say("Ada", "general", "the question")
    slack.say("Bob Lee", "general", "first answer", thread_ts=root)
    tab.goto(address(slack, "Ada"))
    tab.get_by_role("link", name="1 reply 1 new").click()
    expect(line(tab, "first answer", "thread")).to_be_visible()
    say(tab, "second answer", "thread")
    expect(line(tab, "second answer", "thread")).to_be_visible()
    expect(tab.get_by_role("link", name="2 replies Bob Lee, Ada")).to_be_visible()
    assert [one.text for one in slack.messages("general", thread_ts=root)][-1] == "second answer"
    tab.get_by_role("link", name="Close the thread").click()
    expect(tab.locator("#thread")).to_be_hidden()


def test_half_typed_text_focus_and_place_survive_what_others_do(
    slack: LocalWorkspace, tab: Page
) -> None:
    for number in range(60):
        slack.say("Bob Lee", "general", f"line {number}")
    tab.goto(address(slack, "Ada"))
    scroller = tab.locator("#scroll-channel")
    scroller.evaluate("one => { one.scrollTop = 300; }")
    composer(tab).type("half a thou")
    slack.say("Bob Lee", "general", "meanwhile")
    expect(tab.get_by_role("button", name="New messages")).to_be_visible()
    expect(composer(tab)).to_have_value("half a thou")
    expect(composer(tab)).to_be_focused()
    assert scroller.evaluate("one => one.scrollTop") == 300
    tab.get_by_role("button", name="New messages").click()
    expect(line(tab, "meanwhile")).to_be_in_viewport()


def test_ones_own_message_is_edited_and_deleted_from_its_menu(
    slack: LocalWorkspace, tab: Page
) -> None:
    slack.say("Ada", "general", "Hello @Bob Lee & all")
    tab.goto(address(slack, "Ada"))
    choose(tab, line(tab, "Hello"), "Edit message")
    editor = tab.get_by_role("textbox", name="Edit your message")
    expect(editor).to_have_value("Hello @Bob Lee & all")
    editor.fill("Good day @Bob Lee & all")
    editor.press("Enter")
    expect(line(tab, "Good day @Bob Lee & all")).to_contain_text("(edited)")
    mention = f"<@{slack.user_id('Bob Lee')}>"
    assert [one.text for one in slack.messages("general")] == [f"Good day {mention} &amp; all"]
    choose(tab, line(tab, "Good day"), "Delete message")
    tab.get_by_role("button", name="Delete", exact=True).click()
    expect(line(tab, "Good day")).to_have_count(0)
    assert slack.messages("general") == []


def test_others_messages_cannot_be_edited_here(slack: LocalWorkspace, tab: Page) -> None:
    slack.say("Bob Lee", "general", "mine")
    tab.goto(address(slack, "Ada"))
    line(tab, "mine").hover()
    tab.get_by_role("button", name="Actions for").click()
    expect(tab.get_by_role("menuitem", name="Copy link")).to_be_visible()
    expect(tab.get_by_role("menuitem", name="Edit message")).to_have_count(0)


def test_reactions_are_given_and_taken_back(slack: LocalWorkspace, tab: Page) -> None:
    ts = slack.say("Bob Lee", "general", "shall we?")
    slack.react("Bob Lee", "general", ts, "eyes")
    tab.goto(address(slack, "Ada"))
    choose(tab, line(tab, "shall we?"), "React with +1")
    mine = tab.get_by_role("button", name=":+1: Ada")
    expect(mine).to_have_attribute("aria-pressed", "true")
    tab.get_by_role("button", name=":eyes: Bob Lee").click()
    expect(tab.get_by_role("button", name=":eyes: Bob Lee, Ada")).to_be_visible()
    mine.click()
    expect(mine).to_have_count(0)
    (message,) = slack.messages("general")
    assert message.reactions == {"eyes": ("Bob Lee", "Ada")}


def test_a_command_is_suggested_completed_and_answered_only_to_its_person(
    slack: LocalWorkspace, tab: Page
) -> None:
    with answered(slack) as app:

        @app.command("/roundtable")
        def told(ack: Any, command: dict[str, Any]) -> None:
            ack(f"You said: {command['text']}")

        tab.goto(address(slack, "Ada"))
        composer(tab).type("/round")
        expect(tab.get_by_role("option", name="/roundtable analyze <title>")).to_be_visible()
        composer(tab).press("Enter")
        expect(composer(tab)).to_have_value("/roundtable analyze ")
        composer(tab).type("a lamp")
        composer(tab).press("Enter")
        ephemeral = line(tab, "You said: analyze a lamp")
        expect(ephemeral).to_contain_text("Only visible to you")
        tab.goto(address(slack, "Bob Lee"))
        expect(tab.get_by_role("heading", name="# general")).to_be_visible()
        expect(ephemeral).to_have_count(0)
        tab.goto(address(slack, "Ada"))
        ephemeral.get_by_role("button", name="Dismiss").click()
        expect(ephemeral).to_have_count(0)


def test_every_command_is_listed_with_what_it_does(tab: Page) -> None:
    with with_page(command_notes=command_notes()) as slack:
        tab.goto(address(slack, "Ada"))
        composer(tab).type("/")
        options = tab.get_by_role("option").all_inner_texts()
        assert len(options) == len(WORDING.commands)
        for option, (_, what) in zip(options, WORDING.commands.items(), strict=True):
            assert option.endswith(what)


def test_an_empty_channel_says_how_to_begin(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    expect(tab.get_by_text("Type /roundtable analyze <title> below to begin")).to_be_visible()
    slack.say("Ada", "general", "Hello")
    expect(line(tab, "Hello")).to_be_visible()
    expect(tab.get_by_text("below to begin")).to_be_hidden()


def test_the_sidebar_says_when_the_bot_is_connected_and_when_no_more(
    slack: LocalWorkspace, tab: Page
) -> None:
    tab.goto(address(slack, "Ada"))
    state = tab.locator("#sidebar .state")
    expect(state).to_have_text("Roundtable is not connected")
    with answered(slack):
        expect(state).to_have_text("Roundtable is connected")
    expect(state).to_have_text("Roundtable is not connected")


def test_a_name_is_completed_after_an_at(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    composer(tab).type("Hi @bob")
    expect(tab.get_by_role("option", name="@Bob Lee")).to_be_visible()
    composer(tab).press("ArrowDown")
    composer(tab).press("Tab")
    expect(composer(tab)).to_have_value("Hi @Bob Lee ")


def test_a_button_acts_after_its_question_is_confirmed(slack: LocalWorkspace, tab: Page) -> None:
    words = {"title": "Sure?", "text": "It is for good.", "confirm": "Yes", "deny": "No"}
    question = {key: {"type": "plain_text", "text": text} for key, text in words.items()}
    clicked: list[str] = []
    with answered(slack) as app:

        @app.action("end")
        def ended(ack: Any, action: dict[str, Any], respond: Any) -> None:
            ack()
            clicked.append(action["value"])
            respond(replace_original=True, text="It is over.")

        client(slack).chat_postMessage(
            channel=slack.channel_id("general"),
            text="menu",
            blocks=[section("Well?"), actions(button("End", "end", value="m1", confirm=question))],
        )
        tab.goto(address(slack, "Ada"))
        tab.get_by_role("button", name="End", exact=True).click()
        dialog = tab.get_by_role("dialog", name="Sure?")
        expect(dialog).to_contain_text("It is for good.")
        dialog.get_by_role("button", name="No").click()
        expect(dialog).to_be_hidden()
        assert clicked == []
        tab.get_by_role("button", name="End", exact=True).dispatch_event("click")
        dialog.get_by_role("button", name="Yes").click()
        expect(line(tab, "It is over.")).to_be_visible()
        assert clicked == ["m1"]


FORM = {
    "type": "modal",
    "callback_id": "start",
    "title": {"type": "plain_text", "text": "Start"},
    "submit": {"type": "plain_text", "text": "Begin"},
    "blocks": [
        {
            "type": "input",
            "block_id": "title",
            "label": {"type": "plain_text", "text": "Title"},
            "element": {"type": "plain_text_input", "action_id": "text"},
        },
        {
            "type": "input",
            "block_id": "why",
            "optional": True,
            "label": {"type": "plain_text", "text": "Why"},
            "element": {"type": "plain_text_input", "action_id": "text", "multiline": True},
        },
    ],
}


def test_a_form_says_what_is_wrong_keeps_what_is_typed_and_is_sent(
    slack: LocalWorkspace, tab: Page
) -> None:
    sent: list[Any] = []
    with answered(slack) as app:

        @app.action("open")
        def opened(ack: Any, body: dict[str, Any]) -> None:
            ack()
            client(slack).views_open(trigger_id=body["trigger_id"], view=FORM)

        @app.view("start")
        def started(ack: Any, view: dict[str, Any]) -> None:
            values = view["state"]["values"]
            if values["title"]["text"]["value"] == "taken":
                ack(response_action="errors", errors={"title": "That title is taken."})
                return
            ack()
            sent.append({block: one["text"]["value"] for block, one in values.items()})

        client(slack).chat_postMessage(
            channel=slack.channel_id("general"),
            text="x",
            blocks=[actions(button("Start", "open", value="1"))],
        )
        tab.goto(address(slack, "Ada"))
        tab.get_by_role("button", name="Start", exact=True).click()
        form = tab.get_by_role("dialog", name="Start")
        form.get_by_label("Why").fill("because of <b>this</b>")
        form.get_by_role("button", name="Begin").click()
        expect(form).to_contain_text("Please complete this required field.")
        form.get_by_label("Title").fill("taken")
        form.get_by_role("button", name="Begin").click()
        expect(form).to_contain_text("That title is taken.")
        expect(form.get_by_label("Why")).to_have_value("because of <b>this</b>")
        form.get_by_label("Title").fill("a lamp")
        form.get_by_role("button", name="Begin").click()
        expect(form).to_have_count(0)
        wait_until(lambda: sent)
        assert sent == [{"title": "a lamp", "why": "because of <b>this</b>"}]


def test_unread_marks_come_and_go(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    den = tab.get_by_role("link", name="private-den")
    slack.say("Bob Lee", "private-den", "psst @Ada")
    expect(den).to_contain_text("new messages")
    expect(den).to_contain_text("mentions: 1")
    den.click()
    expect(line(tab, "psst")).to_be_visible()
    expect(den).not_to_contain_text("new messages")
    expect(den).not_to_contain_text("mentions")


def test_a_permalink_shows_its_message_in_the_open_thread(slack: LocalWorkspace, tab: Page) -> None:
    root = slack.say("Ada", "general", "the question")
    reply = slack.say("Bob Lee", "general", "the answer", thread_ts=root)
    for number in range(150):
        slack.say("Bob Lee", "general", f"line {number}")
    link = f"{slack.workspace_url}archives/C0CH00001/p{reply.replace('.', '')}?thread_ts={root}"
    slack.say("Bob Lee", "private-den", f"See {link}")
    tab.goto(address(slack, "Ada", f"c/{slack.channel_id('private-den')}"))
    line(tab, "See").get_by_role("link", name="archives").click()
    found = line(tab, "the answer", "thread")
    expect(found).to_have_class("msg at")
    expect(found).to_be_in_viewport()
    expect(line(tab, "the question").first).to_be_in_viewport()


def test_a_long_channel_shows_its_end_and_more_on_demand(slack: LocalWorkspace, tab: Page) -> None:
    for number in range(130):
        slack.say("Bob Lee", "general", f"line {number:03}")
    tab.goto(address(slack, "Ada"))
    expect(tab.locator("#list-channel .msg")).to_have_count(100)
    expect(line(tab, "line 129")).to_be_in_viewport()
    tab.get_by_role("link", name="Show earlier messages").click()
    expect(tab.locator("#list-channel .msg")).to_have_count(130)
    slack.say("Bob Lee", "general", "line 130")
    expect(line(tab, "line 130")).to_be_attached()
    expect(tab.locator("#list-channel .msg")).to_have_count(131)


def test_trouble_is_planned_shown_and_cleared(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    tab.get_by_role("button", name="Make trouble").click()
    panel = tab.get_by_role("dialog", name="Make trouble")
    panel.get_by_label("Seconds").fill("7")
    panel.get_by_label("How often").fill("2")
    panel.get_by_role("button", name="Plan it").click()
    expect(panel).to_contain_text("Too many requests (429), wait 7 s, 2 times")
    with pytest.raises(Exception, match="ratelimited"):
        client(slack).chat_postMessage(channel=slack.channel_id("general"), text="hi")
    expect(panel).to_contain_text("wait 7 s, once")
    panel.get_by_label("What happens").select_option("revoke")
    panel.get_by_role("button", name="Plan it").click()
    panel.get_by_role("button", name="Give it back").click()
    expect(panel).not_to_contain_text("The token is revoked")
    panel.get_by_role("button", name="Clear all").click()
    expect(panel).to_contain_text("Nothing is planned.")


def test_the_bots_connection_is_seen_and_can_be_cut(slack: LocalWorkspace, tab: Page) -> None:
    tab.goto(address(slack, "Ada"))
    expect(tab.get_by_text("Roundtable is not connected")).to_be_visible()
    url = client(slack).apps_connections_open(app_token=slack.app_token)["url"]
    with connect(url) as connection:
        expect(tab.get_by_text("Roundtable is connected")).to_be_visible()
        tab.get_by_role("button", name="Make trouble").click()
        tab.get_by_role("button", name="Disconnect Roundtable now").click()
        assert "hello" in str(connection.recv(timeout=WAIT_MS / 1000))
        with pytest.raises(ConnectionClosed):
            connection.recv(timeout=WAIT_MS / 1000)
    expect(tab.get_by_text("Roundtable is not connected")).to_be_attached()


def test_the_home_is_opened_for_its_person_and_shows_what_is_published(
    slack: LocalWorkspace, tab: Page
) -> None:
    with answered(slack) as app:

        @app.event("app_home_opened")
        def opened(event: dict[str, Any]) -> None:
            view = {"type": "home", "blocks": [section(f"Welcome <@{event['user']}>")]}
            client(slack).views_publish(user_id=event["user"], view=view)

        tab.goto(address(slack, "Ada"))
        tab.get_by_role("link", name="Roundtable Home").click()
        expect(tab.get_by_text("Welcome @Ada")).to_be_visible()
    assert slack.home("Bob Lee") is None


def test_a_file_is_saved_or_read_as_text_and_never_run(slack: LocalWorkspace, tab: Page) -> None:
    web = client(slack)
    channel = slack.channel_id("general")
    web.files_upload_v2(
        channel=channel, filename="report.html", content="<script>alert(1)</script>"
    )
    web.files_upload_v2(channel=channel, filename="notes.md", content="# Notes")
    tab.goto(address(slack, "Ada"))
    link = tab.get_by_role("link", name="notes.md", exact=True)
    shown = tab.request.get(f"{slack.page_url}{link.get_attribute('href')}")
    assert shown.headers["content-type"] == "text/plain; charset=utf-8"
    assert shown.text() == "# Notes"
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Download report.html").click()
    assert download.value.suggested_filename == "report.html"
    report = tab.get_by_role("link", name="report.html", exact=True)
    page = tab.request.get(f"{slack.page_url}{report.get_attribute('href')}")
    assert page.headers["content-type"] == "application/octet-stream"
    assert page.headers["content-disposition"].startswith("attachment;")


def test_the_page_says_that_the_workspace_is_gone_and_finds_it_again(
    slack: LocalWorkspace, browser: Browser
) -> None:
    with browser.new_context() as context:  # one that may have errors: nobody answers for a while
        page = context.new_page()
        page.goto(address(slack, "Ada"))
        composer(page).type("half a thou")
        slack.stop()
        expect(page.get_by_text("The workspace does not answer.")).to_be_visible()
        slack.start()
        slack.say("Bob Lee", "general", "back again")
        expect(line(page, "back again")).to_be_visible()
        expect(page.get_by_text("The workspace does not answer.")).to_have_count(0)
        expect(composer(page)).to_have_value("half a thou")
