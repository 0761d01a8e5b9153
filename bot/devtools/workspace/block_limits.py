"""Slack's limits on Block Kit, checked as the server checks them.

`block_faults` and `view_faults` return every fault as a message in Slack's manner, with the
JSON pointer; an empty list means Slack would take it. Rules live in tables, walking in code.
docs: reference/block-kit/blocks, reference/block-kit/block-elements,
reference/block-kit/composition-objects, reference/views
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.devtools.workspace.people.input_faults import input_faults
from bot.devtools.workspace.values import Json

BLOCKS_PER_MESSAGE_MAX: Final = 50
BLOCKS_PER_VIEW_MAX: Final = 100
MARKDOWN_CHARS_MAX: Final = 12_000
BLOCKS_JSON_CHARS_MAX: Final = 13_200
"""Undocumented: about 13,200 characters in all answer `msg_blocks_too_long`."""

ID_CHARS_MAX: Final = 255
PLACEHOLDER_CHARS_MAX: Final = 150
OPTION_TEXT_CHARS_MAX: Final = 75
OPTION_VALUE_CHARS_MAX: Final = 150
URL_CHARS_MAX: Final = 3_000
VIEW_TITLE_CHARS_MAX: Final = 24
PRIVATE_METADATA_CHARS_MAX: Final = 3_000

INTERACTIVE: Final = frozenset(
    [
        "button",
        "overflow",
        "static_select",
        "multi_static_select",
        "users_select",
        "multi_users_select",
        "conversations_select",
        "multi_conversations_select",
        "channels_select",
        "multi_channels_select",
        "external_select",
        "multi_external_select",
        "datepicker",
        "timepicker",
        "datetimepicker",
        "checkboxes",
        "radio_buttons",
        "workflow_button",
    ]
)
INPUTS: Final = (INTERACTIVE - {"button", "overflow", "workflow_button"}) | frozenset(
    [
        "plain_text_input",
        "email_text_input",
        "url_text_input",
        "number_input",
        "rich_text_input",
        "file_input",
    ]
)
MESSAGES_ONLY: Final = frozenset(["markdown"])
"""Blocks that neither modals nor the Home tab take."""
RICH_TEXT_LEAVES: Final = frozenset(
    ["text", "link", "user", "usergroup", "broadcast", "channel", "emoji", "date", "color", "team"]
)


@dataclass
class _Faults:
    """Collects; never stops at the first."""

    found: list[str] = field(default_factory=list)

    def add(self, what: str, where: str) -> None:
        self.found.append(f"[ERROR] {what} [json-pointer:{where}]")


def blocks_size(blocks: Sequence[Json]) -> int:
    return len(json.dumps(blocks, ensure_ascii=False, separators=(",", ":")))


def block_faults(blocks: object, *, most: int = BLOCKS_PER_MESSAGE_MAX) -> list[str]:
    faults = _Faults()
    if not isinstance(blocks, list):
        faults.add("must be an array of blocks", "/blocks")
        return faults.found
    if len(blocks) > most:
        faults.add(f"no more than {most} items allowed", "/blocks")
    for index, block in enumerate(blocks):
        _block(block, f"/blocks/{index}", faults)
    known = [block for block in blocks if isinstance(block, dict)]
    for block_id in _doubled(block.get("block_id") for block in known):
        faults.add(f"`block_id` '{block_id}' already exists", "/blocks")
    markdown = sum(len(str(b.get("text", ""))) for b in known if b.get("type") == "markdown")
    if markdown > MARKDOWN_CHARS_MAX:
        faults.add(f"markdown blocks: no more than {MARKDOWN_CHARS_MAX} characters", "/blocks")
    return faults.found


def view_faults(view: object) -> list[str]:
    faults = _Faults()
    if not isinstance(view, dict):
        faults.add("must be an object", "/view")
        return faults.found
    if view.get("type") not in ("modal", "home"):
        faults.add("must be `modal` or `home`", "/view/type")
    if view.get("type") == "modal":
        _text(view.get("title"), "/view/title", faults, VIEW_TITLE_CHARS_MAX, plain=True)
        for name in ("submit", "close"):
            if name in view:
                _text(view[name], f"/view/{name}", faults, VIEW_TITLE_CHARS_MAX, plain=True)
    _length(view, "private_metadata", PRIVATE_METADATA_CHARS_MAX, "/view", faults, least=0)
    _length(view, "callback_id", ID_CHARS_MAX, "/view", faults)
    blocks = view.get("blocks")
    faults.found += block_faults(blocks, most=BLOCKS_PER_VIEW_MAX)
    listed = blocks if isinstance(blocks, list) else []
    for index, block in enumerate(listed):
        if _kind(block) in MESSAGES_ONLY:
            faults.add(f"unsupported type: {_kind(block)}", f"/view/blocks/{index}/type")
    known = [block for block in listed if isinstance(block, dict)]
    if sum(_focused(block) for block in known) > 1:
        faults.add("only one element can be focused on load", "/view/blocks")
    has_input = any(block.get("type") == "input" for block in known)
    if view.get("type") == "modal" and has_input and "submit" not in view:
        faults.add("missing required field: submit, for a view with input blocks", "/view")
    return faults.found


def _focused(block: Json) -> bool:
    element = block.get("element")
    return isinstance(element, dict) and element.get("focus_on_load") is True


def _block(block: Any, at: str, faults: _Faults) -> None:
    kind = _kind(block)
    check = _BLOCKS.get(kind)
    if check is None:
        faults.add(f"unsupported type: {kind}", f"{at}/type")
        return
    _length(block, "block_id", ID_CHARS_MAX, at, faults)
    check(block, at, faults)


def _kind(item: Any) -> str:
    """The item's type, for messages too: "None" when it has none."""
    return str(item.get("type")) if isinstance(item, dict) else "None"


