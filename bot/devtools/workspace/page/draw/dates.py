"""Slack's date tokens, in the time zone of this machine: its one reader sits at it.

docs: messaging/formatting-message-text (Date formatting)
"""

from datetime import datetime, timedelta
from typing import Final

from markupsafe import Markup

from bot.devtools.workspace.page.draw.html import link, tag
from core import patterns

_TOKEN: Final = patterns.compile(r"\{(\w+)\}")
_TIMESTAMP: Final = patterns.compile(r"\d{1,11}")


def date(
    timestamp: object, pattern: str, fallback: str, url: str = "", now: datetime | None = None
) -> Markup:
    """A moment, written as `pattern` says; `fallback` where that cannot be done."""
    at = _moment(timestamp)
    if at is None:
        return tag("span", fallback)
    today = now or datetime.now(at.tzinfo)
    read = _TOKEN.sub(lambda token: _written(token[1], at, today) or token.group(), pattern)
    moment = tag("time", read or fallback, datetime=at.isoformat(), title=f"{at:%c}")
    return link(url, moment) if url else moment


def _moment(timestamp: object) -> datetime | None:
    if not _TIMESTAMP.fullmatch(str(timestamp)):
        return None
    try:
        return datetime.fromtimestamp(int(str(timestamp))).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _written(token: str, at: datetime, now: datetime) -> str | None:
    base, _, pretty = token.partition("_pretty")
    near = _near(at, now) if token.endswith("_pretty") and not pretty else ""
    if near:
        return near.capitalize() if base == "day_divider" else near
    year, hour = f"{at:%Y}", at.hour % 12 or 12
    return {
        "date_num": f"{at:%Y-%m-%d}",
        "date_slash": f"{at:%m/%d/%Y}",
        "date": f"{at:%B} {_ordinal(at.day)}, {year}",
        "date_short": f"{at:%b} {at.day}, {year}",
        "date_long": f"{at:%A}, {at:%B} {_ordinal(at.day)}, {year}",
        "day_divider": f"{at:%A}, {at:%B} {_ordinal(at.day)}",
        "time": f"{hour}:{at:%M} {at:%p}",
        "time_secs": f"{hour}:{at:%M:%S} {at:%p}",
        "ago": _ago(at, now),
    }.get(base)


def _near(at: datetime, now: datetime) -> str:
    days = (at.date() - now.date()).days
    return {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days, "")


def _ago(at: datetime, now: datetime) -> str:
    passed = now - at
    for unit, length in (
        ("day", timedelta(days=1)),
        ("hour", timedelta(hours=1)),
        ("minute", timedelta(minutes=1)),
    ):
        number = int(abs(passed) / length)
        if number:
            words = f"{number} {unit}{'s' if number > 1 else ''}"
            return f"{words} ago" if passed > timedelta(0) else f"in {words}"
    return "now"


def _ordinal(day: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{day}{'th' if 10 <= day % 100 <= 20 else ends.get(day % 10, 'th')}"
