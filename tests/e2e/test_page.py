"""An analysis by clicking and typing only: the real bot, and a real browser on the page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.bot.test_local_support import client
from tests.support.page import TOKEN, address, choose, composer, line, say
from tests.support.served_bot import ServedBot, served_bot

OPENING = "leads Quick Scan and Requirements here"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path, page_token=TOKEN) as found:
        yield found


def begun(table: ServedBot, tab: Page, title: str) -> None:
    """Type the command, and open the thread of whoever leads."""
    tab.goto(address(table.slack, "pm"))
    say(tab, f"/roundtable analyze {title}")
    opening = line(tab, OPENING)
    opening.locator(".replies").click()
    expect(line(tab, "Scope Estimation", "thread")).to_be_visible()


def test_a_step_is_asked_answered_and_left_by_clicking_and_typing(
    table: ServedBot, tab: Page
) -> None:
    begun(table, tab, "Export a dashboard as PDF")
    say(tab, "Small: one page, one button. Not complex, the data is there.", "thread")
    recorded = line(tab, "From pm", "thread")
    expect(recorded).to_contain_text("pm")
    recorded.get_by_role("button", name="Continue").click()
    expect(line(tab, "Keyword Search", "thread")).to_be_visible()
    expect(line(tab, "Continue · chosen by pm", "thread")).to_be_visible()
    card = line(tab, "1 of 24 steps done")
    expect(card).to_be_visible()
    assert table.session().course.step == "00-02"


def test_a_reply_is_taken_out_of_the_step_from_its_menu(table: ServedBot, tab: Page) -> None:
    begun(table, tab, "Export a dashboard as PDF")
    say(tab, "Shall we have lunch?", "thread")
    expect(line(tab, "From pm", "thread")).to_be_visible()
    theirs = line(tab, "Shall we have lunch?", "thread").first  # the step quotes it below
    choose(tab, theirs, "Not an answer")
    expect(line(tab, "From pm", "thread")).to_have_count(0)


def test_a_form_of_the_shortcuts_menu_begins_an_analysis(table: ServedBot, tab: Page) -> None:
    tab.goto(address(table.slack, "pm"))
    tab.get_by_role("button", name="Shortcuts").click()
    tab.get_by_role("menuitem", name="Start at the Roundtable").press("Enter")
    form = tab.get_by_role("dialog", name="Start at the Roundtable")
    form.get_by_role("button", name="Start").click()
    expect(form.get_by_text("Please complete this required field.").first).to_be_visible()
    form.get_by_label("What is it about?").fill("Export a dashboard as PDF")
    form.get_by_label("Where?").select_option(label="#general")
    form.get_by_role("button", name="Start").click()
    expect(form).to_have_count(0)
    expect(line(tab, OPENING)).to_be_visible()
    assert table.session().title == "Export a dashboard as PDF"


def test_trouble_from_the_panel_is_got_over(table: ServedBot, tab: Page) -> None:
    begun(table, tab, "Export a dashboard as PDF")
    tab.get_by_role("button", name="Make trouble").click()
    panel = tab.get_by_role("dialog", name="Make trouble")
    panel.get_by_label("What happens").select_option("accept-then-drop")
    panel.get_by_role("button", name="Plan it").click()
    expect(panel).to_contain_text("Done, then dropped, once")
    panel.get_by_role("button", name="Close").click()
    say(tab, "Small: one page, one button. Not complex.", "thread")
    expect(line(tab, "From pm", "thread")).to_have_count(1)
    expect(tab.locator("#trouble")).to_contain_text("Nothing is planned.")


def test_the_page_weighs_little_with_a_full_channel_and_a_long_thread(
    table: ServedBot, tab: Page
) -> None:
    """What travels for a channel and a thread of a hundred prompts each: under 150 kB."""
    begun(table, tab, "Export a dashboard as PDF")
    session = table.session()
    root = table.table.runtime.reader.thread(session.id, session.course.thread)
    assert root is not None
    prompt = next(one for one in table.slack.messages("general") if "Scope Estimation" in one.plain)
    web = client(table.slack)
    for _ in range(100):
        web.chat_postMessage(channel=root.channel, text="x", blocks=prompt.blocks)
        web.chat_postMessage(
            channel=root.channel, text="x", blocks=prompt.blocks, thread_ts=root.ts
        )
    travelled: list[int] = []
    tab.on("requestfinished", lambda one: travelled.append(one.sizes()["responseBodySize"]))
    tab.goto(address(table.slack, "pm", thread=root.ts))
    expect(tab.locator("#list-thread .msg")).to_have_count(101)
    expect(composer(tab, "thread")).to_be_focused()
    assert len(travelled) >= 4
    assert sum(travelled) < 150_000
