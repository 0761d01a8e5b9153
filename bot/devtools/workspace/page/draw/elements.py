"""The elements of blocks: buttons, menus, pictures, and inputs as native controls.

A control that acts on its own carries `data-action-id`, `data-block-id`, `data-type` and, where it
has them, `data-value` and `data-confirm`; the page's script posts these. In a modal a control is
called `{block_id}|{action_id}` and is sent with the form. Outside of input blocks, or with
`dispatch_action`, an input acts as well when it is changed.
docs: reference/block-kit/block-elements, reference/block-kit/composition-objects,
reference/block-kit/blocks/input-block
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace import reader_text
from bot.devtools.workspace.blocks.table import Element, Widget, options_of, row_of
from bot.devtools.workspace.page.draw.html import (
    OUTWARD,
    Attribute,
    Given,
    RenderContext,
    clean,
    joined,
    tag,
    web_address,
)
from bot.devtools.workspace.page.draw.mrkdwn import plain_text, text_object
from bot.devtools.workspace.text import unescape
from bot.devtools.workspace.values import Json

Attributes = dict[str, Attribute]
UNSHOWN: Final = "This part can't be shown here"
STYLES: Final = {"primary": " bk-primary", "danger": " bk-danger"}


def unshown(element_id: Attribute = None) -> Markup:
    return tag("p", UNSHOWN, class_="bk-unshown", id=element_id)


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
    shown = {name: confirm[name] for name in texts if name in confirm}
    read = {name: clean(reader_text.text_read(text, setting.names)) for name, text in shown.items()}
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
        shown = joined(plain_text(option["text"]), description(option, setting))
        rows.append(
            tag("li", _pressed(shown, option, shared | {"data_value": str(option["value"])}))
        )
    opener = tag("summary", "⋯", aria_label="More actions", title="More actions")
    return tag("details", opener, tag("ul", *rows, class_="bk-menu"), class_="bk-overflow")


def _pressed(shown: Markup, linked: Json, attributes: Attributes) -> Markup:
    """A button, or a link for what leads into the web."""
    address = web_address(linked["url"]) if "url" in linked else None
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
    quiet: Attributes = {"loading": "lazy", "referrerpolicy": "no-referrer"}
    return tag("img", src=address, alt=alt, class_=class_, **quiet)


MULTI_ROWS_MAX: Final = 6


@dataclass(frozen=True, slots=True)
class InputControl:
    """A control in its place: its element, its block, and what ties it to its label."""

    element: Json
    block_id: str
    setting: RenderContext
    tied: Attributes
    acts: bool
    required: bool = False

    @property
    def row(self) -> Element:
        return row_of(self.element)

    @property
    def name(self) -> str | None:
        name = f"{self.block_id}|{self.element.get('action_id', '')}"
        return name if self.setting.form else None

    @property
    def given(self) -> Given | None:
        """What was filled in before, for a form that is shown again."""
        return self.setting.values.get(self.name or "")

    @property
    def attributes(self) -> Attributes:
        shared = acting(self.element, self.block_id, self.setting) if self.acts else {}
        return shared | {
            "name": self.name,
            "data_type": self.element["type"],
            "required": self.required,
            "autofocus": self.element.get("focus_on_load") is True,
            **self.tied,
        }

    @property
    def placeholder(self) -> str | None:
        text = self.element.get("placeholder")
        return unescape(text["text"]) if isinstance(text, dict) else None


def control(
    element: Json,
    block_id: str,
    setting: RenderContext,
    *,
    tied: Attributes | None = None,
    acts: bool = True,
    required: bool = False,
) -> Markup:
    """`tied`: the id and aria attributes by which a label names it; without them it is called
    by its placeholder."""
    row = row_of(element)
    draw = _CONTROLS.get(row.widget)
    if draw is None:
        return unshown((tied or {}).get("id"))
    placeholder = element.get("placeholder") or {"text": row.label}
    named: Attributes = {"aria_label": unescape(placeholder["text"])}
    return draw(InputControl(element, block_id, setting, tied or named, acts, required))


# ── texts ──────────────────────────────────────────────────────────────────────────────────────


def _text(one: InputControl) -> Markup:
    element = one.element
    value = one.given if one.given is not None else element.get("initial_value", "")
    shared = one.attributes | {
        "placeholder": one.placeholder,
        "minlength": element.get("min_length"),
        "maxlength": element.get("max_length"),
        "class_": "bk-input",
    }
    if element.get("multiline"):
        # A line end right after the tag is not part of the text: HTML drops it.
        return tag("textarea", "\n", str(value), rows=5, **shared)
    limits = _limits(element) if one.row.html_type == "number" else {}
    return tag("input", type=one.row.html_type, value=str(value), **shared, **limits)


def _limits(element: Json) -> Attributes:
    step = "any" if element.get("is_decimal_allowed") else "1"
    return {"min": element.get("min_value"), "max": element.get("max_value"), "step": step}


def _rich(one: InputControl) -> Markup:
    """Rich text is written as plain text here."""
    initial = one.element.get("initial_value")
    read = reader_text.plain([initial], "", one.setting.names) if isinstance(initial, dict) else ""
    value = str(one.given) if one.given is not None else read
    shared = one.attributes | {"placeholder": one.placeholder, "class_": "bk-input"}
    return tag("textarea", "\n", value, rows=5, **shared)


def _file(one: InputControl) -> Markup:
    kinds = ",".join(f".{kind}" for kind in one.element.get("filetypes", ()))
    many = one.element.get("max_files", 10) != 1
    return tag("input", type="file", accept=kinds or None, multiple=many, **one.attributes)


def _picker(one: InputControl) -> Markup:
    value = one.given if one.given is not None else one.element.get(one.row.initial, "")
    if one.row.html_type == "datetime-local" and str(value).isdigit():
        value = f"{datetime.fromtimestamp(int(str(value))).astimezone():%Y-%m-%dT%H:%M}"
    return tag(
        "input",
        type=one.row.html_type,
        value=str(value) or None,
        class_="bk-input",
        **one.attributes,
    )


# ── selects ────────────────────────────────────────────────────────────────────────────────────

Choices = Sequence[tuple[str, object]]
"""Value and what is read, of each option."""


def _static(one: InputControl) -> Markup:
    groups = one.element.get("option_groups")
    chosen = _chosen(one)
    if groups is None:
        return _select(one, _options(_offered(one.element["options"]), chosen))
    shown = [
        tag("optgroup", *_options(_offered(group["options"]), chosen), label=_label(group))
        for group in groups
    ]
    return _select(one, shown)


def _label(group: Json) -> str:
    return unescape(group["label"]["text"])


def _offered(options: Iterable[Json]) -> Choices:
    return [(str(option["value"]), _option_text(option)) for option in options]


def _option_text(option: Json) -> str:
    """An option holds text only: its description follows after a dash."""
    parts = [option["text"], option.get("description")]
    return " – ".join(unescape(part["text"]) for part in parts if part)


def _people(one: InputControl) -> Markup:
    offered = [(user, name) for user, name in one.setting.names.users.items()]
    return _select(one, _options(offered, _chosen(one)))


def _places(one: InputControl) -> Markup:
    public_only = one.row.widget == "channels"
    offered = [
        (channel, f"#{name}")
        for channel, name in one.setting.names.channels.items()
        if not (public_only and channel.startswith("G"))
    ]
    return _select(one, _options(offered, _chosen(one)))


def _chosen(one: InputControl) -> frozenset[str]:
    """The values that are chosen when the control is first seen, or were filled in before."""
    if one.given is not None:
        return frozenset([one.given] if isinstance(one.given, str) else one.given)
    element = one.element
    initial = element.get(one.row.initial)
    if initial is None and element.get("default_to_current_conversation"):
        initial = one.setting.channel
    values = initial if isinstance(initial, list) else [initial] if initial else []
    return frozenset(
        str(value["value"]) if one.row.value == "option" else value for value in values
    )


def _options(offered: Choices, chosen: frozenset[str]) -> list[Markup]:
    return [tag("option", read, value=value, selected=value in chosen) for value, read in offered]


def _select(one: InputControl, options: Sequence[Markup]) -> Markup:
    if one.row.many:
        rows = min(MULTI_ROWS_MAX, max(2, len(options)))
        return tag(
            "select", *options, multiple=True, size=rows, class_="bk-select", **one.attributes
        )
    nothing = tag("option", one.placeholder or "Choose an option", value="")
    return tag("select", nothing, *options, class_="bk-select", **one.attributes)


# ── choices that are all in sight ──────────────────────────────────────────────────────────────


def _choices(one: InputControl) -> Markup:
    chosen = _chosen(one)
    name = one.name or f"{one.setting.scope}|{one.block_id}|{one.element.get('action_id', '')}"
    radio = not one.row.many
    shared = acting(one.element, one.block_id, one.setting) if one.acts else {}
    shared |= {"data_type": one.element["type"]}
    tied = dict(one.tied)
    if not radio:  # a group has no such attribute, its boxes have
        shared["aria_invalid"] = tied.pop("aria_invalid", None)
    rows = []
    for option in options_of(one.element):
        box = tag(
            "input",
            type="radio" if radio else "checkbox",
            name=name,
            value=str(option["value"]),
            checked=str(option["value"]) in chosen,
            required=radio and one.required,
            **shared,
        )
        read = joined(text_object(option["text"], one.setting), description(option, one.setting))
        rows.append(tag("label", box, tag("span", read), class_="bk-check"))
    role = "radiogroup" if radio else "group"
    needed = "true" if one.required and not radio else None
    return tag("div", *rows, role=role, class_="bk-checks", data_required=needed, **tied)


_CONTROLS: Final[Mapping[Widget, Callable[[InputControl], Markup]]] = {
    "text": _text,
    "date": _picker,
    "rich_text": _rich,
    "file": _file,
    "options": _static,
    "people": _people,
    "conversations": _places,
    "channels": _places,
    "boxes": _choices,
}
