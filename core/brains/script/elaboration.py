"""What a persona says when it joins a topic: a question of its lens, about a line that lacks it.

Pure and deterministic. A persona has no opinion. It quotes a few words of people, says whose they
are, and asks; asked directly, it says who said what of the matter and that the question waits for
people. It never asks what another turn asked or what people's words cover already, and it falls
silent where no line is left to ask about.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from core import patterns
from core.brains import lexicon
from core.brains.text.filler import is_filler
from core.brains.text.wording import words_of
from core.domain.answers import Claim, TurnRequest
from core.domain.lines import superseded

LENSES_MAX: Final = 64  # kept with their patterns: a party has a few
QUOTE_WORDS_MAX: Final = 8
QUOTE_WORDS_MIN: Final = 2
ANSWER_CHARS_READ_MAX: Final = 4_000
TOLD_MAX: Final = 3  # lines that are quoted where a persona is asked

Lines = tuple[tuple[str, str], ...]  # who spoke, and what; the oldest first


@dataclass(frozen=True, slots=True)
class Probe:
    """One question of a lens. `about`: words it takes up; `covered`: words that answer it."""

    question: str
    about: patterns.Pattern
    covered: patterns.Pattern


GOODBYE: Final = "I have no further question from my side."
WAITS: Final = "I have no opinion of my own, so your question is open and waits for people."
NOTHING_SAID: Final = "Nobody has said anything of that yet."


# ── a turn ─────────────────────────────────────────────────────────────────────────────────────


def turn_of(request: TurnRequest) -> str | None:
    """The persona's next turn; None where it has nothing to add."""
    key = request.persona.key
    if request.addressed and request.said and "?" in request.said[-1][1]:
        return _on_what_was_said(request)
    turn = lens_turn(key, request.said, request.turns)
    own_turns = [text for speaker, text in request.turns if speaker == key]
    return turn or (GOODBYE if request.addressed and GOODBYE not in own_turns else None)


def lens_turn(persona_key: str, answer_lines: Lines, earlier_turns: Lines) -> str | None:
    """A line of people, and what its lens asks of it; None where nothing is left to ask.

    `answer_lines`: speaker and text, the newest last; `earlier_turns`: those of the personas. The
    line is one that the question takes up, else the newest that this persona has not quoted.
    """
    spoken = "\n".join(text for _, text in earlier_turns)
    texts = tuple(text for _, text in answer_lines)
    probes = [
        probe
        for probe in probes_of(persona_key)
        if probe.question not in spoken and not _covers(texts, probe.covered)
    ]
    clauses = [
        (speaker, clause) for speaker, text in reversed(answer_lines) for clause in _clauses(text)
    ]
    own_text = "\n".join(text for speaker, text in earlier_turns if speaker == persona_key)
    fresh = [(speaker, clause) for speaker, clause in clauses if f"“{clause}”" not in own_text]
    if not probes or not fresh:
        return None
    taken_up = ((probe, line) for probe in probes for line in fresh if probe.about.search(line[1]))
    probe, (speaker, clause) = next(taken_up, (probes[0], fresh[0]))
    return f"{speaker or 'Somebody'} said “{clause}”. {probe.question}"


def _on_what_was_said(request: TurnRequest) -> str:
    """Who said what of a matter that it is asked about, and what nobody said of it."""
    *earlier, (_, question) = request.said
    about = words_of(question) - words_of(request.persona.name) - _ASKING
    replaced = superseded(request.claims)
    lines = [
        (_speaker(request, claim), claim.text)
        for claim in request.claims
        if claim.sources and claim.kind != "question" and claim.id not in replaced
    ]
    lines_about = [line for line in dict.fromkeys((*lines, *earlier)) if words_of(line[1]) & about]
    ranked = sorted(lines_about, key=lambda line: -len(words_of(line[1]) & about))
    quotes: dict[str, str] = {}
    for speaker, text in ranked:
        if clause := _clause_on(about, text):
            quotes.setdefault(clause, speaker)
    first_quotes = list(quotes.items())[:TOLD_MAX]
    sayings = [f"{speaker or 'somebody'} said “{clause}”" for clause, speaker in first_quotes]
    texts = tuple(text for _, text in lines_about)
    lacking = (
        probe.question
        for probe in probes_of(request.persona.key)
        if any(probe.about.search(text) for text in texts) and not _covers(texts, probe.covered)
    )
    missing = next(lacking, "")
    return " ".join(
        (
            f"Of that, {'; '.join(sayings)}." if sayings else NOTHING_SAID,
            *([f"What nobody has said: {missing}"] if missing else []),
            WAITS,
        )
    )


