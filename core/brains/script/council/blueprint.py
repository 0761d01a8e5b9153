"""Which line belongs to which file of the blueprint, and what it is there.

What is said in the phase itself is sorted by its labels and its form: "Name: what it does" is a
part, "Name: one, two" a thing with its fields. Of earlier phases only plain signs count, and what
is concluded from them is marked so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council import transcript
from core.brains.script.council.domains import domains_of
from core.brains.script.council.transcript import CouncilLine, heard, is_of_phase, open_or_fact
from core.brains.script.labels import BELONGS, LABELS
from core.brains.script.needs import NEEDS
from core.brains.script.parts import things, weighing
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX, flows_in
from core.brains.script.readers import READERS, UNTESTED
from core.brains.script.readings import FragmentReading, Readings, added
from core.brains.script.topics import Topic
from core.domain.answers import Claim, Confidence
from core.domain.party.contributions import ConsultRequest

TOPIC_OF_FILE: Final[Mapping[str, Topic]] = {
    "architecture-overview.md": "architecture",
    "data-model.md": "data-model",
    "test-strategy-outline.md": "testing",
}
FIELD_WORDS_MAX: Final = 3
ARROW: Final = patterns.compile(r"->|=>|→")


@dataclass(frozen=True, slots=True)
class BlueprintPlace:
    """Where a line belongs, and the reader of the inception that tells what it is there."""

    topic: Topic
    reader: str
    confidence: Confidence = "stated"


def claims_of(request: ConsultRequest, file: str) -> tuple[Claim, ...]:
    """What was said for a file, in all phases so far; then what its readers will miss."""
    step, topic = transcript.step_of(request.phase, file), TOPIC_OF_FILE.get(file)
    if topic is None:  # a file of one's own: what its writer knows about
        return transcript.numbered(map(open_or_fact, transcript.on_subjects(request)), step)
    lines = (claim for line in _lines(request) for claim in _of(request, line, file))
    claims = transcript.numbered(lines, step)
    return transcript.with_unanswered(claims, missing(topic, claims), step)


def missing(topic: Topic, claims: Sequence[Claim]) -> Iterator[str]:
    """What the classic mode would ask for here, and nobody said."""
    for need in NEEDS[topic]:
        kinds = set(need.kinds.split())
        of_kind = any(claim.kind in kinds for claim in claims)
        if not (of_kind if kinds else need.is_said_in(claim.text for claim in claims)):
            yield need.question


def _lines(request: ConsultRequest) -> Iterator[CouncilLine]:
    """What was said on the blueprint in its own phase comes before what is read into it."""
    lines = heard(request, "architecture")
    yield from sorted(lines, key=lambda line: not is_of_phase(request, line.answer))


def _of(request: ConsultRequest, line: CouncilLine, file: str) -> Iterator[Claim]:
    """What a line is in a file: nothing, where it belongs to another one."""
    here = is_of_phase(request, line.answer)
    topic = TOPIC_OF_FILE[file]
    place = None if line.is_open else _labelled(line) or (_said if here else _told)(line)
    if place and place.topic == topic:
        text = LABELS[topic].label_of(line.text)[1]
        for reading in _read(place.reader, text):
            yield transcript.claim_of(line, reading.kind, reading.data, place.confidence)
    elif here and place is None and file == next(iter(request.phase.outputs), ""):
        yield open_or_fact(line)  # what belongs nowhere is kept by the first of them


def _read(reader: str, text: str) -> Readings:
    """Parts and things keep their names, so that the others can look for them."""
    if reader == "data":
        return (FragmentReading("data"),)
    if reader == "entity" and (means := _MEANS.match(text[:PHRASE_CHARS_MAX])):
        return (FragmentReading("entity", {"entity": means["entity"]}),)
    readings = READERS[reader](text)
    if reader != "module":
        return readings
    named, acting = things.named_in(text), _ACTING.match(text[:PHRASE_CHARS_MAX])
    name = named[0] if named else acting["name"] if acting else ""
    return tuple(added(reading, {"module": name} if name else {}) for reading in readings)


# ── where a line belongs ───────────────────────────────────────────────────────────────────────

_BY_LABEL: Final[Sequence[Topic]] = ("architecture", "data-model", "testing")
_ACTING: Final = lexicon.pattern("acting")
_TESTS: Final = lexicon.pattern("tests")
_LEVEL: Final = lexicon.pattern("test-level-alone")
_MEANS: Final = lexicon.pattern("means")


def _labelled(line: CouncilLine) -> BlueprintPlace | None:
    for topic in _BY_LABEL:
        label = LABELS[topic].label_of(line.text)[0]
        label = label or (line.fragment.label if topic == "architecture" else "")
        if label in _OWN_LABELS[topic]:
            return BlueprintPlace(topic, label)
    return None


_OWN_LABELS: Final[Mapping[Topic, frozenset[str]]] = {
    "architecture": frozenset({"module", "interface", "option", "decision"}),
    "data-model": frozenset({"entity", "relation", "retention"}) - BELONGS,
    "testing": frozenset({"test-gap"}),
}


def _said(line: CouncilLine) -> BlueprintPlace | None:
    """In the phase itself people speak of the blueprint."""
    text = line.text[:PHRASE_CHARS_MAX]
    named = things.named_in(text)
    signs: tuple[tuple[object, BlueprintPlace], ...] = (
        (_untested(text), BlueprintPlace("testing", "test-gap")),
        (named and _LEVEL.fullmatch(named[0]), BlueprintPlace("testing", "test")),
        (_TESTS.search(text), BlueprintPlace("testing", "test")),
        (ARROW.search(text) and flows_in(text), BlueprintPlace("architecture", "interface")),
        ("from" in _names("relation", text), BlueprintPlace("data-model", "relation")),
        (_is_retention(text), BlueprintPlace("data-model", "retention")),
        (weighing.options_in(text), BlueprintPlace("architecture", "option")),
        (_has_fields(text), BlueprintPlace("data-model", "entity")),
        (flows_in(text), BlueprintPlace("architecture", "interface")),
        (named or _ACTING.match(text), BlueprintPlace("architecture", "module")),
    )
    return next((place for sign, place in signs if sign), None)


def _told(line: CouncilLine) -> BlueprintPlace | None:
    """In an earlier phase they spoke of something else, and it may tell something here as well."""
    text, about = line.text[:PHRASE_CHARS_MAX], domains_of(line)[:1]
    signs: tuple[tuple[object, BlueprintPlace], ...] = (
        (_untested(text), BlueprintPlace("testing", "test-gap")),
        (_TESTS.search(text), BlueprintPlace("testing", "test")),
        (ARROW.search(text) and flows_in(text), BlueprintPlace("architecture", "interface")),
        (_is_retention(text), BlueprintPlace("data-model", "retention")),
        (
            _has_fields(text) and text[:2].casefold() in ("a ", "an"),
            BlueprintPlace("data-model", "entity"),
        ),
        (about == ("systems",), BlueprintPlace("architecture", "interface", "inferred")),
        (
            about == ("terms",) and _MEANS.match(text),
            BlueprintPlace("data-model", "entity", "inferred"),
        ),
        (about == ("terms",), BlueprintPlace("data-model", "data", "inferred")),
        (about == ("feasibility",), BlueprintPlace("testing", "test", "inferred")),
    )
    return next((place for sign, place in signs if sign), None)


def _untested(text: str) -> bool:
    return bool(UNTESTED.search(text))


def _names(reader: str, text: str) -> Mapping[str, str]:
    """What a line names, read as one of a kind."""
    return next((reading.data for reading in READERS[reader](text)), {})


def _is_retention(text: str) -> bool:
    return things.is_kept(text) and "period" in _names("retention", text)


def _has_fields(text: str) -> bool:
    """A name with two fields at least, none of which is a sentence."""
    fields = things.fields_of(_names("entity", text).get("fields", ""))
    return len(fields) >= things.FIELDS_MIN and all(
        len(field.split()) <= FIELD_WORDS_MAX for field in fields
    )
