"""What a sentence names in its own words: stories, checks, endpoints, files, flows, failures.

Each function gives the parts as they were said, or nothing. None adds or changes a word.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.text.wording import words_of

PHRASE_CHARS_MAX: Final = 600  # a longer sentence is kept as it is, unread
PARTY_WORDS_MAX: Final = 6
ROLE_WORDS_MAX: Final = 12
REMARK_WORDS_MIN: Final = 3  # behind the comma of a last station; fewer may be another one
BRACED_FILES_MAX: Final = 50  # of one pair of braces
_PAIRS: Final = ("()", "“”", '""', "``")

Parts = dict[str, str]


def is_short(text: str) -> bool:
    return len(text) <= PHRASE_CHARS_MAX


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def trimmed(part: str) -> str:
    """A part without the signs round it; a bracket or quote whose other half is in it stays."""
    inner = part.strip().strip(",;:.!`*\"'“”() ").strip()
    before, _, after = part.partition(inner) if inner else (part, "", "")
    if before.endswith(".") and inner[:1].isupper():
        inner = f".{inner}"  # ".NET"
    for opening, closing in _PAIRS:
        opened, closed = inner.count(opening), inner.count(closing)
        if opening in before and (closed > opened or (opening == closing and closed % 2)):
            inner = f"{opening}{inner}"
        elif closing in after and (opened > closed or (opening == closing and opened % 2)):
            inner = f"{inner}{closing}"
    return inner


# ── stories and checks ─────────────────────────────────────────────────────────────────────────


def story_in(text: str) -> Parts | None:
    """Role, want and benefit of "As a …, I want …, so that …"; "Als …" and "Como …" likewise."""
    line = on_one_line(text)
    for form in ("story", "story-german", "story-spanish"):
        if match := lexicon.pattern(form).fullmatch(line):
            break
    else:
        return None
    groups = match.groupdict()
    if lexicon.pattern("no-role").match(groups["role"]) or not _is_role(groups["role"]):
        return None
    benefit = groups["benefit"] or groups.get("ours") or ""
    want = f"not {groups['want']}" if groups.get("not") else groups["want"]
    parts = {"role": groups["role"], "want": want, "benefit": benefit}
    return {key: part.strip(" ,.") for key, part in parts.items()}


_STORIES_TOLD: Final = ("story-noted", "story-of-author", "story-of-another", "story-for-me")


def _is_role(role: str) -> bool:
    return len(role.split()) <= ROLE_WORDS_MAX


def story_of_author(text: str) -> Parts | None:
    """What somebody wants who does not say as whom: "want no changes within 2h of start".

    "As crew chief: see who may go" says as whom.
    """
    line = on_one_line(text)
    forms = (lexicon.pattern(name) for name in _STORIES_TOLD)
    match = patterns.fullmatch_of(forms, line)
    role = match.groupdict().get("role") or "" if match else ""
    if not match or not is_short(text) or lexicon.pattern("no-role").match(role):
        return None
    benefit = trimmed(match["benefit"] or "")
    role = "" if lexicon.pattern("anybody").fullmatch(role) else role
    return {"role": role, "want": trimmed(match["want"]), "benefit": benefit} | moment_in(line)


def moment_in(line: str) -> Parts:
    """When something happens, by the words that say so."""
    match = lexicon.pattern("moment").search(line)
    return {"when": trimmed(match[0])} if match else {}


def behind_moment(line: str) -> str:
    """What is told behind the moment that opens a line: "When it rains, …"; else the line."""
    match = lexicon.pattern("moment").match(line)
    return line.partition(", ")[2] or line if match else line


# ── endpoints and files ────────────────────────────────────────────────────────────────────────

_METHOD: Final = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_OPENS_WITH_ENDPOINT: Final = patterns.compile(
    rf"\W{{0,3}}(?:(?:{_METHOD})\s+)?`?/[A-Za-z{{:]", patterns.IGNORECASE
)
_ENDPOINT: Final = patterns.compile(
    rf"\b({_METHOD})\s+`?(/(?:[^\s`,;)\]}}{{\"'<>|]|\{{[^\s{{}}]*\}})*)",
    patterns.IGNORECASE,
)
_PATH_ALONE: Final = patterns.compile(
    r"(?<![\w/.:~<-])/[A-Za-z{:][\w:{}-]*(?:/[\w:{}-]+)*/?(?![\w.])"
)
_FILE: Final = lexicon.pattern("file", flags=0)
_DIRECTORY: Final = patterns.compile(r"`((?:\.{0,2}/)?[\w@.-]+(?:/[\w@.-]+)+/?)`")
_BRACES_OF_FILES: Final = r"\{[\w@./-]+(?:,\s*[\w@./-]+)+\}"
_BRACED: Final = patterns.compile(
    rf"(?:[\w@.-]*/)*[\w@.-]*(?:{_BRACES_OF_FILES}[\w@./-]*\w|\.{_BRACES_OF_FILES})"
)
_BRACES: Final = patterns.compile(r"\{([^{}]*)\}")
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
    return [{"path": path} for path in paths_in(text)]


def opens_with_endpoint(text: str) -> bool:
    """True for "GET /boats/{id} gives the trips": it says what an endpoint does."""
    return _OPENS_WITH_ENDPOINT.match(text) is not None


def paths_in(text: str) -> list[str]:
    """Paths such as `/orders/{id}/lines`, each once. What stands in braces is a part of them."""
    return list(dict.fromkeys(match[0] for match in _PATH_ALONE.finditer(text)))


def files_in(text: str) -> Parts:
    """The files and folders that a sentence names, as one list."""
    if "." not in text and "`" not in text:
        return {}
    files = ["".join(match[0].split()) for match in _BRACED.finditer(text)]
    unbraced = _BRACED.sub(" ", text) if files else text
    files += [match[1] for match in _DIRECTORY.finditer(unbraced)]
    files += [match[0] for match in _FILE.finditer(unbraced) if match[0].casefold() not in _NO_FILE]
    return {"file": ", ".join(dict.fromkeys(files))} if files else {}


def files_listed(file_list: str) -> list[str]:
    """The single files of such a list: `{a,b}.py` are two, a folder is none."""
    names = [name for entry in file_list.split(", ") for name in _out_of_braces(entry)]
    return [name for name in names if "." in name.rpartition("/")[2]]


def _out_of_braces(name: str) -> list[str]:
    if not (braces := _BRACES.search(name)):
        return [name]
    before, after = name[: braces.start()], name[braces.end() :]
    return [f"{before}{part}{after}" for part in braces[1].split(",")[:BRACED_FILES_MAX] if part]


# ── who sends what to whom ─────────────────────────────────────────────────────────────────────

_ARROW: Final = patterns.compile(r"\s*(?:-+>|=+>|→|⟶|➔|➜|⇒|➡)\s*")
_CODE: Final = patterns.compile(r"`([^`]+)`")
_EITHER_END: Final = patterns.compile(r"\s*\|\s*|\s+(?:or|oder|o|/)\s+")  # "-> paid | refused"
_NEXT_CHAIN: Final = patterns.compile(r"[,;]\s+")
_CONDITION: Final = lexicon.pattern("condition")
_LINKS_ON: Final = lexicon.pattern("links-on")
_CLAUSE_END: Final = patterns.compile(r"[,;]\s+(?:(?:and|but|then)\s+)*", patterns.IGNORECASE)
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
    line = on_one_line(text)
    of_clauses = [flow for clause in _CLAUSE_END.split(line) for flow in _flow_told(clause)]
    return of_clauses or [flow for flow in _flow_told(line) if not _tells_more(flow["what"])]


def _flow_told(clause: str) -> list[Parts]:
    """What one clause says that somebody sends, asks for, takes or keeps; none or one."""
    matches = (pattern.match(clause) for pattern in _FLOWS)
    groups = next((match.groupdict() for match in matches if match), {})
    parts = {key: trimmed(value) for key, value in groups.items()}
    return [parts] if parts and all(map(_is_party, (parts["from"], parts["to"]))) else []


def _tells_more(what: str) -> bool:
    """True if what is sent has a clause of its own: "mails, the till asks for the price"."""
    return bool(_CLAUSE_END.search(what) and lexicon.pattern("does").search(what))


def stations_in(text: str) -> list[str]:
    """What stands between the arrows of `A -> B -> C`, in its order; none without an arrow."""
    stations = [station.strip() for station in _ARROW.split(on_one_line(text))]
    return [station for station in stations if station] if len(stations) > 1 else []


def journey_in(text: str) -> Parts:
    """The steps of `A -> B -> C`, one a line, as they were said."""
    steps = stations_in(text)
    return {"steps": "\n".join(steps)} if len(steps) > 1 else {}


def _arrows(text: str) -> list[Parts]:
    stations = _ARROW.split(on_one_line(text))
    return [flow for chain in _chains(stations) for flow in _hops(*chain)]


def _chains(stations: list[str]) -> Iterator[list[str]]:
    """ "a -> b, or b -> c" and "a -> b; a -> c" are two."""
    chain = stations[:1]
    for station in stations[1:-1]:
        end, *starts = _NEXT_CHAIN.split(station, maxsplit=1)
        chain.append(end)
        if starts:
            yield chain
            chain = starts
    if len(stations) > 1:
        yield [*chain, stations[-1]]


def _hops(first: str, *further: str) -> list[Parts]:
    """The arrows of a chain. What stands before the names and behind the last is no part of one."""
    last, remark = _with_remark(further[-1])
    spoken = first.rpartition(": ")[2] or first
    links = _LINKS_ON.match(spoken)
    opening = (spoken[links.end() :] if links else "") or spoken
    codes = _CODE.findall(opening)
    names = [codes[-1] if codes else opening, *map(_coded, (*further[:-1], last))]
    parties = [trimmed(name) for name in names]
    if not all(map(_is_party, parties)):
        return []
    content = {"what": trimmed(remark)} if trimmed(remark) else {}
    *senders, last = parties
    ends = [trimmed(end) for end in _EITHER_END.split(last)]
    last_hops = [{"from": senders[-1], "to": end} for end in ends if end]
    hops = [{"from": sender, "to": receiver} for sender, receiver in pairwise(senders)] + last_hops
    with_content = last_hops if _CONDITION.search(further[-1]) else hops
    return [{**hop, **content} if hop in with_content else hop for hop in hops]


def _coded(station: str) -> str:
    """The name in code style, where one stands there."""
    return next(iter(_CODE.findall(station)), station)


def _with_remark(station: str) -> tuple[str, str]:
    """The last station, and what is said of the arrow: behind a colon, in brackets, or when."""
    for sign in (":", "("):
        name, _, remark = station.partition(sign)
        if remark:
            return name, remark
    if match := _CONDITION.search(station):
        return match.before, match[0]
    name, _, clause = station.partition(", ")
    if len(clause.split()) >= REMARK_WORDS_MIN:
        return name, ""
    moment = lexicon.pattern("moment").search(station)
    return (moment.before, moment[0]) if moment and moment.start() else (station, "")


def _is_party(name: str) -> bool:
    words = name.split()
    is_name = 0 < len(words) <= PARTY_WORDS_MAX and not lexicon.pattern("no-party").match(name)
    return is_name and not lexicon.pattern("does").search(name)


# ── failures ───────────────────────────────────────────────────────────────────────────────────

CONDITION_WORDS_MAX: Final = 8  # before a comma
_PIECE_END: Final = patterns.compile(r"\s*;\s+(?:and\s+)?", patterns.IGNORECASE)
_FAILING: Final = lexicon.pattern("failing")
_TOLD: Final = patterns.compile(r"(?P<condition>[^:]{3,160}?): +(?P<response>\S.*)")


def failures_in(text: str) -> list[Parts]:
    """The failures of a line that tells one behind the other: "X fails, Y; Z is late, W".

    None where a piece between two semicolons is no failure.
    """
    pieces = [piece for piece in _PIECE_END.split(on_one_line(text)) if piece]
    if len(pieces) < 2 or not is_short(text):
        return []
    parts = [failure_in(piece, is_asked=True) or _failure_and_comma(piece) for piece in pieces]
    return [part for part in parts if part] if all(parts) else []


def _failure_and_comma(piece: str) -> Parts | None:
    condition, _, response = piece.partition(", ")
    is_one = len(condition.split()) <= CONDITION_WORDS_MAX and len(response.split()) > 1
    return _failure(condition, response) if is_one else None


def in_case(line: str) -> patterns.Match | None:
    """Condition and response of "if X, Y" and of "if X there's Y": the shorter condition holds."""
    forms = (lexicon.pattern(name).fullmatch(line) for name in ("if-first", "if-straight"))
    return min(filter(None, forms), key=lambda match: len(match["condition"]), default=None)


def failure_in(text: str, *, is_asked: bool = False) -> Parts | None:
    """Condition and response of "if X fails, Y" and "X is missing → Y".

    `is_asked`: the step asks for failures, so that "Y when X fails", "X: Y" and "X is refused"
    count.
    """
    if not is_short(text):
        return None
    line = on_one_line(text)
    match = in_case(line)
    if match and (is_asked or _FAILING.search(match["condition"])):
        return _failure(match["condition"], match["response"])
    stations = _ARROW.split(line, maxsplit=1)
    is_quoted = stations[0].count('"') % 2 == 1  # an arrow in what somebody typed
    if (
        len(stations) == 2
        and all(stations)
        and not is_quoted
        and (is_asked or _FAILING.search(stations[0]))
    ):
        return _failure(*stations)
    if not is_asked:
        return None
    late = lexicon.pattern("if-last").fullmatch(line)
    if late and _FAILING.search(late["condition"]):
        return _failure(late["condition"], late["response"])
    forms = (lexicon.pattern(name) for name in ("refuses-first", "response-first", "mends"))
    first, label, mends = (form.fullmatch(line) for form in forms)
    match = first or label or _TOLD.fullmatch(line) or mends
    return _failure(match["condition"], match["response"]) if match else None


def _failure(condition: str, response: str) -> Parts | None:
    parts = {"condition": trimmed(condition), "response": trimmed(response)}
    if not all(parts.values()):
        return None
    # "Then: those are left out" names no condition
    return parts if words_of(parts["condition"]) else {"response": parts["response"]}