def _speaker(request: TurnRequest, claim: Claim) -> str:
    return next(iter(request.people.get(source, "") for source in claim.sources), "")


def _clause_on(about: frozenset[str], text: str) -> str:
    return next((clause for clause in _clauses(text) if words_of(clause) & about), "")


@lru_cache(maxsize=LENSES_MAX)
def probes_of(persona_key: str) -> tuple[Probe, ...]:
    """The lens of a shipped persona; of any other one that its role, as its key says, suggests."""
    rows = lexicon.table("lenses")
    if row := rows["lenses"].get(persona_key):
        return _probes(row)
    role = " ".join(persona_key.casefold().replace("-", " ").replace("_", " ").split())
    suggested = (row for row in rows["by_word"] if lexicon.apart(row["role"]).search(role))
    row = next(suggested, {"probes": ()})
    own = _probes(rows["lenses"].get(row.get("like"), row))
    return (*own, *_probes({"probes": rows["any"]}))


def _probes(row: Mapping[str, Any]) -> tuple[Probe, ...]:
    return tuple(
        Probe(probe["question"], lexicon.apart(probe["about"]), lexicon.apart(probe["covered"]))
        for probe in row["probes"]
    )


def _covers(answers: tuple[str, ...], words: patterns.Pattern) -> bool:
    return any(words.search(text[:ANSWER_CHARS_READ_MAX]) for text in answers)


# ── a few words of an answer ───────────────────────────────────────────────────────────────────

_CODE: Final = patterns.compile(
    r"`{3,}.*?`{3,}|https?://\S+|<[^>]*>|:[a-z0-9_+-]+:", patterns.DOTALL
)
_CLAUSE: Final = patterns.compile(r"[.!?;:,\n()|“”\"]+(?:\s+|$)|\s[-–—]\s|\n")
_LIST_SIGN: Final = patterns.compile(r"^\s*(?:[-*•>#]+|\(?[0-9]{1,2}[.)]|[0-9]{1,2}:)\s*")
_SENTENCE_END: Final = patterns.compile(r"(?<=[.!?”])\s+(?=[A-Z])")
_LOOSE_END: Final = lexicon.listed("loose-end")
_LOOSE_START: Final = lexicon.listed("loose-start")
_ASKING: Final = words_of(" ".join(lexicon.table("lenses")["asking"]))


def _clauses(text: str) -> Iterator[str]:
    for line in _CODE.sub("\n", text[:ANSWER_CHARS_READ_MAX]).splitlines():
        for part in _CLAUSE.split(_LIST_SIGN.sub("", line)):
            words = part.strip(" *_`'").split()[:QUOTE_WORDS_MAX]
            while words and words[0].casefold() in _LOOSE_START:
                words = words[1:]
            while words and words[-1].casefold() in _LOOSE_END:
                words.pop()
            if len(words) >= QUOTE_WORDS_MIN and not is_filler(part):
                yield " ".join(words)


# ── the synthesis ──────────────────────────────────────────────────────────────────────────────


def synthesis(turns: Lines, answers: Lines) -> tuple[str, ...]:
    """The lines that go into the artifact: each answer under its author, then what stays open.

    `turns`: persona and turn; `answers`: person and text. A question counts as taken up by an
    answer that shares a word of meaning with it; with no such answer it is listed as open.
    """
    statements = [
        (speaker, " ".join(text.split())) for speaker, text in answers if not is_filler(text)
    ]
    lines = [f"{speaker} said: {text}" for speaker, text in dict.fromkeys(statements)]
    answer_words = words_of(" ".join(text for _, text in statements))
    open_ones = [
        f"{speaker} asked: {question}"
        for speaker, question in dict.fromkeys(_questions_asked(turns))
        if not words_of(question) & answer_words
    ]
    return (*lines, *open_ones)


def _questions_asked(turns: Lines) -> Iterator[tuple[str, str]]:
    """Who asked what: the last sentence of each turn that is a question."""
    for speaker, text in turns:
        last = _SENTENCE_END.split(" ".join(text.split()))[-1]
        if last.endswith("?"):
            yield speaker, last
