"""Lines of what people said: how they are found again, what people made of them, what is asked.

A claim is made anew at every reading, and its id with it. What is to outlast a reading is bound to
the answer and to words of it.
"""

import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from core.domain.answers import Answer, Claim, ClaimKind, LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, StepId, UserId

Sort = Literal[
    "requirement",
    "check",  # of another line
    "exclusion",
    "decision",
    "risk",
    "question",
    "note",
    "replaces",  # another line, which is struck through
    "beside",  # another line that says something else: both hold
    "serves",  # the story or goal that a requirement belongs to
    "dropped",  # a measured line that is not wanted
    "as-read",  # what was sorted before is taken back: of one line, or, with `of`, of two
]
Side = Literal["first", "second", "both"]
KIND_OF: Final[Mapping[Sort, ClaimKind]] = {
    "requirement": "requirement",
    "check": "check",
    "exclusion": "exclusion",
    "decision": "decision",
    "risk": "risk",
    "question": "question",
    "note": "note",
}
"""The sorts that say what a line is. The others say how it stands to another, or that it goes."""
RANKED: Final[tuple[ClaimKind, ...]] = ("requirement", "quality", "story", "decision")
"""What may be ranked; a decision has the ranks of the line that it replaced."""
OPTION_PREFIX: Final = "Option "
"""What the name of an option with a letter or a number begins with."""
_NAMES_LINES: Final = ("of", "requirement", "requirements", "stories", "goals")
"""Keys of a claim's data that name other lines."""
LISTED_MIN: Final = 3  # things of a line that lists some
LISTED_WORDS_MAX: Final = 5  # of each
WORD_CHARS_MIN: Final = 4  # of one that says which is meant
QUOTED: Final = "quoted"  # key of the words that a line quotes whose text is a wording of them
BETWEEN: Final = " … "  # two of them
PERHAPS: Final = "perhaps"  # key of a question whose answer is only what was said next
SPANS: Final = "spans"  # key of where they stand: a line for each, "12-40 answer"
CALLED: Final = "called"  # key of what people call the line that they rank
MAYBE: Final = "maybe"  # key of the lines that this fits equally, of a rank that has no other
REMOVES: Final = "removes"  # key of the lines that are none, as somebody says
SEEN_AS: Final = "seen_as"  # key of the kind a model sees, where only rules or people make it


@dataclass(frozen=True, slots=True)
class Correction:
    """Somebody's tap on how a line was sorted. It stands above what any brain reads."""

    step: StepId
    line: LineRef
    sort: Sort
    by: UserId
    at: float  # seconds since the epoch
    of: LineRef | None = None  # for check, replaces, beside and serves: the other line
    why: str = ""  # why both hold, in somebody's words


def quoted_in(claim: Claim) -> tuple[str, ...]:
    """The words of people that a claim reads: of a line in other words, those that it quotes."""
    return tuple(claim.data.get(QUOTED, "").split("\n")) if QUOTED in claim.data else (claim.text,)


def is_worded(claim: Claim) -> bool:
    """True for a line that is put in other words than those that it quotes."""
    return claim.text != BETWEEN.join(quoted_in(claim))


def line_of(claim: Claim) -> LineRef | None:
    """How a claim's line is found again; None for one that rests on nobody's words."""
    return LineRef(claim.sources[0], quoted_in(claim)[0]) if claim.sources else None


def is_line(line: LineRef, claim: Claim) -> bool:
    """True if the claim is a reading of that line, whatever its kind and its wording."""
    if line.answer not in claim.sources or not (quote := _folded(line.quote)):
        return False
    return any(quote in text or text in quote for text in map(_folded, quoted_in(claim)))


def find_line(line: LineRef, claims: Iterable[Claim]) -> Claim | None:
    """The claim that reads a line, the one with the very words first."""
    readings = [claim for claim in claims if is_line(line, claim)]
    exact = (claim for claim in readings if _folded(line.quote) in map(_folded, quoted_in(claim)))
    return next(exact, readings[0] if readings else None)


