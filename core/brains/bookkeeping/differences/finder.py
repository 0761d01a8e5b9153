"""Which lines of a session differ, and which stand in place of earlier ones. For any brain.

Each line is compared with those before it, of its step and of earlier ones: it may name one as
taken back, rank the same thing otherwise, or be likely enough to differ from one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from core import patterns
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.chance import Pair, chance_of
from core.brains.bookkeeping.differences.lexis import WORD
from core.brains.bookkeeping.differences.ranks import is_ranked_otherwise, ranks_all_of
from core.brains.bookkeeping.differences.reversals import (
    corrected_by,
    is_denied_next,
    is_labelled_anew,
    is_named,
    is_number_of_words,
    is_number_set_next,
    is_worded_anew,
    takes_back,
    with_its_number,
    with_new_number,
)
from core.brains.bookkeeping.differences.statements import Statement, statement, without
from core.brains.text.filler import is_filler
from core.domain.answers import Answer, Claim, ClaimKind, Claims, ReadRequest
from core.domain.ids import AnswerId, UserId, order_of
from core.domain.lines import OPTION_PREFIX, SPANS, is_line, line_of, ranked_line, superseded

LINES_OF_STEP_MAX: Final = 150
LINES_BEFORE_MAX: Final = 400
LABEL_BEFORE_CHARS_MAX: Final = 12
TURN_CHARS_MAX: Final = 60
LISTED_MIN: Final = 2
ASKED_MIN: Final = 0.45  # the chance of lines of which it is asked which one holds
REPLACED_MIN: Final = 0.7  # … where its author has a word for it, and nobody is asked
SURE: Final = 1.0

_LABEL: Final = patterns.compile(
    r"\W{0,3}([A-Za-z]|[A-Za-z]{1,3}-?[0-9]{1,3})[).:]\s", patterns.IGNORECASE
)
_NUMBER_BEFORE: Final = patterns.compile(r"(?:^|\n)\s*\(?(?P<number>[0-9]{1,2})[).:]\s*$")
_ASKED: Final = patterns.compile(r"[^?.!\n]{2,60}\?+\s*$")
_CORRECTS: Final = lexis.pattern("corrects", r"(?:^|[.!?\n]\s*)\W{0,3}", r"\s*[.!…,]*\s*$")
_OPENS: Final = patterns.compile(r"[^?.!\n]{2,}$")
_LISTS: Final = patterns.compile(r",| \+ ")  # what parts the things of a list
_TELLS_HOW_IT_IS: Final[frozenset[ClaimKind]] = frozenset({"fact", "risk", "note"})
_TELLS_HOW_IT_SHALL_BE: Final[frozenset[ClaimKind]] = frozenset(
    {"requirement", "story", "quality", "decision", "check", "exclusion", "constraint", "article"}
)
_NO_SIDE: Final[frozenset[ClaimKind]] = frozenset({"question", "assumption"})


@dataclass(frozen=True)
class SaidLine:
    """A claim with who said it, when, and what it says."""

    claim: Claim
    answer: Answer
    by: frozenset[UserId]
    place: tuple[object, ...]
    names: frozenset[str] = frozenset()  # stems of what the people of the session are called
    turn: int | None = None  # of its answer at the request's step; None: it is of another step
    lines: int = 1  # of its answer

    @cached_property
    def says(self) -> Statement:
        """What it says, of whomever. A person who takes part is no matter on which lines differ."""
        words = (word for word in WORD.findall(self.claim.text) if word[0].isupper())
        names = self.names & {lexis.stem(word.casefold()) for word in words}
        return without(self._says, names) if names else self._says

    @property
    def _says(self) -> Statement:
        """What it says; "no" behind a question of its author's own says no to that, and a line
        behind "Wait, no." corrects what stands before.
        What is left out by another form than "out: …" is left out all the same."""
        says = statement(f"{self._turn}{self.claim.text}")
        if self.claim.kind == "exclusion" and not says.left_out:
            says = replace(says, left_out=statement(f"out: {self.claim.text}").left_out)
        before = self.answer.text[: max(self.answer.text.find(self.claim.text), 0)]
        opens = _CORRECTS.search(before) or (says.says_no and _ASKED.search(before))
        return statement(f"{opens[0].strip()} {self.claim.text}") if opens else says

    @property
    def _turn(self) -> str:
        """What its sentence opens with to take something back, where a model cut that off."""
        at = self.answer.text.find(self.claim.text) if SPANS in self.claim.data else -1
        before = self.answer.text[max(at - TURN_CHARS_MAX, 0) : max(at, 0)]
        opens = _OPENS.search(before)
        turn = str(opens[0]).lstrip() if opens else ""
        return turn if takes_back(turn) else ""

    @property
    def is_weighed(self) -> bool:
        """True for an option that nobody chose: whoever turns it down contradicts nobody."""
        return self.claim.kind == "option" and self.claim.data.get("choice") != "chosen"

    @property
    def is_of_scan(self) -> bool:
        """True for a line on the size: it gives way to its author's own alone."""
        return self.claim.kind == "scope"

    @property
    def is_ranked(self) -> bool:
        """True for a rank of one thing: it differs from other ranks of it and from nothing else."""
        return self.claim.kind == "priority" and bool(ranked_line(self.claim))

    @cached_property
    def ends_answer(self) -> bool:
        """True for the last line of its answer."""
        return not self.answer.text.rpartition(self.claim.text)[2].strip(" .!\n")

    @property
    def demands(self) -> bool:
        """True for a line that says what shall be, or was decided."""
        return self.claim.kind in _TELLS_HOW_IT_SHALL_BE

    @property
    def tells_how_it_is(self) -> bool:
        """True for a line that nobody asked for: what is so, may happen or was told besides."""
        return self.claim.kind in _TELLS_HOW_IT_IS

    @cached_property
    def number(self) -> str:
        """Its number in a list of its author's."""
        at = self.answer.text.find(self.claim.text)
        match = _NUMBER_BEFORE.search(self.answer.text[:at]) if at > 0 else None
        return str(match["number"]) if match else ""

    @cached_property
    def label(self) -> str:
        """What people call the line themselves: "e", "R6"; else its ref."""
        if match := _LABEL.match(self.claim.text):
            return str(match[1]).casefold()
        at = self.answer.text.find(self.claim.text)
        start = self.answer.text.rfind("\n", 0, max(at, 0)) + 1
        before = self.answer.text[max(start, at - LABEL_BEFORE_CHARS_MAX) : max(at, 0)]
        match = _LABEL.match(f"{before.strip()} ") if before.strip() else None
        return str(match[1]).casefold() if match else (self.claim.ref or "").casefold()


