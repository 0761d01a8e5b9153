"""The standard facilitator: it records answers word for word and asks nothing (ERR-INT-001).

It takes over where a persona's brain failed, so it shares nothing with the script that could fail
for the same reason: no rule, no pattern, no document, no claim of another step. What it records
is sorted into no kind; nothing is split, joined or left out.
"""

from collections.abc import Iterator, Sequence
from typing import Final, cast

from core.brains.bookkeeping.corrections import corrected, related
from core.brains.bookkeeping.unanswered import unanswered
from core.brains.tasks import BrainError, Cancelled, ReadStep, Result, TakeTurn, Task
from core.domain.answers import Answer, Claim, Draft, ReadRequest
from core.english import joined

NAMES_SHOWN_MAX: Final = 3
NAME_CHARS_MAX: Final = 60
QUOTES_MAX: Final = 2
QUOTE_CHARS_MAX: Final = 80
NOTHING_LEFT: Final = "All answers to this step were withdrawn."
RECORDED: Final = "Kept word for word, from {people}: {quotes}."


class Facilitator:
    """The facilitator behind the port. It has no lens of its own, and leads no council."""

    def perform(self, task: Task[Result], cancelled: Cancelled) -> Result:
        """Raises `BrainError` where more than recording is asked for."""
        match task:
            case ReadStep(request):
                return cast("Result", word_for_word(request))
            case TakeTurn():
                return cast("Result", None)
        raise BrainError("invalid", "the facilitator only records")


def word_for_word(request: ReadRequest) -> Draft:
    """Each answer as one line, in the words it was given in."""
    lines = related(corrected(tuple(_lines(request)), request), request)
    claims = (*lines, *unanswered(request, start=len(lines) + 1))
    return Draft(_recorded(request), claims)


def _lines(request: ReadRequest) -> Iterator[Claim]:
    step, number = request.step.id, 0
    for answer in request.answers:
        for text, data in _parts(answer):
            number += 1
            own = f"{step}/{number}"
            if answer.source == "draft":  # somebody confirmed it, and nobody said it
                yield Claim(own, step, "assumption", text, (answer.id,), "assumed", data=data)
            else:
                yield Claim(own, step, "fact", text, (answer.id,), data=data)


def _parts(answer: Answer) -> Iterator[tuple[str, dict[str, str]]]:
    """The words of an answer, and each file that came with it."""
    if answer.text.strip():
        yield answer.text.strip(), {}
    for file in answer.files:
        yield file.name, {"file": file.permalink}


def _recorded(request: ReadRequest) -> str:
    if not request.answers:
        return NOTHING_LEFT
    people = dict.fromkeys(answer.by for answer in request.answers)
    names = [" ".join(request.names.get(person, "").split()) for person in people]
    return RECORDED.format(
        people=_listed([name[:NAME_CHARS_MAX] or "someone" for name in names]),
        quotes=", ".join(_quote(answer.text) for answer in request.answers[-QUOTES_MAX:]),
    )


def _quote(text: str) -> str:
    """The beginning of an answer; nobody's words can end their own quote."""
    line = " ".join(text.split()).replace("“", "‘").replace("”", "’")
    return f"“{line if len(line) <= QUOTE_CHARS_MAX else line[: QUOTE_CHARS_MAX - 1] + '…'}”"


def _listed(names: Sequence[str]) -> str:
    if len(names) > NAMES_SHOWN_MAX:
        more = len(names) - NAMES_SHOWN_MAX + 1
        names = [*names[: NAMES_SHOWN_MAX - 1], f"{more} others"]
    return joined(names)