def superseded(claims: Iterable[Claim]) -> Mapping[str, Claim]:
    """Ids of claims that another one stands in place of → that one."""
    every = tuple(claims)
    of_answer: dict[AnswerId, list[Claim]] = {}
    for claim in every:
        for source in claim.sources:
            of_answer.setdefault(source, []).append(claim)
    newer_of: dict[str, Claim] = {}
    for newer in every:
        for line in newer.supersedes:
            others = [claim for claim in of_answer.get(line.answer, ()) if claim.id != newer.id]
            older = find_line(line, (claim for claim in others if _may_replace(newer, claim)))
            if older is not None:
                newer_of[older.id] = newer
                newer_of |= {claim.id: newer for claim in others if _is_read_twice(claim, older)}
    return newer_of


def _is_read_twice(claim: Claim, older: Claim) -> bool:
    """A line that is a failure and a requirement goes as both; of its ranks each goes alone."""
    is_same = (claim.text, claim.sources) == (older.text, older.sources)
    return is_same and "priority" not in (claim.kind, older.kind)


def _may_replace(newer: Claim, older: Claim) -> bool:
    """One line may rank several requirements; a new rank replaces that of its own alone."""
    if newer.kind != "priority" or older.kind != "priority":
        return True
    if newer.data.get("requirement") or older.data.get("requirement"):
        return newer.data.get("requirement") == older.data.get("requirement")
    words, old_words = set(ranked_line(newer).split()), set(ranked_line(older).split())
    return words <= old_words or old_words <= words


def ranked_line(rank: Claim) -> str:
    """The name of the line that a rank is of; of one that nobody can tell, what people call it."""
    return rank.data.get("requirement") or rank.data.get(CALLED, "").casefold()


def newest_of(claim: Claim, newer_of: Mapping[str, Claim]) -> Claim:
    """The claim that holds in place of one, as `superseded` has them; itself, if none does."""
    passed: set[str] = set()
    while claim.id in newer_of and claim.id not in passed:
        passed.add(claim.id)
        claim = newer_of[claim.id]
    return claim


