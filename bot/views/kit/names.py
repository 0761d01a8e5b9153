"""People in words. A name we do not know is never shown as an id."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.views.kit.text import short
from core.domain.ids import UserId
from core.english import joined

NAME_CHARS_MAX: Final = 60
NAMES_MAX: Final = 8
SOMEONE: Final = "a teammate"

Names = Mapping[UserId, str]


def name_of(names: Names, user: UserId | None) -> str:
    return known_name(names, user) or SOMEONE


def known_name(names: Names, user: UserId | None) -> str:
    """Empty where nobody knows it."""
    return short(names.get(user, ""), NAME_CHARS_MAX) if user else ""


def people(names: Names, users: Sequence[UserId]) -> str:
    """ "Priya, Sam and 1 more"; without any name "2 people"."""
    known_names = [name_of(names, user) for user in users if names.get(user)][:NAMES_MAX]
    more = len(users) - len(known_names)
    if not known_names:
        return "1 person" if more == 1 else f"{more} people"
    if more:
        return f"{', '.join(known_names)} and {more} more"
    return joined(known_names)


def listed(names: Sequence[str], most: int = NAMES_MAX, chars_max: int = NAME_CHARS_MAX) -> str:
    """As `joined`, where there may be too many, or one that is too long."""
    short_names = [short(name, chars_max) for name in names[:most]]
    more = len(names) - len(short_names)
    return joined([*short_names, f"{more} more"] if more else short_names)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
