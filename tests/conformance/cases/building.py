"""What the cases share: messages to begin with, shapes of ids, and conditions in words."""

import re
from collections.abc import Mapping
from typing import Any, Final

from tests.conformance.values import CHANNEL, Call, Check, Said

NO_SUCH_ERROR: Final = (
    "the page names no such error; other methods answer invalid_arguments to a missing or bad one"
)


def like(words: str, pattern: str) -> Check:
    wanted = re.compile(pattern)
    return Check(words, lambda v: isinstance(v, str) and wanted.search(v) is not None)


TS: Final = like("a ts", r"^\d{10}\.\d{6}$")
TEAM: Final = like("a team's id", r"^T[A-Z0-9]{2,}$")
USER: Final = like("a user's id", r"^[UW][A-Z0-9]{2,}$")
BOT: Final = like("a bot's id", r"^B[A-Z0-9]{2,}$")
APP: Final = like("an app's id", r"^A[A-Z0-9]{2,}$")
FILE: Final = like("a file's id", r"^F[A-Z0-9]{2,}$")
SOMETHING: Final = like("some text", r".")
MARK: Final = "Roundtable conformance"
"""The words of every message that a run posts, so that a person who sees one knows what it is."""


def post(text: str = MARK, **args: Any) -> Call:
    return Call("chat.postMessage", {"channel": CHANNEL, "text": text, **args})


def reply(to: int = 0, text: str = MARK, **args: Any) -> Call:
    return post(text, thread_ts=Said(to, "ts"), **args)


def section(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **more}


def rich_text(text: str) -> dict[str, Any]:
    words = {"type": "text", "text": text}
    part = {"type": "rich_text_section", "elements": [words]}
    return {"type": "rich_text", "elements": [part]}


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def button(label: str = "Go", action_id: str = "go", **more: Any) -> dict[str, Any]:
    return {"type": "button", "text": plain(label), "action_id": action_id, **more}


def modal(title: str = MARK, **more: Any) -> dict[str, Any]:
    view = {"type": "modal", "title": plain(title), "blocks": [section(MARK)]}
    return {**view, **more}


METADATA: Final[Mapping[str, Any]] = {"event_type": "conformance", "event_payload": {"id": "1"}}


# ── conditions ──


def long(chars: int) -> Check:
    return Check(f"{chars:,} characters", lambda v: isinstance(v, str) and len(v) == chars)


def holding(part: str) -> Check:
    """A list of texts, one of which has this part."""
    return Check(
        f"“{part}” among them", lambda v: isinstance(v, list) and any(part in x for x in v)
    )


def without_type(kind: str) -> Check:
    """No block of this type, or no blocks at all."""
    return Check(
        f"no {kind} among them",
        lambda v: not isinstance(v, list) or all(each.get("type") != kind for each in v),
    )


def texts(*wanted: str) -> Check:
    return Check(
        " ".join(f"“{each}”" for each in wanted) or "none",
        lambda v: isinstance(v, list) and [each.get("text") for each in v] == list(wanted),
    )


def at_least(count: int) -> Check:
    return Check(f"{count} or more", lambda v: isinstance(v, list | str) and len(v) >= count)


MISSING: Final = Check("none", lambda v: not isinstance(v, str | int | list | dict))
