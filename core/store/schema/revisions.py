"""Revisions of the schema by their names: 0007-0004 is the seventh, and the fourth cleaned up last.

Whatever later revisions add, this version leaves alone; what a clean-up took away, it would miss.
The first has no second number: all rest on it.
"""

from pathlib import Path
from typing import Final

MIGRATIONS: Final = Path(__file__).parent / "migrations"
NUMBERS: Final = frozenset(path.name[:4] for path in MIGRATIONS.glob("versions/[0-9]*.py"))


def adds_to_ours(stored: str | None) -> bool:
    """True if a database went on from our newest revision, and no clean-up came since."""
    number, _, clean_up = (stored or "").partition("-")
    return number > max(NUMBERS) and clean_up in NUMBERS


def is_usable(stored: str | None) -> bool:
    """True for our newest revision, and for one that only added to it."""
    return (stored or "").partition("-")[0] == max(NUMBERS) or adds_to_ours(stored)
