"""The first finite verb of a sentence: what it tells of, and whether it is a command.

Bounded plain code over the words of one line; the verbs are data (`steps/brains/evidence.yaml`).
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final, Literal

from core import patterns
from core.brains import lexicon
from core.brains.task_cache import cached

WORDS_READ_MAX: Final = 40
SUBJECT_WORDS_MAX: Final = 3

Tells = Literal["does", "did", "is-doing", "is", ""]
"""What somebody does (also what is done to a thing), did, is doing just now, or how it is."""

_ROWS: Final = lexicon.table("evidence")
_WORD: Final = patterns.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[,.:;/]")


def _set(name: str) -> frozenset[str]:
    return frozenset(_ROWS[name].split())


VERBS: Final = _set("verbs")
_OF_US: Final = _set("of-us")
_PARTICIPLES: Final = _set("participles")
_DETERMINERS: Final = _set("determiner")
_JOINS: Final = _set("joins")
_PASTS: Final = _set("pasts")
_OF_STATE: Final = _set("of-state")
_BE: Final = frozenset({"is", "are", "isn't", "aren't"})
_HAVE: Final = frozenset({"has", "have"})
_DO: Final = frozenset({"does", "doesn't", "don't", "do"})
_PLURAL: Final = frozenset(
    {"people", "staff", "data", "they", "you", "we", "everybody", "i", "who"}
)
_MODAL: Final = _set("modals")
_PASSED_OVER: Final = frozenset(
    {"not", "also", "only", "always", "never", "still", "then", "automatically", "just", "no"}
)
_NO_COMMAND: Final = frozenset({"of", "is", "are", "was", "were", "has", "had", "and", ":", "/"})
_SUBORDINATES: Final = _set("subordinates")
_DENIED: Final = lexicon.apart([_ROWS["denied"]])
_SUPPOSED: Final = frozenset({"could", "would", "might"})
_WISHES: Final = frozenset({"wants", "needs"})
_OF_MIND: Final = _set("of-mind")
_PASSIVES: Final = _set("passives")
_ALSO_NOUNS: Final = _set("also-nouns")
_IT_IS: Final = frozenset({"that's", "there's", "he's", "she's", "they're", "you're"})
_EVER: Final = frozenset({"never", "always"})


def words_in(text: str, count: int = WORDS_READ_MAX) -> list[str]:
    """The first `count` words and signs of a text, in small letters."""
    return list(_words_in(text)[:count])


@cached
def _words_in(text: str) -> tuple[str, ...]:
    matches = islice(_WORD.finditer(text[: WORDS_READ_MAX * 40]), WORDS_READ_MAX)
    return tuple(match[0].casefold().replace("’", "'") for match in matches)


def with_apostrophes(line: str) -> str:
    """ "It dont show" as "It don't show"."""
    return _DENIED.sub(lambda match: f"{match[0][:-1]}'t", line)


def is_finite(word: str) -> bool:
    """True for what stands right behind a name that does something: "breaks", "is", "cant"."""
    helps = _BE | _HAVE | _DO | _MODAL | _PASTS | _SUPPOSED | _WISHES
    return with_apostrophes(word) in helps or (
        word.endswith("s") and stem(word) in VERBS | _OF_STATE
    )


def stem(word: str) -> str:
    """The plain form of a verb with an s: "carries", "passes", "shows"."""
    if word.endswith("ies") and f"{word[:-3]}y" in VERBS:
        return f"{word[:-3]}y"
    if word.endswith("es") and word[:-2] in VERBS:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def is_command(text: str) -> bool:
    """ "Reprint a ticket", "don't show prices": what is to be done, said to the system."""
    words = words_in(text)
    if words[:2] == ["do", "not"] or words[:1] == ["don't"]:
        words = words[words.index("not") + 1 if words[0] == "do" else 1 :]
    return len(words) > 1 and words[0] in VERBS and words[1] not in _NO_COMMAND


def acts_on(text: str) -> bool:
    """ "Open any patient": a command, and not "order clerks", who have its word for a name."""
    return is_command(text) and words_in(text)[1] in _DETERMINERS


def is_bare(text: str) -> bool:
    """A verb and nothing else: "call"."""
    words = words_in(text)
    return len(words) == 1 and words[0] in VERBS


def subject_of(text: str) -> str:
    """Who or what does it, where a sentence opens with that: "A neighbour reports a swarm"."""
    words = words_in(text)
    places = range(1, min(len(words), SUBJECT_WORDS_MAX + 1))
    verb = next((place for place in places if _is_verb(words, place)), 0)
    first = 1 if words[:1] and words[0] in _DETERMINERS else 0
    is_named = all(word[0].isalnum() for word in words[:verb])
    return " ".join(text.split()[first:verb]) if is_named else ""


def opens_with_a_deed(text: str) -> bool:
    """ "Shows up red", "refused, mail": what is done, without who does it."""
    first, *others = words_in(text) or [""]
    does = first.endswith("s") and stem(first) in VERBS and bool(others)
    return does or _is_participle(first)


def opens_with_article(text: str) -> bool:
    return bool(_DETERMINERS & set(words_in(text)[:1]))


@cached
def told_by(text: str) -> Tells:
    """What the first finite verb of a sentence tells of; nothing where it has none."""
    words = words_in(text)
    main = _main_clause(words)
    if main == words:
        return _tells(words, in_case=words[:1] != [] and words[0] in _SUBORDINATES)
    return _tells(main) or _tells(words)  # "after signing, nothing gets lost"


def _tells(words: Sequence[str], *, in_case: bool = False) -> Tells:
    """`in_case`: a condition opens the sentence, whose verb is not the main one."""
    did = False
    for place in range(1, len(words)):
        tells = _told_at(words, place)
        if in_case and (tells or words[place] in _IT_IS):
            in_case = False
        elif tells:
            return "is" if tells == "does" and _is_of_us(words, place) else tells
        did = did or (_is_participle(words[place]) and not _is_passive(words, place))
    return "did" if did else ""


def behind_condition(line: str) -> str:
    """What is said behind the condition that opens a line: "If the lift is out, …"."""
    opens = words_in(line, 1)
    return line.partition(", ")[2] or line if opens and opens[0] in _SUBORDINATES else line


def _is_passive(words: Sequence[str], place: int) -> bool:
    """ "Pets allowed on weekdays": what is done to a thing; "a lost key" has one for its name."""
    word, before = words[place], words[place - 1]
    is_done_so = word in _PASSIVES and _following(words, place) in _JOINS
    is_noun = word in _ALSO_NOUNS and before not in _PLURAL
    return is_done_so or is_noun or before in _DETERMINERS


def _main_clause(words: list[str]) -> list[str]:
    """The words behind the clause that opens a sentence: "As soon as it rains, the roof closes"."""
    if words[:1] and words[0] in _SUBORDINATES and "," in words:
        return words[words.index(",") + 1 :]
    return words


def _told_at(words: Sequence[str], place: int) -> Tells:
    word, before = words[place], words[place - 1]
    if word in _PASTS:
        return "did"
    if word in _BE or word == "it's":
        return _state(words[place + 1 :])
    if word in _MODAL:
        return _shall(words, place)
    is_of_mind = stem(word) in _OF_MIND and words[place + 1 : place + 2] != ["up"]
    if word in _SUPPOSED or is_of_mind:
        return "is"
    if word in ("get", "gets"):
        return "does"
    if word in _HAVE and before == "to":
        return ""
    if word in _HAVE:
        if before in _PLURAL:
            return "is"  # what people have, they have already
        after = _following(words, place)
        return "did" if _is_participle(after) or after.endswith("en") else "does"
    if word in _DO:
        return "does"
    return "does" if _is_verb(words, place) and before not in _DETERMINERS else ""


def _shall(words: Sequence[str], place: int) -> Tells:
    """What a modal tells of: nothing "in May", and how it is where people "will love it"."""
    if words[place] == "may" and words[place - 1] in _JOINS:
        return ""
    return "is" if _following(words, place) in _OF_MIND else "does"


def _is_verb(words: Sequence[str], place: int) -> bool:
    word, before, after = words[place], words[place - 1], _following(words, place)
    if before.isdecimal() or after in _BE or after in _MODAL or after in _HAVE:
        return False
    if before in _EVER and place > 1:
        return word.isalpha() and words[place - 2] not in _BE
    if word in VERBS:
        return before in _PLURAL or (before.endswith("s") and not before.endswith("ss"))
    if not word.endswith("s") or word.endswith(("ss", "us", "'s")):
        return False
    if not after:  # "the board warns", and not "EU numbers"
        return stem(word) in VERBS and place == 2 and words[0] in _DETERMINERS
    return stem(word) in VERBS or (
        after in _JOINS and before.isalpha() and before not in _JOINS and not before.endswith("s")
        and words[0] in _DETERMINERS | {"it"}
    )  # fmt: skip


def _is_of_us(words: Sequence[str], place: int) -> bool:
    """ "We use Oracle" tells what is so; "we mail the receipt", what is to be."""
    first = words[0] in ("we", "i", "they")
    return first and (stem(words[place]) in _OF_US or words[place] in (_HAVE | _DO))


def _state(following: Sequence[str]) -> Tells:
    word = next((word for word in following if word not in _PASSED_OVER), "")
    if word.endswith("ing"):
        return "is-doing"
    if _is_participle(word) or word in _OF_STATE or word.endswith(("able", "ible")):
        return "does"
    return "is"


def _is_participle(word: str) -> bool:
    return word.endswith("ed") or word in _PARTICIPLES or word == "been"


def _following(words: Sequence[str], place: int) -> str:
    return next((word for word in words[place + 1 :] if word not in _PASSED_OVER), "")
