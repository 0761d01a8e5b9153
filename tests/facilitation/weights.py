"""Fits the weights of `steps/brains/weights.yaml` anew: `make weights`.

The lines that people say in `items`, `unseen` and `talks` are read; a line is of a kind if a fact
of that kind's list quotes it, two lines differ if a reversal or a contradiction has both, and a
check is of a line if a fact of it says so. The
lines of `tests/core/data` say by themselves what they are. Items of other folders are not looked
at: they show what the weights are worth.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import yaml

from core.brains import lexicon
from core.brains.script.decisions.turn_signs import ALONE, signs_of, turns_of
from core.brains.script.topics import Topic
from core.brains.text.split import split
from core.brains.text.weights import DECISION, TURNS, Feature, features_of
from core.content.library import default_steps_dir
from core.domain.ids import UserId
from tests.facilitation.items import Item, read_items
from tests.facilitation.matching import shares
from tests.facilitation.talks import read_talks

LISTS: Final[Mapping[str, str]] = {
    "requirement": "requirements",
    "check": "checks",
    "exclusion": "exclusions",
    "decision": "decisions",
}
"""Whose quotes are lines of a kind."""
ALL: Final = frozenset(LISTS)
DATA: Final = Path(__file__).parent.parent / "core" / "data"
FILES: Final = (
    "demands_in_passing",
    "plain_statements",
    "short_statements",
    "lines_of_trades",
    "stated_checks",
    "left_out",
    "decisions",
)
TIMES: Final = (1, 2, 3)
"""That a line counts: of a talk, of which there are most; of an item; of a list, which is plain."""
TOLD: Final[Mapping[str, frozenset[str]]] = {"decisions": frozenset({DECISION})}
"""The kinds that a file tells from all else, where it is not all of them."""
ALSO: Final = {"quality": "requirement", "asked_for": "requirement"}  # what they call such lines
FOLDERS: Final = tuple(Path(__file__).parent / name for name in ("items", "unseen"))
TABLES: Final = (
    "words",
    "at_topic",
    "pairs",
    "first",
    "second",
    "third",
    "last",
    "topics",
    "lengths",
    TURNS,
)
OF_A_TOPIC: Final = frozenset({"at_topic", "topics"})
"""Tables whose features a line at another topic cannot have."""
HEAD: Final = """\
# What the words of a line add to the odds that it is one of a kind; under `difference`, what the
# form of two lines adds to the odds that only one of them holds, under `check-of`, to the odds that
# the one checks the other, and under `open-question`, that one is still open (natural logarithms).
# `make weights` fits them anew to the items of tests; core/brains/text/weights.py and, in
# core/brains/bookkeeping, differences/chance.py, references/check_odds.py and question_chance.py
# use them.

