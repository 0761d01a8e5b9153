"""A document tree as JSON, in which it is stored: `{"p": [["Text"]]}`, the name of a node and its
fields. Trailing fields that have their default are left out.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from core.artifacts.document import tree
from core.artifacts.document.tree import Blocks, StepPart

NODES: Final[Mapping[str, type]] = {
    "part": tree.StepPart, "share": tree.FileShare, "risk": tree.Risk,
    "h": tree.Heading, "p": tree.Paragraph, "list": tree.Listing, "table": tree.Table,
    "code": tree.Code, "diagram": tree.Diagram, "quote": tree.Quote, "rule": tree.Divider,
    "s": tree.Span, "said": tree.LineSource, "by": tree.Voice,
}  # fmt: skip
_NAMES: Final = {node: name for name, node in NODES.items()}


def encode(part: StepPart) -> str:
    return json.dumps(_plain(part), ensure_ascii=False, separators=(",", ":"))


def decode(text: str) -> StepPart:
    """Raises `ValueError` for a text that is no part of a document."""
    part = _built(json.loads(text))
    if not isinstance(part, StepPart):
        raise ValueError(text[:80])
    return part


def extended(text: str, blocks: Blocks) -> str:
    """A stored part with blocks added to its end."""
    part = decode(text)
    return encode(replace(part, blocks=(*part.blocks, *blocks)))


def with_texts(blocks: Blocks, change: Callable[[str], str]) -> Blocks:
    """The same blocks, with every text in them changed."""
    changed: Blocks = _built(_plain(blocks, change))
    return changed


def _plain(value: Any, change: Callable[[str], str] = str) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return [_plain(item, change) for item in value]
    if (name := _NAMES.get(type(value))) is None:
        return value
    values = [(getattr(value, field.name), field) for field in fields(value)]
    while values and values[-1][0] == values[-1][1].default:
        values.pop()
    return {name: [_plain(item, change) for item, _ in values]}


def _built(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_built, value))
    if isinstance(value, dict):
        ((name, values),) = value.items()
        if name == "end":  # as it was stored before: with who spoke in the fourth place
            name, values = "share", [*values[:3], *values[4:]]
        return NODES[name](*map(_built, values))
    return value
