"""What is filled in: every control's value as Slack sends it, and what its client would refuse.

Values are given as a page's form has them: texts, ids, dates, the values of options; people and
channels by name too. docs: reference/interaction-payloads/view-interactions-payload (view.state),
reference/block-kit/block-elements
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from bot.devtools.workspace import render
from bot.devtools.workspace.delivery import payloads
from bot.devtools.workspace.text import unescape
from bot.devtools.workspace.values import Json

Given = str | Sequence[str]

REQUIRED: Final = "Please complete this required field."
STATELESS: Final = frozenset(["button", "overflow", "workflow_button"])

_HOLDS: Final[Mapping[str, tuple[str, str]]] = {
    "channels_select": ("selected_channel", "initial_channel"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "users_select": ("selected_user", "initial_user"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "multi_users_select": ("selected_users", "initial_users"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
    "rich_text_input": ("rich_text_value", "initial_value"),
    "file_input": ("files", ""),
}
"""Where a control's value stands, and its initial value, unless it is a text or has options."""
_MANY: Final = ("multi_", "checkboxes", "file_input")


class UnfilledError(ValueError):
    """A form that Slack's client would not send. `wrong`: block id → what is wrong with it."""

    def __init__(self, wrong: Mapping[str, str], labels: Sequence[str]) -> None:
        super().__init__("; ".join(map(": ".join, zip(labels, wrong.values(), strict=True))))
        self.wrong = dict(wrong)


@dataclass(frozen=True, slots=True)
class Filling:
    """What a person filled in: control → value, by action id or as "block id|action id".

    `channel`: where they were when they opened the form, or "".
    """

    values: Mapping[str, Given]
    names: render.Names
    channel: str = ""

    def of(self, block_id: str, element: Json) -> Given | None:
        exact = self.values.get(control_name(block_id, element))
        return self.values.get(element["action_id"]) if exact is None else exact


def control_name(block_id: str, element: Json) -> str:
    """What tells a control from every other one of a form."""
    return f"{block_id}|{element['action_id']}"


def complete(blocks: Sequence[Json], filling: Filling) -> Json:
    """`view.state.values` of a form that is sent.

    Raises: UnfilledError where Slack's client asks for another answer; LookupError for what is
    not on the form.
    """
    state = so_far(blocks, filling)
    wrong, labels = {}, []
    for block in blocks:
        if block["type"] == "input":
            element = block["element"]
            held = state.get(block["block_id"], {}).get(element["action_id"], {})
            fault = _fault(element, held, optional=bool(block.get("optional")))
            if fault:
                wrong[block["block_id"]] = fault
                labels.append(repr(block["label"]["text"]))
    if wrong:
        raise UnfilledError(wrong, labels)
    return state


def so_far(blocks: Sequence[Json], filling: Filling) -> Json:
    """`state.values` as it stands, complete or not: what is untouched has its initial value."""
    state: Json = {}
    unknown = set(filling.values)
    for block_id, element in render.controls(blocks):
        if element["type"] in STATELESS:
            continue
        action_id = element["action_id"]
        unknown -= {action_id, control_name(block_id, element)}
        given = filling.of(block_id, element)
        state.setdefault(block_id, {})[action_id] = held_by(element, given, filling)
    if unknown:
        raise LookupError(f"this form has no {', '.join(sorted(unknown))}")
    return state


def held_by(element: Json, given: Given | None, filling: Filling) -> Json:
    """A control's part of the state. `given` None: nobody has touched it."""
    kind = element["type"]
    if "options" in element or "option_groups" in element:
        return {"type": kind, **_picked(element, given)}
    key, initial = _HOLDS.get(kind, ("value", "initial_value"))
    many = kind.startswith(_MANY)
    if given is None:
        untouched = element.get(initial)
        if untouched is None and element.get("default_to_current_conversation"):
            untouched = (
                ([filling.channel] if many else filling.channel) if filling.channel else None
            )
        return {"type": kind, key: [] if many and untouched is None else untouched}
    read = _READ.get(kind.removeprefix("multi_"), _text)
    if many:
        texts = [given] if isinstance(given, str) else given
        return {"type": kind, key: [read(one, filling.names) for one in texts if one]}
    one = given if isinstance(given, str) else "".join(given[:1])
    return {"type": kind, key: read(one, filling.names) if one else None}


