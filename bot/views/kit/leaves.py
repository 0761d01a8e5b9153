"""The leaves of rich text: words, people, links and times.

What people or models wrote stands in text leaves, where nothing is live. The one live mention there
is: `person`.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from bot.views.kit.text import clean

Leaf = dict[str, Any]

MENTIONS_MAX: Final = 20


def words(
    text: str, *, bold: bool = False, italic: bool = False, code: bool = False, strike: bool = False
) -> Leaf:
    styles = (("bold", bold), ("italic", italic), ("code", code), ("strike", strike))
    style = {name: True for name, is_on in styles if is_on}
    leaf: Leaf = {"type": "text", "text": clean(text)}
    return {**leaf, "style": style} if style else leaf


def person(user: str) -> Leaf:
    """A mention that notifies."""
    return {"type": "user", "user_id": user}


def link(url: str, text: str) -> Leaf:
    """A link to a place we composed; plain words if there is no such place."""
    return {"type": "link", "url": url, "text": clean(text)} if url else words(text)


def moment(at: float) -> Leaf:
    """A time, as each reader's clock shows it; in UTC where it is read as plain text."""
    fallback = f"{datetime.fromtimestamp(at, UTC):%-d %B %Y, %H:%M} UTC"
    form = "{date_short_pretty}, {time}"
    return {"type": "date", "timestamp": int(at), "format": form, "fallback": fallback}


def greeted(users: Sequence[str]) -> list[Leaf]:
    """Mentions in a row, and how many more there would be."""
    leaves: list[Leaf] = []
    for user in users[:MENTIONS_MAX]:
        leaves += [words(" "), person(user)] if leaves else [person(user)]
    more = len(users) - MENTIONS_MAX
    return [*leaves, words(f" and {more} more")] if more > 0 else leaves


def separated(leaves: Iterable[Leaf]) -> list[Leaf]:
    """Leaves in a row, with a dot between them."""
    return [part for leaf in leaves for part in (words(" · "), leaf)][1:]
