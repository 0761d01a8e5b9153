"""How many files a line speaks of: numbers, ranges and sums, with the words they were said in.

"2 hooks + 1 test file" is a sum, "12ish" about 12, "ca. 15-20" a range whose upper end counts, and
"25 files, 9 of them tests" a number with a part of it. A number of something else is no count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from core import patterns
from core.brains import lexicon
from core.brains.script.parts.phrases import on_one_line

COUNTS_MAX: Final = 40  # of one line
NOUN_WORDS_MAX: Final = 4

_ENGLISH: Final = lexicon.table("english")
_NUMBERS: Final[dict[str, int]] = {
    **{word: 10 * tens for tens, word in enumerate(_ENGLISH["tens-words"], start=1)},
    **{word: number for number, word in enumerate(_ENGLISH["number-words"], start=1)},
    **_ENGLISH["dozens"],
}
_NO_SOURCE: Final = lexicon.listed("no-source-files")
_NOUN_ENDS: Final = lexicon.listed("noun-ends")
_GOES_ON: Final = patterns.compile(r"[\w%$€£]|[.,:/][0-9]|\s?%")
_NUMBER: Final = lexicon.pattern(
    "counted-number", unless=lambda match: _GOES_ON.match(match.after) or _is_denied(match)
)
_NOUN: Final = lexicon.pattern("counted-noun")

Sort = Literal["files", "kind", "bare", "other"]
"""Counted as files, as files of a kind ("9 tests"), without a noun, or as something else."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of files that a line states, and the words that say it. `sort`: of what."""

    number: int
    said: str
    sort: Sort


@dataclass(frozen=True, slots=True)
class _FoundCount:
    number: int
    sort: Sort
    start: int
    end: int
    added: bool  # to the one before it
    part: bool  # of the one before it


def count_in(text: str, *, counting: bool, listed: bool = False) -> Count | None:
    """The number of files of a line; of several the last, of a sum all of it.

    `counting`: the step asks for a number of files, so that a bare number and "9 tests" are ones;
    `listed`: the line is one of a list.
    """
    line = on_one_line(text)
    sums = [
        _usable(counts, counting=counting, listed=listed)
        for counts in _sums(list(_find_counts(line)))
    ]
    sums = [counts for counts in sums if counts]
    file_sums = [counts for counts in sums if any(count.sort == "files" for count in counts)]
    if not sums:
        return None
    chosen = (file_sums or sums)[-1]
    words = line[chosen[0].start : chosen[-1].end]
    return Count(sum(count.number for count in chosen if not count.part), words, chosen[0].sort)


def _usable(counts: list[_FoundCount], *, counting: bool, listed: bool) -> list[_FoundCount]:
    """The numbers of a sum that count files; what else is a number says nothing of them."""
    has_files = any(count.sort == "files" for count in counts)
    if not has_files and not counting:
        return []
    is_sum = any(count.added for count in counts)
    of_kinds = has_files or any(count.sort == "kind" for count in counts)
    usable = [count for count in counts if count.sort != "other" or (is_sum and of_kinds) or listed]
    total, parts = usable[:1], usable[1:]
    if total and sum(count.number for count in parts if count.part) > total[0].number:
        return [_as_whole(count) for count in usable]
    return usable


def _as_whole(count: _FoundCount) -> _FoundCount:
    return _FoundCount(count.number, count.sort, count.start, count.end, count.added, part=False)


def _sums(counts: Sequence[_FoundCount]) -> Iterator[list[_FoundCount]]:
    """Numbers that are added to each other or are parts of the one before them."""
    current: list[_FoundCount] = []
    for count in counts:
        if current and not (count.added or count.part):
            yield current
            current = []
        current.append(count)
    if current:
        yield current


# ── one number ─────────────────────────────────────────────────────────────────────────────────


