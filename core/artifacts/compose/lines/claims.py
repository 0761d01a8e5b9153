"""What a claim says, and which lines share words or disagree."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from core import patterns
from core.artifacts.document import words
from core.artifacts.document.plain import lines, one_line
from core.domain.answers import Claim, ClaimKind
from core.domain.assumptions import is_assumed, is_left
from core.domain.ids import AnswerId
from core.domain.lines import differs_from

LINKED, INFERRED, LOOSE, NO_REQUIREMENT = words.row("traces")
MUST: Final = words.row("moscow")[0]
CHOSEN, REJECTED = words.row("choices")
GOALS: Final[tuple[ClaimKind, ...]] = ("purpose", "success")
SHARED_WORDS_MIN: Final = 2
WORD_CHARS_MIN: Final = 4
TEXTS_MAX: Final = 10_000  # whose words and names are remembered: each line is asked of each other
_ANY_REF: Final = patterns.compile(r"(?<!\w)[A-Z]{2,4}-[0-9]{3,}(?!\w)")
_WORD: Final = patterns.compile(rf"[^\W\d_]{{{WORD_CHARS_MIN},}}")
_EXCLUDED: Final = patterns.compile(r"(?:out of|not in) scope\b", patterns.IGNORECASE)
_ASKS: Final = ("?", "？")
FEW_WORDS: Final = 3  # of a question that tells nobody what is open, without one of:
_QUESTION_WORD: Final = patterns.compile(
    r"\b(?:wh(?:o|om|ose|at|en|ere|ich|y)|how|we[rnm]|was|wann|wo|wie|warum)\b", patterns.IGNORECASE
)


# ── what one claim says ────────────────────────────────────────────────────────────────────────


def detail(claim: Claim, key: str) -> str:
    """What a claim says under a key of its own, in one line; empty where it says nothing there."""
    return one_line(claim.data.get(key, ""))


def or_not_said(text: str) -> str:
    return one_line(text) or words.text("not_said")


def text_of(claim: Claim) -> str:
    """The line of a claim; a block of code keeps its lines."""
    return "\n".join(lines(claim.text)) if "```" in claim.text else one_line(claim.text)


def risk_text(risk: Claim) -> str:
    """What may happen; of a row of a table that people wrote, without the ratings in it."""
    ratings = [detail(risk, key) for key in ("likelihood", "impact", "mitigation")]
    text, *cells = filter(None, (one_line(cell) for cell in risk.text.split("|")))
    return text if all(cell in ratings for cell in cells) else one_line(risk.text)


def arguments(option: Claim, side: str) -> list[str]:
    """What people put under an option as its pros (`for`) or its cons (`against`)."""
    rows = (one_line(row) for row in option.data.get(side, "").split("\n"))
    return [row for row in rows if row]


@lru_cache(maxsize=TEXTS_MAX)
def refs_in(text: str) -> tuple[str, ...]:
    """The names of lines in a text."""
    return tuple(_ANY_REF.findall(text))


def checked_refs(check: Claim) -> tuple[str, ...]:
    """The names of the lines that an acceptance check is of; none where nobody said of what."""
    return refs_in(check.data.get("of", ""))


def is_open(claim: Claim) -> bool:
    """True if a line asks what nobody has answered."""
    if "answered_by" in claim.data:
        return False
    asks = claim.kind == "fact" and claim.text.rstrip("\"'”’) ").endswith(_ASKS)
    return asks or "question" in (claim.kind, detail(claim, "topic").removeprefix("open-"))


def is_asked(claim: Claim) -> bool:
    """True for an open question of a person's."""
    return is_open(claim) and not is_assumed(claim)


def asked_of(claim: Claim) -> str:
    """The step's question to which a line says that nobody knows; "" where it stands in the line.

    "I cannot say" alone tells nobody what is open.
    """
    asked = claim.data.get("what", "")
    return asked if is_open(claim) and asked.endswith("?") and asked not in claim.text else ""


def open_questions(claims: Sequence[Claim]) -> list[Claim]:
    """The open questions of people; one that was asked again is one, of all who asked it."""
    questions = list(filter(is_asked, claims))
    texts = {claim.text for claim in questions}
    again = [claim for claim in questions if claim.data.get("again") in texts]
    return [
        replace(first, sources=(*first.sources, *_sources_of(again, first.text)))
        for first in questions
        if first not in again
    ]


