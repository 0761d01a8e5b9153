"""What is demanded in passing, at a step that asks for something else.

A part that must not know a name is a part and a requirement; what a system does where something
fails is a failure and a requirement. The requirement stands first: it is what people sort. Few
forms are rules, the rows of `passing` in `steps/brains/evidence.yaml`; beside them the words of a
line are weighed (`core.brains.script.weights`).
"""

from collections.abc import Mapping
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence, weights
from core.brains.script.parts import phrases, signs
from core.brains.script.readers import FragmentReading, Line, Readings
from core.domain.answers import ClaimKind

_GROUPS: Final = frozenset({"requirements", "impact", "architecture", "design"})
_COLLECT: Final = frozenset({"stories", "priorities"})
# What is asked for there is read as such; what else a line may be there and a requirement besides.
_COLLECTED: Final[Mapping[str, frozenset[ClaimKind]]] = {
    "features": frozenset({"decision", "note"}),
    "quality": frozenset({"constraint", "fact", "risk"}),
}
# Steps that ask how it is, what may break, or what there is to choose from.
_TELL_WHAT_IS: Final = frozenset(
    {"problem", "users", "context", "risk-zones", "options", "decisions"}
)
_PARTS: Final = frozenset({"modules", "contracts"})
LIKELY_WORDS_MIN: Final = 6  # of a line that only its words make a requirement
# Kinds that may be a requirement as well; a line that is nothing else becomes one.
_BESIDE: Final[frozenset[ClaimKind]] = frozenset(
    {"module", "interface", "data", "error", "constraint", "entry-point", "decision", "option",
     "purpose"}
)  # fmt: skip
_TOLD_ALREADY: Final = frozenset({"date", "from", "steps"})
_NOTHING_ELSE: Final[frozenset[ClaimKind]] = frozenset({"fact", "note"})
_ROWS: Final = lexicon.table("evidence")["passing"]
_DEMANDS: Final = lexicon.compiled([f"(?:{row})" for row in _ROWS["demands"]])
_OF_A_PART: Final = lexicon.compiled(_ROWS["of-a-part"])
_NO_DEMAND: Final = patterns.compile(
    r"^[*_(\[]{0,2}[A-Z]{1,2}-?[0-9]{1,2}(?!\w)|(?:^|\W)I['’]d(?!\w)"
)
_REQUIREMENT: Final = FragmentReading("requirement")


def with_demands(line: Line, readings: Readings) -> Readings:
    """The readings of a line, and the requirement that it states besides."""
    if line.group not in _GROUPS or line.topic in _COLLECT or line.fragment.code:
        return readings
    kinds = {reading.kind for reading in readings}
    if not kinds <= _COLLECTED.get(line.topic, kinds):
        return readings
    is_lone = kinds <= _NOTHING_ELSE
    may_be = _BESIDE | ({"risk"} if evidence.is_firm(line.text) else set())
    if any(map(_is_told, readings)) or not (is_lone or kinds <= may_be):
        return readings
    if _is_ruled_out(line.text) or not (_is_demanded(line) or _is_likely(line)):
        return readings
    is_journey = any(reading.data.get("topic") == "journey" for reading in readings)
    return (_REQUIREMENT,) if is_lone and not is_journey else (_REQUIREMENT, *readings)


def _is_told(reading: FragmentReading) -> bool:
    """True for what belongs to another line, a deadline, what goes from one part to another, a
    journey in its steps, and what is rejected."""
    is_rejected = reading.data.get("choice") == "rejected"
    return bool(reading.onto) or is_rejected or not _TOLD_ALREADY.isdisjoint(reading.data)


def _is_ruled_out(text: str) -> bool:
    """True for a question, a harm, a reaction, a check, what is left out, and how it is today."""
    if signs.is_question(text) or not phrases.is_short(text) or evidence.says_none(text):
        return True
    return bool(signs.HARM.search(text)) and not signs.DEMAND.search(text)


def _is_demanded(line: Line) -> bool:
    """True for a "must", and where it is not asked how things are for a demand on a thing."""
    if evidence.is_firm(line.text):
        return True
    text = evidence.meant(line.text)
    if evidence.is_unsure(text) or line.topic in _TELL_WHAT_IS:
        return False
    if line.topic in _PARTS and _OF_A_PART.search(text):
        return True
    return any(map(_DEMANDS.search, (text, *evidence.clauses_in(text))))


def _is_likely(line: Line) -> bool:
    """True if words of the line stand in requirements far more often than in other lines.

    Not for what answers a numbered question, which says what it is, for what takes up the name of
    another line ("F2: three then"), and for what somebody would do. Where requirements are asked
    for the topic says nothing: rules know most of them there.
    """
    is_short = len(line.text.split()) < LIKELY_WORDS_MIN
    if line.question or is_short or _NO_DEMAND.search(line.text):
        return False
    topic = "" if line.topic in _COLLECTED else line.topic
    return weights.kind_of(line.text, topic) == "requirement"
