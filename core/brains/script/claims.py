"""From answers to claims: one for each thing said, with everybody who said it as its source."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from core.brains import lexicon
from core.brains.script.kinds import readings, sorts
from core.brains.script.parts import checks, exclusions, phrases
from core.brains.script.parts.counts import count_in
from core.brains.script.parts.signs import EXPLICIT
from core.brains.script.parts.things import named_in
from core.brains.script.readers import FragmentReading, Readings
from core.brains.script.rules import forms, risk_sentences
from core.brains.script.scan import file_counts
from core.brains.script.topics import LABELS, RISKS_NAMED, Topic, group_of, is_of_inception
from core.brains.text.questions import Fragment, questions_of, with_numbers
from core.brains.text.split import split
from core.brains.text.wording import gist, plain, words_of
from core.domain.answers import Answer, Claim, ClaimKind, ReadRequest
from core.domain.ids import AnswerId, StepId

# Topics of an inception that ask for a line for each thing, which begins with its name.
_NAMED_LINES: Final = frozenset({"stack", "architecture", "data-model", "testing"})

# Which lines take what belongs to them, by the key under which they keep it.
TAKES: Final[Mapping[str, frozenset[ClaimKind]]] = {
    "check": frozenset({"requirement", "story", "quality"}),
    "likelihood": frozenset({"risk"}),
    "impact": frozenset({"risk"}),
    "mitigation": frozenset({"risk"}),
    "reason": frozenset({"decision", "option", "stack", "article"}),
    "fields": frozenset({"entity"}),
    "for": frozenset({"option"}),
    "against": frozenset({"option"}),
}
_NO_IDENTITY: Final = frozenset(
    {"question", "of", *TAKES}
)  # may differ between two who say the same
_RULES: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})
Key = tuple[object, ...]


Together = Callable[[Sequence[Fragment], Sequence[Readings]], Sequence[Readings]]


def _each_alone(_: Sequence[Fragment], read: Sequence[Readings]) -> Sequence[Readings]:
    return read


@dataclass(frozen=True, slots=True)
class Manner:
    """How a flow takes answers apart, and what a fragment of them is there.

    `sorts`: whether a heading's label means anything; `own_list`: whether a numbered line can be
    one of a list of people's own; `together`: what an answer's fragments are beside each other;
    `apart`: the fragments that one is made of; `joined`: those of a text, some of them as one.
    """

    readings: Callable[[Fragment, ReadRequest, Mapping[int, str]], Readings]
    sorts: Callable[[str], bool]
    heading: Callable[[str], str]
    own_list: Callable[[str], bool] | None = None
    together: Together = _each_alone
    apart: Callable[[Fragment], Sequence[Fragment]] = lambda fragment: (fragment,)
    joined: Callable[[Sequence[Fragment], str], Sequence[Fragment]] = lambda pieces, _: pieces


@dataclass(slots=True)
class _Heap:
    """The claims read so far, by what they say: whoever says it again is one more source.

    A part (a check, a reason, a likelihood) belongs to the last line of its answer that takes such
    parts. A check that is a line of its own is of the line right before it; where something else
    was said in between, of the line that shares most words with it.

    `takers`: the lines of this answer that take each key, in order; an empty key for an item that
    takes none. `checked`: the line before each check that stands behind one. `is_apart`: whether
    something else was said since, `is_lines_apart`: whether on a line of its own. `last`: the line
    that was said last.
    """

    claims: dict[Key, Claim] = field(default_factory=dict)
    takers: dict[str, dict[Key, None]] = field(default_factory=dict)
    checked: dict[Key, Key] = field(default_factory=dict)
    is_apart: bool = False
    is_lines_apart: bool = False
    last: Key | None = None

    def taker(self, reading: FragmentReading) -> Key | None:
        takers = list(self.takers.get(reading.onto or reading.kind, ()))
        return (takers[-1] or None) if takers and (len(takers) == 1 or not reading.of_one) else None

    def passes(self, fragment: Fragment, read: Readings) -> None:
        """Behind an item of a list that takes no check, a check is not of those before it."""
        takes_it = any(reading.kind in (*TAKES["check"], "check", "question") for reading in read)
        self.is_apart = not takes_it
        self.is_lines_apart = not takes_it and (self.is_lines_apart or fragment.opens)
        if fragment.item and fragment.opens and not takes_it:
            self.takes_last("check", ())

    def checks(self, key: Key, check: str, reading: FragmentReading) -> None:
        """A check is of the line right before it; further off of the one that has its words."""
        line = self.taker(reading)
        if line and self.is_apart:
            words, lines = words_of(check), list(filter(None, self.takers[reading.kind]))
            shared = {
                candidate: len(words & words_of(self.claims[candidate].text))
                for candidate in reversed(lines)
            }
            line = max(shared, key=lambda candidate: shared[candidate])
            line = line if shared[line] or (len(lines) == 1 and not self.is_lines_apart) else None
        if line:
            self.checked.setdefault(key, line)

    def takes_last(self, name: str, key: Key) -> None:
        takers = self.takers.setdefault(name, {})
        takers.pop(key, None)
        takers[key] = None


def said_in(request: ReadRequest, topic: Topic, manner: Manner | None = None) -> tuple[Claim, ...]:
    """The claims of the answers, as they are read at a topic, or in a manner of one's own.

    Answer by answer: it is split into fragments, each is read alone, then all beside each other,
    and every reading is put on the heap in turn, the files of the answer last. Parts go to lines of
    the same answer, and to a risk with which its author ended the answer before; what helps against
    it, anybody may say.
    """
    heap, questions = _Heap(), questions_of(request)
    how = manner or manner_of(topic, group_of(request, topic))
    previous = None
    for answer in request.answers:
        heap.takers.clear()
        risk = heap.last if previous else None
        is_same_author = previous is not None and previous.by == answer.by
        previous = answer
        text = with_numbers(answer.text, questions) if is_of_inception(topic) else answer.text
        pieces = split(text, len(questions), how.own_list, how.sorts, how.heading)
        pieces = tuple(how.joined(pieces, text))
        fragments = [part for fragment in pieces for part in how.apart(fragment)]
        own_readings = [how.readings(fragment, request, questions) for fragment in fragments]
        every = list(how.together(fragments, own_readings))
        if risk and every and heap.claims[risk].kind == "risk":
            if is_same_author:
                every[0] = forms.weighed_behind_risk(fragments[0], every[0])
            for onto in (
                reading.onto for reading in every[0] if "risk" in TAKES.get(reading.onto, ())
            ):
                if is_same_author or onto == "mitigation":
                    heap.takes_last(onto, risk)
        for fragment, read in zip(fragments, every, strict=True):
            for reading in read:
                final_reading = _as_assumption(reading) if answer.source == "draft" else reading
                _put_reading(heap, fragment.text, final_reading, answer, request.step.id)
            heap.passes(fragment, read)
        for file in answer.files:
            shared = FragmentReading("fact", {"file": file.permalink})
            _put_reading(heap, file.name, shared, answer, request.step.id)
    return _with_ids(heap, request.step.id)


def _with_ids(heap: _Heap, step: StepId) -> tuple[Claim, ...]:
    """The claims in order, each check with the words of the line that it follows."""
    ids = {key: f"{step}/{number}" for number, key in enumerate(heap.claims, start=1)}
    of = {key: {"of": heap.claims[line].text} for key, line in heap.checked.items() if line in ids}
    return tuple(
        replace(claim, id=ids[key], data={**claim.data, **of.get(key, {})})
        for key, claim in heap.claims.items()
    )


def _as_assumption(reading: FragmentReading) -> FragmentReading:
    """A line of a draft: somebody confirmed it, and nobody said it."""
    return FragmentReading("assumption", reading.data, "assumed")


_BESIDE: Final[Mapping[str, Together]] = {
    "requirements": lambda fragments, read: forms.tested(fragments, forms.rated(fragments, read)),
    "scan": file_counts.together,
    "architecture": forms.argued,
}


def manner_of(topic: Topic, group: str) -> Manner:
    """How answers are read at a topic."""

    def read(fragment: Fragment, request: ReadRequest, questions: Mapping[int, str]) -> Readings:
        return readings(fragment, request, topic, questions)

    heading = LABELS[topic].heading_of
    beside = _BESIDE.get(group, _each_alone)
    listed = forms.listed_together if topic == "features" else _each_alone
    weighed = forms.weighed if group in RISKS_NAMED else _each_alone

    def together(
        fragments: Sequence[Fragment], own_readings: Sequence[Readings]
    ) -> Sequence[Readings]:
        return weighed(fragments, beside(fragments, listed(fragments, own_readings)))

    manner = Manner(
        read, partial(sorts, topic=topic, group=group), heading, _own_list(topic), together
    )
    apart = partial(_split_demand, topic=topic, group=group)
    return replace(manner, apart=apart, joined=partial(risk_sentences.joined, topic=topic))


def _split_demand(fragment: Fragment, topic: Topic, group: str) -> Sequence[Fragment]:
    """What a line is made of: a demand and its check, the things of a list that is left out."""
    if is_of_inception(topic) or not sorts("out-of-scope", topic, group):
        return (fragment,)
    parts = checks.check_apart(fragment) if group == "requirements" else [fragment]
    label_of = LABELS[topic].label_of
    return [piece for part in parts for piece in exclusions.listed_apart(part, label_of)]


def _own_list(topic: Topic) -> Callable[[str], bool] | None:
    """Tells a numbered line of a list of people's own: "Database: …", "Every change …"."""
    if topic in ("features", "stories"):
        return lambda text: bool(phrases.story_in(text) or EXPLICIT.match(text) or " must " in text)
    if topic == "constitution":
        return lambda text: bool(lexicon.pattern("states-a-rule").search(text))
    if topic == "file-count":
        return _counts_a_kind
    labels = LABELS[topic]
    if topic in _NAMED_LINES:
        return lambda text: named_in(text) is not None and not labels.label_of(text)[0]
    return None


