"""What comes of the votes on a recommendation, and what it costs by the words of its critics."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from core import patterns
from core.domain.answers import Claim
from core.domain.ids import PersonaKey
from core.domain.party.contributions import Contribution

Agreement = Literal["unanimous", "majority", "split"]

TRADE_OFFS_MAX: Final = 4
_SENTENCE_END: Final = patterns.compile(r"(?<=[.!?])\s+(?=[A-Z“])")


@dataclass(frozen=True, slots=True)
class VoteResult:
    """`dissent`: who does not agree, each with the reason in their own words."""

    agreement: Agreement
    agree: tuple[PersonaKey, ...]
    dissent: tuple[tuple[PersonaKey, str], ...]


def consensus(votes: Iterable[Contribution]) -> Agreement:
    """All of those who voted, more than half of them, or neither.

    A member that gave no vote is not counted; without any vote nobody agreed, which is a split.
    """
    cast = [one.agrees for one in votes if one.want == "vote" and one.agrees is not None]
    if cast and all(cast):
        return "unanimous"
    return "majority" if sum(cast) * 2 > len(cast) else "split"


def outcome(votes: Sequence[Contribution], order: Sequence[PersonaKey] = ()) -> VoteResult:
    """The consensus, with who stands where; in declared order if it is given."""
    cast = [one for one in in_order(votes, order) if one.want == "vote"] if order else votes
    return VoteResult(
        consensus(cast),
        tuple(one.persona for one in cast if one.want == "vote" and one.agrees is True),
        tuple(
            (one.persona, one.text) for one in cast if one.want == "vote" and one.agrees is False
        ),
    )


def trade_offs(said: Iterable[Contribution]) -> tuple[tuple[PersonaKey, str], ...]:
    """What the critics hold against a proposal: sentences of theirs that quote it, word for word.

    The first of each critic comes before the second of any; what a critique says without a quote is
    about no line of the proposal, and is no trade-off.
    """
    by_critic: dict[PersonaKey, list[str]] = {}
    for one in said:
        if one.want == "critique":
            quoting = [sentence for sentence in sentences_of(one.text) if "“" in sentence]
            by_critic.setdefault(one.persona, []).extend(quoting)
    deepest = max(map(len, by_critic.values()), default=0)
    found = [
        (critic, sentences[depth])
        for depth in range(deepest)
        for critic, sentences in by_critic.items()
        if depth < len(sentences)
    ]
    return tuple(dict.fromkeys(found))[:TRADE_OFFS_MAX]


def with_agreement(claims: Iterable[Claim], agreement: Agreement) -> tuple[Claim, ...]:
    """The claims, of which each technology that was chosen carries how far it was agreed on."""
    return tuple(
        replace(one, data={**one.data, "consensus": agreement})
        if one.kind == "stack" and one.data.get("choice") == "chosen"
        else one
        for one in claims
    )


def in_order(
    contributions: Iterable[Contribution], order: Sequence[PersonaKey]
) -> list[Contribution]:
    places = {key: place for place, key in enumerate(order)}
    last = len(places)
    return sorted(contributions, key=lambda one: (places.get(one.persona, last), one.persona))


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a turn. What it quotes holds none that ends."""
    return tuple(_SENTENCE_END.split(text)) if text else ()
