"""Fits what speaks for a check to be of a line: `tests.facilitation.weights` writes it down."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.brains.bookkeeping.references.check_odds import Spoken, forms_of
from core.brains.bookkeeping.references.labels import labels_in
from core.brains.text.split import split
from tests.facilitation.facts import Quote
from tests.facilitation.items import Item
from tests.facilitation.matching import shares
from tests.facilitation.weights import Limits, Sample, Weights, fit

OF_CHECKS: Final = Limits(samples_min=1, items_min=1, inverse_penalty=0.5)
TABLE: Final = "forms"


def fitted_checks(items: Iterable[Item]) -> Weights:
    samples = [sample for item in items for sample in samples_of(item)]
    fitted = fit(samples, (TABLE,), OF_CHECKS)
    return {"bias": fitted["bias"], **fitted[TABLE]}


def samples_of(item: Item) -> Iterator[Sample]:
    """Each check of an item that calls no line by its number, with each requirement before it."""
    for _, check, lines, is_of in checks_of(item):
        for name, forms in forms_of(check, lines).items():
            features = {(TABLE, form): float(much) for form, much in forms}
            yield Sample(item.name, features, is_of[name])


def checks_of(
    item: Item,
) -> Iterator[tuple[str, Spoken, Mapping[str, Spoken], Mapping[str, bool]]]:
    """The quote of each check, where it was said, the requirements before it by number, and which
    of them it checks."""
    said = list(_lines_of(item))
    demanded = [line for line in said if any(map(line.has, item.facts.quotes("requirements")))]
    for fact in item.facts["checks"]:
        check = next((line for line in said if line.has(fact.quote)), None)
        if not fact.of or check is None or labels_in(check.spoken.text):
            continue
        place = said.index(check)
        earlier = {str(n): line for n, line in enumerate(demanded) if said.index(line) < place}
        is_of = {name: shares(fact.of, line.spoken.text) for name, line in earlier.items()}
        if any(is_of.values()):
            lines = {name: line.spoken for name, line in earlier.items()}
            yield fact.quote.text, check.spoken, lines, is_of


class _Line:
    def __init__(self, spoken: Spoken) -> None:
        self.spoken = spoken

    def has(self, quote: Quote) -> bool:
        is_place = quote.step in ("", self.spoken.step) and quote.by in ("", self.spoken.by)
        return is_place and shares(quote.text, self.spoken.text)


def _lines_of(item: Item) -> Iterator[_Line]:
    turn = 0
    for step, moves in item.script.steps.items():
        for move in moves:
            text = getattr(move, "text", "")
            whole = " ".join(text.split())
            for line in (" ".join(fragment.text.split()) for fragment in split(text)):
                before = whole[: max(whole.find(line), 0)]
                yield _Line(Spoken(line, step, move.by, turn, before))
            turn += 1
