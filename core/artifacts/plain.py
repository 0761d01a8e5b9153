"""Text of people, made safe to stand in a file: no control characters, no half characters."""

import re
from typing import Final
from urllib.parse import quote, urlsplit

_LINE_END: Final = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_LINK_SAFE: Final = "/?#@!$&*+,;=:%~-._"


def clean(text: str) -> str:
    """Without what no text file should hold; half a character becomes the replacement sign."""
    return _CONTROL.sub("", _SURROGATE.sub("\ufffd", text))


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def lines(text: str) -> list[str]:
    return clean(_LINE_END.sub("\n", text)).split("\n")


def link(url: str) -> str:
    """An http(s) address that can stand in brackets, or nothing."""
    url = one_line(url)
    try:
        scheme, host = urlsplit(url)[:2]
    except ValueError:
        return ""
    return quote(url, safe=_LINK_SAFE) if scheme in ("http", "https") and host else ""
