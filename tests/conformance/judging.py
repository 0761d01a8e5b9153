"""Compares what was expected with what came, and says both in a few words without a secret."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.conformance.values import Check, Expect, Known, Said

MISSING: Final = object()
SHOWN_CHARS_MAX: Final = 60
SECRET: Final = re.compile(r"xox[a-z]-[^\s\"']+|xapp-[^\s\"']+|(?:wss?|https?)://[^\s\"']+")


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer. `body`: its JSON, or {"text": …} where it was none."""

    status: int
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


def at(body: Any, path: str) -> Any:
    """What stands at a dotted path (numbers count list entries), or MISSING."""
    for name in path.split(".") if path else ():
        if isinstance(body, Mapping):
            body = body.get(name, MISSING)
        elif isinstance(body, list) and re.fullmatch(r"-?\d+", name) and body:
            body = body[int(name)] if -len(body) <= int(name) < len(body) else MISSING
        else:
            return MISSING
    return body


def difference(expect: Expect, seen: Seen) -> str:
    """What is other than expected, or ""."""
    if seen.status != expect.status:
        return f"HTTP {seen.status}" + (f", {error}" if (error := _error(seen)) else "")
    if expect.error is not None and _error(seen) != expect.error:
        return _error(seen) or "ok"
    found: list[tuple[str, Any, Any]] = [
        (path, wanted, at(seen.body, path)) for path, wanted in expect.fields.items()
    ]
    headers = {name.casefold(): value for name, value in seen.headers.items()}
    found += [(name, wanted, headers.get(name, MISSING)) for name, wanted in expect.headers.items()]
    wrong = [f"{path}: {shown(value)}" for path, wanted, value in found if not fits(wanted, value)]
    return "; ".join(wrong)


def fits(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, Check):
        return wanted.holds(value)
    if isinstance(wanted, type):
        return isinstance(value, wanted)
    return bool(wanted == value)


def expected_words(expect: Expect) -> str:
    """What is expected, on one line: the code, then each field that is looked at."""
    head = f"HTTP {expect.status} " * (expect.status != 200)
    head += expect.error or ("ok" if expect.error == "" else "")
    wanted = {**expect.fields, **expect.headers}
    parts = ", ".join(f"{path}: {wanted_words(each)}" for path, each in wanted.items())
    return "; ".join(part for part in (head.strip(), parts) if part) or "HTTP 200"


def wanted_words(wanted: Any) -> str:
    if isinstance(wanted, Check | Known | Said):
        return wanted.words
    if isinstance(wanted, type):
        return NAMES[wanted]
    return shown(wanted)


NAMES: Final = {str: "a string", int: "a number", bool: "yes or no", list: "a list"}


def shown(value: Any) -> str:
    if value is MISSING:
        return "missing"
    text = SECRET.sub("…", repr(value))
    return text if len(text) <= SHOWN_CHARS_MAX else text[: SHOWN_CHARS_MAX - 1] + "…"


def _error(seen: Seen) -> str:
    return (
        "" if seen.body.get("ok") is True else str(seen.body.get("error", "no answer of Slack's"))
    )