@dataclass(frozen=True)
class Difference:
    """Two lines that say different things; `first` was said earlier."""

    first: SaidLine
    second: SaidLine
    replaces: bool = False  # the second stands in place of the first: its author said so


def found(request: ReadRequest, claims: Claims) -> tuple[Difference, ...]:
    """Differences in which a claim of the request's step has a part, in the order of their second
    lines: at most one of each line. `claims`: those of the step."""
    answers = _answers_to_step(request)
    lines = _lines(request, claims, answers)
    own_ids = {claim.id for claim in claims}
    likely: list[tuple[float, Difference]] = []
    for at, later in enumerate(lines):
        earlier = [
            line
            for line in reversed(lines[:at])
            if (later.claim.id in own_ids or line.claim.id in own_ids)
            and not (line.is_weighed or _are_same_words(line, later))
        ]
        meant = with_new_number(later, lines[at + 1 : at + 2])
        differences = _differences(later, earlier, answers)
        likely += ((chance, replace(one, second=meant)) for chance, one in islice(differences, 1))
    likeliest: dict[str, Difference] = {}  # by the id of its earlier line
    for _, difference in sorted(likely, key=lambda pair: (-pair[0], not pair[1].replaces)):
        likeliest.setdefault(difference.first.claim.id, difference)
    return tuple(one for _, one in likely if likeliest[one.first.claim.id] is one)


