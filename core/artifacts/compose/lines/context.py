"""What a line points back to: "that must work offline" and "ok 14" say little alone.

The sentence before it in its own answer, else the last one of the answer before it at the step; of
a short decision, the words it settles; of "nah, later", what somebody had put. It is shown as what
was said there; whether the line means it, nobody is made to have said.
"""

from collections.abc import Iterable, Sequence
from itertools import dropwhile, islice, pairwise, takewhile
from typing import Final

from core import patterns
from core.artifacts.compose.lines.claims import is_asked
from core.artifacts.compose.lines.english import pattern
from core.artifacts.compose.lines.passages import TABLE_RULE
from core.artifacts.document.plain import is_code, one_line
from core.domain.answers import NOT_SAID, Answer, Claim, ClaimKind
from core.domain.ids import order_of
from core.domain.lines import quoted_in

CONTEXT_CHARS_MAX: Final = 160
TAIL_CHARS: Final = 1_000  # of a text, in which its last sentence is looked for
QUESTION_WORDS_MAX: Final = 3  # of a question that says nothing without what it was asked about
LINE_WORDS_MAX: Final = 4  # of a requirement that says little alone: "only owners", "make it 14"
DECISION_WORDS_MAX: Final = 6  # of a decision that says nothing without what it settles
MATTER_WORDS_MIN: Final = 4  # of the sentence before it; "you are right" says nothing either
ASKING_WORDS_MAX: Final = 6  # of a line that says no more than whom to ask
AMOUNT_ANSWERS_MAX: Final = (
    3  # answers back, among which one with the amount of a decision is looked for
)
_REQUIREMENTS: Final[frozenset[ClaimKind]] = frozenset({"requirement", "quality"})
_LINES: Final = _REQUIREMENTS | {"exclusion"}
_LIST_SIGNS: Final = "-*+•> "
_ITEM_SIGNS: Final = frozenset("-*+•")
_POINTS_BACK: Final = pattern("points_back")
_SETTLES: Final = pattern("settles")
_TURNS: Final = pattern("turning_head")
_LEAVES_IT_OUT: Final = pattern("leaves_it_out")
_DATE: Final = pattern("day")
_TO_ASK, _NOT_TO_ASK = pattern("to-ask"), pattern("not-to-ask")
_AMOUNT: Final = patterns.compile(r"(?<![\w.,-])[0-9]+(?:[.,][0-9]+)?")
_BELOW_HEAD: Final = patterns.compile(TABLE_RULE)
_SENTENCE_END: Final = patterns.compile(r"[.…]+\s+|\n")

Passage = tuple[str, Answer]


def said_before(claim: Claim, answers: Iterable[Answer]) -> tuple[Passage, ...]:
    """The sentences and their answers, in order; none for a line that stands by itself."""
    every = [answer for answer in answers if not answer.withdrawn]
    own = next((answer for answer in every if answer.id in claim.sources), None)
    if own is None or not (claim.kind in _LINES or _leans(claim)) or is_code(claim.text):
        return ()
    at = own.text.find(quoted_in(claim)[0])
    if at < 0:
        return ()
    if head := _head_over(claim, own.text[:at]):
        return ((head, own),)
    if not _leans(claim):
        return ()
    earlier = sorted(
        (
            answer
            for answer in every
            if answer.step == own.step and answer.source not in NOT_SAID and answer.id != own.id
            if order_of(answer.ts) < order_of(own.ts)
        ),
        key=lambda answer: order_of(answer.ts),
    )
    if claim.kind == "exclusion" and _LEAVES_IT_OUT.fullmatch(own.text):
        put = (one for one in reversed(earlier) if not _LEAVES_IT_OUT.fullmatch(one.text))
        return tuple((_around(one.text, frozenset()), one) for one in islice(put, 1))
    if claim.kind == "decision" and len(claim.text.split()) <= DECISION_WORDS_MAX:
        return _settled(claim.text, own.text[:at], own, earlier)
    return _last_passage(own.text[:at], own, earlier)


def says_whom_to_ask(text: str) -> bool:
    """True for a line that names somebody to ask, or tells what somebody is to find out."""
    names = (match["name"] for match in _TO_ASK.finditer(text))
    return any(not name or name[0].isupper() for name in names) and not _NOT_TO_ASK.search(text)


def amounts_in(text: str) -> frozenset[str]:
    """Its numbers, without those of dates."""
    return frozenset(_AMOUNT.findall(_DATE.sub(" ", text)))


def _head_over(claim: Claim, text: str) -> str:
    """The head of the table or of the list in which a line stands, if it needs it."""
    if claim.kind not in _LINES:
        return ""
    return _table_head(text) if "|" in claim.text else _turning_head(text)


