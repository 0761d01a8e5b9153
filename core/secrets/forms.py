"""Credentials by their form (`forms.toml`) or by the place they stand in (`connections.toml`)."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.data_tables import DataTable, DataTableError, read_table
from core.secrets.patterns import (
    AFTER,
    BEFORE,
    Check,
    SecretPattern,
    compiled,
    group,
    has_both,
    has_turns,
    mixed,
    random,
)
from core.secrets.words import WORDS, with_parts

LONG_CHARS_MIN: Final = 40  # of what no word or file name has
HYPHENS_MAX: Final = 5  # of a key; names of libraries have more
PASSWORD_DISTINCT_MIN: Final = 3

_MAKERS_ID: Final = r"[a-z]{2,10}_"  # evt_…, cus_…: what makers call their things
_PATH: Final = r"^[a-z]+(?:[-_./][a-z0-9]{1,12})*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternRow:
    """A row of the files; `forms.toml` describes its keys."""

    kind: str
    label: str
    sign: str
    body: str = ""
    ends: bool = False
    whole: str = ""
    check: str = "random"  # a key of `CHECKS`


def is_made(value: str) -> bool:
    """Made by a machine, and no hash of Git's: small letters, capitals and digits."""
    classes = value.lower() != value != value.upper()
    is_id = compiled(_MAKERS_ID).match(value.encode()) is not None
    return classes and mixed(value) and has_turns(value) and not is_id


def is_openai(value: str) -> bool:
    """Long, or with letters and digits: `sk-` begins words of Slovak and of libraries as well."""
    is_long = len(value) >= LONG_CHARS_MIN and value.count("-") <= HYPHENS_MAX
    return random(value) if is_long or "T3BlbkFJ" in value else mixed(value)


def is_discord_bot(value: str) -> bool:
    """True if a Discord token begins with the number of its bot."""
    head = value.partition(".")[0]
    try:
        return base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except binascii.Error:
        return False


def is_login(value: str) -> bool:
    """True if Base64 holds `user:password`."""
    try:
        pair = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in pair.strip(":") and pair.isprintable()


def is_bearer(value: str) -> bool:
    """True for a token of a header, which is no path."""
    return mixed(value) and compiled(_PATH).search(value.encode()) is None


def is_filled(*groups: str) -> bool:
    """Not the word for it, a variable, a blank to be filled; nor guest:guest."""
    *others, value = groups
    return (
        len(set(value)) >= PASSWORD_DISTINCT_MIN
        and value not in others
        and compiled(WORDS["blank"]).fullmatch(value.encode()) is None
    )


def is_short_flag(*groups: str) -> bool:
    """`-p3306` is a port, `-p` of other programs a path."""
    return is_filled(*groups) and not groups[-1].isdigit()


CHECKS: Final[Mapping[str, Check]] = {
    "random": random,
    "mixed": mixed,
    "has_both": has_both,
    "is_made": is_made,
    "is_openai": is_openai,
    "is_discord_bot": is_discord_bot,
    "is_login": is_login,
    "is_bearer": is_bearer,
    "is_filled": is_filled,
    "is_short_flag": is_short_flag,
}


def read_patterns(file: Path) -> Iterator[SecretPattern]:
    """The patterns of a file, in its order. Raises `DataTableError`."""
    table = read_table(file)
    parts = table.table("parts").texts()
    return (_pattern(row, parts) for row in table.listed("pattern"))


def _pattern(table: DataTable, parts: Mapping[str, str]) -> SecretPattern:
    row = table.row(PatternRow, check=table.word("check", (None, *CHECKS)) or "random")
    if bool(row.body) == bool(row.whole):
        raise DataTableError(f"{table.place}: {row.kind} needs a body or a whole")
    sign, body, whole = (
        with_parts(text, parts, table.place) for text in (row.sign, row.body, row.whole)
    )
    if body:
        sign, whole = BEFORE + sign, f"{BEFORE}({sign}{body}){AFTER if row.ends else ''}"
    return group(row.kind, row.label, sign, whole, CHECKS[row.check])


FORMS: Final = tuple(read_patterns(Path(__file__).with_name("forms.toml")))
CONNECTIONS: Final = tuple(read_patterns(Path(__file__).with_name("connections.toml")))
