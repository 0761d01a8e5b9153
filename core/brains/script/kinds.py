"""What a fragment is: the order in which the rules turn people's sentences into kinds of claims.

What holds at every step comes first: fillers, labels, open questions; then what is known wherever
it is said; last the topic's own rule. In an inception the question that a line takes up says what
it is; without a number its words do, and last what the step is about.
"""

from collections.abc import Mapping
from typing import Any, Final

from core.brains import lexicon
from core.brains.script import readers, rules
from core.brains.script.line_signs import LINE_BY_LINE, asked_for, shown_in
from core.brains.script.parts import phrases, signs, weighing
from core.brains.script.parts.priority import ranked
from core.brains.script.readers import (
    FACT,
    NOTHING,
    READERS,
    FragmentReading,
    Line,
    Readings,
    added,
)
from core.brains.script.topics import (
    BELONGS,
    GROUPS,
    LABELS,
    RISKS_NAMED,
    Topic,
    group_of,
    is_of_inception,
    usual_reader,
)
from core.brains.text.filler import is_filler, is_unknown
from core.brains.text.split import Fragment
from core.domain.answers import ReadRequest

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
    return tuple(added(reading, more) for reading in _readings(line))


def _readings(line: Line) -> Readings:
    text, in_inception = line.text, is_of_inception(line.topic)
    if not line.group or line.fragment.table == "head":
        return FACT
    if is_unknown(text):
        return (added(readers.OPEN, {"what": line.question} if line.question else {}),)
    if is_filler(text):
        wanted = next(iter(line.asks), "")
        return READERS[wanted](text) if in_inception and wanted in _SAYS_NOTHING else FACT
    if line.fragment.code:
        return FACT if in_inception else rules.own(line)
    last = _by_its_words if in_inception else rules.own
    return labelled(line) or _unanswered(line) or rules.of_group(line) or last(line)


def _unanswered(line: Line) -> Readings:
    """A question, or words like "nobody knows yet"; such a sentence may be a risk as well."""
    text = line.text
    if signs.is_question(text):
        return (readers.OPEN,)
    if not signs.is_open(text) or _tells_a_lack(line):
        return NOTHING
    threatens = line.group in RISKS_NAMED and signs.RISK.search(text)
    return (readers.OPEN, *(READERS["risk"](text) if threatens else ()))


def _tells_a_lack(line: Line) -> bool:
    """ "Nobody knows Rust" is a missing skill; "nobody knows the load", why it is untested."""
    shown = shown_in(line.text, line.topic)
    return line.topic == "skills" or "test-gap" in (*line.asks[:1], shown)


def _by_its_words(line: Line) -> Readings:
    """In an inception: what the question asks for, what the words show, what the step is about."""
    text, wanted = line.text, next(iter(line.asks), "")
    shown, usual = shown_in(text, line.topic), wanted or usual_reader(line.topic)
    if line.topic in _REASONED and lexicon.pattern("because").match(text):
        return (FragmentReading("fact", {"reason": text.strip()}, onto="reason"),)
    if not line.fragment.opens and usual in LINE_BY_LINE:
        return READERS[shown or "fact"](text)
    return READERS[wanted or shown or usual](text)


# ── lines that people label themselves ─────────────────────────────────────────────────────────

_LABELS: Final = {row["name"]: row for row in lexicon.table("labels")["analysis"]}


def sorts(label: str, topic: Topic, group: str) -> bool:
    """True if a label makes anything of the lines below it at a topic of that group."""
    if is_of_inception(topic) or not label:
        return bool(label)
    at = _LABELS[label]["at"]
    return group in (GROUPS if at == "everywhere" else at)


def _reading(row: Mapping[str, Any]) -> FragmentReading:
    data = {"topic": row["topic"]} if "topic" in row else {}
    confidence = row.get("confidence", "stated")
    return FragmentReading(row["kind"], data, confidence, row.get("onto", ""))


def labelled(line: Line) -> Readings:
    """What the label of a line, or of the heading that it stands under, makes of it."""
    label, rest = LABELS[line.topic].label_of(line.text)
    in_inception, speaks = is_of_inception(line.topic), _speaks_for_itself(line.text)
    if not label and line.group == "requirements" and speaks:
        return NOTHING
    label = label or line.fragment.label
    if in_inception:
        return _as_its_reader_says(line, label, rest) if label else NOTHING
    if not sorts(label, line.topic, line.group):
        return NOTHING
    if label in readers.MOSCOW:
        return _under_moscow(line, label, rest)
    if label == "user":
        role = weighing.actor_in(rest) or rest
        return (FragmentReading("fact", {"topic": "user", "role": role.strip(" .")}),)
    if label in ("chosen", "rejected"):
        return _labelled_choice(label, rest, line.topic)
    reading = _reading(_LABELS[label])
    if reading.onto:
        value = rest.strip() if reading.onto == "acceptance" else rest.strip(" .")
        return (added(reading, {reading.onto: value}),)
    return (_detailed(added(reading, _without_label(line, rest)), rest),)


def _as_its_reader_says(line: Line, label: str, rest: str) -> Readings:
    """In an inception a label names a reader, or what belongs to the line before it."""
    if label in BELONGS:
        return (FragmentReading("fact", {label: rest.strip()}, onto=label),)
    beside = _without_label(line, rest)
    return tuple(
        reading if "what" in reading.data else added(reading, beside)
        for reading in READERS[label](rest)
    )


def _speaks_for_itself(text: str) -> bool:
    """A story or a check under a heading such as "Must:" is one all the same."""
    return phrases.is_check(text) or phrases.story_in(text) is not None


def _without_label(line: Line, rest: str) -> dict[str, str]:
    return {"what": rest.strip()} if rest != line.text else {}


def _detailed(reading: FragmentReading, text: str) -> FragmentReading:
    """A risk with how likely and how bad it is, a failure with what follows it."""
    if reading.kind == "risk":
        return added(reading, weighing.risk_in(text))
    if reading.kind == "error":
        return added(reading, phrases.failure_in(text, asked=True) or {})
    return reading


def _under_moscow(line: Line, label: str, rest: str) -> Readings:
    """`Must: …` ranks the requirements it names; where they are collected it makes one."""
    requirements = readers.known_lines(line.request.claims, "requirement")
    if ranks := ranked(f"{label}: {rest}", requirements):
        return readers.ranks_as_readings(ranks)
    if line.topic == "priorities":
        return NOTHING
    if label == "won't":
        return (added(readers.OUT_OF_SCOPE, _without_label(line, rest)),)
    return (FragmentReading("requirement", {"priority": label, **_without_label(line, rest)}),)


def _labelled_choice(label: str, rest: str, topic: Topic) -> Readings:
    reason = next(
        (choice["reason"] for choice in weighing.choices_in(rest) if "reason" in choice), ""
    )
    option = rest.strip() if not reason else rest.partition(reason)[0].rsplit(None, 1)[0]
    data = {"choice": label, "option": option.strip(" ,.;")}
    data |= {"reason": reason} if reason else {}
    settles = label == "chosen" and topic == "decisions"
    return (FragmentReading("decision" if settles else "option", data),)
