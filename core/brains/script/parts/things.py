"""What a sentence names in its own words: things and their fields, relations, levels of tests.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.parts.phrases import Parts, flows_in, is_short, on_one_line, trimmed

# ── names ──────────────────────────────────────────────────────────────────────────────────────

NAME_WORDS_MAX: Final = 4
_NAMED: Final = patterns.compile(
    r"\**(?P<name>[^\W_][^:;.!?,>|*\n]{0,40}?)\**(?::\**|\s[-–—])\s+(?P<rest>\S.*)", patterns.DOTALL
)


def named_in(text: str) -> tuple[str, str] | None:
    """`Name: what it is`, `Name - what it is`, and the first cell of a table's row."""
    cells = [cell.strip() for cell in text.split("|")]
    if len(cells) > 1:
        fields = " | ".join(filter(None, cells[1:]))
        return (cells[0], fields) if cells[0] and fields and _is_name(cells[0]) else None
    match = _NAMED.fullmatch(text)
    return (match["name"], match["rest"]) if match and _is_name(match["name"]) else None


def _is_name(name: str) -> bool:
    return len(name.split()) <= NAME_WORDS_MAX and not lexicon.pattern("no-name").match(name)


# ── things, relations, retention ───────────────────────────────────────────────────────────────

_BRACKETED: Final = lexicon.pattern("bracketed", flags=patterns.DOTALL)
_FIELD_END: Final = patterns.compile(r"\s*[,;]\s*(?:and )?|\s+and\s+")
_ARROWS: Final = ("->", "=>", "→")
FIELDS_MIN: Final = 2


def entity_in(text: str) -> Parts | None:
    """A thing and its fields: "Order: id, total", "Order (id, total)", "An order has an id …"."""
    line = on_one_line(text)
    if not is_short(line):
        return None
    match = _BRACKETED.fullmatch(line)
    if not match and (name_and_text := named_in(line)):
        return {"entity": name_and_text[0], "fields": trimmed(name_and_text[1].replace("|", " "))}
    match = match or lexicon.pattern("has-fields").fullmatch(line)
    if match and len(fields_of(match["fields"])) >= FIELDS_MIN:
        return {"entity": trimmed(match["entity"]), "fields": trimmed(match["fields"])}
    bare = trimmed(line)
    return {"entity": bare} if bare and len(bare.split()) < NAME_WORDS_MAX else None


def fields_of(text: str) -> list[str]:
    """The items of a list; what stands in brackets behind one belongs to it."""
    items, at, inside, counted = [], 0, 0, 0
    for end in _FIELD_END.finditer(text):
        inside += text.count("(", counted, end.start()) - text.count(")", counted, end.start())
        counted = end.start()
        if not inside:
            items.append(text[at : end.start()])
            at = end.end()
    return [item for item in (*items, text[at:]) if item.strip(" .")]


def relations_in(text: str) -> list[Parts]:
    """`A -> B: what`, also in chains; "A has many B", "A belongs to B"."""
    line = on_one_line(text)
    if not is_short(line):
        return []
    if any(arrow in line for arrow in _ARROWS):
        return flows_in(line)
    match = lexicon.pattern("relates").match(line) or lexicon.pattern("has-several").match(line)
    parts = {key: trimmed(value) for key, value in match.groupdict().items()} if match else {}
    return [parts] if parts and all(parts.values()) and _is_name(parts["from"]) else []


def is_kept(text: str) -> bool:
    return bool(lexicon.pattern("kept").search(text))


def retention_in(text: str) -> Parts:
    """Whose keeping a line is about, and for how long."""
    line = on_one_line(text)
    if not is_short(line):
        return {}
    name_and_text, whose = named_in(line), lexicon.pattern("whose-keeping").match(line)
    period = lexicon.pattern("period").search(line)
    entity = name_and_text[0] if name_and_text else trimmed(whose["entity"]) if whose else ""
    return ({"entity": entity} if entity else {}) | ({"period": period[0]} if period else {})


# ── tests ───────────────────────────────────────────────────────────────────────────────────────


def test_in(text: str) -> Parts:
    """The level that a line names, and what is tested there."""
    line = on_one_line(text)
    if not is_short(line):
        return {}
    if name_and_text := named_in(line):
        return {"level": name_and_text[0], "covers": trimmed(name_and_text[1].replace("|", " "))}
    level = lexicon.pattern("test-level").search(line)
    return {"level": level[0]} if level else {}


# ── the walkthrough ────────────────────────────────────────────────────────────────────────────


def iteration_in(text: str) -> Parts:
    """How long an iteration lasts."""
    length = lexicon.pattern("length").search(text)
    return {"length": length[0]} if length else {}
