"""The numbered questions of a step, and which of them a line of an answer takes up."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from core import patterns
from core.brains import lexicon
from core.domain.answers import ReadRequest
from core.domain.brief import asks

_QUESTION: Final = patterns.compile(r"^\s{0,3}([0-9]{1,2})[.)]\s+(\S.*)$", patterns.MULTILINE)

_DIGIT: Final = patterns.compile(r"\s*[0-9]")  # "3 - 5 files" is a range
_OPENS: Final = lexicon.pattern(
    "opens-with-number",
    unless=lambda match: match["dash"] and _DIGIT.match(match.string, match.end("dash")),
)
OPTION_BY_NUMBER: Final = lexicon.pattern("option-by-number")
_BARE, _BARE_ITEM = (  # "3 files" counts; an item may open with a number: "4 3 days overdue"
    patterns.compile(
        rf"([0-9]{{1,2}})\s+(?={follows})",
        unless=lambda match: lexicon.pattern("counted").match(match.after),
    )
    for follows in (r"[^\W\d_]", r"[^\W_]")
)
_NUMBER_ALONE: Final = lexicon.pattern("opens-with-bare-number")
_BARE_NUMBER: Final = lexicon.pattern(
    "bare-number", unless=lambda match: _counts(match["number"], match["word"], match["next"] or "")
)
_COUNTED, _COUNTED_IN_ONE = lexicon.pattern("counted"), lexicon.pattern("counted-in-one")
_UNCOUNTED: Final = lexicon.pattern("uncounted")
_PLURAL, _NO_PLURAL = lexicon.pattern("is-plural"), lexicon.pattern("no-plural")
_HEADING: Final = patterns.compile(
    r"(?P<number>[0-9]{1,2}) +(?P<words>[^\W\d_][\w-]*(?: [\w-]+)?) *:?"
)
_LIST_ITEM: Final = patterns.compile(r"\s*[-*+•‣◦▪●–—]\s+\S")
BARE_ITEMS_MIN: Final = 3
_INLINE: Final = patterns.compile(
    r"\s+\(?([0-9]{1,2})[.):]\s+(?=[^\s0-9])|\s+\(?([0-9]{1,2})\)\s+(?=\S)"
    r"|\s+q(?:uestion)?\s?([0-9]{1,2})\s?[.):]\s+(?=\S)",
    patterns.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fragment:
    """One line of an answer, or one thought of it.

    `opens` is false for a sentence that goes on from the one before it. `after_gap`: an empty line
    stands before it.
    """

    text: str
    opens: bool = True
    code: bool = False
    number: int | None = None  # of the question that it takes up
    label: str = ""  # of the heading that it stands under
    table: str = ""  # "head" or "row"
    item: bool = False  # of a list
    head: str = ""  # of a row: the cells of the head row
    sign: str = ""  # of a list item: "+", "-", "A)"
    indent: int = 0  # characters of white space before its line
    after_gap: bool = False
    above_list: bool = False  # right above a list's first item, and none itself


def questions_of(request: ReadRequest) -> Mapping[int, str]:
    """The numbered questions that were asked at the depth of the step."""
    text = asks(request.step, request.depth)
    return {int(number): words.strip() for number, words in _QUESTION.findall(text)}


def with_numbers(text: str, questions: Collection[int]) -> str:
    """An answer with a full stop behind the numbers of questions that stand without one.

    "1 the app, by Sam. 2 none yet" answers the questions 1 and 2, each on a line of its own.
    """
    lines = [] if "```" in text else text.splitlines()
    for place, line in enumerate(lines):
        items = list(takewhile(_LIST_ITEM.match, lines[place + 1 :]))
        match = _NUMBER_ALONE.match(line)
        number = (match["led"] or match["bare"]) if match else ""
        heading = _HEADING.fullmatch(line) if items else None
        if match and number and int(number) in questions:
            answer_text = line[match.end() :].strip()
            if answer_text or items:
                lines[place] = f"{number}. {answer_text}"
        elif heading and int(heading["number"]) in {*questions} - {len(items)}:
            # "1 parts" over three items; "3 parts" over three counts them
            lines[place] = f"{heading['number']}. {heading['words']}"
        elif heading is None:
            lines[place] = _with_bare_numbers(line, questions)
    return "\n".join(lines) or text


def _with_bare_numbers(line: str, questions: Collection[int]) -> str:
    """A line with a full stop behind the number that opens it, and with those that follow it one
    by one behind its sentences on lines of their own."""
    opens = _OPENS.match(line)
    last = int(next(filter(None, opens.groups()[:2]), 0)) if opens else 0
    parts, at = [], 0
    for match in _BARE_NUMBER.finditer(line):
        number, before = int(match["number"]), match["before"].rstrip()
        is_first = not last and (not before or bool(_UNCOUNTED.fullmatch(match["word"])))
        if number in questions and (is_first or number == last + 1):
            line_end = "\n" if before else ""
            parts.append(f"{line[at : match.start()]}{before}{line_end}{number}. ")
            at, last = match.start("word"), number
    return "".join((*parts, line[at:]))


def _counts(number: str, word: str, behind: str) -> bool:
    """True if a number counts the word behind it: "5 freezers", "3 gb", "5 a day", "2 phone calls".

    "1 parts" does not.
    """
    if int(number) == 1:
        return bool(_COUNTED_IN_ONE.fullmatch(word))
    if _UNCOUNTED.fullmatch(word):
        return bool(_COUNTED.match(behind))
    counted = (_COUNTED.match(word), _COUNTED.match(behind), _COUNTED_IN_ONE.fullmatch(word))
    return any(counted) or any(
        _PLURAL.fullmatch(one) and not _NO_PLURAL.fullmatch(one) for one in (word, behind)
    )


def numbered(
    lines: Sequence[Fragment], question_count: int, own_list: Callable[[str], bool] | None = None
) -> list[Fragment]:
    """The lines with the question that each takes up, and without the number that says so.

    Numbers that cannot be those of the questions are a list of one's own.
    """
    parts = list(_split_numbered(lines, question_count))
    numbers = [line.number for line in parts if line.number is not None]
    numbered_lines = [line.text for line in parts if line.number is not None]
    if (
        not numbers
        or not question_count
        or _is_own(numbers, question_count)
        or (own_list and _are_all_own(numbered_lines, own_list))
    ):
        return [part for line in _without_bare_numbers(lines) for part in _split_inline(line)]
    return list(_carried_on(parts))


def _without_bare_numbers(lines: Sequence[Fragment]) -> Sequence[Fragment]:
    """The lines, without the numbers of a list that opens with 1, 2, 3 and no sign behind them."""
    items = {
        place: match
        for place, line in enumerate(lines)
        if not (line.code or line.table) and (match := _BARE_ITEM.match(line.text))
    }
    numbers = [int(match[1]) for match in items.values()]
    if len(numbers) < BARE_ITEMS_MIN or numbers != list(range(1, len(numbers) + 1)):
        return lines
    return [
        replace(line, text=line.text[items[place].end() :], item=True) if place in items else line
        for place, line in enumerate(lines)
    ]


def _are_all_own(lines: list[str], own_list: Callable[[str], bool]) -> bool:
    return len(lines) > 1 and all(own_list(line) for line in lines)


def _is_own(numbers: list[int], question_count: int) -> bool:
    """More than was asked, or one number for every item, as lists are sometimes written."""
    return not all(1 <= number <= question_count for number in numbers) or (
        len(numbers) > 1 and len(set(numbers)) == 1
    )


def _split_numbered(lines: Sequence[Fragment], question_count: int) -> Iterator[Fragment]:
    bare = _bare_numbers(lines) if question_count else False
    for line in lines:
        if line.code or line.table:
            yield line
            continue
        match = _OPENS.match(line.text) or (_BARE.match(line.text) if bare else None)
        if (
            not match
            or (match.end() == len(line.text) and line is lines[-1])
            or (len(lines) == 1 and OPTION_BY_NUMBER.match(line.text))
        ):
            yield line
            continue
        number = int(next(filter(None, match.groups())))
        for question, text in _inline(number, line.text[match.end() :]):
            yield replace(line, text=text, number=question, item=True)


_COUNTS: Final = patterns.compile(
    r"(?:^|\s)(?P<name>(?:[Gg]oal|[Aa]im|[Rr]ule|[Pp]oint|[Ii]tem|[Rr]isk) |[A-Za-z]{0,2})"
    r"(?P<number>[0-9]{1,2})(?P<sign>[.):]?)\s+(?=[^\s0-9])"
)


def _split_inline(line: Fragment) -> Iterator[Fragment]:
    """`8: … 9: …` and `R1 … R2 …` on one line are lines of a list of people's own.

    The numbers count on from the first, in one manner of writing. What stands before them is a
    line as well.
    """
    starts = [] if line.code or line.table else inline_numbers(line.text)
    if len(starts) < 2:
        yield line
        return
    if before := line.text[: starts[0]].strip():
        yield replace(line, text=before)
    for start, end in zip(starts, [*starts[1:], len(line.text)], strict=True):
        yield replace(line, text=line.text[start:end].strip(), item=True)


def inline_numbers(text: str) -> list[int]:
    """Where the numbers of a list on one line begin; none where they do not count on."""
    starts: list[int] = []
    last: tuple[str, int, str] | None = None
    for match in _COUNTS.finditer(text):
        manner = (match["name"], int(match["number"]), match["sign"] if match["name"] else "")
        if not (match["name"] or match["sign"]):
            continue
        if last is None or manner == (last[0], last[1] + 1, last[2]):
            starts.append(match.start("name"))
            last = manner
        elif len(starts) == 1:
            starts, last = [match.start("name")], manner
    return starts


def _inline(number: int, text: str) -> Iterator[tuple[int, str]]:
    """`1) large 2) thirty files` on one line, as long as the numbers count on."""
    start = 0
    for match in _INLINE.finditer(text):
        if int(next(filter(None, match.groups()))) == number + 1:
            yield number, text[start : match.start()]
            number, start = number + 1, match.end()
    yield number, text[start:]


def _bare_numbers(lines: Sequence[Fragment]) -> bool:
    """True if lines open with 1, 2, … and no sign behind it: two at least, and counting on."""
    numbers = [int(match[1]) for line in lines if (match := _BARE.match(line.text))]
    return len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))


def _carried_on(lines: list[Fragment]) -> Iterator[Fragment]:
    """What stands below a number belongs to it: up to the next one, else up to an empty line."""
    last = max(place for place, line in enumerate(lines) if line.number is not None)
    current: int | None = None
    for place, line in enumerate(lines):
        if line.number is not None:
            current = line.number
        elif place > last and line.after_gap and not line.item:
            current = None
        yield replace(line, number=current)
