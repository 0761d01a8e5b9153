"""What a fragment is: the rules that turn people's sentences into kinds of claims.

A rule takes one fragment and gives readings of it, usually one. It never changes the words. What
holds at every step comes first: fillers, labels, open questions; then what the phase knows
wherever it is said; last the step's own rule.
"""

from collections.abc import Callable, Mapping
from typing import Final

from core.brains.script.labelled import labelled
from core.brains.script.parts import phrases, weighing
from core.brains.script.parts.priority import ranked
from core.brains.script.parts.signs import (
    DEMAND,
    EXPLICIT,
    RISK,
    SURELY_RISK,
    TIMING,
    is_excluded,
    is_open,
    is_question,
)
from core.brains.script.readings import (
    ARCHITECTURE,
    CONSTRAINT,
    DECISIONS,
    DESIGN,
    FACT,
    FEATURES,
    IMPACT,
    NEIGHBOURS,
    NOTHING,
    OPEN,
    OUT_OF_SCOPE,
    PRIORITIES,
    QUALITIES,
    REQUIREMENTS,
    RISKS_NAMED,
    SHIPPED_PHASES,
    Reading,
    Readings,
    added,
    known_lines,
    ranks_as_readings,
)
from core.brains.script.steps import own
from core.brains.text.filler import is_filler, is_unknown
from core.brains.text.split import Fragment
from core.domain.answers import Confidence, ReadRequest


def readings(fragment: Fragment, request: ReadRequest, asked: Mapping[int, str]) -> Readings:
    """What a fragment says at this step: a fact, unless a rule knows better."""
    question = asked.get(fragment.number or 0, "")
    found = _found(fragment, request, question)
    more = {"question": str(fragment.number)} if question else {}
    if not fragment.code and request.phase in SHIPPED_PHASES:
        more |= phrases.files_in(fragment.text)
    return tuple(added(reading, more) for reading in found)


def _found(fragment: Fragment, request: ReadRequest, question: str) -> Readings:
    text = fragment.text
    if request.phase not in SHIPPED_PHASES or fragment.table == "head":
        return FACT
    if is_unknown(text):
        return (added(OPEN, {"what": question} if question else {}),)
    if is_filler(text):
        return FACT
    if fragment.code:
        return own(fragment, request, question)
    return (
        labelled(fragment, request)
        or _unanswered(fragment, request)
        or _of_phase(fragment, request)
        or own(fragment, request, question)
    )


# ── what nobody knows ──────────────────────────────────────────────────────────────────────────


def _unanswered(fragment: Fragment, request: ReadRequest) -> Readings:
    """A question, or words like "nobody knows yet"; such a sentence may be a risk as well."""
    text = fragment.text
    if is_question(text):
        return (OPEN,)
    if not is_open(text):
        return NOTHING
    threatens = request.phase in RISKS_NAMED and RISK.search(text)
    return (OPEN, Reading("risk", weighing.risk_in(text))) if threatens else (OPEN,)


# ── what a phase knows wherever it is said ─────────────────────────────────────────────────────


def _of_phase(fragment: Fragment, request: ReadRequest) -> Readings:
    rule = _PHASE_RULES.get(request.phase)
    return rule(fragment, request) if rule else NOTHING


def _in_requirements(fragment: Fragment, request: ReadRequest) -> Readings:
    text, step = fragment.text, request.step.id
    if story := phrases.story_in(text):
        return (Reading("story", story),)
    if phrases.is_check(text):
        return (Reading("fact", {"acceptance": text.strip()}, onto="acceptance"),)
    if step not in (FEATURES, PRIORITIES) and (ranks := _named_ranks(text, request)):
        return ranks
    if is_excluded(text):
        return (OUT_OF_SCOPE,)
    if SURELY_RISK.search(text) and not DEMAND.search(text):
        return (Reading("risk", weighing.risk_in(text)),)
    if step in (QUALITIES, FEATURES, PRIORITIES) or not EXPLICIT.match(text):
        return NOTHING
    return (CONSTRAINT,) if TIMING.search(text) else (Reading("requirement"),)


def _named_ranks(text: str, request: ReadRequest) -> Readings:
    known = known_lines(request.claims, "requirement")
    return ranks_as_readings(rank for rank in ranked(text, known) if rank.confidence == "stated")


def _in_impact(fragment: Fragment, request: ReadRequest) -> Readings:
    if SURELY_RISK.search(fragment.text):
        return (Reading("risk", weighing.risk_in(fragment.text)),)
    return (OUT_OF_SCOPE,) if is_excluded(fragment.text) else NOTHING


def _in_architecture(fragment: Fragment, request: ReadRequest) -> Readings:
    text, step = fragment.text, request.step.id
    choices = [] if step == NEIGHBOURS else weighing.choices_in(text)
    if options := weighing.options_in(text):
        choice = choices[0] if len(options) == 1 and choices else {}
        return tuple(Reading("option", {**choice, **option}) for option in options)
    if step == DECISIONS and any(each["choice"] == "chosen" for each in choices):
        return NOTHING  # a decision: the step's own rule
    confidence: Confidence = "inferred" if weighing.is_wish(text) else "stated"
    return tuple(Reading("option", each, confidence) for each in choices)


def _in_design(fragment: Fragment, request: ReadRequest) -> Readings:
    text, step = fragment.text, request.step.id
    if failure := phrases.failure_in(text, asked=step == "04-04"):
        return (Reading("error", failure),)
    if endpoints := phrases.endpoints_in(text, alone=step == "04-02"):
        return tuple(Reading("interface", endpoint) for endpoint in endpoints)
    if step != "04-02" and (flows := phrases.flows_in(text)) and (step == "04-03" or "->" in text):
        return tuple(Reading("data", flow) for flow in flows)
    return NOTHING


_PHASE_RULES: Final[Mapping[str, Callable[[Fragment, ReadRequest], Readings]]] = {
    REQUIREMENTS: _in_requirements,
    IMPACT: _in_impact,
    ARCHITECTURE: _in_architecture,
    DESIGN: _in_design,
}
