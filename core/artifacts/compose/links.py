"""Which lines belong together: stories and requirements, ranks, and answers that disagree."""

from collections.abc import Iterator, Sequence
from typing import Final

from core import patterns
from core.artifacts.document import words
from core.domain.answers import Claim

LINKED, INFERRED, NO_STORY, NO_REQUIREMENT = words.row("traces")
SHARED_WORDS_MIN: Final = 2
WORD_CHARS_MIN: Final = 4
_REF: Final = patterns.compile(r"(?<!\w)(?:FR|US)-[0-9]{3,}(?!\w)")
_WORD: Final = patterns.compile(rf"[^\W\d_]{{{WORD_CHARS_MIN},}}")

Claims = Sequence[Claim]


def ranked(ref: str | None, everything: Claims) -> Iterator[Claim]:
    """What people said of how important a requirement or story is."""
    for claim in everything:
        if claim.kind == "priority" and ref and claim.data.get("requirement") == ref:
            yield claim


def ranks(ref: str | None, everything: Claims) -> list[str]:
    found = (claim.data.get("priority", "") for claim in ranked(ref, everything))
    return list(dict.fromkeys(filter(None, found)))


def requirements_of(story: Claim, everything: Claims) -> dict[str, str]:
    """Requirement → status of the link: named by one of the two, or guessed by the brain."""
    known = {claim.ref: claim for claim in everything if claim.kind == "requirement" and claim.ref}
    links = {ref: _status(story) for ref in _names(story, "requirements") if ref in known}
    for ref, line in known.items():
        if story.ref and story.ref in _names(line, "stories"):
            links.setdefault(ref, _status(line))
        if ref in _REF.findall(story.text) or story.ref in _REF.findall(line.text):
            links[ref] = LINKED
    return links


def stories_of(requirement: Claim, everything: Claims) -> dict[str, str]:
    """Story → status of its link to the requirement."""
    told = [claim for claim in everything if claim.kind == "story"]
    links = {claim.ref or claim.id: requirements_of(claim, everything) for claim in told}
    ref = requirement.ref or requirement.id
    return {story: found[ref] for story, found in links.items() if ref in found}


def _names(claim: Claim, key: str) -> list[str]:
    return _REF.findall(claim.data.get(key, ""))


def _status(claim: Claim) -> str:
    return INFERRED if claim.data.get("link") == "inferred" else LINKED


def conflicting(claim: Claim, everything: Claims) -> list[Claim]:
    """The lines that a line disagrees with, whichever of the two says so."""
    named = set(claim.data.get("conflicts", "").replace(",", " ").split())
    return [
        other
        for other in everything
        if other.id != claim.id
        and (
            other.id in named
            or claim.id in other.data.get("conflicts", "").replace(",", " ").split()
        )
    ]


def akin(text: str, lines: Claims) -> Claim | None:
    """The one line that shares most words with `text`, if it shares enough and no other as many."""
    words = _words(text)
    shared = [(len(words & _words(_name(line))), line) for line in lines]
    best = max((count for count, _ in shared), default=0)
    nearest = [line for count, line in shared if count == best]
    return nearest[0] if best >= SHARED_WORDS_MIN and len(nearest) == 1 else None


def _name(line: Claim) -> str:
    return f"{line.data.get('option', '')} {line.text}"


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
