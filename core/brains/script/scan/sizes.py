"""What people said about size: a size word, a number of files, complexity, confidence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from core import patterns
from core.brains import lexicon
from core.brains.script.parts.counts import count_in
from core.domain.answers import Claim, Scan, Size
from core.domain.ids import AnswerId, UserId
from core.domain.stances import contested_parts

SMALL_FILES_BELOW: Final = 5
MEDIUM_FILES_MAX: Final = 15

_DENIES: Final = patterns.compile(r"\bnot\b|n['’]t\b", patterns.IGNORECASE)
_NOT: Final = patterns.compile(
    r"(?:(?:\bnot|n['’]t|\bdont|\b(?:hesitate|hate) to)"
    r"(?: (?:add up to|call (?:it|this|that)|say|be|make it|write|put|note))?"
    r"(?: (?:an?|very))? )\Z",
    patterns.IGNORECASE,
)


def _graded(word: str) -> patterns.Pattern:
    before = rf"\b{{level}}(?:(?:[- ]to[- ]|-){{level}})?(?:[- ]| for (?:the )?){word}\b"
    after = rf"\b{word}(?:\s*[:=])?(?: [\w’']+){{0,4}}? {{level}}\b"
    after += r"(?:(?: to |-| or )(?:low|med(?:ium)?|moderate|high)\b)?"
    return lexicon.compiled(
        f"{before}|{after}",
        unless=lambda match: _DENIES.search(match[0]) or (match[1] and _NOT.search(match.before)),
    )


def _is_name(match: patterns.Match) -> bool:
    """True for a capital inside a sentence: "Frau Klein"."""
    return match[0][0].isupper() and bool(match.before.strip())


_WORDS: Final = {"complexity": "complexity", "confidence": "conf(?:id\\w*)?"}
_GRADES: Final = {grade: _graded(word) for grade, word in _WORDS.items()}
_OF_SHORT: Final = {"med": "medium"}
_TAKES: Final = patterns.compile(r"\b(?:take|took|taking) (?:the |my )?\Z", patterns.IGNORECASE)
_BACK: Final = patterns.compile(r",? back\b", patterns.IGNORECASE)


def _is_denied(size: patterns.Match) -> bool:
    """True in "not medium", "don't write medium down" and "I take medium back"."""
    is_taken_back = _TAKES.search(size.before) and _BACK.match(size.after)
    return bool(is_taken_back or _NOT.search(size.before))


_SIZE: Final = patterns.compile(r"\b(small|medium|large)\b", patterns.IGNORECASE, unless=_is_denied)
# A size of clothes, alone or behind what says that it is one: "L", "for me M", "**Size:** S"
_LETTER: Final = patterns.compile(
    r"(?:^(?:(?:[Ii](?:['’]d)? say|[Ff]or me|[Oo]k|[Ss]o),? )*"
    r"|(?:^|\s)[Ss]iz(?:e|ing)[^:=.;]{0,40}[:=] ?)"
    r"(?P<letter>X{0,2}L|M|X?S)"
    r"(?=$|[,.;!)]| (?:for me|easily|then|it is|at least|imh?o|i think|i guess|lol|maybe)(?!\w))"
)
_OF_LETTER: Final[Mapping[str, Size]] = {"S": "small", "M": "medium", "L": "large"}
# "For me it's big", and not "big files"
_BIG: Final = patterns.compile(
    r"(?:^(?:so |ok,? |well,? |hm+,? )*|\b(?:it|that|this|for me)(?: is|['’]?s) |\bfor me "
    r"|\b(?:i['’]?d|i would) (?:say|call) (?:(?:it|that)(?: is|['’]?s)? )?)"
    r"(?:(?:an?|quite|rather|pretty|very|really) )*(?:big|huge)(?: one| thing| job)?"
    r"(?=$|[,.;!)]| (?:because|bc|since|for me|then)\b)",
    patterns.IGNORECASE,
)
_SIZE_AND_GRADE: Final = lexicon.compiled(
    r"\b(small|medium|large)\s*(?:/|\band\b)\s*{level}\b",
    unless=lambda match: match.before.casefold().endswith("between "),
)
_GRADE_ALONE: Final = lexicon.compiled(r"(?:(?:very|quite|rather|fairly|leaning) )?{level}")
_GUESS: Final = lexicon.compiled(
    r"(?:(?:i['’]?d (?:say|guess)|maybe|perhaps|so|ok|hm+|hi|hey|hello|hola|(?:good )?morning)\W+)*"
    r"(?:(?:size|confidence|conf|complexity)[: ]+)?(?:small|large|{level})"
    r"(?: (?:confidence|conf|complexity))?(?:,? (?:maybe|i guess|no|or|for me|then|imh?o))?"
)
_COUNT_GUESS: Final = lexicon.compiled(
    r"{chat-lead}(?:{about} ?)*{number}(?:ish)?(?: files?)?"
    r"(?: (?:with|w/?|incl\.?|including) tests)?"
)
# Complexity and confidence are nouns, which have a capital in German.
_OF_OTHERS: Final = tuple(
    (
        word,
        patterns.compile(
            rf"\b(?:{row})\b", patterns.IGNORECASE, unless=None if word in _WORDS else _is_name
        ),
    )
    for word, row in lexicon.table("english")["size-words"].items()
)
_PLAIN_COUNT: Final = patterns.compile(r"[0-9,]+(?: files?)?", patterns.IGNORECASE)


def in_english(text: str) -> str:
    """A text with the words of others for size, complexity and confidence as the English ones:
    "Komplexität mittel" as "complexity medium"."""
    for word, pattern in _OF_OTHERS:
        text = pattern.sub(word, text)
    return text


def is_guess(text: str) -> bool:
    """True for a size or a number of files that somebody gives as a question: "medium?", "~40?"."""
    guess = text.rstrip("? ").strip()
    return bool(_GUESS.fullmatch(guess) or _COUNT_GUESS.fullmatch(guess))


def said_about_size(
    text: str, *, counting: bool, listed: bool = False, grade: str = ""
) -> dict[str, str]:
    """The parts of the quick scan that one sentence states. A question states nothing.

    `counting`: the step asks for a number of files, so that a bare number is one; `listed`: the
    line is one of a list; `grade`: what a bare "high" is asked of, complexity or confidence.
    """
    if text.rstrip().endswith("?") and not is_guess(text):
        return {}
    parts: dict[str, str] = {}
    bare = in_english(text.replace("*", "").strip())
    ungraded = _without_grades(bare, parts, grade)
    if sizes := _SIZE.findall(ungraded):
        parts["scope"] = sizes[-1].lower()
    elif letter := _LETTER.search(bare):
        parts["scope"] = _OF_LETTER[letter["letter"][-1]]
    elif _BIG.search(ungraded):
        parts["scope"] = "large"
    if (count := count_in(text, counting=counting, listed=listed)) is not None:
        parts |= of_files(count.number, count.said)
    return parts


def _without_grades(text: str, parts: dict[str, str], grade: str) -> str:
    """The text without the words for complexity and confidence, which go to `parts`.

    "medium complexity" is no size.
    """
    if grade and (alone := _GRADE_ALONE.match(text.strip(" .!*"))) and _ends_word(alone):
        parts[grade] = _level(alone[1])
        return ""
    for word, pattern in _GRADES.items():
        for match in pattern.finditer(text):
            parts[word] = _level(next(filter(None, reversed(match.groups()))))
        text = pattern.sub(" ", text)
    for match in _SIZE_AND_GRADE.finditer(text):
        parts["complexity"] = _level(match[2])
        text = f"{text[: match.end(1)]} {text[match.end() :]}"
    return text


def _level(word: str) -> str:
    return _OF_SHORT.get(word.lower(), word.lower())


def _ends_word(match: patterns.Match) -> bool:
    return not match.after or match.after[0] in ",;.:!"


def of_files(number: int, words: str = "") -> dict[str, str]:
    """A number of files as a part of the scan, with the words that give it as a range or a sum."""
    in_words = {} if not words or _PLAIN_COUNT.fullmatch(words.strip()) else {"files_said": words}
    return {"file_count": str(number), "scope_by_files": size_of(number), **in_words}


def size_of(file_count: int) -> Size:
    if file_count < SMALL_FILES_BELOW:
        return "small"
    return "medium" if file_count <= MEDIUM_FILES_MAX else "large"


def agreed(claims: Sequence[Claim], people: Mapping[AnswerId, UserId]) -> list[Mapping[str, str]]:
    """What the claims state of the size, without the parts on which people differ."""
    contested = contested_parts(claims, people)
    return [
        {key: value for key, value in claim.data.items() if key not in contested}
        for claim in claims
    ]


def scan_of(statements: Iterable[Mapping[str, str]]) -> Scan:
    """What was said last holds, field by field; a size in words wins over the number of files."""
    last: dict[str, str] = {}
    for part in statements:
        last |= part
    return Scan(
        scope=cast("Size | None", last.get("scope", last.get("scope_by_files"))),
        complexity=last.get("complexity"),
        file_count=int(last["file_count"]) if "file_count" in last else None,
        confidence=last.get("confidence"),
    )
