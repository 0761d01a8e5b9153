"""Messages and views checked as Slack's server checks them, by the rows of `table`.

`block_faults` and `view_faults` return every fault; an empty list means Slack would take it.
docs: reference/block-kit/blocks, reference/views
"""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from bot.devtools.workspace.blocks.faults import fault, kind_of, repeated
from bot.devtools.workspace.blocks.rules import block_faults_at, faults_of
from bot.devtools.workspace.blocks.table import BLOCKS, SHAPES, Surface
from bot.devtools.workspace.values import Json

MARKDOWN_CHARS_MAX: Final = 12_000
"""Of all markdown blocks of a message together, as of each."""
BLOCKS_PER_MESSAGE_MAX: Final = 50
BLOCKS_PER_VIEW_MAX: Final = 100
BLOCKS_JSON_CHARS_MAX: Final = 13_200
"""Undocumented: about 13,200 characters in all answer `msg_blocks_too_long`."""
TABLES: Final = ("table", "data_table")
TABLE_CHARS_MAX: Final = 10_000
"""Of all table cells of a message.  docs: blocks/data-table-block, looked up on 2026-11-23"""
SECOND_TABLE: Final = fault("only_one_table_allowed", "/blocks")
"""Looked up on 2026-11-23: the page of the table block does not say so any more, those who send two
still report it, and Slack's advice to agents counts both kinds of table, in containers too. The
stricter is taken."""


def blocks_size(blocks: Sequence[Json]) -> int:
    return len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def block_faults(
    blocks: object,
    *,
    surface: Surface = "message",
    at: str = "/blocks",
    unknown: Collection[str] = (),
) -> list[str]:
    """Every fault of a list of blocks. `unknown`: types that this workspace is told not to know."""
    if not isinstance(blocks, list):
        return [fault("must be an array of blocks", at)]
    return list(_list_faults(blocks, surface, at, unknown))


def _list_faults(
    blocks: list[Any], surface: Surface, at: str, unknown: Collection[str]
) -> Iterator[str]:
    most = BLOCKS_PER_MESSAGE_MAX if surface == "message" else BLOCKS_PER_VIEW_MAX
    if len(blocks) > most:
        yield fault(f"no more than {most} items allowed", at)
    for index, block in enumerate(blocks):
        kind = kind_of(block)
        if kind in BLOCKS and surface in BLOCKS[kind].surfaces and kind not in unknown:
            yield from block_faults_at(block, kind, f"{at}/{index}")
            yield from _unknown_inside(block, f"{at}/{index}", unknown)
        else:
            yield fault(f"unsupported type: {kind}", f"{at}/{index}/type")
    objects = [block for block in blocks if isinstance(block, dict)]
    objects += [child for block in blocks for _, child in _inside(block, "")]
    for block_id in repeated(block.get("block_id") for block in objects):
        yield fault(f"`block_id` '{block_id}' already exists", at)
    texts = [str(block.get("text", "")) for block in objects if block.get("type") == "markdown"]
    if sum(map(len, texts)) > MARKDOWN_CHARS_MAX:
        yield fault(f"markdown blocks: no more than {MARKDOWN_CHARS_MAX} characters", at)
    yield from _table_faults([block for block in objects if kind_of(block) in TABLES], at)


def _unknown_inside(block: Any, at: str, unknown: Collection[str]) -> Iterator[str]:
    for pointer, child in _inside(block, at):
        if kind_of(child) in unknown:
            yield fault(f"unsupported type: {kind_of(child)}", f"{pointer}/type")


def _inside(block: Any, at: str) -> Iterator[tuple[str, Json]]:
    """The blocks inside of a block, however deep, each with its pointer."""
    row = BLOCKS.get(kind_of(block))
    children = block.get(row.children) if row else None
    if row is None or not isinstance(children, list):
        return
    for index, child in enumerate(children):
        if isinstance(child, dict):
            yield f"{at}/{row.children}/{index}", child
            yield from _inside(child, f"{at}/{row.children}/{index}")


def _table_faults(tables: list[Json], at: str) -> Iterator[str]:
    if len(tables) > 1:
        yield fault("only_one_table_allowed", at)
    if sum(_chars(table.get("rows")) for table in tables) > TABLE_CHARS_MAX:
        yield fault(f"table cells: no more than {TABLE_CHARS_MAX} characters", at)


def _chars(value: Any) -> int:
    """How much text stands in the cells of a table, in rich text too."""
    if isinstance(value, list):
        return sum(map(_chars, value))
    if not isinstance(value, dict):
        return 0
    text = value.get("text")
    return (len(text) if isinstance(text, str) else 0) + _chars(value.get("elements"))


def view_faults(view: object, *, at: str = "/view", unknown: Collection[str] = ()) -> list[str]:
    """Every fault of a view; `unknown` as for `block_faults`."""
    if not isinstance(view, dict):
        return [fault("must be an object", at)]
    return list(_view_faults(view, at, unknown))


def _view_faults(view: Json, at: str, unknown: Collection[str]) -> Iterator[str]:
    if view.get("type") not in ("modal", "home"):
        yield fault("must be `modal` or `home`", f"{at}/type")
    if view.get("type") == "modal":
        yield from faults_of(view, SHAPES["modal"], at)
    yield from faults_of(view, SHAPES["view"], at)
    surface: Surface = "home" if view.get("type") == "home" else "modal"
    blocks = view.get("blocks")
    yield from block_faults(blocks, surface=surface, at=f"{at}/blocks", unknown=unknown)
    listed = blocks if isinstance(blocks, list) else []
    objects = [block for block in listed if isinstance(block, dict)]
    if sum(_takes_focus(block) for block in objects) > 1:
        yield fault("only one element can be focused on load", f"{at}/blocks")
    has_input = any(block.get("type") == "input" for block in objects)
    if view.get("type") == "modal" and has_input and "submit" not in view:
        yield fault("missing required field: submit, for a view with input blocks", at)


def _takes_focus(block: Json) -> bool:
    element = block.get("element")
    return isinstance(element, dict) and element.get("focus_on_load") is True
