"""Messages and views checked as Slack's server checks them, by the rows of `table`.

`block_faults` and `view_faults` return every fault; an empty list means Slack would take it.
docs: reference/block-kit/blocks, reference/views
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.devtools.workspace.blocks.rules import fault, faults_of, kind_of, repeated, typed_faults
from bot.devtools.workspace.blocks.table import BLOCKS, SHAPES
from bot.devtools.workspace.values import Json

MARKDOWN_CHARS_MAX: Final = 12_000
"""Of all markdown blocks of a message together, as of each."""
BLOCKS_PER_MESSAGE_MAX: Final = 50
BLOCKS_PER_VIEW_MAX: Final = 100
BLOCKS_JSON_CHARS_MAX: Final = 13_200
"""Undocumented: about 13,200 characters in all answer `msg_blocks_too_long`."""


def blocks_size(blocks: Sequence[Json]) -> int:
    return len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def block_faults(blocks: object, *, most: int = BLOCKS_PER_MESSAGE_MAX) -> list[str]:
    if not isinstance(blocks, list):
        return [fault("must be an array of blocks", "/blocks")]
    return list(_list_faults(blocks, most))


def _list_faults(blocks: list[Any], most: int) -> Iterator[str]:
    if len(blocks) > most:
        yield fault(f"no more than {most} items allowed", "/blocks")
    for index, block in enumerate(blocks):
        row = BLOCKS.get(kind_of(block))
        fields = [*SHAPES["block"], *row.fields] if row else None
        yield from typed_faults(fields, block, f"/blocks/{index}")
    objects = [block for block in blocks if isinstance(block, dict)]
    for block_id in repeated(block.get("block_id") for block in objects):
        yield fault(f"`block_id` '{block_id}' already exists", "/blocks")
    texts = [str(block.get("text", "")) for block in objects if block.get("type") == "markdown"]
    if sum(map(len, texts)) > MARKDOWN_CHARS_MAX:
        yield fault(f"markdown blocks: no more than {MARKDOWN_CHARS_MAX} characters", "/blocks")


def view_faults(view: object) -> list[str]:
    if not isinstance(view, dict):
        return [fault("must be an object", "/view")]
    return list(_view_faults(view))


def _view_faults(view: Json) -> Iterator[str]:
    if view.get("type") not in ("modal", "home"):
        yield fault("must be `modal` or `home`", "/view/type")
    if view.get("type") == "modal":
        yield from faults_of(view, SHAPES["modal"], "/view")
    yield from faults_of(view, SHAPES["view"], "/view")
    yield from block_faults(view.get("blocks"), most=BLOCKS_PER_VIEW_MAX)
    blocks = view["blocks"] if isinstance(view.get("blocks"), list) else []
    for index, block in enumerate(blocks):
        row = BLOCKS.get(kind_of(block))
        if row is not None and not row.in_views:
            yield fault(f"unsupported type: {kind_of(block)}", f"/view/blocks/{index}/type")
    objects = [block for block in blocks if isinstance(block, dict)]
    if sum(_takes_focus(block) for block in objects) > 1:
        yield fault("only one element can be focused on load", "/view/blocks")
    has_input = any(block.get("type") == "input" for block in objects)
    if view.get("type") == "modal" and has_input and "submit" not in view:
        yield fault("missing required field: submit, for a view with input blocks", "/view")


def _takes_focus(block: Json) -> bool:
    element = block.get("element")
    return isinstance(element, dict) and element.get("focus_on_load") is True
