"""Slack's newer blocks in the page: what a browser and a screen reader make of them."""

from typing import Any

import pytest

from bot.devtools.workspace.blocks.limits import block_faults
from bot.devtools.workspace.blocks.table import NEWER_BLOCKS
from bot.devtools.workspace.page.draw.blocks import message_body, view_body
from bot.devtools.workspace.page.draw.layout import LEVELS, STATUSES
from bot.devtools.workspace.values import Names
from tests.bot.test_local_newer_blocks import (
    IMAGE,
    TAKEN,
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
    number,
    plan,
    table,
    task,
    words,
)
from tests.bot.test_local_support import actions, button, section
from tests.support.page_reading import Read, assert_harmless

Json = dict[str, Any]
NAMES = Names({"U1": "Ada", "U2": "Bob Lee"}, {"C1": "general"})


def shown(*blocks: Json, viewer: str = "U1") -> Read:
    return assert_harmless(message_body(blocks, "fallback", NAMES, scope="1.2", viewer=viewer))


@pytest.mark.parametrize("block", TAKEN.values(), ids=TAKEN)
def test_whatever_slack_takes_is_drawn(block: Json) -> None:
    assert shown(block).classed("bk-unshown") == []


def test_every_newer_block_is_among_them() -> None:
    assert {block["type"] for block in TAKEN.values()} >= NEWER_BLOCKS - {"alert"}


@pytest.mark.parametrize("folded", [True, False])
def test_a_fold_is_opened_by_its_summary_and_known_by_its_block(folded: bool) -> None:
    block = container(
        section("inside"),
        actions(button("Go", "go")),
        is_collapsible=True,
        default_collapsed=folded,
        subtitle=words("below"),
        block_id="f1",
    )
    read = shown(block)
    fold = read.one("details", data_fold="f1")
    assert ("open" in fold.attributes) is not folded
    assert read.one("summary", data_block_id="f1").text == "Foldbelow"
    assert read.one("button").inside[-3:] == ("details", "div", "div")
    assert "inside" in fold.text


def test_a_container_that_does_not_fold_is_no_control() -> None:
    read = shown(container(section("inside"), icon=IMAGE, has_header_divider=True))
    assert read.all("details") == []
    assert read.one("img").attributes["alt"] == "a"
    assert read.text == "Foldinside"


def test_a_title_in_rich_text_takes_the_place_of_the_plain_one() -> None:
    assert shown(container(section("x"), rich_text_title=details("Rich"))).text == "Richx"


def test_a_plan_says_each_status_in_words_to_who_cannot_see_its_mark() -> None:
    tasks = [task(name, title=name, status=name) for name in STATUSES]
    tasks[0]["details"] = details("led by Ada")
    read = shown(plan(*tasks, block_id="p"))
    assert "open" not in read.one("details", data_fold="p").attributes
    assert [one.text for one in read.classed("bk-hidden")] == [
        "Pending: ", "In progress: ", "Complete: ", "Error: ",
    ]  # fmt: skip
    assert all(mark.attributes["aria-hidden"] == "true" for mark in read.classed("bk-mark"))
    assert len(read.all("li")) == 4
    assert "led by Ada" in read.text


def test_a_task_alone_shows_its_sources() -> None:
    source = {"type": "url", "url": "https://a.b", "text": "a page"}
    read = shown({**task(sources=[source]), "type": "task_card"})
    assert read.one("a").text == "a page"


def test_a_table_has_headers_with_scope_in_a_part_that_scrolls() -> None:
    read = shown(
        table(
            [cell("Who"), cell("What")],
            [cell("Ada"), details("much")],
            column_settings=[{"is_wrapped": True}, {"align": "right"}],
        )
    )
    assert [(one.text, one.attributes["scope"]) for one in read.all("th")] == [
        ("Who", "col"),
        ("What", "col"),
    ]
    assert [one.attributes.get("class") for one in read.all("td")] == [None, "bk-right bk-nowrap"]
    (scroller,) = read.classed("bk-scroll")
    assert (scroller.attributes["role"], scroller.attributes["tabindex"]) == ("group", "0")


def test_tables_of_markdown_and_of_blocks_stand_in_the_same_frame() -> None:
    drawn = shown(table([cell("A")]), {"type": "markdown", "text": "|A|\n|-|\n|1|"})
    ours, markdowns = drawn.classed("bk-scroll")
    assert ours.attributes == markdowns.attributes


def test_a_data_table_has_a_caption_and_a_header_in_each_row() -> None:
    rows = [[cell("n"), cell("Who")], [number(3), cell("Ada")]]
    read = shown(data_table(*rows, row_header_column_index=1))
    assert read.one("caption").text == "Figures"
    assert read.one("th", scope="row").text == "Ada"
    (frame,) = read.classed("bk-scroll")
    assert frame.attributes["aria-label"] == "Figures"
    assert [one.text for one in read.classed("bk-right")] == ["3"]


