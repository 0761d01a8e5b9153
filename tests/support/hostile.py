"""What hostile hands write: bytes and JSON of any shape; and an end to waiting for an answer.

Values are made as text, so that they can be what no encoder gives: twice the same key, half a
character, numbers without end, a thousand levels.
"""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from types import FrameType
from typing import Any

from hypothesis import strategies as st

DEEP = (10, 200, 900, 990, 1_500, 100_000)  # levels: around Python's limit, and far beyond it


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail what takes longer, in processor time: a busy machine is no slow program.

    Far more than it needs: this bounds the work and measures nothing.
    """

    def too_long(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"no answer within {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# JSON as text

ODD_JSON = (
    *("null", "true", "false", "{}", "[]", "[null]", "0", "-0", "1.5", "1e-999", "9" * 4_300),
    *('""', '"\\ud800"', '"\\udc00\\ud800"', '["\\ud800"]', '{"\\ud800": "\\ud800"}', '[""]'),
    *('"\\u0000"', '"\\ud83d\\ude42"', '"a\u2028b"', f'"{"x" * 5_000}"'),
)
NO_JSON = ("NaN", "-Infinity", "1e999", "-1e999", "9" * 4_301, "1_0", "'a'", '"\n"', "", "{1:1}")


def json_texts(
    keys: st.SearchStrategy[str] | None = None, *, deep: bool = True
) -> st.SearchStrategy[str]:
    """Any JSON, and what is nearly JSON. `keys` are those worth trying in its objects."""
    key = st.text(max_size=8).map(json.dumps) | st.sampled_from(['"\\ud800"', '""', '"__class__"'])
    if keys is not None:
        key |= keys.map(json.dumps)
    scalar = st.sampled_from((*ODD_JSON, *ODD_JSON, *NO_JSON)) | st.text(max_size=20).map(
        json.dumps
    )
    scalar |= st.integers().map(str) | st.floats().map(json.dumps)
    inner = st.recursive(scalar, lambda of: _lists(of) | _objects(key, of), max_leaves=8)
    if not deep:
        return inner | _objects(key, inner)
    nested = st.tuples(st.sampled_from(DEEP), st.sampled_from(["[]", "{}"])).map(_nested)
    return inner | _objects(key, inner) | nested | _objects(key, nested | inner)


def _lists(of: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(of, max_size=4).map(lambda items: f"[{', '.join(items)}]")


def _objects(key: st.SearchStrategy[str], of: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.lists(st.tuples(key, of).map(": ".join), max_size=6)
    return pairs.map(lambda lines: f"{{{', '.join(lines)}}}")


def _nested(what: tuple[int, str]) -> str:
    levels, kind = what
    return "[" * levels + "]" * levels if kind == "[]" else '{"a":' * levels + "1" + "}" * levels


@st.composite
def json_bytes(draw: st.DrawFn, keys: st.SearchStrategy[str] | None = None) -> bytes:
    """A file that should hold JSON: it does, or in another encoding, or cut off, or no text."""
    text = draw(json_texts(keys))
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"]))
    content = text.encode(encoding, "replace")
    match draw(st.integers(0, 9)):
        case 0:
            return content[: draw(st.integers(0, len(content)))]
        case 1:
            return content + draw(st.binary(max_size=8))
        case 2:
            return draw(st.binary(max_size=60))
    return content


# What was read, looked at from outside


def can_be_stored(value: Any) -> bool:
    """True if a database and Slack would take it: no half of a character anywhere in it."""
    plain = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    try:
        json.dumps(plain, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
