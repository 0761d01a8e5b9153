"""The questions of a section: which they are, whether yes or no answers them, which are alike."""

from pathlib import Path
from typing import Final

from core import patterns
from core.data_tables import read_table
from core.domain.brief import QUESTION_ENDS
from core.english import singular

_NUMBER: Final = patterns.compile(r"[0-9]{1,3}[.)][ \t]+")
_PARAGRAPH: Final = patterns.compile(r"\n[ \t]*\n")
_SHORTENED: Final = ("e.g.", "i.e.", "etc.")
_GAP: Final = patterns.compile(
    r"(?<=[.!?？])[\"'”’)\]]*\s+", unless=lambda match: match.before.endswith(_SHORTENED)
)
_CLAUSE: Final = patterns.compile(r"([,;:()–—]|\b(?:and|or|but)\b)", patterns.IGNORECASE)
_WORD: Final = patterns.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_DATA: Final = read_table(Path(__file__).with_name("questions.toml"))
_WORDS: Final = {
    name: frozenset(words.split()) for name, words in _DATA.table("words").texts().items()
}
_ASKING: Final = _WORDS["asking"]
_AUXILIARIES: Final = _WORDS["auxiliaries"]
_SUBJECTS: Final = _WORDS["subjects"]
_EMPTY: Final = _ASKING | _AUXILIARIES | _SUBJECTS | _WORDS["empty"]
_SAME: Final = {
    word: same
    for same, words in _DATA.table("same").texts().items()
    for word in (same, *words.split())
}
_NOT: Final = ("n't", "n’t")

ALIKE_FROM: Final = 0.5  # of the words that carry meaning; see `likeness`
SHARED_WORDS_MIN: Final = 2


def numbered(text: str) -> tuple[str, ...]:
    """The numbered lines of a section, without their numbers."""
    return _parted(text)[1]


def _parted(text: str) -> tuple[str, tuple[str, ...]]:
    """What stands outside of the numbered lines, and these, each on one line."""
    outside: list[str] = []
    items: list[list[str]] = []
    goes_on = False
    for line in text.split("\n"):
        number = _NUMBER.match(line)
        goes_on = bool(number or (goes_on and line.strip(" \t")))
        if number:
            items.append([line[number.end() :]])
            outside += ("", "")
        elif goes_on:
            items[-1].append(line)
        else:
            outside.append(line)
    return "\n".join(outside), tuple(" ".join(" ".join(item).split()) for item in items)


def asked(text: str) -> tuple[str, ...]:
    """Every sentence of a section that ends in a question mark, in a numbered line or outside."""
    prose, lines = _parted(text)
    pieces = (" ".join(piece.split()) for piece in (*_PARAGRAPH.split(prose), *lines))
    sentences = (sentence.strip() for piece in pieces for sentence in _GAP.split(piece))
    return tuple(sentence for sentence in sentences if sentence.endswith(QUESTION_ENDS))


def is_open(question: str) -> bool:
    """True if a question asks for more than yes or no.

    It has a word like what, who or how; it does not begin with a verb ("is", "can", "don't"), nor
    does a part that is joined to it ("… and do we …", "When it fails, do we …"); and it does not
    end in "…, right?".
    """
    signs, clauses = _clauses(question)
    if not any(word in _ASKING for clause in clauses for word in clause):
        return False
    if _is_auxiliary(clauses[0][0]) or (len(clauses) > 1 and _is_tag(clauses[-1])):
        return False
    only_sets_the_scene = clauses[0][0] in _WORDS["setting"]
    return not any(
        _begins_yes_or_no(clause) and (only_sets_the_scene or sign in _WORDS["joining"])
        for sign, clause in zip(signs[1:], clauses[1:], strict=True)
    )


def _clauses(question: str) -> tuple[list[str], list[list[str]]]:
    """The parts of a question as words, each with the sign or word that stands before it."""
    signs, clauses = [], []
    pieces = _CLAUSE.split(question)
    for sign, piece in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        if words := _words(piece):
            signs.append(sign.casefold())
            clauses.append(words)
    return signs, clauses


def _is_tag(clause: list[str]) -> bool:
    return (len(clause) == 1 and clause[0] in _WORDS["tags"]) or (
        len(clause) == 2 and _is_auxiliary(clause[0]) and clause[1] in _SUBJECTS
    )


def _begins_yes_or_no(clause: list[str]) -> bool:
    if len(clause) < 2 or not _is_auxiliary(clause[0]):
        return False
    return clause[0] in _WORDS["does"] or clause[1] in _SUBJECTS


def _is_auxiliary(word: str) -> bool:
    return word in _AUXILIARIES or word.endswith(_NOT)


def likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """How much two questions ask the same, from 0 to 1: twice the words that both have, by the
    words of both, as `meant` gives them. Sharing a single word is no likeness.
    """
    common = len(first & second)
    return 2 * common / (len(first) + len(second)) if common >= SHARED_WORDS_MIN else 0.0


def meant(question: str) -> frozenset[str]:
    """The words of a question that carry its meaning: no "the" or "would", plurals as singulars,
    and one word for the few dozen that stand for one another here.
    """
    words = (word for word in _words(question) if word not in _EMPTY)
    return frozenset(
        _SAME.get(word) or _SAME.get(singular(word)) or singular(word) for word in words
    )


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
