"""What is demanded in passing, at a step that asks for something else.

A part that must not know a name is a part and a requirement; what a system does where something
fails is a failure and a requirement. The requirement stands first: it is what people sort. A plain
"must" demands, and what answers a step that asks for rules: "mail bounces -> the desk rings" where
it asks what fails, "Postgres wins" where it asks which source does. Else the words of a line are
weighed (`core.brains.text.weights`).
"""

from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence
from core.brains.script.parts import phrases, signs
from core.brains.script.readers import FragmentReading, Line, Readings
from core.brains.script.rules.forms import is_past
from core.brains.text import weights
from core.domain.answers import ClaimKind

SURE_MIN: Final = 0.5  # chance of a requirement, whatever else the line is
SURE_WORDS_MIN: Final = 5
SURE_ASIDE_MIN: Final = 0.8  # … where it looks like an aside
_GROUPS: Final = frozenset({"requirements", "impact", "architecture", "design"})
# A step whose own rule tells requirements, and those that speak of earlier ones.
_COLLECT: Final = frozenset({"features", "stories", "priorities"})
# Kinds that may be a requirement as well; a line that is nothing else becomes one.
_BESIDE: Final[frozenset[ClaimKind]] = frozenset(
    {"module", "interface", "data", "error", "constraint", "entry-point", "decision", "option",
     "purpose"}
)  # fmt: skip
_NOTHING_ELSE: Final[frozenset[ClaimKind]] = frozenset({"fact", "note"})
_REQUIREMENT: Final = FragmentReading("requirement")
_ARROW: Final = patterns.compile("->|=>|→|⇒")
BECAUSE: Final = lexicon.pattern("because")
WINS: Final = lexicon.pattern("source-wins")
NO_RESPONSE: Final = lexicon.pattern("no-response")
DOUBTS: Final = lexicon.pattern("source-doubted")


def with_demands(line: Line, readings: Readings) -> Readings:
    """The readings of a line, and the requirement that it states besides.

    None beside what answers a numbered question, stands under a label or opens with an endpoint:
    those say what it is; nor of a risk. But for a line that its words make a requirement surely.
    """
    chance = weights.chances_of(line.text, line.topic)["requirement"]
    is_sure = chance >= SURE_MIN and _may_be_sure(line.text)
    kinds = {reading.kind for reading in readings}
    is_lone = kinds <= _NOTHING_ELSE or (is_sure and _are_bare_risks(readings))
    is_collected = line.topic == "priorities" or (
        line.topic in _COLLECT and not (is_sure and is_lone)
    )
    if line.group not in _GROUPS or is_collected or line.fragment.code:
        return readings
    is_firm = evidence.is_firm(line.text)
    may_be = _BESIDE | ({"risk"} if is_firm or is_sure else set())
    is_told = any(_is_told(reading, is_sure=is_sure) for reading in readings)
    if is_told or not (is_lone or kinds <= may_be):
        return readings
    is_said_otherwise = phrases.opens_with_endpoint(line.text) or (
        not is_sure and bool(line.question or line.fragment.label)
    )
    is_demanded = not is_said_otherwise and (
        is_sure or evidence.is_demanded(line.text, line.topic) or _is_rule(line, readings)
    )
    is_aside = chance < SURE_ASIDE_MIN and evidence.is_aside(line.text)
    is_harm = signs.HARM.search(line.text) and not signs.DEMAND.search(line.text)
    is_none = signs.is_question(line.text) or is_aside or is_harm
    if is_none or not (is_firm or is_demanded):
        return readings
    is_journey = any(reading.data.get("topic") == "journey" for reading in readings)
    return (_REQUIREMENT,) if is_lone and not is_journey else (_REQUIREMENT, *readings)


def _is_rule(line: Line, readings: Readings) -> bool:
    """True for what happens when something fails, behind an arrow, and for which source wins."""
    if is_past(line.text):
        return False
    if line.topic == "failures":
        responses = [one.data["response"] for one in readings if "response" in one.data]
        is_told = any(not NO_RESPONSE.fullmatch(response) for response in responses)
        return is_told and bool(_ARROW.search(line.text))
    is_doubted = DOUBTS.search(line.text) or signs.is_question(line.text)
    return line.topic == "data-flow" and bool(WINS.search(line.text)) and not is_doubted


def _may_be_sure(text: str) -> bool:
    """False for a few words, a reason alone, how it is today and how it was."""
    is_reason = BECAUSE.match(text) is not None
    is_long = len(text.split()) >= SURE_WORDS_MIN
    return is_long and not (is_reason or is_past(text) or evidence.is_now(text))


def _are_bare_risks(readings: Readings) -> bool:
    """True for risks of which nothing is said but the line: no rating, no mitigation."""
    return all(reading.kind == "risk" and not reading.data for reading in readings)


def _is_told(reading: FragmentReading, *, is_sure: bool) -> bool:
    """True for what belongs to another line, a deadline that is no sure requirement, a journey in
    its steps, and what is rejected."""
    is_rejected = reading.data.get("choice") == "rejected"
    is_deadline = "date" in reading.data and not is_sure
    return bool(reading.onto) or is_rejected or is_deadline or "steps" in reading.data
