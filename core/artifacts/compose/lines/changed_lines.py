"""What people changed in the lines of a session, once for all who show it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.answers import Answer, Claim
from core.domain.lines import Correction, in_force, is_lapsed, rests_on, superseded


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """`replaced`: each line with the one in its place; `resting`: by the id of a replaced line,
    those that still name it; `sorted`: lines that somebody put where they stand; `lapsed`: what
    people sorted and nobody says any more.
    """

    replaced: tuple[tuple[Claim, Claim], ...] = ()
    resting: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    sorted: tuple[Claim, ...] = ()
    lapsed: tuple[Correction, ...] = ()

    @classmethod
    def of(
        cls,
        claims: Sequence[Claim],
        corrections: Iterable[Correction],
        answers: Sequence[Answer],
    ) -> "ChangedLines":
        newer_of = superseded(claims)
        replaced = tuple((line, newer_of[line.id]) for line in claims if line.id in newer_of)
        standing = [claim for claim in claims if claim.id not in newer_of]
        return cls(
            replaced,
            {old.id: tuple(_resting(old, newer, standing)) for old, newer in replaced},
            tuple(c for c in standing if "sorted_by" in c.data and not c.supersedes),
            tuple(
                correction
                for correction in in_force(corrections)
                if _has_lapsed(correction, claims, answers)
            ),
        )


def _resting(old: Claim, newer: Claim, claims: Iterable[Claim]) -> Iterator[Claim]:
    refs = frozenset((old.ref,)) if old.ref else frozenset[str]()
    return (claim for claim in claims if claim is not newer and rests_on(claim, refs))


def _has_lapsed(correction: Correction, claims: Iterable[Claim], answers: Iterable[Answer]) -> bool:
    step_claims = (claim for claim in claims if claim.step == correction.step)
    return is_lapsed(correction, answers, step_claims)
