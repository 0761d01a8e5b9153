"""Cuts a file into front matter and body, and reads the YAML, which may be hostile.

libyaml's loader is used where it is there: it is six times as fast. It follows nesting on the C
stack, and aliases can blow a few lines up to any size, so both are bounded before it constructs.
"""

from collections.abc import Iterator
from typing import Any, Final

import yaml
from yaml.constructor import ConstructorError

from core.content.models.values import written

try:
    from yaml import CSafeLoader as FastLoader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as FastLoader  # type: ignore[assignment]

FRONT_CHARS_MAX: Final = 16 * 1024
NESTING_LEVELS_MAX: Final = 20
ALIASES_MAX: Final = 10

_NESTING: Final = ("[", "{", "- ", "? ", ":")
_TEXT: Final = "tag:yaml.org,2002:str"
_LIST: Final = "tag:yaml.org,2002:seq"
_MAPPING: Final = "tag:yaml.org,2002:map"
_MERGE: Final = "tag:yaml.org,2002:merge"

# What PyYAML raises besides its own errors: `!!bool x` a KeyError, `!!int ""` an IndexError,
# `2024-13-45` a ValueError, `!!timestamp x` an AttributeError, `!!float` a TypeError.
_YAML_ERRORS: Final = (
    yaml.YAMLError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


class MalformedError(Exception):
    """This is no front matter (ERR-STEP-004). Its text says why; `line` where, as far as known."""

    def __init__(self, why: str, line: int = 1) -> None:
        super().__init__(why)
        self.line = line


def split(text: str) -> tuple[str, str]:
    """The text between the first line `---` and the next, and what follows.

    Raises `MalformedError` where one of the two lines is not there.
    """
    begin = text.find("\n")
    if text[: begin if begin >= 0 else None].rstrip(" \t") != "---":
        raise MalformedError("it does not begin with a line of ---")
    fence = begin
    while begin >= 0 and (fence := text.find("\n---", fence)) >= 0:
        end = text.find("\n", fence + 1)
        line = text[fence + 1 : end if end >= 0 else None]
        if line.rstrip(" \t") == "---":
            return text[begin + 1 : fence + 1], text[end + 1 :] if end >= 0 else ""
        fence += 1
    raise MalformedError("the closing --- is missing")


def load(front: str, *, chars_max: int = FRONT_CHARS_MAX, first_line: int = 2) -> dict[str, object]:
    """The mapping that the front matter is. It begins on the second line of its file, after ---.

    Raises `MalformedError` for what is no mapping, or too large, too deep or malformed.
    """
    if len(front) > chars_max:
        raise MalformedError(f"it is longer than {chars_max} characters")
    try:
        if _may_be_large(front):
            _refuse_bombs(front)
        value = _constructed(front)
    except yaml.MarkedYAMLError as cause:
        raise MalformedError(_told(cause, first_line)) from cause
    except _YAML_ERRORS as cause:
        raise MalformedError("it is not valid YAML") from cause
    if not isinstance(value, dict):
        raise MalformedError("it is empty" if value is None else "it is not a mapping")
    return {key if isinstance(key, str) else written(key): item for key, item in value.items()}


def document(text: str, *, chars_max: int) -> yaml.Node | None:
    """The nodes of a whole file, each with its line; None where nothing is in it.

    Raises `MalformedError` for what is too large, too deep or malformed.
    """
    if len(text) > chars_max:
        raise MalformedError(f"it is longer than {chars_max} characters")
    try:
        if _may_be_large(text):
            _refuse_bombs(text)
        node: yaml.Node | None = yaml.compose(text, Loader=FastLoader)
    except yaml.MarkedYAMLError as cause:
        mark = cause.problem_mark
        why = cause.problem or "it is not valid YAML"
        raise MalformedError(why, mark.line + 1 if mark else 1) from cause
    except _YAML_ERRORS as cause:
        raise MalformedError("it is not valid YAML") from cause
    return node


def _constructed(front: str) -> object:
    loader = FastLoader(front)
    try:
        node = loader.get_single_node()
        return None if node is None else _value(loader, node)
    finally:
        loader.dispose()


def _value(loader: FastLoader, node: Any) -> object:
    """What a node stands for. Plain nodes are made here, which halves the time; others by PyYAML.

    A key that stands twice is refused, where PyYAML would keep the last one silently.
    """
    tag = node.tag
    if tag == _TEXT and isinstance(node, yaml.ScalarNode):
        return node.value
    if tag == _LIST and isinstance(node, yaml.SequenceNode):
        return [_value(loader, item) for item in node.value]
    if tag != _MAPPING or not isinstance(node, yaml.MappingNode):
        return loader.construct_object(node, deep=True)
    if _MERGE in {key.tag for key, _ in node.value}:
        return loader.construct_object(node, deep=True)
    mapping = {_value(loader, key): _value(loader, item) for key, item in node.value}
    if len(mapping) != len(node.value):
        raise ConstructorError(None, None, "a key stands twice", node.start_mark)
    return mapping


def _may_be_large(front: str) -> bool:
    if "*" in front:
        return True
    return sum(map(front.count, _NESTING)) > NESTING_LEVELS_MAX


def _refuse_bombs(front: str) -> None:
    """Walk the events, which needs no stack: how deep, how many aliases, any in a circle."""
    levels = aliases = 0
    open_anchors: list[str | None] = []
    for event in _events(front):
        match event:
            case yaml.CollectionStartEvent():
                levels += 1
                open_anchors.append(event.anchor)
            case yaml.CollectionEndEvent():
                levels -= 1
                open_anchors.pop()
            case yaml.AliasEvent():
                aliases += 1
                if event.anchor in open_anchors:
                    raise MalformedError("an alias contains itself")
            case _:
                continue
        if levels > NESTING_LEVELS_MAX:
            raise MalformedError(f"it is nested more than {NESTING_LEVELS_MAX} levels deep")
        if aliases > ALIASES_MAX:
            raise MalformedError(f"it has more than {ALIASES_MAX} aliases")


def _events(front: str) -> Iterator[Any]:
    return yaml.parse(front, Loader=FastLoader)


def _told(error: yaml.MarkedYAMLError, first_line: int) -> str:
    problem = error.problem or "it is not valid YAML"
    if error.problem_mark is None:
        return problem
    return f"line {error.problem_mark.line + first_line}: {problem}"
