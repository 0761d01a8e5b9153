"""What one file of the blueprint names and another one lacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Final, Literal

from core import patterns
from core.brains import lexicon
from core.brains.script.council.blueprint import TOPIC_OF_KIND
from core.brains.script.council.quoting import quote_of
from core.brains.script.council.technologies import slot_of
from core.brains.script.topics import Topic
from core.domain.answers import Claim, ClaimKind

Side = Literal["mine", "theirs", "earlier"]

NAME_CHARS_MAX: Final = 80  # a longer one names nothing
# What all parts are written in, and where they all run, is no part.
_EVERYWHERE: Final = ("language", "framework", "hosting")
_ARTICLE: Final = patterns.compile(r"^(?:the|an?|our|each|every) ", patterns.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReviewFinding:
    """`says` is what the reviewer tells its neighbour, `asks` what stays open if nobody settles it.

    `settled_as`: what the claim that named it becomes in the neighbour's file, if that settles it.
    """

    name: str
    says: str
    asks: str
    named_by: Claim | None = None
    settled_as: ClaimKind | None = None

    @property
    def is_open(self) -> bool:
        return self.settled_as is None or self.named_by is None


@dataclass(frozen=True, slots=True)
class _Rule:
    """Names of a kind that one side has (under the key `names`), and the other should."""

    whose: Side
    kind: ClaimKind
    names: str
    sought: Side
    says: str
    asks: str
    settled_as: ClaimKind | None = None
    answered_as: str = ""  # the words with which any line that has the name answers it


_compiled = cache(lexicon.compiled)

# By the reviewer's file and its neighbour's: a ring, and the same pairs the other way round, for
# when somebody is missing.
_RULES: Final[Mapping[tuple[Topic, Topic], tuple[_Rule, ...]]] = {
    (row["reviewer"], row["writer"]): tuple(_Rule(**rule) for rule in row["rules"])
    for row in lexicon.table("council")["findings"]
}


def findings(
    mine: Sequence[Claim],
    theirs: Sequence[Claim],
    earlier: Sequence[Claim],
    topics: tuple[Topic, Topic],
) -> list[ReviewFinding]:
    """Names that one file has and the other lacks, each once; the first of each rule come first."""
    sides: Mapping[Side, Sequence[Claim]] = {"mine": mine, "theirs": theirs, "earlier": earlier}
    rows = [list(_of_rule(rule, sides)) for rule in _RULES.get(topics, ())]
    in_turn = (finding for depth in zip_longest(*rows) for finding in depth if finding)
    once: dict[str, ReviewFinding] = {}
    for finding in in_turn:
        once.setdefault(finding.name.casefold().removesuffix("s"), finding)
    return list(once.values())


def _of_rule(rule: _Rule, sides: Mapping[Side, Sequence[Claim]]) -> Iterator[ReviewFinding]:
    for name, claim in _names(sides[rule.whose], rule.kind, rule.names):
        # a technology is spoken of by its area as well: "db" among the parts
        names = filter(None, (name, claim.data.get("area")))
        is_named = any(mentions(one, sides[rule.sought]) for one in names)
        if not (is_named or _is_answered(rule, name, sides.values())):
            says, asks = rule.says.format(name), rule.asks.format(name)
            yield ReviewFinding(name, says, asks, claim, rule.settled_as)


def _is_answered(rule: _Rule, name: str, sides: Iterable[Sequence[Claim]]) -> bool:
    answers = _compiled(rule.answered_as) if rule.answered_as else None
    lines = (claim for side in sides for claim in side if answers and answers.search(claim.text))
    return mentions(name, lines)


def topic_of(claims: Iterable[Claim]) -> Topic | None:
    """Which file a draft is, by what most of its lines are."""
    topics = [TOPIC_OF_KIND[claim.kind] for claim in claims if claim.kind in TOPIC_OF_KIND]
    return Counter(topics).most_common(1)[0][0] if topics else None


def _names(claims: Sequence[Claim], kind: ClaimKind, key: str) -> Iterator[tuple[str, Claim]]:
    names: set[str] = set()
    for claim in claims:
        if claim.kind != kind or claim.data.get("choice", "chosen") != "chosen":
            continue
        if claim.kind == "stack" and slot_of(claim.data.get("option", "")) in _EVERYWHERE:
            continue
        name = quote_of(_ARTICLE.sub("", claim.data.get(key, "")), claim.text)
        if name and len(name) <= NAME_CHARS_MAX and name.casefold() not in names:
            names.add(name.casefold())
            yield name, claim


def mentions(name: str, claims: Iterable[Claim]) -> bool:
    """True if any of the lines names it, singular or plural; what nobody answered names nothing."""
    stem = name.casefold().removesuffix("s")
    texts = (
        f"{claim.text} / {' / '.join(claim.data.values())}" for claim in claims if claim.sources
    )
    return any(
        patterns.find_word(f"{stem}{ending}", text.casefold()) >= 0
        for text in texts
        for ending in ("", "s", "es")
    )
