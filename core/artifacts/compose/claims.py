"""What a claim says, and which claims belong together: stories, requirements, ranks, conflicts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core import patterns
from core.artifacts.document import words
from core.artifacts.document.plain import lines, one_line
from core.domain.answers import Claim, ClaimKind
from core.domain.assumptions import is_assumed

LINKED, INFERRED, NO_STORY, NO_REQUIREMENT = words.row("traces")
CHOSEN, REJECTED = words.row("choices")
SHARED_WORDS_MIN: Final = 2
WORD_CHARS_MIN: Final = 4
_REF: Final = patterns.compile(r"(?<!\w)(?:FR|US)-[0-9]{3,}(?!\w)")
_WORD: Final = patterns.compile(rf"[^\W\d_]{{{WORD_CHARS_MIN},}}")
_EXCLUDED: Final = patterns.compile(r"(?:out of|not in) scope\b", patterns.IGNORECASE)
_ASKS: Final = ("?", "？")

Claims = Sequence[Claim]


# ── what one claim says ────────────────────────────────────────────────────────────────────────


def detail(claim: Claim, key: str) -> str:
    """What a claim says under a key of its own, in one line; empty where it says nothing there."""
    return one_line(claim.data.get(key, ""))


def or_not_said(text: str) -> str:
    return one_line(text) or words.text("not_said")


def text_of(claim: Claim) -> str:
    """The line of a claim; a block of code keeps its lines."""
    return "\n".join(lines(claim.text)) if "```" in claim.text else one_line(claim.text)


def criteria(claim: Claim) -> list[str]:
    rows = (one_line(row) for row in claim.data.get("acceptance", "").split("\n"))
    return [row for row in rows if row]


def is_open(claim: Claim) -> bool:
    """True if a line asks what nobody has answered."""
    asks = claim.kind == "fact" and claim.text.rstrip("\"'”’) ").endswith(_ASKS)
    return asks or "question" in (claim.kind, detail(claim, "topic").removeprefix("open-"))


def is_asked(claim: Claim) -> bool:
    """True for an open question that is no assumption."""
    return is_open(claim) and not is_assumed(claim)


def is_excluded(claim: Claim) -> bool:
    return detail(claim, "topic") == "out-of-scope" or bool(_EXCLUDED.match(claim.text))


def group_of(claim: Claim) -> str:
    """The group of lines that a claim stands in: by its topic, else by its kind."""
    if is_assumed(claim):
        return "assumption"
    if is_open(claim):
        return "question"
    if is_excluded(claim):
        return "out-of-scope"
    topic = detail(claim, "topic")
    return topic if claim.kind == "fact" and topic in words.GROUPS else claim.kind


def of_kind(claims: Iterable[Claim], *kinds: ClaimKind) -> list[Claim]:
    """The claims of these kinds, without assumptions."""
    return [claim for claim in claims if claim.kind in kinds and not is_assumed(claim)]


# ── which belong together ──────────────────────────────────────────────────────────────────────


def ranked(ref: str | None, everything: Claims) -> Iterator[Claim]:
    """What people said of how important a requirement or story is."""
    for claim in everything:
        if claim.kind == "priority" and ref and claim.data.get("requirement") == ref:
            yield claim


def ranks(ref: str | None, everything: Claims) -> list[str]:
    values = (claim.data.get("priority", "") for claim in ranked(ref, everything))
    return list(dict.fromkeys(filter(None, values)))


def requirements_of(story: Claim, everything: Claims) -> dict[str, str]:
    """Requirement → status of the link: named by one of the two, or guessed by the brain."""
    lines = {claim.ref: claim for claim in everything if claim.kind == "requirement" and claim.ref}
    links = {ref: _status(story) for ref in _refs(story, "requirements") if ref in lines}
    for ref, line in lines.items():
        if story.ref and story.ref in _refs(line, "stories"):
            links.setdefault(ref, _status(line))
        if ref in _REF.findall(story.text) or story.ref in _REF.findall(line.text):
            links[ref] = LINKED
    return links


def stories_of(requirement: Claim, everything: Claims) -> dict[str, str]:
    """Story → status of its link to the requirement."""
    stories = [claim for claim in everything if claim.kind == "story"]
    links = {claim.ref or claim.id: requirements_of(claim, everything) for claim in stories}
    ref = requirement.ref or requirement.id
    return {story: statuses[ref] for story, statuses in links.items() if ref in statuses}


def _refs(claim: Claim, key: str) -> list[str]:
    return _REF.findall(claim.data.get(key, ""))


def _status(claim: Claim) -> str:
    return INFERRED if claim.data.get("link") == "inferred" else LINKED


def conflicting(claim: Claim, everything: Claims) -> list[Claim]:
    """The lines that a line disagrees with, whichever of the two says so."""
    named = _conflicts(claim)
    return [
        other
        for other in everything
        if other.id != claim.id and (other.id in named or claim.id in _conflicts(other))
    ]


def _conflicts(claim: Claim) -> list[str]:
    return claim.data.get("conflicts", "").replace(",", " ").split()


def akin(text: str, lines: Claims) -> Claim | None:
    """The one line that shares most words with `text`, if it shares enough and no other as many."""
    wanted = _words(text)
    names = (f"{line.data.get('option', '')} {line.text}" for line in lines)
    shared = [len(wanted & _words(name)) for name in names]
    best = max(shared, default=0)
    is_clear = best >= SHARED_WORDS_MIN and shared.count(best) == 1
    return lines[shared.index(best)] if is_clear else None


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
