"""What a sentence names in its own words: stories, checks, endpoints, files, flows, failures.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from itertools import pairwise
from typing import Final

from core import patterns
from core.brains import lexicon

PHRASE_CHARS_MAX: Final = 600  # a longer sentence is kept as it is, unread
PARTY_WORDS_MAX: Final = 6

Parts = dict[str, str]


def is_short(text: str) -> bool:
    return len(text) <= PHRASE_CHARS_MAX


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def trimmed(part: str) -> str:
    return part.strip().strip(",;:.!`*\"'“”() ").strip()


# ── stories and checks ─────────────────────────────────────────────────────────────────────────

_CHECK: Final = lexicon.pattern("check", flags=patterns.IGNORECASE | patterns.DOTALL)


def story_in(text: str) -> Parts | None:
    """Role, want and benefit of "As a …, I want …, so that …"."""
    match = lexicon.pattern("story").fullmatch(on_one_line(text))
    if not match:
        return None
    parts = {"role": match["role"], "want": match["want"]}
    parts["benefit"] = match["benefit"] or match["ours"] or ""
    return {key: part.strip(" ,.") for key, part in parts.items()}


def is_check(text: str) -> bool:
    return is_short(text) and bool(_CHECK.fullmatch(text.strip()))


# ── endpoints and files ────────────────────────────────────────────────────────────────────────

_ENDPOINT: Final = patterns.compile(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+`?(/[^\s`,;)\]}\"'<>|]*)", patterns.IGNORECASE
)
_PATH_ALONE: Final = patterns.compile(
    r"(?<![\w/.:~<-])/[A-Za-z{:][\w:{}-]*(?:/[\w:{}-]+)*/?(?![\w.])"
)
_FILE: Final = lexicon.pattern("file", flags=0)
_DIRECTORY: Final = patterns.compile(r"`((?:\.{0,2}/)?[\w@.-]+(?:/[\w@.-]+)+/?)`")
_NO_FILE: Final = frozenset(
    {"node.js", "next.js", "vue.js", "react.js", "nuxt.js", "express.js", "d3.js", "three.js"}
)


def endpoints_in(text: str, *, alone: bool = False) -> list[Parts]:
    """`METHOD /path`; with `alone` also a bare `/path`, if the sentence says what it does."""
    if "/" not in text:
        return []
    endpoints = dict.fromkeys(
        (match[1].upper(), match[2].rstrip(".:!?") or "/") for match in _ENDPOINT.finditer(text)
    )
    if endpoints or not alone or not lexicon.pattern("calls").search(text):
        return [{"method": method, "path": path} for method, path in endpoints]
    paths = dict.fromkeys(match[0] for match in _PATH_ALONE.finditer(text))
    return [{"path": path} for path in paths]


def files_in(text: str) -> Parts:
    """The files and folders that a sentence names, as one list."""
    if "." not in text and "`" not in text:
        return {}
    named = [match[1] for match in _DIRECTORY.finditer(text)]
    named += [match[0] for match in _FILE.finditer(text) if match[0].casefold() not in _NO_FILE]
    return {"file": ", ".join(dict.fromkeys(named))} if named else {}


# ── who sends what to whom ─────────────────────────────────────────────────────────────────────

_ARROW: Final = patterns.compile(r"\s*(?:-+>|=+>|→|⟶|➔|➜)\s*")
_FLOWS: Final = tuple(
    lexicon.pattern(verb)
    for verb in ("flow-sends", "flow-asks", "flow-takes", "flow-goes", "flow-keeps")
)


def flows_in(text: str) -> list[Parts]:
    """`A -> B: what`, `A sends what to B`, `A asks B for what`, `B reads what from A`."""
    if not is_short(text):
        return []
    if arrows := _arrows(text):
        return arrows
    matches = (pattern.match(on_one_line(text)) for pattern in _FLOWS)
    groups = next((match.groupdict() for match in matches if match), {})
    parts = {key: trimmed(value) for key, value in groups.items()}
    return [parts] if parts and all(map(_is_party, (parts["from"], parts["to"]))) else []


def _arrows(text: str) -> list[Parts]:
    stations = _ARROW.split(on_one_line(text))
    if len(stations) < 2:
        return []
    last, _, what = stations[-1].partition(":")
    if not what:
        last, _, what = stations[-1].partition("(")
    names = [trimmed(name) for name in (*stations[:-1], last)]
    if not all(map(_is_party, names)):
        return []
    content = {"what": trimmed(what)} if trimmed(what) else {}
    pairs = pairwise(names)
    return [{"from": one, "to": other, **content} for one, other in pairs]


def _is_party(name: str) -> bool:
    words = name.split()
    named = 0 < len(words) <= PARTY_WORDS_MAX and not lexicon.pattern("no-party").match(name)
    return named and not lexicon.pattern("does").search(name)


# ── failures ───────────────────────────────────────────────────────────────────────────────────

_FAILING: Final = lexicon.pattern("failing")
_TOLD: Final = patterns.compile(r"(?P<condition>[^:]{3,160}?): +(?P<response>\S.*)")


def failure_in(text: str, *, asked: bool = False) -> Parts | None:
    """Condition and response of "if X fails, Y" and "X is missing → Y".

    `asked`: the step asks for failures, so that "Y when X fails", "X: Y" and "X is refused" count.
    """
    if not is_short(text):
        return None
    line = on_one_line(text)
    match = lexicon.pattern("if-first").fullmatch(line)
    if match and (asked or _FAILING.search(match["condition"])):
        return _failure(match["condition"], match["response"])
    stations = _ARROW.split(line, maxsplit=1)
    if len(stations) == 2 and all(stations) and (asked or _FAILING.search(stations[0])):
        return _failure(*stations)
    if not asked:
        return None
    late = lexicon.pattern("if-last").fullmatch(line)
    if late and _FAILING.search(late["condition"]):
        return _failure(late["condition"], late["response"])
    match = _TOLD.fullmatch(line) or lexicon.pattern("mends").fullmatch(line)
    return _failure(match["condition"], match["response"]) if match else None


def _failure(condition: str, response: str) -> Parts | None:
    parts = {"condition": trimmed(condition), "response": trimmed(response)}
    return parts if all(parts.values()) else None