def _counts_a_kind(text: str) -> bool:
    count = count_in(text, counting=True)
    return count is not None and count.sort == "kind"


def _put_reading(
    heap: _Heap, text: str, reading: FragmentReading, answer: Answer, step: StepId
) -> None:
    if reading.onto and (taker := heap.taker(reading)):
        heap.claims[taker], heap.last = _add_part(heap.claims[taker], reading, answer), taker
        return
    key = _key(text, reading)
    claim = heap.claims.get(key) or Claim(
        "", step, reading.kind, text, (), reading.confidence, data=reading.data
    )
    if reading.kind == "scope":
        heap.claims.pop(key, None)  # said again is said later, and the latest size holds
    heap.claims[key] = replace(
        claim,
        sources=_sources(claim, answer),
        data={**reading.data, **claim.data},
    )
    heap.last = key
    if reading.kind == "check":
        heap.checks(key, text, reading)
    for name, kinds in TAKES.items():
        if reading.kind in kinds and not (reading.onto or reading.says_more):
            heap.takes_last(name, key)


def _add_part(claim: Claim, reading: FragmentReading, answer: Answer) -> Claim:
    """The claim with a check, a reason … more, each on a line of its own."""
    old_text = claim.data.get(reading.onto, "")
    lines = dict.fromkeys((*old_text.split("\n"), reading.data[reading.onto]))
    together = "\n".join(line for line in lines if line)
    more = {key: value for key, value in reading.data.items() if key not in claim.data}
    return replace(
        claim,
        sources=_sources(claim, answer),
        data={**more, **claim.data, reading.onto: together},
    )


def _sources(claim: Claim, answer: Answer) -> tuple[AnswerId, ...]:
    return tuple(dict.fromkeys((*claim.sources, answer.id)))


def _key(text: str, reading: FragmentReading) -> Key:
    data = ((key, plain(value)) for key, value in reading.data.items() if key not in _NO_IDENTITY)
    question = reading.data.get("question") if _is_short(text) else None
    is_rule = reading.kind in _RULES and not text.startswith("```")
    return (reading.kind, (gist if is_rule else plain)(text), frozenset(data), question)


def _is_short(text: str) -> bool:
    """ "None." to two questions is two answers; a whole sentence said twice is one."""
    return len(text.split()) < 4
