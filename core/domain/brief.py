"""Brief mode of a step: a draft that people may confirm, and its one question. Pure.

A draft is offered only where the item, or what people stated at other steps, supports each of its
statements. A statement rests on its words, or on the grounds that its file names for it:
"The risks are the ones named so far. (rests on: risk)".
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, get_args

from core.domain.answers import Claim, ClaimKind
from core.domain.ids import Depth, StepId
from core.domain.steps.playbook import SECTION_OF_DEPTH, Step
from core.english import singular


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


BRIEF: Final = SECTION_OF_DEPTH["brief"]
TITLE: Final = "title"  # the ground of a statement about the item's title
SIZE: Final = "size"  # the ground of a statement about the size that people named
_TOPICS: Final = _set("problem user journey out-of-scope acceptance chosen rejected")
GROUNDS: Final = frozenset((TITLE, SIZE, *_TOPICS, *get_args(ClaimKind)))
"""What a statement may name as its ground: a kind of claim, a topic, or a key of a claim."""

EXTRA_WORDS_MAX: Final = 2  # words of meaning that a supporting clause may have beside
LINES_READ_MAX: Final = 400  # of the item and of claims, in which support is looked for
QUESTION_ENDS: Final = ("?", "？")
LINE_CHARS_READ_MAX: Final = 2_000

_TAG, _TAG_END = "(rests on:", ")"
_SIZE_KEYS: Final = ("scope", "scope_by_files")
_COMMON: Final = _set(
    """a an the this that these those it its is are be of to in on at for with and as by
    from so it's that's"""
)
_DENIES: Final = _set("no not never none neither nor without hardly cannot nothing")
_HEDGES: Final = _set(
    """if unless whether maybe perhaps might could would should looks look seems seem sounds feels
    hope hopefully wish until than but though although yet or said says thought supposedly allegedly
    called was were used"""
)
_SCALES: Final = (
    _set("tiny small medium large big huge"),
    _set("low medium moderate high"),
    _set("must should could"),
)
_ENDS: Final = '.!?;:()[]"“”…—–|\n'


@dataclass(frozen=True, slots=True)
class DraftStatement:
    text: str
    grounds: tuple[str, ...] = ()  # empty: its words have to be found


@dataclass(frozen=True, slots=True)
class BriefDraft:
    """A step's Brief Mode, taken apart. `text`: the draft as people read it; empty: there is none.

    `question` ends in a question mark; empty in a file that has none there.
    """

    text: str
    statements: tuple[DraftStatement, ...]
    question: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A draft whose statements are all supported, and the words that each ground rests on."""

    text: str
    quotes: tuple[str, ...]


def brief_of(step: Step) -> BriefDraft:
    """The draft and the one question of a step."""
    section = step.sections.get(BRIEF, "").strip()
    paragraphs = [part.strip() for part in section.split("\n\n") if part.strip()]
    asks = bool(paragraphs) and paragraphs[-1].endswith(QUESTION_ENDS)
    question = _untagged(paragraphs.pop()) if asks else ""
    draft = paragraphs[0] if paragraphs else ""
    statements = tuple(_statements(draft))
    return BriefDraft(_untagged(draft), statements, question)


def shown(step: Step) -> str:
    """All of a step's Brief Mode as people may read it: without its tags."""
    brief = brief_of(step)
    return "\n\n".join(part for part in (brief.text, brief.question) if part)


def asks(step: Step, depth: Depth) -> str:
    """The text whose questions a step asks at that depth, where no draft is offered."""
    if depth != "brief" or not step.sections.get(BRIEF, "").strip():
        return step.prompt(depth)[0]
    return brief_of(step).question or step.prompt("standard")[0]


def offered(
    step: Step, title: str, text: str, claims: Sequence[Claim], wrong: Collection[str] = ()
) -> Offer | None:
    """The draft, if each of its statements is supported.

    `claims`: of the whole session. `wrong`: what people said is not so.
    """
    brief = brief_of(step)
    if not brief.statements or any(doubt in brief.text for doubt in wrong):
        return None
    stated = [claim for claim in claims if _is_stated(claim, step.id)][:LINES_READ_MAX]
    quotes: list[str] = []
    for statement in brief.statements:
        support = _support(statement, title, text, stated)
        if not support:
            return None
        quotes += support
    return Offer(brief.text, tuple(dict.fromkeys(quotes)))


