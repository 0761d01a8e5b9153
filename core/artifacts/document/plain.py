"""Text of people, made safe to stand in a file: nothing in it changes how other text reads."""

from typing import Final
from urllib.parse import quote, urlsplit

from core.characters import one_line_each, readable

_LINK_SAFE: Final = "/?#@!$&*+,;=:%~-._"


def clean(text: str) -> str:
    """Without what no text file should hold, and what would change how another line reads."""
    return readable(text)


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def lines(text: str) -> list[str]:
    return clean(one_line_each(text)).split("\n")


def link(url: str) -> str:
    """An http(s) address that can stand in brackets, or nothing."""
    url = one_line(url)
    try:
        scheme, host = urlsplit(url)[:2]
    except ValueError:
        return ""
    return quote(url, safe=_LINK_SAFE) if scheme in ("http", "https") and host else ""
