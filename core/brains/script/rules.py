"""What a line is by the rules of its topic, and by those that hold wherever something is said.

A rule takes one line and gives readings of it, usually one. It never changes the words.
"""

from collections.abc import Callable, Mapping
from typing import Final

from core import patterns
from core.brains.script.parts import phrases, signs, weighing
from core.brains.script.parts.priority import ranked
from core.brains.script.readers import (
    CONSTRAINT,
    FACT,
    NOTHING,
    OUT_OF_SCOPE,
    READERS,
    FragmentReading,
    Line,
    Readings,
    added,
    known_lines,
    plain,
    ranks_as_readings,
)
from core.brains.script.sizes import said_about_size
from core.brains.script.topics import Topic, usual_reader
from core.domain.answers import Confidence

_RANK_BESIDE: Final = patterns.compile(
    r"(?:\||\(|\[|, |- )\s*(must|should|could)(?:[- ]have)?\s*(?:\||\)|\]|$)", patterns.IGNORECASE
)

Rule = Callable[[Line], Readings]


def own(line: Line) -> Readings:
    """What the rule of a topic makes of a line; else its usual reader."""
    if line.group == "scan":
        return _scope(line)
    if rule := _OF_TOPIC.get(line.topic):
        return rule(line)
    usual = usual_reader(line.topic)
    return plain(usual)(line.text) if line.fragment.code else READERS[usual](line.text)


def of_group(line: Line) -> Readings:
    """What is known at every topic of a group, in an essay that answers five steps at once too."""
    rule = _OF_GROUP.get(line.group)
    return rule(line) if rule else NOTHING


def _scope(line: Line) -> Readings:
    size = said_about_size(line.text, counting=line.topic == "file-count")
    return (FragmentReading("scope", {} if line.fragment.code else size),)


# ── requirements ───────────────────────────────────────────────────────────────────────────


def _topic(topic: str) -> Rule:
    """A fact on the step's subject; a date, a law or a fixed point is a constraint."""

    def rule(line: Line) -> Readings:
        text = line.text
        if signs.TIMING.search(text) or signs.FIXED.search(text):
            return (CONSTRAINT,)
        about = "user" if "user" in line.asks else topic
        role = weighing.actor_in(text) if about == "user" and not line.fragment.code else ""
        return (FragmentReading("fact", {"topic": about} | ({"role": role} if role else {})),)

    return rule


def _context(line: Line) -> Readings:
    text = line.text
    fixed = "constraint" in line.asks or signs.FIXED.search(text) or signs.RULES_APPLY.search(text)
    return (CONSTRAINT,) if fixed and not line.fragment.code else FACT


def _quality_or_risk(line: Line) -> Readings:
    text = line.text
    may_fail = "risk" in line.asks or signs.RISK.search(text)
    if signs.SURELY_RISK.search(text) or (may_fail and not signs.DEMAND.search(text)):
        return READERS["risk"](text)
    fixed = signs.RULES_APPLY.search(text) or signs.FIXED.search(text)
    is_given = fixed and not any(character.isdigit() for character in text)
    constrains = "constraint" in line.asks or is_given
    return (CONSTRAINT,) if constrains else READERS["quality"](text)


def _requirement(line: Line) -> Readings:
    text = line.text
    if "acceptance" in line.asks:
        return _check(text)
    says_how_it_is = signs.NOT_WANTED.match(text) or signs.URL_ALONE.fullmatch(text)
    if (
        says_how_it_is
        or text.endswith(":")
        or line.fragment.code
        or not signs.HAS_LETTER.search(text)
    ):
        return FACT
    if "out-of-scope" in line.asks and "never" not in line.asks and not signs.DEMAND.search(text):
        return (OUT_OF_SCOPE,)
    rank = _RANK_BESIDE.search(text)
    return (FragmentReading("requirement", {"priority": rank[1].lower()} if rank else {}),)


def _told(line: Line) -> Readings:
    if "acceptance" in line.asks and not line.fragment.code:
        return _check(line.text)
    return FACT


def _check(text: str) -> Readings:
    """An answer to "how will you know?" does not say of which line, where there are several."""
    return (FragmentReading("fact", {"acceptance": text.strip()}, onto="acceptance", of_one=True),)


def _priority(line: Line) -> Readings:
    ranks = ranked(line.text, known_lines(line.request.claims, "requirement"))
    return ranks_as_readings(ranks) or FACT


# ── impact ─────────────────────────────────────────────────────────────────────────────────


def _risk_or_fact(line: Line) -> Readings:
    text = line.text
    return READERS["risk"](text) if signs.RISK.search(text) else FACT


