"""Every word of ours that stands in an artifact: `words.yaml`, loaded once.

All others are people's, or a step file's. `docs/schemas/template.txt` lists them; tests compare the
two, and the names in the file with those that the code asks for.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

_FILE: Final = Path(__file__).with_name("words.yaml")
_WORDS: Final[Mapping[str, Any]] = yaml.load(_FILE.read_text("utf-8"), yaml.CSafeLoader)


def text(name: str) -> str:
    """The text of a name. Raises `KeyError` for a name that the file does not have."""
    return str(_WORDS[name])


def row(name: str) -> tuple[str, ...]:
    """The texts of a name, in their order. Raises `KeyError` as `text` does."""
    return tuple(_WORDS[name])


def columns(table: str) -> tuple[str, ...]:
    """The head of a table. Raises `KeyError` as `text` does."""
    return row(f"{table}_columns")


def mapping(name: str) -> Mapping[str, str]:
    """Texts by key. Raises `KeyError` as `text` does."""
    texts: Mapping[str, str] = _WORDS[name]
    return texts


HEADINGS: Final = mapping("headings")
DATA_HEADINGS: Final = mapping("data_headings")  # of files that have no heading of their own
INTROS: Final = mapping("intros")
GROUPS: Final = mapping("groups")  # of lines, in the order in which they stand
NUMBERS: Final = row("numbers")


def count(number: int, kind: str) -> str:
    """`two risks`: numbers up to twelve are words."""
    noun = _WORDS["counted"][kind][number != 1]
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} {noun}"


def names() -> tuple[str, ...]:
    """What the file names, in its order."""
    return tuple(_WORDS)


def phrases() -> Iterator[str]:
    """All of them, in the order of the file."""
    return _texts(_WORDS)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for part in value.values() if isinstance(value, dict) else value:
        yield from _texts(part)
