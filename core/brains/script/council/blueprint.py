"""Which line belongs to which file of the blueprint, and what it is there.

What is said in the phase itself is sorted by its labels and its form: "Name: what it does" is a
part, "Name: one, two" a thing with its fields. Of earlier phases only plain signs count, and what
is concluded from them is marked so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.script.council import transcript
from core.brains.script.council.domains import domains_of
from core.brains.script.council.transcript import CouncilLine, heard, is_of_phase, open_or_fact
from core.brains.script.criteria import NEEDS
from core.brains.script.parts import things, weighing
from core.brains.script.parts.phrases import PHRASE_CHARS_MAX, flows_in
from core.brains.script.readers import READERS, UNTESTED, FragmentReading, Readings, added
from core.brains.script.topics import LABELS, Topic, usual_reader
from core.brains.text.wording import words_of
from core.domain.answers import Claim, Confidence
from core.domain.lines import line_of
from core.domain.party.contributions import ConsultRequest

TOPIC_OF_FILE: Final[Mapping[str, Topic]] = {
    "architecture-overview.md": "architecture",
    "data-model.md": "data-model",
    "test-strategy-outline.md": "testing",
}
TOPIC_OF_KIND: Final[Mapping[str, Topic]] = {
    kind: topic
    for topic, kinds in {
        "architecture": ("module", "interface", "decision", "option", "permission"),
        "data-model": ("entity", "relation", "retention", "data"),
        "testing": ("test", "test-gap"),
    }.items()
    for kind in kinds
}
FIELD_WORDS_MAX: Final = 3
LINES_BEHIND_MAX: Final = 4  # from a period to another one of the same matter
ARROW: Final = patterns.compile(r"->|=>|→")

Place = tuple[str, Confidence]
"""What a line is in the blueprint, which is the reader that takes it, and how sure that is."""


def claims_of(request: ConsultRequest, file: str) -> tuple[Claim, ...]:
    """What was said for a file, in all phases so far; then what its readers will miss."""
    step, topic = transcript.step_of(request.phase, file), TOPIC_OF_FILE.get(file)
    if topic is None:  # a file of one's own: what its writer knows about
        return transcript.numbered(map(open_or_fact, transcript.on_subjects(request)), step)
    lines = list(_lines(request))
    periods = _on_retention(lines)
    claims = transcript.numbered(
        (
            claim
            for place, line in enumerate(lines)
            for claim in _claims_of_line(request, line, file, goes_on=place in periods)
        ),
        step,
    )
    claims = _restating(claims, request)
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


def _on_retention(lines: Iterable[CouncilLine]) -> frozenset[int]:
    """Places of lines with another period for what is kept, which they name or which was just
    spoken of: "ok 6 weeks then", "statistics: 10 years"."""
    periods: set[int] = set()
    words_kept: set[str] = set()  # of lines on what is kept
    lines_since = LINES_BEHIND_MAX
    for place, line in enumerate(lines):
        text = line.text[:PHRASE_CHARS_MAX]
        is_kept = _is_retention(text)
        is_behind = lines_since < LINES_BEHIND_MAX or not words_kept.isdisjoint(words_of(text))
        goes_on = not is_kept and is_behind and bool(_LONG_PERIOD.search(text))
        periods |= {place} if goes_on else set()
        words_kept |= words_of(text) if is_kept else set()
        lines_since = 0 if is_kept or goes_on else lines_since + 1
    return frozenset(periods)


def _restating(claims: Sequence[Claim], request: ConsultRequest) -> tuple[Claim, ...]:
    """The claims; a thing whose author gives its fields again stands in place of the older one."""
    authors = {answer.id: answer.by for answer in transcript.answers_of(request)}
    newest: dict[tuple[object, ...], tuple[Claim, set[str]]] = {}  # by its name and authors
    restating: list[Claim] = []
    for claim in claims:
        by = frozenset(map(authors.get, claim.sources))
        key = (claim.kind, claim.data.get("entity", "").casefold(), by)
        fields = {*things.fields_of(claim.data.get("fields", ""))}
        older, older_fields = newest.get(key, (None, set()))
        line = line_of(older) if older and claim.kind == "entity" else None
        is_whole = len(fields & older_fields) >= things.FIELDS_MIN
        restating.append(replace(claim, supersedes=(line,)) if line and is_whole else claim)
        newest[key] = claim, fields
    return tuple(restating)


def _claims_of_line(
    request: ConsultRequest, line: CouncilLine, file: str, *, goes_on: bool
) -> Iterator[Claim]:
    """What a line is in a file: nothing, where it belongs to another one.

    `goes_on`: it has a period for what the lines before it say of how long something is kept.
    """
    is_here = is_of_phase(request, line.answer)
    topic = TOPIC_OF_FILE[file]
    place = (
        None
        if line.fragment.table == "head"
        else _place_by_label(line)
        or _place_by_question(line)
        or (_place_by_form if is_here else _place_by_words)(line)
    )
    if goes_on and not line.is_open and (place is None or place[0] == "retention"):
        if topic == "data-model":
            yield transcript.claim_of(line, "retention")
        return
    if line.is_open or place is None:
        if is_here and file == next(iter(request.phase.outputs), ""):
            yield open_or_fact(line)  # what belongs nowhere is kept by the first of them
        return
    reader, confidence = place
    if TOPIC_OF_KIND[reader] == topic:
        lists_parts = _LISTS_PARTS.fullmatch(line.text[:PHRASE_CHARS_MAX])
        text = line.text if lists_parts else LABELS[topic].label_of(line.text)[1]
        for reading in _read(reader, text):
            yield transcript.claim_of(line, reading.kind, reading.data, confidence)


def _read(reader: str, text: str) -> Readings:
    """Parts and things keep their names, so that the others can look for them."""
    if reader == "data":
        return (FragmentReading("data"),)
    if reader == "entity" and (means := _MEANS.match(text[:PHRASE_CHARS_MAX])):
        return (FragmentReading("entity", {"entity": means["entity"]}),)
    if reader == "entity" and (amid := _THING_AMID.search(text[:PHRASE_CHARS_MAX])):
        text = amid["thing"]
    readings = READERS[reader](text)
    if reader != "module":
        return readings
    if listed := _LISTS_PARTS.fullmatch(text[:PHRASE_CHARS_MAX]):
        parts = things.fields_of(listed["parts"])
        names = (part.partition(" (")[0].strip(" .") for part in parts)
        return tuple(added(reading, {"module": name}) for reading in readings for name in names)
    name_and_text, acting = things.named_in(text), _ACTING.match(text[:PHRASE_CHARS_MAX])
    name = name_and_text[0] if name_and_text else acting["name"] if acting else ""
    return tuple(added(reading, {"module": name} if name else {}) for reading in readings)


# ── where a line belongs ───────────────────────────────────────────────────────────────────────

_NEEDS: Final = tuple(need for topic in TOPIC_OF_FILE.values() for need in NEEDS[topic])
_ACTING: Final = lexicon.pattern("acting")
_TESTS: Final = lexicon.pattern("tests")
_MEANS: Final = lexicon.pattern("means")
_THING_AMID: Final = lexicon.pattern("thing-amid", flags=0)
_SETS: Final = lexicon.compiled(lexicon.table("differences")["sets-number-of"])
_LONG_PERIOD: Final = lexicon.pattern("long-period")
_HOW_MANY: Final = lexicon.pattern("how-many-each")
_SHAPES_ALL: Final = lexicon.pattern("shapes-all")
_LISTS_PARTS: Final = lexicon.pattern("lists-parts")


def _place_by_label(line: CouncilLine) -> Place | None:
    for topic in TOPIC_OF_FILE.values():
        label = LABELS[topic].label_of(line.text)[0]
        label = label or (line.fragment.label if topic == "architecture" else "")
        if TOPIC_OF_KIND.get(label) == topic:
            return label, "stated"
    return None


def _place_by_question(line: CouncilLine) -> Place | None:
    """By the question that it takes up, unless its form shows another kind of the same file."""
    question = line.question
    need = next((need for need in _NEEDS if question and need.question == question.text), None)
    if question is None or need is None:
        return None
    by_form = _place_by_form(line)
    if by_form and by_form[0] != "module" and TOPIC_OF_KIND[by_form[0]] == question.domain:
        return by_form
    return need.kinds.partition(" ")[0] or usual_reader(question.domain), "stated"


def _place_by_form(line: CouncilLine) -> Place | None:
    """In the phase itself people speak of the blueprint."""
    text = line.text[:PHRASE_CHARS_MAX]
    name_and_text = things.named_in(text)
    signs: tuple[tuple[object, str], ...] = (
        (UNTESTED.search(text), "test-gap"),
        (_SHAPES_ALL.search(text), "decision"),
        (_LISTS_PARTS.fullmatch(text), "module"),
        (name_and_text and lexicon.pattern("test-level-alone").fullmatch(name_and_text[0]), "test"),
        (_TESTS.search(text), "test"),
        (_HOW_MANY.search(text) and things.relations_in(text), "relation"),
        (ARROW.search(text) and flows_in(text), "interface"),
        ("from" in _names("relation", text), "relation"),
        (_is_retention(text), "retention"),
        (weighing.options_in(text), "option"),
        (_has_fields(text), "entity"),
        ((amid := _THING_AMID.search(text)) and _has_fields(amid["thing"]), "entity"),
        (flows_in(text), "interface"),
        (name_and_text or _ACTING.match(text), "module"),
    )
    return next(((reader, "stated") for sign, reader in signs if sign), None)


def _place_by_words(line: CouncilLine) -> Place | None:
    """In an earlier phase they spoke of something else, and it may tell something here as well."""
    text, about = line.text[:PHRASE_CHARS_MAX], next(iter(domains_of(line)), "")
    is_thing = _has_fields(text) and text[:2].casefold() in ("a ", "an")
    signs: tuple[tuple[object, str, Confidence], ...] = (
        (UNTESTED.search(text), "test-gap", "stated"),
        (_TESTS.search(text), "test", "stated"),
        (ARROW.search(text) and flows_in(text) and not _SETS.match(text), "interface", "stated"),
        (_is_retention(text), "retention", "stated"),
        (is_thing, "entity", "stated"),
        (about == "systems", "interface", "inferred"),
        (about == "terms" and _MEANS.match(text), "entity", "inferred"),
        (about == "terms", "data", "inferred"),
        (about == "feasibility", "test", "inferred"),
    )
    return next(((reader, confidence) for sign, reader, confidence in signs if sign), None)


def _names(reader: str, text: str) -> Mapping[str, str]:
    """What a line names, read as one of a kind."""
    return next((reading.data for reading in READERS[reader](text)), {})


def _is_retention(text: str) -> bool:
    return things.is_kept(text) and "period" in _names("retention", text)


def _has_fields(text: str) -> bool:
    """A name with two fields at least, none of which is a sentence."""
    fields = things.fields_of(_names("entity", text).get("fields", ""))
    return len(fields) >= things.FIELDS_MIN and all(
        len(field.partition("(")[0].split()) <= FIELD_WORDS_MAX for field in fields
    )
