"""Words around credentials, and in their place: the rows of `words.toml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core import patterns
from core.data_tables import DataTableError, LazyTable, read_table

DATA: Final = Path(__file__).with_name("words.toml")
_PART: Final = patterns.compile(r"\{([a-z_]+)\}")


def with_parts(text: str, parts: Mapping[str, str], place: str) -> str:
    """A pattern in which every `{name}` is that part. Raises `DataTableError` for any other."""
    try:
        return _PART.sub(lambda match: parts[match[1]], text)
    except KeyError as cause:
        raise DataTableError(f"{place}: no part is called {cause}") from cause


def _any_case(text: str) -> str:
    """For RE2 in bytes, where `(?i)` knows ASCII only: ö stands for Ö as well."""
    return "".join(
        f"(?:{sign}|{sign.upper()})" if not sign.isascii() and sign.upper() != sign else sign
        for sign in text
    )


def _read_words() -> Mapping[str, str]:
    table = read_table(DATA)
    words = {key: _any_case(text) for key, text in table.table("any_case").texts().items()}
    for key, text in table.table("rows").texts().items():
        words[key] = with_parts(text, words, f"{DATA.name}: {key}")
    return words


WORDS: Final = LazyTable(_read_words)
