"""Slack's date tokens. docs: messaging/formatting-message-text (Date formatting)"""

from datetime import datetime, timedelta

import pytest

from bot.devtools.workspace.page.draw.dates import date
from tests.support.page_reading import assert_harmless

# Written in the machine's own time zone, whatever it is.
THEN = datetime(2023, 3, 2, 15, 4, 5).astimezone()
STAMP = int(THEN.timestamp())


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        ("{date_num}", "2023-03-02"),
        ("{date_slash}", "03/02/2023"),
        ("{date}", "March 2nd, 2023"),
        ("{date_short}", "Mar 2, 2023"),
        ("{date_long}", "Thursday, March 2nd, 2023"),
        ("{date_long_pretty}", "Thursday, March 2nd, 2023"),
        ("{day_divider_pretty}", "Thursday, March 2nd"),
        ("{time} and {time_secs}", "3:04 PM and 3:04:05 PM"),
        ("on {unheard_of}", "on {unheard_of}"),
        ("", "then"),
    ],
)
def test_tokens_are_written_out(pattern: str, read: str) -> None:
    assert assert_harmless(date(STAMP, pattern, "then")).text == read


@pytest.mark.parametrize(
    ("days", "pretty", "divider"),
    [(-1, "yesterday", "Yesterday"), (0, "today", "Today"), (1, "tomorrow", "Tomorrow")],
)
def test_what_is_near_is_called_so(days: int, pretty: str, divider: str) -> None:
    pattern = "{date_short_pretty}|{day_divider_pretty}|{date_num}"
    shown = date(STAMP, pattern, "x", now=THEN - timedelta(days=days))
    assert assert_harmless(shown).text == f"{pretty}|{divider}|2023-03-02"


@pytest.mark.parametrize(
    ("seconds", "read"),
    [(90, "1 minute ago"), (2 * 86_400 + 60, "2 days ago"), (-3_690, "in 1 hour"), (3, "now")],
)
def test_how_long_ago(seconds: int, read: str) -> None:
    shown = date(STAMP, "{ago}", "x", now=THEN + timedelta(seconds=seconds))
    assert assert_harmless(shown).text == read


@pytest.mark.parametrize("stamp", ["soon", "", "-5", "999999999999", None, 1.5, "<b>"])
def test_what_is_no_moment_shows_its_fallback(stamp: object) -> None:
    assert assert_harmless(date(stamp, "{date}", "<then>")).text == "<then>"