def _lines(request: ReadRequest, claims: Claims, step_answers: Sequence[Answer]) -> list[SaidLine]:
    """The lines that may differ, in the order in which they were said."""
    answers = request.answers_by_id
    everywhere = (*request.claims, *request.unread)
    replaced = superseded((*everywhere, *claims))
    earlier = (claim for claim in everywhere if claim.id not in replaced)
    standing = (claim for claim in claims if claim.id not in replaced)
    names = frozenset(
        lexis.stem(word.casefold())
        for name in request.names.values()
        for word in WORD.findall(name)
    )
    turns = {answer.id: turn for turn, answer in enumerate(step_answers)}
    earlier_lines, own = (
        list(_said_lines(those, answers, names, turns)) for those in (earlier, standing)
    )
    lines = [*earlier_lines[-LINES_BEFORE_MAX:], *own[-LINES_OF_STEP_MAX:]]
    return sorted(lines, key=lambda line: line.place)


def _said_lines(
    claims: Iterable[Claim],
    answers: Mapping[AnswerId, Answer],
    names: frozenset[str],
    turns: Mapping[AnswerId, int],
) -> Iterator[SaidLine]:
    read: set[tuple[AnswerId, str]] = set()
    claims = list(claims)
    texts = {(source, claim.text) for claim in claims for source in claim.sources[:1]}
    lines = Counter(source for source, _ in texts)
    for number, claim in enumerate(claims):
        replies = [answers[source] for source in claim.sources if source in answers]
        if claim.kind in _NO_SIDE or claim.is_confirmed_draft or not replies or "```" in claim.text:
            continue
        opens_next = _CORRECTS.fullmatch(claim.text) and replies[0].text.rpartition(claim.text)[2]
        if is_filler(claim.text) or opens_next:
            continue
        if (replies[0].id, claim.text) in read:  # read twice: a risk that is a question as well
            continue
        read.add((replies[0].id, claim.text))
        by = frozenset(answer.by for answer in replies)
        place, turn = (order_of(replies[0].ts), number), turns.get(replies[0].id)
        yield SaidLine(claim, replies[0], by, place, names, turn, lines[replies[0].id])


def _differences(
    later: SaidLine, earlier: Sequence[SaidLine], answers: Sequence[Answer]
) -> Iterator[tuple[float, Difference]]:
    """The differences of a line from those before it, each with its chance. The first one counts.

    In this order: a line of its author's that it takes back; one that it gives other words by its
    name, or another number for words of it; another choice from the same list, or another rank of
    the same thing; a line whose number it corrects; of all lines the one that most likely differs,
    from `ASKED_MIN` on; what it denies right behind somebody else. A line on the size and a rank
    have the first three alone.
    `earlier`: the newest first; `answers`: those to the request's step, the oldest first.
    """
    own = [line for line in earlier if line.by & later.by]
    for line in own:
        if is_named(line, later):
            yield SURE, Difference(line, later, replaces=not _is_more(line, later))
    for line in earlier:
        if is_worded_anew(line, later) or is_labelled_anew(line, later):
            yield SURE, Difference(line, later, replaces=bool(line.by & later.by))
        if is_number_set_next(line, later):
            yield SURE, Difference(line, later)
        if is_number_of_words(line, later):
            is_own = bool(line.by & later.by)
            yield SURE, Difference(line, later, replaces=is_own and not _is_more(line, later))
        if _is_other_choice(line, later):
            yield SURE, Difference(line, later, replaces=bool(line.by & later.by))
        if _is_other_rank(line, later):
            is_whole = ranks_all_of(line.claim.text, later.claim.text)
            yield SURE, Difference(line, later, bool(line.by & later.by) and is_whole)
    if later.is_of_scan or later.is_ranked:
        return
    if corrected := corrected_by(later, earlier):
        replaces = bool(corrected.by & later.by) and not _is_more(corrected, later)
        # who said the first may settle it with a line of their own
        yield SURE if replaces else ASKED_MIN, Difference(corrected, later, replaces)
    chances = [
        (chance_of(_pair(line, later, answers)), line)
        for line in earlier
        if not (line.is_of_scan or line.is_ranked or _is_no_side(line, later))
    ]
    chance, likeliest = max(chances, key=lambda pair: pair[0], default=(0.0, None))
    if likeliest and chance >= ASKED_MIN:
        meant = with_its_number(likeliest, later, earlier)
        is_own = bool(meant.by & later.by)
        is_plain = is_own and chance >= REPLACED_MIN and later.says.takes_up
        yield chance, Difference(meant, later, is_plain and not _is_more(meant, later))
    if denied := next((line for line in earlier if is_denied_next(line, later)), None):
        yield ASKED_MIN, Difference(denied, later)


