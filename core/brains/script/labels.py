"""Labels with which people sort their own lines, by the topic of the step: rows of `labels.yaml`.

A label names a reader of `readers.py`, or what belongs to the line before it.
"""

from collections.abc import Mapping
from typing import Any, Final

from core.brains import lexicon
from core.brains.script.topics import BRIEF, OWN, TOPICS, Topic, is_of_inception
from core.brains.text.labels import ANALYSIS, WORDS_OF_LABEL, Labels

BELONGS: Final = frozenset({"reason", "fields"})  # to the line before it


def _labels(topic: Topic) -> Labels:
    if not is_of_inception(topic):
        return ANALYSIS
    rows = lexicon.table("labels")["inception"]
    return Labels([(row["name"], _words(row)) for row in rows if _holds(row["at"], topic)])


def _words(row: Mapping[str, Any]) -> str:
    alike = WORDS_OF_LABEL[row["like"]] if "like" in row else ""
    return "|".join(filter(None, (alike, "|".join(row.get("words", ())))))


def _holds(at: str | list[Topic], topic: Topic) -> bool:
    match at:
        case "everywhere":
            return True
        case "brief":
            return topic in BRIEF
        case "elsewhere":
            return topic not in BRIEF
    return topic in at


LABELS: Final[Mapping[Topic, Labels]] = {topic: _labels(topic) for topic in (*TOPICS, OWN)}
