"""Tables of data: TOML files beside the modules that read them, once, when first asked for a row.

A row becomes a frozen dataclass whose fields are the keys it may have. Whatever does not fit is
refused as a whole; the message names the file and the key.
"""

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Row = TypeVar("Row")
Key = TypeVar("Key")


class DataTableError(ValueError):
    """A data file of ours that does not fit: its name, the key, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table of a file. `place` is the file's name and the keys that lead to the table."""

    place: str
    content: Mapping[str, Any]

    def table(self, key: object) -> "DataTable":
        """The table below `key`. Raises `DataTableError` if there is none."""
        content, place = self.content.get(str(key)), f"{self.place}: {key}"
        if not isinstance(content, dict):
            raise DataTableError(f"{place}: a table is missing")
        return DataTable(place, content)

    def tables(self) -> Iterator[tuple[str, "DataTable"]]:
        """Every table below, by its key. Raises `DataTableError` for what is no table."""
        return ((key, self.table(key)) for key in self.content)

    def tables_of(self, keys: Collection[Key]) -> Iterator[tuple[Key, "DataTable"]]:
        """Those below `keys`, as far as they are there, in the order of `keys`.

        Raises `DataTableError` for any further key, and for what is no table.
        """
        if unknown := [key for key in self.content if key not in keys]:
            raise DataTableError(f"{self.place}: unknown key {unknown[0]}")
        return ((key, self.table(key)) for key in keys if key in self.content)

    def listed(self, key: str) -> "Iterator[DataTable]":
        """The tables of the list below `key`. Raises `DataTableError` if there is none."""
        items = self.content.get(key)
        if not isinstance(items, list):
            raise DataTableError(f"{self.place}: {key}: a list of tables is missing")
        return (
            DataTable(f"{self.place}: {key}[{number}]", item)
            for number, item in enumerate(items, start=1)
        )

    def texts(self) -> Mapping[str, str]:
        """The texts of the table. The lines of a list are put together to one.

        Raises `DataTableError` for anything else.
        """
        return {key: _text(value, f"{self.place}: {key}") for key, value in self.content.items()}

    def word(self, key: str, words: Collection[Key]) -> Key:
        """The value below `key`, which is one of `words`. Raises `DataTableError` if it is not."""
        value = self.content.get(key)
        for word in words:
            if word == value:
                return word
        raise DataTableError(_none_of(f"{self.place}: {key}", value, words))

    def row(self, kind: type[Row], **more: object) -> Row:
        """The row that the table describes; `more` are values of fields that it does not hold.

        Raises `DataTableError`.
        """
        row: Row = _row(kind, {**self.content, **more}, self.place)
        return row


class LazyTable(Mapping[Key, Row]):
    """Rows by their keys. `read` is called once, when a row or the keys are first asked for.

    Whatever `read` raises, asking raises: `DataTableError` where it reads a file.
    """

    def __init__(self, read: Callable[[], Mapping[Key, Row]]) -> None:
        self._rows = cache(read)

    def __getitem__(self, key: Key) -> Row:
        return self._rows()[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._rows())

    def __len__(self) -> int:
        return len(self._rows())


def read_table(file: Path) -> DataTable:
    """The tables of a file. Raises `DataTableError` for what is no TOML, and `OSError`."""
    try:
        return DataTable(file.name, tomllib.loads(file.read_text("utf-8")))
    except tomllib.TOMLDecodeError as cause:
        raise DataTableError(f"{file.name}: {cause}") from cause


def _row(kind: Any, content: Mapping[str, Any], place: str) -> Any:
    allowed = _fields(kind)
    if unknown := sorted(content.keys() - allowed.keys()):
        raise DataTableError(f"{place}: unknown key {unknown[0]}")
    if missing := [
        name for name, field in allowed.items() if name not in content and _needed(field)
    ]:
        raise DataTableError(f"{place}: {missing[0]} is missing")
    kinds = _hints(kind)
    return kind(
        **{name: _value(kinds[name], value, f"{place}: {name}") for name, value in content.items()}
    )


@cache
def _fields(kind: Any) -> Mapping[str, "Field[Any]"]:
    return {field.name: field for field in fields(kind)}


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _needed(field: "Field[Any]") -> bool:
    return field.default is MISSING


def _value(kind: Any, value: Any, place: str) -> Any:
    """`value` as a field of this kind holds it: text, number, word of a list, list or row."""
    if type(value) is kind or value is None or isinstance(kind, TypeVar):
        return value  # nearly all of them
    if get_origin(kind) in (Union, UnionType):
        return _value(get_args(kind)[0], value, place)  # a key that is absent is the None
    if get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
        raise DataTableError(_none_of(place, value, get_args(kind)))
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(_value(get_args(kind)[0], item, place) for item in value)
    if is_dataclass(kind) and isinstance(value, dict):
        return _row(kind, value, place)
    raise DataTableError(f"{place}: {value!r} is no {getattr(kind, '__name__', 'list')}")


def _text(value: object, place: str) -> str:
    lines = value if isinstance(value, list) else [value]
    texts = [line for line in lines if isinstance(line, str)]
    if len(texts) < len(lines):
        raise DataTableError(f"{place}: {value!r} is no text")
    return "".join(texts)


def _none_of(place: str, value: object, words: Collection[object]) -> str:
    return f"{place}: {value!r} is none of {', '.join(map(str, words))}"
