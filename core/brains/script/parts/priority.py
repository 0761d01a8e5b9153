"""Which requirement a sentence ranks as must, should, could or won't.

It is read clause by clause, so that a word never ranks a requirement of the clause beside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.text.wording import closest, ref_pattern, refs_in, refs_of, words_of
from core.domain.answers import Confidence

_CLAUSE_END: Final = patterns.compile(r"[,;\n]|\b(?:and|but|while)\b", patterns.IGNORECASE)
_DENIES: Final = patterns.compile(r"\s*n['’o]t", patterns.IGNORECASE)
_MOSCOW: Final = patterns.compile(
    r"\b(must|should|could)\b|\b(won['’]?t|will not)\b",
    patterns.IGNORECASE,
    unless=lambda match: match[1] and _is_denied(match),
)
_WORDS: Final = lexicon.pattern("ranking-words")


@dataclass(frozen=True, slots=True)
class Rank:
    ref: str
    word: str
    confidence: Confidence


def ranked(text: str, requirements: Mapping[str, str]) -> tuple[Rank, ...]:
    """The requirements a sentence ranks: by their names, else (inferred) by what it describes."""
    ranks = {rank.ref: rank for rank in _by_clause(text, requirements) if rank.ref in requirements}
    words = {_word(match) for match in _MOSCOW.finditer(text)}
    if ranks or len(words) != 1 or refs_in("FR", text):
        return tuple(ranks.values())
    word = words.pop()
    if lexicon.pattern("all-of-them").match(text):
        return tuple(Rank(ref, word, "inferred") for ref in requirements)
    return tuple(_described(text, word, requirements))


def _by_clause(text: str, requirements: Mapping[str, str]) -> Iterator[Rank]:
    """`FR-001 and FR-002 must` waits for its word; `Must: FR-001, FR-002` carries it on."""
    waiting: tuple[str, ...] = ()
    carried: str | None = None
    for clause in _CLAUSE_END.split(text):
        refs = refs_in("FR", clause)
        matches = list(_MOSCOW.finditer(clause))
        if refs and matches:
            leads = matches[0].start() < _first_ref(clause)
            carried = _word(matches[-1]) if leads else None
            yield from _stated(() if leads else waiting, _word(matches[0]))
            yield from _beside(clause, matches, leads=leads)
            waiting = ()
        elif refs and carried:
            yield from _stated(refs, carried)
        elif refs:
            waiting += refs
        elif matches:
            word = _word(matches[0])
            yield from _stated(waiting, word)
            about = words_of(_WORDS.sub(" ", clause))
            if about and not waiting:
                yield from _described(clause, word, requirements)
            carried, waiting = (None if about or waiting else word), ()


def _beside(clause: str, words: list[patterns.Match], *, leads: bool) -> Iterator[Rank]:
    """Each ref with the word before it, if a word leads the clause; else with the one after it."""
    for match in ref_pattern("FR").finditer(clause):
        before = [word for word in words if word.start() < match.start()]
        after = [word for word in words if word.start() > match.start()]
        for word in before[-1:] if leads else after[:1]:
            yield from _stated(refs_of("FR", match), _word(word))


def _stated(refs: tuple[str, ...], word: str) -> Iterator[Rank]:
    return (Rank(ref, word, "stated") for ref in refs)


def _described(text: str, word: str, requirements: Mapping[str, str]) -> Iterator[Rank]:
    nearest = closest(_WORDS.sub(" ", text), requirements)
    if nearest:
        yield Rank(nearest, word, "inferred")


def _first_ref(clause: str) -> int:
    match = ref_pattern("FR").search(clause)
    return match.start() if match else len(clause)


def _is_denied(match: patterns.Match) -> bool:
    """Whether it stands in "not a must" or "should not"."""
    return match.before.lower().endswith("not a ") or bool(_DENIES.match(match.after))


def _word(match: patterns.Match) -> str:
    return "won't" if match[2] else match[1].lower()