def _picked(element: Json, given: Given | None) -> Json:
    many = element["type"].startswith(_MANY)
    key = "selected_options" if many else "selected_option"
    if given is None:
        return {key: element.get("initial_options", []) if many else element.get("initial_option")}
    wanted = {one for one in ([given] if isinstance(given, str) else given) if one}
    found = [one for one in payloads.options_of(element) if one["value"] in wanted]
    if len(found) != len(wanted):
        raise LookupError(f"{element['action_id']!r} does not offer {sorted(wanted)}")
    if many:
        return {key: found}
    return {key: found[0] if found else None}


# ── one value, read ────────────────────────────────────────────────────────────────────────────


def _text(given: str, names: render.Names) -> object:
    return given


def _person(given: str, names: render.Names) -> object:
    return _known(given, names.users)


def _place(given: str, names: render.Names) -> object:
    return _known(given.removeprefix("#"), names.channels)


def _public(given: str, names: render.Names) -> object:
    found = _known(given.removeprefix("#"), names.channels)
    if found.startswith("G"):
        raise LookupError(f"{given!r} is not a public channel")
    return found


def _known(given: str, known: Mapping[str, str]) -> str:
    for one, name in known.items():
        if given in (one, name):
            return one
    raise LookupError(f"there is no {given!r} to choose")


def _moment(given: str, names: render.Names) -> object:
    return int(given) if given.isdigit() else int(datetime.fromisoformat(given).timestamp())


def _rich(given: str, names: render.Names) -> object:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": given}]}
    return {"type": "rich_text", "elements": [section]}


def _file(given: str, names: render.Names) -> object:
    raise LookupError("a form takes no files here")


_READ: Final[Mapping[str, Callable[[str, render.Names], object]]] = {
    "users_select": _person,
    "conversations_select": _place,
    "channels_select": _public,
    "datetimepicker": _moment,
    "rich_text_input": _rich,
    "file_input": _file,
}


# ── what Slack's client refuses ────────────────────────────────────────────────────────────────


def _fault(element: Json, held: Json, *, optional: bool) -> str:
    value = next((one for key, one in held.items() if key != "type"), None)
    if not value:
        return "" if optional else REQUIRED
    check = _CHECKS.get(element["type"])
    return check(element, str(value)) if check else ""


def _length_fault(element: Json, value: str) -> str:
    least, most = element.get("min_length", 0), element.get("max_length", len(value))
    if len(value) > most:
        return f"Use at most {most} characters; these are {len(value)}."
    return f"Use at least {least} characters." if len(value) < least else ""


def _number_fault(element: Json, value: str) -> str:
    try:
        number = Decimal(value)
        least = Decimal(str(element.get("min_value", value)))
        most = Decimal(str(element.get("max_value", value)))
    except InvalidOperation:
        return "Use a number."
    if not number.is_finite() or (number % 1 and not element.get("is_decimal_allowed")):
        return "Use a whole number."
    if number < least:
        return f"Use {least} or more."
    return f"Use {most} or less." if number > most else ""


def _mail_fault(element: Json, value: str) -> str:
    name, _, host = value.partition("@")
    return "" if name and "." in host else "Use a mail address."


def _url_fault(element: Json, value: str) -> str:
    return "" if unescape(value).partition("://")[0] in ("http", "https") else "Use a web address."


_CHECKS: Final[Mapping[str, Callable[[Json, str], str]]] = {
    "plain_text_input": _length_fault,
    "number_input": _number_fault,
    "email_text_input": _mail_fault,
    "url_text_input": _url_fault,
}
