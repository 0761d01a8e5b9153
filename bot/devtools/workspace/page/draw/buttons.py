"""Buttons and menus of actions as HTML.

A control that acts on its own carries `data-action-id`, `data-block-id`, `data-type` and, where it
has them, `data-value` and `data-confirm`; the page's script posts these.
docs: reference/block-kit/block-elements (button, overflow-menu, icon-button, feedback-buttons),
reference/block-kit/composition-objects
"""

import json
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace import reader_text
from bot.devtools.workspace.blocks.table import feedback_of
from bot.devtools.workspace.page.draw.html import (
    OUTWARD,
    Attributes,
    RenderContext,
    clean,
    joined,
    tag,
    web_address,
)
from bot.devtools.workspace.page.draw.mrkdwn import plain_text, text_object
from bot.devtools.workspace.text import unescape
from bot.devtools.workspace.values import Json

STYLES: Final = {"primary": " bk-primary", "danger": " bk-danger"}
ICONS: Final = {"trash": "🗑"}


def acting(element: Json, block_id: str, setting: RenderContext) -> Attributes:
    """The attributes of a control that tells the app when it is used."""
    return {
        "data_action_id": str(element.get("action_id", "")),
        "data_block_id": block_id,
        "data_type": str(element["type"]),
        "data_confirm": confirmation(element.get("confirm"), setting),
    }


def confirmation(confirm: Json | None, setting: RenderContext) -> str | None:
    """A confirm object as JSON for the page's dialog; every text as it is read."""
    if not isinstance(confirm, dict):
        return None
    texts = ("title", "text", "confirm", "deny")
    confirm_texts = {name: confirm[name] for name in texts if name in confirm}
    read = {
        name: clean(reader_text.text_read(text, setting.names))
        for name, text in confirm_texts.items()
    }
    style = confirm.get("style")
    return json.dumps(read | ({"style": style} if style in STYLES else {}), ensure_ascii=False)


def button(element: Json, block_id: str, setting: RenderContext) -> Markup:
    attributes = acting(element, block_id, setting) | {
        "class_": f"bk-button{STYLES.get(str(element.get('style')), '')}",
        "data_value": str(element["value"]) if "value" in element else None,
        "aria_label": element.get("accessibility_label"),
    }
    return _pressed(plain_text(element["text"]), element, attributes)


def overflow(element: Json, block_id: str, setting: RenderContext) -> Markup:
    shared = acting(element, block_id, setting) | {"class_": "bk-choice"}
    rows = []
    for option in element["options"]:
        label = joined(plain_text(option["text"]), description(option, setting))
        rows.append(
            tag("li", _pressed(label, option, shared | {"data_value": str(option["value"])}))
        )
    opener = tag("summary", "⋯", aria_label="More actions", title="More actions")
    return tag("details", opener, tag("ul", *rows, class_="bk-menu"), class_="bk-overflow")


def icon_button(element: Json, block_id: str, setting: RenderContext) -> Markup:
    """A button shown as its icon, named by its text; nothing for those who may not see it."""
    seen_by = element.get("visible_to_user_ids")
    if seen_by is not None and setting.viewer not in seen_by:
        return Markup()
    name = unescape(element["text"]["text"])
    attributes = acting(element, block_id, setting) | {
        "class_": "bk-button bk-icon-button",
        "data_value": str(element["value"]) if "value" in element else None,
        "aria_label": element.get("accessibility_label", name),
        "title": name,
    }
    return tag("button", ICONS.get(element["icon"], name), type="button", **attributes)


def feedback_buttons(element: Json, block_id: str, setting: RenderContext) -> Markup:
    drawn = []
    for choice in feedback_of(element):
        attributes = acting(element, block_id, setting) | {
            "class_": "bk-button",
            "data_value": str(choice["value"]),
            "aria_label": choice.get("accessibility_label"),
        }
        drawn.append(tag("button", plain_text(choice["text"]), type="button", **attributes))
    return joined(*drawn)


def _pressed(label: Markup, linked: Json, attributes: Attributes) -> Markup:
    """A button, or a link for what leads into the web."""
    address = web_address(linked["url"]) if "url" in linked else None
    if address is not None:
        return tag("a", label, href=address, **OUTWARD, **attributes)
    return tag("button", label, type="button", **attributes)


def description(option: Json, setting: RenderContext) -> Markup:
    if "description" not in option:
        return Markup()
    return tag("span", text_object(option["description"], setting), class_="bk-description")
