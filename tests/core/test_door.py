"""The door: what people send comes in as it is, or without its credentials."""

from dataclasses import replace

import pytest

from core.domain import events as on
from core.domain.answers import SharedFile
from core.domain.ids import RunId, SessionId, Ts
from core.runtime.intake_scan import scan_event
from tests.support.fakes import CHANNEL, OWNER, TEAM

# Look like some, open nothing.
TOKEN = "-".join(("xoxb", "2345678901", "2345678901234", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))
OTHER = "_".join(("ghp", "16C7e42F292c6912E7710c838347Ae178B4a"))

STARTED = on.SessionRequested(
    by=OWNER, at=1.0, session=SessionId("s"), run=RunId("r"), seed="x", team=TEAM, channel=CHANNEL,
    title="Export dashboard", text="Export dashboard",
)  # fmt: skip
POSTED = on.MessagePosted(OWNER, 1.0, CHANNEL, Ts("2.0"), Ts("1.0"), "Because.", "https://p/2")
EDITED = on.MessageEdited(OWNER, 1.0, CHANNEL, Ts("2.0"), Ts("3.0"), "Because.", "It was so.")
FILE = SharedFile("notes.txt", "https://p/notes.txt")


@pytest.mark.parametrize(
    "event",
    [STARTED, POSTED, replace(POSTED, files=(FILE,)), EDITED, on.SessionResumed(OWNER, 1.0)],
    ids=lambda event: type(event).__name__,
)
def test_what_holds_no_credential_comes_in_as_it_is(event: on.Event) -> None:
    assert scan_event(event) is event


@pytest.mark.parametrize(
    ("event", "where", "kinds"),
    [
        (replace(STARTED, title=TOKEN), "title", ("a Slack bot token",)),
        (replace(STARTED, text=f"{TOKEN} {OTHER} {TOKEN}"), "title",
         ("a Slack bot token", "a GitHub token")),
        (replace(POSTED, text=TOKEN), "answer", ("a Slack bot token",)),
        (replace(POSTED, files=(replace(FILE, name=f"{OTHER}.txt"),)), "file name",
         ("a GitHub token",)),
        (replace(POSTED, files=(FILE, replace(FILE, permalink=f"https://p/{OTHER}"))),
         "file name", ("a GitHub token",)),
        (replace(POSTED, text=TOKEN, files=(replace(FILE, name=OTHER),)), "answer",
         ("a Slack bot token",)),
        (replace(EDITED, text=TOKEN), "edit", ("a Slack bot token",)),
        (replace(EDITED, was=OTHER), "old text", ("a GitHub token",)),
        (replace(EDITED, text=TOKEN, was=OTHER), "edit", ("a Slack bot token",)),
    ],
)  # fmt: skip
def test_a_credential_is_dropped_and_what_is_left_says_where_it_was(
    event: on.Event, where: str, kinds: tuple[str, ...]
) -> None:
    found = scan_event(event)
    assert isinstance(found, on.SecretFound)
    assert (found.by, found.at, found.where, found.kinds) == (OWNER, 1.0, where, kinds)
    assert type(found.said) is type(event)
    assert TOKEN not in repr(found)
    assert OTHER not in repr(found)


def test_what_is_left_is_the_rest_of_what_was_said() -> None:
    files = (FILE, SharedFile(f"{OTHER}.txt", f"https://p/{OTHER}.txt"))
    found = scan_event(replace(POSTED, text=f"Use {TOKEN}, please.", files=files))
    assert isinstance(found, on.SecretFound)
    assert isinstance(found.said, on.MessagePosted)
    assert found.said.text == "Use [redacted: Slack bot token], please."
    assert found.said.files == (FILE, SharedFile("[redacted: GitHub token].txt", ""))
    edited = scan_event(replace(EDITED, was=TOKEN))
    assert isinstance(edited, on.SecretFound)
    assert isinstance(edited.said, on.MessageEdited)
    assert (edited.said.text, edited.said.was) == ("Because.", "")
