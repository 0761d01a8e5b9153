"""What a sentence names in its own words: stories, checks, endpoints, files, flows, failures.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from itertools import pairwise
from typing import Final

from core import patterns

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

_STORY: Final = patterns.compile(
    r"(?:[\w -]{0,20}:\s*)?as (?:an?|the) (?P<role>.+?),?"
    r" i(?: want| need| wish| would like|['’]d like)(?: to)?(?: be able to)? (?P<want>.+?)"
    r"(?:,? (?:(?:so that|in order to) (?P<benefit>.+?)|so (?P<ours>(?:i|we|they) .+?)))?[.!]*",
    patterns.IGNORECASE,
)
_CHECK: Final = patterns.compile(
    r"given\b.+\bthen\b.+|given\b.+\bwhen\b.+|(?:it(?:['’]s| is) )?(?:done|accepted|finished) "
    r"(?:when|if|once|as soon as) .+",
    patterns.IGNORECASE | patterns.DOTALL,
)


def story_in(text: str) -> Parts | None:
    """Role, want and benefit of "As a …, I want …, so that …"."""
    match = _STORY.fullmatch(on_one_line(text))
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
_CALLS: Final = patterns.compile(
    r"\b(?:gets?|posts?|puts?|calls?|called|reads?|gives?|lists?|creates?|updates?|deletes?"
    r"|removes?|returns?|sends?|takes?|accepts?|answers?|fetch(?:es)?|starts?|exports?|endpoint"
    r"|route|api|responds?|shows?|serves?|downloads?|uploads?)\b",
    patterns.IGNORECASE,
)
_FILE: Final = patterns.compile(
    r"(?<![\w/:.@-])(?:\.{0,2}/)?(?:[\w@.-]+/)*[\w-]+(?:\.[\w-]+)*\.(?:py|[cm]?jsx?|tsx?|java|kts?"
    r"|go|rs|rb|php|cs|cpp|cc|c|h|hpp|swift|scala|clj[cs]?|sql|html?|s?css|vue|svelte|md|rst|txt"
    r"|json|ya?ml|toml|ini|cfg|conf|xml|csv|sh|tf|proto|graphql|gradle|properties|ipynb|erb|jinja2?"
    r"|j2|twig|po)(?![\w/-])",
)
_DIRECTORY: Final = patterns.compile(r"`((?:\.{0,2}/)?[\w@.-]+(?:/[\w@.-]+)+/?)`")
_NO_FILE: Final = frozenset(
    {"node.js", "next.js", "vue.js", "react.js", "nuxt.js", "express.js", "d3.js", "three.js"}
)


def endpoints_in(text: str, *, alone: bool = False) -> list[Parts]:
    """`METHOD /path`; with `alone` also a bare `/path`, if the sentence says what it does."""
    if "/" not in text:
        return []
    found = dict.fromkeys(
        (match[1].upper(), match[2].rstrip(".:!?") or "/") for match in _ENDPOINT.finditer(text)
    )
    if found or not alone or not _CALLS.search(text):
        return [{"method": method, "path": path} for method, path in found]
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
_SENDS: Final = (
    r"sends?|sent|passes|pass|gives?|hands?|delivers?|forwards?|posts?|mails?|returns?|writes?"
    r"|pushes|push|publishes|publish|reports?|uploads?"
)
_ASKS: Final = r"asks?|calls?|queries|query|requests?"
_TAKES: Final = r"reads?|fetches|fetch|gets?|takes?|receives?|loads?|pulls?|downloads?"
_GOES: Final = (
    r"goes?|passes|pass|travels?|moves?|flows?|comes?|(?:is|are) (?:sent|passed|copied|moved)"
)
_KEEPS: Final = r"stores?|saves?|keeps?"
_END: Final = r"(?=[.;!]*$|[,;] | and | so that | when | until | as | because )"
_FLOWS: Final = tuple(
    patterns.compile(words, patterns.IGNORECASE)
    for words in (
        rf"(?P<from>.+?) (?:{_SENDS}) (?P<what>.+?) (?:on )?(?:in)?to (?P<to>.+?){_END}",
        rf"(?P<from>.+?) (?:{_ASKS}) (?P<to>.+?) for (?P<what>.+?){_END}",
        rf"(?P<to>.+?) (?:{_TAKES}) (?P<what>.+?) (?:out )?(?:from|of) (?P<from>.+?){_END}",
        rf"(?P<what>.+?) (?:{_GOES}) from (?P<from>.+?) (?:in)?to (?P<to>.+?){_END}",
        rf"(?P<from>.+?) (?:{_KEEPS}) (?P<what>.+?) in (?P<to>.+?){_END}",
    )
)
_DOES: Final = patterns.compile(
    rf" (?:{_SENDS}|{_ASKS}|{_TAKES}|{_KEEPS})(?: |$)| and$", patterns.IGNORECASE
)
_NO_PARTY: Final = patterns.compile(
    r"(?:it|this|that|these|those|they|he|she|i|you|one|which|what|who|there|if|when|while|because"
    r"|once|after|before|as|then|and|but|nobody|nothing|how|where)\b",
    patterns.IGNORECASE,
)


def flows_in(text: str) -> list[Parts]:
    """`A -> B: what`, `A sends what to B`, `A asks B for what`, `B reads what from A`."""
    if not is_short(text):
        return []
    if arrows := _arrows(text):
        return arrows
    matches = (pattern.match(on_one_line(text)) for pattern in _FLOWS)
    found = next((match.groupdict() for match in matches if match), {})
    parts = {key: trimmed(value) for key, value in found.items()}
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
    said = {"what": trimmed(what)} if trimmed(what) else {}
    pairs = pairwise(names)
    return [{"from": one, "to": other, **said} for one, other in pairs]


def _is_party(name: str) -> bool:
    words = name.split()
    named = 0 < len(words) <= PARTY_WORDS_MAX and not _NO_PARTY.match(name)
    return named and not _DOES.search(name)


# ── failures ───────────────────────────────────────────────────────────────────────────────────

_FAILS: Final = (
    r"(?:fail\w*|missing|late|wrong|invalid|absent|away|down|unavailable|unreachable|offline"
    r"|crash\w*|times? out|timed out|timeouts?|too (?:large|big|long|many|slow|old|late|wide)"
    r"|broken|breaks?|corrupt\w*|empty|expire[sd]?|denied|forbidden|refuse[sd]?|rejected|errors?"
    r"|lost|gone|full|cannot|can['’]?t|could not|not (?:found|exist|there|available|allowed"
    r"|reachable|answer\w*|respond\w*|known|permitted)|does not|doesn['’]?t|is not|no longer"
    r"|duplicates?|twice|exceed\w*|slow|nothing|unknown|stuck)"
)
_FAILING: Final = patterns.compile(rf"\b{_FAILS}\b", patterns.IGNORECASE)
_WHEN: Final = r"(?:if|when|whenever|in case|once|as soon as)"
_IF_FIRST: Final = patterns.compile(
    rf"{_WHEN} (?P<condition>[^,:→]+?)\s*(?:, then |,|:|→|[-=]+>|–|—| then )\s*(?P<response>\S.*)",
    patterns.IGNORECASE,
)
_IF_LAST: Final = patterns.compile(
    rf"(?P<response>.+?),? {_WHEN} (?P<condition>.+)", patterns.IGNORECASE
)
_TOLD: Final = patterns.compile(r"(?P<condition>[^:]{3,160}?): +(?P<response>\S.*)")
_MENDS: Final = patterns.compile(
    r"(?P<condition>.+?) (?P<response>(?:(?:is|are|gets?|must be) (?:refused|rejected|retried"
    r"|tried again|turned away|ignored|logged|skipped)|mends? (?:itself|themselves)"
    r"|(?:passes|pass) by|needs? an? |goes to |returns? )\b.*)",
    patterns.IGNORECASE,
)


def failure_in(text: str, *, asked: bool = False) -> Parts | None:
    """Condition and response of "if X fails, Y" and "X is missing → Y".

    `asked`: the step asks for failures, so that "Y when X fails", "X: Y" and "X is refused" count.
    """
    if not is_short(text):
        return None
    line = on_one_line(text)
    match = _IF_FIRST.fullmatch(line)
    if match and (asked or _FAILING.search(match["condition"])):
        return _failure(match["condition"], match["response"])
    stations = _ARROW.split(line, maxsplit=1)
    if len(stations) == 2 and all(stations) and (asked or _FAILING.search(stations[0])):
        return _failure(*stations)
    if not asked:
        return None
    late = _IF_LAST.fullmatch(line)
    if late and _FAILING.search(late["condition"]):
        return _failure(late["condition"], late["response"])
    told = _TOLD.fullmatch(line) or _MENDS.fullmatch(line)
    return _failure(told["condition"], told["response"]) if told else None


def _failure(condition: str, response: str) -> Parts | None:
    parts = {"condition": trimmed(condition), "response": trimmed(response)}
    return parts if all(parts.values()) else None
