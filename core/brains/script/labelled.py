"""Lines that people label themselves: what a label makes of them, in the phases that know it."""

from collections.abc import Mapping
from typing import Final

from core.brains.script.parts import phrases, weighing
from core.brains.script.parts.priority import ranked
from core.brains.script.readings import (
    ARCHITECTURE,
    CONSTRAINT,
    DECISIONS,
    DESIGN,
    MOSCOW,
    NOTHING,
    OPEN,
    OUT_OF_SCOPE,
    PRIORITIES,
    REQUIREMENTS,
    RISKS_NAMED,
    SHIPPED_PHASES,
    Reading,
    Readings,
    added,
    known_lines,
    ranks_as_readings,
)
from core.brains.text.labels import label_of
from core.brains.text.split import Fragment
from core.domain.answers import ReadRequest

_LABEL_READINGS: Final[Mapping[str, tuple[frozenset[str], Reading]]] = {
    "out-of-scope": (SHIPPED_PHASES, OUT_OF_SCOPE),
    "constraint": (SHIPPED_PHASES, CONSTRAINT),
    "open-question": (SHIPPED_PHASES, OPEN),
    "assumption": (SHIPPED_PHASES, Reading("assumption", confidence="assumed")),
    "risk": (RISKS_NAMED, Reading("risk")),
    "problem": (frozenset({REQUIREMENTS}), Reading("fact", {"topic": "problem"})),
    "journey": (frozenset({REQUIREMENTS}), Reading("fact", {"topic": "journey"})),
    "requirement": (frozenset({REQUIREMENTS}), Reading("requirement")),
    "quality": (frozenset({REQUIREMENTS}), Reading("quality")),
    "option": (frozenset({ARCHITECTURE}), Reading("option")),
    "error": (frozenset({DESIGN}), Reading("error")),
}
_BELONGS: Final[Mapping[str, tuple[frozenset[str], Reading]]] = {
    "acceptance": (frozenset({REQUIREMENTS}), Reading("fact", onto="acceptance")),
    "likelihood": (RISKS_NAMED, Reading("risk", onto="likelihood")),
    "impact": (RISKS_NAMED, Reading("risk", onto="impact")),
    "mitigation": (RISKS_NAMED, Reading("risk", onto="mitigation")),
    "reason": (frozenset({ARCHITECTURE}), Reading("fact", onto="reason")),
}


def sorts(label: str, phase: str) -> bool:
    """Whether a label makes anything of the lines below it in that phase."""
    if label in MOSCOW or label == "user":
        return phase == REQUIREMENTS
    if label in ("chosen", "rejected"):
        return phase == ARCHITECTURE
    known = _LABEL_READINGS.get(label) or _BELONGS.get(label)
    return known is not None and phase in known[0]


def labelled(fragment: Fragment, request: ReadRequest) -> Readings:
    label, rest = label_of(fragment.text)
    phase = request.phase
    if not label and phase == REQUIREMENTS and _speaks_for_itself(fragment.text):
        return NOTHING
    label = label or fragment.label
    if label in MOSCOW:
        return _under_moscow(fragment, request, label, rest)
    if label == "user" and phase == REQUIREMENTS:
        role = weighing.actor_in(rest) or rest
        return (Reading("fact", {"topic": "user", "role": role.strip(" .")}),)
    if label in ("chosen", "rejected") and phase == ARCHITECTURE:
        return _labelled_choice(label, rest, request)
    if label in _BELONGS and phase in _BELONGS[label][0]:
        reading = _BELONGS[label][1]
        value = rest.strip() if reading.onto == "acceptance" else rest.strip(" .")
        return (added(reading, {reading.onto: value}),)
    if label in _LABEL_READINGS and phase in _LABEL_READINGS[label][0]:
        return (_detailed(added(_LABEL_READINGS[label][1], _without_label(fragment, rest)), rest),)
    return NOTHING


def _speaks_for_itself(text: str) -> bool:
    """A story or a check under a heading such as "Must:" is one all the same."""
    return phrases.is_check(text) or phrases.story_in(text) is not None


def _without_label(fragment: Fragment, rest: str) -> dict[str, str]:
    return {"what": rest.strip()} if rest != fragment.text else {}


def _detailed(reading: Reading, text: str) -> Reading:
    """A risk with how likely and how bad it is, a failure with what follows it."""
    if reading.kind == "risk":
        return added(reading, weighing.risk_in(text))
    if reading.kind == "error":
        return added(reading, phrases.failure_in(text, asked=True) or {})
    return reading


def _under_moscow(fragment: Fragment, request: ReadRequest, label: str, rest: str) -> Readings:
    """`Must: …` ranks the requirements it names; where they are collected it makes one."""
    if request.phase != REQUIREMENTS:
        return NOTHING
    known = known_lines(request.claims, "requirement")
    if ranks := ranked(f"{label}: {rest}", known):
        return ranks_as_readings(ranks)
    if request.step.id == PRIORITIES:
        return NOTHING
    if label == "won't":
        return (added(OUT_OF_SCOPE, _without_label(fragment, rest)),)
    return (Reading("requirement", {"priority": label, **_without_label(fragment, rest)}),)


def _labelled_choice(label: str, rest: str, request: ReadRequest) -> Readings:
    reason = next((each["reason"] for each in weighing.choices_in(rest) if "reason" in each), "")
    option = rest.strip() if not reason else rest.partition(reason)[0].rsplit(None, 1)[0]
    data = {"choice": label, "option": option.strip(" ,.;")} | (
        {"reason": reason} if reason else {}
    )
    settles = label == "chosen" and request.step.id == DECISIONS
    return (Reading("decision" if settles else "option", data),)
