"""What a line is wherever it is said: what is known at every topic of a group of them."""

from collections.abc import Mapping
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.bookkeeping.answering import STEP_QUESTIONS_MAX
from core.brains.script import evidence
from core.brains.script.parts import choosing, phrases, signs, weighing
from core.brains.script.parts.priority import is_rank, ranked
from core.brains.script.readers import (
    CHECK,
    CONSTRAINT,
    NOTHING,
    OUT_OF_SCOPE,
    READERS,
    FragmentReading,
    Line,
    Readings,
    Rule,
    lines_to_rank,
    ranks_as_readings,
)
from core.brains.text import weights
from core.brains.text.wording import refs_in, worded_anew

ORDERS_QUALITIES: Final = lexicon.pattern("orders-qualities")
_NUMBER_FIRST: Final = patterns.compile(
    r"#?(?P<number>[0-9]{1,3})(?:\s*[:=–-]+\s|\s+(?:you|i|we)\b)", patterns.IGNORECASE
)
_CHECKED: Final = ("FR", "NFR", "US")  # what the names of lines that may be checked begin with
_NO_SUBJECT: Final = frozenset({"a", "an", "the", "is", "are", "as", "to"})
_TELLS_MUST: Final = patterns.compile(  # "the gate must lock itself", which is no rank of a line
    r"(?:[\w’'-]+\s+){0,6}?(?P<subject>[\w’'-]+)\s+(?:must|should)\s+\S+\s+\S",
    patterns.IGNORECASE,
    unless=lambda match: match["subject"].casefold() in _NO_SUBJECT,
)
LETTER: Final = patterns.compile(r"(?<!\w)[A-E](?!\w)")  # of an option


def of_group(line: Line) -> Readings:
    """What is known at every topic of a group, in an essay that answers five steps at once too."""
    if line.topic != "priorities" and is_rank(line.text) and (ranks := _named_ranks(line)):
        return ranks
    if evidence.is_check(line.text) and any(refs_in(name, line.text) for name in _CHECKED):
        return CHECK  # "check FR-019: diff of the July file"
    if _checks_by_number(line):
        return CHECK
    rule = _OF_GROUP.get(line.group)
    return rule(line) if rule else NOTHING


def _checks_by_number(line: Line) -> bool:
    """True for "13: the clerk pauses it, the account shows it" where there is an FR-013.

    A small number alone is that of a question of the step.
    """
    match = None if line.topic == "priorities" else _NUMBER_FIRST.match(line.text)
    if match is None or int(match["number"]) <= STEP_QUESTIONS_MAX:
        return False
    requirements = lines_to_rank(line.request)
    is_known = any(ref in requirements for ref in refs_in("FR", f"FR-{match['number']}"))
    return is_known and weights.kind_of(line.text, "features") == "check"


def _in_requirements(line: Line) -> Readings:
    text, topic = line.text, line.topic
    if story := phrases.story_in(text):
        return (FragmentReading("story", story),)
    if evidence.is_check(text):
        return CHECK
    _, other_words = worded_anew(text)
    if not (_TELLS_MUST.match(other_words) or topic in ("features", "priorities")) and (
        ranks := _named_ranks(line)
    ):
        return ranks
    if evidence.is_excluded(text):
        return (OUT_OF_SCOPE,)
    if signs.SURELY_RISK.search(text) and not signs.DEMAND.search(text):
        return READERS["risk"](text)
    if topic in ("quality", "features", "priorities") or not evidence.is_firm(text):
        return NOTHING
    return demanded(line)


def demanded(line: Line) -> Readings:
    """A plain "must" outside the steps that collect them: a requirement, or what bounds them."""
    text = line.text
    if "constraint" in line.asks or signs.RULES_APPLY.search(text):
        return NOTHING
    if signs.FIXED.search(text) and not signs.EXPLICIT.match(text):
        return NOTHING
    return (CONSTRAINT,) if signs.TIMING.search(text) else (FragmentReading("requirement"),)


def _named_ranks(line: Line) -> Readings:
    ranks = ranked(line.text, lines_to_rank(line.request))
    return ranks_as_readings(rank for rank in ranks if rank.confidence == "stated")


def _in_impact(line: Line) -> Readings:
    is_risk = signs.SURELY_RISK.search(line.text) and not signs.NO_RISK.search(line.text)
    return READERS["risk"](line.text) if is_risk else NOTHING


def _in_architecture(line: Line) -> Readings:
    text, topic = line.text, line.topic
    if topic == "options" and not line.fragment.item and _orders_qualities(text):
        return (FragmentReading("priority"),)
    is_put = topic == "options" and line.fragment.item and choosing.is_order(text)
    choices = [] if topic == "neighbours" or is_put else weighing.choices_in(text)
    if options := weighing.options_in(text):
        only = choices[0] if len(options) == 1 and choices else {}
        return tuple(FragmentReading("option", {**only, **option}) for option in options)
    if topic == "decisions" and any(choice["choice"] == "chosen" for choice in choices):
        return NOTHING  # a decision: the step's own rule
    return tuple(FragmentReading("option", choice) for choice in choices)


def _orders_qualities(text: str) -> bool:
    """True for "simple beats cheap": which quality wins, and none of the options."""
    return bool(ORDERS_QUALITIES.search(text)) and not LETTER.search(text)


def _in_design(line: Line) -> Readings:
    text, topic = line.text, line.topic
    if topic == "failures" and (failures := phrases.failures_in(text)):
        return tuple(FragmentReading("error", failure) for failure in failures)
    if failure := phrases.failure_in(text, is_asked=topic == "failures"):
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
    "brief": lambda line: (OUT_OF_SCOPE,) if evidence.is_excluded(line.text) else NOTHING,
}
