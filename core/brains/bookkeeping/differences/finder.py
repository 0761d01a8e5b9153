"""Which lines of a session differ, and which stand in place of earlier ones. For any brain.

The line that was said later is compared with those before it: of the same step, then of earlier
ones. Lines of one answer are compared only where the later takes something back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from core import patterns
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.clashes import (
    Nearness,
    is_clash,
    is_clash_of_values,
    is_other_in_front,
)
from core.brains.bookkeeping.differences.earlier import pointed_at, taken_back
from core.brains.bookkeeping.differences.lexis import WORD
from core.brains.bookkeeping.differences.ranks import (
    is_ranked_otherwise,
    only_ranks,
    ranks_all_of,
)
from core.brains.bookkeeping.differences.restating import is_restated
from core.brains.bookkeeping.differences.reversals import nearness, replaces, takes_back
from core.brains.bookkeeping.differences.statements import Statement, statement, without
from core.domain.answers import Answer, Claim, ClaimKind, Claims, ReadRequest
from core.domain.ids import AnswerId, UserId, order_of
from core.domain.lines import SPANS, is_line, line_of, ranked_line, superseded

LINES_OF_STEP_MAX: Final = 150
LINES_BEFORE_MAX: Final = 400
LABEL_BEFORE_CHARS_MAX: Final = 12
TURN_CHARS_MAX: Final = 60
LIST_COMMAS_MIN: Final = 2
LINES_AROUND_DOUBT: Final = 2

_Given = tuple["SaidLine | None", bool]

_LABEL: Final = patterns.compile(
    r"\W{0,3}([A-Za-z]|[A-Za-z]{1,3}-?[0-9]{1,3})[).:]\s", patterns.IGNORECASE
)
_ASKED: Final = patterns.compile(r"[^?.!\n]{2,60}\?+\s*$")
_OPENS: Final = patterns.compile(r"[^?.!\n]{2,}$")
_TELLS_HOW_IT_IS: Final[frozenset[ClaimKind]] = frozenset({"fact", "risk", "note"})
_TELLS_HOW_IT_SHALL_BE: Final[frozenset[ClaimKind]] = frozenset(
    {"requirement", "story", "quality", "decision", "check", "exclusion", "constraint"}
)
_NO_RULE: Final[frozenset[ClaimKind]] = frozenset({"risk", "check"})
_NO_SIDE: Final[frozenset[ClaimKind]] = frozenset({"question", "assumption"})


@dataclass(frozen=True)
class SaidLine:
    """A claim with who said it, when, and what it says."""

    claim: Claim
    answer: Answer
    by: frozenset[UserId]
    place: tuple[object, ...]
    names: frozenset[str] = frozenset()  # stems of what the people of the session are called

    @cached_property
    def says(self) -> Statement:
        """What it says, of whomever. A person who takes part is no matter on which lines differ."""
        words = (word for word in WORD.findall(self.claim.text) if word[0].isupper())
        names = self.names & {lexis.stem(word.casefold()) for word in words}
        return without(self._says, names) if names else self._says

    @property
    def _says(self) -> Statement:
        """What it says; "no" behind a question of its author's own says no to that.
        What is left out by another form than "out: …" is left out all the same."""
        says = statement(f"{self._turn}{self.claim.text}")
        if self.claim.kind == "exclusion" and not says.left_out:
            says = replace(says, left_out=statement(f"out: {self.claim.text}").left_out)
        at = self.answer.text.find(self.claim.text)
        question = _ASKED.search(self.answer.text[:at]) if at > 0 and says.says_no else None
        return statement(f"{question[0].strip()} {self.claim.text}") if question else says

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
    def only_ranks(self) -> bool:
        """True for a rank in plain words: what it ranks is not what it says otherwise."""
        return self.is_ranked or only_ranks(self.claim.text)

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
    is_open: bool = False  # asked about, though the second has taken another line's place


def found(request: ReadRequest, claims: Claims) -> tuple[Difference, ...]:
    """Differences in which a claim of the request's step has a part, the nearest of each line.

    `claims`: those of the step.
    """
    lines = _lines(request, claims)
    own_ids = {claim.id for claim in claims}
    differences: list[Difference] = []
    for at, later in enumerate(lines):
        earlier = [
            line
            for line in reversed(lines[:at])
            if (later.claim.id in own_ids or line.claim.id in own_ids)
            and not (line.is_weighed or _are_same_words(line, later))
        ]
        if difference := _nearest(later, earlier, request.answers):
            differences += [difference, *_echoes_of(difference, earlier)]
    return tuple(_without_repeats(differences))


def _without_repeats(differences: Sequence[Difference]) -> Iterator[Difference]:
    """Without a second question on one line, and none on a line that was replaced meanwhile."""
    replaced_ids = {difference.first.claim.id for difference in differences if difference.replaces}
    asked_ids: set[str] = set()
    for difference in differences:
        ids = {difference.first.claim.id, difference.second.claim.id}
        if difference.replaces or not (
            difference.first.claim.id in asked_ids or ids & replaced_ids
        ):
            asked_ids |= set() if difference.replaces else {difference.first.claim.id}
            yield difference


def _echoes_of(difference: Difference, earlier: Sequence[SaidLine]) -> Iterator[Difference]:
    """The line of an earlier step that a number stands in, of which people spoke and gave it up:
    "Argue with me about the 24h", "72h then"."""
    old, later = difference.first, difference.second
    if near(old, later) == "elsewhere" or not later.says.concedes:
        return
    units = later.says.measures - {""}
    given_up = {(number.value, number.unit) for number in old.says.numbers if number.unit in units}
    elsewhere = [line for line in earlier if near(line, later) == "elsewhere"]
    for line in sorted(elsewhere, key=lambda line: not line.by & later.by):
        if given_up & {(number.value, number.unit) for number in line.says.numbers}:
            yield Difference(line, later, is_open=True)
            return


def near(first: SaidLine, second: SaidLine) -> Nearness:
    if first.claim.step != second.claim.step:
        return "elsewhere"
    question, other_question = (line.claim.data.get("question", "") for line in (first, second))
    return "question" if question and question == other_question else "step"


def _lines(request: ReadRequest, claims: Claims) -> list[SaidLine]:
    """The lines that may differ, in the order in which they were said."""
    answers = {answer.id: answer for answer in (*request.other_answers, *request.answers)}
    everywhere = (*request.claims, *request.unread)
    replaced = superseded((*everywhere, *claims))
    earlier = (claim for claim in everywhere if claim.id not in replaced)
    standing = (claim for claim in claims if claim.id not in replaced)
    names = frozenset(
        lexis.stem(word.casefold())
        for name in request.names.values()
        for word in WORD.findall(name)
    )
    earlier_lines = list(_said_lines(earlier, answers, names))[-LINES_BEFORE_MAX:]
    lines = [*earlier_lines, *list(_said_lines(standing, answers, names))[-LINES_OF_STEP_MAX:]]
    return sorted(lines, key=lambda line: line.place)


def _said_lines(
    claims: Iterable[Claim], answers: Mapping[AnswerId, Answer], names: frozenset[str] = frozenset()
) -> Iterator[SaidLine]:
    read: set[tuple[AnswerId, str]] = set()
    for number, claim in enumerate(claims):
        replies = [answers[source] for source in claim.sources if source in answers]
        if claim.kind in _NO_SIDE or claim.is_confirmed_draft or not replies or "```" in claim.text:
            continue
        if (replies[0].id, claim.text) in read:  # read twice: a risk that is a question as well
            continue
        read.add((replies[0].id, claim.text))
        by = frozenset(answer.by for answer in replies)
        yield SaidLine(claim, replies[0], by, (order_of(replies[0].ts), number), names)


def _nearest(
    later: SaidLine, earlier: Sequence[SaidLine], lines: Sequence[Answer]
) -> Difference | None:
    """The line before it that it replaces, clashes with or takes back: the nearest such."""
    if line := _scan_anew(later, earlier):
        return Difference(line, later, replaces=True)
    every = [line for line in earlier if not (line.is_of_scan or later.is_of_scan)]
    earlier = [line for line in every if not (line.is_ranked or later.is_ranked)]
    own = [line for line in earlier if line.by & later.by]
    if target := taken_back(later, own):
        return Difference(target, later, replaces=not _is_list(target))
    retracted = _taken_back(later, earlier)
    for line in (*own, *(line for line in earlier if not line.by & later.by)):
        if line.answer.id == later.answer.id and not later.says.has_cue:
            continue
        if line is retracted:
            return Difference(line, later, replaces=True)
        if replaces(line, later, near(line, later)):
            return Difference(line, later, replaces=bool(line.by & later.by))
        if line in own and _is_given_up(line, later):
            return Difference(line, later, replaces=not _is_list(line))
    given_in, is_plain = _given_in(later, earlier, lines)
    if given_in:
        return Difference(given_in, later, replaces=is_plain)
    for line in every:
        if line.answer.id != later.answer.id and _is_other_rank(line, later):
            is_whole = ranks_all_of(line.claim.text, later.claim.text)
            return Difference(line, later, replaces=bool(line.by & later.by) and is_whole)
    for line in [] if later.only_ranks else [line for line in earlier if not line.only_ranks]:
        is_new_all_the_same = line.says.bans_new and later.says.is_new
        is_one_answer = line.answer.id == later.answer.id
        if is_new_all_the_same if is_one_answer else _clash(line, later):
            return Difference(line, later)
    if target := pointed_at(later, earlier, lines):
        return Difference(target, later)
    near_enough = [
        line for line in earlier if near(line, later) != "elsewhere" or _is_own(line, later)
    ]
    target = max(
        near_enough, key=lambda line: nearness(line, later, near(line, later)), default=None
    )
    if target and nearness(target, later, near(target, later)):
        return Difference(target, later)
    return None


def _scan_anew(later: SaidLine, earlier: Sequence[SaidLine]) -> SaidLine | None:
    """The line of its author on the size of which it gives the number anew: "make it 95"."""
    own = (line for line in earlier if line.is_of_scan and line.by & later.by)
    return next((line for line in own if replaces(line, later, near(line, later))), None)


def _is_own(line: SaidLine, later: SaidLine) -> bool:
    """True if who said it speaks of the same again, and not of how that is today."""
    return bool(line.by & later.by) and not _is_lack(line, later)


def _are_same_words(line: SaidLine, later: SaidLine) -> bool:
    """True where a model made two lines of them."""
    if line.answer.id != later.answer.id:
        return False
    is_made = SPANS in line.claim.data or SPANS in later.claim.data
    words = line_of(line.claim)
    return is_made and words is not None and is_line(words, later.claim)


def _is_given_up(line: SaidLine, later: SaidLine) -> bool:
    """True if its author says that what it names does not go: "the kiosk won't work"."""
    if near(line, later) == "elsewhere" or line.says.asks or later.says.asks:
        return False
    return any(
        thing and thing <= line.says.asserted and 2 * len(thing) >= min(len(line.says.words), 4)
        for thing in later.says.given_up
    )


def _taken_back(later: SaidLine, earlier: Sequence[SaidLine]) -> SaidLine | None:
    """What a line of the same answer takes back: "every 4 h. No wait, nightly is enough", and
    "Whisper. Hmm, 150 MB. The keyboard's own then". `earlier`: the newest first."""
    same = [line for line in earlier if line.answer.id == later.answer.id]
    if later.says.corrects:
        return same[0] if same else None
    if not later.says.concedes or len(same) < LINES_AROUND_DOUBT or not same[0].says.hesitates:
        return None
    is_other_matter = later.says.numbers and not same[1].says.numbers
    return None if is_other_matter else same[1]


def _given_in(later: SaidLine, earlier: Sequence[SaidLine], lines: Sequence[Answer]) -> _Given:
    """The line of its author that somebody spoke against, and that it gives up: "ok 14".

    The second: whether that is plain. `said`: the answers of the step, the oldest first.
    """
    if not later.says.concedes or later.says.asks or later.answer not in lines:
        return None, False
    earlier_answers = lines[: lines.index(later.answer)]
    objection = next(
        (answer for answer in reversed(earlier_answers) if answer.by not in later.by), None
    )
    if objection is None:
        return None, False
    at = earlier_answers.index(objection)
    ids = [answer.id for answer in earlier_answers[:at]]
    own = [line for line in earlier if line.by & later.by and line.answer.id in ids]
    against = statement(objection.text)
    best = max(own, key=lambda line: _spoken_of(line.says, against, later.says), default=None)
    if best and _spoken_of(best.says, against, later.says):
        return best, not _is_list(best)
    last = [line for line in own if line.answer.id == ids[-1]]
    is_answer_to_it = at == len(earlier_answers) - 1 and against.objects
    whole_lines = (
        line
        for line in last
        if line.claim.text.rstrip(".") == earlier_answers[at - 1].text.rstrip(".")
    )
    return (next(whole_lines, None) if is_answer_to_it else None), False


def _spoken_of(spoken: Statement, against: Statement, concession: Statement) -> int:
    """How much of a line is in what was said against it and in what gives in; 0: not meant."""
    shared = spoken.words & against.words
    is_measured = bool(spoken.measures & concession.measures) or "" in concession.measures
    if spoken.written & against.written and is_measured:
        return 4 + len(shared)
    if spoken.measures & concession.measures and (shared or spoken.measures & against.measures):
        return 2 + len(shared)
    takes_up = concession.words & (spoken.words | against.words)
    return len(shared) + len(takes_up) if shared and takes_up else 0


def _is_list(line: SaidLine) -> bool:
    """True for a line of several things, of which another one may mean only some."""
    return line.says.text.count(",") >= LIST_COMMAS_MIN


def _is_other_rank(line: SaidLine, later: SaidLine) -> bool:
    if near(line, later) == "elsewhere" or later.says.asks:
        return False
    if line.is_ranked and later.is_ranked and _names_line(line) and _names_line(later):
        return _rank(line) != _rank(later) and ranked_line(line.claim) == ranked_line(later.claim)
    return is_ranked_otherwise(_words_of_rank(line), later.claim.text)


def _words_of_rank(line: SaidLine) -> str:
    """The words of a line; of a rank that stands alone with what its answer says before it."""
    if not lexis.pattern("rank-alone").fullmatch(line.claim.text):
        return line.claim.text
    before, found_text, _ = line.answer.text.partition(line.claim.text)
    return f"{before.rpartition(chr(10))[2]}{found_text}"


def _names_line(rank: SaidLine) -> bool:
    return bool(rank.claim.data.get("requirement"))


def _rank(line: SaidLine) -> str | None:
    return line.claim.data.get("priority")


def _clash(first: SaidLine, second: SaidLine) -> bool:
    where = near(first, second)
    if is_restated(first.says, second.says, where):
        return not _is_lack(first, second)
    if first.by & second.by and where != "elsewhere" and not second.says.has_cue:
        return is_other_in_front(first.says, second.says, where)
    kinds = {first.claim.kind, second.claim.kind}
    if kinds & _NO_RULE or _is_lack(first, second):
        return is_clash_of_values(first.says, second.says, where)
    return is_clash(first.says, second.says, where)


def _is_lack(first: SaidLine, second: SaidLine) -> bool:
    """True if one tells, at another step, how it is today and the other what shall be."""
    kinds = (first.claim.kind, second.claim.kind)
    return first.claim.step != second.claim.step and any(
        one in _TELLS_HOW_IT_IS and other in _TELLS_HOW_IT_SHALL_BE
        for one, other in (kinds, kinds[::-1])
    )
