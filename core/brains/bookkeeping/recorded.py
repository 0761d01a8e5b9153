"""What a reading changed, in people's terms: who said what, where they differ, what is missing.

A few lines are quoted, short and by person; all of them stand, sorted, in the step's message and
file. Plain text on one line; nobody's words can end their own quote.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from core.brains import lexicon
from core.brains.bookkeeping.conflicts import VALUE_CHARS_MAX, Disagreement
from core.brains.bookkeeping.spoken import spoken
from core.brains.text.filler import is_closing
from core.domain.answers import Claim, Claims, ReadRequest
from core.domain.ids import AnswerId, UserId
from core.domain.lines import superseded
from core.english import joined

NAMES_SHOWN_MAX: Final = 3
QUOTES_MAX: Final = 3
QUOTE_CHARS_MAX: Final = 110
DIFFERENCES_SHOWN_MAX: Final = 2
NAME_CHARS_MAX: Final = 60
ALL_WITHDRAWN: Final = "All answers to this step were withdrawn."
NOTHING: Final = "Nothing to write down yet."

_WORDS: Final[Mapping[str, Any]] = lexicon.table("reflection")
_ORDER: Final = {kind: place for place, kind in enumerate(_WORDS["first"])}
_LEADS: Final[Mapping[str, str]] = _WORDS["leads"]
_BECAME: Final[Mapping[str, str]] = _WORDS["became"]
_MARKS: Final = str.maketrans({"“": "‘", "”": "’", "„": "‚", '"': "'"})
_SCAN_WORDS: Final[Mapping[str, str]] = {
    "scope": "{}",
    "file_count": "{}",
    "complexity": "{} complexity",
    "confidence": "{} confidence",
}


def recorded(
    request: ReadRequest, claims: Claims, differences: Sequence[Disagreement], missing: str = ""
) -> str:
    """What people said since the last reading, on what they differ, and what nobody said.

    `missing`: words that can stand as a sentence ("nobody has said who benefits"), or none. Of the
    same answers, read once more with what a model made of them, nobody needs another line.
    """
    if not request.answers:
        return ALL_WITHDRAWN
    if request.reflected:
        points, old_points = spoken(claims), spoken(request.previous)
        if not (_without(points, old_points) or _without(old_points, points)):
            return request.reflected
        request = replace(request, previous=())
    sentences = (
        *_changes(request, claims),
        *_sentences_of_differences(request, differences),
        *([f"{_begun(missing.rstrip('.'))}."] if missing else []),
    )
    # Somebody may have changed how a line stands to another, and nothing that it says.
    return " ".join(sentences or _sentences_of_standing(request, spoken(claims)))


def _changes(request: ReadRequest, claims: Claims) -> Iterator[str]:
    points, old_points = spoken(claims), spoken(request.previous)
    new = _without(points, old_points)
    removed = _without(old_points, points)
    kinds = {(_words(claim), claim.kind) for claim in removed}
    moved = {words for words, _ in kinds} & {_words(claim) for claim in new}
    fresh = tuple(claim for claim in new if _words(claim) not in moved)
    lost = tuple(claim for claim in removed if _words(claim) not in moved)
    if fresh:
        yield from _quote_claims(request, fresh, _replaced_refs(request, points, fresh, lost))
        yield from _sentence_of_size(fresh, points)
    elif lost:
        others_stand = " The rest stands." if points else ""
        yield f"Taken out: {_quotes(lost)}.{others_stand}"
    moved_claims = (claim for claim in new if _words(claim) in moved)
    sorted_anew = [claim for claim in moved_claims if (_words(claim), claim.kind) not in kinds]
    yield from _sentences_of_moved(sorted_anew)
    if not (fresh or lost or sorted_anew):  # at most what a line belongs to or replaces changed
        yield from _sentences_of_standing(request, points)


def _sentences_of_standing(request: ReadRequest, points: Claims) -> Iterator[str]:
    """Nothing came, or nothing that says something of the item."""
    if points and request.previous:
        yield f"Nothing new; what was said stands: {_quotes(points)}."
    elif points:
        yield from _quote_claims(request, points, {})
        yield from _sentence_of_size(points, points)
    elif any(is_closing(answer.text) for answer in request.answers):
        yield f"{_people(request, [answer.by for answer in request.answers])}: nothing to add here."
    else:
        yield NOTHING


def _quote_claims(
    request: ReadRequest, claims: Claims, replaced: Mapping[str, str]
) -> Iterator[str]:
    """The lines that matter most, quoted by person; asides are only told where nothing else is."""
    drafts = tuple(claim for claim in claims if claim.is_confirmed_draft)
    if len(drafts) == len(claims):
        yield f"Assumed, confirmed by {speakers(request, drafts)}: {_quotes(drafts)}."
        return
    lines = tuple(claim for claim in claims if claim.kind != "note")
    if not lines:
        yield f"From {speakers(request, claims)}, in passing: {_quotes(claims)}."
        return
    ranked = sorted(_each_once(lines), key=lambda claim: _ORDER.get(claim.kind, len(_ORDER)))
    by_person: dict[str, list[Claim]] = {}
    for claim in ranked:
        by_person.setdefault(speakers(request, (claim,)), []).append(claim)
    firsts = [their_lines[0] for their_lines in by_person.values()]
    quotable = [*firsts, *(claim for claim in ranked if claim not in firsts)][:QUOTES_MAX]
    for people, their_lines in by_person.items():
        if quoted := [claim for claim in their_lines if claim in quotable]:
            yield f"From {people}{_lead_of_claims(request, quoted, replaced)}."
    if len(ranked) > len(quotable):
        yield "More of it is sorted below."


def _lead_of_claims(
    request: ReadRequest, claims: Sequence[Claim], replaced: Mapping[str, str]
) -> str:
    """`: “hold a slot”, “text the patient”; left out: “recurring visits”`"""
    by_lead: dict[str, list[str]] = {}
    for claim in claims:
        instead = f" instead of {replaced[claim.id]}" if claim.id in replaced else ""
        by_lead.setdefault(_lead(claim), []).append(f"{_subject(request, claim)}{instead}")
    plain = by_lead.pop("", [])
    led = [f"{lead}: {', '.join(quotes)}" for lead, quotes in by_lead.items()]
    return f": {'; '.join([', '.join(plain), *led])}" if plain else f", {'; '.join(led)}"


def _lead(claim: Claim) -> str:
    if claim.kind == "priority":
        return claim.data.get("priority", "")
    return "a file" if "file" in claim.data else _LEADS.get(claim.kind, "")


def _subject(request: ReadRequest, claim: Claim) -> str:
    """What is quoted of a line: of a rank, the line that is ranked; of a mere no, the question."""
    if claim.kind == "priority" and (ref := claim.data.get("requirement")):
        ranked = next((claim for claim in request.claims if claim.ref == ref), None)
        guessed = " (inferred)" if claim.confidence == "inferred" else ""
        return f"{ref} {_quote(ranked.text)}{guessed}" if ranked else f"{ref}{guessed}"
    return _quote(claim.data.get("what") or claim.text)


def _replaced_refs(
    request: ReadRequest, points: Claims, fresh: Claims, lost: Claims
) -> Mapping[str, str]:
    """Id of a line → the line in whose place it stands: edited, or superseded by somebody."""
    old_texts: dict[str, str] = {}
    older = {claim.id: claim for claim in (*request.claims, *points)}
    for old_id, newer in superseded(tuple(older.values())).items():
        old_texts[newer.id] = _quote(older[old_id].text)
    of_answer: dict[tuple[AnswerId, ...], list[Claim]] = {}
    for claim in fresh:
        of_answer.setdefault(claim.sources, []).append(claim)
    for claim in lost:
        edited = of_answer.get(claim.sources, [])
        if len(edited) == 1:
            old_texts.setdefault(edited[0].id, _quote(claim.text))
    return old_texts


def _sentences_of_moved(claims: Sequence[Claim]) -> Iterator[str]:
    for claim in claims[:QUOTES_MAX]:
        if became := _BECAME.get(claim.kind):
            yield f"{_quote(claim.text)} is now {became}."
        else:
            yield f"{_quote(claim.text)} is sorted anew."


def _sentence_of_size(new: Claims, points: Claims) -> Iterator[str]:
    """The size as it was understood; none where two lines that stand say different ones."""
    keys = {key for claim in new for key in _SCAN_WORDS.keys() & claim.data.keys()}
    replaced = superseded(points)
    parts: dict[str, set[str]] = {}
    for claim in points:
        for key in keys & claim.data.keys() if claim.id not in replaced else ():
            parts.setdefault(key, set()).add(claim.data[key])
    if not parts or any(len(values) > 1 for values in parts.values()):
        return
    sizes = {key: values.pop() for key, values in parts.items()}
    if count := sizes.get("file_count"):
        sizes["file_count"] = f"{count} {'file' if count == '1' else 'files'}"
    size = (words.format(sizes[key]) for key, words in _SCAN_WORDS.items() if key in sizes)
    yield f"That makes it {', '.join(size)}."


# ── where people differ ────────────────────────────────────────────────────────────────────────


def _sentences_of_differences(
    request: ReadRequest, differences: Sequence[Disagreement]
) -> Iterator[str]:
    """`They differ on the size: Priya says “large” and Sam says “medium”.`"""
    first_differences = differences[:DIFFERENCES_SHOWN_MAX]
    for difference in first_differences:
        by_value: dict[str, list[UserId]] = {}
        for person, value, _ in difference.said:
            by_value.setdefault(_quote(value, VALUE_CHARS_MAX), []).append(person)
        views = [
            f"{_people(request, people)} {'say' if len(set(people)) > 1 else 'says'} {value}"
            for value, people in by_value.items()
        ]
        yield f"They differ on {_cut(difference.matter, VALUE_CHARS_MAX)}: {joined(views)}."
    if len(differences) > len(first_differences):
        yield "They differ on more than that."


# ── people and quotes ──────────────────────────────────────────────────────────────────────────


def speakers(request: ReadRequest, claims: Claims) -> str:
    """The names of those whose answers the claims rest on: "Priya, Sam and 2 others"."""
    rests_on = {source for claim in claims for source in claim.sources}
    people = [answer.by for answer in request.answers if answer.id in rests_on]
    return _people(request, people)


def _people(request: ReadRequest, people: Sequence[UserId]) -> str:
    names = list(dict.fromkeys(_name(request.names, person) for person in people))
    if len(names) > NAMES_SHOWN_MAX:
        first_names = names[: NAMES_SHOWN_MAX - 1]
        names = [*first_names, f"{len(names) - len(first_names)} others"]
    return joined(names) or "someone"


def _quotes(claims: Claims) -> str:
    every = _each_once(claims)
    quoted = [_quote(claim.text) for claim in every[:QUOTES_MAX]]
    more = ["more of it"] if len(every) > QUOTES_MAX else []
    return joined([*quoted, *more])


def _quote(text: str, room: int = QUOTE_CHARS_MAX) -> str:
    return f"“{_cut(text.strip().strip('`').translate(_MARKS), room).rstrip('.')}”"


def _cut(text: str, room: int) -> str:
    """One line; what is too long ends at a word."""
    short = _line(text)
    if len(short) <= room:
        return short
    start = short[: room - 1]
    at_word = start.rpartition(" ")[0]
    return f"{(at_word if len(at_word) > room // 2 else start).rstrip(' ,;:')}…"


def _each_once(claims: Sequence[Claim]) -> list[Claim]:
    """Lines of one text once, whatever they are read as; a line that ranks several is many."""
    once: dict[tuple[str | None, ...], Claim] = {}
    for claim in claims:
        once.setdefault((claim.text, claim.data.get("requirement")), claim)
    return list(once.values())


def _without(claims: Claims, others: Claims) -> Claims:
    other_keys = {_same(claim) for claim in others}
    return tuple(claim for claim in claims if _same(claim) not in other_keys)


def _same(claim: Claim) -> tuple[object, ...]:
    belongs = tuple(claim.data.get(key) for key in ("requirement", "mitigation", "of"))
    return (claim.kind, *_words(claim), belongs, claim.supersedes)


def _words(claim: Claim) -> tuple[str, tuple[AnswerId, ...]]:
    return (claim.text, claim.sources)


def _name(names: Mapping[UserId, str], person: UserId) -> str:
    return _line(names.get(person, ""))[:NAME_CHARS_MAX].strip() or "someone"


def _line(text: str) -> str:
    return " ".join(text.split())


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
