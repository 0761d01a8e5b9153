"""Lines that say of others that they are no requirements: "FR-003 is not a requirement". For any
brain.

Whoever says so, the lines they name are struck through; they stand beside what took them out.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains.bookkeeping.references.link_lines import REQUIREMENTS, requirements_in
from core.brains.text.wording import refs_in
from core.domain.answers import Claim, Claims, ReadRequest
from core.domain.lines import REMOVES, line_of

_NONE: Final = (
    r"(?:(?:(?:really|just|both|all|clearly|obviously)\s+)*"
    r"(?:no|not(?: an?| any)?|isn['’]?t(?: an?)?|aren['’]?t(?: any)?|keine?)\s+"
    r"(?:(?:real|actual)\s+)?(?:requirem\w*|anforderung(?:en)?)\b"
    r"|no (?:es|son)(?: una?)? requisitos?\b)"
)
_FORMS: Final = tuple(
    patterns.compile(form, patterns.IGNORECASE | patterns.DOTALL)
    for form in (
        rf"\W*{REQUIREMENTS}(?:\s*,?\s*won['’]?t)?[,;]?\s*(?:(?:they|these|those|both|all|it)\s*)?"
        rf"(?:['’]re|['’]s|is|are|was|were|ist|sind|=)?\s*{_NONE}.*",
        rf"\W*(?:please\s+)?(?:remove|delete|strike|take out)\s+{REQUIREMENTS}"
        r"(?:\s+(?:from|off|out of) (?:the |your |this )?\w+)?(?:\s+please)?[\s.!]*",
    )
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
    removals = {id(line) for line in lines if _form_of(line.text) or _in_passing(line.text)}
    texts: set[tuple[str, tuple[str, ...]]] = set()
    result: list[Claim] = []
    for line in lines:
        key = line.text, line.sources
        if id(line) not in removals:
            result.append(line)
        elif key not in texts:  # it may rank each of them besides
            result.append(replace(line, kind="note", confidence="stated", data={REMOVES: ""}))
            texts.add(key)
    if len(result) == len(lines):
        return tuple(result)
    return tuple(
        replace(line, id=f"{request.step.id}/{number}") for number, line in enumerate(result, 1)
    )


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
    match = _form_of(claim.text)
    named = match["requirements"] if match else claim.text
    refs = (
        *(requirements_in(named, every) if match else refs_in("FR", named)),
        *refs_in("US", named),
    )
    removed = [line for line in every if line.ref in refs]
    lines = [line for line in map(line_of, removed) if line is not None]
    data = {**claim.data, REMOVES: ", ".join(refs)}
    return replace(claim, data=data, supersedes=tuple(dict.fromkeys((*claim.supersedes, *lines))))
