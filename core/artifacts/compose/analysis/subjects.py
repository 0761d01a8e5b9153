"""What several lines are about: the nouns that people used, and the lines that name them.

A word counts as a noun where people put a determiner before it: "the cap", "each invoice".
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from core import patterns
from core.artifacts.compose.lines.english import DETERMINERS, NO_SUBJECTS
from core.artifacts.document import tree, words
from core.artifacts.document.tree import Blocks
from core.domain.answers import Answer, Claim, ClaimKind

NAMING: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality", "story", "decision"})
SUBJECTS_MAX: Final = 20
LINES_MIN: Final = 3  # that name a subject
SHARE_MAX: Final = 0.25  # of all lines; what more of them name tells nobody where to look
DETERMINED_MIN: Final = 2  # times a word stands behind a determiner
DETERMINED_SHARE_MIN: Final = 0.35  # of the times it stands anywhere
SUBJECT_CHARS_MIN: Final = 3
_WORD: Final = patterns.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def subject_table(claims: Iterable[Claim], answers: Iterable[Answer]) -> Blocks:
    """A row for each subject and the names of its lines; nothing where no subject has several."""
    rows = [(subject, ", ".join(refs)) for subject, refs in _subjects(claims, answers)]
    return tree.table(words.columns("subject"), rows)


def _subjects(
    claims: Iterable[Claim], answers: Iterable[Answer]
) -> Iterator[tuple[str, Sequence[str]]]:
    """The subjects, the one that most lines name first, each in the form that people used most."""
    lines = [claim for claim in claims if claim.kind in NAMING and claim.ref]
    refs: dict[str, list[str]] = {}
    for line in lines:
        for stem in dict.fromkeys(map(_stem, _words(line.text))):
            refs.setdefault(stem, []).append(line.ref or line.text)
    lines_max = max(LINES_MIN + 1, int(len(lines) * SHARE_MAX))
    frequent = {stem: named for stem, named in refs.items() if LINES_MIN <= len(named) <= lines_max}
    forms = _noun_forms([answer.text for answer in answers], frequent.keys()) if frequent else {}
    subjects = ((forms[stem], named) for stem, named in frequent.items() if stem in forms)
    yield from sorted(subjects, key=lambda row: -len(row[1]))[:SUBJECTS_MAX]


def _noun_forms(texts: Iterable[str], stems: Iterable[str]) -> dict[str, str]:
    """The stems that are nouns to people, each with its most frequent form."""
    wanted = {*stems}
    forms: dict[str, Counter[str]] = {}
    determined: Counter[str] = Counter()
    for before, word in chain.from_iterable(pairwise(("", *_words(text))) for text in texts):
        stem = _stem(word)
        if stem in wanted:
            forms.setdefault(stem, Counter())[word] += 1
            determined[stem] += before in DETERMINERS
    return {
        stem: counts.most_common(1)[0][0]
        for stem, counts in forms.items()
        if determined[stem] >= max(DETERMINED_MIN, counts.total() * DETERMINED_SHARE_MIN)
        and len(stem) >= SUBJECT_CHARS_MIN
        and NO_SUBJECTS.isdisjoint(counts)
    }


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORD.findall(text))


def _stem(word: str) -> str:
    """A word without the ending of its plural."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
