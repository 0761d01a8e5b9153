"""What several members ask becomes one list: each question once, numbered."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.brains.bookkeeping.agreement import in_order
from core.brains.text.wording import plain, words_of
from core.domain.ids import PersonaKey
from core.domain.party import Question
from core.domain.party.contributions import Contribution

# Half of all words that carry meaning: two questions that begin alike and end otherwise ("What do
# people use for this today, and …") get one answer from people, so they are asked once. The check
# of step files calls questions alike from the same share on.
ALIKE_FROM: Final = 0.5
SHARED_WORDS_MIN: Final = 2  # one word in common is what two questions are about, not the same one

Numbered = tuple[tuple[int, PersonaKey, Question], ...]


def merged(contributions: Iterable[Contribution], order: Sequence[PersonaKey]) -> Numbered:
    """Each question once, with whoever of `order` asks it first; numbered through from 1.

    They are grouped by persona in that order. Personas that it does not name come last, by key.
    A key means one thing: once a question with it has become another one, so do all others.
    """
    kept: list[tuple[PersonaKey, Question]] = []
    keys: set[str] = set()
    for each in in_order(contributions, order):
        for question in each.questions:
            if question.key not in keys and not any(alike(question, one) for _, one in kept):
                kept.append((each.persona, question))
            keys.add(question.key)
    return tuple((number, who, one) for number, (who, one) in enumerate(kept, start=1))


def alike(one: Question, other: Question) -> bool:
    """Whether two questions are the same one: by their key, or by the words they share."""
    if one.key == other.key or plain(one.text) == plain(other.text):
        return True
    mine, theirs = words_of(one.text), words_of(other.text)
    shared = len(mine & theirs)
    return shared >= SHARED_WORDS_MIN and 2 * shared >= ALIKE_FROM * (len(mine) + len(theirs))
