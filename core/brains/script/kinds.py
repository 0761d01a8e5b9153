"""What a fragment is: the order in which the rules turn people's sentences into kinds of claims.

What holds at every step comes first: fillers, labels, open questions; then what is known wherever
it is said; last the topic's own rule. In an inception the question that a line takes up says what
it is; without a number its words do, and last what the step is about.
"""

from collections.abc import Mapping
from typing import Final

from core.brains import lexicon
from core.brains.script.labelled import labelled
from core.brains.script.line_signs import LINE_BY_LINE, asked_for, shown_in
from core.brains.script.parts import phrases, weighing
from core.brains.script.parts.signs import RISK, is_open, is_question
from core.brains.script.readers import READERS
from core.brains.script.readings import FACT, NOTHING, OPEN, FragmentReading, Line, Readings, added
from core.brains.script.rules import of_group, own
from core.brains.script.topics import (
    GROUPS,
    RISKS_NAMED,
    Topic,
    group_of,
    is_of_inception,
    usual_reader,
)
from core.brains.text.filler import is_filler, is_unknown
from core.brains.text.split import Fragment
from core.domain.answers import ReadRequest

_BECAUSE: Final = lexicon.pattern("because")
_REASONED: Final[frozenset[Topic]] = frozenset({"stack", "architecture", "constitution"})
# "Nothing" to "what would you change?" is what somebody says who has read it.
_SAYS_NOTHING: Final = frozenset({"constitution", "architecture"})


def readings(
    fragment: Fragment, request: ReadRequest, topic: Topic, asked: Mapping[int, str]
) -> Readings:
    """What a fragment says at a step on that topic: a fact, unless a rule knows better."""
    question = asked.get(fragment.number or 0, "")
    group = group_of(request, topic)
    line = Line(fragment, request, topic, group, question, asked_for(question, topic))
    more = {"question": str(fragment.number)} if question else {}
    if group in GROUPS and not fragment.code:
        more |= phrases.files_in(fragment.text)
    return tuple(added(reading, more) for reading in _found(line))


def _found(line: Line) -> Readings:
    text, in_inception = line.text, is_of_inception(line.topic)
    if not line.group or line.fragment.table == "head":
        return FACT
    if is_unknown(text):
        return (added(OPEN, {"what": line.question} if line.question else {}),)
    if is_filler(text):
        wanted = next(iter(line.asks), "")
        return READERS[wanted](text) if in_inception and wanted in _SAYS_NOTHING else FACT
    if line.fragment.code:
        return FACT if in_inception else own(line)
    last = _by_its_words if in_inception else own
    return labelled(line) or _unanswered(line) or of_group(line) or last(line)


def _unanswered(line: Line) -> Readings:
    """A question, or words like "nobody knows yet"; such a sentence may be a risk as well."""
    text = line.text
    if is_question(text):
        return (OPEN,)
    if not is_open(text) or _tells_a_lack(line):
        return NOTHING
    threatens = line.group in RISKS_NAMED and RISK.search(text)
    return (OPEN, FragmentReading("risk", weighing.risk_in(text))) if threatens else (OPEN,)


def _tells_a_lack(line: Line) -> bool:
    """ "Nobody knows Rust" is a missing skill; "nobody knows the load", why it is untested."""
    shown = shown_in(line.text, line.topic)
    return line.topic == "skills" or "test-gap" in (*line.asks[:1], shown)


def _by_its_words(line: Line) -> Readings:
    """In an inception: what the question asks for, what the words show, what the step is about."""
    text, wanted = line.text, next(iter(line.asks), "")
    shown, usual = shown_in(text, line.topic), wanted or usual_reader(line.topic)
    if line.topic in _REASONED and _BECAUSE.match(text):
        return (FragmentReading("fact", {"reason": text.strip()}, onto="reason"),)
    if not line.fragment.opens and usual in LINE_BY_LINE:
        return READERS[shown or "fact"](text)
    return READERS[wanted or shown or usual](text)
