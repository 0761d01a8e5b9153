"""What the pages and the context of the inception flow have in common: claims as plain rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.artifacts.compose.lines.claims import CHOSEN, detail, long_words, of_kind, text_of
from core.artifacts.document import words
from core.artifacts.document.plain import is_code
from core.domain.answers import Claim

VOTES: Final = words.row("votes")
NO_VOTE: Final = VOTES[0]
VOTED: Final = words.mapping("voted")
SKILL_STATUS: Final = words.mapping("skill_status")
_NUMBER: Final = patterns.compile(r"ART-([0-9]{1,9})")
_FIELDS: Final = patterns.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+")


def stated(claim: Claim) -> str:
    """A line without the label that sorted it."""
    if is_code(claim.text) or "from" in claim.data:  # there "what" is what passes
        return text_of(claim)
    return detail(claim, "what") or text_of(claim)


# ── technology ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ChosenTechnology:
    """What was taken for an area, why, and what it was weighed against."""

    area: str
    name: str
    reason: str
    rivals: tuple[str, ...]
    vote: str
    claim: Claim


def choices(claims: Sequence[Claim]) -> list[ChosenTechnology]:
    """Every technology that was chosen, in the order in which they were named."""
    lines = [claim for claim in of_kind(claims, "stack") if not is_code(claim.text)]
    chosen = [line for line in lines if detail(line, "choice") == CHOSEN]
    others = [line for line in lines if line not in chosen]
    chosen = [line for line in chosen if not _is_named_by_another(line, chosen)]
    return [
        ChosenTechnology(
            detail(choice, "area"),
            name_of(choice),
            detail(choice, "reason"),
            tuple(
                dict.fromkeys(name_of(rival) for rival in others if _rivals(rival, choice, chosen))
            ),
            vote if (vote := detail(choice, "consensus")) in VOTES else NO_VOTE,
            choice,
        )
        for choice in chosen
    ]


def name_of(claim: Claim) -> str:
    """A technology as it was named; else its whole line."""
    return detail(claim, "option") or stated(claim)


def _is_named_by_another(line: Claim, chosen: Sequence[Claim]) -> bool:
    """True for a choice without an area that one with an area names: "Hetzner" of "Hosting:
    Hetzner in Germany"."""
    names = long_words(name_of(line))
    return not detail(line, "area") and any(
        detail(other, "area") and names and names <= long_words(name_of(other)) for other in chosen
    )


def _rivals(rival: Claim, chosen: Claim, every: Sequence[Claim]) -> bool:
    """Of the same area, or named in the same line; of any, if there is but one choice."""
    if name_of(rival).casefold() == name_of(chosen).casefold():
        return False
    area = detail(rival, "area").casefold()
    same_line = rival.text == chosen.text and rival.step == chosen.step
    same_area = area == detail(chosen, "area").casefold()
    return same_line or (bool(area) and same_area) or (not area and len(every) == 1)


# ── things, tests, articles, skills ────────────────────────────────────────────────────────────


def things(claims: Sequence[Claim]) -> list[tuple[str, list[str], Claim]]:
    """Each thing that has a name, with its fields."""
    return [
        (detail(entity, "entity"), fields_of(entity), entity)
        for entity in of_kind(claims, "entity")
        if detail(entity, "entity")
    ]


def fields_of(claim: Claim) -> list[str]:
    return [name for part in _FIELDS.split(detail(claim, "fields")) if (name := part.strip(" ."))]


def retention(name: str, claims: Sequence[Claim]) -> str:
    """For how long a thing is kept, as far as its line names it."""
    periods = (
        detail(claim, "period") or stated(claim)
        for claim in of_kind(claims, "retention")
        if _same(detail(claim, "entity"), name)
    )
    return " / ".join(dict.fromkeys(periods))


def _same(name: str, other: str) -> bool:
    """True if two names are one thing, singular or plural."""
    return bool(name) and name.casefold().removesuffix("s") == other.casefold().removesuffix("s")


def articles(claims: Sequence[Claim]) -> list[tuple[int, Claim]]:
    """Each article with its number: its own, else the next that is free."""
    lines = of_kind(claims, "article")
    numbers = {
        line.id: int(match[1]) for line in lines if (match := _NUMBER.fullmatch(line.ref or ""))
    }
    free = max(numbers.values(), default=0)
    for line in lines:
        if line.id not in numbers:
            numbers[line.id] = free = free + 1
    return sorted(((numbers[line.id], line) for line in lines), key=lambda pair: pair[0])


def skills(own: Sequence[Claim], everything: Sequence[Claim]) -> list[tuple[str, str, Claim]]:
    """Each skill with its status, then each technology of the stack that nobody spoke of."""
    rows = [
        (detail(skill, "skill") or stated(skill), _status(skill), skill)
        for skill in of_kind(own, "skill")
        if not is_code(skill.text)
    ]
    spoken = " / ".join(f"{name} {skill.text}" for name, _, skill in rows).casefold()
    for choice in choices(everything):
        technology = choice.name.casefold()
        if technology not in spoken and not any(_in(name, technology) for name, _, _ in rows):
            rows.append((choice.name, "said", choice.claim))
            spoken += f" / {technology}"
    return rows


def _status(claim: Claim) -> str:
    status = detail(claim, "status")
    return status if status in SKILL_STATUS else "said"


def _in(name: str, text: str) -> bool:
    return bool(name) and patterns.find_word(name.casefold(), text) >= 0
