"""A reminder: to whom, of what, since when it waits; then what came of it."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, context, message
from bot.views.kit.leaves import Leaf, greeted, link, moment, words
from bot.views.kit.names import Names, counted, known_name
from bot.views.kit.rich_text import paragraph
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from core.domain.ids import UserId
from core.domain.session.menu import Menu

TITLE_CHARS_MAX: Final = 150
HOUR_S: Final = 3_600.0
DAY_S: Final = 86_400.0
DAYS_FROM_HOURS: Final = 48  # up to then, hours are plainer
LAST: Final = "This was the last reminder here; I stay quiet from now on."
WHO: Final = "The buttons are for those I named, and for whoever started this."


def reminder(
    title: str,
    menu: Menu,
    *,
    mention: Sequence[UserId],
    since: float,
    at: float,
    url: str,
    last: bool = False,
) -> Message:
    """`since`, `at`: when it was asked and when this was due, in seconds since the epoch."""
    rows: list[list[Leaf]] = [
        [
            *greeted(mention),
            words(": “"),
            words(short(title, TITLE_CHARS_MAX), bold=True),
            words(f"” has been waiting for you for {lasted(at - since)}, since "),
            moment(since),
            words("."),
        ]
    ]
    if url:
        rows.append([link(url, "Go to the question")])
    return message(paragraph(*rows), context(LAST if last else "", WHO), menus.menu_row(menu))


def settled(title: str, menu: Menu, names: Names) -> Message:
    """What is left of one that was answered, put off, or replaced."""
    reminded = f"I reminded you of “{short(title, TITLE_CHARS_MAX)}” here"
    outcome = WORDING.reminder_outcomes.get(menu.chosen or "")
    if menu.used_by is None or outcome is None:
        return message(paragraph(f"{reminded}."))
    name = known_name(names, menu.used_by) or "Somebody"
    return message(paragraph(f"{reminded}. {name} {outcome}."))


def lasted(seconds: float) -> str:
    """ "3 hours", "2 days": as one would say it, rounded down."""
    hours = int(max(seconds, 0.0) // HOUR_S)
    if hours < 1:
        return "less than an hour"
    if hours < DAYS_FROM_HOURS:
        return counted(hours, "hour")
    return counted(int(seconds // DAY_S), "day")
