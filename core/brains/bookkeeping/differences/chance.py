"""How likely two lines say different things of one matter: logistic regression.

`steps/brains/weights.yaml` has under `difference` what each form of a pair of lines adds to its
odds, as a logarithm. `make weights` fits them anew. Single words were tried and said nothing more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from core.brains import lexicon
from core.brains.bookkeeping.differences import lexis
from core.brains.bookkeeping.differences.clashes import clashes_of, other_units_of
from core.brains.bookkeeping.differences.statements import Statement
from core.brains.text.weights import probability

LENGTH_MAX: Final = 30  # of a line, in words
SHARED_ELSEWHERE_MIN: Final = 2  # words
SHARED_MAX: Final = 3  # words; more count as so many
NEXT_BUT_ONE: Final = 2  # answers
GAP_MAX: Final = 3  # answers; more count as so many
CONFIRMING_WORDS_MAX: Final = 6


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines. `later` was said `gap` answers after `earlier`; 0: in one answer; None: at another
    step. `by_one`: one person said both; `between`: what others said before they said the second.
    `lines`: of the answer with the earlier one; `is_last`: that one ends it; `is_next`: who said
    both said nothing between them.
    """

    earlier: Statement
    later: Statement
    by_one: bool
    gap: int | None
    between: Sequence[Statement] = ()
    lines: int = 1
    is_last: bool = True
    is_next: bool = True

    @property
    def is_comparable(self) -> bool:
        """True for lines of one step; of two, if they share words of their subject, or a word and a
        unit. False for what is only said again or agreed to ("twice it is"), and for what says
        nothing of its own ("fine with me")."""
        is_empty = not (self.later.words or self.later.numbers)
        if is_empty or _only_confirms(self.earlier, self.later):
            return False
        shared = len(self.earlier.words & self.later.words)
        if self.gap is not None or shared >= SHARED_ELSEWHERE_MIN:
            return True
        return shared > 0 and any(other_units_of(self.earlier, self.later))


def _only_confirms(one: Statement, other: Statement) -> bool:
    """True for the same words, and for a few of them that add no more than "it is" or "fine"."""
    if one.tokens == other.tokens:
        return True
    is_short = len(other.tokens) <= CONFIRMING_WORDS_MAX and not other.precedences
    return is_short and other.tokens - one.tokens <= lexis.words("confirms")


def chance_of(pair: Pair) -> float:
    """From 0 to 1; 0 for lines that cannot be compared."""
    if not pair.is_comparable:
        return 0.0
    weights = lexicon.table("weights")["difference"]
    adds = (much * weights.get(name, 0.0) for name, much in forms_of(pair))
    return probability(weights["bias"] + sum(adds))


def forms_of(pair: Pair) -> Iterator[tuple[str, float]]:
    """Each form that a pair has, and how much of it."""
    one, other, gap = pair.earlier, pair.later, pair.gap
    shared = one.words & other.words
    yield f"shares-{min(len(shared), SHARED_MAX)}", 1
    yield "share-of-earlier", len(shared) / max(len(one.words), 1)
    yield "share-of-later", len(shared) / max(len(other.words), 1)
    yield "length-of-earlier", min(len(one.tokens), LENGTH_MAX) / LENGTH_MAX
    yield "by-one", pair.by_one
    yield "elsewhere" if gap is None else f"gap-{min(gap, GAP_MAX)}", 1
    yield "earlier-asks", one.asks
    yield "later-asks", other.asks
    yield "later-has-cue", other.has_cue
    where = "" if gap is not None else "-elsewhere"
    yield from ((f"{name}{where}", 1) for name in clashes_of(one, other, near=gap is not None))
    if pair.between:
        yield from _of_turns(pair)
        about = [line for line in pair.between if line.words & one.words]
        yield "between-concedes", other.concedes
        yield "between-of-earlier", bool(about)
        yield "between-of-both", any(line.words & other.words for line in about)
        yield "between-same-number", any(line.written & one.written for line in pair.between)


def _of_turns(pair: Pair) -> Iterator[tuple[str, float]]:
    """Of two lines by one person with what others said between them: how near they are."""
    gives_in = pair.later.concedes or pair.later.has_cue
    yield "next-of-author" if pair.is_next else "later-of-author", 1
    yield "gives-in-to-one-line", gives_in and pair.is_next and pair.lines == 1
    yield "lines-of-answer", log(pair.lines)
    questions = [line for line in pair.between if line.asks and line.words & pair.later.words]
    yield "answers-question", any(not line.words & pair.earlier.words for line in questions)
    yield "last-before-reply", pair.gap == NEXT_BUT_ONE and pair.is_last
