"""What people stated of the size of an item, and on which parts of it they differ. Pure."""

from collections.abc import Iterable, Mapping
from typing import Final

from core.domain.answers import Claim
from core.domain.ids import AnswerId, UserId

PARTS: Final = ("scope", "complexity", "file_count", "confidence", "scope_by_files")
"""Keys of a claim's data that state a part of the size."""


def contested_parts(claims: Iterable[Claim], people: Mapping[AnswerId, UserId]) -> frozenset[str]:
    """The parts on which people differ by what each of them said last: nobody's wins silently."""
    last: dict[str, dict[UserId, str]] = {}
    for claim in claims:
        speakers = {people[source] for source in claim.sources if source in people}
        for part in PARTS:
            if part in claim.data:
                last.setdefault(part, {}).update(dict.fromkeys(speakers, claim.data[part]))
    contested = {part for part, values in last.items() if len(set(values.values())) > 1}
    if "scope" in contested:  # a number of files does not decide between two words for the size
        contested.add("scope_by_files")
    return frozenset(contested)
