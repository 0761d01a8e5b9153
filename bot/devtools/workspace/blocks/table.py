"""The table of blocks and elements: `block_kit.yaml`, read once and checked as it is read.

A new block or element is a new row there: checked, read, notified of and drawn by what it says.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import yaml

from bot.devtools.workspace.values import Json

SOURCE: Final = Path(__file__).with_name("block_kit.yaml")

Place = Literal["actions", "section", "context", "input"]
Reading = Literal["lines", "words", "first", "markdown", "rich_text"]
Widget = Literal[
    "", "image", "button", "overflow", "text", "rich_text", "file", "date",
    "options", "people", "conversations", "channels", "boxes",
]  # fmt: skip
ValueKind = Literal[
    "any", "option", "person", "conversation", "channel", "moment",
    "text", "mail", "url", "number", "rich_text", "file",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """What one field may hold. `kind` names the check of `rules`; the rest is for that check."""

    kind: str
    optional: bool = False
    most: int | None = None
    least: int = 1
    of: "Rule | None" = None  # of a list's items
    words: Sequence[str] = ()
    shape: str = ""
    place: Place = "actions"
    other: str = ""
    pattern: str = ""
    message: str = ""


Fields = Sequence[tuple[str, Rule]]


@dataclass(frozen=True, slots=True)
class Element:
    fields: Fields
    places: Sequence[Place]
    widget: Widget = ""
    html_type: str = ""
    label: str = "Choose"
    holds: str = ""
    initial: str = ""
    many: bool = False
    value: ValueKind = "any"


@dataclass(frozen=True, slots=True)
class Block:
    fields: Fields
    reads: Sequence[str] = ()
    reading: Reading = "lines"
    controls: str = ""
    in_views: bool = True


def _fields(rows: Json) -> Fields:
    return [
        (name, _rule(rule))
        for name, rules in rows.items()
        for rule in (rules if isinstance(rules, list) else [rules])
    ]


def _rule(row: Json) -> Rule:
    return Rule(**row | {"of": _rule(row["of"])} if "of" in row else row)


def block_of(row: Json) -> Block:
    return Block(**row | {"fields": _fields(row["fields"])})


_TABLE: Final[Mapping[str, dict[str, Json]]] = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
SHAPES: Final = {name: _fields(row) for name, row in _TABLE["shapes"].items()}
RICH_PARTS: Final = {name: _fields(row) for name, row in _TABLE["rich_parts"].items()}
RICH_LEAVES: Final = {name: _fields(row) for name, row in _TABLE["rich_leaves"].items()}
ELEMENTS: Final = {
    name: Element(**row | {"fields": _fields(row.get("fields", {}))})
    for name, row in _TABLE["elements"].items()
}
BLOCKS: Final = {name: block_of(row) for name, row in _TABLE["blocks"].items()}


def row_of(element: Json) -> Element:
    return ELEMENTS[element["type"]]


def options_of(element: Json) -> list[Json]:
    """Every option of an element, those in groups too."""
    groups: list[Any] = [{"options": element.get("options", [])}]
    groups += element.get("option_groups", [])
    return [option for group in groups for option in group["options"]]


def elements_of(block: Json) -> list[Json]:
    """The elements of a block that was checked, controls or pictures."""
    elements = block.get(BLOCKS[block["type"]].controls) or []
    return elements if isinstance(elements, list) else [elements]


def controls(blocks: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    """Every control of a message or a view, with the id of its block."""
    for block in blocks:
        for element in elements_of(block):
            if "action_id" in element:
                yield block["block_id"], element


def parts_of(block: Json) -> list[Any]:
    """What a reader sees of a block, part by part: text objects, elements, pieces of text."""
    values = [block[name] for name in BLOCKS[block["type"]].reads if name in block]
    return [part for value in values for part in (value if isinstance(value, list) else [value])]
