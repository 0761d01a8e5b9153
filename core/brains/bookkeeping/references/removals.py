"""Lines that say of others that they are no requirements or articles, or out of scope: "FR-003 is
not a requirement", "ART-015 remove", "FR-019 out". For any brain.

Whoever says so, the lines they name are struck through; they stand beside what took them out.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains.bookkeeping.references.link_lines import (
    LINES,
    NAMES,
    REQUIREMENTS,
    requirements_in,
)
from core.brains.bookkeeping.references.remarks import as_one
from core.brains.text.wording import refs_in
from core.domain.answers import Claim, ClaimKind, Claims, ReadRequest
from core.domain.lines import REMOVES, line_of

_NONE: Final = (
    r"(?:(?:(?:really|just|both|all|clearly|obviously)\s+)*"
    r"(?:no|not(?: an?| any)?|isn['’]?t(?: an?)?|aren['’]?t(?: any)?|keine?)\s+"
    r"(?:(?:real|actual)\s+)?(?:requirem\w*|reqs?|anforderung(?:en)?)\b"
    r"|no (?:es|son)(?: una?)? requisitos?\b)"
)
_ARTICLES: Final = (
    r"(?P<requirements>art(?:icle)?s?[- ]?[0-9]{1,4}(?:\s*(?:,|&|and)\s*(?:art[- ]?)?[0-9]{1,4})*)"
)
_NO_ARTICLE: Final = (
    r"(?:no|not(?: an?| any)?|isn['’]?t(?: an?)?)\s+(?:real\s+)?(?:articles?|rules?)\b"
)
_REMOVED: Final[frozenset[ClaimKind]] = frozenset({"requirement", "article"})
_SAYS_MORE: Final[frozenset[ClaimKind]] = frozenset({"check", "question"})
_DROPS: Final = r"(?:please\s+)?(?:remove|delete|drop|strike|take out|kill|forget)"
_OPENS: Final = r"\W*(?:(?:and|so|also|ok(?:ay)?|oh|well|but|then|please)\W+)*"
_FORMS: Final = tuple(
    patterns.compile(form, patterns.IGNORECASE | patterns.DOTALL)
    for form in (
        rf"{_OPENS}{REQUIREMENTS}(?:\s*,?\s*won['’]?t)?[,;]?\s*(?:(?:they|these|those|both|all|it)\s*)?"
        rf"(?:['’]re|['’]s|is|are|was|were|ist|sind|=)?\s*{_NONE}.*",
        rf"{_OPENS}{NAMES}[,;]?\s*(?:['’]s|is|are|was|were|=)?\s*{_NO_ARTICLE}.*",
        rf"{_OPENS}{_DROPS}\s+{REQUIREMENTS}"
        r"(?:\s+(?:from|off|out of) (?:the |your |this )?\w+)?(?:\s+please)?[\s.!]*",
        rf"{_OPENS}{NAMES}\s*[:,–-]?\s*{_DROPS}(?:\s+(?:it|them|this|that|please))*[\s.!]*",
        # "ART-003 out, she took it back", "ART-003 is still there!"
        rf"{_OPENS}{_ARTICLES}\s*(?:is |goes )?(?:out|still (?:in|there|listed))\b[^:;]*",
        # "NFR-005 is an anecdote, drop it", "FR-028 is wrong now"; no number alone
        rf"{_OPENS}{NAMES}\s*(?:is|are|was|were)\b[^.;:]{{2,60}}[,;.:–-]+\s*"
        rf"(?:{_DROPS}\s+(?:it|them|this|that|both)"
        r"|(?:no|not(?: an?)?)\s+(?:requirem\w*|reqs?))\b.*",
        rf"{_OPENS}{NAMES}\s*(?:is|are)?\s*(?:now\s+)?"
        r"(?:wrong|obsolete|outdated|moot|dead|void|nonsense|a joke|gone|dropped)"
        r"(?:\s+(?:now|then|too|anyway))*(?:[.,;!].*)?",
    )
)
_OUT: Final = patterns.compile(
    rf"(?:^|[,;–-]\s*){_OPENS}{LINES}\s*(?:is|are|goes?|:|=)?\s*(?:now\s+|also\s+)?"
    r"(?:out(?: of (?:the )?scope)?|parked|postponed|not (?:in|for) (?:v ?1|this version))"
    r"(?:\s+(?:for (?:now|v ?1|this version)|in v ?1|then|too|please|again))*[\s.!]*$",
    patterns.IGNORECASE,
)
_NEITHER: Final = patterns.compile(
    rf"{_OPENS}{NAMES}\s*,?\s*(?:neither|nor)\b.*", patterns.IGNORECASE | patterns.DOTALL
)
_IN_PASSING: Final = patterns.compile(
    rf"(?:\b(?:is|are|was|were|ist|sind)\s+|=\s*|['’](?:s|re)\s+){_NONE}"
    r"|\bno (?:es|son)(?: una?)? requisitos?\b|\b(?:isn|aren)['’]?t (?:an? |any )?requirem",
    patterns.IGNORECASE,
)


def with_removals(lines: Claims, request: ReadRequest) -> Claims:
    """The lines, each that only takes out requirements as one note, and as an exclusion what leaves
    them out."""
    if not any(claim.kind in _REMOVED for claim in (*request.claims, *lines)):
        return lines
    removals: set[int] = set()
    follows = False  # right behind one that takes out others
    for line in lines:
        is_neither = follows and _NEITHER.fullmatch(line.text)
        follows = bool(
            is_neither or patterns.fullmatch_of(_FORMS, line.text) or _in_passing(line.text)
        )
        removals |= {id(line)} if follows else set()
    lines = as_one(lines, lambda line: id(line) in removals, request, data={REMOVES: ""})
    return as_one(
        lines,
        lambda line: line.kind not in _SAYS_MORE and _OUT.search(line.text) is not None,
        request,
        "exclusion",
    )


def removing(claims: Claims, request: ReadRequest) -> Claims:
    """The named lines, those that take out others in their place."""
    every = (*request.claims, *claims)
    return tuple(_in_place_of_named(claim, every) for claim in claims)


def _in_place_of_named(claim: Claim, every: Sequence[Claim]) -> Claim:
    if REMOVES in claim.data:
        return _removing(claim, every)
    return _leaving_out(claim, every) if claim.kind == "exclusion" else claim


def _in_passing(text: str) -> patterns.Match | None:
    """ "that = not a requirement, you listed it as FR-001"; names before it may be of anything."""
    match = _IN_PASSING.search(text)
    return None if match is None or refs_in("FR", match.before) else match


def _removing(claim: Claim, every: Sequence[Claim]) -> Claim:
    match = patterns.fullmatch_of(_FORMS, claim.text) or _NEITHER.fullmatch(claim.text)
    named = match["requirements"] if match else claim.text
    refs = (
        *(requirements_in(named, every) if match else refs_in("FR", named)),
        *(ref for prefix in ("NFR", "US", "ART") for ref in refs_in(prefix, named)),
    )
    data = {**claim.data, REMOVES: ", ".join(refs)}
    return _in_place_of(replace(claim, data=data), refs, every)


def _leaving_out(claim: Claim, every: Sequence[Claim]) -> Claim:
    match = _OUT.search(claim.text)
    names = match["lines"] if match else ""
    refs = [ref for prefix in ("FR", "NFR", "US") for ref in refs_in(prefix, names)]
    return _in_place_of(claim, refs, every)


def _in_place_of(claim: Claim, refs: Sequence[str], every: Sequence[Claim]) -> Claim:
    named = (line_of(line) for line in every if line.ref in refs)
    lines = [line for line in named if line is not None]
    return replace(claim, supersedes=tuple(dict.fromkeys((*claim.supersedes, *lines))))
