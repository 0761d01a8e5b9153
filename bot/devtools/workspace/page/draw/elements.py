"""Controls outside of inputs: buttons, menus of further actions, and what all controls share.

A control that acts on its own carries `data-action-id`, `data-block-id`, `data-type` and, where it
has them, `data-value` and `data-confirm`; the page's script posts these.
docs: reference/block-kit/block-elements, reference/block-kit/composition-objects
"""

import json
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace.page.draw.html import (
    OUTWARD,
    Attribute,
    clean,
    joined,
    tag,
    web_address,
)
from bot.devtools.workspace.page.draw.mrkdwn import plain_text, text_object
from bot.devtools.workspace.page.setting import RenderContext
from bot.devtools.workspace.text import mrkdwn_read, unescape
from bot.devtools.workspace.values import Json

UNSHOWN: Final = "This part can't be shown here"
STYLES: Final = {"primary": " bk-primary", "danger": " bk-danger"}


def unshown(element_id: Attribute = None) -> Markup:
    return tag("p", UNSHOWN, class_="bk-unshown", id=element_id)


def acting(element: Json, block_id: str, setting: RenderContext) -> dict[str, Attribute]:
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
    names = setting.names
    read = {
        name: clean(
            mrkdwn_read(text["text"], names.users, names.channels)
            if text["type"] == "mrkdwn"
            else unescape(text["text"])
        )
        for name, text in confirm.items()
        if name in ("title", "text", "confirm", "deny")
    }
    style = confirm.get("style")
    return json.dumps(read | ({"style": style} if style in STYLES else {}), ensure_ascii=False)


def button(element: Json, block_id: str, setting: RenderContext) -> Markup:
    shown = plain_text(element["text"])
    attributes = acting(element, block_id, setting) | {
        "class_": f"bk-button{STYLES.get(str(element.get('style')), '')}",
        "data_value": str(element["value"]) if "value" in element else None,
        "aria_label": element.get("accessibility_label"),
    }
    address = web_address(element["url"]) if "url" in element else None
    if address is not None:
        return tag("a", shown, href=address, **OUTWARD, **attributes)
    return tag("button", shown, type="button", **attributes)


def overflow(element: Json, block_id: str, setting: RenderContext) -> Markup:
    rows = [tag("li", _choice(one, element, block_id, setting)) for one in element["options"]]
    opener = tag("summary", "⋯", aria_label="More actions", title="More actions")
    return tag("details", opener, tag("ul", *rows, class_="bk-menu"), class_="bk-overflow")


def _choice(option: Json, element: Json, block_id: str, setting: RenderContext) -> Markup:
    attributes = acting(element, block_id, setting) | {
        "class_": "bk-choice",
        "data_value": str(option["value"]),
    }
    shown = joined(plain_text(option["text"]), description(option, setting))
    address = web_address(option["url"]) if "url" in option else None
    if address is not None:
        return tag("a", shown, href=address, **OUTWARD, **attributes)
    return tag("button", shown, type="button", **attributes)


def description(option: Json, setting: RenderContext) -> Markup:
    if "description" not in option:
        return Markup()
    return tag("span", text_object(option["description"], setting), class_="bk-description")


def image(element: Json, class_: str) -> Markup:
    """A picture from the web or of this workspace; its words, if it lies anywhere else."""
    file = element.get("slack_file")
    url = element.get("image_url") or (file.get("url") if isinstance(file, dict) else None)
    address, alt = web_address(url), str(element.get("alt_text", ""))
    if address is None:
        return tag("span", alt or UNSHOWN, class_="bk-unshown")
    quiet: dict[str, Attribute] = {"loading": "lazy", "referrerpolicy": "no-referrer"}
    return tag("img", src=address, alt=alt, class_=class_, **quiet)
