"""What is filled in: every control's value as Slack sends it, and what its client would refuse.

Values are given as a page's form has them: texts, ids, dates, the values of options; people and
channels by name too. docs: reference/interaction-payloads/view-interactions-payload (view.state)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from bot.devtools.workspace.blocks.table import ValueKind, controls, options_of, row_of
from bot.devtools.workspace.text import unescape
from bot.devtools.workspace.values import Json, Names

FormValue = str | Sequence[str]

REQUIRED: Final = "Please complete this required field."


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

    values: Mapping[str, FormValue]
    names: Names
    channel: str = ""

    def of(self, block_id: str, element: Json) -> FormValue | None:
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
    """`state.values` as it stands, complete or not: what is untouched has its initial value.

    Raises `LookupError` for what the form does not have.
    """
    state: Json = {}
    unknown = set(filling.values)
    for block_id, element in controls(blocks):
        if row_of(element).holds:
            action_id = element["action_id"]
            unknown -= {action_id, control_name(block_id, element)}
            value = filling.of(block_id, element)
            state.setdefault(block_id, {})[action_id] = held_by(element, value, filling)
    if unknown:
        raise LookupError(f"this form has no {', '.join(sorted(unknown))}")
    return state


def held_by(element: Json, value: FormValue | None, filling: Filling) -> Json:
    """A control's part of the state. `value` None: nobody has touched it."""
    row = row_of(element)
    if value is None:
        held = _untouched(element, filling)
    else:
        values = [item for item in ([value] if isinstance(value, str) else value) if item]
        if row.value == "option":
            held = _picked(element, set(values))
        else:
            read = _READ.get(row.value, _as_it_is)
            held = [read(item, filling.names) for item in (values if row.many else values[:1])]
    if row.many:
        return {"type": element["type"], row.holds: held}
    return {"type": element["type"], row.holds: held[0] if held else None}


def _untouched(element: Json, filling: Filling) -> list[Any]:
    row = row_of(element)
    initial = element.get(row.initial)
    if initial is None and element.get("default_to_current_conversation"):
        initial = filling.channel or None
    if initial is None:
        return []
    return initial if isinstance(initial, list) else [initial]


def _picked(element: Json, values: set[str]) -> list[Json]:
    options = [option for option in options_of(element) if option["value"] in values]
    if len(options) != len(values):
        raise LookupError(f"{element['action_id']!r} does not offer {sorted(values)}")
    return options


def _fault(element: Json, held: Json, *, optional: bool) -> str:
    row = row_of(element)
    value = held.get(row.holds)
    if not value:
        return "" if optional else REQUIRED
    check = _CHECKS.get(row.value)
    return check(element, str(value)) if check else ""


# ── one value that was filled in, as Slack sends it ────────────────────────────────────────────


def _as_it_is(value: str, names: Names) -> object:
    return value


def _person(value: str, names: Names) -> object:
    return _id_of(value, names.users)


def _conversation(value: str, names: Names) -> object:
    return _id_of(value.removeprefix("#"), names.channels)


def _public_channel(value: str, names: Names) -> object:
    channel = _id_of(value.removeprefix("#"), names.channels)
    if channel.startswith("G"):
        raise LookupError(f"{value!r} is not a public channel")
    return channel


def _id_of(value: str, names: Mapping[str, str]) -> str:
    for id_, name in names.items():
        if value in (id_, name):
            return id_
    raise LookupError(f"there is no {value!r} to choose")


def _moment(value: str, names: Names) -> object:
    return int(value) if value.isdigit() else int(datetime.fromisoformat(value).timestamp())


def _rich_text(value: str, names: Names) -> object:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": value}]}
    return {"type": "rich_text", "elements": [section]}


def _no_file(value: str, names: Names) -> object:
    raise LookupError("a form takes no files here")


_READ: Final[Mapping[ValueKind, Callable[[str, Names], object]]] = {
    "person": _person,
    "conversation": _conversation,
    "channel": _public_channel,
    "moment": _moment,
    "rich_text": _rich_text,
    "file": _no_file,
}


# ── what Slack's client asks to correct ────────────────────────────────────────────────────────


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


_CHECKS: Final[Mapping[ValueKind, Callable[[Json, str], str]]] = {
    "text": _length_fault,
    "number": _number_fault,
    "mail": _mail_fault,
    "url": _url_fault,
}