def _answers_to_step(request: ReadRequest) -> list[Answer]:
    """The answers to the request's step, the oldest first."""
    answers = request.answers_by_id.values()
    of_step = (answer for answer in answers if answer.step == request.step.id)
    return sorted(of_step, key=lambda answer: order_of(answer.ts))


def _pair(earlier: SaidLine, later: SaidLine, answers: Sequence[Answer]) -> Pair:
    by_one = bool(earlier.by & later.by)
    if earlier.turn is None or later.turn is None:
        return Pair(earlier.says, later.says, by_one, None)
    between = answers[earlier.turn + 1 : later.turn] if by_one else ()
    others = [statement(answer.text) for answer in between if answer.by not in later.by]
    return Pair(
        earlier.says,
        later.says,
        by_one,
        later.turn - earlier.turn,
        others,
        lines=earlier.lines,
        is_last=earlier.ends_answer,
        is_next=len(others) == len(between),
    )


def _are_same_words(line: SaidLine, later: SaidLine) -> bool:
    """True where a model made two lines of them."""
    if line.answer.id != later.answer.id:
        return False
    is_made = SPANS in line.claim.data or SPANS in later.claim.data
    words = line_of(line.claim)
    return is_made and words is not None and is_line(words, later.claim)


def _is_more(line: SaidLine, later: SaidLine) -> bool:
    """True for a line of several things, of which a later one may mean only some."""
    return _is_list(line) and not _is_list(later)


def _is_list(line: SaidLine) -> bool:
    return len(_LISTS.findall(line.says.text)) >= LISTED_MIN


def _is_other_choice(line: SaidLine, later: SaidLine) -> bool:
    """True for two lines of a step that take options of one list, and none in common."""
    one, other = line.claim, later.claim
    are_choices = all(
        claim.kind == "option" and claim.data.get("choice") == "chosen" for claim in (one, other)
    )
    names, other_names = (set(claim.data.get("option", "").split(" + ")) for claim in (one, other))
    are_lettered = all(name.startswith(OPTION_PREFIX) for name in names | other_names)
    return one.step == other.step and are_choices and are_lettered and names.isdisjoint(other_names)


def _is_other_rank(line: SaidLine, later: SaidLine) -> bool:
    """True for two ranks of one requirement, or of one thing in plain words."""
    if line.claim.step != later.claim.step or later.says.asks:
        return False
    one, other = line.claim, later.claim
    if line.is_ranked and later.is_ranked and _names_line(one) and _names_line(other):
        is_other = one.data.get("priority") != other.data.get("priority")
        return is_other and ranked_line(one) == ranked_line(other)
    return is_ranked_otherwise(_words_of_rank(line), other.text)


def _names_line(rank: Claim) -> bool:
    return bool(rank.data.get("requirement"))


def _words_of_rank(line: SaidLine) -> str:
    """The words of a line; of a rank that stands alone with what its answer says before it."""
    if not lexis.pattern("rank-alone").fullmatch(line.claim.text):
        return line.claim.text
    before, found_text, _ = line.answer.text.partition(line.claim.text)
    return f"{before.rpartition(chr(10))[2]}{found_text}"


def _is_no_side(first: SaidLine, second: SaidLine) -> bool:
    """True for a check beside what it checks, and where one tells, at another step, how it is today
    and the other what shall be; not where the second has a word for what was said before."""
    kinds = (first.claim.kind, second.claim.kind)
    is_check = "check" in kinds
    tell_apart = first.claim.step != second.claim.step and any(
        one in _TELLS_HOW_IT_IS and other in _TELLS_HOW_IT_SHALL_BE
        for one, other in (kinds, kinds[::-1])
    )
    return (is_check or tell_apart) and not second.says.takes_up
