"""The word lists of `words.toml`."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_ROWS: Final[Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text("utf-8")
)


def listed(name: str) -> tuple[str, ...]:
    """The words of a row. Raises `KeyError` for a name without one."""
    return tuple(_ROWS[name].split())