def _find_counts(line: str) -> Iterator[_FoundCount]:
    previous: _FoundCount | None = None
    within = False
    for match in islice(_NUMBER.finditer(line), COUNTS_MAX):
        noun, end = _noun(line, match.end())
        sort = _sort(noun, line, match)
        if sort is None or (sort == "bare" and not previous and not _opens(line, match)):
            continue
        between = line[previous.end : match.start()] if previous else ""
        part = previous is not None and (
            within or _is_part(line, end, between) or _follows_whole(previous, between)
        )
        added = previous is not None and not part and _is_added(previous, between, sort, line[end:])
        within = part and (within or not _is_part(line, end, ""))
        if previous and sort == "bare" and not (part or added) and not _is_instead(between):
            continue
        if sort == "bare" and (_names_one(match) or _is_share(line, end)) and not part:
            continue
        previous = _FoundCount(_value(match), sort, _opening(line, match), end, added, part)
        yield previous


def _noun(line: str, at: int) -> tuple[tuple[str, ...], int]:
    """The words behind a number up to one that ends its noun, and where they end."""
    words: list[str] = []
    while len(words) < NOUN_WORDS_MAX and (match := _NOUN.match(line, at)):
        word = match[0].strip()
        if word.casefold() in _NOUN_ENDS:
            break
        words.append(word)
        at = match.end()
        if _is_files(word):
            break
    return tuple(words), at


def _is_files(word: str) -> bool:
    return bool(lexicon.pattern("files-word").fullmatch(word))


def _sort(noun: tuple[str, ...], line: str, match: patterns.Match) -> Sort | None:
    if lexicon.pattern("files-before").search(line[: match.start()]):
        return "files"
    if not noun:
        return "bare"
    if _is_files(noun[-1]):
        no_source = any(word.casefold().partition("-")[0] in _NO_SOURCE for word in noun[:-1])
        return None if no_source else "files"
    if lexicon.pattern("no-files-noun").match(noun[0]):
        return None
    words = (part for word in noun for part in word.split("/"))
    of_a_kind = lexicon.pattern("files-of-a-kind")
    return "kind" if any(of_a_kind.fullmatch(word) for word in words) else "other"


def _opens(line: str, match: patterns.Match) -> bool:
    """True if a number opens its line, after words such as "about" and "I'd say"."""
    before = line[: match.start()].lstrip("*( ")
    return not before.strip() or lexicon.pattern("about-ends").search(before[-80:]) is not None


def _opening(line: str, match: patterns.Match) -> int:
    about = lexicon.pattern("about-ends").search(line[: match.start()])
    start = about.start() if about else match.start()
    return start + len(line[start : match.start()]) - len(line[start : match.start()].lstrip(" ("))


def _is_part(line: str, end: int, between: str) -> bool:
    """True for "8 of them …", and for what follows "thereof", "incl." or a colon."""
    behind = lexicon.pattern("is-part").match(line[end : end + 40].lstrip())
    return bool(behind or lexicon.pattern("parts-follow").search(between))


def _follows_whole(previous: _FoundCount, between: str) -> bool:
    """True for "25 files, 9 tests": files are all of them, whatever their kind is."""
    return previous.sort == "files" and between.strip() == ","


def _names_one(match: patterns.Match) -> bool:
    return match[0].casefold() == "one"


def _is_share(line: str, end: int) -> bool:
    """True for "3 of the files"."""
    return line[end : end + 8].lstrip().casefold().startswith("of ")


def _is_added(previous: _FoundCount, between: str, sort: Sort, behind: str) -> bool:
    """True for a number after "+" or "and"; after a comma where both have something to count."""
    plain = between.strip().casefold()
    if lexicon.pattern("other-count").search(plain):
        return False
    if "other" in (sort, previous.sort) and "+" not in plain:
        return False  # "40 countries, 300 files"
    if lexicon.pattern("also-counted").search(plain):
        return True
    is_counted = sort != "bare" or behind[:4].strip().split(" ")[0] in ("in", "for", "im")
    return is_counted and "," in plain


def _is_instead(between: str) -> bool:
    return bool(lexicon.pattern("other-count").search(between.casefold()))


def _is_denied(match: patterns.Match) -> bool:
    return match.before.lower().endswith(("not ", "no. ", "nr. ", "step ", "phase ", "version "))


def _value(match: patterns.Match) -> int:
    return max(_number(match[name]) for name in ("from", "to", "low", "high") if match[name])


def _number(written: str) -> int:
    word = written.lower()
    return _NUMBERS[word] if word in _NUMBERS else int(word.replace(",", ""))
