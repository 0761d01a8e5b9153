"""What a file of data holds as something to read: tables and lists in place of JSON, YAML and CSV.

Files in `_BY_NAME` have a layout of their own; all others are shown by their shape.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from core import patterns
from core.artifacts.document import tree
from core.artifacts.document.plain import link, one_line
from core.artifacts.document.tree import Blocks, Inline, Span
from core.artifacts.render.data import LEVELS_MAX
from core.artifacts.render.provenance import messages
from core.artifacts.report.report import NEVER, WORDS

DEPTH_MAX: Final = 4
ROWS_MAX: Final = 5_000
VALUES_MAX: Final = 200_000
_LEVEL_DEEPEST: Final = 2 + DEPTH_MAX
_SKIPPED: Final = frozenset({"schema", "title", "slug"})  # the report says these itself
_ADDRESS: Final = patterns.compile(r"https?://[^\s;,<>()\"']+")
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})

Row = Mapping[str, Any]  # JSON


def data_blocks(file: str, value: Any) -> Blocks:
    """The value of a file, headings from the third level down; nothing for one of no use."""
    if not _is_readable(value):
        return tree.NOTHING
    try:
        return _BY_NAME.get(file, _by_shape)(value)
    except (ValueError, TypeError, LookupError, AttributeError):
        return tree.NOTHING  # people may have edited it into anything


def _is_readable(value: Any) -> bool:
    """False for what is too deep, or names itself over and over."""
    values, count = [(value, 0)], 0
    while values:
        inner, level = values.pop()
        count += 1
        if level > LEVELS_MAX or count > VALUES_MAX:
            return False
        below = inner.values() if isinstance(inner, dict) else inner
        if isinstance(inner, dict | list | tuple):
            values += ((part, level + 1) for part in below)
    return True


def mapping_table(values: Mapping[str, Any]) -> Blocks:
    """Plain values by name."""
    return tree.table(
        ("", ""), [((tree.strong(_name(key)),), _cell(key, values[key])) for key in values]
    )


# ── user stories ───────────────────────────────────────────────────────────────────────────────


def _stories(value: Any) -> Blocks:
    stories = [story for story in value["stories"] if isinstance(story, dict)]
    rows = [
        (
            (tree.strong(_text(story.get("id"))),),
            _text(story.get("role")),
            _text(story.get("moment")),
            (_text(story.get("want")), *_mark(story)),
            _text(story.get("benefit")),
            _text(story.get("priority")),
            _cell("sources", story.get("sources")),
        )
        for story in stories
    ]
    accepted = tree.listing(line for story in stories for line in _accepted(story))
    return (
        *(tree.table(WORDS.columns("story"), rows) or tree.paragraph(WORDS.text("no_story"))),
        *tree.titled(WORDS.text("accepted"), accepted),
        *_mapping(_without(value, "stories"), 3),
    )


def _accepted(story: Row) -> Iterator[Blocks]:
    checks = [
        tree.item(one_line(str(check)))
        for check in story.get("acceptance_criteria") or ()
        if str(check).strip()
    ]
    needs = tree.in_turn(map(_linked, story.get("requirements") or ()), ", ")
    if checks or needs:
        serves = (" serves ", *needs) if needs else ()
        yield tree.item(tree.strong(_text(story.get("id"))), *serves, below=checks)


def _linked(requirement: Any) -> Inline:
    inferred = "inferred" in str(requirement.get("link", ""))
    name = _text(requirement.get("id"))
    return (name, " ", tree.emphasis("(inferred)")) if inferred else (name,)


def _mark(row: Row) -> Inline:
    sure = row.get("confidence") in (None, "", "stated")
    return () if sure else (" ", tree.emphasis(f"({row['confidence']})"))


# ── the traceability matrix ────────────────────────────────────────────────────────────────────


def _matrix(value: Any) -> Blocks:
    rows = [
        (
            _both(row, "goal"),
            _both(row, "requirement"),
            _both(row, "story"),
            _both(row, "check"),
            _text(row["component"]),
            _text(row["decision"]),
            _text(row["priority"]),
            _text(row["status"]),
            _cell("source", row["source"]),
        )
        for row in value
    ]
    return tree.table(WORDS.columns("matrix"), rows) or tree.paragraph(WORDS.text("no_trace"))


def _both(row: Row, name: str) -> Inline:
    """The name of a line, or of several, and their words where these say more."""
    if not row[name]:
        return (NEVER,)
    name_text, text = _text(row[name]), one_line(str(row[f"{name}_text"] or ""))
    return (tree.strong(name_text), f" {text}") if text not in ("", name_text) else (name_text,)


# ── by shape ───────────────────────────────────────────────────────────────────────────────────


def _interfaces(value: Any) -> Blocks:
    """The calls among the other lines, in place of the fragment of OpenAPI that is made of them."""
    calls = [
        {"summary": call["summary"], **_without(call["x-said"][0], "text")}
        for operations in (value.get("paths") or {}).values()
        for call in operations.values()
    ]
    lines = {line["summary"]: line for line in (*calls, *value["interfaces"])}
    remaining = {**_without(value, "openapi", "info", "paths"), "interfaces": [*lines.values()]}
    endpoints = tree.paragraph(WORDS.text("endpoints")) if calls else ()
    return (*endpoints, *_mapping(remaining, 3))


def _context(value: Any) -> Blocks:
    """Without what the report has chapters of its own for."""
    return _mapping(_without(value, "sources", "artifacts"), 3)


def _without(value: Any, *hidden: str) -> Row:
    """All but these keys, and those that the report has elsewhere."""
    return {key: value[key] for key in value if key not in {*_SKIPPED, *hidden}}


def _by_shape(value: Any) -> Blocks:
    if isinstance(value, dict):
        return _mapping(_without(value), 3)
    return _listed(value) if isinstance(value, list) else tree.paragraph(_text(value))


_BY_NAME: Final[Mapping[str, Callable[[Any], Blocks]]] = {
    "user-stories.json": _stories,
    "traceability-matrix.csv": _matrix,
    "interface-spec.yaml": _interfaces,
    "discovery-context.json": _context,
}


def _mapping(values: Mapping[str, Any], level: int) -> Blocks:
    """What is short in one table; each larger part under a heading. What is empty is left out."""
    full = {key: value for key, value in values.items() if value not in _EMPTY}
    short = {key: value for key, value in full.items() if not isinstance(value, dict | list)}
    parts = [_part(key, value, level) for key, value in full.items() if key not in short]
    return (*mapping_table(short), *tree.joined(parts))


def _part(key: str, value: Any, level: int) -> Blocks:
    if isinstance(value, dict) and level < _LEVEL_DEEPEST:
        blocks = _mapping(value, level + 1)
    else:
        blocks = _listed(value if isinstance(value, list) else [value])
    return tree.titled(_name(key), blocks or tree.paragraph(NEVER), level)


def _listed(values: Sequence[Any]) -> Blocks:
    """Rows of one kind as a table, else a list."""
    if values and all(isinstance(value, dict) for value in values):
        return _row_table(values)
    return tree.listing(
        tree.item(*_cell("", value)) for value in values[:ROWS_MAX]
    ) or tree.paragraph(NEVER)


def _row_table(values: Sequence[Row]) -> Blocks:
    rows = [_with_voice(row) for row in values]
    keys = dict.fromkeys(key for row in rows for key in row)
    used = [key for key in keys if any(row.get(key) not in _EMPTY[:3] for row in rows)]
    return tree.table(
        [_name(key) for key in used],
        [[_cell(key, row.get(key)) for key in used] for row in rows[:ROWS_MAX]],
    )


def _with_voice(row: Row) -> Row:
    """Who said it and where, in one cell."""
    if not {"said_by", "source"} <= set(row):
        return row
    where = _linking(str(row["source"])) if row["source"] else ()
    person = one_line(str(row["said_by"]))
    voice = tree.in_turn((part for part in ((person,) if person else (), where) if part), " ")
    return {**{key: row[key] for key in row if key != "source"}, "said_by": voice or (NEVER,)}


def _cell(key: str, value: Any) -> Inline:
    """One line, whatever it is; who said something, with a link to where."""
    if isinstance(value, tuple):
        return value  # a cell already
    if isinstance(value, dict):
        if {"by", "permalink"} >= set(value):
            return _voice(value)
        pairs = ((f"{_name(name)}: ", *_cell(name, part)) for name, part in value.items() if part)
        return tree.in_turn(pairs, "; ") or (NEVER,)
    if isinstance(value, list):
        return tree.in_turn((_cell(key, part) for part in value), "; ") or (NEVER,)
    return _linking(str(value)) if isinstance(value, str) else (_text(value),)


def _voice(value: Row) -> Inline:
    where = messages(filter(None, [link(str(value.get("permalink") or ""))]))
    person = _text(value.get("by"))
    return (person, " (", *where, ")") if where else (person,)


def _linking(text: str) -> Inline:
    """Addresses in a line become links with a short name."""
    plain, at = one_line(text), 0
    parts: list[Inline] = []
    for address in _ADDRESS.finditer(plain):
        url = link(address[0])
        if not url:
            continue
        before, where = plain[at : address.start()].strip(), Span("message", "", url)
        parts += [(before,), ("(", where, ")")] if before else [(where,)]
        at = address.end()
    tail = plain[at:].strip()
    return tree.in_turn((*parts, *([(tail,)] if tail else ())), " ") or (NEVER,)


def _text(value: Any) -> str:
    if value is None or value == "":
        return NEVER
    if isinstance(value, bool):
        return "yes" if value else "no"
    return one_line(str(value)) or NEVER


def _name(key: object) -> str:
    spoken = one_line(str(key)).replace("_", " ").replace("-", " ")
    return spoken[:1].upper() + spoken[1:] or NEVER
