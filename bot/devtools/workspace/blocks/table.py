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

Place = Literal["actions", "section", "context", "input", "card", "picture", "context_actions"]
Surface = Literal["message", "modal", "home"]
Reading = Literal["lines", "words", "first", "markdown", "rich_text", "task", "rows"]
Widget = Literal[
    "", "image", "button", "overflow", "text", "rich_text", "file", "date",
    "options", "people", "conversations", "channels", "boxes", "icon_button", "feedback",
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
    children: str = ""
    surfaces: Sequence[Surface] = ("message", "modal", "home")
    newer: bool = False


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
CELLS: Final = {name: _fields(row) for name, row in _TABLE["cells"].items()}
ELEMENTS: Final = {
    name: Element(**row | {"fields": _fields(row.get("fields", {}))})
    for name, row in _TABLE["elements"].items()
}
BLOCKS: Final = {name: block_of(row) for name, row in _TABLE["blocks"].items()}
NEWER_BLOCKS: Final = frozenset(name for name, row in BLOCKS.items() if row.newer)
"""The types that Slack had not always: what a workspace may be told to refuse."""


def row_of(element: Json) -> Element:
    return ELEMENTS[element["type"]]


def kind_of_block(block: Json) -> str:
    """The type of a block that was checked. A plan's tasks may leave theirs out."""
    return str(block.get("type", "task_card"))


def block_row(block: Json) -> Block:
    return BLOCKS[kind_of_block(block)]


def options_of(element: Json) -> list[Json]:
    """Every option of an element, those in groups too."""
    groups: list[Any] = [{"options": element.get("options", [])}]
    groups += element.get("option_groups", [])
    return [option for group in groups for option in group["options"]]


def feedback_of(element: Json) -> list[Json]:
    """The two buttons of `feedback_buttons`."""
    return [element["positive_button"], element["negative_button"]]


def elements_of(block: Json) -> list[Json]:
    """The elements of a block that was checked, controls or pictures; not those of its children."""
    elements = block.get(block_row(block).controls) or []
    return elements if isinstance(elements, list) else [elements]


def children_of(block: Json) -> list[Json]:
    """The blocks inside of a block that was checked."""
    return block.get(block_row(block).children) or []


def every_block(blocks: Sequence[Json]) -> Iterator[Json]:
    """The blocks of a message or a view and all blocks inside of them, in reading order."""
    for block in blocks:
        yield block
        yield from every_block(children_of(block))


def controls(blocks: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    """Every control of a message or a view, with the id of the block it stands in."""
    for block in every_block(blocks):
        for element in elements_of(block):
            if "action_id" in element:
                yield block["block_id"], element


def parts_of(block: Json) -> list[Any]:
    """What a reader sees of a block, part by part: text objects, elements, pieces of text, cells.

    The blocks inside of it are not among them.
    """
    # the title in rich text takes the place of the other one
    hidden = "title" if "rich_text_title" in block else ""
    names = [name for name in block_row(block).reads if name in block and name != hidden]
    return list(_flat([block[name] for name in names]))


def _flat(values: list[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value
