"""Lines that say what a story or goal holds: "US-001: 2, 5", "FR-3 and 4 serve GOAL-1". For any
brain.

Such a line says nothing else. Its numbers are those of requirements, as in ranks.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.references.names import called_in, numbers_between, refs_of
from core.brains.text.wording import ref_pattern, refs_in
from core.domain.answers import Claim, Claims, ReadRequest

_HOLDER: Final = r"(?:(?:us|goal)[- ]?|(?:the )?(?:user )?(?:story|goal)\s+#?)[0-9]{1,4}"
_NUMBER: Final = r"(?:[a-z]{1,4}[- ]?|article |#)?[0-9]{1,4}"  # "FR-2", "R2", "#2", "2"
_RANGE: Final = rf"{_NUMBER}(?:\s*(?:-|–|to)\s*{_NUMBER})?"
_AND: Final = r"(?:\s*[,;&+]\s*(?:and\s+)?|\s+(?:and|und|y|et)\s+|\s+)"
_HOLDERS: Final = rf"(?P<holders>{_HOLDER}(?:{_AND}{_HOLDER})*)"
REQUIREMENTS: Final = rf"(?P<requirements>{_RANGE}(?:{_AND}{_RANGE})*)"
"""Pattern of names and numbers of requirements, one or several (the group `requirements`)."""
_NAME: Final = r"(?:n?fr|art(?:icle)?)[- ]?[0-9]{1,4}"
NAMES: Final = rf"(?P<requirements>{_NAME}(?:{_AND}{_NAME})*)"
"""… of names alone: numbers without one may count anything."""
_LINE: Final = r"(?:n?fr|us)[- ]?[0-9]{1,4}"
LINES: Final = rf"(?P<lines>{_LINE}(?:{_AND}{_LINE})*)"
"""… of stories, too (the group `lines`)."""
_FR_FIRST: Final = rf"(?P<requirements>fr[- ]?[0-9]{{1,4}}(?:{_AND}{_RANGE})*)"
_ARROW: Final = r"[-=]+>|→"
_HOLDS, _SERVES = (
    lexicon.expression(lexicon.table("english")[row]) for row in ("holds-lines", "serves-line")
)
_OPENS: Final = r"(?:(?:also|and|oh|ok(?:ay)?|so|then|plus)[:,]? )*"
_ENDS: Final = (
    r"(?:[,;]? (?:too|as well|also|please|i think|i guess))*(?:[,;]? (?:because|since)\b.*)?[\s.!]*"
)
_FORMS: Final = tuple(
    patterns.compile(rf"{_OPENS}[(\[]?{form}[)\]]?{_ENDS}", patterns.IGNORECASE)
    for form in (
        rf"{_HOLDERS}\s*(?:[:=]|{_ARROW}|{_HOLDS})\s*{REQUIREMENTS}",
        rf"{REQUIREMENTS}\s*(?:{_ARROW}|{_SERVES})\s*{_HOLDERS}",
        rf"{_FR_FIRST}\s*[:=]\s*{_HOLDERS}",
    )
)
_BEHIND: Final = patterns.compile(
    rf"\s*[(\[](?:{_HOLDS}\s*)?{REQUIREMENTS}[)\]][\s.!]*$", patterns.IGNORECASE
)
_ALONE: Final = patterns.compile(
    rf"[(\[]{REQUIREMENTS}[)\]][\s.!]*|{_RANGE}(?:{_AND}{_RANGE})+[\s.!]*", patterns.IGNORECASE
)
_PLAIN: Final = patterns.compile(
    r"(?:^|[^\w-])#?(?P<first>[0-9]{1,4})(?:\s*(?:-|–|to)\s*(?P<last>[0-9]{1,4}))?\b",
    patterns.IGNORECASE,
)
_IN_WORDS: Final = patterns.compile(
    r"(?:the )?(?:user )?(?P<what>story|goal)\s+#?(?P<number>[0-9]{1,4})", patterns.IGNORECASE
)
_PARTS: Final = ("want", "benefit", "moment")  # keys of what a story says
_PREFIX_OF: Final = {"story": "US", "goal": "GOAL"}


def with_link_lines(lines: Claims, request: ReadRequest) -> Claims:
    """The lines, each that only links others as such, where there is a requirement to link."""
    if not any(claim.kind == "requirement" for claim in (*request.claims, *lines)):
        return lines
    return tuple(
        _link_line(line)
        if patterns.fullmatch_of(_FORMS, line.text) or _story_before(line, lines)
        else line
        for line in lines
    )


def _link_line(line: Claim) -> Claim:
    numbered = {"question": line.data["question"]} if "question" in line.data else {}
    return replace(line, kind="link", confidence="stated", data=numbered)


def _story_before(line: Claim, lines: Sequence[Claim]) -> Claim | None:
    """The story of which a line is the end: "As a … so that …." "(FR-002, FR-005)"."""
    if not _ALONE.fullmatch(line.text):
        return None
    *_, before = (None, *lines[: lines.index(line)])
    is_story = before is not None and before.kind == "story" and before.sources == line.sources
    return before if is_story else None


def with_linked_names(line: Claim, lines: Sequence[Claim]) -> Claim:
    """A link line with the names of what it links; a note where it names no such lines."""
    match, story = patterns.fullmatch_of(_FORMS, line.text), _story_before(line, lines)
    named = match["requirements"] if match else line.text if story else ""
    holders = _IN_WORDS.sub(_named, match["holders"]) if match else (story and story.ref) or ""
    names = {claim.ref for claim in lines}
    linked = {
        "requirements": requirements_in(named, lines),
        "stories": [ref for ref in refs_in("US", holders) if ref in names],
        "goals": [ref for ref in refs_in("GOAL", holders) if ref in names],
    }
    if not linked["requirements"] or not (linked["stories"] or linked["goals"]):
        return replace(line, kind="note")
    return replace(line, data={**line.data, **{k: ", ".join(v) for k, v in linked.items() if v}})


def with_held(story: Claim, lines: Sequence[Claim]) -> Claim:
    """A story with the requirements in parentheses at its end: "As a … so that … (2, 5)". They are
    no part of what it wants or is good for."""
    match = _BEHIND.search(story.text)
    refs = requirements_in(match["requirements"], lines) if match else []
    if not refs:
        return story
    parts = {key: _BEHIND.sub("", story.data[key]) for key in _PARTS if key in story.data}
    return replace(story, data={**story.data, **parts, "requirements": ", ".join(refs)})


def _named(name: patterns.Match) -> str:
    return f"{_PREFIX_OF[name['what'].casefold()]}-{name['number']}"


def requirements_in(text: str, lines: Sequence[Claim]) -> list[str]:
    """The refs of those that a text has by name, by a name of people's own, by number."""
    texts = {line.ref: line.text for line in lines if line.ref and line.kind == "requirement"}
    refs = [*(ref for ref in refs_in("FR", text) if ref in texts), *called_in(text, texts)]
    unnamed = ref_pattern("US").sub(" ", ref_pattern("FR").sub(" ", text))  # "FR 2" is no number
    ranges = (numbers_between(match["first"], match["last"]) for match in _PLAIN.finditer(unnamed))
    return list(dict.fromkeys([*refs, *refs_of(chain.from_iterable(ranges), texts)]))
