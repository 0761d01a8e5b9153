"""What is demanded in passing, at a step that asks for something else.

A part that must not know a name is a part and a requirement; what a system does where something
fails is a failure and a requirement. The requirement stands first: it is what people sort.
The words are those of `passing` in `steps/brains/evidence.yaml`.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script import evidence, weights
from core.brains.script.parts import phrases, signs, verbs, weighing
from core.brains.script.readers import FragmentReading, Line, Readings
from core.brains.script.rules import forms
from core.brains.text.tables import CELL_END
from core.domain.answers import ClaimKind

_GROUPS: Final = frozenset({"requirements", "impact", "architecture", "design"})
_COLLECT: Final = frozenset({"stories", "priorities"})
# What is asked for there is read as such; what else a line may be there and a requirement besides.
_COLLECTED: Final[Mapping[str, frozenset[ClaimKind]]] = {
    "features": frozenset({"decision", "note"}),
    "quality": frozenset({"constraint", "fact", "risk"}),
}
# Steps that ask how it is, what may break, or what there is to choose from: only a "must" counts.
_TELL_WHAT_IS: Final = frozenset(
    {"problem", "users", "context", "risk-zones", "options", "decisions"}
)
LIKELY_WORDS_MIN: Final = 4  # of a line that only its words make a requirement
RUN_ON_WORDS_MIN: Final = 40  # of a line that says several things, none of which is all of it
STATION_WORDS_MIN: Final = 5  # of a journey's station that says more than its name
# Steps that tell what will happen, where what a thing does is asked of it.
_TELL_WHAT_WILL_BE: Final = frozenset(
    {"journey", "features", "impact-summary", "neighbours", "data-flow", "failures"}
)
# Steps that tell of both: what holds always is asked for.
_TELL_WHAT_STAYS: Final = frozenset({"context", "blast-radius", "risk-zones"})
_CHOOSE: Final = frozenset({"options", "decisions"})  # among means, none of which is demanded
_ASK_WHAT_FOLLOWS: Final = frozenset({"neighbours", "failures"})
_PARTS: Final = frozenset({"modules", "contracts"})
_TAKE_COMMANDS: Final = frozenset({"risk-zones", "contracts"}) | _ASK_WHAT_FOLLOWS
# Kinds that may be a requirement as well; a line that is nothing else becomes one.
_BESIDE: Final[frozenset[ClaimKind]] = frozenset(
    {"module", "interface", "data", "error", "constraint", "entry-point", "decision", "option",
     "purpose"}
)  # fmt: skip
# An option, what goes from one part to another, a journey in its steps.
_TOLD_ALREADY: Final = frozenset({"option", "from", "steps"})
_NOTHING_ELSE: Final[frozenset[ClaimKind]] = frozenset({"fact", "note"})
_ROWS: Final = lexicon.table("evidence")["passing"]
_DEMANDS: Final = lexicon.compiled([f"(?:{row})" for row in _ROWS["demands"]])
_ASKED: Final = lexicon.compiled([f"(?:{row})" for row in _ROWS["asked"]])
_WANTS_FOR: Final = lexicon.compiled(_ROWS["wants-for"])
_NO_DEMAND: Final = lexicon.compiled(_ROWS["no-demand"])
_STOPS_PEOPLE: Final = lexicon.compiled(_ROWS["stops-people"])
_LASTING: Final = lexicon.compiled([f"(?:{row})" for row in _ROWS["lasting"]])
_SEEN_BY_TELLER: Final = lexicon.compiled(_ROWS["seen-by-teller"])
_TELLS_TELLER: Final = lexicon.compiled(_ROWS["tells-teller"])
_TO_SYSTEMS: Final = frozenset(_ROWS["to-systems"].split())
_COMMANDED: Final = lexicon.compiled(_ROWS["commanded"])
_COMMANDED_NONE: Final = frozenset(_ROWS["commanded-none"].split())
_BOUNDED: Final = lexicon.compiled(_ROWS["bounded"])
_OF_A_PART: Final = lexicon.compiled(_ROWS["of-a-part"])
_FAILS_FIRST: Final = lexicon.compiled(_ROWS["fails-first"])
_REFUSES: Final = lexicon.compiled(_ROWS["refuses"])
_NO_DEED: Final = lexicon.compiled(_ROWS["no-deed"])
_DEED: Final = lexicon.compiled(_ROWS["deed"])
_BY_HAND: Final = lexicon.compiled(_ROWS["by-hand"])
_SAYS_TO_USER: Final = patterns.compile(r"(?:^(?:then )?|(?:->|=>|→|⇒|:)\s*)[\"“„«]\w+ \w")
# "Trace – answers questions, read only"
_SAYS_WHAT_IT_IS: Final = patterns.compile(r"\S+(?: \S+){0,2} [–—-] ")
_TAKES_UP_NAME: Final = patterns.compile(r"[*_(\[]{0,2}[A-Z]{1,2}-?[0-9]{1,2}(?!\w)")
_WOULD_DO: Final = patterns.compile(r"(?:^|\W)I['’]d(?!\w)")
_NO_OBJECT: Final = (["is"], ["are"], ["gets"], ["to"], ["by"], ["from"])
_REQUIREMENT: Final = FragmentReading("requirement")


def with_demands(line: Line, readings: Readings) -> Readings:
    """The readings of a line, and the requirement that it states besides."""
    if line.group not in _GROUPS or line.topic in _COLLECT or line.fragment.code:
        return readings
    kinds = {reading.kind for reading in readings}
    if not kinds <= _COLLECTED.get(line.topic, kinds):
        return readings
    is_lone = kinds <= _NOTHING_ELSE
    if kinds == {"risk"} and _is_commanded(line) and not signs.RISK.search(line.text):
        return (_REQUIREMENT,)
    may_be = _BESIDE | ({"risk"} if _stays(line.text) or evidence.is_firm(line.text) else set())
    if any(reading.onto for reading in readings) or not (is_lone or kinds <= may_be):
        return readings
    if not (_is_demanded(line, readings) or _is_likely(line, readings)):
        return readings
    is_told = any(reading.data.get("topic") == "journey" for reading in readings)
    return (_REQUIREMENT,) if is_lone and not is_told else (_REQUIREMENT, *readings)


def _is_demanded(line: Line, readings: Readings) -> bool:
    if line.topic == "journey" and _TELLS_TELLER.match(evidence.meant(line.text)):
        return not signs.is_question(line.text)
    if _is_ruled_out(line, readings):
        return False
    if chosen := [reading.data["option"] for reading in readings if "option" in reading.data]:
        if line.topic == "features":
            return _lets_do(line.text) or any(map(_is_to_be_built, chosen))
        return line.topic not in _CHOOSE and any(map(_demands, chosen))
    responses = _responses(line, readings)
    if _is_demanded_anywhere(line, readings, responses):
        return True
    return not responses and _is_demanded_here(line, readings)


def _is_likely(line: Line, readings: Readings) -> bool:
    """True where no rule knows, and its words stand in requirements far more often.

    Not of a few words, of what answers a numbered question, of what takes up the name of another
    line ("F2: three then"), nor of what somebody would do.
    """
    text = line.text
    if line.question or len(text.split()) < LIKELY_WORDS_MIN or _TAKES_UP_NAME.match(text):
        return False
    if any(reading.data.keys() & _TOLD_ALREADY for reading in readings):
        return False
    if _WOULD_DO.search(text) or _is_ruled_out(line, readings):
        return False
    return weights.speaks_for_requirement(text, line.topic)


def _is_ruled_out(line: Line, readings: Readings) -> bool:
    """True for a question, a date, a law, a remark, a harm, what stops people, what is past."""
    text = line.text
    if _STOPS_PEOPLE.match(evidence.meant(text)):
        return True
    if signs.is_question(text) or (line.topic != "features" and signs.TIMING.search(text)):
        return True
    if signs.RULES_APPLY.search(text) and line.topic not in _PARTS:
        return True
    is_harm = signs.HARM.search(text) and not signs.DEMAND.search(text)
    if is_harm and not phrases.stations_in(text):
        return True
    parts = evidence.clauses_in(text) if len(text.split()) > RUN_ON_WORDS_MIN else [text]
    if not phrases.is_short(text) or all(map(evidence.says_none, parts)) or forms.is_past(text):
        return True
    return _is_in_brackets(text) or any("date" in reading.data for reading in readings)


def _is_demanded_anywhere(line: Line, readings: Readings, responses: list[str]) -> bool:
    """True for a "must", for what follows a failure, and for what always holds of a thing."""
    text = line.text
    is_asked = line.topic in _ASK_WHAT_FOLLOWS and "from" not in readings[0].data
    if responses and _is_mended(text, responses, is_asked=is_asked):
        return True
    if evidence.is_firm(text) or (not responses and line.topic in _PARTS and _holds(text)):
        return True
    if _is_shown_on_failure(line) or _is_commanded(line):
        return True
    if not responses and line.topic in _TELL_WHAT_STAYS and _stays(text):
        return True
    return _is_asked_for(text)


def _is_demanded_here(line: Line, readings: Readings) -> bool:
    """True for a demand, and for what a thing does, where the step tells of what will be."""
    if line.topic in _TELL_WHAT_IS and not _is_bound(readings):
        return False
    tells_how_it_is = line.topic in _TELL_WHAT_IS | _TELL_WHAT_STAYS
    if not tells_how_it_is and evidence.permits(evidence.meant(line.text)):
        return True
    tells = line.topic in _TELL_WHAT_WILL_BE and "from" not in readings[0].data
    return _demands(line.text) or (tells and _behaves(line))


def _is_bound(readings: Readings) -> bool:
    return any(reading.kind == "constraint" for reading in readings)


def _responses(line: Line, readings: Readings) -> list[str]:
    """What follows a failure, but for one of a table's row; "no file by 6 -> the day turns grey" is
    one by its sentence."""
    if line.fragment.table == "row":
        return []
    responses = [reading.data["response"] for reading in readings if "response" in reading.data]
    text, stations = phrases.on_one_line(line.text), phrases.stations_in(line.text)
    is_failure = line.topic == "neighbours" and (phrases.in_case(text) or _FAILS_FIRST.match(text))
    if is_failure:
        return [is_failure["response"]]
    if not responses and len(stations) == 2 and verbs.told_by(stations[1]) == "does":
        return stations[1:]
    return responses


def _is_in_brackets(text: str) -> bool:
    """A remark "(… . …)", or a sentence of it."""
    sentence = text.strip(" .!,;")
    return sentence.count("(") != sentence.count(")") or (sentence[:1], sentence[-1:]) == ("(", ")")


def _is_to_be_built(option: str) -> bool:
    """ "10 and a button that adds 5", and not "React"."""
    return any(character.isdigit() for character in option) or verbs.told_by(option) == "does"


def _lets_do(text: str) -> bool:
    """ "I take an order, I can cancel it": beside what it takes it says what one can do."""
    return "can" in verbs.words_in(text)


def _demands(text: str) -> bool:
    """True for a demand on a thing, and for what holds until, after or only for something."""
    line = evidence.meant(text)
    if evidence.is_unsure(line):
        return False
    if _WANTS_FOR.search(line):
        return True
    if any(map(_is_demand, (line, *evidence.clauses_in(line)))):
        return True
    return verbs.is_command(line) and not _is_to_people(line) and bool(_BOUNDED.search(line))


def _is_demand(line: str) -> bool:
    return _lasts(line) or (bool(_DEMANDS.search(line)) and not _NO_DEMAND.search(line))


def _is_asked_for(text: str) -> bool:
    """ "They read it but not who wrote it": who asks says so, whatever the step asks for."""
    line = evidence.meant(text)
    return any(map(_ASKED.search, (line, *evidence.clauses_in(line))))


def _is_commanded(line: Line) -> bool:
    """ "On the slip show name and bed": said where risks, calls or failures are told."""
    text = evidence.meant(line.text)
    match = _COMMANDED.match(text) if line.topic in _TAKE_COMMANDS else None
    if not match or match["deed"].isupper() or verbs.told_by(text) == "is":
        return False  # a method of a call; "print runs are late"
    is_deed = match["deed"].casefold() in _TO_SYSTEMS
    return is_deed and match["object"].casefold() not in _COMMANDED_NONE


def _stays(text: str) -> bool:
    """ "Updates never touch what is unsent": what holds always, of a thing."""
    line = evidence.meant(text)
    return any(map(_lasts, (line, *evidence.clauses_in(line))))


def _lasts(clause: str) -> bool:
    thing = f"the {clause[4:]}" if clause.startswith("our ") else clause
    return bool(_LASTING.search(thing)) and not _NO_DEMAND.search(thing)


def _behaves(line: Line) -> bool:
    """True for what a thing does, or what people get: "the page says who was first"."""
    text = evidence.meant(line.text)
    if evidence.is_unsure(text) or line.fragment.table:
        return False
    clauses = [
        clause
        for station in _stations(text)
        for clause in _of_own_subject(evidence.clauses_in(station))
    ]
    is_journey = line.topic == "journey"
    if is_journey and any(map(_SEEN_BY_TELLER.match, evidence.clauses_in(text))):
        return True
    is_told_to = is_journey and any(map(_is_told_to_a_system, clauses))
    return is_told_to or any(map(_is_behaviour, clauses))


def _stations(text: str) -> list[str]:
    """The stations of a chain that say more than their name; else the line itself."""
    stations = phrases.stations_in(text)
    return (
        [station for station in stations if len(station.split()) >= STATION_WORDS_MIN]
        if stations
        else [text]
    )


def _of_own_subject(clauses: list[str]) -> list[str]:
    """The clauses without those that go on with what a person does: "she waits, has one page"."""
    if not clauses or not _NO_DEMAND.match(clauses[0]):
        return clauses
    return [clause for clause in clauses[1:] if verbs.opens_with_article(clause)]


def _is_behaviour(clause: str) -> bool:
    if _NO_DEMAND.search(clause) or _BY_HAND.search(clause) or evidence.says_none(clause):
        return False
    return verbs.told_by(clause) == "does" or evidence.is_plain(clause)


def _is_told_to_a_system(clause: str) -> bool:
    first, *more = verbs.words_in(clause) or [""]
    return first in _TO_SYSTEMS and bool(more)


def _is_shown_on_failure(line: Line) -> bool:
    """A row of "what fails | what one sees | who mends it", but for one of nothing to see."""
    cells = [cell.strip() for cell in line.text.split(CELL_END)]
    is_row = line.topic == "failures" and line.fragment.table == "row" and len(cells) > 1
    return is_row and bool(cells[1]) and not _NO_DEED.match(cells[1])


def _holds(text: str) -> bool:
    """ "`rows` is always a list", "Till needn't know members": what holds of a part."""
    line = evidence.meant(text)
    if evidence.is_unsure(line) or _NO_DEMAND.search(line) or _SAYS_WHAT_IT_IS.match(line):
        return False
    return bool(_OF_A_PART.search(line)) and verbs.told_by(line) in ("is", "does")


def _is_mended(text: str, responses: Iterable[str], *, is_asked: bool) -> bool:
    """True if a failure is refused, told to the user or answered by what the system does.

    `is_asked`: the step asks what follows, so that a thing is an answer too: "two mails".
    """
    if _REFUSES.match(evidence.meant(text)) or _SAYS_TO_USER.search(text):
        return True
    return any(
        _does(clause, is_asked=is_asked)
        for response in responses
        for clause in evidence.clauses_in(response)
    )


def _does(response: str, *, is_asked: bool) -> bool:
    if _NO_DEED.match(response) or _is_to_people(response) or evidence.says_none(response):
        return False
    if is_asked and not verbs.told_by(response) and any(map(str.isalpha, response)):
        return True
    is_deed = verbs.is_command(response) or verbs.told_by(response) in ("does", "did")
    return is_deed or verbs.opens_with_a_deed(response) or bool(_DEED.search(response))


def _is_to_people(line: str) -> bool:
    """ "Call Tom": a command to somebody, not to the system."""
    first, *more = verbs.words_in(line) or [""]
    is_told = first in evidence.TO_PEOPLE and more[:1] not in _NO_OBJECT
    return is_told or (weighing.opens_with_people(line) and not verbs.told_by(line))
