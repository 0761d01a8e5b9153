"""Blocks as the reader sees them, the mentions they fire, and the controls they show.

Slack parses mentions in mrkdwn text objects, markdown blocks, rich_text elements and the
fallback text; it does not in plain_text objects, text elements of rich_text or escaped text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.devtools.workspace import text as words
from bot.devtools.workspace.values import Json


@dataclass(frozen=True, slots=True)
class Names:
    """Who and what ids stand for, for a reader."""

    users: Mapping[str, str]
    channels: Mapping[str, str]


def plain(blocks: Sequence[Json], text: str, names: Names) -> str:
    """What a reader sees of a message: its blocks, or its text when it has none."""
    if not blocks:
        return words.mrkdwn_read(text, names.users, names.channels)
    return "\n".join(line for block in blocks if (line := _block(block, names)))


def _block(block: Json, names: Names) -> str:
    match block["type"]:
        case "markdown":
            return words.markdown_read(block["text"], names.users, names.channels)
        case "rich_text":
            return "\n".join(_rich(part, names, "") for part in block["elements"])
        case "section":
            texts = [block["text"]] if "text" in block else []
            shown = [_text(text, names) for text in texts + block.get("fields", [])]
            label = _control(block["accessory"]) if "accessory" in block else ""
            return "\n".join(filter(None, [*shown, label]))
        case "context":
            return " ".join(_text(element, names) for element in block["elements"])
        case "actions":
            return " ".join(filter(None, map(_control, block["elements"])))
        case "image":
            return _text(block["title"], names) if "title" in block else str(block["alt_text"])
        case "header" | "input":
            return _text(block.get("text") or block["label"], names)
        case _:
            return ""


def _text(text: Json, names: Names) -> str:
    if text["type"] == "image":
        return str(text["alt_text"])
    if text["type"] == "mrkdwn":
        return words.mrkdwn_read(text["text"], names.users, names.channels)
    return words.unescape(text["text"])


def _control(element: Json) -> str:
    shown = element.get("text") or element.get("placeholder")
    return f"[{words.unescape(shown['text'])}]" if shown else ""


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


def fired(blocks: Sequence[Json], text: str, names: Names) -> list[str]:
    """Whom a fresh post notifies, each once: "@Ada", "@here", "@group", "@U999"."""
    targets = words.mentioned(text)
    for block in blocks:
        targets += _targets(block)
    return list(dict.fromkeys(_target_read(target, names) for target in targets))


def _targets(block: Json) -> list[str]:
    match block["type"]:
        case "markdown":
            return words.mentioned(block["text"])
        case "section":
            texts = [block["text"]] if "text" in block else []
            return _mrkdwn_targets(texts + block.get("fields", []))
        case "context":
            return _mrkdwn_targets(block["elements"])
        case "rich_text":
            return list(_rich_targets(block["elements"]))
        case _:
            return []


def _mrkdwn_targets(texts: Sequence[Json]) -> list[str]:
    live = [text["text"] for text in texts if text["type"] == "mrkdwn"]
    return [target for text in live for target in words.mentioned(text)]


def _rich_targets(elements: Sequence[Json]) -> Iterator[str]:
    for element in elements:
        match element["type"]:
            case "user":
                yield element["user_id"]
            case "broadcast":
                yield f"!{element['range']}"
            case "usergroup":
                yield f"!subteam^{element['usergroup_id']}"
            case _:
                yield from _rich_targets(element.get("elements", ()))


def _target_read(target: str, names: Names) -> str:
    if target.startswith("!subteam^"):
        return "@group"
    if target.startswith("!"):
        return "@" + target[1:]
    return "@" + names.users.get(target, target)


def controls(blocks: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    """Every control of a message, with the id of its block."""
    for block in blocks:
        elements: list[Any] = []
        if block["type"] == "actions":
            elements = block["elements"]
        elif block["type"] == "section" and "accessory" in block:
            elements = [block["accessory"]]
        elif block["type"] == "input":
            elements = [block["element"]]
        yield from ((block["block_id"], element) for element in elements if "action_id" in element)
