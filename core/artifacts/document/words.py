"""The sentences and headings of ours that stand in an artifact: `words.yaml`, loaded once.

The columns and keys of data files stand with the code that writes them. All others are people's, or
a step file's. `docs/schemas/template.txt` lists them; tests compare the two, and the names in the
file with those that the code asks for.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml


class Words:
    """Texts of ours by their names, from a file of YAML. Another name raises `KeyError`."""

    def __init__(self, file: Path) -> None:
        self._texts: Mapping[str, Any] = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)

    def text(self, name: str) -> str:
        return str(self._texts[name])

    def row(self, name: str) -> tuple[str, ...]:
        return tuple(self._texts[name])

    def columns(self, table: str) -> tuple[str, ...]:
        """The head of a table."""
        return self.row(f"{table}_columns")

    def mapping(self, name: str) -> Mapping[str, str]:
        texts: Mapping[str, str] = self._texts[name]
        return texts

    def forms(self, name: str, key: str) -> tuple[str, str]:
        """The singular and the plural of a noun."""
        singular, plural = self._texts[name][key]
        return singular, plural


OURS: Final = Words(Path(__file__).with_name("words.yaml"))
text, row, columns, mapping = OURS.text, OURS.row, OURS.columns, OURS.mapping

HEADINGS: Final = mapping("headings")
DATA_HEADINGS: Final = mapping("data_headings")  # of files that have no heading of their own
INTROS: Final = mapping("intros")
GROUPS: Final = mapping("groups")  # of lines, in the order in which they stand
NUMBERS: Final = row("numbers")


def count(number: int, kind: str) -> str:
    """`two risks`: numbers up to twelve are words."""
    noun = OURS.forms("counted", kind)[number != 1]
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} {noun}"
