"""The questions of a section: which they are, whether yes or no answers them, which are alike."""

from typing import Final

from core import patterns
from core.domain.brief import QUESTION_ENDS

_NUMBER: Final = patterns.compile(r"[0-9]{1,3}[.)][ \t]+")
_PARAGRAPH: Final = patterns.compile(r"\n[ \t]*\n")
_SHORTENED: Final = ("e.g.", "i.e.", "etc.")
_GAP: Final = patterns.compile(
    r"(?<=[.!?？])[\"'”’)\]]*\s+", unless=lambda match: match.before.endswith(_SHORTENED)
)
_CLAUSE: Final = patterns.compile(r"([,;:()–—]|\b(?:and|or|but)\b)", patterns.IGNORECASE)
_WORD: Final = patterns.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_ASKING: Final = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
_SETTING: Final = frozenset({"when", "where", "if", "once", "while"})  # "When it fails, do we …"
_JOINING: Final = frozenset({"and", "or", "but"})
_AUXILIARIES: Final = frozenset(
    """am is are was were do does did can could will would shall should may might must has have had
    need ought""".split()  # noqa: SIM905 (a list of quoted words reads worse)
)
_DOES: Final = frozenset({"do", "does", "did"})
_SUBJECTS: Final = frozenset(
    """i you he she it we they this that these those there the a an any all each every no some
    your our their its his her my anyone anybody anything someone somebody something everyone
    everybody everything nobody nothing people""".split()  # noqa: SIM905
)
_TAGS: Final = frozenset({"right", "correct", "ok", "okay", "yes", "no", "agreed", "true"})
_NOT: Final = ("n't", "n’t")

ALIKE_FROM: Final = 0.5  # of the words that carry meaning; see `likeness`
SHARED_WORDS_MIN: Final = 2

_EMPTY: Final = (
    _ASKING
    | _AUXILIARIES
    | _SUBJECTS
    | frozenset(
        """about after also and as at be because been before being besides both but by for from if
        in into just like me more most much not of off on one or other others out over own so than
        them then to too under until up us very while with without would you yourself here still
        only even kind sort thing things way ways part parts make makes made get gets take takes
        say says said line lines name names""".split()  # noqa: SIM905
    )
)
_SAME: Final = {
    word: words.split()[0]
    for words in (
        "user users customer customers client clients person persons reader readers",
        "break breaks broken broke fail fails failed failure failures crash wrong",
        "undo undone revert reverse back",
        "large larger big bigger size sizes",
        "change changes changed alter alters modify",
        "need needs needed require requires required requirement requirements",
        "option options alternative alternatives choice choices choose",
        "file files",
        "check checks checked test tests tested verify",
        "done finish finished complete completed",
        "start starts started begin begins",
    )
    for word in words.split()
}


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
    rest, lines = _parted(text)
    pieces = (" ".join(piece.split()) for piece in (*_PARAGRAPH.split(rest), *lines))
    sentences = (sentence.strip() for piece in pieces for sentence in _GAP.split(piece))
    return tuple(sentence for sentence in sentences if sentence.endswith(QUESTION_ENDS))


def is_open(question: str) -> bool:
    """Whether a question asks for more than yes or no.

    It has a word like what, who or how; it does not begin with a verb ("is", "can", "don't"), nor
    does a part that is joined to it ("… and do we …", "When it fails, do we …"); and it does not
    end in "…, right?".
    """
    signs, clauses = _clauses(question)
    if not any(word in _ASKING for clause in clauses for word in clause):
        return False
    if _is_auxiliary(clauses[0][0]) or (len(clauses) > 1 and _is_tag(clauses[-1])):
        return False
    only_sets_the_scene = clauses[0][0] in _SETTING
    return not any(
        _begins_yes_or_no(clause) and (only_sets_the_scene or sign in _JOINING)
        for sign, clause in zip(signs[1:], clauses[1:], strict=True)
    )


def _clauses(question: str) -> tuple[list[str], list[list[str]]]:
    """The parts of a question as words, each with the sign or word that stands before it."""
    signs, clauses = [], []
    pieces = _CLAUSE.split(question)
    for sign, piece in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        if found := _words(piece):
            signs.append(sign.casefold())
            clauses.append(found)
    return signs, clauses


def _is_tag(clause: list[str]) -> bool:
    return (len(clause) == 1 and clause[0] in _TAGS) or (
        len(clause) == 2 and _is_auxiliary(clause[0]) and clause[1] in _SUBJECTS
    )


def _begins_yes_or_no(clause: list[str]) -> bool:
    if len(clause) < 2 or not _is_auxiliary(clause[0]):
        return False
    return clause[0] in _DOES or clause[1] in _SUBJECTS


def _is_auxiliary(word: str) -> bool:
    return word in _AUXILIARIES or word.endswith(_NOT)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """How much two questions ask the same, from 0 to 1: twice the words that both have, by the
    words of both, as `meant` gives them. Sharing a single word is no likeness.
    """
    common = len(one & other)
    return 2 * common / (len(one) + len(other)) if common >= SHARED_WORDS_MIN else 0.0


def meant(question: str) -> frozenset[str]:
    """The words of a question that carry its meaning: no "the" or "would", plurals as singulars,
    and one word for the few dozen that stand for one another here.
    """
    found = (word for word in _words(question) if word not in _EMPTY)
    return frozenset(
        _SAME.get(word) or _SAME.get(_singular(word)) or _singular(word) for word in found
    )


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