def _sources_of(again: Sequence[Claim], question: str) -> Iterator[AnswerId]:
    return (id_ for claim in again if claim.data["again"] == question for id_ in claim.sources)


def is_word_or_two(question: Claim) -> bool:
    """True for "till?" and "20 files?", which alone tell nobody what is open."""
    count = len(question.text.split())
    says_what = count > 1 and _QUESTION_WORD.search(question.text)
    is_short = count <= FEW_WORDS and not says_what
    return is_short and question.text.rstrip().endswith(_ASKS)


def is_taken(claim: Claim) -> bool:
    """True for what somebody said, or took over: no assumption, and no mere proposal."""
    return not is_assumed(claim) and claim.confidence != "proposed"


def is_guess(claim: Claim) -> bool:
    """True for an assumption that is more than a question which nobody answered."""
    return is_assumed(claim) and not is_left(claim)


def is_excluded(claim: Claim) -> bool:
    is_called_so = claim.kind != "check" and _EXCLUDED.match(claim.text)
    return claim.kind == "exclusion" or bool(is_called_so)


def group_of(claim: Claim) -> str:
    """The group of lines that a claim stands in: by its topic, else by its kind."""
    if is_assumed(claim):
        return "assumption"
    if is_open(claim):
        return "question"
    if claim.kind == "question":
        return "answered"
    if is_excluded(claim):
        return "exclusion"
    topic = detail(claim, "topic")
    return topic if claim.kind == "fact" and topic in words.GROUPS else claim.kind


def of_kind(claims: Iterable[Claim], *kinds: ClaimKind) -> list[Claim]:
    """The claims of these kinds, without assumptions."""
    return [claim for claim in claims if claim.kind in kinds and not is_assumed(claim)]


def once(claims: Iterable[Claim]) -> list[Claim]:
    """The claims without those that say the same line again; one with a name stands for it."""
    lines = list(_without_same_technologies(claims))
    named_lines = {_line(claim) for claim in lines if claim.ref}
    first: dict[object, Claim] = {}
    for claim in lines:
        key = _line(claim)
        first.setdefault((key, claim.ref) if key in named_lines else key, claim)
    return [claim for key, claim in first.items() if claim.ref or _line(claim) not in named_lines]


def _without_same_technologies(claims: Iterable[Claim]) -> Iterator[Claim]:
    """A line that names several technologies once, whatever other messages name one of them."""
    messages: dict[str, set[str]] = {}
    for claim in claims:
        shown = messages.setdefault(claim.text, set()) if claim.kind == "stack" else set()
        if shown.isdisjoint(claim.sources):
            yield claim
        shown.update(claim.sources)


def besides(claims: Iterable[Claim], listed: Iterable[Claim]) -> list[Claim]:
    """The claims that say none of the lines that are shown already."""
    lines = set(map(_line, listed))
    return [claim for claim in claims if _line(claim) not in lines]


def _line(claim: Claim) -> tuple[str, frozenset[str]]:
    return one_line(claim.text), frozenset(claim.sources)


# ── which belong together ──────────────────────────────────────────────────────────────────────


def conflicting(claim: Claim, everything: Sequence[Claim]) -> list[Claim]:
    """The lines that a line disagrees with, whichever of the two says so."""
    conflicts = differs_from(claim)
    return [
        other
        for other in everything
        if other.id != claim.id and (other.id in conflicts or claim.id in differs_from(other))
    ]


def akin(text: str, lines: Sequence[Claim]) -> Claim | None:
    """The one line that shares most words with `text`, if it shares enough and no other as many."""
    wanted = long_words(text)
    names = (f"{line.data.get('option', '')} {line.text}" for line in lines)
    shared = [len(wanted & long_words(name)) for name in names]
    best = max(shared, default=0)
    is_clear = best >= SHARED_WORDS_MIN and shared.count(best) == 1
    return lines[shared.index(best)] if is_clear else None


def only_one_with(name: str, lines: Sequence[Claim]) -> Claim | None:
    """The one line that has all words of a name, if no other has."""
    wanted = long_words(name)
    having = [line for line in lines if wanted and wanted <= long_words(line.text)]
    return having[0] if len(having) == 1 else None


@lru_cache(maxsize=TEXTS_MAX)
def long_words(text: str) -> frozenset[str]:
    """The words of `WORD_CHARS_MIN` letters or more, in lower case."""
    return frozenset(word.casefold() for word in _WORD.findall(text))