# ── architecture ───────────────────────────────────────────────────────────────────────────


def _decision(line: Line) -> Readings:
    text = line.text
    if signs.WEIGHS.match(text) or line.fragment.code or text.endswith(":"):
        return FACT
    if not (line.fragment.opens or signs.DECIDES.search(text)):
        return FACT
    chosen = (choice for choice in weighing.choices_in(text) if choice["choice"] == "chosen")
    return (FragmentReading("decision", next(chosen, {})),)


def _neighbour(line: Line) -> Readings:
    text = line.text
    if line.fragment.code:
        return (FragmentReading("interface"),)
    failure = phrases.failure_in(text) or {}
    flows = [] if failure else phrases.flows_in(text)
    endpoints = phrases.endpoints_in(text, alone=True)
    exchanges = endpoints or flows or [failure]
    return tuple(added(FragmentReading("interface", parts), failure) for parts in exchanges)


# ── design ─────────────────────────────────────────────────────────────────────────────────


def _interface(line: Line) -> Readings:
    flows = [] if line.fragment.code else phrases.flows_in(line.text)
    return (FragmentReading("interface", flows[0] if len(flows) == 1 else {}),)


_OF_TOPIC: Final[Mapping[Topic, Rule]] = {
    "problem": _topic("problem"),
    "users": _topic("user"),
    "journey": _topic("journey"),
    "context": _context,
    "quality": _quality_or_risk,
    "features": _requirement,
    "stories": _told,
    "priorities": _priority,
    "blast-radius": _risk_or_fact,
    "risk-zones": lambda line: READERS["risk"](line.text),
    "decisions": _decision,
    "neighbours": _neighbour,
    "contracts": _interface,
}


# ── what is known wherever it is said ──────────────────────────────────────────────────────────


def _in_requirements(line: Line) -> Readings:
    text, topic = line.text, line.topic
    if story := phrases.story_in(text):
        return (FragmentReading("story", story),)
    if phrases.is_check(text):
        return (FragmentReading("fact", {"acceptance": text.strip()}, onto="acceptance"),)
    if topic not in ("features", "priorities") and (ranks := _named_ranks(line)):
        return ranks
    if signs.is_excluded(text):
        return (OUT_OF_SCOPE,)
    if signs.SURELY_RISK.search(text) and not signs.DEMAND.search(text):
        return READERS["risk"](text)
    if topic in ("quality", "features", "priorities") or not signs.EXPLICIT.match(text):
        return NOTHING
    return (CONSTRAINT,) if signs.TIMING.search(text) else (FragmentReading("requirement"),)


def _named_ranks(line: Line) -> Readings:
    ranks = ranked(line.text, known_lines(line.request.claims, "requirement"))
    return ranks_as_readings(rank for rank in ranks if rank.confidence == "stated")


def _in_impact(line: Line) -> Readings:
    if signs.SURELY_RISK.search(line.text):
        return READERS["risk"](line.text)
    return (OUT_OF_SCOPE,) if signs.is_excluded(line.text) else NOTHING


def _in_architecture(line: Line) -> Readings:
    text, topic = line.text, line.topic
    choices = [] if topic == "neighbours" else weighing.choices_in(text)
    if options := weighing.options_in(text):
        only = choices[0] if len(options) == 1 and choices else {}
        return tuple(FragmentReading("option", {**only, **option}) for option in options)
    if topic == "decisions" and any(choice["choice"] == "chosen" for choice in choices):
        return NOTHING  # a decision: the step's own rule
    confidence: Confidence = "inferred" if weighing.is_wish(text) else "stated"
    return tuple(FragmentReading("option", choice, confidence) for choice in choices)


def _in_design(line: Line) -> Readings:
    text, topic = line.text, line.topic
    if failure := phrases.failure_in(text, asked=topic == "failures"):
        return (FragmentReading("error", failure),)
    if endpoints := phrases.endpoints_in(text, alone=topic == "contracts"):
        return tuple(FragmentReading("interface", endpoint) for endpoint in endpoints)
    if (
        topic != "contracts"
        and (flows := phrases.flows_in(text))
        and (topic == "data-flow" or "->" in text)
    ):
        return tuple(FragmentReading("data", flow) for flow in flows)
    return NOTHING


_OF_GROUP: Final[Mapping[str, Rule]] = {
    "requirements": _in_requirements,
    "impact": _in_impact,
    "architecture": _in_architecture,
    "design": _in_design,
    "brief": lambda line: (OUT_OF_SCOPE,) if signs.is_excluded(line.text) else NOTHING,
}
