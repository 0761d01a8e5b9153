"""Formats that the checker reads strictly: a part of JSON Schema, a part of Mermaid, tables."""

import re
from collections.abc import Iterator
from typing import Any, Final

# ── JSON Schema: the keywords that docs/schemas use; any other is an error of ours ─────────────

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_KNOWN: Final = frozenset(
    {"$schema", "$defs", "$ref", "title", "description", "type", "required", "properties", "enum",
     "additionalProperties", "patternProperties", "items", "const", "pattern", "minItems",
     "minLength"}
)  # fmt: skip


def against(schema: dict[str, Any], value: Any, place: str = "$") -> list[str]:
    """What in `value` is not as the schema says, each with its place."""
    return list(_wrong(schema, schema, value, place))


def _wrong(root: dict[str, Any], schema: dict[str, Any], value: Any, place: str) -> Iterator[str]:
    assert schema.keys() <= _KNOWN, schema.keys() - _KNOWN
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from _wrong(root, root["$defs"][name], value, place)
        return
    if "type" in schema and not _is(schema["type"], value):
        yield f"{place} is no {schema['type']}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{place} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is none of {schema['enum']}"
    if isinstance(value, str):
        yield from _wrong_string(schema, value, place)
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{place} has too few items"
        for number, item in enumerate(value):
            yield from _wrong(root, schema.get("items", {}), item, f"{place}[{number}]")
    elif isinstance(value, dict):
        yield from _wrong_object(root, schema, value, place)


def _is(types: str | list[str], value: Any) -> bool:
    names = [types] if isinstance(types, str) else types
    if isinstance(value, bool):  # Python takes it for a number
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names)


def _wrong_string(schema: dict[str, Any], value: str, place: str) -> Iterator[str]:
    if len(value) < schema.get("minLength", 0):
        yield f"{place} is empty"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{place} does not match {schema['pattern']}"


def _wrong_object(
    root: dict[str, Any], schema: dict[str, Any], value: dict[str, Any], place: str
) -> Iterator[str]:
    yield from (
        f"{place}.{key} is missing" for key in schema.get("required", ()) if key not in value
    )
    others = schema.get("additionalProperties", True)
    for key, item in value.items():
        parts = [schema["properties"][key]] if key in schema.get("properties", {}) else []
        patterns = schema.get("patternProperties", {})
        parts += [part for pattern, part in patterns.items() if re.search(pattern, key)]
        if not parts and others is False:
            yield f"{place}.{key} should not be there"
        parts += [others] if not parts and isinstance(others, dict) else []
        for part in parts:
            yield from _wrong(root, part, item, f"{place}.{key}")


# ── Mermaid: a flowchart of quoted nodes and arrows ────────────────────────────────────────────

_LABEL: Final = r'"((?:[\w .,:/()\'’%+*=?!–—-]|#[0-9]+;)+)"'
_NODE: Final = re.compile(rf"    (n[0-9]+)\[{_LABEL}\]")
_ARROW: Final = re.compile(rf"    (n[0-9]+) -->(?:\|{_LABEL}\|)? (n[0-9]+)")


def flowchart(code: str) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Nodes by id and arrows (from, what, to) of a chart; `ValueError` at the first fault."""
    first, *lines = code.split("\n")
    if first != "flowchart LR":
        raise ValueError(f"{first!r} opens no flowchart")
    nodes: dict[str, str] = {}
    arrows = []
    for line in lines:
        if node := _NODE.fullmatch(line):
            if node[1] in nodes:
                raise ValueError(f"{node[1]} is there twice")
            nodes[node[1]] = unescaped(node[2])
        elif (arrow := _ARROW.fullmatch(line)) and {arrow[1], arrow[3]} <= nodes.keys():
            arrows.append((nodes[arrow[1]], unescaped(arrow[2] or ""), nodes[arrow[3]]))
        else:
            raise ValueError(f"{line!r} is neither a node nor an arrow between two")
    if not arrows:
        raise ValueError("nothing flows")
    return nodes, arrows


def unescaped(label: str) -> str:
    return re.sub(r"#([0-9]+);", lambda match: chr(int(match[1])), label)


# ── Markdown tables ────────────────────────────────────────────────────────────────────────────

Table = list[list[str]]


def tables(text: str) -> Iterator[Table]:
    """The tables of a page, row by row, the line below the head left out."""
    table: Table = []
    for line in [*outside_code(text).split("\n"), ""]:
        if line.startswith("|"):
            table.append(cells(line))
        elif table:
            yield [table[0], *table[2:]]
            table = []


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def outside_code(text: str) -> str:
    """A page without its code blocks."""
    return re.sub(r"(?ms)^( *)(`{3,})[^`\n]*\n.*?^\1\2 *$", "", text)
