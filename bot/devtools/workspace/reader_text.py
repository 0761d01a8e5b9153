"""Blocks as the reader sees them, and the mentions they fire: by what the rows of `table` read.

Slack parses mentions in mrkdwn text objects, markdown blocks, rich_text elements and the
fallback text; it does not in plain_text objects, text elements of rich_text or escaped text.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.devtools.workspace import text as words
from bot.devtools.workspace.blocks.table import (
    ELEMENTS,
    block_row,
    children_of,
    every_block,
    feedback_of,
    parts_of,
)
from bot.devtools.workspace.values import Json, Names


def plain(blocks: Sequence[Json], text: str, names: Names) -> str:
    """What a reader sees of a message: its blocks, or its text when it has none."""
    if not blocks:
        return words.mrkdwn_read(text, names.users, names.channels)
    return "\n".join(line for block in blocks if (line := _block(block, names)))


def _block(block: Json, names: Names) -> str:
    """A block as its own lines and those of the blocks inside of it, folded or not."""
    children = (_block(child, names) for child in children_of(block))
    return "\n".join(filter(None, [_own_lines(block, names), *children]))


def _own_lines(block: Json, names: Names) -> str:
    values = parts_of(block)
    match block_row(block).reading:
        case "lines":
            return "\n".join(filter(None, _lines(values, names)))
        case "words":
            return " ".join(filter(None, (_part(value, names) for value in values)))
        case "first":
            return _part(values[0], names)
        case "markdown":
            return words.markdown_read(block["text"], names.users, names.channels)
        case "rich_text":
            return "\n".join(_rich(part, names, "") for part in values)
        case "task":
            return _task(block, names)
        case "rows":
            rows = (" · ".join(_one_line(cell, names) for cell in row) for row in block["rows"])
            return "\n".join(filter(None, [block.get("caption"), *rows]))


def _lines(values: Sequence[Any], names: Names) -> Iterator[str]:
    """A line for each text, one for all controls; a picture beside them is not read."""
    controls = [value for value in values if _is_control(value)]
    for value in values:
        if not _is_control(value) and not (isinstance(value, dict) and value["type"] == "image"):
            yield _part(value, names)
    if controls:
        yield " ".join(_part(control, names) for control in controls)


def _is_control(value: Any) -> bool:
    return isinstance(value, dict) and value["type"] in ELEMENTS and value["type"] != "image"


def _task(task: Json, names: Names) -> str:
    """A task of a plan in one line: its status is drawn, its details say it in words."""
    texts = [_one_line(task[name], names) for name in ("details", "output") if name in task]
    outcome = " · ".join(filter(None, texts))
    return f"{task['title']}: {outcome}" if outcome else str(task["title"])


def _one_line(part: Json, names: Names) -> str:
    return " ".join(_part(part, names).split())


def _part(part: Any, names: Names) -> str:
    """A text object, a picture's words, a cell, or the labels of a control."""
    if isinstance(part, str):
        return part
    match part["type"]:
        case "image":
            return str(part["alt_text"])
        case "mrkdwn" | "plain_text":
            return text_read(part, names)
        case "raw_text" | "raw_number":
            return str(part["text"])
        case "rich_text":
            return "\n".join(_rich(element, names, "") for element in part["elements"])
        case "feedback_buttons":
            return " ".join(_label(button) for button in feedback_of(part))
        case _:
            return _label(part)


def _label(control: Json) -> str:
    label = control.get("text") or control.get("placeholder")
    return f"[{words.unescape(label['text'])}]" if label else ""


def text_read(text: Json, names: Names) -> str:
    """A text object as a reader sees it."""
    if text["type"] == "mrkdwn":
        return words.mrkdwn_read(text["text"], names.users, names.channels)
    return words.unescape(text["text"])


def _rich(part: Json, names: Names, mark: str) -> str:
    if part["type"] == "rich_text_list":
        ordered = part["style"] == "ordered"
        marks = [f"{n}. " if ordered else "• " for n in range(1, len(part["elements"]) + 1)]
        pairs = zip(part["elements"], marks, strict=True)
        return "\n".join(_rich(element, names, mark) for element, mark in pairs)
    return mark + "".join(_leaf(leaf, names) for leaf in part["elements"])


def _leaf(leaf: Json, names: Names) -> str:
    match leaf["type"]:
        case "text":
            return str(leaf["text"])
        case "link":
            return str(leaf.get("text") or leaf["url"])
        case "user":
            return "@" + names.users.get(leaf["user_id"], leaf["user_id"])
        case "channel":
            return "#" + names.channels.get(leaf["channel_id"], leaf["channel_id"])
        case "broadcast":
            return f"@{leaf['range']}"
        case "usergroup":
            return "@group"
        case "emoji":
            return f":{leaf['name']}:"
        case "date":
            return str(leaf.get("fallback", ""))
        case _:
            return ""


def notified(blocks: Sequence[Json], text: str, names: Names) -> list[str]:
    """Whom a fresh post notifies, each once: "@Ada", "@here", "@group", "@U999"."""
    targets = words.mentioned(text)
    for block in every_block(blocks):
        targets += _targets(block)
    return list(dict.fromkeys(_target_read(target, names) for target in targets))


def _targets(block: Json) -> Iterator[str]:
    """Whom a block notifies; the blocks inside of it are asked for themselves."""
    if block_row(block).reading == "markdown":
        yield from words.mentioned(block["text"])
    for part in parts_of(block):
        if isinstance(part, dict) and part["type"] == "mrkdwn":
            yield from words.mentioned(part["text"])
        elif isinstance(part, dict) and part["type"].startswith("rich_text"):
            yield from _rich_targets(part)


def _rich_targets(part: Json) -> Iterator[str]:
    match part["type"]:
        case "user":
            yield part["user_id"]
        case "broadcast":
            yield f"!{part['range']}"
        case "usergroup":
            yield f"!subteam^{part['usergroup_id']}"
        case _:
            for inner in part.get("elements", ()):
                yield from _rich_targets(inner)


def _target_read(target: str, names: Names) -> str:
    if target.startswith("!subteam^"):
        return "@group"
    if target.startswith("!"):
        return "@" + target[1:]
    return "@" + names.users.get(target, target)
