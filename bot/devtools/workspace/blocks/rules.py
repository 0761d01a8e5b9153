"""What Slack says of a field that breaks its rule: every fault, with its JSON pointer.

A check yields its faults and never stops at the first; which field has which rule is said by the
table. docs: reference/block-kit/composition-objects
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from bot.devtools.workspace.blocks.faults import Faults, fault, kind_of, repeated
from bot.devtools.workspace.blocks.table import (
    BLOCKS,
    CELLS,
    ELEMENTS,
    RICH_LEAVES,
    RICH_PARTS,
    SHAPES,
    Fields,
    Rule,
    kind_of_block,
)
from bot.devtools.workspace.values import Json
from core import patterns


def faults_of(holder: Json, fields: Fields, at: str) -> Faults:
    """Everything that is wrong with the fields of `holder`, which stands at the pointer `at`."""
    for name, rule in fields:
        if name not in holder and rule.optional:
            continue
        if rule.kind in _HOLDER_CHECKS:
            yield from _HOLDER_CHECKS[rule.kind](rule, holder, name, at)
        else:
            yield from _CHECKS[rule.kind](rule, holder.get(name), f"{at}/{name}")


# ── a field in its holder ──────────────────────────────────────────────────────────────────────


def _string(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    value = holder.get(name)
    if name not in holder:
        yield fault(f"missing required field: {name}", at)
    elif not isinstance(value, str):
        yield fault("must be a string", f"{at}/{name}")
    elif len(value) < rule.least:
        yield fault("must be more than 0 characters", f"{at}/{name}")
    elif rule.most is not None and len(value) > rule.most:
        yield fault(f"must be less than {rule.most + 1} characters", f"{at}/{name}")


def _list(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    listed = holder.get(name)
    if not isinstance(listed, list):
        yield fault(f"missing required field: {name}", at)
    else:
        yield from _items_of(rule, listed, f"{at}/{name}")


def _items_of(rule: Rule, listed: Any, at: str) -> Faults:
    """A list and each of its items."""
    if not isinstance(listed, list):
        yield fault("must be an array", at)
        return
    if len(listed) < rule.least:
        yield fault(f"must be more than {rule.least - 1} items", at)
    if rule.most is not None and len(listed) > rule.most:
        yield fault(f"no more than {rule.most} items allowed", at)
    assert rule.of is not None, f"the list at {at} has no rule for its items"
    for index, item in enumerate(listed):
        yield from _CHECKS[rule.of.kind](rule.of, item, f"{at}/{index}")


def _either(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    if not any(word in holder for word in rule.words):
        yield fault(f"missing required field: {' or '.join(rule.words)}", at)


def _needs(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    if holder.get(name) is True and holder.get(rule.other) is not True:
        yield fault(f"requires `{rule.other}` to be true", f"{at}/{name}")


def _not_beside(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    if holder.get(name) is True and holder.get(rule.other) is True:
        yield fault(f"not allowed when `{rule.other}` is true", f"{at}/{name}")


def _same_length(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    lengths = {len(row) for row in _items(holder, name) if isinstance(row, list)}
    if len(lengths) > 1:
        yield fault("all rows must have the same number of cells", f"{at}/{name}")


def _header_row(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    header = next(iter(_items(holder, name)), None)
    for index, cell in enumerate(header if isinstance(header, list) else []):
        if kind_of(cell) in CELLS and kind_of(cell) not in rule.words:
            message = f"must be one of: {', '.join(rule.words)}"
            yield fault(message, f"{at}/{name}/0/{index}/type")


def _nothing_beside(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    if set(holder) - set(rule.words):
        yield fault("no more properties allowed", at)


def _distinct(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    items = (item for item in _items(holder, name) if isinstance(item, dict))
    for value in repeated(item.get(rule.other) for item in items):
        yield fault(f"`{rule.other}` '{value}' already exists", f"{at}/{name}")


def _options_or_groups(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    if "option_groups" in holder:
        groups = Rule("list", most=rule.most, of=Rule("group", most=rule.most))
        yield from _list(groups, holder, "option_groups", at)
    else:
        yield from _list(Rule("list", most=rule.most, of=_OPTION), holder, name, at)


def _not_above(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    least, most = holder.get(name), holder.get(rule.other)
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield fault(f"must not be greater than {rule.other}", f"{at}/{name}")


def _flag(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    if name not in holder:
        yield fault(f"missing required field: {name}", f"{at}/{name}")
    elif not isinstance(holder[name], bool):
        yield fault("must be a boolean", f"{at}/{name}")


def _one_offered(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    if holder.get(name) is not None and holder[name] not in _offered(holder):
        yield fault("must exactly match one of the provided options", f"{at}/{name}")


def _some_offered(rule: Rule, holder: Json, name: str, at: str) -> Faults:
    initial, offered = holder.get(name, []), _offered(holder)
    if not isinstance(initial, list) or any(option not in offered for option in initial):
        yield fault("must exactly match the provided options", f"{at}/{name}")


def _offered(element: Json) -> list[Any]:
    groups = [element, *_items(element, "option_groups")]
    return [option for group in groups for option in _items(group, "options")]


def _items(holder: Any, name: str) -> list[Any]:
    listed = holder.get(name) if isinstance(holder, dict) else None
    return listed if isinstance(listed, list) else []


# ── a value by itself ──────────────────────────────────────────────────────────────────────────


def _text(rule: Rule, value: Any, at: str) -> Faults:
    """A text object: `plain_text`, or mrkdwn where that is taken as well."""
    kinds = ("plain_text",) if rule.kind == "plain" else ("plain_text", "mrkdwn")
    if not isinstance(value, dict):
        yield fault("missing required text object", at)
    elif value.get("type") not in kinds:
        yield fault(f"must be one of: {', '.join(kinds)}", f"{at}/type")
    else:
        further = set(value) - {"type", "text", "emoji", "verbatim"}
        if further or ("emoji" in value and value.get("type") == "mrkdwn"):
            yield fault("no more properties allowed", at)
        yield from _string(rule, value, "text", at)


def _words(rule: Rule, value: Any, at: str) -> Faults:
    if value not in rule.words:
        yield fault(f"must be one of: {', '.join(rule.words)}", at)


def _record(rule: Rule, value: Any, at: str) -> Faults:
    if isinstance(value, dict):
        yield from faults_of(value, SHAPES[rule.shape], at)
    elif value is not None or not rule.optional:
        yield fault("must be an object", at)


def _group(rule: Rule, group: Any, at: str) -> Faults:
    label = group.get("label") if isinstance(group, dict) else None
    yield from _text(Rule("plain", most=75), label, f"{at}/label")
    if isinstance(group, dict):
        yield from _list(Rule("list", most=rule.most, of=_OPTION), group, "options", at)


def _text_or_image(rule: Rule, value: Any, at: str) -> Faults:
    if kind_of(value) == "image":
        yield from faults_of(value, ELEMENTS["image"].fields, at)
    else:
        yield from _text(rule, value, at)


def _element(rule: Rule, value: Any, at: str) -> Faults:
    row = ELEMENTS.get(kind_of(value))
    if row is None or rule.place not in row.places:
        yield from typed_faults(None, value, at)
    else:
        shared = () if row.widget == "image" else SHAPES["control"]
        yield from faults_of(value, [*shared, *row.fields], at)


def typed_faults(fields: Fields | None, value: Any, at: str) -> Faults:
    """The faults of an item whose `type` says which fields it has; None: there is no such type."""
    if fields is None:
        yield fault(f"unsupported type: {kind_of(value)}", f"{at}/type")
    else:
        yield from faults_of(value, fields, at)


def _rich_part(rule: Rule, value: Any, at: str) -> Faults:
    yield from typed_faults(RICH_PARTS.get(kind_of(value)), value, at)


def _rich_leaf(rule: Rule, value: Any, at: str) -> Faults:
    yield from typed_faults(RICH_LEAVES.get(kind_of(value)), value, at)


def _rich_text(rule: Rule, value: Any, at: str) -> Faults:
    """A `rich_text` block in the place of a text."""
    if kind_of(value) != "rich_text":
        yield from typed_faults(None, value, at)
    else:
        parts = Rule("list", most=rule.most, of=Rule("rich_part"))
        yield from _list(parts, value, "elements", at)


def _cell(rule: Rule, value: Any, at: str) -> Faults:
    kind = kind_of(value)
    yield from typed_faults(CELLS[kind] if kind in rule.words else None, value, at)


def _block(rule: Rule, value: Any, at: str) -> Faults:
    """A block inside of another one. `words`: the types that may stand there."""
    kind = kind_of_block(value) if isinstance(value, dict) else ""
    yield from block_faults_at(value, kind if kind in rule.words else "", at)


def block_faults_at(value: Any, kind: str, at: str) -> Faults:
    """The faults of a block that is checked as one of this type; "": of none that there is."""
    row = BLOCKS.get(kind)
    yield from typed_faults([*SHAPES["block"], *row.fields] if row else None, value, at)


def _number(rule: Rule, value: Any, at: str) -> Faults:
    if not isinstance(value, int | float) or isinstance(value, bool):
        yield fault("must be a number", at)


def _whole(rule: Rule, value: Any, at: str) -> Faults:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    most = value if rule.most is None else rule.most
    if value is not None and not (is_whole and rule.least <= value <= most):
        yield fault(rule.message, at)


def _format(rule: Rule, value: Any, at: str) -> Faults:
    matches = isinstance(value, str) and _compiled(rule.pattern).fullmatch(value)
    if value is not None and not matches:
        yield fault(f"must be in the format {rule.message}", at)


_compiled: Final = cache(patterns.compile)
_OPTION: Final = Rule("record", shape="option")
_HOLDER_CHECKS: Final[Mapping[str, Callable[[Rule, Json, str, str], Faults]]] = {
    "string": _string,
    "list": _list,
    "either": _either,
    "needs": _needs,
    "not_beside": _not_beside,
    "same_length": _same_length,
    "header_row": _header_row,
    "nothing_beside": _nothing_beside,
    "distinct": _distinct,
    "options_or_groups": _options_or_groups,
    "not_above": _not_above,
    "flag": _flag,
    "one_offered": _one_offered,
    "some_offered": _some_offered,
}
_CHECKS: Final[Mapping[str, Callable[[Rule, Any, str], Faults]]] = {
    "text": _text,
    "plain": _text,
    "words": _words,
    "record": _record,
    "group": _group,
    "text_or_image": _text_or_image,
    "element": _element,
    "items": _items_of,
    "block": _block,
    "cell": _cell,
    "rich_text": _rich_text,
    "rich_part": _rich_part,
    "rich_leaf": _rich_leaf,
    "number": _number,
    "whole": _whole,
    "format": _format,
}
KINDS: Final = _HOLDER_CHECKS.keys() | _CHECKS.keys()
"""What a rule of the table may be called."""
