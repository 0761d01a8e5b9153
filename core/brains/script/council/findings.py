"""What one file of the blueprint names and another one lacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains.script.council.quoting import quote_of
from core.brains.script.council.stack import slot_of
from core.brains.script.inception.topics import Topic
from core.domain.answers import Claim, ClaimKind

NAME_CHARS_MAX: Final = 80  # a longer one names nothing
_EVERYWHERE: Final = ("language", "framework")  # what all parts are written in is no part
_ARTICLE: Final = patterns.compile(r"^(?:the|an?|our|each|every) ", patterns.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
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
    """Names of some kinds that one side has, and the other should."""

    whose: str  # "mine", "theirs", "earlier"
    kinds: tuple[ClaimKind, ...]
    keys: tuple[str, ...]
    sought: str  # where they should be: "mine" or "theirs"
    says: str
    asks: str
    settled_as: ClaimKind | None = None


_UNUSED: Final = _Rule(
    "earlier",
    ("stack",),
    ("option",),
    "theirs",
    "“{}” is in the stack, and no part of yours uses it.",
    "Which part uses {}?",
    "module",
)
# By the reviewer's file and its neighbour's: a ring, and the same pairs the other way round, for
# when somebody is missing.
_RULES: Final[Mapping[tuple[Topic, Topic], tuple[_Rule, ...]]] = {
    ("architecture", "data-model"): (
        _Rule("theirs", ("entity",), ("entity",), "mine",
              "“{}” is in your model, and none of my parts keeps it.", "Which part keeps {}?"),
        _Rule("mine", ("interface",), ("what",), "theirs",
              "“{}” passes between my parts, and your model does not know it.",
              "Which data is {}?", "data"),
    ),
    ("data-model", "testing"): (
        _Rule("mine", ("entity",), ("entity",), "theirs",
              "“{}” is in my model, and no test of yours speaks of it.", "Which test tries {}?"),
        _Rule("mine", ("retention",), ("entity",), "theirs",
              "No test of yours covers how long “{}” may be kept.",
              "Which test covers how long {} may be kept?"),
    ),
    ("testing", "architecture"): (
        _Rule("theirs", ("module",), ("module",), "mine",
              "“{}” is a part of yours, and no test of mine tries it.", "Which test tries {}?"),
        _UNUSED,
        _Rule("theirs", ("interface",), ("to",), "mine",
              "Nobody has said what happens when “{}” does not answer.",
              "What happens when {} does not answer?"),
    ),
    ("data-model", "architecture"): (
        _Rule("mine", ("entity",), ("entity",), "theirs",
              "“{}” is in my model, and no part of yours keeps it.", "Which part keeps {}?"),
        _UNUSED,
    ),
    ("testing", "data-model"): (
        _Rule("theirs", ("entity",), ("entity",), "mine",
              "“{}” is in your model, and no test of mine speaks of it.", "Which test tries {}?"),
    ),
    ("architecture", "testing"): (
        _Rule("mine", ("module",), ("module",), "theirs",
              "“{}” is a part of mine, and no test of yours tries it.", "Which test tries {}?"),
    ),
}  # fmt: skip
_OF_KIND: Final[Mapping[ClaimKind, Topic]] = {
    "module": "architecture",
    "interface": "architecture",
    "decision": "architecture",
    "option": "architecture",
    "entity": "data-model",
    "relation": "data-model",
    "retention": "data-model",
    "data": "data-model",
    "test": "testing",
    "test-gap": "testing",
}


def findings(
    mine: Sequence[Claim],
    theirs: Sequence[Claim],
    earlier: Sequence[Claim],
    topics: tuple[Topic, Topic],
) -> list[Finding]:
    """Names that one file has and the other lacks, each once; the first of each rule come first."""
    sides = {"mine": mine, "theirs": theirs, "earlier": earlier}
    by_rule = [
        [
            Finding(name, rule.says.format(name), rule.asks.format(name), claim, rule.settled_as)
            for name, claim in _names(sides[rule.whose], rule.kinds, rule.keys)
            if not mentions(name, sides[rule.sought])
        ]
        for rule in _RULES.get(topics, ())
    ]
    deepest = max(map(len, by_rule), default=0)
    found = [rows[depth] for depth in range(deepest) for rows in by_rule if depth < len(rows)]
    once: dict[str, Finding] = {}
    for one in found:
        once.setdefault(one.name.casefold().removesuffix("s"), one)
    return list(once.values())


def topic_of(claims: Iterable[Claim]) -> Topic | None:
    """Which file a draft is, by what most of its lines are."""
    topics = [_OF_KIND[one.kind] for one in claims if one.kind in _OF_KIND]
    return Counter(topics).most_common(1)[0][0] if topics else None


def _names(
    claims: Sequence[Claim], kinds: Sequence[ClaimKind], keys: Sequence[str]
) -> Iterator[tuple[str, Claim]]:
    seen: set[str] = set()
    for claim in claims:
        if claim.kind not in kinds or claim.data.get("choice", "chosen") != "chosen":
            continue
        if claim.kind == "stack" and slot_of(claim.data.get("option", "")) in _EVERYWHERE:
            continue
        for key in keys:
            name = quote_of(_ARTICLE.sub("", claim.data.get(key, "")), claim.text)
            if name and len(name) <= NAME_CHARS_MAX and name.casefold() not in seen:
                seen.add(name.casefold())
                yield name, claim


def mentions(name: str, claims: Iterable[Claim]) -> bool:
    """Whether any of the lines names it, singular or plural; what nobody answered names nothing."""
    stem = name.casefold().removesuffix("s")
    texts = (f"{one.text} / {' / '.join(one.data.values())}" for one in claims if one.sources)
    return any(
        patterns.find_word(f"{stem}{ending}", text.casefold()) >= 0
        for text in texts
        for ending in ("", "s", "es")
    )