def _header(block: Json, at: str, faults: _Faults) -> None:
    _text(block.get("text"), f"{at}/text", faults, 150, plain=True)


def _section(block: Json, at: str, faults: _Faults) -> None:
    if "text" not in block and "fields" not in block:
        faults.add("missing required field: text or fields", at)
    if "text" in block:
        _text(block["text"], f"{at}/text", faults, 3_000)
    if "fields" in block:
        for index, item in _items(block, "fields", 1, 10, at, faults):
            _text(item, f"{at}/fields/{index}", faults, 2_000)
    if "accessory" in block:
        _element(block["accessory"], f"{at}/accessory", faults, INTERACTIVE | {"image"})


def _context(block: Json, at: str, faults: _Faults) -> None:
    for index, item in _items(block, "elements", 1, 10, at, faults):
        where = f"{at}/elements/{index}"
        if isinstance(item, dict) and item.get("type") == "image":
            _image(item, where, faults)
        else:
            _text(item, where, faults, 3_000)


def _actions(block: Json, at: str, faults: _Faults) -> None:
    elements = list(_items(block, "elements", 1, 25, at, faults))
    for index, item in elements:
        _element(item, f"{at}/elements/{index}", faults, INTERACTIVE)
    ids = (item.get("action_id") for _, item in elements if isinstance(item, dict))
    for action_id in _doubled(ids):
        faults.add(f"`action_id` '{action_id}' already exists", f"{at}/elements")


def _markdown(block: Json, at: str, faults: _Faults) -> None:
    _required_length(block, "text", MARKDOWN_CHARS_MAX, at, faults)


def _divider(block: Json, at: str, faults: _Faults) -> None:
    if set(block) - {"type", "block_id"}:
        faults.add("no more properties allowed", at)


def _image(block: Json, at: str, faults: _Faults) -> None:
    if "image_url" not in block and "slack_file" not in block:
        faults.add("missing required field: image_url or slack_file", at)
    _length(block, "image_url", URL_CHARS_MAX, at, faults)
    _required_length(block, "alt_text", 2_000, at, faults)
    if "title" in block:
        _text(block["title"], f"{at}/title", faults, 2_000, plain=True)


