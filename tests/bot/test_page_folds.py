"""Folds, tables and cards of the page as a person uses them: a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from bot.devtools.workspace import LocalWorkspace
from tests.bot.test_local_newer_blocks import (
    alert,
    card,
    carousel,
    cell,
    container,
    context_actions,
    data_table,
    details,
    feedback,
    icon_button,
    plan,
    table,
    task,
    words,
)
from tests.bot.test_local_support import actions, button, client, section
from tests.support.browser import PHONE
from tests.support.page import address, answered, line, with_page
from tests.support.waiting import wait_until

Json = dict[str, Any]


@pytest.fixture
def slack(patient_triggers: None) -> Iterator[LocalWorkspace]:
    with with_page() as local:
        yield local


def posted(slack: LocalWorkspace, *blocks: Json, ts: str = "", thread_ts: str = "") -> str:
    calls, where = client(slack), slack.channel_id("general")
    if ts:
        calls.chat_update(channel=where, ts=ts, text="x", blocks=[*blocks])
        return ts
    more = {"thread_ts": thread_ts} if thread_ts else {}
    return str(calls.chat_postMessage(channel=where, text="x", blocks=[*blocks], **more)["ts"])


def fold(text: str, block_id: str) -> Json:
    return container(section(text), is_collapsible=True, default_collapsed=True, block_id=block_id)


def summary(page: Page, title: str) -> Locator:
    return page.locator("#list-channel summary", has_text=title)


def test_a_fold_is_opened_with_the_keyboard_and_stays_open_while_its_block_keeps_its_id(
    slack: LocalWorkspace, tab: Page
) -> None:
    ts = posted(slack, fold("first words", "f1"), plan(task(), block_id="p1"))
    tab.goto(address(slack, "Ada"))
    expect(line(tab, "Fold").get_by_text("first words")).to_be_hidden()
    summary(tab, "Fold").press("Enter")
    summary(tab, "Plan").click()
    expect(tab.get_by_text("first words")).to_be_visible()
    summary(tab, "Fold").focus()
    posted(slack, fold("second words", "f1"), plan(task(), task("u"), block_id="p1"), ts=ts)
    expect(tab.get_by_text("second words")).to_be_visible()
    expect(tab.get_by_text("Task u")).to_be_visible()
    expect(summary(tab, "Fold")).to_be_focused()
    tab.reload()
    expect(tab.get_by_text("second words")).to_be_visible()
    summary(tab, "Plan").click()
    posted(slack, fold("third words", "f2"), plan(task("w"), block_id="p1"), ts=ts)
    expect(line(tab, "Fold").get_by_text("third words")).to_be_attached()
    expect(tab.get_by_text("third words")).to_be_hidden()
    expect(tab.get_by_text("Task w")).to_be_hidden()


def test_a_fold_stays_as_it_was_left_when_another_place_is_looked_at(
    slack: LocalWorkspace, tab: Page
) -> None:
    ts = posted(slack, fold("inside", "f1"))
    posted(slack, section("an answer"), thread_ts=ts)
    tab.goto(address(slack, "Ada"))
    summary(tab, "Fold").click()
    tab.get_by_role("link", name="private-den").click()
    expect(tab.locator("#main h1, #main .head")).to_contain_text("private-den")
    tab.get_by_role("link", name="general").click()
    expect(tab.get_by_text("inside")).to_be_visible()
    tab.get_by_role("link", name="1 reply").click()
    expect(line(tab, "Fold", "thread").get_by_text("inside")).to_be_visible()


def test_a_control_in_a_fold_acts_and_leaves_it_open(slack: LocalWorkspace, tab: Page) -> None:
    pressed: list[tuple[str, str, str]] = []
    with answered(slack) as app:

        @app.action("go")
        @app.action("take")
        @app.action("fb")
        def told(ack: Any, action: Json) -> None:
            ack()
            pressed.append((action["block_id"], action["action_id"], action["value"]))

        row = {**actions(button("Go on", "go", value="v")), "block_id": "row"}
        posted(
            slack,
            container(section("x"), row, is_collapsible=True, block_id="f1"),
            carousel(
                {**card("A", actions=[button("Take A", "take", value="a")]), "block_id": "c1"}
            ),
            {**context_actions(feedback()), "block_id": "ctx"},
        )
        tab.goto(address(slack, "Ada"))
        for name in ("Go on", "Take A", "Bad"):
            tab.get_by_role("button", name=name).click()
        wait_until(lambda: len(pressed) == 3)
        expect(tab.get_by_role("button", name="Go on")).to_be_visible()
    assert sorted(pressed) == [("c1", "take", "a"), ("ctx", "fb", "down"), ("row", "go", "v")]


WIDE = [cell(f"column {n} is wide") for n in range(12)]
EVERYTHING = [
    container(
        section("• one\n• two", "plain_text"),
        actions(button("Edit", "edit")),
        subtitle=words("below"),
        is_collapsible=True,
        block_id="f1",
    ),
    fold("folded", "f2"),
    container(section("plain"), has_header_divider=True),
    plan(*(task(name, status=name) for name in ("pending", "in_progress", "complete", "error"))),
    {**task("alone", details=details("led by Ada")), "type": "task_card"},
    carousel(*(card(f"Card {n}", body=words("x " * 90)) for n in range(6))),
    card("Card", subtitle=words("below"), actions=[button("Take", "take", style="primary")]),
    context_actions(feedback(), icon_button()),
]


def grave(page: Page, within: str) -> list[str]:
    seen = Axe().run(page, context=within).response
    assert seen["passes"], "nothing was looked at"
    return [
        f"{one['id']}: {[node['html'] for node in one['nodes']]}"
        for one in seen["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out_by_a_newer_block(
    slack: LocalWorkspace, browser: Browser, scheme: Any
) -> None:
    posted(slack, *EVERYTHING)
    posted(slack, table([cell("Who"), cell("What")], [cell("Ada"), details("much")]))
    row = [cell("Ada"), details("much")]
    posted(slack, data_table([cell("Who"), cell("What")], row, row, page_size=1))
    with browser.new_context(color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(address(slack, "Ada"))
        page.locator("summary", has_text="Plan").click()
        expect(page.get_by_text("Task error")).to_be_visible()
        assert grave(page, "#list-channel") == []


def test_the_pages_of_a_data_table_are_turned(slack: LocalWorkspace, tab: Page) -> None:
    posted(slack, data_table([cell("n")], *([cell(f"row {n}")] for n in range(5)), page_size=2))
    tab.goto(address(slack, "Ada"))
    rows = tab.get_by_role("table", name="Figures").locator("tbody tr:visible")
    back, ahead = tab.get_by_role("button", name="Previous"), tab.get_by_role("button", name="Next")
    expect(rows).to_have_text(["row 0", "row 1"])
    expect(back).to_be_disabled()
    ahead.press("Enter")
    expect(rows).to_have_text(["row 2", "row 3"])
    expect(ahead).to_be_focused()
    ahead.press("Enter")
    expect(rows).to_have_text(["row 4"])
    expect(tab.get_by_text("5–5 of 5")).to_be_visible()
    expect(ahead).to_be_disabled()
    expect(back).to_be_focused()
    back.click()
    back.click()
    expect(rows).to_have_text(["row 0", "row 1"])


def test_an_alert_in_a_form_can_be_read_by_everybody(slack: LocalWorkspace, tab: Page) -> None:
    levels = ("default", "info", "warning", "error", "success")
    blocks = [alert(f"It is {level}", level=level) for level in levels]
    view = {"type": "modal", "title": words("Form"), "blocks": [*blocks, card("Card")]}
    with answered(slack) as app:

        @app.action("open")
        def opened(ack: Any, body: Json) -> None:
            ack()
            client(slack).views_open(trigger_id=body["trigger_id"], view=view)

        posted(slack, actions(button("Open", "open")))
        tab.goto(address(slack, "Ada"))
        tab.get_by_role("button", name="Open").click()
        form = tab.get_by_role("dialog", name="Form")
        expect(form.get_by_role("alert")).to_have_count(2)
        expect(form).to_contain_text("Error: It is error")
        assert grave(tab, ".modal") == []


def test_on_a_phone_a_table_scrolls_in_itself_and_cards_stand_below_each_other(
    slack: LocalWorkspace, browser: Browser
) -> None:
    posted(slack, *EVERYTHING)
    posted(slack, table(WIDE, WIDE))
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(address(slack, "Ada"))
        expect(page.locator(".bk-scroll table")).to_be_visible()
        wide = "one => one.scrollWidth > one.clientWidth"
        assert page.locator(".bk-scroll").evaluate(wide)
        assert not page.locator("#scroll-channel").evaluate(wide)
        assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
        first, second = (page.locator(".bk-carousel > li").nth(n).bounding_box() for n in (0, 1))
        assert first
        assert second
        assert second["y"] >= first["y"] + first["height"]


def test_beside_each_other_cards_scroll_with_the_keyboard(slack: LocalWorkspace, tab: Page) -> None:
    posted(slack, carousel(*(card(f"Card {n}") for n in range(9))))
    tab.goto(address(slack, "Ada"))
    row = tab.get_by_role("list", name="Cards")
    row.focus()
    row.press("ArrowRight")
    tab.wait_for_function("() => document.querySelector('.bk-carousel').scrollLeft > 0")
    expect(row).to_be_focused()


LOADED = """
() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + (one.transferSize || one.encodedBodySize), 0)
"""


def test_a_channel_full_of_newer_blocks_weighs_less_than_150_kb(
    slack: LocalWorkspace, tab: Page
) -> None:
    words_of_a_line = "Whoever exports waits for the whole file, whatever its size is. "
    for number in range(100):
        posted(
            slack,
            fold(f"{number}: {words_of_a_line * 4}", "f1"),
            table([cell("Who"), cell("What")], [cell("Ada"), cell(words_of_a_line)]),
            card("Card", body=words(words_of_a_line), actions=[button("Take", "take")]),
        )
    tab.goto(address(slack, "Ada"))
    expect(summary(tab, "Fold")).to_have_count(100)
    assert tab.evaluate(LOADED) <= 150_000
