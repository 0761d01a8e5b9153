"""Tables as HTML: they scroll in themselves, and their headers say what they are headers of.

docs: reference/block-kit/blocks/table-block, reference/block-kit/blocks/data-table-block
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace.page.draw.html import Attributes, RenderContext, joined, tag, words
from bot.devtools.workspace.page.draw.rich_text import rich_text
from bot.devtools.workspace.values import Json

PAGE_ROWS: Final = 5  # where a data_table says nothing
ALIGNED: Final = {"right": "bk-right", "center": "bk-center"}


def scrolling_table(*parts: object, label: str = "Table") -> Markup:
    """A table in a part of the page that can be scrolled, also with the keyboard."""
    table = tag("table", *parts)
    return tag("div", table, class_="bk-scroll", role="group", aria_label=label, tabindex=0)


def table(block: Json, setting: RenderContext) -> Markup:
    """A `table` or a `data_table`: the first row is its header; the latter has pages."""
    header, *rows = block["rows"]
    page_size = block.get("page_size", PAGE_ROWS) if "caption" in block else len(rows)
    classes = [_class(column) for column in _columns(block, len(header))]
    key = block.get("row_header_column_index", 0) if "caption" in block else None
    parts = [
        tag("thead", _row(header, classes, range(len(header)), "col", setting)),
        tag(
            "tbody",
            *(
                _row(row, classes, [key], "row", setting, hidden=number >= page_size)
                for number, row in enumerate(rows)
            ),
        ),
    ]
    if "caption" not in block:
        return scrolling_table(*parts)
    caption = tag("caption", words(block["caption"]))
    frame = scrolling_table(caption, *parts, label=str(block["caption"]))
    return joined(frame, _pages(page_size, len(rows)) if page_size < len(rows) else "")


def _pages(size: int, count: int) -> Markup:
    """The buttons that turn the pages of the table before them; page.js shows the rows."""

    def turning(text: str, by: int) -> Markup:
        doing: Attributes = {"data_do": "turn-page", "data_by": by, "disabled": by < 0}
        return tag("button", text, type="button", class_="bk-button", **doing)

    where = tag("span", f"1–{size} of {count}", role="status")
    buttons = turning("Previous", -1), where, turning("Next", 1)
    return tag("div", *buttons, class_="bk-actions", data_size=size)


def _columns(block: Json, count: int) -> list[Json]:
    """How each column looks; one that nothing is said of looks as Slack's do."""
    columns = [column or {} for column in block.get("column_settings", [])]
    return [*columns, *({} for _ in range(count - len(columns)))]


def _class(column: Json) -> str:
    wrapped = "" if column.get("is_wrapped") else "bk-nowrap"
    return " ".join(filter(None, [ALIGNED.get(str(column.get("align"))), wrapped]))


def _row(
    cells: Sequence[Json],
    classes: Sequence[str],
    headers: Sequence[int | None],
    scope: str,
    setting: RenderContext,
    *,
    hidden: bool = False,
) -> Markup:
    """A row; `headers`: the places of its cells that are headers of a `scope`."""
    drawn = []
    for index, cell in enumerate(cells):
        style = classes[index] if index < len(classes) else ""
        if cell["type"] == "raw_number":
            style = f"{style} bk-right".strip()
        is_header = index in headers
        drawn.append(
            tag(
                "th" if is_header else "td",
                _content(cell, setting),
                scope=scope if is_header else None,
                class_=style or None,
            )
        )
    return tag("tr", *drawn, hidden=hidden)


def _content(cell: Json, setting: RenderContext) -> Markup:
    if cell["type"] == "rich_text":
        return rich_text(cell["elements"], setting)
    return words(cell["text"])
