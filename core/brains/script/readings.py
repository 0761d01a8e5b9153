"""One reading of a fragment: its kind, what its words name, and how sure that is.

And the names of phases, steps and kinds that the rules speak of.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from core.brains.script.parts.priority import Rank
from core.domain.answers import Claim, ClaimKind, Confidence

QUICK_SCAN: Final = "00-quick-scan"
REQUIREMENTS: Final = "01-requirements"
IMPACT: Final = "02-impact-analysis"
ARCHITECTURE: Final = "03-architecture"
DESIGN: Final = "04-design"
SHIPPED_PHASES: Final = frozenset({QUICK_SCAN, REQUIREMENTS, IMPACT, ARCHITECTURE, DESIGN})
RISKS_NAMED: Final = frozenset({REQUIREMENTS, IMPACT})
QUALITIES: Final = "01-05"
FEATURES: Final = "01-06"
STORIES: Final = "01-07"
PRIORITIES: Final = "01-08"
DECISIONS: Final = "03-02"
NEIGHBOURS: Final = "03-03"

MOSCOW: Final = ("must", "should", "could", "won't")


@dataclass(frozen=True, slots=True)
class Reading:
    """`onto`: the key under which it belongs to the line before it, if there is one to take it.

    `of_one`: only if the answer has no second line that could take it.
    """

    kind: ClaimKind
    data: Mapping[str, str] = field(default_factory=dict)
    confidence: Confidence = "stated"
    onto: str = ""
    of_one: bool = False


Readings = tuple[Reading, ...]
NOTHING: Final[Readings] = ()
FACT: Final[Readings] = (Reading("fact"),)
OPEN: Final = Reading("question", {"topic": "open-question"})
OUT_OF_SCOPE: Final = Reading("constraint", {"topic": "out-of-scope"})
CONSTRAINT: Final = Reading("constraint", {"topic": "constraint"})


def added(reading: Reading, more: Mapping[str, str]) -> Reading:
    return replace(reading, data={**reading.data, **more}) if more else reading


def ranks_as_readings(ranks: Iterable[Rank]) -> Readings:
    return tuple(
        Reading("priority", {"requirement": rank.ref, "priority": rank.word}, rank.confidence)
        for rank in ranks
    )


def known_lines(claims: tuple[Claim, ...], kind: ClaimKind) -> dict[str, str]:
    """Ref → text of the claims of a kind."""
    return {claim.ref: claim.text for claim in claims if claim.kind == kind and claim.ref}
