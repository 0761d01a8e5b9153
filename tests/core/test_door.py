"""The door: what people send comes in as it is, or without its credentials."""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, Final, get_args, get_type_hints

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


# ── every field that people type in ──

OF_SLACK: Final = "Slack makes it"
NOT_TYPED: Final[Mapping[str, str]] = {
    "SessionRequested.seed": "drawn by chance",
    "SessionRequested.respond_to": OF_SLACK,
    "MessagePosted.permalink": OF_SLACK,
    "ChoiceMade.choice": "one of its menu's; any other is refused",
    "ChoiceMade.permalink": OF_SLACK,
    "ReactionChanged.reaction": "a name that Slack gave; only those with a meaning are stored",
    "LinesSorted.corrections.line.quote": "scanned when it was said",
    "LinesSorted.corrections.of.quote": "scanned when it was said",
    "LinesSorted.shown": "a mark of what was shown",
    "RepositoryNamed.name": "one of those that the operator declared; any other is refused",
    "RepositoryNamed.offered": "names that the operator declared",
}


def text_fields(kind: type) -> Iterator[tuple[str, ...]]:
    """The path of every field whose type has `str` in it, also in the values that it holds."""
    for name, hint in get_type_hints(kind).items():
        types = {hint, *get_args(hint)}
        if str in types:
            yield (name,)
        for part in types:
            if is_dataclass(part) and isinstance(part, type):
                yield from ((name, *path) for path in text_fields(part))


def with_text(kind: type, path: tuple[str, ...], text: str) -> Any:
    """A value of that kind with the text at the path, and nothing in any other field."""
    hints = get_type_hints(kind)
    values: dict[str, Any] = {name: "" if hint is str else () for name, hint in hints.items()}
    name, *rest = path
    if rest:
        inner = next(part for part in get_args(hints[name]) if is_dataclass(part))
        values[name] = (with_text(inner, tuple(rest), text),)
    else:
        values[name] = text
    return kind(**values)


TEXTS: Final = {
    ".".join((kind.__name__, *path)): (kind, path)
    for kind in get_args(on.FromPeople)
    for path in text_fields(kind)
}


@pytest.mark.parametrize("name", sorted(TEXTS.keys() - NOT_TYPED.keys()))
def test_every_text_that_people_type_is_scanned(name: str) -> None:
    kind, path = TEXTS[name]
    found = scan_event(with_text(kind, path, f"It is {TOKEN}."))
    assert isinstance(found, on.SecretFound)
    assert TOKEN not in repr(found)


def test_every_text_that_is_not_scanned_is_one_of_an_event() -> None:
    assert NOT_TYPED.keys() <= TEXTS.keys()