"""


@dataclass(frozen=True, slots=True)
class Said:
    """A line of an item or a list. `told`: the kinds that it says something of; `kinds`: those that
    it is of; `signs`: what speaks for a decision beside its words."""

    item: str
    features: frozenset[Feature]
    kinds: frozenset[str]
    told: frozenset[str] = ALL
    signs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sample:
    """A line or a pair of lines: what it has, and whether it is what the weights are to tell."""

    item: str
    features: Mapping[Feature, float]
    is_one: bool


@dataclass(frozen=True, slots=True)
class Limits:
    samples_min: int  # with a feature that is kept
    items_min: int  # with it: a word of one item's subject says nothing of another
    inverse_penalty: float  # scikit-learn's C: less of it leaves fewer features


OF_LINES: Final = Limits(samples_min=32, items_min=8, inverse_penalty=0.16)
Weights = dict[str, Any]


def lines_of(item: Item) -> Iterator[Said]:
    """Each line that people say, at the step where they say it."""
    deciders = {UserId(item.script.start.by)}
    for step, moves in item.script.steps.items():
        topic = _topic_at(step)
        said = [(move.by, text) for move in moves if (text := getattr(move, "text", ""))]
        turns = turns_of([(UserId(by), text) for by, text in said], deciders)
        for (by, text), turn in zip(said, turns, strict=True):
            for line in (fragment.text for fragment in split(text)):
                kinds = frozenset(_kinds_of(item, step, by, line))
                features = frozenset(features_of(line, topic))
                signs = frozenset(signs_of(line, turn))
                yield Said(item.name, features, kinds, signs=signs)


def _kinds_of(item: Item, step: str, by: str, text: str) -> Iterator[str]:
    for kind, name in LISTS.items():
        quotes = item.facts.quotes(name)
        mine = (it for it in quotes if it.step in ("", step) and it.by in ("", by))
        if any(shares(quote.text, text) for quote in mine):
            yield kind


def listed_lines(name: str) -> Iterator[Said]:
    """The lines of a file of `tests/core/data`, by topic and kind; the file counts as one item."""
    rows = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    for topic, kinds in rows.items():
        for kind, lines in kinds.items():
            for part in chain.from_iterable(map(str.splitlines, lines)):
                features = frozenset(features_of(part, topic))
                kinds, told = frozenset({ALSO.get(kind, kind)}), TOLD.get(name, ALL)
                yield Said(name, features, kinds, told, frozenset(signs_of(part, ALONE)))


def fitted(lines: Sequence[Said]) -> dict[str, Any]:
    """The tables of each kind, from the lines of all items."""
    return {
        kind: fit(list(chain.from_iterable(_samples(line, kind) for line in lines)), TABLES)
        for kind in LISTS
    }


def _samples(line: Said, kind: str) -> Iterator[Sample]:
    """The line as it is, and as one at a topic that nobody knows: step trees may have their own."""
    turn = {(TURNS, sign) for sign in line.signs} if kind == DECISION else set()
    elsewhere = {one for one in line.features if one[0] not in OF_A_TOPIC}
    for features in (line.features, elsewhere) if kind in line.told else ():
        yield Sample(line.item, dict.fromkeys(turn | features, 1.0), kind in line.kinds)


def fit(samples: Sequence[Sample], tables: Sequence[str], limits: Limits = OF_LINES) -> Weights:
    """The weights of the samples' features, by table."""
    # every test worker collects this file, and importing scikit-learn takes 1½ s
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    kept = _kept(samples, limits)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(
        [{one: much for one, much in sample.features.items() if one in kept} for sample in samples]
    )
    matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")
    features: list[Feature] = vectorizer.feature_names_
    # L1: a feature that says little has no weight at all
    model = LogisticRegression(
        C=limits.inverse_penalty, l1_ratio=1, solver="liblinear", random_state=0
    )
    model.fit(matrix, [sample.is_one for sample in samples])
    rows: Weights = {name: {} for name in tables}
    for (table, name), weight in zip(features, model.coef_[0], strict=True):
        if rounded := round(float(weight), 2):
            rows[table][name] = rounded
    return {"bias": round(float(model.intercept_[0]), 2), **rows}


def _kept(samples: Iterable[Sample], limits: Limits) -> frozenset[Feature]:
    counts: Counter[Feature] = Counter()
    items: dict[Feature, set[str]] = {}
    for sample in samples:
        counts.update(sample.features.keys())
        for feature in sample.features:
            items.setdefault(feature, set()).add(sample.item)
    return frozenset(
        one
        for one, count in counts.items()
        if count >= limits.samples_min and len(items[one]) >= limits.items_min
    )


def _topic_at(step: str) -> Topic:
    places = lexicon.table("topics")["places"]
    return next(topic for place, topic in places.items() if place.endswith(f"/{step}"))


def as_yaml(content: Mapping[str, Any]) -> str:
    def row(value: object) -> str:
        text = yaml.safe_dump(value, default_flow_style=True, width=116, allow_unicode=True)
        return text.removesuffix("...\n").strip().replace("\n", "\n  ")

    return HEAD + "".join(
        f"{kind}:\n" + "".join(f"  {name}: {row(value)}\n" for name, value in tables.items())
        for kind, tables in content.items()
    )


def main() -> None:
    from tests.facilitation.check_weights import fitted_checks
    from tests.facilitation.pair_weights import fitted_pairs
    from tests.facilitation.question_weights import fitted_questions

    path = default_steps_dir() / lexicon.FOLDER / "weights.yaml"
    items = list(chain.from_iterable(map(read_items, FOLDERS)))
    sources = (map(lines_of, read_talks()), map(lines_of, items), map(listed_lines, FILES))
    lines = [
        line
        for source, times in zip(sources, TIMES, strict=True)
        for line in list(chain.from_iterable(source)) * times
    ]
    content = fitted(lines) | {
        "difference": fitted_pairs(items),
        "check-of": fitted_checks(items),
        "open-question": fitted_questions(items),
    }
    path.write_text(as_yaml(content), encoding="utf-8")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
