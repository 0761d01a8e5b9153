"""JSON schemas of tools, as far as a stand-in needs them: the smallest value, and a fitting one.

A personality says what it means; `fitted` gives it the shape that the request asks for, so that a
key that is new to the personality is still filled.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.devtools.provider.exchange import Json

WORD: Final = "Noted."  # the shortest text that says something
PLAIN_KINDS: Final = ("fact", "note", "missing")  # for a word that a list of words does not have


def smallest(schema: Json, root: Json) -> Any:
    """The shortest value that fits: null before anything, no item of a list."""
    schema = _resolved(schema, root)
    if _allows_null(schema, root):
        return None
    if options := schema.get("anyOf"):
        return smallest(options[0], root)
    if words := schema.get("enum"):
        return _plain(words)
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {key: smallest(properties[key], root) for key in properties}
        case "array":
            return [smallest(schema["items"], root)] * schema.get("minItems", 0)
        case "boolean":
            return False
        case "integer" | "number":
            return schema.get("minimum", 0)
    return schema.get("const", WORD)


def fitted(value: object, schema: Json, root: Json) -> Any:
    """The value in the schema's shape: what is missing is the smallest, what is strange goes."""
    schema = _resolved(schema, root)
    if value is None:
        return smallest(schema, root)
    if options := schema.get("anyOf"):
        return fitted(value, _branch(value, [_resolved(option, root) for option in options]), root)
    if words := schema.get("enum"):
        return value if value in words else _plain(words)
    kind = _main_type(schema)
    if kind == "object" and isinstance(value, Mapping):
        properties = schema.get("properties", {})
        return {key: fitted(value.get(key), properties[key], root) for key in properties}
    if kind == "array" and isinstance(value, Sequence) and not isinstance(value, str):
        return [fitted(item, schema.get("items", {}), root) for item in value]
    return value if _is_of(value, kind) else smallest(schema, root)


_PYTHON: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (Mapping,),
    "array": (list, tuple),
}


def _is_of(value: object, kind: str) -> bool:
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, _PYTHON.get(kind, (object,)))


def _branch(value: object, options: Sequence[Json]) -> Json:
    real = [option for option in options if option.get("type") != "null"]
    return next((option for option in real if _is_of(value, _main_type(option))), real[0])


def _main_type(schema: Json) -> str:
    kinds = schema.get("type", "")
    if isinstance(kinds, str):
        return kinds
    return next((kind for kind in kinds if kind != "null"), "")


def _allows_null(schema: Json, root: Json) -> bool:
    options = [_resolved(option, root) for option in schema.get("anyOf", ())]
    kinds = schema.get("type")
    return (
        kinds == "null"
        or (isinstance(kinds, list) and "null" in kinds)
        or any(option.get("type") == "null" for option in options)
    )


def _plain(words: Sequence[object]) -> object:
    if None in words:
        return None
    return next((word for word in PLAIN_KINDS if word in words), words[0])


def _resolved(schema: Json, root: Json) -> Json:
    while "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        schema = root.get("$defs", {}).get(name, {})
    return schema
