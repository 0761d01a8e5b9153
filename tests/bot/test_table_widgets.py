"""Tables, cards and notices: both renderings read alike, and Slack takes each of them."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot.devtools.workspace import NEWER_BLOCKS
from bot.devtools.workspace.blocks.limits import block_faults, view_faults
from bot.devtools.workspace.blocks.table import every_block
from bot.devtools.workspace.reader_text import notified, plain
from bot.devtools.workspace.values import Names
from bot.views.kit.blocks import Message, message
from bot.views.kit.controls import button, link_button
from bot.views.kit.modals import drawn_view, notice_of
from bot.views.kit.rich_text import paragraph
from bot.views.kit.widget import WIDGET_KINDS
from bot.views.private.commands import fault_list, sessions_list
from bot.views.widgets.cards import Card, Cards
from bot.views.widgets.notice import Notice
from bot.views.widgets.table import PAGE_ROWS_MAX, FoldedTable, OpenTable, Rows
from core.domain.ids import ChannelId, FaultId, SessionId, Slug, UserId
from core.domain.session.halt import Fault
from core.ports import Summary

TEXTS = (
    "",
    "Two words",
    "<!channel> <@U0PM00001> *bold* <https://evil.example|bank> `x`",
    "two\nlines\tand · a dot",
    "\u202eabc\x00 </script>",
    "word " * 400,
    "👩‍👩‍👧‍👦" * 200,
    '"\\' * 300,
)


def rows(text: str, number: int = 3) -> Rows:
    return Rows(("Who", "What", ""), [(text, "says", text[:40])] * number, "more.")


def widgets(text: str) -> list[Any]:
    controls = [button(text or "Go", "go", "v"), link_button("Original", "https://x/1")]
    return [
        OpenTable(rows(text)),
        OpenTable(rows(text, 300)),
        OpenTable(Rows(("Who", "What"), [(str(n), text[:40]) for n in range(30)]), "All of them"),
        FoldedTable("one", text or "3 rows", rows(text)),
        Cards([Card(text, text, text, controls, "a"), Card(text, block_id="b")]),
    ]


def read(message: Message, plain_kinds: Sequence[Any]) -> str:
    return plain(message.drawn(plain_kinds), message.text, Names({}, {}))


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
@pytest.mark.parametrize("number", range(5))
def test_both_renderings_read_alike_and_slack_takes_them(text: str, number: int) -> None:
    shown = message(widgets(text)[number])
    assert read(shown, ()) == read(shown, tuple(WIDGET_KINDS))
    for kinds in ((), WIDGET_KINDS):
        blocks = list(shown.drawn(kinds))
        assert block_faults(blocks) == []
        assert notified(blocks, "", Names({}, {})) == []
    assert NEWER_BLOCKS & {block["type"] for block in every_block(shown.drawn(()))}
    assert not NEWER_BLOCKS & {block["type"] for block in every_block(shown.blocks)}


@pytest.mark.parametrize("text", TEXTS[1:], ids=range(1, len(TEXTS)))
def test_a_notice_says_all_of_it_in_as_many_alerts_as_it_needs(text: str) -> None:
    view = notice_of("Not now", [Notice(text, "error")])
    today, yesterday = drawn_view(view, ()), drawn_view(view)
    assert view_faults(today) == view_faults(yesterday) == []
    assert {block["type"] for block in today["blocks"]} == {"alert"}
    readings = [plain(drawn["blocks"], "", Names({}, {})) for drawn in (today, yesterday)]
    assert readings[0] == readings[1]
    assert len(readings[0].replace("\n", " ")) >= len(" ".join(text.split())) - 12


def test_a_message_has_one_table_and_the_next_ones_read_alike() -> None:
    shown = message(
        paragraph("Both:"),
        FoldedTable("one", "1 row", rows("first", 1)),
        FoldedTable("two", "1 row", rows("second", 1)),
        OpenTable(rows("third", 1)),
    )
    blocks = list(shown.drawn(()))
    assert block_faults(blocks) == []
    assert [block["type"] for block in blocks] == [
        "rich_text",
        "container",
        "container",
        "rich_text",
    ]
    assert json.dumps(blocks).count('"table"') == 1
    assert read(shown, ()) == read(shown, tuple(WIDGET_KINDS))
    assert read(shown, ()).splitlines()[-2:] == ["Who · What · –", "third · says · third"]


def test_where_only_folds_are_refused_a_table_stays_one() -> None:
    shown = message(FoldedTable("one", "1 row", rows("first", 1)), OpenTable(rows("third", 1)))
    assert [block["type"] for block in shown.drawn(("fold",))] == ["rich_text", "table"]


def test_what_finds_no_room_is_counted() -> None:
    lines = read(message(OpenTable(rows("word " * 60, 300))), ()).splitlines()
    shown = len(lines) - 2  # the header and the last line
    assert lines[-1] == f"… and {300 - shown} more."
    assert shown > 5


def test_a_table_of_more_than_a_page_has_pages_and_says_what_it_is() -> None:
    few, many = (
        message(OpenTable(Rows(("Who", "What"), [("Ada", "says")] * count), "Everybody"))
        for count in (PAGE_ROWS_MAX, PAGE_ROWS_MAX + 1)
    )
    assert [block["type"] for block in few.drawn(())] == ["table"]
    (table,) = many.drawn(())
    assert (table["type"], table["caption"], table["page_size"]) == ("data_table", "Everybody", 10)
    assert len(table["rows"]) == 1 + 11
    assert read(many, ()).splitlines()[:2] == ["Everybody", "Who · What"]
    assert read(few, ()).splitlines()[0] == "Who · What"


def test_what_a_channel_or_a_session_has_much_of_has_pages() -> None:
    sessions = [
        Summary(
            SessionId(f"s{n}"), Slug(f"item-{n}"), f"Item {n}", ChannelId("C1"), UserId("U1"),
            "completed", None, None, 24, 24, 0.0,
        )
        for n in range(12)
    ]  # fmt: skip
    faults = [Fault(FaultId(f"{n}"), f"ERR-ART-{n:03}", f"No {n}.", True, n) for n in range(12)]
    for shown in (sessions_list(sessions, {}), fault_list(faults)):
        assert {block["type"] for block in shown.drawn(())} >= {"data_table"}
        assert block_faults(list(shown.drawn(()))) == []
        assert read(shown, ()) == read(shown, tuple(WIDGET_KINDS))
