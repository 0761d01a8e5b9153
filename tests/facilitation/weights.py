"""Fits the weights of words in `steps/brains/weights.yaml` anew: `make weights`.

The lines that people say in `items` and `unseen` are read; a line is of a kind if a fact of that
kind's list quotes it. The lines of `tests/core/data` say by themselves what they are. Items of
other folders are not looked at: they show what the weights are worth.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import yaml
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from core.brains import lexicon
from core.brains.script.topics import Topic
from core.brains.script.weights import Feature, Weighed, features_of
from core.brains.text.split import split
from core.content.library import default_steps_dir
from tests.facilitation.items import Item, read_items
from tests.facilitation.matching import shares

LISTS: Final[Mapping[Weighed, str]] = {
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
TOLD: Final[Mapping[str, frozenset[Weighed]]] = {"decisions": frozenset({"decision"})}
"""The kinds that a file tells from all else, where it is not all of them."""
ALSO: Final = {"quality": "requirement", "asked_for": "requirement"}  # what they call such lines
FOLDERS: Final = tuple(Path(__file__).parent / name for name in ("items", "unseen"))
LINES_MIN: Final = 8  # with a feature that is kept
ITEMS_MIN: Final = 4  # with it: a word of one item's subject says nothing of another
INVERSE_PENALTY: Final = 1.0  # scikit-learn's C: less of it leaves fewer features
TABLES: Final = ("words", "pairs", "first", "second", "third", "last", "topics", "lengths")
HEAD: Final = """\
# What the words of a line add to the odds that it is one of a kind (natural logarithms).
# `make weights` fits them anew to the items of tests; core/brains/script/weights.py uses them.

"""


@dataclass(frozen=True, slots=True)
class Said:
    """A line of an item or a list. `told`: the kinds that it says something of; `kinds`: those that
    it is of."""

    item: str
    features: frozenset[Feature]
    kinds: frozenset[str]
    told: frozenset[str] = ALL


def lines_of(item: Item) -> Iterator[Said]:
    """Each line that people say, at the step where they say it."""
    for step, moves in item.script.steps.items():
        topic = _topic_at(step)
        for move in moves:
            for fragment in split(getattr(move, "text", "")):
                kinds = frozenset(_kinds_of(item, step, move.by, fragment.text))
                yield Said(item.name, frozenset(features_of(fragment.text, topic)), kinds)


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
                yield Said(name, features, frozenset({ALSO.get(kind, kind)}), TOLD.get(name, ALL))


def fitted(lines: Sequence[Said]) -> dict[str, Any]:
    """The content of the file, from the lines of all items."""
    return {kind: _weights(kind, [line for line in lines if kind in line.told]) for kind in LISTS}


def _weights(kind: Weighed, lines: Sequence[Said]) -> dict[str, Any]:
    kept = _kept(lines)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([dict.fromkeys(line.features & kept, 1) for line in lines])
    matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")
    features: list[Feature] = vectorizer.feature_names_
    # L1: a feature that says little has no weight at all
    model = LogisticRegression(C=INVERSE_PENALTY, l1_ratio=1, solver="liblinear", random_state=0)
    model.fit(matrix, [kind in line.kinds for line in lines])
    tables: dict[str, dict[str, float]] = {name: {} for name in TABLES}
    for (table, name), weight in zip(features, model.coef_[0], strict=True):
        if rounded := round(float(weight), 2):
            tables[table][name] = rounded
    return {"bias": round(float(model.intercept_[0]), 2), **tables}


def _kept(lines: Iterable[Said]) -> frozenset[Feature]:
    counts: Counter[Feature] = Counter()
    items: dict[Feature, set[str]] = {}
    for line in lines:
        counts.update(line.features)
        for feature in line.features:
            items.setdefault(feature, set()).add(line.item)
    return frozenset(
        one for one, count in counts.items() if count >= LINES_MIN and len(items[one]) >= ITEMS_MIN
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
    path = default_steps_dir() / lexicon.FOLDER / "weights.yaml"
    items = (item for folder in FOLDERS for item in read_items(folder))
    lines = list(chain.from_iterable((*map(lines_of, items), *map(listed_lines, FILES))))
    path.write_text(as_yaml(fitted(lines)), encoding="utf-8")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
