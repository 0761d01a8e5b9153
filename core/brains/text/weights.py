"""How much the words of a line speak for each kind: logistic regression.

`steps/brains/weights.yaml` has for each kind what words, words at a topic, pairs of neighbouring
words, the first three words, the last one, the topic and the length add to its odds, as logarithms.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import exp
from typing import Any, Final, Literal

from core import patterns
from core.brains import lexicon
from core.brains.task_cache import cached
from core.brains.text.split import split

Weighed = Literal["requirement", "check", "exclusion"]
"""The kinds of which a line is one at most. What was decided may be any of them."""
CHANCE_MIN: Final[Mapping[Weighed, float]] = {"requirement": 0.35, "check": 0.45, "exclusion": 0.55}
"""Of a line that becomes one of that kind, 0 to 1."""
DECISION: Final = "decision"
DECISION_MIN: Final = 0.55
WORDS_MAX: Final = 40  # of a line that are looked at
WORDS_A_STEP: Final = 3  # of length
LENGTH_MAX: Final = 6
NUMBER: Final = "#"  # stands for every number
_WORD: Final = patterns.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|[0-9]+|[?:!]")
_PLACES: Final = ("first", "second", "third")

Feature = tuple[str, str]
"""Its table in the file, and its name there."""
TURNS: Final = "turns"
"""The table of what was said before a line, and by whom. It counts for decisions alone."""


def kind_of(text: str, topic: str) -> Weighed | None:
    """The kind that the words of a line are likeliest of, if they are likely enough.

    `topic`: a row of `topics.yaml`; "": none is known.
    """
    chances = chances_of(text, topic)
    kind = max(chances, key=lambda one: chances[one])
    return kind if chances[kind] >= CHANCE_MIN[kind] else None


@cached
def chances_of(text: str, topic: str) -> Mapping[Weighed, float]:
    """How likely a line with these words is one of each kind, 0 to 1."""
    features = _features_of(text, topic)
    return {kind: _chance(kind, features) for kind in CHANCE_MIN}


def is_decided(text: str, topic: str, signs: Iterable[str] = ()) -> bool:
    """True if a line is likely enough to decide something.

    `signs`: what speaks for it beside its words (`core.brains.script.decisions.turn_signs`).
    """
    features = (*_features_of(text, topic), *((TURNS, sign) for sign in signs))
    return _chance(DECISION, features) >= DECISION_MIN


def requirement_chance(text: str) -> float:
    """From 0 to 1: by its words alone, at whatever step it stands."""
    return chances_of(text, "")["requirement"]


def check_chance(text: str) -> float:
    """How likely one of the lines of a text is a check, whatever its step is about, 0 to 1."""
    lines = (fragment.text for fragment in split(text))
    return max((chances_of(line, "")["check"] for line in lines), default=0.0)


@cached
def _features_of(text: str, topic: str) -> tuple[Feature, ...]:
    return tuple(features_of(text, topic))


def _chance(kind: str, features: Iterable[Feature]) -> float:
    weights: Mapping[str, Any] = lexicon.table("weights")[kind]
    log_odds = weights["bias"] + sum(weights[table].get(name, 0.0) for table, name in features)
    return probability(log_odds)


def probability(log_odds: float) -> float:
    """From 0 to 1. `log_odds`: a natural logarithm, as the sums of the weights are."""
    return 1 / (1 + exp(-float(log_odds)))


def features_of(text: str, topic: str) -> Iterator[Feature]:
    """What counts of a line: each feature once."""
    words = _words_in(text)
    yield from (("words", word) for word in dict.fromkeys(words))
    yield from (("at_topic", f"{topic} {word}") for word in dict.fromkeys(words))
    pairs = (f"{one} {other}" for one, other in pairwise(words))
    yield from (("pairs", pair) for pair in dict.fromkeys(pairs))
    yield from zip(_PLACES, words, strict=False)
    yield from (("last", word) for word in words[-1:])
    yield "topics", topic
    yield "lengths", str(min(len(words) // WORDS_A_STEP, LENGTH_MAX))


def _words_in(text: str) -> list[str]:
    words = _WORD.findall(text.casefold().replace("’", "'"))[:WORDS_MAX]
    return [NUMBER if word.isdecimal() else word for word in words]
