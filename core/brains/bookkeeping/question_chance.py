"""How likely a question that no answer shares a word with is still open: logistic regression.

`steps/brains/weights.yaml` has under `open-question` what each form of a question, and of what was
said behind it, adds to its odds, as a logarithm. `make weights` fits them anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core import patterns
from core.brains import lexicon
from core.brains.text.weights import probability

LENGTH_STEP: Final = 3  # words
LENGTH_MAX: Final = 5
REPLY_STEP: Final = 8  # words
REPLY_MAX: Final = 3
_MARKS: Final = ("?", "？")
_ENDS: Final = " .!?)…\n"
_ASKS_FOR: Final = lexicon.pattern("asks-for")
_PEOPLE: Final = {
    "says-you": patterns.compile(r"\b(?:you|your|ihr|du)\b", patterns.IGNORECASE),
    "says-i": patterns.compile(r"\b(?:i|my|me|ich)\b", patterns.IGNORECASE),
    "says-we": patterns.compile(r"\b(?:we|our|us|wir)\b", patterns.IGNORECASE),
    "weighs": patterns.compile(r"\b(?:or|oder)\b", patterns.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the message that it stands in, and what was said behind that at its step: whether
    by its author, and the text, the oldest first."""

    text: str
    message: str
    later: Sequence[tuple[bool, str]] = ()


def open_chance(asked: Asked) -> float:
    """From 0 to 1."""
    weights = lexicon.table("weights")["open-question"]
    adds = (weights.get(form, 0.0) for form in forms_of(asked))
    return probability(weights["bias"] + sum(adds))


def forms_of(asked: Asked) -> Iterator[str]:
    """Each form that it has."""
    text = asked.text.strip()
    yield f"words-{min(len(text.split()) // LENGTH_STEP, LENGTH_MAX)}"
    if sum(text.count(mark) for mark in _MARKS) > 1:
        yield "several-marks"
    asks_for = _ASKS_FOR.search(text.casefold())
    yield f"asks-{asks_for[0]}" if asks_for else "asks-for-nothing"
    yield from (name for name, form in _PEOPLE.items() if form.search(text))
    before, _, behind = asked.message.partition(text)
    if not behind.strip(_ENDS):
        yield "ends-message"
    if not before.strip():
        yield "opens-message"
    yield from _of_later(asked.later)


def _of_later(later: Sequence[tuple[bool, str]]) -> Iterator[str]:
    if not later:
        yield "nobody-since"
        return
    is_own, reply = later[0]
    yield "author-goes-on" if is_own else "others-next"
    yield f"next-words-{min(len(reply.split()) // REPLY_STEP, REPLY_MAX)}"
    if "\n" in reply.strip():
        yield "next-lists"
    if reply.rstrip().endswith(_MARKS):
        yield "next-asks"
    if sum(not own for own, _ in later) > 1:
        yield "others-go-on"
