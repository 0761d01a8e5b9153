"""Block Kit as HTML: the blocks of a message, of a modal and of the App Home.

Everything is escaped on its way in; what is not known here is a grey line. It sends nothing and
decides nothing: the page puts it in its place, its script posts what is clicked.
docs: reference/block-kit/blocks
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace.blocks.table import (
    BLOCKS,
    ELEMENTS,
    Widget,
    children_of,
    kind_of_block,
    parts_of,
    row_of,
)
from bot.devtools.workspace.page.draw import layout
from bot.devtools.workspace.page.draw.buttons import button, feedback_buttons, icon_button, overflow
from bot.devtools.workspace.page.draw.elements import control, image, unshown
from bot.devtools.workspace.page.draw.emojis import emoji_of
from bot.devtools.workspace.page.draw.html import Attributes, Given, RenderContext, joined, tag
from bot.devtools.workspace.page.draw.markdown import markdown
from bot.devtools.workspace.page.draw.mrkdwn import mrkdwn, plain_text, text_object
from bot.devtools.workspace.page.draw.rich_text import rich_text
from bot.devtools.workspace.page.draw.tables import table
from bot.devtools.workspace.values import Json, Names

__all__ = ["emoji_of", "message_body", "view_body"]


def message_body(
    blocks: Sequence[Json], text: str, names: Names, *, scope: str, viewer: str = ""
) -> Markup:
    """What a message shows: its blocks, or its text when it has none.

    `scope` is unique in the page (a ts); `viewer` is the user id of the person acting.
    """
    setting = RenderContext(names, scope, viewer)
    if not blocks:
        return tag("div", mrkdwn(text, setting), class_="bk bk-plain")
    return tag("div", *(_block(block, setting) for block in blocks), class_="bk")


def view_body(
    view: Json,
    names: Names,
    *,
    values: Mapping[str, Given] | None = None,
    errors: Mapping[str, str] | None = None,
    viewer: str = "",
    channel: str = "",
) -> Markup:
    """The blocks of a modal or of the App Home.

    `values`: control name → what is filled in; `errors`: block id → what is wrong with it;
    `channel`: the id of the channel a modal was opened from, if any.
    """
    setting = RenderContext(
        names=names,
        scope=str(view.get("id", "view")),
        viewer=viewer,
        form=view.get("type") == "modal",
        channel=channel,
        values=values or {},
        errors=errors or {},
    )
    return tag("div", *(_block(block, setting) for block in view["blocks"]), class_="bk bk-view")


def _block(block: Json, setting: RenderContext) -> Markup:
    kind = kind_of_block(block)
    if kind not in BLOCKS:
        return unshown()
    try:
        if kind in _LAYOUTS:
            children = [_block(child, setting) for child in children_of(block)]
            return _LAYOUTS[kind](block, setting, children)
        return _DRAWN.get(kind, _in_order)(block, setting)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # The API checks the limits, not the shape of everything; one odd block of an app must not
        # take the channel's page away.
        return unshown()


def _in_order(block: Json, setting: RenderContext) -> Markup:
    """A block whose kind has no drawing of its own: what a reader sees of it, part by part."""
    drawn = (_part(part, block, setting) for part in parts_of(block))
    return tag("div", *drawn, class_=f"bk-{block['type']}")


def _part(part: Json, block: Json, setting: RenderContext) -> Markup:
    if part["type"] in ELEMENTS:
        return _element(part, block, setting, f"bk-{block['type']}-image")
    return tag("div", text_object(part, setting), class_=f"bk-{block['type']}-text")


def _header(block: Json, setting: RenderContext) -> Markup:
    return tag("h3", plain_text(block["text"]), class_="bk-header")


def _divider(block: Json, setting: RenderContext) -> Markup:
    return tag("hr", class_="bk-divider")


def _section(block: Json, setting: RenderContext) -> Markup:
    parts = [text_object(block["text"], setting)] if block.get("text") else []
    if block.get("fields"):
        fields = [
            tag("div", text_object(cell, setting), class_="bk-field") for cell in block["fields"]
        ]
        parts.append(tag("div", *fields, class_="bk-fields"))
    body = tag("div", *parts, class_="bk-section-body")
    if not block.get("accessory"):
        return tag("div", body, class_="bk-section")
    accessory = _element(block["accessory"], block, setting, "bk-thumbnail")
    return tag("div", body, tag("div", accessory, class_="bk-accessory"), class_="bk-section")


def _element(element: Json, block: Json, setting: RenderContext, picture: str) -> Markup:
    widget = row_of(element).widget
    if widget == "image":
        return image(element, picture)
    return _BUTTONS.get(widget, control)(element, str(block.get("block_id", "")), setting)


def _context_actions(block: Json, setting: RenderContext) -> Markup:
    drawn = (_element(element, block, setting, "") for element in block["elements"])
    return tag("div", *drawn, class_="bk-actions bk-context-actions")


def _markdown(block: Json, setting: RenderContext) -> Markup:
    return markdown(block["text"], setting)


def _rich_text(block: Json, setting: RenderContext) -> Markup:
    return tag("div", rich_text(block["elements"], setting), class_="bk-rich")


def _image(block: Json, setting: RenderContext) -> Markup:
    title = tag("figcaption", plain_text(block["title"])) if block.get("title") else Markup()
    return tag("figure", title, image(block, "bk-image"), class_="bk-figure")


def _input(block: Json, setting: RenderContext) -> Markup:
    element, block_id = block["element"], str(block.get("block_id", ""))
    error, group = setting.errors.get(block_id), row_of(element).widget == "boxes"
    # Several controls are named by a legend, not by a label.
    control_id, label_id = setting.new_id(), setting.new_id()
    hint = _note(block["hint"], setting) if block.get("hint") else None
    wrong = (setting.new_id(), error) if error else None
    described = " ".join(note[0] for note in (hint, wrong) if note)
    tied: Attributes = {
        "id": control_id,
        "aria_describedby": described or None,
        "aria_invalid": "true" if wrong else None,
        "aria_labelledby": label_id if group else None,
    }
    drawn = control(
        element,
        block_id,
        setting,
        tied=tied,
        acts=block.get("dispatch_action") is True,
        required=not block.get("optional"),
    )
    optional = tag("span", " (optional)", class_="bk-optional") if block.get("optional") else ""
    called = joined(plain_text(block["label"]), optional)
    if group:
        label = tag("div", called, class_="bk-label", id=label_id)
    else:
        label = tag("label", called, class_="bk-label", for_=control_id)
    below = [tag("div", hint[1], class_="bk-hint", id=hint[0])] if hint else []
    if wrong:
        below.insert(0, tag("div", wrong[1], class_="bk-error", id=wrong[0], role="alert"))
    classes = "bk-field-row bk-invalid" if wrong else "bk-field-row"
    return tag("div", label, drawn, *below, class_=classes, data_block_id=block_id)


def _note(text: Json, setting: RenderContext) -> tuple[str, Markup]:
    return setting.new_id(), plain_text(text)


_BUTTONS: Final[Mapping[Widget, Callable[[Json, str, RenderContext], Markup]]] = {
    "button": button,
    "overflow": overflow,
    "icon_button": icon_button,
    "feedback": feedback_buttons,
}
_DRAWN: Final[Mapping[str, Callable[[Json, RenderContext], Markup]]] = {
    "header": _header,
    "divider": _divider,
    "section": _section,
    "markdown": _markdown,
    "rich_text": _rich_text,
    "image": _image,
    "input": _input,
    "context_actions": _context_actions,
    "table": table,
    "data_table": table,
}
_LAYOUTS: Final[Mapping[str, Callable[[Json, RenderContext, Sequence[Markup]], Markup]]] = {
    "container": layout.container,
    "plan": layout.plan,
    "task_card": layout.task,
    "card": layout.card,
    "carousel": layout.carousel,
    "alert": layout.alert,
}
"""The blocks that hold others, which come drawn, and what is drawn as those are."""
