"""What `meta.json` must hold so that an unknown folder can be taken up: every flaw, and where.

As docs/schemas/meta.schema.json says. A folder of our own is read more leniently (`meta.meta_in`):
there the database knows what the file does not.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, get_args

from core import patterns
from core.artifacts.meta import AnalysisStatus
from core.domain.ids import DEPTHS

Flaw = tuple[str, str]  # place, and what is wrong there
Check = Callable[[object, str], Iterator[Flaw]]

_PHASE: Final = patterns.compile(r"[0-9]{2}-")
_STEP: Final = patterns.compile(r"[0-9]{2}-[0-9]{2}\Z")
_MOMENT: Final = patterns.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T")


def flaws(value: object) -> Iterator[Flaw]:
    """Everything in the content of `meta.json` that is not as it has to be."""
    yield from _object(value, "$", _KEYS)


def _object(
    value: object, place: str, keys: Mapping[str, Check], *, closed: bool = False
) -> Iterator[Flaw]:
    if not isinstance(value, dict):
        yield place, "it is no object"
        return
    for key, check in keys.items():
        if key in value:
            yield from check(value[key], f"{place}.{key}")
        else:
            yield f"{place}.{key}", "it is missing"
    for key in value if closed else ():
        if key not in keys:
            yield f"{place}.{key}", "nothing of that name belongs there"


def _text(value: object, place: str) -> Iterator[Flaw]:
    if not isinstance(value, str):
        yield place, "it is no text"


def _some_text(value: object, place: str) -> Iterator[Flaw]:
    yield from _text(value, place)
    if value == "":
        yield place, "it is empty"


def _like(pattern: patterns.Pattern, what: str) -> Check:
    def check(value: object, place: str) -> Iterator[Flaw]:
        if not isinstance(value, str) or not pattern.match(value):
            yield place, f"it is no {what}"

    return check


def _one_of(words: tuple[str, ...]) -> Check:
    def check(value: object, place: str) -> Iterator[Flaw]:
        if value not in words:
            yield place, f"it is none of {', '.join(words)}"

    return check


def _list_of(inner: Check) -> Check:
    def check(value: object, place: str) -> Iterator[Flaw]:
        if not isinstance(value, list):
            yield place, "it is no list"
            return
        for number, each in enumerate(value):
            yield from inner(each, f"{place}[{number}]")

    return check


def _map_of(inner: Check) -> Check:
    def check(value: object, place: str) -> Iterator[Flaw]:
        if not isinstance(value, dict):
            yield place, "it is no object"
            return
        for key, each in value.items():
            yield from inner(each, f"{place}.{key}")

    return check


def _closed(keys: Mapping[str, Check]) -> Check:
    return lambda value, place: _object(value, place, keys, closed=True)


_KEYS: Final[Mapping[str, Check]] = {
    "slug": _some_text,
    "title": _text,
    "source": _text,
    "owner": _closed({"team": _text, "channel": _text}),
    "created_at": _like(_MOMENT, "time in ISO 8601"),
    "analysis_status": _one_of(get_args(AnalysisStatus)),
    "phases_completed": _list_of(_like(_PHASE, "phase (NN-name)")),
    "steps_completed": _list_of(_like(_STEP, "step id (NN-NN)")),
    "depth_overrides": _map_of(_one_of(DEPTHS)),
    "acceptance": _map_of(_closed({"by": _text, "at": _text})),
}
