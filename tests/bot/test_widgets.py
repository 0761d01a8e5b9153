"""What every widget promises: Slack takes both renderings, and people read the same in both."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.blocks import Block as SdkBlock

from bot.devtools.workspace.blocks.limits import (
    BLOCKS_JSON_CHARS_MAX,
    block_faults,
    blocks_size,
    view_faults,
)
from bot.devtools.workspace.reader_text import notified, plain
from bot.devtools.workspace.values import Names
from bot.views.kit.blocks import message
from bot.views.kit.controls import button
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.widget import WIDGET_KINDS, Part, Widget
from bot.views.widgets.cards import Card, Cards
from bot.views.widgets.fold import Fold, fitting_lines, list_with_rest
from bot.views.widgets.notice import Notice
from bot.views.widgets.progress import Progress, ProgressTask, TaskStatus
from bot.views.widgets.table import FoldedTable, OpenTable, Rows

NOBODY: Final = Names({}, {})
ROOM: Final = 2_400  # a fold holds no more: its text is one section then
STATUSES: Final[tuple[TaskStatus, ...]] = ("pending", "in_progress", "complete", "error")
TEXTS: Final = (
    "",
    " \n\t ",
    "a",
    "Shop owners want to be told.",
    "word " * 400,
    "x" * 4_000,
    "👩‍👩‍👧‍👦🇩🇪" * 12,
    "one\ntwo\n\nthree",
    "<!channel> <@U0PM00001> & *bold* `code` [x](https://evil.example) ~no~",
    '"\\\n\t' * 200,
    "• already a bullet",
)


def _tasks(text: str, count: int) -> list[ProgressTask]:
    return [
        ProgressTask(f"t{number}", text, STATUSES[number % 4], text if number % 2 else "")
        for number in range(count)
    ]


def _card(text: str, number: int) -> Card:
    controls = [button("Take it", f"take:{number}", "m")] if number % 2 else []
    return Card(text, text, buttons=controls, block_id=f"m|{number}")


def _rows(text: str, count: int) -> Rows:
    return Rows(("Who", "What"), [(text, text)] * count, "more", ROOM)


WIDGETS: Final[Mapping[str, Callable[[str, int], Widget]]] = {
    "progress": lambda text, count: Progress("phases", text, _tasks(text, min(count, 12))),
    "fold": lambda text, count: Fold("notes", text, fitting_lines([text] * count, ROOM)),
    "table": lambda text, count: OpenTable(_rows(text, count)),
    "folded table": lambda text, count: FoldedTable("rows", text, _rows(text, count)),
    "cards": lambda text, count: Cards([_card(text, number) for number in range(min(count, 6))]),
    "notice": lambda text, _: Notice(text),
}


@pytest.fixture(params=WIDGETS)
def widget(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def read(blocks: list[Block]) -> list[str]:
    lines = (" ".join(line.split()) for line in plain(blocks, "", NOBODY).splitlines())
    return [line for line in lines if line]


def surfaces(name: str, blocks: list[Block]) -> list[str]:
    """The faults that Slack would find where such a widget is shown."""
    if name == "notice":
        title = {"type": "plain_text", "text": "A form"}
        return view_faults({"type": "modal", "title": title, "blocks": blocks})
    return block_faults(blocks)


def holds(name: str, text: str, count: int) -> None:
    """The contract."""
    shown = WIDGETS[name](text, count)
    today, before = shown.today(), shown.plain()
    for blocks in (today, before):
        assert surfaces(name, blocks) == []
        assert blocks_size(blocks) <= BLOCKS_JSON_CHARS_MAX
        assert notified(blocks, "", NOBODY) == []
        for block in blocks:
            parsed = SdkBlock.parse(block)
            assert parsed is not None
            parsed.to_dict()
    assert read(today) == read(before)


@pytest.mark.parametrize("count", [1, 3, 40])
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_both_renderings_are_taken_and_read_alike(widget: str, text: str, count: int) -> None:
    holds(widget, text, count)


@given(text=st.text(max_size=400), count=st.integers(1, 9))
def test_whatever_is_said_both_renderings_read_alike(text: str, count: int) -> None:
    for name in WIDGETS:
        holds(name, text, count)


def test_every_kind_of_widget_is_held_by_this_contract() -> None:
    assert {WIDGETS[name]("a", 1).kind for name in WIDGETS} == WIDGET_KINDS


def test_plain_renderings_have_none_of_the_newer_blocks(widget: str) -> None:
    for count in (1, 3, 40):
        kinds = {block["type"] for block in WIDGETS[widget]("a", count).plain()}
        assert kinds <= {"rich_text", "context", "actions", "section", "header", "divider"}


def test_a_fold_is_folded_and_keeps_its_block_id_when_it_is_edited() -> None:
    before, after = (Fold("decisions", f"Decisions ({n})", ["A."] * n).today()[0] for n in (1, 3))
    assert before["block_id"] == after["block_id"] == "fold:decisions"
    assert before["is_collapsible"]
    assert before["default_collapsed"]


def test_a_plan_shows_how_far_each_task_is_and_keeps_its_block_id() -> None:
    (plan,) = Progress("phases", "Waiting for Priya.", _tasks("Design", 4)).today()
    assert plan["block_id"] == "plan:phases"
    assert [task["status"] for task in plan["tasks"]] == list(STATUSES)


def test_of_a_list_the_first_rows_are_in_sight_and_the_others_folded() -> None:
    rows = [f"Row {number}" for number in range(5)]
    parts = list_with_rest("rows", "What rests on it", rows, 2, "more")
    shown = message(*parts)
    in_sight = [{**block, "child_blocks": []} for block in shown.drawn(())]
    assert read(in_sight) == ["What rests on it", "• Row 0", "• Row 1", "3 more"]
    assert read(list(shown.drawn(()))) == read(list(shown.blocks))
    assert len(list_with_rest("rows", "What rests on it", rows[:2], 2, "more")) == 1


def test_lines_that_find_no_room_are_counted() -> None:
    lines = [f"Line {number}" for number in range(100)]
    *shown, last = fitting_lines(lines, 800)
    assert last == f"… and {100 - len(shown)} more, in the files."
    assert fitting_lines(lines[:2], 800) == lines[:2]


def test_a_fold_that_has_room_for_none_of_its_lines_says_where_they_are_and_folds_nothing() -> None:
    full = Fold("checks", "Acceptance checks (2)", ["Press it.", "Press it twice."])
    empty = full
    while lighter := empty.lighter():
        empty = lighter
    for blocks in (empty.today(), empty.plain()):
        assert [block["type"] for block in blocks] == ["context"]
        assert read(blocks) == ["Acceptance checks (2), in the files."]
    one = full.lighter()
    assert one is not None
    assert one.lines == ["Press it.", "… and 1 more, in the files."]
    assert one.today()[0]["type"] == "container"


def test_each_kind_is_drawn_plainly_where_it_is_refused() -> None:
    parts: list[Part] = [paragraph("Words"), *(WIDGETS[name]("a", 2) for name in WIDGETS)]
    shown = message(*parts)
    newer = newer_types(shown.drawn(()))
    assert newer == {"plan", "container", "table", "card", "alert"}
    assert newer_types(shown.drawn(frozenset({"progress"}))) == newer - {"plan"}
    assert newer_types(shown.drawn(WIDGET_KINDS)) == set()


def newer_types(blocks: Any) -> set[str]:
    old = {"rich_text", "context", "actions", "section", "header", "divider", "markdown"}
    return {block["type"] for block in blocks} - old
