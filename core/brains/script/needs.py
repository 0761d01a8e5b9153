"""What each topic should learn, and how to ask for it when nobody has said it.

The questions are plainer than those of the step files: they are asked one at a time, to people who
have answered already.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core import patterns
from core.brains import lexicon
from core.brains.script.topics import TOPICS, Topic
from core.domain import criteria

_TOPICS: Final = lexicon.table("topics")["topics"]


@dataclass(frozen=True, slots=True)
class Need:
    """One thing to learn: a row of `needs` in `topics.yaml`, where its fields are described."""

    question: str
    missing: str
    asked_as: patterns.Pattern | None = None
    said: patterns.Pattern | None = None
    kinds: str = ""
    anywhere: str = ""
    thin: bool = False
    needs: criteria.Need | None = None
    measured: str = ""

    def is_asked_in(self, question: str) -> bool:
        return bool(self.asked_as and self.asked_as.search(question))

    def is_said_in(self, texts: Iterable[str]) -> bool:
        return bool(self.said) and any(self.said.search(text) for text in texts if self.said)


def _need(row: Mapping[str, Any]) -> Need:
    asked_as, said = (
        lexicon.begun(row[key]) if key in row else None for key in ("asked_as", "said")
    )
    plain = {key: row[key] for key in row.keys() - {"ask", "asked_as", "said"}}
    return Need(question=row["ask"], asked_as=asked_as, said=said, **plain)


NEEDS: Final[Mapping[Topic, tuple[Need, ...]]] = {
    topic: tuple(map(_need, _TOPICS[topic].get("needs", ()))) for topic in TOPICS
}
_OF_KIND: Final = {
    need.needs: need for topic in reversed(TOPICS) for need in NEEDS[topic] if need.needs
}


def needs_of(topic: Topic, kinds: Sequence[criteria.Need]) -> tuple[Need, ...]:
    """What a step on a topic should learn, where its criteria ask for these kinds of claims.

    Without kinds all that the topic knows; with them, what belongs to no kind or to one of them,
    then those of other topics that the criteria ask for.
    """
    own = NEEDS.get(topic, ())
    if not kinds:
        return own
    mine = tuple(need for need in own if need.needs is None or need.needs in kinds)
    known = {need.needs for need in mine}
    return (*mine, *(_OF_KIND[kind] for kind in kinds if kind in _OF_KIND and kind not in known))
