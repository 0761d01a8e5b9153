"""Counts the words of `steps/brains/weights.yaml` anew: `make weights`.

The items of `items` and `unseen` are played; each line of people's is a requirement if a fact of
that list quotes it. The lines of `tests/core/data` say by themselves what they are. Items of other
folders are not looked at: they show what the counts are worth.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

import yaml

from core.brains import lexicon
from core.brains.script.topics import Topic
from core.brains.script.weights import Feature, features_of
from core.content.library import default_steps_dir
from core.domain.answers import Claim
from tests.facilitation.__main__ import measured_items
from tests.facilitation.items import read_items
from tests.facilitation.printing import Measured

Counted = tuple[frozenset[Feature], bool]
"""What is counted of a line, and whether it is a requirement."""
DATA: Final = Path(__file__).parent.parent / "core" / "data"
LISTS: Final = ("demands_in_passing", "plain_statements", "lines_of_trades")
REQUIRES: Final = frozenset({"requirement", "quality", "asked_for"})  # their lists of such lines
FOLDERS: Final = tuple(Path(__file__).parent / name for name in ("items", "unseen"))
LINES_MIN: Final = 8  # with a feature that is kept
SOURCES_MIN: Final = 4  # with it: a word of one item's subject says nothing of another
OF_WORDS: Final = ("words", "pairs", "first")
TABLES: Final = (*OF_WORDS, "topics", "lengths")
HEAD: Final = """\
# How often words stood in requirements and in other lines: [in requirements, in others].
# `make weights` counts anew, in items and lists of tests; core/brains/script/weights.py uses it.

"""


def counted(sources: Iterable[Iterable[Counted]]) -> dict[str, Any]:
    """The content of the file, from the lines of each item and list."""
    lines: Counter[bool] = Counter()
    counts: dict[bool, Counter[Feature]] = {True: Counter(), False: Counter()}
    of_sources: Counter[Feature] = Counter()
    for source in sources:
        seen: set[Feature] = set()
        for features, is_requirement in source:
            lines[is_requirement] += 1
            counts[is_requirement].update(features)
            seen |= features
        of_sources.update(seen)
    every = sorted(counts[True].keys() | counts[False].keys())
    pairs = {one: [counts[True][one], counts[False][one]] for one in every}
    kept = {
        one: pair
        for one, pair in pairs.items()
        if sum(pair) >= LINES_MIN and of_sources[one] >= SOURCES_MIN
    }
    tables = {
        name: {word: pair for (table, word), pair in kept.items() if table == name}
        for name in TABLES
    }
    return {"lines": [lines[True], lines[False]], **tables}


def lines_of(measured: Measured) -> Iterator[Counted]:
    """Each line of people's once, at the step where it was said."""
    record = measured.record
    wanted = tuple(measured.item.facts.quotes("requirements"))
    lines: dict[tuple[str, str], list[Claim]] = {}
    for claim in record.claims:
        for source in claim.sources[:1]:
            lines.setdefault((source, claim.text), []).append(claim)
    for (source, text), claims in lines.items():
        if answer := record.by_id.get(source):
            is_requirement = any(record.is_of(claim, wanted) for claim in claims)
            yield frozenset(features_of(text, _topic_at(answer.step))), is_requirement


def listed_lines(name: str) -> Iterator[Counted]:
    """The lines of a list by topic and kind: their words alone, since a list has about as many
    requirements at each topic as other lines."""
    rows = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    for topic, kinds in rows.items():
        for kind, lines in kinds.items():
            for part in chain.from_iterable(map(str.splitlines, lines)):
                features = features_of(part, topic)
                words = frozenset(one for one in features if one[0] in OF_WORDS)
                yield words, kind in REQUIRES


def _topic_at(step: str) -> Topic:
    places = lexicon.table("topics")["places"]
    return next(topic for place, topic in places.items() if place.endswith(f"/{step}"))


def as_yaml(content: dict[str, Any]) -> str:
    rows = (
        f"{name}: {yaml.safe_dump(row, default_flow_style=True, width=118, allow_unicode=True)}"
        for name, row in content.items()
    )
    return HEAD + "".join(rows)


def main() -> None:
    items = [item for folder in FOLDERS for item in read_items(folder)]
    path = default_steps_dir() / lexicon.FOLDER / "weights.yaml"
    sources = (*map(lines_of, measured_items(items)), *map(listed_lines, LISTS))
    path.write_text(as_yaml(counted(sources)), encoding="utf-8")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
