"""A case: a code, a real cause of it, what must come of it. A row: what was seen to come of it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from core.domain.session.halt import Fault
from core.taxonomy.catalogue import CATALOGUE, Code
from tests.e2e.lived_room import Cramped
from tests.e2e.lived_scene import Scene, Words

Live = Callable[[Scene], Iterator[str]]

IN_CARD: Final = "Roundtable, in the card's thread"
IN_MAYA: Final = "Maya Chen, in Maya Chen's thread"
TOLD: Final = "to pm alone"
_TIME: Final = re.compile(r"\d{8}T\d{6}Z(?:-\d+)?")  # two of one second are told apart by a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`live` makes it happen and yields, sentence by sentence, what the session did next."""

    code: Code
    cause: str
    live: Live
    words: tuple[Words, ...] = ()  # none: silence
    steps: tuple[str, ...] = ()  # those its records name
    recorded: bool = True
    then: tuple[str, ...]
    cramped: Cramped = "artifacts"

    @property
    def records(self) -> tuple[str, ...]:
        steps = self.steps or ("",)
        return tuple(record_of(self.code, step) for step in steps) if self.recorded else ()


@dataclass(frozen=True, slots=True)
class Row:
    """What was observed, as a row of docs/reference/errors-lived.md."""

    code: str
    cause: str
    words: tuple[Words, ...]
    records: tuple[str, ...]
    then: tuple[str, ...]


def lived(case: Case, scene: Scene) -> Row:
    """Let it happen, and look."""
    then = tuple(_timeless(each) for each in case.live(scene))
    faults = [fault for fault in scene.faults if fault.code == case.code]
    return Row(
        code=case.code,
        cause=scene.cause or case.cause,
        words=_words(case.code, scene, faults),
        records=tuple(dict.fromkeys(record_of(fault.code, fault.step) for fault in faults)),
        then=then,
    )


def _words(code: str, scene: Scene, faults: list[Fault]) -> tuple[Words, ...]:
    """All that was said of a code. Silence is that neither it nor its words stand anywhere."""
    told = [*scene.told_of(code), *scene.also_told]
    telling = (code, *(fault.message for fault in faults))
    leaks = [text for text in scene.everything if any(each in text for each in telling)]
    found = told or [Words(text, "somewhere") for text in leaks]
    return tuple(dict.fromkeys(Words(_timeless(each.text), each.where) for each in found))


def _timeless(text: str) -> str:
    return _TIME.sub("…", text)


def record_of(code: str, step: str | None) -> str:
    """What stands in the database about one occurrence: the code leads to its catalogue row."""
    entry = CATALOGUE[code]
    kind = entry.category.replace("_", " ")
    where = f"step `{step}`" if step else "no step"
    return f"{entry.severity}, {entry.handling}, {kind}, {entry.routing}; {where}"
