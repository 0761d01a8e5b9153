"""What a sentence names in its own words: things and their fields, relations, levels of tests.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from typing import Final

from core import patterns
from core.brains.script.parts.phrases import Parts, flows_in, is_short, on_one_line, trimmed

# ── names ──────────────────────────────────────────────────────────────────────────────────────

NAME_WORDS_MAX: Final = 4
_NAMED: Final = patterns.compile(
    r"\**(?P<name>[^\W_][^:;.!?,>|*\n]{0,40}?)\**(?::\**|\s[-–—])\s+(?P<rest>\S.*)", patterns.DOTALL
)
_NO_NAME: Final = patterns.compile(
    r"(?:we|i|you|they|he|she|it|this|that|these|those|there|if|when|because|so|but|and|note|ps|fyi"
    r"|for example|e\.g|also|one more)\b",
    patterns.IGNORECASE,
)


def named_in(text: str) -> tuple[str, str] | None:
    """`Name: what it is`, `Name - what it is`, and the first cell of a table's row."""
    cells = [cell.strip() for cell in text.split("|")]
    if len(cells) > 1:
        rest = " | ".join(filter(None, cells[1:]))
        return (cells[0], rest) if cells[0] and rest and _is_name(cells[0]) else None
    match = _NAMED.fullmatch(text)
    return (match["name"], match["rest"]) if match and _is_name(match["name"]) else None


def _is_name(name: str) -> bool:
    return len(name.split()) <= NAME_WORDS_MAX and not _NO_NAME.match(name)


# ── things, relations, retention ───────────────────────────────────────────────────────────────

_WHOSE: Final = r"(?:(?:an?|the|each|every|one) )?"
_THING: Final = r"[^\W\d_][\w’' -]{0,30}?"
_BRACKETED: Final = patterns.compile(
    rf"(?P<entity>{_THING}) ?\((?P<fields>[^()]+)\)[.]?", patterns.DOTALL
)
_HAS: Final = patterns.compile(
    rf"{_WHOSE}(?P<entity>{_THING}) (?:has|have|holds?|keeps?|consists? of|carr(?:y|ies)|with) "
    r"(?P<fields>\S.*)",
    patterns.IGNORECASE | patterns.DOTALL,
)
_MANY: Final = (
    r"(?:exactly |at least |at most |only )?(?:many|one|two|several|any number of|zero or more"
    r"|no or one|[0-9]+)"
)
_RELATES: Final = patterns.compile(
    rf"{_WHOSE}(?P<from>{_THING}) (?P<what>(?:has|have|owns?|contains?|holds?|with) {_MANY}"
    rf"|(?:belongs?|refers?|points?|is tied|are tied) to(?: {_MANY})?|depends? on"
    rf"|(?:is|are) part of) (?:an? |the )?(?P<to>[^,;.]{{1,40}}?)(?=[,;.]|$)",
    patterns.IGNORECASE,
)
_KEPT: Final = patterns.compile(
    r"\b(?:kept|keep(?:s|ing)?|retain\w*|retention|stored for|delet\w*|eras\w+|anonymi[sz]\w+"
    r"|archiv\w+|expires?|removed|thrown away)\b",
    patterns.IGNORECASE,
)
_WHOSE_KEEPING: Final = patterns.compile(
    rf"{_WHOSE}(?P<entity>{_THING}) (?:is|are|stays?|gets?|must be|may be|will be|has to be) "
    r"(?:\w+ )?(?:kept|deleted|stored|removed|archived|anonymi[sz]ed|erased|retained|thrown)",
    patterns.IGNORECASE,
)
_PERIOD: Final = patterns.compile(
    r"\b(?:(?:at least|at most|about|after|for) )?(?:[0-9]+|an?|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|twelve|thirty|ninety) (?:hours?|days?|weeks?|months?|years?)\b",
    patterns.IGNORECASE,
)
_FIELD_END: Final = patterns.compile(r"\s*[,;]\s*(?:and )?|\s+and\s+")
_ARROWS: Final = ("->", "=>", "→")
FIELDS_MIN: Final = 2


def entity_in(text: str) -> Parts | None:
    """A thing and its fields: "Order: id, total", "Order (id, total)", "An order has an id …"."""
    line = on_one_line(text)
    if not is_short(line):
        return None
    match = _BRACKETED.fullmatch(line)
    if not match and (named := named_in(line)):
        return {"entity": named[0], "fields": trimmed(named[1].replace("|", " "))}
    match = match or _HAS.fullmatch(line)
    if match and len(fields_of(match["fields"])) >= FIELDS_MIN:
        return {"entity": trimmed(match["entity"]), "fields": trimmed(match["fields"])}
    bare = trimmed(line)
    return {"entity": bare} if bare and len(bare.split()) < NAME_WORDS_MAX else None


def fields_of(text: str) -> list[str]:
    return [part for part in _FIELD_END.split(text) if part.strip(" .")]


def relations_in(text: str) -> list[Parts]:
    """`A -> B: what`, also in chains; "A has many B", "A belongs to B"."""
    line = on_one_line(text)
    if not is_short(line):
        return []
    if any(arrow in line for arrow in _ARROWS):
        return flows_in(line)
    match = _RELATES.match(line)
    parts = {key: trimmed(value) for key, value in match.groupdict().items()} if match else {}
    return [parts] if parts and all(parts.values()) else []


def is_kept(text: str) -> bool:
    return bool(_KEPT.search(text))


def retention_in(text: str) -> Parts:
    """Whose keeping a line is about, and for how long."""
    line = on_one_line(text)
    if not is_short(line):
        return {}
    named, whose, period = named_in(line), _WHOSE_KEEPING.match(line), _PERIOD.search(line)
    thing = named[0] if named else trimmed(whose["entity"]) if whose else ""
    return ({"entity": thing} if thing else {}) | ({"period": period[0]} if period else {})


# ── tests ───────────────────────────────────────────────────────────────────────────────────────

_LEVEL: Final = patterns.compile(
    r"\b(?:unit|integration|contract|end[- ]to[- ]end|e2e|acceptance|system|smoke|load|performance"
    r"|security|regression|property|snapshot|ui|manual|by hand|exploratory)\b",
    patterns.IGNORECASE,
)


def test_in(text: str) -> Parts:
    """The level that a line names, and what is tested there."""
    line = on_one_line(text)
    if not is_short(line):
        return {}
    if named := named_in(line):
        return {"level": named[0], "covers": trimmed(named[1].replace("|", " "))}
    level = _LEVEL.search(line)
    return {"level": level[0]} if level else {}


# ── the walkthrough ────────────────────────────────────────────────────────────────────────────

_LENGTH: Final = patterns.compile(
    r"\b(?:[0-9]+|an?|one|two|three|four|five|six|eight|ten) (?:work(?:ing)? )?"
    r"(?:days?|weeks?|months?)\b",
    patterns.IGNORECASE,
)


def iteration_in(text: str) -> Parts:
    """How long an iteration lasts."""
    length = _LENGTH.search(text)
    return {"length": length[0]} if length else {}
