"""Each step's own rule: what its lines are when nothing more special is said in them."""

from collections.abc import Callable, Mapping
from typing import Final

from core import patterns
from core.brains.script.parts import phrases, weighing
from core.brains.script.parts.priority import ranked
from core.brains.script.parts.signs import (
    DECIDES,
    DEMAND,
    FIXED,
    HAS_LETTER,
    NOT_WANTED,
    RISK,
    RULES_APPLY,
    SURELY_RISK,
    TIMING,
    URL_ALONE,
    WEIGHS,
    asks_for,
)
from core.brains.script.readings import (
    CONSTRAINT,
    FACT,
    OUT_OF_SCOPE,
    QUICK_SCAN,
    Reading,
    Readings,
    added,
    known_lines,
    ranks_as_readings,
)
from core.brains.script.sizes import said_about_size
from core.brains.text.split import Fragment
from core.domain.answers import ClaimKind, ReadRequest

_RANK_BESIDE: Final = patterns.compile(
    r"(?:\||\(|\[|, |- )\s*(must|should|could)(?:[- ]have)?\s*(?:\||\)|\]|$)", patterns.IGNORECASE
)

Asks = frozenset[str]  # what the question asks for that the line takes up
Rule = Callable[[Fragment, ReadRequest, Asks], Readings]


def own(fragment: Fragment, request: ReadRequest, question: str) -> Readings:
    """What the step's own rule makes of a fragment; a fact where there is none."""
    if request.phase == QUICK_SCAN:
        return _scope(fragment, request)
    rule = RULES.get(request.step.id)
    return rule(fragment, request, asks_for(question)) if rule else FACT


def _plain(kind: ClaimKind) -> Rule:
    return lambda fragment, request, asks: (Reading(kind),)


def _scope(fragment: Fragment, request: ReadRequest) -> Readings:
    said = said_about_size(fragment.text, counting=request.step.id == "00-03")
    return (Reading("scope", {} if fragment.code else said),)


# ── 01: requirements ───────────────────────────────────────────────────────────────────────────


def _topic(topic: str) -> Rule:
    """A fact on the step's subject; a date, a law or a fixed point is a constraint."""

    def rule(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
        text = fragment.text
        if TIMING.search(text) or FIXED.search(text):
            return (CONSTRAINT,)
        about = "user" if "user" in asks else topic
        role = weighing.actor_in(text) if about == "user" and not fragment.code else ""
        return (Reading("fact", {"topic": about} | ({"role": role} if role else {})),)

    return rule


def _context(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    text = fragment.text
    fixed = "constraint" in asks or FIXED.search(text) or RULES_APPLY.search(text)
    return (CONSTRAINT,) if fixed and not fragment.code else FACT


def _quality_or_risk(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    text = fragment.text
    risk = SURELY_RISK.search(text) or (RISK.search(text) and not DEMAND.search(text))
    if risk or ("risk" in asks and not DEMAND.search(text)):
        return (Reading("risk", weighing.risk_in(text)),)
    fixed = RULES_APPLY.search(text) or FIXED.search(text)
    given = fixed and not any(sign.isdigit() for sign in text)
    return (CONSTRAINT,) if "constraint" in asks or given else (Reading("quality"),)


def _requirement(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    text = fragment.text
    if "acceptance" in asks:
        return _check(text)
    says_how_it_is = NOT_WANTED.match(text) or URL_ALONE.fullmatch(text)
    if says_how_it_is or text.endswith(":") or fragment.code or not HAS_LETTER.search(text):
        return FACT
    if "out-of-scope" in asks and "never" not in asks and not DEMAND.search(text):
        return (OUT_OF_SCOPE,)
    rank = _RANK_BESIDE.search(text)
    return (Reading("requirement", {"priority": rank[1].lower()} if rank else {}),)


def _told(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    if "acceptance" in asks and not fragment.code:
        return _check(fragment.text)
    return FACT


def _check(text: str) -> Readings:
    """An answer to "how will you know?" does not say of which line, where there are several."""
    return (Reading("fact", {"acceptance": text.strip()}, onto="acceptance", of_one=True),)


def _priority(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    ranks = ranked(fragment.text, known_lines(request.claims, "requirement"))
    return ranks_as_readings(ranks) or FACT


# ── 02: impact ─────────────────────────────────────────────────────────────────────────────────


def _risk_or_fact(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    text = fragment.text
    return (Reading("risk", weighing.risk_in(text)),) if RISK.search(text) else FACT


def _risk(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    return (Reading("risk", weighing.risk_in(fragment.text)),)


# ── 03: architecture ───────────────────────────────────────────────────────────────────────────


def _decision(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    text = fragment.text
    if WEIGHS.match(text) or fragment.code or text.endswith(":"):
        return FACT
    if not (fragment.opens or DECIDES.search(text)):
        return FACT
    chosen = (each for each in weighing.choices_in(text) if each["choice"] == "chosen")
    return (Reading("decision", next(chosen, {})),)


def _neighbour(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    text = fragment.text
    if fragment.code:
        return (Reading("interface"),)
    failure = phrases.failure_in(text) or {}
    flows = [] if failure else phrases.flows_in(text)
    endpoints = phrases.endpoints_in(text, alone=True)
    found = endpoints or flows
    return tuple(added(Reading("interface", each), failure) for each in found or [failure])


# ── 04: design ─────────────────────────────────────────────────────────────────────────────────


def _interface(fragment: Fragment, request: ReadRequest, asks: Asks) -> Readings:
    flows = [] if fragment.code else phrases.flows_in(fragment.text)
    return (Reading("interface", flows[0] if len(flows) == 1 else {}),)


RULES: Final[Mapping[str, Rule]] = {
    "01-01": _topic("problem"),
    "01-02": _topic("user"),
    "01-03": _topic("journey"),
    "01-04": _context,
    "01-05": _quality_or_risk,
    "01-06": _requirement,
    "01-07": _told,
    "01-08": _priority,
    "02-01": _risk_or_fact,
    "02-02": _plain("entry-point"),
    "02-03": _risk,
    "03-01": _plain("option"),
    "03-02": _decision,
    "03-03": _neighbour,
    "04-01": _plain("module"),
    "04-02": _interface,
    "04-03": _plain("data"),
    "04-04": _plain("error"),
}
