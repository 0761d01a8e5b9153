"""How much the words of a line speak for a requirement, where no rule knows: naive Bayes.

`steps/brains/weights.yaml` has how often each word, pair of neighbouring words, first word, topic
and length stood in lines that are requirements, and in others. Each says how much more often it
stands in the one than in the other; the logarithms are added up.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import log
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.topics import Topic

SCORE_MIN: Final = log(5)
"""Of a line that becomes a requirement: its odds to be one are five times those of any line."""
WORDS_MAX: Final = 40  # of a line that are looked at
PAIR_WEIGHT: Final = 0.5  # both words of a pair have been counted already
LENGTH_POWER: Final = 0.3  # words of a line depend on each other: more of them say less each
SMOOTHING: Final = 6.0  # lines that a word is taken to have stood in besides, as the average has it
WORDS_A_STEP: Final = 3  # of length
LENGTH_MAX: Final = 6
_WORD: Final = patterns.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|[0-9]+|[?:!]")
# Topics that ask for requirements: rules know most of them there, so that a line that none knows is
# no likelier to be one than elsewhere.
_ASK_FOR_THEM: Final[frozenset[Topic]] = frozenset({"features", "quality"})
NUMBER: Final = "#"  # stands for every number

Feature = tuple[str, str]
"""Its table in the file, and its name there."""


def speaks_for_requirement(text: str, topic: Topic) -> bool:
    return score_of(text, topic) >= SCORE_MIN


def score_of(text: str, topic: Topic) -> float:
    """Above 0: the line's words stand in requirements more often than in other lines."""
    weights = _weights()
    features = list(features_of(text, topic))
    words = sum(table == "words" for table, _ in features)
    of_words: float = max(words, 1) ** -LENGTH_POWER
    scale = {"words": of_words, "pairs": of_words * PAIR_WEIGHT}
    return sum(weights.get(one, 0.0) * scale.get(one[0], 1.0) for one in features)


def features_of(text: str, topic: Topic) -> Iterator[Feature]:
    """What is counted of a line: each feature once."""
    words = _words_in(text)
    yield from (("words", word) for word in dict.fromkeys(words))
    pairs = (f"{one} {other}" for one, other in pairwise(words))
    yield from (("pairs", pair) for pair in dict.fromkeys(pairs))
    yield from (("first", word) for word in words[:1])
    if topic not in _ASK_FOR_THEM:
        yield "topics", topic
    yield "lengths", str(min(len(words) // WORDS_A_STEP, LENGTH_MAX))


def _words_in(text: str) -> list[str]:
    words = _WORD.findall(text.casefold().replace("’", "'"))[:WORDS_MAX]
    return [NUMBER if word.isdecimal() else word for word in words]


@cache
def _weights() -> Mapping[Feature, float]:
    counts = lexicon.table("weights")
    wanted, others = counts["lines"]
    share = wanted / (wanted + others)
    return {
        (table, name): log(
            (yes + SMOOTHING * share) / (no + SMOOTHING * (1 - share)) * (1 - share) / share
        )
        for table, row in counts.items()
        if table != "lines"
        for name, (yes, no) in row.items()
    }
