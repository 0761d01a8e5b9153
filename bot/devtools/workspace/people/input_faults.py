"""Slack's rules for what a control may start with and ask for, beside the lengths in `blocks`.

Each rule returns what is wrong and at which field, in Slack's manner; nothing when all is well.
docs: reference/block-kit/block-elements (each element's own page)
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bot.devtools.workspace.values import Json
from core import patterns

TEXT_CHARS_MAX: Final = 3_000

_DATE: Final = patterns.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_TIME: Final = patterns.compile(r"([01]\d|2[0-3]):[0-5]\d")
Fault = tuple[str, str]
"""What is wrong, and the field it is wrong with."""


def input_faults(element: Json) -> Iterator[Fault]:
    """What Slack would refuse of this control."""
    check = _CHECKS.get(str(element.get("type")))
    if check is not None:
        yield from check(element)


def _text(element: Json) -> Iterator[Fault]:
    least, most = element.get("min_length"), element.get("max_length")
    for name, value, floor in (("min_length", least, 0), ("max_length", most, 1)):
        if value is not None and not _whole_between(value, floor, TEXT_CHARS_MAX):
            yield f"must be between {floor} and {TEXT_CHARS_MAX}", name
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield "must not be greater than max_length", "min_length"


def _number(element: Json) -> Iterator[Fault]:
    if not isinstance(element.get("is_decimal_allowed"), bool):
        yield "missing required field: is_decimal_allowed", "is_decimal_allowed"


def _whole_between(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _one_of_options(element: Json) -> Iterator[Fault]:
    initial = element.get("initial_option")
    if initial is not None and initial not in _offered(element):
        yield "must exactly match one of the provided options", "initial_option"


def _some_of_options(element: Json) -> Iterator[Fault]:
    initial = element.get("initial_options", [])
    offered = _offered(element)
    if not isinstance(initial, list) or any(one not in offered for one in initial):
        yield "must exactly match the provided options", "initial_options"
    most = element.get("max_selected_items")
    if most is not None and not _whole_between(most, 1, 2**31):
        yield "must be at least 1", "max_selected_items"


def _offered(element: Json) -> list[Any]:
    groups = [element, *_listed(element, "option_groups")]
    return [one for group in groups for one in _listed(group, "options")]


def _listed(holder: Any, name: str) -> list[Any]:
    items = holder.get(name) if isinstance(holder, dict) else None
    return items if isinstance(items, list) else []


def _matching(name: str, pattern: patterns.Pattern, what: str) -> Callable[[Json], Iterator[Fault]]:
    def check(element: Json) -> Iterator[Fault]:
        value = element.get(name)
        if value is not None and not (isinstance(value, str) and pattern.fullmatch(value)):
            yield f"must be in the format {what}", name

    return check


_CHECKS: Final[Mapping[str, Callable[[Json], Iterator[Fault]]]] = {
    "plain_text_input": _text,
    "number_input": _number,
    "static_select": _one_of_options,
    "radio_buttons": _one_of_options,
    "multi_static_select": _some_of_options,
    "checkboxes": _some_of_options,
    "datepicker": _matching("initial_date", _DATE, "YYYY-MM-DD"),
    "timepicker": _matching("initial_time", _TIME, "HH:mm"),
}
