"""What a fragment is in the inception flow: the rules that turn sentences into kinds of claims.

What holds everywhere comes first: fillers, labels, open questions. Then the question that a line
takes up says what it is; without a number its words do, and last what the step is about.
"""

from collections.abc import Mapping
from typing import Final

from core import patterns
from core.brains.script.inception.labels import BELONGS, LABELS
from core.brains.script.inception.readers import READERS
from core.brains.script.inception.signs import ELSE, LINE_BY_LINE, asked_for, shown_in
from core.brains.script.inception.topics import BRIEF, Topic
from core.brains.script.parts.signs import is_excluded, is_open, is_question
from core.brains.script.readings import FACT, NOTHING, OPEN, OUT_OF_SCOPE, Reading, Readings, added
from core.brains.text.filler import is_filler, is_unknown
from core.brains.text.split import Fragment

_BECAUSE: Final = patterns.compile(r"(?:because|the reason is)\b", patterns.IGNORECASE)
_REASONED: Final[frozenset[Topic]] = frozenset({"stack", "architecture", "constitution"})


def readings(fragment: Fragment, topic: Topic, asked: Mapping[int, str]) -> Readings:
    """What a fragment says at a step on that topic."""
    question = asked.get(fragment.number or 0, "")
    found = _found(fragment, topic, question)
    more = {"question": str(fragment.number)} if question else {}
    return tuple(added(reading, more) for reading in found)


def _found(fragment: Fragment, topic: Topic, question: str) -> Readings:
    text, wanted = fragment.text, asked_for(question)
    if fragment.table == "head" or topic == "own":
        return FACT
    if is_unknown(text):
        return (added(OPEN, {"what": question} if question else {}),)
    if is_filler(text):
        # "Nothing" to "what would you change?" is what somebody says who has read it.
        return READERS[wanted](text) if wanted in ("constitution", "architecture") else FACT
    if fragment.code:
        return FACT
    return _labelled(fragment, topic) or _unlabelled(fragment, topic, wanted)


def _labelled(fragment: Fragment, topic: Topic) -> Readings:
    label, rest = LABELS[topic].label_of(fragment.text)
    label = label or fragment.label
    if label in BELONGS:
        return (Reading("fact", {label: rest.strip()}, onto=label),)
    if not label:
        return NOTHING
    beside = {"what": rest.strip()} if rest != fragment.text else {}
    return tuple(
        reading if "what" in reading.data else added(reading, beside)
        for reading in READERS[label](rest)
    )


def _unlabelled(fragment: Fragment, topic: Topic, wanted: str) -> Readings:
    text = fragment.text
    shown, usual = shown_in(text, topic), wanted or ELSE[topic]
    # "Nobody knows Rust" is a skill that is missing; "nobody knows the load", why it is untested.
    lacks = topic == "skills" or "test-gap" in (wanted, shown)
    if is_question(text) or (is_open(text) and not lacks):
        return (OPEN,)
    if topic in BRIEF and is_excluded(text):
        return (OUT_OF_SCOPE,)
    if topic in _REASONED and _BECAUSE.match(text):
        return (Reading("fact", {"reason": text.strip()}, onto="reason"),)
    if not fragment.opens and usual in LINE_BY_LINE:
        return READERS[shown or "fact"](text)
    return READERS[wanted or shown or usual](text)
