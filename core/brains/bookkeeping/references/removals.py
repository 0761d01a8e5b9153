"""Lines that say of others that they are no requirements: "FR-003 is not a requirement". For any
brain.

Whoever says so, the lines they name are struck through; they stand beside what took them out.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from core import patterns
from core.brains.bookkeeping.references.link_lines import (
    NAMES,
    REQUIREMENTS,
    requirements_in,
)
from core.brains.bookkeeping.references.remarks import as_notes
from core.brains.text.wording import refs_in
from core.domain.answers import Claim, Claims, ReadRequest
from core.domain.lines import REMOVES, line_of

_NONE: Final = (
    r"(?:(?:(?:really|just|both|all|clearly|obviously)\s+)*"
    r"(?:no|not(?: an?| any)?|isn['’]?t(?: an?)?|aren['’]?t(?: any)?|keine?)\s+"
    r"(?:(?:real|actual)\s+)?(?:requirem\w*|reqs?|anforderung(?:en)?)\b"
    r"|no (?:es|son)(?: una?)? requisitos?\b)"
)
_DROPS: Final = r"(?:please\s+)?(?:remove|delete|drop|strike|take out|kill|forget)"
_OPENS: Final = r"\W*(?:(?:and|so|also|ok(?:ay)?|oh|well|but|then|please)\W+)*"
_FORMS: Final = tuple(
    patterns.compile(form, patterns.IGNORECASE | patterns.DOTALL)
    for form in (
        rf"{_OPENS}{REQUIREMENTS}(?:\s*,?\s*won['’]?t)?[,;]?\s*(?:(?:they|these|those|both|all|it)\s*)?"
        rf"(?:['’]re|['’]s|is|are|was|were|ist|sind|=)?\s*{_NONE}.*",
        rf"{_OPENS}{_DROPS}\s+{REQUIREMENTS}"
        r"(?:\s+(?:from|off|out of) (?:the |your |this )?\w+)?(?:\s+please)?[\s.!]*",
        # "NFR-005 is an anecdote, drop it", "FR-028 is wrong now"; no number alone
        rf"{_OPENS}{NAMES}\s*(?:is|are|was|were)\b[^.;:]{{2,60}}[,;.:–-]+\s*"
        rf"(?:{_DROPS}\s+(?:it|them|this|that|both)"
        r"|(?:no|not(?: an?)?)\s+(?:requirem\w*|reqs?))\b.*",
        rf"{_OPENS}{NAMES}\s*(?:is|are)?\s*(?:now\s+)?"
        r"(?:wrong|obsolete|outdated|moot|dead|void|nonsense|a joke|gone|dropped)"
        r"(?:\s+(?:now|then|too|anyway))*(?:[.,;!].*)?",
    )
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
    """The lines, each that only takes out requirements as one note."""
    if not any(claim.kind == "requirement" for claim in (*request.claims, *lines)):
        return lines
    removals: set[int] = set()
    for before, line in pairwise((None, *lines)):
        follows = before is not None and id(before) in removals and _NEITHER.fullmatch(line.text)
        if follows or _form_of(line.text) or _in_passing(line.text):
            removals.add(id(line))
    return as_notes(lines, lambda line: id(line) in removals, request, {REMOVES: ""})


def removing(claims: Claims, request: ReadRequest) -> Claims:
    """The named lines, those that take out others in their place."""
    every = (*request.claims, *claims)
    return tuple(_removing(claim, every) if REMOVES in claim.data else claim for claim in claims)


def _form_of(text: str) -> patterns.Match | None:
    return next((match for form in _FORMS if (match := form.fullmatch(text))), None)


def _in_passing(text: str) -> patterns.Match | None:
    """ "that = not a requirement, you listed it as FR-001"; names before it may be of anything."""
    match = _IN_PASSING.search(text)
    return None if match is None or refs_in("FR", match.before) else match


def _removing(claim: Claim, every: Sequence[Claim]) -> Claim:
    match = _form_of(claim.text) or _NEITHER.fullmatch(claim.text)
    named = match["requirements"] if match else claim.text
    refs = (
        *(requirements_in(named, every) if match else refs_in("FR", named)),
        *refs_in("NFR", named),
        *refs_in("US", named),
    )
    removed = [line for line in every if line.ref in refs]
    lines = [line for line in map(line_of, removed) if line is not None]
    data = {**claim.data, REMOVES: ", ".join(refs)}
    return replace(claim, data=data, supersedes=tuple(dict.fromkeys((*claim.supersedes, *lines))))
