"""Slack's newer blocks as HTML: folds, plans, cards, carousels, alerts.

A fold is a native `details` with `data-fold`, its block's id, under which the page's script keeps
what a person opened. What is inside of a block comes drawn.
docs: reference/block-kit/blocks (container, plan, task-card, card, carousel, alert)
"""

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace.blocks.table import parts_of
from bot.devtools.workspace.page.draw.buttons import button
from bot.devtools.workspace.page.draw.elements import image
from bot.devtools.workspace.page.draw.html import RenderContext, joined, link, tag, words
from bot.devtools.workspace.page.draw.mrkdwn import text_object
from bot.devtools.workspace.page.draw.rich_text import rich_text
from bot.devtools.workspace.values import Json

STATUSES: Final[Mapping[str, tuple[str, str]]] = {  # the mark, and its words for who cannot see it
    "pending": ("○", "Pending"),
    "in_progress": ("◐", "In progress"),
    "complete": ("✓", "Complete"),
    "error": ("✕", "Error"),
}
LEVELS: Final[Mapping[str, tuple[str, str]]] = {
    "default": ("", ""),
    "info": ("ℹ", "Information"),
    "warning": ("⚠", "Warning"),
    "error": ("✕", "Error"),
    "success": ("✓", "Success"),
}


def container(block: Json, setting: RenderContext, children: Sequence[Markup]) -> Markup:
    icon = image(block["icon"], "bk-icon-image") if block.get("icon") else ""
    title, *subtitle = parts_of(block)[:2]
    title_markup = tag("div", _text(title, setting), class_="bk-container-title")
    below = [tag("div", _text(text, setting), class_="bk-subtitle") for text in subtitle]
    head = joined(icon, tag("div", title_markup, *below, class_="bk-container-names"))
    body = tag("div", *children, class_="bk-container-body")
    width = f"bk-container bk-width-{block.get('width', 'standard')}"
    if block.get("is_collapsible"):
        opened = not block.get("default_collapsed")
        return _fold(block, head, body, opened=opened, class_=width)
    divided = " bk-divided" if block.get("has_header_divider") else ""
    heading = tag("div", head, class_=f"bk-container-head{divided}")
    return tag("div", heading, body, class_=width)


def plan(block: Json, setting: RenderContext, children: Sequence[Markup]) -> Markup:
    """A plan is folded at first: https://github.com/slackapi/node-slack-sdk/issues/2701."""
    rows = [tag("li", child) for child in children]
    title = tag("div", words(block["title"]), class_="bk-container-title")
    tasks = tag("ul", *rows, class_="bk-tasks")
    return _fold(block, title, tasks, opened=False, class_="bk-plan")


def _fold(block: Json, head: Markup, body: Markup, *, opened: bool, class_: str) -> Markup:
    block_id = str(block.get("block_id", ""))
    summary = tag("summary", head, class_="bk-fold-head", data_block_id=block_id)
    return tag(
        "details", summary, body, class_=f"{class_} bk-fold", data_fold=block_id, open=opened
    )


def task(block: Json, setting: RenderContext, children: Sequence[Markup]) -> Markup:
    sign, name = STATUSES[block["status"]]
    mark = tag("span", sign, class_=f"bk-mark bk-mark-{block['status']}", aria_hidden="true")
    texts = [
        tag("div", rich_text(block[field]["elements"], setting), class_="bk-task-text")
        for field in ("details", "output")
        if block.get(field)
    ]
    sources = [link(source["url"], source["text"]) for source in block.get("sources", ())]
    if sources:
        texts.append(tag("div", joined(*sources), class_="bk-task-text bk-sources"))
    title = tag("div", tag("span", f"{name}: ", class_="bk-hidden"), words(block["title"]))
    return tag("div", mark, tag("div", title, *texts), class_="bk-task")


def card(block: Json, setting: RenderContext, children: Sequence[Markup]) -> Markup:
    title_id = setting.new_id() if block.get("title") else None
    texts = {
        name: tag("div", text_object(block[name], setting), class_=class_, id=element_id)
        for name, class_, element_id in (
            ("title", "bk-card-title", title_id),
            ("subtitle", "bk-subtitle", None),
            ("body", "bk-text", None),
        )
        if block.get(name)
    }
    hero = image(block["hero_image"], "bk-hero") if block.get("hero_image") else ""
    icon = image(block["icon"], "bk-icon-image") if block.get("icon") else ""
    names = tag("div", *(texts[name] for name in ("title", "subtitle") if name in texts))
    head = tag("div", icon, names, class_="bk-card-head")
    block_id = str(block.get("block_id", ""))
    buttons = [button(element, block_id, setting) for element in block.get("actions", ())]
    row = tag("div", *buttons, class_="bk-actions") if buttons else ""
    parts = (hero, head, texts.get("body", ""), row)
    return tag("div", *parts, class_="bk-card", role="group", aria_labelledby=title_id)


def carousel(block: Json, setting: RenderContext, children: Sequence[Markup]) -> Markup:
    rows = [tag("li", child) for child in children]
    return tag("ul", *rows, class_="bk-carousel", aria_label="Cards", tabindex=0)


def alert(block: Json, setting: RenderContext, children: Sequence[Markup]) -> Markup:
    level = str(block.get("level", "default"))
    sign, name = LEVELS[level]
    mark = tag("span", sign, class_="bk-mark", aria_hidden="true") if sign else ""
    label = tag("span", f"{name}: ", class_="bk-hidden") if name else ""
    text = tag("div", label, text_object(block["text"], setting))
    role = "alert" if level in ("error", "warning") else "note"
    return tag("div", mark, text, class_=f"bk-alert bk-alert-{level}", role=role)


def _text(text: Json, setting: RenderContext) -> Markup:
    if text["type"] == "rich_text":
        return rich_text(text["elements"], setting)
    return text_object(text, setting)