def _table_head(text: str) -> str:
    """The head of a table that goes on behind a text; nothing where it opens none there."""
    lines = text.rpartition("\n")[0].split("\n")
    rows = [*takewhile(lambda line: "|" in line, reversed(lines))]
    heads = (head for line, head in pairwise(rows) if _BELOW_HEAD.fullmatch(line))
    return one_line(next(heads, "")).strip("| ")


def _turning_head(text: str) -> str:
    """The head of a list that goes on behind a text, if it says what may not be or may change."""
    lines = text.rpartition("\n")[0].split("\n") if text.rstrip(" -*+•").endswith("\n") else []
    over_items = dropwhile(lambda line: line.lstrip()[:1] in _ITEM_SIGNS, reversed(lines))
    head = one_line(next(over_items, ""))
    return head if _TURNS.fullmatch(head) else ""


def _last_passage(head: str, own: Answer, earlier: Sequence[Answer]) -> tuple[Passage, ...]:
    """The last sentence before a line; `head` is what stands before it in its own answer."""
    if sentence := _last_of(head):
        return ((sentence, own),)
    sentence = _last_of(earlier[-1].text) if earlier else ""
    return ((sentence, earlier[-1]),) if sentence else ()


def _settled(text: str, head: str, own: Answer, earlier: Sequence[Answer]) -> tuple[Passage, ...]:
    """What a short decision settles, and, where that names another amount, what had named it."""
    amounts = amounts_in(text)
    recent = earlier[-AMOUNT_ANSWERS_MAX:]
    answer = _last_with(amounts, recent)
    if answer is None and _SETTLES.search(text):
        sentence = "" if amounts else _last_of(head)
        if len(sentence.split()) >= MATTER_WORDS_MIN:
            return ((sentence, own),)
        answer = recent[-1] if recent else None
    if answer is None:
        return ()
    changed = amounts_in(answer.text) - amounts
    origin = _last_with(changed, earlier[: earlier.index(answer)])
    passage = _around(answer.text, amounts), answer
    return ((_around(origin.text, changed), origin), passage) if origin else (passage,)


def _last_with(amounts: frozenset[str], answers: Sequence[Answer]) -> Answer | None:
    """The last answer that names one of the amounts."""
    naming = (answer for answer in reversed(answers) if amounts & amounts_in(answer.text))
    return next(naming, None)


def _around(text: str, amounts: frozenset[str]) -> str:
    """A text of one line, cut to the words around the first of some amounts, else to its end."""
    line = one_line(text).lstrip(_LIST_SIGNS)
    if len(line) <= CONTEXT_CHARS_MAX:
        return line
    places = (number.start() for number in _AMOUNT.finditer(line) if number[0] in amounts)
    at = next(places, len(line))
    start = max(0, min(at - CONTEXT_CHARS_MAX // 2, len(line) - CONTEXT_CHARS_MAX))
    end = start + CONTEXT_CHARS_MAX
    window = line[start:end]
    excerpt = f"… {window.partition(' ')[2]}" if start else window
    return f"{excerpt.rpartition(' ')[0]} …" if end < len(line) else excerpt


def _leans(claim: Claim) -> bool:
    words_count = len(claim.text.split())
    if words_count <= ASKING_WORDS_MAX and says_whom_to_ask(claim.text):
        return True
    if is_asked(claim) and words_count <= QUESTION_WORDS_MAX:
        return True
    if claim.kind == "decision":
        return words_count <= DECISION_WORDS_MAX or bool(_POINTS_BACK.match(claim.text))
    if claim.kind == "exclusion" and _LEAVES_IT_OUT.fullmatch(claim.text):
        return True
    if claim.kind in _REQUIREMENTS and words_count <= LINE_WORDS_MAX:
        return True
    return (is_asked(claim) or claim.kind in _LINES) and bool(_POINTS_BACK.match(claim.text))


def _last_of(text: str) -> str:
    """The last sentence of two words or more, cut at its head. "Yes" and "f)" say nothing."""
    lines = text[-TAIL_CHARS:].replace("? ", "?\n").replace("! ", "!\n")  # a question stays one
    sentences = (one_line(part).lstrip(_LIST_SIGNS) for part in _SENTENCE_END.split(lines))
    last = next((sentence for sentence in reversed([*sentences]) if len(sentence.split()) > 1), "")
    if len(last) <= CONTEXT_CHARS_MAX:
        return last
    return f"… {last[-CONTEXT_CHARS_MAX:].partition(' ')[2]}"
