"""Checks a file's content by a pydantic model: the model's value, or every flaw with its place.

The one mapper from pydantic's errors: what each flaw is called for people (a code of the catalogue,
a line about a play file) is said by whoever read the file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from core.content.models.values import TITLE_CHARS_MAX, is_line, value_shown

Path = tuple[int | str, ...]
M = TypeVar("M")

WRONG: Final = "wrong"
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Flaw:
    """One value that a file may not hold.

    `path` leads to it: keys, and places in lists from 0. `value` is what stands there, None where
    nothing does. `hint` says in our words what would be right, or what is wrong.
    """

    path: Path
    value: object
    hint: str

    def place(self, first: int = 1) -> str:
        """The path as people read it: `phases[1].personas[2]`. Lists are counted from `first`."""
        parts = (f"[{p + first}]" if isinstance(p, int) else f".{p}" for p in self.path)
        return "".join(parts).removeprefix(".")


class FileModel(BaseModel):
    """A mapping of a file. A key without a value counts as absent; further keys are let pass."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True, defer_build=True)
    hint: ClassVar[str] = ""  # of what is no mapping

    @model_validator(mode="before")
    @classmethod
    def _known_fields(cls, data: object) -> object:
        """Those that have a value; a required one without any is refused as None."""
        if not isinstance(data, Mapping):
            raise wrong(cls.hint or f"a mapping with {', '.join(cls.model_fields)}")
        return {
            name: data.get(name)
            for name, field in cls.model_fields.items()
            if data.get(name) is not None or field.is_required()
        }


def validated(
    model: type[M],
    data: object,
    *,
    context: Mapping[str, Any] = NOTHING,
    words: Callable[[ErrorDetails], str | None] = lambda _: None,
) -> M | tuple[Flaw, ...]:
    """The model's value, or everything that is wrong with `data`.

    `words` has those for pydantic's own types of errors; a validator made by `fits` brings its own.
    """
    try:
        value: M = _adapter(model).validate_python(data, context=dict(context))
        return value
    except ValidationError as error:
        return tuple(
            Flaw(fault["loc"], fault["input"], _hint(fault, words))
            for fault in error.errors(include_url=False)
        )


# Made once per model: making one costs as much as a thousand uses.
_adapter: Final[Callable[[Any], TypeAdapter[Any]]] = cache(TypeAdapter)


def _hint(fault: ErrorDetails, words: Callable[[ErrorDetails], str | None]) -> str:
    hint: str = fault.get("ctx", {}).get("hint") or words(fault) or fault["msg"]
    return hint


def wrong(hint: str) -> PydanticCustomError:
    """The error that a validator raises, with our words."""
    return PydanticCustomError(WRONG, "{hint}", {"hint": hint})


def fits(is_good: Callable[[Any], bool], hint: str) -> BeforeValidator:
    """A validator of one value as it stands in the file."""

    def check(value: object) -> object:
        if is_good(value):
            return value
        raise wrong(hint)

    return BeforeValidator(check)


def line(
    chars_max: int = TITLE_CHARS_MAX, hint: str = "one line of 1 to {} characters"
) -> BeforeValidator:
    return fits(lambda value: is_line(value, chars_max), hint.format(chars_max))


def one_of(words: tuple[str, ...]) -> BeforeValidator:
    return fits(lambda value: isinstance(value, str) and value in words, words_of(words))


def words_of(words: tuple[str, ...]) -> str:
    return f"one of {', '.join(words)}"


def items(least: int, most: int) -> BeforeValidator:
    """A validator of a list as a whole."""
    size = f"{least} to {most}" if least else f"at most {most}"
    return fits(
        lambda value: isinstance(value, list) and least <= len(value) <= most, f"a list of {size}"
    )


def in_file_order(data: object, path: Path) -> tuple[int, ...]:
    """A sorting key for flaws: where in the file the path leads to; what is missing comes last."""
    places = []
    for key in path:
        if isinstance(key, int):
            places.append(key)
            data = data[key] if isinstance(data, list) and key < len(data) else None
        else:
            keys = list(data) if isinstance(data, Mapping) else []
            places.append(keys.index(key) if key in keys else len(keys))
            data = data.get(key) if isinstance(data, Mapping) else None
    return tuple(places)


def shown_path(*keys: object) -> Path:
    """A path of keys, which may be anything that YAML or JSON takes for one."""
    return tuple(map(value_shown, keys))
