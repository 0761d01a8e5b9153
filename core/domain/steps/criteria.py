"""The criteria of a step: the list under `## Validation`, whose lines may end in `(needs: kind)`.

The tag is for brains. It is taken out of what people may see.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, get_args

from core import patterns

Need = Literal[
    "requirement",
    "quality",
    "check",
    "exclusion",
    "story",
    "priority",
    "scope",
    "option",
    "decision",
    "risk",
    "question",
    "entry-point",
    "module",
    "interface",
    "data",
    "error",
]
"""A kind of claim that a step, or one of its criteria, must obtain."""
NEEDS: Final[tuple[Need, ...]] = get_args(Need)
VALIDATION: Final = "Validation"
SECTIONS_MAX: Final = 64  # whose criteria are remembered: of a step they are looked up often

_BULLET: Final = patterns.compile(r"[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+")
_TAG: Final = patterns.compile(r"[ \t]*\(needs:[ \t]*(?P<kind>[^()]*?)[ \t]*\)[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of `## Validation`, without its tag.

    `needs` is the kind of claim that meets it; None where the line has no tag.
    """

    text: str
    needs: Need | None = None


@lru_cache(maxsize=SECTIONS_MAX)
def criteria_of(validation: str) -> tuple[Criterion, ...]:
    """The criteria of a section's text, in order.

    A list has one for each item, and one for each tagged line beside it. A text without a list has
    one for each line.
    """
    items = list(_items(validation))
    has_list = any(is_bullet for is_bullet, _ in items)
    return tuple(
        Criterion(without_tag(text), _need(text))
        for is_bullet, text in items
        if is_bullet or not has_list or _TAG.search(text)
    )


def bad_needs(validation: str) -> tuple[str, ...]:
    """What the tags of a section say that is no kind of claim a step may need."""
    if "(needs:" not in validation:
        return ()
    tags = (_TAG.search(line) for line in validation.splitlines())
    return tuple(tag["kind"] for tag in tags if tag and tag["kind"] not in NEEDS)


def without_tag(line: str) -> str:
    return _TAG.sub("", line)


def without_tags(text: str, validation: str) -> str:
    """`text` with those of its lines that stand in `validation` as people see them."""
    tagged = {line.strip() for line in validation.splitlines() if _TAG.search(line)}
    if not tagged:
        return text
    lines = text.split("\n")
    return "\n".join(without_tag(line) if line.strip() in tagged else line for line in lines)


def _items(validation: str) -> Iterator[tuple[bool, str]]:
    """Each item of a list, with the lines it goes on in; and each line outside. True: an item."""
    item: list[str] = []
    for line in validation.splitlines():
        bullet = _BULLET.match(line)
        if item and (bullet or not line.strip()):
            yield True, " ".join(item)
            item = []
        if bullet:
            item = [line[bullet.end() :].strip()]
        elif item:
            item.append(line.strip())
        elif line.strip():
            yield False, line.strip()
    if item:
        yield True, " ".join(item)


def _need(text: str) -> Need | None:
    tag = _TAG.search(text)
    return next((need for need in NEEDS if tag and tag["kind"] == need), None)