def _input(block: Json, at: str, faults: _Faults) -> None:
    _text(block.get("label"), f"{at}/label", faults, 2_000, plain=True)
    if "hint" in block:
        _text(block["hint"], f"{at}/hint", faults, 2_000, plain=True)
    _element(block.get("element"), f"{at}/element", faults, INPUTS)


def _rich_text(block: Json, at: str, faults: _Faults) -> None:
    for index, item in _items(block, "elements", 1, None, at, faults):
        _rich_part(item, f"{at}/elements/{index}", faults)


def _rich_part(part: Any, at: str, faults: _Faults) -> None:
    kind = _kind(part)
    if kind == "rich_text_list":
        if part.get("style") not in ("bullet", "ordered"):
            faults.add("must be one of: bullet, ordered", f"{at}/style")
        for index, item in _items(part, "elements", 1, None, at, faults):
            _rich_part(item, f"{at}/elements/{index}", faults)
    elif kind in ("rich_text_section", "rich_text_quote", "rich_text_preformatted"):
        for index, item in _items(part, "elements", 0, None, at, faults):
            _rich_leaf(item, f"{at}/elements/{index}", faults)
    else:
        faults.add(f"unsupported type: {kind}", f"{at}/type")


_LEAF_NEEDS: Final = {
    "text": "text",
    "link": "url",
    "user": "user_id",
    "usergroup": "usergroup_id",
    "broadcast": "range",
    "channel": "channel_id",
    "emoji": "name",
}


def _rich_leaf(leaf: Any, at: str, faults: _Faults) -> None:
    kind = _kind(leaf)
    if kind not in RICH_TEXT_LEAVES:
        faults.add(f"unsupported type: {kind}", f"{at}/type")
    elif (need := _LEAF_NEEDS.get(kind)) is not None:
        _required_length(leaf, need, None, at, faults)
        if kind == "broadcast" and leaf.get("range") not in ("here", "channel", "everyone"):
            faults.add("must be one of: here, channel, everyone", f"{at}/range")


def _element(element: Any, at: str, faults: _Faults, allowed: frozenset[str]) -> None:
    kind = _kind(element)
    if kind not in allowed:
        faults.add(f"unsupported type: {kind}", f"{at}/type")
        return
    if kind == "image":
        _image(element, at, faults)
        return
    _length(element, "action_id", ID_CHARS_MAX, at, faults)
    if kind == "button":
        _button(element, at, faults)
    elif kind == "overflow":
        _options(element, at, faults, most=5, value_max=OPTION_VALUE_CHARS_MAX)
    elif kind in ("checkboxes", "radio_buttons"):
        _options(element, at, faults, most=10, value_max=OPTION_VALUE_CHARS_MAX)
    elif kind in ("static_select", "multi_static_select"):
        _select(element, at, faults)
    if "placeholder" in element:
        where = f"{at}/placeholder"
        _text(element["placeholder"], where, faults, PLACEHOLDER_CHARS_MAX, plain=True)
    if "confirm" in element:
        _confirm(element["confirm"], f"{at}/confirm", faults)
    for what, name in input_faults(element):
        faults.add(what, f"{at}/{name}")


def _button(element: Json, at: str, faults: _Faults) -> None:
    _text(element.get("text"), f"{at}/text", faults, 75, plain=True)
    _length(element, "value", 2_000, at, faults, least=0)
    _length(element, "url", URL_CHARS_MAX, at, faults)
    _length(element, "accessibility_label", 75, at, faults)
    if element.get("style", "primary") not in ("primary", "danger"):
        faults.add("must be one of: primary, danger", f"{at}/style")


