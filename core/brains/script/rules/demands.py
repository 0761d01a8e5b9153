"""What is demanded in passing, at a step that asks for something else.

A part that must not know a name is a part and a requirement; what a system does where something
fails is a failure and a requirement. The requirement stands first: it is what people sort. A plain
"must" demands, and what answers a step that asks for rules: "mail bounces -> the desk rings" where
it asks what fails, "Postgres wins" where it asks which source does, "Sage stays" where it asks what
there is. Else the words of a line are weighed (`core.brains.text.weights`).
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
# Those that ask for what there is around the item.
_AROUND: Final = frozenset({"context", "neighbours"})
# Kinds that may be a requirement as well; a line that is nothing else becomes one.
_BESIDE: Final[frozenset[ClaimKind]] = frozenset(
    {"module", "interface", "data", "error", "constraint", "entry-point", "decision", "option",
     "purpose"}
)  # fmt: skip
_NOTHING_ELSE: Final[frozenset[ClaimKind]] = frozenset({"fact", "note"})
_REQUIREMENT: Final = FragmentReading("requirement")
_ARROW: Final = patterns.compile("->|=>|→|⇒")
# "Goal 2: …", "parts: offers, rules, history", "Revisit: the colours after three months"
_TELLS_WHAT_IT_IS: Final = patterns.compile(
    r"\W*(?:(?:the|our|my) )?(?:(?:goal|aim|objective)s?(?: #?[0-9]{1,2})?|parts|modules"
    r"|components|(?:to )?revisit)\s*:",
    patterns.IGNORECASE,
)
# "invoice_schedules: id, company_id, start_on": what a thing has, and nothing that it does
_LISTS_FIELDS: Final = patterns.compile(
    r"[\w ]{2,40}[:(=]\s*[\w.?]+(?:,\s*[\w.?]+)*,\s*\w+_\w+(?:,\s*[\w.?]+)*[).\s]*"
)
HAPPENS: Final = lexicon.pattern("might-happen")
BECAUSE: Final = lexicon.pattern("because")
WINS: Final = lexicon.pattern("source-wins")
STAYS: Final = lexicon.pattern("has-to-stay")
STAYS_SOMEWHERE: Final = lexicon.pattern("stays-somewhere")
AWAY: Final = lexicon.pattern("neighbour-away")
NOTHING_OURS: Final = lexicon.pattern("nothing-of-ours")
NO_RESPONSE: Final = lexicon.pattern("no-response")
DOUBTS: Final = lexicon.pattern("source-doubted")


def with_demands(line: Line, readings: Readings) -> Readings:
    """The readings of a line, and the requirement that it states besides.

    None beside what answers a numbered question, stands under a label or opens with an endpoint:
    those say what it is; nor of a risk. But for a line that its words make a requirement surely,
    and no numbered question of a step for requirements does.
    """
    if line.group not in _GROUPS or line.fragment.code:
        return readings
    is_sure, is_firm = _is_sure(line), evidence.is_firm(line.text)
    kinds = {reading.kind for reading in readings}
    is_lone = kinds <= _NOTHING_ELSE or (is_sure and _are_bare_risks(readings))
    is_story_step = line.topic == "stories" and is_sure and is_lone
    may_be = _BESIDE | ({"risk"} if is_firm or is_sure else set())
    if any(map(_is_told, readings)) or not (is_lone or kinds <= may_be):
        return readings
    if (line.topic in _COLLECT and not is_story_step) or _is_none(line):
        return readings
    if not (is_firm or _is_demanded(line, readings, is_sure=is_sure)):
        return readings
    is_journey = any(reading.data.get("topic") == "journey" for reading in readings)
    return (_REQUIREMENT,) if is_lone and not is_journey else (_REQUIREMENT, *readings)


def _is_demanded(line: Line, readings: Readings, *, is_sure: bool) -> bool:
    if phrases.opens_with_endpoint(line.text):
        return False
    is_said_otherwise = line.question or line.fragment.label
    is_likely = evidence.is_demanded(line.text, line.topic) or _is_rule(line, readings)
    return is_sure or _is_of_neighbour(line) or (is_likely and not is_said_otherwise)


def _is_none(line: Line) -> bool:
    """True for a question, an aside, a harm, and what somebody calls a goal or parts."""
    is_aside = _chance(line) < SURE_ASIDE_MIN and evidence.is_aside(line.text)
    is_harm = signs.HARM.search(line.text) and not signs.DEMAND.search(line.text)
    is_called = _TELLS_WHAT_IT_IS.match(line.text) or _LISTS_FIELDS.fullmatch(line.text)
    return signs.is_question(line.text) or is_aside or bool(is_harm or is_called)


def _chance(line: Line) -> float:
    return weights.chances_of(line.text, line.topic)["requirement"]


def _is_rule(line: Line, readings: Readings) -> bool:
    """True for what happens when something fails, behind an arrow, for what a part is kept from,
    and for which source wins."""
    if is_past(line.text):
        return False
    if line.topic == "failures":
        responses = [one.data["response"] for one in readings if "response" in one.data]
        is_told = any(not NO_RESPONSE.fullmatch(response) for response in responses)
        arrow = _ARROW.search(line.text)
        is_quoted = arrow is not None and arrow.before.count('"') % 2 == 1
        return is_told and arrow is not None and not is_quoted
    if line.topic == "modules":
        return signs.is_kept_from(line.text)
    is_doubted = DOUBTS.search(line.text) or signs.is_question(line.text)
    return line.topic == "data-flow" and bool(WINS.search(line.text)) and not is_doubted


def _is_of_neighbour(line: Line) -> bool:
    """True for what has to stay as it is, where a step asks what there is around the item, and for
    what is done while a neighbour is away: "Mollie away → we hide the button"."""
    if line.topic not in _AROUND or is_past(line.text) or evidence.is_now(line.text):
        return False
    away = AWAY.search(line.text) if line.topic == "neighbours" else None
    is_answered = away is not None and not NOTHING_OURS.match(away["response"])
    stays = STAYS.search(line.text) and not STAYS_SOMEWHERE.search(line.text)
    return is_answered or bool(stays)


def _is_sure(line: Line) -> bool:
    """True where its words make a line a requirement; never of a row of a table, a few words, a
    reason alone, what might happen or did, and how it is today or was."""
    text = line.text
    is_told = line.question and line.group == "requirements"  # at such a step it tells the matter
    if line.fragment.table or is_told or len(text.split()) < SURE_WORDS_MIN:
        return False
    if BECAUSE.match(text) or HAPPENS.search(text):
        return False
    return _chance(line) >= SURE_MIN and not (is_past(text) or evidence.is_now(text))


def _are_bare_risks(readings: Readings) -> bool:
    """True for risks of which nothing is said but the line: no rating, no mitigation."""
    return all(reading.kind == "risk" and not reading.data for reading in readings)


def _is_told(reading: FragmentReading) -> bool:
    """True for what belongs to another line, a deadline, a journey in its steps, and what is
    rejected."""
    is_rejected = reading.data.get("choice") == "rejected"
    return bool(reading.onto) or is_rejected or not {"date", "steps"}.isdisjoint(reading.data)
