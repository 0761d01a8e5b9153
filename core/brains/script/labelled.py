"""Lines that people label themselves: what a label makes of them, in the phases that know it."""

from collections.abc import Mapping
from typing import Final

from core.brains.script.labels import BELONGS, LABELS
from core.brains.script.parts import phrases, weighing
from core.brains.script.parts.priority import ranked
from core.brains.script.readers import READERS
from core.brains.script.readings import (
    CONSTRAINT,
    MOSCOW,
    NOTHING,
    OPEN,
    OUT_OF_SCOPE,
    FragmentReading,
    Line,
    Readings,
    added,
    known_lines,
    ranks_as_readings,
)
from core.brains.script.topics import GROUPS, RISKS_NAMED, Topic, is_of_inception

_LABEL_READINGS: Final[Mapping[str, tuple[frozenset[str], FragmentReading]]] = {
    "out-of-scope": (GROUPS, OUT_OF_SCOPE),
    "constraint": (GROUPS, CONSTRAINT),
    "open-question": (GROUPS, OPEN),
    "assumption": (GROUPS, FragmentReading("assumption", confidence="assumed")),
    "risk": (RISKS_NAMED, FragmentReading("risk")),
    "problem": (frozenset({"requirements"}), FragmentReading("fact", {"topic": "problem"})),
    "journey": (frozenset({"requirements"}), FragmentReading("fact", {"topic": "journey"})),
    "requirement": (frozenset({"requirements"}), FragmentReading("requirement")),
    "quality": (frozenset({"requirements"}), FragmentReading("quality")),
    "option": (frozenset({"architecture"}), FragmentReading("option")),
    "error": (frozenset({"design"}), FragmentReading("error")),
}
_BELONGS: Final[Mapping[str, tuple[frozenset[str], FragmentReading]]] = {
    "acceptance": (frozenset({"requirements"}), FragmentReading("fact", onto="acceptance")),
    "likelihood": (RISKS_NAMED, FragmentReading("risk", onto="likelihood")),
    "impact": (RISKS_NAMED, FragmentReading("risk", onto="impact")),
    "mitigation": (RISKS_NAMED, FragmentReading("risk", onto="mitigation")),
    "reason": (frozenset({"architecture"}), FragmentReading("fact", onto="reason")),
}


def sorts(label: str, topic: Topic, group: str) -> bool:
    """True if a label makes anything of the lines below it at a topic of that group."""
    if is_of_inception(topic):
        return bool(label)
    if label in MOSCOW or label == "user":
        return group == "requirements"
    if label in ("chosen", "rejected"):
        return group == "architecture"
    row = _LABEL_READINGS.get(label) or _BELONGS.get(label)
    return row is not None and group in row[0]


def labelled(line: Line) -> Readings:
    """What the label of a line, or of the heading that it stands under, makes of it."""
    label, rest = LABELS[line.topic].label_of(line.text)
    in_inception, speaks = is_of_inception(line.topic), _speaks_for_itself(line.text)
    if not label and line.group == "requirements" and speaks:
        return NOTHING
    label = label or line.fragment.label
    if in_inception:
        return _as_its_reader_says(line, label, rest) if label else NOTHING
    if label in MOSCOW:
        return _under_moscow(line, label, rest)
    if not sorts(label, line.topic, line.group):
        return NOTHING
    if label == "user":
        role = weighing.actor_in(rest) or rest
        return (FragmentReading("fact", {"topic": "user", "role": role.strip(" .")}),)
    if label in ("chosen", "rejected"):
        return _labelled_choice(label, rest, line.topic)
    if label in _BELONGS:
        reading = _BELONGS[label][1]
        value = rest.strip() if reading.onto == "acceptance" else rest.strip(" .")
        return (added(reading, {reading.onto: value}),)
    return (_detailed(added(_LABEL_READINGS[label][1], _without_label(line, rest)), rest),)


def _as_its_reader_says(line: Line, label: str, rest: str) -> Readings:
    """In an inception a label names a reader, or what belongs to the line before it."""
    if label in BELONGS:
        return (FragmentReading("fact", {label: rest.strip()}, onto=label),)
    beside = _without_label(line, rest)
    return tuple(
        reading if "what" in reading.data else added(reading, beside)
        for reading in READERS[label](rest)
    )


def _speaks_for_itself(text: str) -> bool:
    """A story or a check under a heading such as "Must:" is one all the same."""
    return phrases.is_check(text) or phrases.story_in(text) is not None


def _without_label(line: Line, rest: str) -> dict[str, str]:
    return {"what": rest.strip()} if rest != line.text else {}


def _detailed(reading: FragmentReading, text: str) -> FragmentReading:
    """A risk with how likely and how bad it is, a failure with what follows it."""
    if reading.kind == "risk":
        return added(reading, weighing.risk_in(text))
    if reading.kind == "error":
        return added(reading, phrases.failure_in(text, asked=True) or {})
    return reading


def _under_moscow(line: Line, label: str, rest: str) -> Readings:
    """`Must: …` ranks the requirements it names; where they are collected it makes one."""
    if line.group != "requirements":
        return NOTHING
    known = known_lines(line.request.claims, "requirement")
    if ranks := ranked(f"{label}: {rest}", known):
        return ranks_as_readings(ranks)
    if line.topic == "priorities":
        return NOTHING
    if label == "won't":
        return (added(OUT_OF_SCOPE, _without_label(line, rest)),)
    return (FragmentReading("requirement", {"priority": label, **_without_label(line, rest)}),)


def _labelled_choice(label: str, rest: str, topic: Topic) -> Readings:
    reason = next((each["reason"] for each in weighing.choices_in(rest) if "reason" in each), "")
    option = rest.strip() if not reason else rest.partition(reason)[0].rsplit(None, 1)[0]
    data = {"choice": label, "option": option.strip(" ,.;")} | (
        {"reason": reason} if reason else {}
    )
    settles = label == "chosen" and topic == "decisions"
    return (FragmentReading("decision" if settles else "option", data),)
