"""Text of people, made safe to stand in a file: nothing in it changes how other text reads."""

from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote, urlsplit

from core import patterns
from core.characters import one_line_each, readable

BOLD_CHARS_MAX: Final = 200
_FENCE: Final = "```"
_FENCES: Final = patterns.compile(r"`{3,}")
_NO_CODE: Final = frozenset("<|\\")  # signs that mean something in a code span, or end its cell
_LINK_SAFE: Final = "/?#@!$&*+,;=:%~-._"


def one_line(text: str) -> str:
    return " ".join(readable(text).split())


def lines(text: str) -> list[str]:
    return readable(one_line_each(text)).split("\n")


def moment(iso: str) -> str:
    """A time of ISO 8601 as people read it."""
    try:
        return spoken(datetime.fromisoformat(iso).astimezone(UTC))
    except (ValueError, OverflowError):
        return one_line(iso)


def spoken(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def parts_of_code(text: str) -> list[str]:
    """A line split at its backticks, where each second part is short code; else the line alone."""
    parts = text.split("`")
    codes, between = parts[1::2], parts[2:-1:2]
    is_code = all(code.strip() and _NO_CODE.isdisjoint(code) for code in codes) and all(between)
    return parts if len(parts) % 2 and is_code else [text]


def _touches_a_word(match: patterns.Match) -> bool:
    return match.before[-1:].isalnum() or match.after[:1].isalnum()


_BOLD: Final = patterns.compile(
    rf"\*{{1,2}}([^\W_](?:[^*\n]{{0,{BOLD_CHARS_MAX}}}[^\s*])?)\*{{1,2}}", unless=_touches_a_word
)


def without_bold(text: str) -> str:
    """Text without the asterisks around what Slack shows as bold: `*so*`.

    It does not become bold in a file, where a bold `FR-001` would look like a line of ours.
    """
    return _BOLD.sub(lambda bold: bold[1], text) if "*" in text else text


def link(url: str) -> str:
    """An http(s) address that can stand in brackets, or nothing."""
    url = one_line(url)
    try:
        scheme, host = urlsplit(url)[:2]
    except ValueError:
        return ""
    return quote(url, safe=_LINK_SAFE) if scheme in ("http", "https") and host else ""


# ── blocks of code ─────────────────────────────────────────────────────────────────────────────


def is_code(text: str) -> bool:
    """True for a code block and nothing else: two fences, which share no backtick."""
    return text.startswith(_FENCE) and text.endswith(_FENCE) and len(text) >= 2 * len(_FENCE)


def without_fence(text: str) -> str:
    """The text; of a block of code, what is in it."""
    return code_in(text) if is_code(text) else text


def code_in(text: str) -> str:
    """The code of a block, without its fences."""
    return "\n".join(lines(_unfenced(text).strip("\r\n")))


def _unfenced(text: str) -> str:
    """Without fences: each with the last one as long, the longest there can be first.

    A run of backticks that no other answers is the fence and its end, if it is long enough. The
    work is of the size of the text, also where it is backticks all over.
    """
    runs = [run.span() for run in _FENCES.finditer(text)]
    last = {
        size: place
        for place, (begin, end) in enumerate(runs)
        for size in range(len(_FENCE), end - begin + 1)
    }
    parts: list[str] = []
    at = place = 0
    while place < len(runs):
        begin, end = runs[place]
        sizes = range(end - begin, len(_FENCE) - 1, -1)
        size = next((size for size in sizes if last[size] > place or 2 * size <= end - begin), 0)
        if size:
            place = last[size]
            closed = runs[place][1]
            parts += (text[at:begin], text[begin + size : closed - size])
            at = closed
        place += 1
    return "".join((*parts, text[at:]))
