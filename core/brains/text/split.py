"""An answer as the thoughts it is made of: code blocks, table rows, lines, list items, sentences.

Nothing is dropped but white space, the signs that open a list item or a table row, the number of
the question that a line takes up, and a heading whose label the lines below it carry on.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.task_cache import cached
from core.brains.text.filler import behind_turn
from core.brains.text.labels import heading_of
from core.brains.text.questions import OPTION_BY_NUMBER, Fragment, numbered
from core.brains.text.tables import table_rows

_TICKS: Final = patterns.compile(r"`{3,}")
_NEW_LINE: Final = patterns.compile(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_ITEM: Final = patterns.compile(
    r"(?:(?:[-*+•‣◦▪●–—]|\(?[0-9]{1,3}[.)]|[A-Za-z]\)|\[[ xX]?\])\s+)+(?=\S)"
)
_VALUE: Final = patterns.compile(r"[0-9]{2,3}[.]\s+\S")
OWN_NAME: Final = patterns.compile(
    r"(?:[A-Za-z]{1,3}-?[0-9]{1,3}\s*(?:[:.)–-]|->|=>|→)"
    r"|[*_\[(]{1,2}[A-Za-z]{0,3}-?[0-9]{0,3}[*_\])]{1,2}[:.]?)\s*\S"
)
# "50. Below that nobody looks", "F1. An admin sets a limit"; a year ends a sentence
_NAME_ALONE: Final = patterns.compile(r"[A-Za-z]{0,3}-?[0-9]{1,3}")
WORDS_NAMED_MIN: Final = 3
# "## Scope", "**Scope v2** (as agreed)"; "# of beds" counts something
TITLE: Final = patterns.compile(
    r"#{2,6}\s+[^:?\n]+:?|[*_]{1,2}[A-Z][^*_:?.\n]+[*_]{1,2}:?(?: ?\([^()\n]*\))?"
)
_NAMES_FIRST: Final = patterns.compile(r"[^\s:][^:\n]{0,30}: \S")
# "POST /orders -> 201. 409 if it is there already": the codes of one call are one line
_STATUS: Final = patterns.compile(r"[1-5][0-9]{2}(?:[\s,:]|$)")
_CALL: Final = patterns.compile(r"(?:^|[\s(`])(?:GET|POST|PUT|PATCH|DELETE)\s+`?/")
_ITEM_ALONE: Final = patterns.compile(r"[-*+•‣◦▪●–—]|\(?[0-9]{1,3}\)|[A-Za-z]\)")
_SENTENCE_END: Final = patterns.compile(
    r"[.!?…]+[\"'”’)\]]*\s+(?=\S)|[。！？]+[\"'”’」』）)]*\s*(?=\S)"
)
# "… failed, then a mail. - job dies …": a list on one line; no "+ cheap. - slow"
_ITEM_BEHIND: Final = patterns.compile(r"[-*•‣◦▪●]\s+(?=\S)")
_FOR: Final = patterns.compile(r"(?:^|[.!?:]\s+)\+ ")
# "A. B is dead": of options, the one that is taken; no initial of a name
_OTHER_LETTER: Final = patterns.compile(r"[A-E](?: is|['’]s) (?:dead|out|off|gone|history|no )")
# a bracket or quotation that closes in its line
_ENCLOSED: Final = patterns.compile(
    r"[(][^()]*[)]|[\[][^\[\]]*[\]]|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»"
    r"|(?:^|[\s(])\"[^\s\"][^\"]*\""
)
_STORY_OPENS: Final = patterns.compile(r"as [^.!?]*$", patterns.IGNORECASE)
_STORY: Final = patterns.compile(r"as \S.*\bi (?:want|need)\b", patterns.IGNORECASE)
_CHECK_OF_STORY: Final = lexicon.pattern("check-of-story")
_GIVEN: Final = patterns.compile(r"given\b", patterns.IGNORECASE)
_GIVEN_GOES_ON: Final = patterns.compile(r"(?:and|when|then|but)\b", patterns.IGNORECASE)
LETTERS: Final = tuple("ABCDE")
_UNIT: Final = patterns.compile(
    r"[0-9]\s?(?:[A-Za-z]|ms)$"
)  # "5 s." ends a sentence, "J." does not
_WORD_CHARS_MAX: Final = 40  # longer than any shortened word
_STORY_CHARS_MAX: Final = 4_000  # a line that goes on from the one before it makes it longer
_LETTER_CHOSEN: Final = lexicon.pattern("letter-chosen")
_ONLY_ASKS_RATING: Final = lexicon.pattern("only-asks-rating")
_ONLY_STRESS: Final = lexicon.pattern("only-stress")
_NEVER_ENDS: Final = lexicon.listed("never-ends")
_SELDOM_ENDS: Final = lexicon.listed("seldom-ends")  # not before a small letter or a number


@cached
def split(
    text: str,
    question_count: int = 0,
    own_list: Callable[[str], bool] | None = None,
    sorts: Callable[[str], bool] = lambda label: True,
    heading: Callable[[str], str] = heading_of,
) -> tuple[Fragment, ...]:
    """The fragments of an answer, in its order. An answer of a bare sign is one fragment.

    `sorts`: whether a label means anything here; a heading whose label does not is a line as well.
    `heading`: the label that a line of its own gives to those below it.
    """
    lines = _unheaded(
        _joined(numbered(list(_lines(text)), question_count, own_list)), sorts, heading
    )
    fragments = tuple(fragment for line in lines for fragment in _fragments(line))
    return fragments or ((Fragment(text.strip()),) if text.strip() else ())


def _fragments(line: Fragment) -> Iterator[Fragment]:
    if line.code or line.table:
        yield line
        return
    sentences = chain.from_iterable(map(_story_and_check, _sentences(line.text)))
    for place, sentence in enumerate(sentences):
        yield replace(line, text=sentence, opens=place == 0)


# ── lines ──────────────────────────────────────────────────────────────────────────────────────


def _lines(text: str) -> Iterator[Fragment]:
    start = 0
    for begin, end in _code_blocks(text):
        yield from _prose(text[start:begin])
        yield Fragment(text[begin:end], code=True)
        start = end
    yield from _prose(text[start:])


def _code_blocks(text: str) -> Iterator[tuple[int, int]]:
    """From each fence up to the next one of as many backticks."""
    fences = [match.span() for match in _TICKS.finditer(text)]
    next_of_length: dict[int, int] = {}
    closing: dict[int, int] = {}
    for begin, end in reversed(fences):
        if end - begin in next_of_length:
            closing[begin] = next_of_length[end - begin]
        next_of_length[end - begin] = end
    at = 0
    for begin, _ in fences:
        if begin >= at and begin in closing:
            at = closing[begin]
            yield begin, at


def _prose(piece: str) -> Iterator[Fragment]:
    gap, head = False, ""
    lines = _NEW_LINE.split(piece)
    rows = [line.strip() for line in lines]
    tables = list(table_rows(rows))
    for line, raw, row in zip(lines, rows, tables, strict=True):
        if not raw:
            gap, head = True, ""
        elif row is None:
            head = ""
            indent = len(line) - len(line.lstrip())
            yield Fragment(raw, item=bool(_ITEM.match(raw)), after_gap=gap, indent=indent)
            gap = False
        else:
            if row.cells:
                head = row.cells if row.is_head else head
                kind = "head" if row.is_head else "row"
                above = "" if row.is_head else head
                yield Fragment(row.cells, after_gap=gap, table=kind, head=above)
            gap = False


def _joined(lines: list[Fragment]) -> list[Fragment]:
    """Lines without their list signs; a story or a check over several lines is one line."""
    joined: list[Fragment] = []
    is_list = sum(bool(_VALUE.match(line.text)) for line in lines) > 1
    for line in lines:
        if line.code or line.table:
            joined.append(line)
            continue
        is_value = _VALUE.match(line.text) and not is_list  # "50. Below that nobody looks"
        if is_value or (len(lines) == 1 and OPTION_BY_NUMBER.match(line.text)):
            joined.append(replace(line, item=False))
            continue
        text = _ITEM.sub("", line.text, count=1) if _ITEM.match(line.text) else line.text
        if not text or _ITEM_ALONE.fullmatch(text):
            continue
        if joined and _goes_on(joined[-1], text):
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text} {text}")
        else:
            joined.append(replace(line, text=text, sign=_sign(line.text, text)))
    return joined


def _sign(line: str, text: str) -> str:
    """The sign that opens a list item, without the spaces round it."""
    return line[: len(line) - len(text)].strip()


def _goes_on(previous: Fragment, text: str) -> bool:
    if previous.code or previous.table or len(previous.text) > _STORY_CHARS_MAX:
        return False
    story = lexicon.pattern("story-goes-on").match(text) and _STORY_OPENS.match(previous.text)
    return bool(story or (_GIVEN_GOES_ON.match(text) and _GIVEN.match(previous.text)))


def _unheaded(
    lines: list[Fragment], sorts: Callable[[str], bool], heading: Callable[[str], str]
) -> Iterator[Fragment]:
    """Lines under a heading such as "Risks:" carry its label, up to an empty line or the next."""
    label, listed = "", False
    for place, line in enumerate(lines):
        below = lines[place + 1 : place + 2]
        marker = "" if line.code or line.table else _marker(line, below, heading)
        if marker and sorts(marker) and below and not heading(below[0].text):
            label, listed = marker, False
        elif (line.after_gap and listed and not (line.item or line.table or line.code)) or (
            (line.text.rstrip().endswith(":") or TITLE.fullmatch(line.text)) and not line.code
        ):
            label = ""
            yield line
        else:
            listed = True
            yield replace(line, label=label, above_list=_is_above_list(line, below))


def _marker(line: Fragment, below: list[Fragment], heading: Callable[[str], str]) -> str:
    """The label of a heading; right above a list or "gate: …" it needs no colon: "Tests"."""
    bare = _is_above_list(line, below) or any(_NAMES_FIRST.match(part.text) for part in below)
    return heading(line.text) or (heading(f"{line.text}:") if bare else "")


def _is_above_list(line: Fragment, below: list[Fragment]) -> bool:
    is_above = any(fragment.item or OWN_NAME.match(fragment.text) for fragment in below)
    return is_above and not line.item and line.number is None


# ── sentences ──────────────────────────────────────────────────────────────────────────────────


def _sentences(line: str) -> list[str]:
    sentences, start = [], 0
    weighs = _FOR.search(line)
    for match in _ends_outside(line):
        before = line[max(start, match.start() - _WORD_CHARS_MAX) : match.start()]
        following = line[match.end() :]
        if start == 0 and _NAME_ALONE.fullmatch(before) and _is_named(before, following):
            continue
        if _STATUS.match(following) and _CALL.search(line[start : match.start()]):
            continue
        if before in LETTERS and _OTHER_LETTER.match(following):
            sentences.append(before + match[0].strip())
            start = match.end()
            continue
        if _ONLY_ASKS_RATING.match(line[start : match.end()].strip()):
            continue
        if _ends(before, match[0].rstrip(), following) and not _ONLY_STRESS.match(following):
            sentences.append(line[start : match.end()].strip())
            item = None if weighs else _ITEM_BEHIND.match(following)
            start = match.end() + (item.end() if item else 0)
    return [*sentences, line[start:].strip()]


def _story_and_check(sentence: str) -> Iterator[str]:
    """The sentence; of a story that goes on with how its author would see it, each of the two."""
    match = _CHECK_OF_STORY.search(sentence) if _STORY.match(sentence) else None
    if match:
        yield sentence[: match.start()].strip()
        sentence = sentence[match.start() :].lstrip(",;")
    yield sentence.strip()


def _ends_outside(line: str) -> Iterator[patterns.Match]:
    """The ends of sentences that stand in no bracket or quotation."""
    spans = [match.span() for match in _ENCLOSED.finditer(line)]
    place = 0
    for match in _SENTENCE_END.finditer(line):
        while place < len(spans) and spans[place][1] <= match.start():
            place += 1
        is_inside = place < len(spans) and spans[place][0] < match.start()
        if not (is_inside and match.end() < spans[place][1]):
            yield match


def _is_named(name: str, following: str) -> bool:
    return name.isdecimal() or len(following.split()) >= WORDS_NAMED_MIN


def _ends(before: str, sign: str, following: str) -> bool:
    """True if a full stop ends the sentence, or only a shortened word."""
    if sign in ("...", "…") and behind_turn(following):
        return True  # "I take the bus... hm no, the train"
    if sign != ".":
        return not (sign in ("...", "…") and following[0].islower())
    if before.strip().casefold() == "no" and following[0] == "-":  # "weekly too? no. - the api: …"
        return True
    word = before.rsplit(None, 1)[-1].lstrip("(\"'“‘[").casefold() if before.strip() else ""
    is_initial = len(word) == 1 and word.isalpha() and _is_initial(before)
    if is_initial or (word in _NEVER_ENDS and not _UNIT.search(before)):
        return False
    return not (word in _SELDOM_ENDS and not following[0].isupper())


def _is_initial(before: str) -> bool:
    """True for "J." of a name; not for "5 s.", nor for an option that is taken by its letter."""
    return not (_UNIT.search(before) or _LETTER_CHOSEN.search(before))
