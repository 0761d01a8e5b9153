"""What the members of a council delivered, in the draft of the step that they were asked for."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from core.brains.bookkeeping.agreement import consensus, with_agreement
from core.brains.bookkeeping.corrections import corrected, related
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.ids import AnswerId, PersonaKey
from core.domain.lines import find_line
from core.domain.party import Party
from core.domain.party.contributions import Contribution

CODE: Final = "```"
NOTHING_SAID: Final = "Nothing new was said; what stands, stands."


@dataclass(frozen=True, slots=True)
class CouncilTurns:
    """The turns of a phase in order; `answers`: what still stands of what people said."""

    turns: tuple[Contribution, ...]
    answers: frozenset[AnswerId]

    def with_claims(
        self, draft: Draft, request: ReadRequest, summed_up: tuple[Claim, ...] | None
    ) -> Draft:
        """The reading of the answers with what the council came to, where it gave claims.

        `summed_up`: the answers to its numbered questions as claims, where it asked any.
        """
        step = request.step.id
        votes = {turn.persona: turn for turn in self.turns if turn.want == "vote"}
        last = self._drafts()
        proposed = [turn for turn in self.turns if turn.want in ("proposal", "revision")]
        last |= {turn.persona: turn for turn in proposed[-1:]}  # the limit may cut a revision off
        claims = [claim for turn in last.values() for claim in self._standing(turn.claims, request)]
        if summed_up is not None and not claims:
            claims = list(self._standing(summed_up, request))
        if votes:
            claims = list(with_agreement(claims, consensus(votes.values())))
        claims += _unread(draft.claims if summed_up is None else summed_up, claims)
        claims += _not_in_words(draft.claims, claims)
        if not claims:
            return draft if draft.recorded.strip() else replace(draft, recorded=NOTHING_SAID)
        numbered = tuple(
            replace(claim, id=f"{step}/{number}", step=step)
            for number, claim in enumerate(claims, start=1)
        )
        together = related(numbered, request)
        return replace(draft, claims=together, recorded=draft.recorded or NOTHING_SAID)

    def parts(
        self, request: ReadRequest, draft: Draft, party: Party
    ) -> tuple[tuple[tuple[str, ...], Draft], ...]:
        """Whose file is whose: a member that drafts alone shows its own lines, and no others."""
        claims = list(draft.claims)
        parts: list[tuple[tuple[str, ...], list[Claim]]] = []
        for persona, turn in self._drafts().items():
            count = len(self._standing(turn.claims, request))
            own_claims, claims = claims[:count], claims[count:]
            parts.append((party.member(persona).produces, own_claims))
        if parts:  # what came after the debate, with whoever leads it
            parts[0][1].extend(claims)
        return tuple((files, replace(draft, claims=tuple(own))) for files, own in parts)

    def _drafts(self) -> dict[PersonaKey, Contribution]:
        """The last draft of each member that drafts alone."""
        return {turn.persona: turn for turn in self.turns if turn.want in ("draft", "final")}

    def _standing(self, claims: Collection[Claim], request: ReadRequest) -> tuple[Claim, ...]:
        """Those that still rest on something, of the kinds that people chose for them.

        People may have taken their words back since.
        """
        standing = (
            (claim, tuple(source for source in claim.sources if source in self.answers))
            for claim in claims
        )
        lines = tuple(
            replace(claim, sources=sources)
            for claim, sources in standing
            if sources or not claim.sources
        )
        of_these = (
            correction for correction in request.corrections if find_line(correction.line, lines)
        )
        return corrected(lines, replace(request, corrections=tuple(of_these)))


def _unread(lines: Collection[Claim], council: Collection[Claim]) -> list[Claim]:
    """The lines of answers that nobody at the table has read, once a council gave its own."""
    sources = {source for claim in council for source in claim.sources}
    is_new = (claim.sources and sources.isdisjoint(claim.sources) for claim in lines)
    return [claim for claim, new in zip(lines, is_new, strict=True) if new and council]


def _not_in_words(lines: Collection[Claim], council: Collection[Claim]) -> list[Claim]:
    """The code and the files of answers: a council speaks of words alone."""
    texts = {claim.text for claim in council}
    return [
        claim
        for claim in lines
        if (claim.text.startswith(CODE) or "file" in claim.data)
        and council
        and claim.text not in texts
    ]
