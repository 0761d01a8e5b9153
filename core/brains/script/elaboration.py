"""What a persona says when it joins a topic: its lens's next question, against what was said.

Pure and deterministic. A persona claims nothing of the item: it quotes a few words of people and
asks. It never asks what another turn asked or what people's words cover already, and it falls
silent when its lens has nothing left.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from core import patterns
from core.brains import lexicon
from core.brains.text.filler import is_filler
from core.brains.text.wording import words_of

LENSES_MAX: Final = 64  # kept with their patterns: a party has a few
QUOTE_WORDS_MAX: Final = 8
QUOTE_WORDS_MIN: Final = 2
ANSWER_CHARS_READ_MAX: Final = 4_000

Turns = tuple[tuple[str, str], ...]  # who spoke, and what; the oldest first


@dataclass(frozen=True, slots=True)
class Probe:
    """One question of a lens. `about`: words it takes up; `covered`: words that answer it."""

    question: str
    about: patterns.Pattern
    covered: patterns.Pattern


@dataclass(frozen=True, slots=True)
class Lens:
    """`side` ends "from the side of …"; `takes_up`: how it quotes people, in turn."""

    side: str
    probes: tuple[Probe, ...]
    takes_up: tuple[str, ...]


ADDRESSED: Final = "Since you ask me. "
GOODBYE: Final = "I have no further question from my side."


# ── a turn ─────────────────────────────────────────────────────────────────────────────────────


def lens_turn(
    persona_key: str,
    topic_title: str,
    answers: tuple[str, ...],
    earlier_turns: Turns,
    addressed: bool,
) -> str | None:
    """The persona's next turn, in one to three sentences; None when it has nothing left.

    `answers`: those of people on the topic, the newest last. `addressed`: somebody spoke to the
    persona by name, so it does not stay silent: at least it says, once, that it has no more.
    """
    lens = lens_of(persona_key)
    spoken = "\n".join(text for _, text in earlier_turns)
    mine = [text for who, text in earlier_turns if who == persona_key]
    probes = [
        probe
        for probe in lens.probes
        if probe.question not in spoken and not _covers(answers, probe.covered)
    ]
    if not probes:
        return GOODBYE if addressed and GOODBYE not in mine else None
    quotes = {probe.question: _quote(probe, answers, spoken) for probe in probes}
    probe = next((one for one in probes if quotes[one.question]), probes[0])
    opening = _opening(lens, quotes[probe.question], topic_title, len(mine))
    return f"{ADDRESSED if addressed else ''}{opening} {probe.question}"


@lru_cache(maxsize=LENSES_MAX)
def lens_of(persona_key: str) -> Lens:
    """The lens of a shipped persona; of any other one that its role, as its key says, suggests."""
    rows = lexicon.table("lenses")
    if row := rows["lenses"].get(persona_key):
        return Lens(row["side"], _probes(row), tuple(row["takes_up"]))
    role = " ".join(persona_key.casefold().replace("-", " ").replace("_", " ").split())
    suggested = (row for row in rows["by_word"] if lexicon.apart(row["role"]).search(role))
    row = next(suggested, {"probes": ()})
    own = _probes(rows["lenses"].get(row.get("like"), row))
    side = f"the {role}" if role else "somebody who is new to it"
    return Lens(side, (*own, *_probes({"probes": rows["any"]})), tuple(rows["takes_up"]))


def _probes(row: Mapping[str, Any]) -> tuple[Probe, ...]:
    return tuple(
        Probe(probe["question"], lexicon.apart(probe["about"]), lexicon.apart(probe["covered"]))
        for probe in row["probes"]
    )


def _opening(lens: Lens, quoted: str, title: str, turns: int) -> str:
    """Words of people that it takes up; without any, the topic, and whose side it is."""
    if quoted:
        return lens.takes_up[turns % len(lens.takes_up)].replace("{}", quoted)
    if turns:
        return "There is one more thing."
    return f"{' '.join(title.split()) or 'This'}, from the side of {lens.side}."


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


def _quote(probe: Probe, answers: tuple[str, ...], spoken: str) -> str:
    """The newest clause that the question takes up, and that no turn has quoted yet."""
    clauses = [clause for text in reversed(answers) for clause in _clauses(text)]
    fresh = [clause for clause in clauses if f"“{clause}”" not in spoken]
    return next((clause for clause in fresh if probe.about.search(clause)), "")


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


def synthesis(turns: Turns, answers: Turns) -> tuple[str, ...]:
    """The lines that go into the artifact: each answer under its author, then what stays open.

    `turns`: persona and turn; `answers`: person and text. A question counts as taken up by an
    answer that shares a word of meaning with it; with no such answer it is listed as open.
    """
    statements = [(who, " ".join(text.split())) for who, text in answers if not is_filler(text)]
    lines = [f"{who} said: {text}" for who, text in dict.fromkeys(statements)]
    heard = words_of(" ".join(text for _, text in statements))
    open_ones = [
        f"{who} asked: {question}"
        for who, question in dict.fromkeys(_asked(turns))
        if not words_of(question) & heard
    ]
    return (*lines, *open_ones)


def _asked(turns: Turns) -> Iterator[tuple[str, str]]:
    """Who asked what: the last sentence of each turn that is a question."""
    for who, text in turns:
        last = _SENTENCE_END.split(" ".join(text.split()))[-1]
        if last.endswith("?"):
            yield who, last
