"""The elements of blocks besides buttons: pictures, and inputs as native controls.

A control that acts on its own says so as a button does (buttons.py). In a modal a control is
called `{block_id}|{action_id}` and is sent with the form. Outside of input blocks, or with
`dispatch_action`, an input acts as well when it is changed.
docs: reference/block-kit/block-elements, reference/block-kit/composition-objects,
reference/block-kit/blocks/input-block
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace import reader_text
from bot.devtools.workspace.blocks.table import Element, Widget, options_of, row_of
from bot.devtools.workspace.page.draw.buttons import acting, description
from bot.devtools.workspace.page.draw.html import (
    Attribute,
    Attributes,
    Given,
    RenderContext,
    joined,
    tag,
    web_address,
)
from bot.devtools.workspace.page.draw.mrkdwn import text_object
from bot.devtools.workspace.text import unescape
from bot.devtools.workspace.values import Json

UNSHOWN: Final = "This part can't be shown here"


def unshown(element_id: Attribute = None) -> Markup:
    return tag("p", UNSHOWN, class_="bk-unshown", id=element_id)


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
    label_attributes: Attributes = {"aria_label": unescape(placeholder["text"])}
    return draw(InputControl(element, block_id, setting, tied or label_attributes, acts, required))


# ── texts ──────────────────────────────────────────────────────────────────────────────────────


def _text(field: InputControl) -> Markup:
    element = field.element
    value = field.given if field.given is not None else element.get("initial_value", "")
    shared = field.attributes | {
        "placeholder": field.placeholder,
        "minlength": element.get("min_length"),
        "maxlength": element.get("max_length"),
        "class_": "bk-input",
    }
    if element.get("multiline"):
        # A line end right after the tag is not part of the text: HTML drops it.
        return tag("textarea", "\n", str(value), rows=5, **shared)
    limits = _limits(element) if field.row.html_type == "number" else {}
    return tag("input", type=field.row.html_type, value=str(value), **shared, **limits)


def _limits(element: Json) -> Attributes:
    step = "any" if element.get("is_decimal_allowed") else "1"
    return {"min": element.get("min_value"), "max": element.get("max_value"), "step": step}


def _rich(field: InputControl) -> Markup:
    """Rich text is written as plain text here."""
    initial = field.element.get("initial_value")
    read = (
        reader_text.plain([initial], "", field.setting.names) if isinstance(initial, dict) else ""
    )
    value = str(field.given) if field.given is not None else read
    shared = field.attributes | {"placeholder": field.placeholder, "class_": "bk-input"}
    return tag("textarea", "\n", value, rows=5, **shared)


def _file(field: InputControl) -> Markup:
    kinds = ",".join(f".{kind}" for kind in field.element.get("filetypes", ()))
    many = field.element.get("max_files", 10) != 1
    return tag("input", type="file", accept=kinds or None, multiple=many, **field.attributes)


def _picker(field: InputControl) -> Markup:
    value = field.given if field.given is not None else field.element.get(field.row.initial, "")
    if field.row.html_type == "datetime-local" and str(value).isdigit():
        value = f"{datetime.fromtimestamp(int(str(value))).astimezone():%Y-%m-%dT%H:%M}"
    return tag(
        "input",
        type=field.row.html_type,
        value=str(value) or None,
        class_="bk-input",
        **field.attributes,
    )


# ── selects ────────────────────────────────────────────────────────────────────────────────────

Choices = Sequence[tuple[str, object]]
"""Value and what is read, of each option."""


def _static(field: InputControl) -> Markup:
    groups = field.element.get("option_groups")
    chosen = _chosen(field)
    if groups is None:
        return _select(field, _options(_offered(field.element["options"]), chosen))
    option_groups = [
        tag("optgroup", *_options(_offered(group["options"]), chosen), label=_label(group))
        for group in groups
    ]
    return _select(field, option_groups)


def _label(group: Json) -> str:
    return unescape(group["label"]["text"])


def _offered(options: Iterable[Json]) -> Choices:
    return [(str(option["value"]), _option_text(option)) for option in options]


def _option_text(option: Json) -> str:
    """An option holds text only: its description follows after a dash."""
    parts = [option["text"], option.get("description")]
    return " – ".join(unescape(part["text"]) for part in parts if part)


def _people(field: InputControl) -> Markup:
    offered = [(user, name) for user, name in field.setting.names.users.items()]
    return _select(field, _options(offered, _chosen(field)))


def _places(field: InputControl) -> Markup:
    public_only = field.row.widget == "channels"
    offered = [
        (channel, f"#{name}")
        for channel, name in field.setting.names.channels.items()
        if not (public_only and channel.startswith("G"))
    ]
    return _select(field, _options(offered, _chosen(field)))


def _chosen(field: InputControl) -> frozenset[str]:
    """The values that are chosen when the control is first seen, or were filled in before."""
    if field.given is not None:
        return frozenset([field.given] if isinstance(field.given, str) else field.given)
    element = field.element
    initial = element.get(field.row.initial)
    if initial is None and element.get("default_to_current_conversation"):
        initial = field.setting.channel
    values = initial if isinstance(initial, list) else [initial] if initial else []
    return frozenset(
        str(value["value"]) if field.row.value == "option" else value for value in values
    )


def _options(offered: Choices, chosen: frozenset[str]) -> list[Markup]:
    return [tag("option", read, value=value, selected=value in chosen) for value, read in offered]


def _select(field: InputControl, options: Sequence[Markup]) -> Markup:
    if field.row.many:
        rows = min(MULTI_ROWS_MAX, max(2, len(options)))
        return tag(
            "select", *options, multiple=True, size=rows, class_="bk-select", **field.attributes
        )
    nothing = tag("option", field.placeholder or "Choose an option", value="")
    return tag("select", nothing, *options, class_="bk-select", **field.attributes)


# ── choices that are all in sight ──────────────────────────────────────────────────────────────


def _choices(field: InputControl) -> Markup:
    chosen = _chosen(field)
    name = (
        field.name or f"{field.setting.scope}|{field.block_id}|{field.element.get('action_id', '')}"
    )
    radio = not field.row.many
    shared = acting(field.element, field.block_id, field.setting) if field.acts else {}
    shared |= {"data_type": field.element["type"]}
    tied = dict(field.tied)
    if not radio:  # a group has no such attribute, its boxes have
        shared["aria_invalid"] = tied.pop("aria_invalid", None)
    rows = []
    for option in options_of(field.element):
        box = tag(
            "input",
            type="radio" if radio else "checkbox",
            name=name,
            value=str(option["value"]),
            checked=str(option["value"]) in chosen,
            required=radio and field.required,
            **shared,
        )
        read = joined(
            text_object(option["text"], field.setting), description(option, field.setting)
        )
        rows.append(tag("label", box, tag("span", read), class_="bk-check"))
    role = "radiogroup" if radio else "group"
    needed = "true" if field.required and not radio else None
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
