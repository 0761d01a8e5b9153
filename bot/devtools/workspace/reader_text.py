"""Blocks as the reader sees them, and the mentions they fire: by what the rows of `table` read.

Slack parses mentions in mrkdwn text objects, markdown blocks, rich_text elements and the
fallback text; it does not in plain_text objects, text elements of rich_text or escaped text.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.devtools.workspace import text as words
from bot.devtools.workspace.blocks.table import BLOCKS, parts_of
from bot.devtools.workspace.values import Json, Names


def plain(blocks: Sequence[Json], text: str, names: Names) -> str:
    """What a reader sees of a message: its blocks, or its text when it has none."""
    if not blocks:
        return words.mrkdwn_read(text, names.users, names.channels)
    return "\n".join(line for block in blocks if (line := _block(block, names)))


def _block(block: Json, names: Names) -> str:
    values = parts_of(block)
    match BLOCKS[block["type"]].reading:
        case "lines":  # a picture beside them is not read
            texts = (_part(value, names) for value in values if value["type"] != "image")
            return "\n".join(filter(None, texts))
        case "words":
            return " ".join(filter(None, (_part(value, names) for value in values)))
        case "first":
            return _part(values[0], names)
        case "markdown":
            return words.markdown_read(block["text"], names.users, names.channels)
        case "rich_text":
            return "\n".join(_rich(part, names, "") for part in values)


def _part(part: Any, names: Names) -> str:
    """A text object, a picture's words, or the label of a control."""
    if isinstance(part, str):
        return part
    match part["type"]:
        case "image":
            return str(part["alt_text"])
        case "mrkdwn" | "plain_text":
            return text_read(part, names)
        case _:
            label = part.get("text") or part.get("placeholder")
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
    for block in blocks:
        targets += _targets(block)
    return list(dict.fromkeys(_target_read(target, names) for target in targets))


def _targets(block: Json) -> Iterator[str]:
    if BLOCKS[block["type"]].reading == "markdown":
        yield from words.mentioned(block["text"])
    for part in parts_of(block):
        if isinstance(part, dict) and part["type"] == "mrkdwn":
            yield from words.mentioned(part["text"])
        elif BLOCKS[block["type"]].reading == "rich_text":
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
