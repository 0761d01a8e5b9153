"""Lines of artifacts by what they are: what people accept stands before what they only said."""

from collections.abc import Iterable, Iterator
from typing import Final

from core.artifacts.document.words import GROUPS
from core.domain.answers import Claim
from core.domain.assumptions import is_assumed

__all__ = ["GROUPS", "ORDER", "by_kind"]

# What says most of a phase stands first; a kind that is not named comes last, facts at the end.
ORDER: Final = (
    *(
        "scope",
        "purpose",
        "requirement",
        "check",
        "exclusion",
        "decision",
        "option",
        "stack",
        "quality",
        "story",
    ),
    *("priority", "link", "success", "user", "risk", "constraint"),
    *("module", "interface", "entry-point"),
    *("data", "error", "article", "permission", "iteration", "next-step"),
)
LAST: Final = len(ORDER) + 1


def by_kind(claims: Iterable[Claim]) -> Iterator[tuple[str, list[Claim]]]:
    """Each kind with its lines in the order of the artifacts; assumptions are shown elsewhere."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.kind in GROUPS and not is_assumed(claim):
            groups.setdefault(claim.kind, []).append(claim)
    yield from sorted(groups.items(), key=lambda group: rank(group[0]))


def rank(kind: str) -> int:
    """The place of a kind among the others."""
    if kind in ORDER:
        return ORDER.index(kind)
    return LAST if kind == "fact" else LAST - 1
