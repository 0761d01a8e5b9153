"""What speaks for a line to decide, beside its words: who says it, and what stands around it.

`steps/brains/weights.yaml` has under `decision`, `turns` what each sign adds.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.brains.bookkeeping.differences.statements import statement
from core.domain.answers import Answer
from core.domain.ids import AnswerId, UserId, order_of

SIGNS: Final = (
    "by-decider",
    "goes-on",
    "again",
    "concedes",
    "concedes-again",
    "cue",
    "gives-up",
    "shares-a-word",
)


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a message stands among those of its step.

    `speaks_again`: its author has spoken at the step before; `goes_on`: right before, too.
    `before`: what somebody else said right before; `after`: right behind it.
    """

    by_decider: bool = False
    speaks_again: bool = False
    goes_on: bool = False
    before: str = ""
    after: str = ""


ALONE: Final = Turn()
NOBODY: Final = (UserId(""), "")


def turns_of(
    messages: Sequence[tuple[UserId, str]], deciders: Collection[UserId]
) -> Iterator[Turn]:
    """The turn of each message of a step: its author and text, the oldest first."""
    people: set[UserId] = set()
    author, text = UserId(""), ""
    for (by, said), (by_next, reply) in zip(messages, [*messages[1:], NOBODY], strict=False):
        goes_on = by == author
        before, after = "" if goes_on else text, "" if by_next == by else reply
        yield Turn(by in deciders, by in people, goes_on, before, after)
        people.add(by)
        author, text = by, said


def turns_of_answers(
    answers: Collection[Answer], deciders: Collection[UserId]
) -> Mapping[AnswerId, Turn]:
    """The turn of each answer to one step."""
    in_order = sorted(answers, key=lambda answer: order_of(answer.ts))
    messages = [(answer.by, answer.text) for answer in in_order]
    ids = (answer.id for answer in in_order)
    return dict(zip(ids, turns_of(messages, deciders), strict=True))


def signs_of(line: str, turn: Turn) -> Iterator[str]:
    """The `SIGNS` that a line has in a message with that turn."""
    says = statement(line)
    shares = turn.before and says.words & statement(turn.before).words
    of_line = {
        "by-decider": turn.by_decider,
        "goes-on": turn.goes_on,
        "again": turn.speaks_again,
        "concedes": says.concedes,
        "concedes-again": says.concedes and turn.speaks_again,
        "cue": says.has_cue,
        "gives-up": bool(says.given_up),
        "shares-a-word": bool(shares),
    }
    return (sign for sign in SIGNS if of_line[sign])