def standing(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims that no other one stands in place of."""
    every = tuple(claims)
    replaced = superseded(every)
    return tuple(claim for claim in every if claim.id not in replaced)


# ── corrections ──


def in_force(corrections: Iterable[Correction]) -> tuple[Correction, ...]:
    """Those that no later one of the same line, or of the same two lines, took the place of.

    In the order in which they were given. A line that is sorted anew replaces nothing any more;
    what was taken back is not among them.
    """
    last: dict[tuple[object, ...], Correction] = {}
    for correction in corrections:
        key = _matter(correction)
        last.pop(key, None)
        if correction.sort == "as-read":
            last.pop(("serves", _key(correction.line)), None)
            continue
        if correction.sort in KIND_OF or correction.sort == "dropped":
            replaced = [old for old, earlier in last.items() if _replaces(earlier, correction.line)]
            for old in replaced:
                del last[old]
        last[key] = correction
    return tuple(last.values())


def settled(
    follow_up: FollowUp, side: Side, claims: Iterable[Claim], by: UserId, at: float
) -> Correction | None:
    """What somebody's choice between two lines that differ is kept as.

    It belongs to the step of the line that holds, beside a list that it amends. None: that line is
    gone.
    """
    first, second = follow_up.line, follow_up.other
    if first is None or second is None:
        return None
    line, other = (first, second) if side == "first" else (second, first)
    claim = find_line(line, claims)
    if claim is None:
        return None
    sort: Sort = "beside" if side == "both" or amends(line, other) else "replaces"
    return Correction(claim.step, line, sort, by, at, other)


def amends(line: LineRef, other: LineRef) -> bool:
    """True if a line is about one thing of a list: it takes the place of no other of them."""
    listed = _listed(other.quote)
    if not listed or _listed(line.quote):
        return False
    words = _words(line.quote)
    shared = sorted(len(words & _words(thing)) for thing in listed)
    return shared[-1] > shared[-2]


def _listed(quote: str) -> tuple[str, ...]:
    """The things that a line lists, behind its head: "doors: web, the POST, the upload"."""
    _, _, behind = quote.rpartition(": ")
    things = tuple(behind.split(", "))
    is_list = len(things) >= LISTED_MIN
    return things if is_list and all(len(t.split()) <= LISTED_WORDS_MAX for t in things) else ()


def _words(text: str) -> frozenset[str]:
    words = (word.strip(".,;:()`\"'").casefold() for word in text.split())
    return frozenset(word for word in words if len(word) >= WORD_CHARS_MIN)


def held_beside(
    claims: Iterable[Claim], corrections: Iterable[Correction]
) -> Mapping[str, tuple[tuple[Claim, Correction], ...]]:
    """Ids of claims → what somebody said holds as well, each with who said so and why."""
    every = tuple(claims)
    beside: dict[str, tuple[tuple[Claim, Correction], ...]] = {}
    for correction in in_force(corrections):
        if correction.sort != "beside" or correction.of is None:
            continue
        line = find_line(correction.line, every)
        other = find_line(correction.of, (claim for claim in every if claim != line))
        for first, second in ((line, other), (other, line)):
            if first is not None and second is not None:
                beside[first.id] = (*beside.get(first.id, ()), (second, correction))
    return beside


def rests_on(claim: Claim, refs: Collection[str]) -> tuple[str, ...]:
    """Which of the named lines a claim names: what a check checks, what a rank ranks."""
    texts = (claim.text, *(claim.data.get(key, "") for key in _NAMES_LINES))
    words = dict.fromkeys(word.strip(".,;:()[]") for text in texts for word in text.split())
    return tuple(word for word in words if word in refs and word != claim.ref)


def differs_from(claim: Claim) -> list[str]:
    """Ids of the lines that it is marked as differing from."""
    ids = f"{claim.data.get('conflicts', '')},{claim.data.get('differs', '')}"
    return ids.replace(",", " ").split()


def named_by(claims: Iterable[Claim], others: Collection[Claim]) -> list[Claim]:
    """The other lines that these name: what they check, rank, answer or differ from."""
    refs = frozenset(line.ref for line in others if line.ref)
    names: set[str | None] = set()
    for claim in claims:
        names |= {*rests_on(claim, refs), *differs_from(claim), claim.data.get("of") or None}
    return [line for line in others if names & {line.id, line.ref or "", line.text}]


def is_lapsed(
    correction: Correction, answers: Iterable[Answer], claims: Iterable[Claim] = ()
) -> bool:
    """True if nobody says that line any more: its answer was withdrawn, or edited without it.

    `claims`: as read now; a line may be read in other words than it was said in.
    """
    line, quote = correction.line, _folded(correction.line.quote)
    if any(line.answer in c.sources and quote in map(_folded, quoted_in(c)) for c in claims):
        return False
    replies = (answer for answer in answers if answer.id == line.answer and not answer.withdrawn)
    return not any(quote in _folded(answer.text) for answer in replies)


def sortable(claims: Iterable[Claim], step: StepId) -> tuple[Claim, ...]:
    """The lines of a step that somebody said, each once; of several readings of one the first."""
    lines: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        line = line_of(claim)
        if claim.step == step and line is not None and not claim.is_confirmed_draft:
            lines.setdefault(_key(line), claim)
    return tuple(lines.values())


def lines_mark(claims: Iterable[Claim]) -> str:
    """Which lines somebody was shown, and how they were sorted: another mark, other lines."""
    rows = [
        (c.id, c.kind, c.text, c.ref, c.sources, c.supersedes, c.data.get("of")) for c in claims
    ]
    return f"{zlib.crc32(repr(rows).encode()):08x}"


def is_of_two(correction: Correction) -> bool:
    """True for what says how two lines stand to each other, whichever of them it is given to."""
    is_pair = correction.sort in ("replaces", "beside")
    return is_pair or (correction.sort == "as-read" and correction.of is not None)


def taken_back(
    claim: Claim, step: StepId, corrections: Iterable[Correction], by: UserId, at: float
) -> tuple[Correction, ...]:
    """What ends all that people chose at that step for a line; nothing where nobody did."""
    return tuple(
        Correction(step, choice.line, "as-read", by, at, choice.of if is_of_two(choice) else None)
        for choice in in_force(corrections)
        if choice.step == step
        and (is_line(choice.line, claim) or (is_of_two(choice) and _is_other(choice, claim)))
    )


def _is_other(correction: Correction, claim: Claim) -> bool:
    return correction.of is not None and is_line(correction.of, claim)


def _matter(correction: Correction) -> tuple[object, ...]:
    line = _key(correction.line)
    if is_of_two(correction):
        other = _key(correction.of) if correction.of else ()
        return ("two lines", frozenset((line, other)))
    return ("serves", line) if correction.sort == "serves" else ("kind", line)


def _replaces(correction: Correction, line: LineRef) -> bool:
    return correction.sort == "replaces" and _key(correction.line) == _key(line)


def _key(line: LineRef) -> tuple[str, str]:
    return line.answer, _folded(line.quote)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")
