"""The words of the scripted brain as data: `steps/brains/*.yaml`, read when first asked for.

`english.yaml` holds patterns by name. A row is a pattern, a list of alternatives, or a mapping:
`words` are alternatives that are whole words, `opens` alternatives with the end of a word behind
them alone, `other` any word but these, `parts` pieces that follow each other. `{name}` stands for
another row. Raises `KeyError` for a name without a row.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import yaml

from core import patterns
from core.content.library import default_steps_dir

FOLDER: Final = "brains"
_ROW_NAME: Final = patterns.compile(r"\{([a-z][a-z-]*)\}")
_FORMS: Final[Mapping[str, Callable[[list[str]], str]]] = {
    "words": lambda words: rf"\b(?:{'|'.join(words)})\b",
    "opens": lambda words: rf"(?:{'|'.join(words)})\b",
    "other": lambda words: patterns.other_word(*words),
    "parts": "".join,
}


@cache
def table(name: str) -> Mapping[str, Any]:
    """A file of the folder, by its name without ending. Raises `OSError` and `yaml.YAMLError`."""
    path = default_steps_dir() / FOLDER / f"{name}.yaml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rows: Mapping[str, Any] = yaml.load(path.read_text("utf-8"), loader)  # noqa: S506
    return rows


def expression(row: Any) -> str:
    """The regular expression that a row of a file stands for."""
    if isinstance(row, list):
        return _filled(f"(?:{'|'.join(row)})")
    if isinstance(row, dict):
        form, parts = next(iter(row.items()))
        return _filled(_FORMS[form](parts))
    return _filled(str(row))


@cache
def pattern(
    name: str, flags: int = patterns.IGNORECASE, unless: patterns.Refusal | None = None
) -> patterns.Pattern:
    """The pattern of a row of `english.yaml`."""
    return patterns.compile(_english(name), flags, unless=unless)


def compiled(row: Any, unless: patterns.Refusal | None = None) -> patterns.Pattern:
    """The pattern of a row of another file."""
    return patterns.compile(expression(row), patterns.IGNORECASE, unless=unless)


def apart(alternatives: list[str], unless: patterns.Refusal | None = None) -> patterns.Pattern:
    """A pattern of alternatives that stand apart: with no letter or digit beside them."""
    words = expression(alternatives)
    return patterns.compile(rf"(?<!\w){words}(?!\w)", patterns.IGNORECASE, unless=unless)


def begun(alternatives: list[str]) -> patterns.Pattern:
    """A pattern of alternatives that begin a word."""
    return patterns.compile(rf"\b{expression(alternatives)}", patterns.IGNORECASE)


def listed(name: str) -> frozenset[str]:
    """The words of a row of `english.yaml` that is a list of plain words."""
    return frozenset(" ".join(table("english")[name]).split())


@cache
def _english(name: str) -> str:
    return expression(table("english")[name])


def _filled(text: str) -> str:
    parts = _ROW_NAME.split(text)
    names = (_english(part) if place % 2 else part for place, part in enumerate(parts))
    return "".join(names)