def _select(element: Json, at: str, faults: _Faults) -> None:
    if "option_groups" not in element:
        _options(element, at, faults, most=100, value_max=OPTION_VALUE_CHARS_MAX)
        return
    for index, group in _items(element, "option_groups", 1, 100, at, faults):
        where = f"{at}/option_groups/{index}"
        label = group.get("label") if isinstance(group, dict) else None
        _text(label, f"{where}/label", faults, 75, plain=True)
        if isinstance(group, dict):
            _options(group, where, faults, most=100, value_max=OPTION_VALUE_CHARS_MAX)


def _options(element: Json, at: str, faults: _Faults, *, most: int, value_max: int) -> None:
    for index, option in _items(element, "options", 1, most, at, faults):
        where = f"{at}/options/{index}"
        if not isinstance(option, dict):
            faults.add("must be an object", where)
            continue
        plain = element.get("type") not in ("checkboxes", "radio_buttons")
        _text(option.get("text"), f"{where}/text", faults, OPTION_TEXT_CHARS_MAX, plain=plain)
        _required_length(option, "value", value_max, where, faults)
        if "description" in option:
            described = f"{where}/description"
            _text(option["description"], described, faults, OPTION_TEXT_CHARS_MAX, plain=plain)


def _confirm(confirm: Any, at: str, faults: _Faults) -> None:
    if not isinstance(confirm, dict):
        faults.add("must be an object", at)
        return
    for name, most, plain in (
        ("title", 100, True),
        ("text", 300, False),
        ("confirm", 30, True),
        ("deny", 30, True),
    ):
        _text(confirm.get(name), f"{at}/{name}", faults, most, plain=plain)
    if confirm.get("style", "primary") not in ("primary", "danger"):
        faults.add("must be one of: primary, danger", f"{at}/style")


def _text(text: Any, at: str, faults: _Faults, most: int, *, plain: bool = False) -> None:
    kinds = ("plain_text",) if plain else ("plain_text", "mrkdwn")
    if not isinstance(text, dict):
        faults.add("missing required text object", at)
        return
    if text.get("type") not in kinds:
        faults.add(f"must be one of: {', '.join(kinds)}", f"{at}/type")
        return
    unknown = set(text) - {"type", "text", "emoji", "verbatim"}
    if unknown or ("emoji" in text and text.get("type") == "mrkdwn"):
        faults.add("no more properties allowed", at)
    _required_length(text, "text", most, at, faults)


def _required_length(holder: Json, name: str, most: int | None, at: str, faults: _Faults) -> None:
    if name not in holder:
        faults.add(f"missing required field: {name}", at)
    else:
        _length(holder, name, most, at, faults)


def _length(
    holder: Json, name: str, most: int | None, at: str, faults: _Faults, *, least: int = 1
) -> None:
    if name not in holder:
        return
    value = holder[name]
    if not isinstance(value, str):
        faults.add("must be a string", f"{at}/{name}")
    elif len(value) < least:
        faults.add("must be more than 0 characters", f"{at}/{name}")
    elif most is not None and len(value) > most:
        faults.add(f"must be less than {most + 1} characters", f"{at}/{name}")


def _items(
    holder: Json, name: str, least: int, most: int | None, at: str, faults: _Faults
) -> Iterator[tuple[int, Any]]:
    items = holder.get(name)
    if not isinstance(items, list):
        faults.add(f"missing required field: {name}", at)
        return
    if len(items) < least:
        faults.add("must be more than 0 items", f"{at}/{name}")
    if most is not None and len(items) > most:
        faults.add(f"no more than {most} items allowed", f"{at}/{name}")
    yield from enumerate(items)


def _doubled(ids: Iterable[Any]) -> list[str]:
    seen: set[str] = set()
    doubled = []
    for one in ids:
        if isinstance(one, str) and one in seen:
            doubled.append(one)
        elif isinstance(one, str):
            seen.add(one)
    return doubled


_BLOCKS: Final[dict[str, Callable[[Json, str, _Faults], None]]] = {
    "header": _header,
    "section": _section,
    "context": _context,
    "actions": _actions,
    "markdown": _markdown,
    "divider": _divider,
    "image": _image,
    "input": _input,
    "rich_text": _rich_text,
}
