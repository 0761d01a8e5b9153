"""One reading of a fragment: its kind, what its words name, and how sure that is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from core.brains.script.parts.priority import Rank
from core.brains.script.topics import Topic
from core.brains.text.split import Fragment
from core.domain.answers import Claim, ClaimKind, Confidence, ReadRequest

MOSCOW: Final = ("must", "should", "could", "won't")


@dataclass(frozen=True, slots=True)
class Line:
    """A fragment at its step: the topic and its group, and the question that it takes up.

    `asks`: what that question asks for.
    """

    fragment: Fragment
    request: ReadRequest
    topic: Topic
    group: str
    question: str
    asks: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.fragment.text


@dataclass(frozen=True, slots=True)
class FragmentReading:
    """`onto`: the key under which it belongs to the line before it, if there is one to take it.

    `of_one`: only if the answer has no second line that could take it.
    """

    kind: ClaimKind
    data: Mapping[str, str] = field(default_factory=dict)
    confidence: Confidence = "stated"
    onto: str = ""
    of_one: bool = False


Readings = tuple[FragmentReading, ...]
NOTHING: Final[Readings] = ()
FACT: Final[Readings] = (FragmentReading("fact"),)
OPEN: Final = FragmentReading("question", {"topic": "open-question"})
OUT_OF_SCOPE: Final = FragmentReading("constraint", {"topic": "out-of-scope"})
CONSTRAINT: Final = FragmentReading("constraint", {"topic": "constraint"})


def added(reading: FragmentReading, more: Mapping[str, str]) -> FragmentReading:
    return replace(reading, data={**reading.data, **more}) if more else reading


def ranks_as_readings(ranks: Iterable[Rank]) -> Readings:
    return tuple(
        FragmentReading(
            "priority", {"requirement": rank.ref, "priority": rank.word}, rank.confidence
        )
        for rank in ranks
    )


def known_lines(claims: tuple[Claim, ...], kind: ClaimKind) -> dict[str, str]:
    """Ref → text of the claims of a kind."""
    return {claim.ref: claim.text for claim in claims if claim.kind == kind and claim.ref}
