"""What nobody said and a good colleague would: a persona proposes it, and people take it or not.

It is no line until somebody takes it. Then it says who proposed it and who took it; nobody said it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.domain.answers import Claim, ClaimKind, LineRef
from core.domain.ids import StepId, UserId
from core.domain.lines import QUOTED, find_line, quoted_in

PersonaProposalKind = Literal[
    "check",  # how somebody would see that a line holds
    "option",  # what else it could be
    "risk",
    "requirement",  # a case that is missing
    "wording",  # of a line, clearer
]
PROPOSED_BY: Final = "proposed_by"  # key of a claim's data: the persona's name
TAKEN_BY: Final = "taken_by"  # key of a claim's data: a user's id
REASON: Final = "proposed_for"  # key of a claim's data: why, in the persona's words
PROPOSALS_MAX: Final = 3  # a step
_KIND_OF: Final[Mapping[PersonaProposalKind, ClaimKind]] = {
    "check": "check",
    "option": "option",
    "risk": "risk",
    "requirement": "requirement",
}


@dataclass(frozen=True, slots=True)
class PersonaProposal:
    """`of`: the line that it is about; `by`: the persona's name. Its texts are one line each."""

    step: StepId
    kind: PersonaProposalKind
    text: str
    reason: str
    by: str
    of: LineRef

    @property
    def key(self) -> str:
        """A short name of it that says nothing, for a button."""
        told = f"{self.step}\n{self.kind}\n{self.text}"
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class TakenProposal:
    """A proposal that somebody wants to have in the artifact."""

    proposal: PersonaProposal
    by: UserId
    at: float  # seconds since the epoch


def taken_lines(taken_proposals: Iterable[TakenProposal]) -> Iterator[tuple[Claim, LineRef]]:
    """The lines that were taken, each with the one that it is about. None has an id or a name."""
    for taken_proposal in taken_proposals:
        proposal = taken_proposal.proposal
        if kind := _KIND_OF.get(proposal.kind):
            claim = Claim("", proposal.step, kind, proposal.text, (), data=_signed(taken_proposal))
            yield claim, proposal.of


def with_taken_wordings(
    claims: Iterable[Claim], taken_proposals: Iterable[TakenProposal], wording: str
) -> tuple[Claim, ...]:
    """The claims, those of which somebody took a wording with it under the key `wording`, and with
    the words that it is of. The later of two wordings of a line holds.
    """
    every = list(claims)
    for taken_proposal in taken_proposals:
        proposal = taken_proposal.proposal
        line = find_line(proposal.of, every) if proposal.kind == "wording" else None
        if line is not None:
            quoted = "\n".join(" ".join(words.split()) for words in quoted_in(line))
            more = {QUOTED: quoted, wording: proposal.text, **_signed(taken_proposal)}
            data = {**line.data, **more}
            every[every.index(line)] = replace(line, data=data)
    return tuple(every)


def _signed(taken_proposal: TakenProposal) -> dict[str, str]:
    proposal = taken_proposal.proposal
    return {PROPOSED_BY: proposal.by, TAKEN_BY: taken_proposal.by, REASON: proposal.reason}
