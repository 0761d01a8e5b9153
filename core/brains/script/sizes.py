"""What people said about size: a size word, a number of files, complexity, confidence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from core import patterns
from core.brains import lexicon
from core.domain.answers import Claim, Scan, Size
from core.domain.ids import AnswerId, UserId
from core.domain.stances import contested_parts

SMALL_FILES_BELOW: Final = 5
MEDIUM_FILES_MAX: Final = 15

_NUMBERS: Final = {
    word: number for number, word in enumerate(lexicon.table("english")["number-words"], start=1)
}
_NO_SOURCE: Final = lexicon.listed("no-source-files")
_FILES: Final = lexicon.pattern(
    "counts-files", unless=lambda match: match[1] and _counts_no_files(match)
)
_BARE: Final = lexicon.pattern(
    "counts-alone", unless=lambda match: match.string[: match.start(1)][-1:].isalnum()
)
_NOT: Final = patterns.compile(r"(?:\bnot (?:a |very )?|n['’]t )\Z", patterns.IGNORECASE)


def _graded(word: str) -> patterns.Pattern:
    before = rf"\b{{level}}(?:[- ]to[- ]{{level}})?[- ]{word}\b"
    after = rf"\b{word}(?:\s+is|\s*[:=])?\s+(?:quite |rather |very |fairly )?{{level}}\b"
    return lexicon.compiled(
        f"{before}|{after}", unless=lambda match: match[1] and _NOT.search(match.before)
    )


def _counts_no_files(match: patterns.Match) -> bool:
    """True if it says "not 3 files", "1.5 files" or "3 of the files"."""
    if match.before.lower().endswith("not ") or (
        match[0][0].isdecimal() and match.before.endswith((".", ","))
    ):
        return True
    between = match.string[max(match.end(1), match.end(2)) : match.end()].lower().split()[:-1]
    return any(word.partition("-")[0] in _NO_SOURCE for word in between)


_GRADES: Final = {word: _graded(word) for word in ("complexity", "confidence")}
_SIZE: Final = patterns.compile(
    r"\b(small|medium|large)\b",
    patterns.IGNORECASE,
    unless=lambda match: _NOT.search(match.before),
)


def said_about_size(text: str, *, counting: bool) -> dict[str, str]:
    """The parts of the quick scan that one sentence states. A question states nothing.

    `counting`: the step asks for a number of files, so that a bare number is one.
    """
    if text.rstrip().endswith("?"):
        return {}
    parts: dict[str, str] = {}
    for word, pattern in _GRADES.items():
        for match in pattern.finditer(text):
            parts[word] = next(filter(None, reversed(match.groups()))).lower()
        text = pattern.sub(" ", text)  # "medium complexity" is no size
    if sizes := _SIZE.findall(text):
        parts["scope"] = sizes[-1].lower()
    if (files := _files(text, counting=counting)) is not None:
        parts |= {"file_count": str(files), "scope_by_files": size_of(files)}
    return parts


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


def _files(text: str, *, counting: bool) -> int | None:
    """The number of files said last; of a range its upper bound."""
    matches = list(_FILES.finditer(text))
    if not matches and counting and (bare := _BARE.fullmatch(text.strip())):
        matches = [bare]
    if not matches:
        return None
    return max(_number(group) for group in matches[-1].groups() if group)


def _number(written: str) -> int:
    word = written.lower()
    return _NUMBERS[word] if word in _NUMBERS else int(word.replace(",", ""))
