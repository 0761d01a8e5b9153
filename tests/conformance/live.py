"""The cases against a real workspace.

    python -m tests.conformance.live [a case's id, or how it begins …]

Ends with 0 where all is as the pages say, 1 where something is not, 2 where it cannot be run.
"""

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from tests.conformance.cases.building import post
from tests.conformance.cleaning import Cleaner
from tests.conformance.judging import expected_words
from tests.conformance.running import Row, run
from tests.conformance.scene import Place, Scene
from tests.conformance.table import CASES
from tests.conformance.values import SITE, Call, Case

NEEDS: Final = """\
The cases are tried against a real workspace, with these in the environment:

  SLACK_BOT_TOKEN                 xoxb-…, of an app made from manifest.yml
  ROUNDTABLE_CONFORMANCE_CHANNEL  the id, C… or G…, of a channel for this alone, with the app in it
  SLACK_APP_TOKEN                 xapp-…, for Socket Mode; without it those cases are left out

Messages are posted into that channel and deleted again. No token is printed.
"""
SLACK: Final = "https://slack.com/api/"
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
POSTS_PER_S_MAX: Final = 1.0
WORDS_MAX: Final = 58
COLUMNS: Final = ("case", "page", "expected", "seen", "")
WIDTHS: Final = (
    max(len(case.id) for case in CASES), max(len(case.page) for case in CASES),
    WORDS_MAX, WORDS_MAX, 0,
)  # fmt: skip


class Unusable(Exception):  # noqa: N818 - a reason, told to whoever runs this
    """The run cannot begin; the message says why."""


@dataclass(frozen=True, slots=True)
class Setup:
    api_url: str
    bot_token: str
    app_token: str
    channel: str


def read_setup(env: Mapping[str, str]) -> Setup:
    named = ("SLACK_BOT_TOKEN", "ROUNDTABLE_CONFORMANCE_CHANNEL")
    if missing := [name for name in named if not env.get(name)]:
        raise Unusable(f"{NEEDS}\nNot set: {', '.join(missing)}.")
    url = env.get("SLACK_API_URL") or SLACK
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise Unusable("SLACK_API_URL must begin with https://, or lead to this machine.")
    return Setup(
        api_url=url.rstrip("/") + "/",
        bot_token=env["SLACK_BOT_TOKEN"],
        app_token=env.get("SLACK_APP_TOKEN", ""),
        channel=env["ROUNDTABLE_CONFORMANCE_CHANNEL"],
    )


def main(argv: Sequence[str], env: Mapping[str, str]) -> int:
    try:
        with _place(read_setup(env)) as place:
            return _tried(argv, place)
    except Unusable as reason:
        print(reason)
        return 2


def _tried(argv: Sequence[str], place: Place) -> int:
    cleaner, since = _begun(place)
    chosen = [case for case in CASES if not argv or case.id.startswith(tuple(argv))]
    rows = _run_all(chosen, place, cleaner)
    cleaner.sweep(since)
    _tell(rows, cleaner.left)
    return 1 if cleaner.left or any(row.outcome == "different" for row in rows) else 0


# ── before ──


def _place(setup: Setup) -> Place:
    slack = urlsplit(setup.api_url).hostname not in LOOPBACK
    return Place(
        api_url=setup.api_url,
        tokens={"bot": setup.bot_token, "app": setup.app_token},
        known={"channel": setup.channel},
        patient=True,
        pause_s=1 / POSTS_PER_S_MAX if slack else 0.0,
    )


def _begun(place: Place) -> tuple[Cleaner, str]:
    """Who we are and who is there; and the ts of a first message, which proves that we may post."""
    me = _asked(place, Call("auth.test", sent="form"), "SLACK_BOT_TOKEN")
    place.known = {**place.known, "me": str(me["user_id"])}
    if person := _somebody(place):
        place.known = {**place.known, "person": person}
    first = _asked(place, post(), "ROUNDTABLE_CONFORMANCE_CHANNEL")
    cleaner = Cleaner(place, str(me.get("bot_id", "")))
    cleaner.tidy()
    return cleaner, str(first["ts"])


def _asked(place: Place, call: Call, about: str) -> Mapping[str, Any]:
    seen = Scene(place).ask(call)
    if seen.status == 0:
        raise Unusable(f"Slack cannot be reached: {seen.body['error']}. Look at SLACK_API_URL.")
    if seen.body.get("ok") is not True:
        raise Unusable(f"{call.method} answered {seen.body.get('error')}. Look at {about}.")
    return seen.body


def _somebody(place: Place) -> str:
    """A person in the channel, if it can be known."""
    asked = Call("conversations.members", {"channel": place.known["channel"]}, sent="form")
    for member in Scene(place).ask(asked).body.get("members", [])[:20]:
        told = Scene(place).ask(Call("users.info", {"user": member}, sent="form")).body
        if member != place.known["me"] and told.get("user", {}).get("is_bot") is False:
            return str(member)
    return ""


# ── the table ──


def _run_all(cases: Sequence[Case], place: Place, cleaner: Cleaner) -> list[Row]:
    print(f"Pages are below {SITE}\n")
    _line(COLUMNS)
    rows = []
    for row in run(cases, place):
        rows.append(row)
        if row.outcome != "not run":
            expected = expected_words(row.case.expect)
            seen = row.seen or "as expected"
            _line((row.case.id, row.case.page, expected, seen, row.outcome))
        cleaner.tidy()
    return rows


def _line(words: Sequence[str]) -> None:
    cut = [each if len(each) <= WORDS_MAX else each[: WORDS_MAX - 1] + "…" for each in words]
    padded = [each.ljust(width) for each, width in zip(cut, WIDTHS, strict=True)]
    print("  ".join(padded).rstrip(), flush=True)


def _tell(rows: Sequence[Row], left: Sequence[str]) -> None:
    if left_out := [row for row in rows if row.outcome == "not run"]:
        print("\nNot run here:")
        for reason in dict.fromkeys(row.seen for row in left_out):
            ids = ", ".join(row.case.id for row in left_out if row.seen == reason)
            print(f"- {reason}: {ids}")
    if left:
        print("\nNot cleaned up:")
        print("\n".join(f"- {each}" for each in left))
    count = Counter(row.outcome for row in rows)
    said = ", ".join(f"{count[name]} {name}" for name in ("same", "different", "not run"))
    print(f"\n{len(rows)} cases: {said}.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
