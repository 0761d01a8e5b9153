"""What a step is about, by which the scripted brain reads its answers: a row of `topics.yaml`.

With it come the labels by which people sort their own lines there: rows of `labels.yaml`. In an
inception a label names a reader of `readers.py`, or what belongs to the line before it; in an
analysis its row says what the line becomes.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from core.brains import lexicon
from core.brains.text.labels import ANALYSIS, RANKS, WORDS_OF_LABEL, Labels
from core.domain.answers import ReadRequest
from core.domain.steps.criteria import Need

Topic = str
OWN: Final[Topic] = "own"  # of a step that somebody added: every line is a fact
GROUPS: Final = frozenset({"scan", "requirements", "impact", "architecture", "design"})
"""Groups of topics whose lines are also read by rules that hold at all of their steps."""
RISKS_NAMED: Final = frozenset({"requirements", "impact"})

_TABLE: Final = lexicon.table("topics")
TOPICS: Final[tuple[Topic, ...]] = tuple(_TABLE["topics"])
BRIEF: Final = frozenset(name for name, row in _TABLE["topics"].items() if row["group"] == "brief")
# By each kind the topic that asks for it first of all, else one that asks for it as well.
_OF_NEED: Final[dict[Need, Topic]] = {
    row["needs"]: topic
    for begins in (False, True)
    for topic in reversed(TOPICS)
    for row in _TABLE["topics"][topic].get("needs", ())[: 1 if begins else None]
    if "needs" in row
}


def topic_of(request: ReadRequest) -> Topic:
    """The topic that a step names; else the one of its place, else of what it needs, else `OWN`."""
    step = request.step
    if (topic := str(step.extra.get("topic"))) in TOPICS:
        return topic
    place: Topic | None = _TABLE["places"].get(f"{request.phase}/{step.id}")
    place = place or _TABLE["parties"].get(request.phase)
    return place or _first_needed(step.needed_kinds) or OWN


def group_of(request: ReadRequest, topic: Topic) -> str:
    """The group of a topic; for a topic of one's own that of the phase, or ""."""
    row = _TABLE["topics"].get(topic)
    group: str = row["group"] if row else _TABLE["phases"].get(request.phase, "")
    return group


def is_of_inception(topic: Topic) -> bool:
    """True for a topic of an inception, whose lines are read one way all through."""
    return topic in TOPICS and _TABLE["topics"][topic]["group"] not in GROUPS


def usual_reader(topic: Topic) -> str:
    """The reader of a line that shows nothing else."""
    reader: str = _TABLE["topics"].get(topic, {}).get("usual", "fact")
    return reader


def _first_needed(kinds: Iterable[Need]) -> Topic | None:
    return next((_OF_NEED[kind] for kind in kinds if kind in _OF_NEED), None)


# ── labels ─────────────────────────────────────────────────────────────────────────────────────

BELONGS: Final = frozenset({"reason", "fields"})  # to the line before it


_OF_LABELS: Final = lexicon.table("labels")
_WITH_RANKS: Final = Labels([*RANKS, *WORDS_OF_LABEL.items()])


def _labels(topic: Topic) -> Labels:
    if not is_of_inception(topic):
        if topic in _OF_LABELS["directions"]["at"]:
            rows = _OF_LABELS["analysis"]
            return Labels([(row["name"], _without_directions(row)) for row in rows])
        return _WITH_RANKS if topic == "priorities" else ANALYSIS
    rows = _OF_LABELS["inception"]
    return Labels([(row["name"], _words(row)) for row in rows if _holds(row["at"], topic)])


def _without_directions(row: Mapping[str, Any]) -> str:
    return "|".join(word for word in row["words"] if word not in _OF_LABELS["directions"]["words"])


def _words(row: Mapping[str, Any]) -> str:
    like = WORDS_OF_LABEL[row["like"]] if "like" in row else ""
    return "|".join(filter(None, (like, "|".join(row.get("words", ())))))


def _holds(at: str | list[Topic], topic: Topic) -> bool:
    if isinstance(at, list):
        return topic in at
    return at == "everywhere" or (at == "brief") == (topic in BRIEF)


LABELS: Final[Mapping[Topic, Labels]] = {topic: _labels(topic) for topic in (*TOPICS, OWN)}
