"""Fits what speaks for a question to be open still: `tests.facilitation.weights` writes it down."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core.brains.bookkeeping.answering import is_noise
from core.brains.bookkeeping.question_chance import Asked, forms_of
from core.brains.script.parts.signs import is_question
from core.brains.text.split import split
from core.brains.text.wording import words_of
from tests.facilitation.items import Item
from tests.facilitation.matching import shares
from tests.facilitation.weights import Limits, Sample, Weights, fit

OF_QUESTIONS: Final = Limits(samples_min=8, items_min=5, inverse_penalty=0.5)
TABLE: Final = "forms"
Said = tuple[str, str]  # who, and the text


def fitted_questions(items: Iterable[Item]) -> Weights:
    samples = [sample for item in items for sample in samples_of(item)]
    fitted = fit(samples, (TABLE,), OF_QUESTIONS)
    return {"bias": fitted["bias"], **fitted[TABLE]}


def samples_of(item: Item) -> Iterator[Sample]:
    """Each question of an item that nobody answers in words of it, and whether it is listed."""
    for step, by, asked in questions_of(item):
        quotes = (it for it in item.facts.quotes("questions") if it.step in ("", step))
        is_listed = any(quote.by in ("", by) and shares(quote.text, asked.text) for quote in quotes)
        features = {(TABLE, form): 1.0 for form in forms_of(asked)}
        yield Sample(item.name, features, is_listed)


def questions_of(item: Item) -> Iterator[tuple[str, str, Asked]]:
    """The step, the author and the question."""
    for step, moves in item.script.steps.items():
        said = [(move.by, text) for move in moves if (text := getattr(move, "text", ""))]
        for at, (by, message) in enumerate(said):
            later = [(who, text) for who, text in said[at + 1 :] if not is_noise(text)]
            for line in (fragment.text for fragment in split(message)):
                if is_question(line) and not _is_answered(line, by, later):
                    behind = [(who == by, text) for who, text in later]
                    yield step, by, Asked(line, message, behind)


def _is_answered(line: str, by: str, later: Sequence[Said]) -> bool:
    about = words_of(line)
    return any(about & words_of(text) for who, text in later if who != by)