def _is_stated(claim: Claim, step: StepId) -> bool:
    """What somebody said at another step; no assumption, and so no confirmed draft either."""
    return claim.step != step and claim.confidence == "stated" and bool(claim.sources)


def _support(
    statement: DraftStatement, title: str, text: str, stated: Sequence[Claim]
) -> tuple[str, ...]:
    if not statement.grounds:
        return _said(statement.text, [title, text, *(claim.text for claim in stated)])
    quotes: list[str] = []
    for ground in statement.grounds:
        if ground == TITLE:
            quotes.append(title)
            continue
        resting = [claim for claim in stated if _is_ground(ground, claim)]
        if not resting or any("conflicts" in claim.data for claim in resting):
            return ()  # nobody said it, or people differ on it
        quotes += [claim.text for claim in resting]
    return tuple(quotes)


def _is_ground(ground: str, claim: Claim) -> bool:
    if ground == SIZE:
        return any(key in claim.data for key in _SIZE_KEYS)
    names = (claim.kind, claim.data.get("topic"), claim.data.get("choice"))
    return ground in GROUNDS and (ground in names or ground in claim.data)


# ── a statement in people's own words ──────────────────────────────────────────────────────────


def _said(statement: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The clause that says the same, plainly; nothing where another line says something else."""
    wanted = _meaning(statement)
    clauses = [clause for text in texts for clause in _clauses(text)][:LINES_READ_MAX]
    if not wanted or any(_contradicts(_all_words(clause), wanted) for clause in clauses):
        return ()
    return next(((clause,) for clause in clauses if _says(clause, wanted, statement)), ())


def _says(clause: str, wanted: frozenset[str], statement: str) -> bool:
    words = _all_words(clause)
    if (
        clause.endswith(QUESTION_ENDS)
        or words & _HEDGES
        or _denies(words) != _denies(_all_words(statement))
    ):
        return False
    meaning = _meaning(clause)
    return wanted <= meaning and len(meaning - wanted) <= EXTRA_WORDS_MAX


def _contradicts(words: frozenset[str], wanted: frozenset[str]) -> bool:
    """Another grade of the same scale: "large" beside "small". Or one of its words, denied."""
    is_other_grade = any(wanted & scale and words & scale - wanted for scale in _SCALES)
    return is_other_grade or (_denies(words) and bool(wanted & {singular(word) for word in words}))


def _denies(words: frozenset[str]) -> bool:
    return bool(words & _DENIES) or any(word.endswith("n't") for word in words)


def _clauses(text: str) -> Iterator[str]:
    """The clauses of a text, each with a question mark where its sentence ends in one."""
    for line in text[:LINE_CHARS_READ_MAX].splitlines():
        clause = ""
        for sign in line:
            if sign not in _ENDS:
                clause += sign
                continue
            if clause.strip():
                yield clause.strip() + ("?" if sign == "?" else "")
            clause = ""
        if clause.strip():
            yield clause.strip()


def _all_words(text: str) -> frozenset[str]:
    plain = text.casefold().replace("’", "'")
    spaced = "".join(sign if sign.isalnum() or sign == "'" else " " for sign in plain)
    return frozenset(word.strip("'") for word in spaced.split())


def _meaning(text: str) -> frozenset[str]:
    return frozenset(singular(word) for word in _all_words(text) - _COMMON)


# ── the draft, taken apart ─────────────────────────────────────────────────────────────────────


def _statements(draft: str) -> Iterator[DraftStatement]:
    for line in draft.splitlines():
        for text, grounds in _tagged(line):
            *others, last = list(_sentences(text)) or [""]
            yield from map(DraftStatement, others)
            if last:
                yield DraftStatement(last, grounds)


def _tagged(line: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each part of a line with the grounds that stand behind it; a rest without any."""
    while _TAG in line:
        text, _, tagged = line.partition(_TAG)
        inside, _, line = tagged.partition(_TAG_END)
        yield text, tuple(name.strip() for name in inside.split(",") if name.strip())
    yield line, ()


def _untagged(draft: str) -> str:
    lines = ("".join(text for text, _ in _tagged(line)).rstrip() for line in draft.splitlines())
    return "\n".join(" ".join(line.split()) for line in lines).strip()


def _sentences(text: str) -> Iterator[str]:
    sentence = ""
    for word in text.split():
        opens = word[:1].isupper() or not word[:1].isalnum()
        if sentence.endswith((".", "!", "?")) and opens:
            yield sentence
            sentence = word
        else:
            sentence = f"{sentence} {word}".strip()
    if sentence:
        yield sentence
