"""rich_text blocks as HTML: sections, lists, quotes, code, and the leaves within them.

docs: reference/block-kit/blocks/rich-text-block
"""

from collections.abc import Callable
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace.page.draw.dates import date
from bot.devtools.workspace.page.draw.emojis import emoji
from bot.devtools.workspace.page.draw.html import Attribute, RenderContext, joined, link, tag, words
from bot.devtools.workspace.page.draw.mrkdwn import broadcast, channel, mention, preformatted, user
from bot.devtools.workspace.values import Json
from core import patterns

INDENT_MAX: Final = 8
_STYLES: Final = (
    ("code", "code"),
    ("strike", "s"),
    ("underline", "u"),
    ("italic", "em"),
    ("bold", "strong"),
)
_COLOR: Final = patterns.compile(r"#[0-9A-Fa-f]{6}")


def rich_text(elements: list[Json], setting: RenderContext) -> Markup:
    return joined(*(part(element, setting) for element in elements))


def part(element: Json, setting: RenderContext) -> Markup:
    kind = element["type"]
    if kind == "rich_text_list":
        return _list(element, setting)
    leaves = joined(*(leaf(child, setting) for child in element.get("elements", ())))
    border = " bk-border" if element.get("border") else ""
    if kind == "rich_text_quote":
        return tag("blockquote", leaves, class_="bk-quote")
    if kind == "rich_text_preformatted":
        return preformatted(leaves)
    return tag("div", leaves, class_=f"bk-text{border}")


def _list(element: Json, setting: RenderContext) -> Markup:
    indent = max(0, min(_whole(element.get("indent")), INDENT_MAX))
    classes = f"bk-list bk-indent-{indent}" + (" bk-border" if element.get("border") else "")
    rows = [tag("li", part(row, setting)) for row in element["elements"]]
    if element.get("style") != "ordered":
        return tag("ul", *rows, class_=classes)
    start = _whole(element.get("offset")) + 1
    return tag("ol", *rows, class_=classes, start=start if start > 1 else None)


def _whole(number: object) -> int:
    return number if isinstance(number, int) else 0


def leaf(element: Json, setting: RenderContext) -> Markup:
    """One leaf in its styles; a kind that is new to us shows what text it has."""
    markup = _LEAVES.get(element["type"], _LEAVES["text"])(element, setting)
    style = element.get("style")
    if not isinstance(style, dict):
        return markup
    for name, element_name in _STYLES:
        if style.get(name):
            attributes: dict[str, Attribute] = {"class_": "bk-code"} if name == "code" else {}
            markup = tag(element_name, markup, **attributes)
    if style.get("highlight") or style.get("client_highlight"):
        markup = tag("mark", markup)
    return markup


def _date(element: Json, setting: RenderContext) -> Markup:
    fallback, url = str(element.get("fallback", "")), str(element.get("url", ""))
    return date(element.get("timestamp"), str(element.get("format", "")), fallback, url)


def _color(element: Json, setting: RenderContext) -> Markup:
    value = str(element.get("value", ""))
    if not _COLOR.fullmatch(value):
        return words(value)
    swatch = tag("rect", width=12, height=12, rx=2, fill=value)
    drawn = tag("svg", swatch, class_="bk-swatch", width=12, height=12, aria_hidden="true")
    return joined(drawn, value)


_LEAVES: Final[dict[str, Callable[[Json, RenderContext], Markup]]] = {
    "text": lambda leaf, _: words(leaf.get("text", "")),
    "link": lambda leaf, _: link(leaf["url"], leaf.get("text") or leaf["url"]),
    "user": lambda leaf, setting: user(leaf["user_id"], setting),
    "channel": lambda leaf, setting: channel(leaf["channel_id"], setting),
    "broadcast": lambda leaf, _: broadcast(leaf["range"]),
    "usergroup": lambda leaf, _: mention("@group", class_="bk-mention"),
    "emoji": lambda leaf, _: emoji(leaf["name"], leaf.get("skin_tone")),
    "date": _date,
    "color": _color,
}
