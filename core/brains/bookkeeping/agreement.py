"""What comes of the votes on a recommendation, and what it costs by the words of its critics."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import Final, Literal

from core import patterns
from core.domain.answers import Claim
from core.domain.ids import PersonaKey
from core.domain.party.contributions import Contribution

Agreement = Literal["unanimous", "majority", "split"]

TRADE_OFFS_MAX: Final = 4
_SENTENCE_END: Final = patterns.compile(r"(?<=[.!?])\s+(?=[A-Z“])")


def consensus(votes: Iterable[Contribution]) -> Agreement:
    """All of those who voted, more than half of them, or neither.

    A member that gave no vote is not counted; without any vote nobody agreed, which is a split.
    """
    cast = [vote.agrees for vote in votes if vote.want == "vote" and vote.agrees is not None]
    if cast and all(cast):
        return "unanimous"
    return "majority" if sum(cast) * 2 > len(cast) else "split"


def trade_offs(turns: Iterable[Contribution]) -> tuple[tuple[PersonaKey, str], ...]:
    """What the critics hold against a proposal: sentences of theirs that quote it, word for word.

    The first of each critic comes before the second of any; what a critique says without a quote is
    about no line of the proposal, and is no trade-off.
    """
    by_critic: dict[PersonaKey, list[tuple[PersonaKey, str]]] = {}
    for turn in turns:
        if turn.want == "critique":
            quoting = [text for text in sentences_of(turn.text) if "“" in text]
            points = by_critic.setdefault(turn.persona, [])
            points.extend((turn.persona, text) for text in quoting)
    in_turn = (point for depth in zip_longest(*by_critic.values()) for point in depth if point)
    return tuple(dict.fromkeys(in_turn))[:TRADE_OFFS_MAX]


def with_agreement(claims: Iterable[Claim], agreement: Agreement) -> tuple[Claim, ...]:
    """The claims, of which each technology that was chosen carries how far it was agreed on."""
    return tuple(
        replace(claim, data={**claim.data, "consensus": agreement})
        if claim.kind == "stack" and claim.data.get("choice") == "chosen"
        else claim
        for claim in claims
    )


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a turn. What it quotes holds none that ends."""
    return tuple(_SENTENCE_END.split(text)) if text else ()