def test_a_long_data_table_shows_its_first_page_and_the_way_to_the_others() -> None:
    rows = [[cell("n")], *([number(n)] for n in range(7))]
    for more, pages in (({"page_size": 3}, "1–3 of 7"), ({}, "1–5 of 7")):
        read = shown(data_table(*rows, **more))
        hidden = ["hidden" in row.attributes for row in read.all("tr")]
        assert hidden == [False] * (hidden.index(True)) + [True] * hidden.count(True)
        assert read.one(role="status").text == pages
        assert [one.text for one in read.all("button")] == ["Previous", "Next"]
    assert shown(data_table(*rows, page_size=7)).all("button") == []
    assert shown(table(*rows)).all("button") == []


def test_a_card_is_a_group_named_by_its_title() -> None:
    take = button("Take", "take", value="v")
    block = card("Keep", body=words("*all*", "mrkdwn"), actions=[take], hero_image=IMAGE)
    read = shown({**block, "block_id": "c1"})
    (group,) = read.classed("bk-card")
    assert group.attributes["role"] == "group"
    assert read.one(id=group.attributes["aria-labelledby"]).text == "Keep"
    pressed = read.one("button")
    assert (pressed.attributes["data-block-id"], pressed.attributes["data-action-id"]) == (
        "c1",
        "take",
    )
    assert read.one("strong").text == "all"


def test_a_carousel_is_a_list_of_cards_that_the_keyboard_reaches() -> None:
    read = shown(carousel(card("A"), card("B")))
    (row,) = read.classed("bk-carousel")
    assert (row.tag, row.attributes["tabindex"], row.attributes["aria-label"]) == (
        "ul",
        "0",
        "Cards",
    )
    assert [one.text for one in read.all("li")] == ["A", "B"]


def test_controls_in_context_are_buttons_with_names() -> None:
    hidden = icon_button("hidden", visible_to_user_ids=["U2"])
    block = {**context_actions(feedback(), icon_button(), hidden), "block_id": "b"}
    read = shown(block)
    assert [
        (one.attributes["data-action-id"], one.attributes.get("data-value"), one.text)
        for one in read.all("button")
    ] == [("fb", "up", "Good"), ("fb", "down", "Bad"), ("bin", None, "🗑")]
    assert read.all("button")[2].attributes["aria-label"] == "Delete"
    assert len(shown(block, viewer="U2").all("button")) == 4


@pytest.mark.parametrize("level", LEVELS)
def test_an_alert_says_its_level_in_words(level: str) -> None:
    view = {"id": "V1", "type": "modal", "blocks": [alert("Look", level=level)]}
    read = assert_harmless(view_body(view, NAMES))
    (box,) = read.classed(f"bk-alert-{level}")
    assert box.attributes["role"] == ("alert" if level in ("warning", "error") else "note")
    name = LEVELS[level][1]
    assert box.text.endswith(f"{name}: Look" if name else "Look")


EVIL = """"><img src=x onerror=hit=1><script>hit=1</script>"""
SCRIPT = "javascript:hit=1"
PICTURE = {"type": "image", "image_url": SCRIPT, "alt_text": EVIL}
HOSTILE: list[Json] = [
    container(
        section(EVIL),
        title=words(EVIL),
        subtitle=words(EVIL, "mrkdwn"),
        icon=PICTURE,
        is_collapsible=True,
        block_id=EVIL,
    ),
    plan(
        task(
            title=EVIL,
            details=details(EVIL),
            sources=[{"type": "url", "url": SCRIPT, "text": EVIL}],
        ),
        title=EVIL,
        block_id=f"{EVIL}2",
    ),
    data_table([cell(EVIL), cell("x")], [details(EVIL), cell(EVIL)], caption=EVIL),
    carousel(card(EVIL, body=words(EVIL, "mrkdwn"), hero_image=PICTURE, icon=PICTURE)),
    card("x", actions=[button("<b>bold</b>", EVIL, value=EVIL)]),
    context_actions(icon_button(EVIL, accessibility_label=EVIL, value=EVIL)),
]


@pytest.mark.parametrize("block", HOSTILE, ids=[block["type"] for block in HOSTILE])
def test_nothing_that_is_written_in_a_newer_block_runs(block: Json) -> None:
    assert block_faults([block]) == []
    read = shown(block)  # which reads it as a browser would, and looks for what could run
    assert read.all("img") == []
    assert read.all("b") == []
    assert EVIL in read.text or EVIL in str([one.attributes for one in read.elements])
