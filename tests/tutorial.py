"""The tutorial's transcript: taken from a party that is really held, and put into its page.

    python -m tests.tutorial

plays docs/examples/party.yaml and writes anew what stands between the marks in
docs/tutorial/a-party.md. A test compares the page with what a play gives.
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.devtools.play.play import play
from bot.devtools.play.script.file import read
from bot.devtools.play.summary import MessageSummary, PlaySummary

ROOT: Final = Path(__file__).parent.parent
PLAY: Final = ROOT / "docs" / "examples" / "party.yaml"
PAGE: Final = ROOT / "docs" / "tutorial" / "a-party.md"
INDENT: Final = "  "

# What a block of the page shows: whose thread, and how each message of it begins.
Extract = tuple[str, Sequence[str]]
EXTRACTS: Final[Mapping[str, Extract]] = {
    "questions": ("Nadia", ("@pm I'm Nadia",)),
    "more questions": ("Oscar", ("I'm Oscar",)),
    "answers": ("Tessa", ("1. An account manager", "This reaches", "5. Many teams")),
    "recorded": ("Nadia", ("What It Is For",)),
    "debate": (
        "Roundtable",
        ("Reads your answers\nI looked for people", "Asks Nadia\nDev says", "Answers Oscar"),
    ),
    "position": ("Tessa", ("Concludes",)),
    "decision": ("Roundtable", ("Vision Council in short", "Vision Council is decided")),
    "proposal": (
        "Roundtable",
        (
            "Stack Debate begins",
            "Proposes\nI put together",
            "Looks at the proposal of Liam\nMy list is about",
        ),
    ),
    "votes": ("Zara", ("Agrees",)),
    "changes": ("Liam", ("Step 02-01", "Framework: Playwright")),
    "revised": ("Roundtable", ("Proposes once more\nThis is it with", "Stack Debate in short")),
    "drafts": ("Data Model Designer", ("Hands in a first draft",)),
    "reviews": ("Roundtable", ("Reads the draft of Test Strategist",)),
    "articles": (
        "Constitution Writer",
        ("Step 04-01", "1.\n- A mail never shows", "Articles One by One"),
    ),
    "walk": ("Lead", ("Step 05-01",)),
    "card": ("Roundtable", ("Dashboards as PDF", "That was the party")),
}
FILES: Final = "files"
_BLOCK: Final = re.compile(r"(<!-- play: (?P<name>[^>]+) -->\n```text\n).*?(^```$)", re.M | re.S)


def held() -> PlaySummary:
    """What came of the party. It plays the whole of it: ten seconds or so."""
    with tempfile.TemporaryDirectory() as place:
        result = play(
            read(PLAY),
            artifacts=Path(place) / "artifacts",
            database=f"sqlite:///{place}/roundtable.db",
        )
    assert result.exit_code == 0, result.stopped
    return result.summary


def blocks(summary: PlaySummary) -> dict[str, str]:
    """Every block by its name."""
    found = {name: "\n\n".join(_said(summary, *each)) for name, each in EXTRACTS.items()}
    return {**found, FILES: "\n".join(each["name"] for each in summary["artifacts"])}


def filled(page: str, known: Mapping[str, str]) -> str:
    """The page with its blocks as they are known. Raises KeyError for one that is not."""
    return _BLOCK.sub(lambda block: f"{block[1]}{known[block['name']]}\n{block[3]}", page)


def named(page: str) -> list[str]:
    """The blocks of a page, in order."""
    return [block["name"] for block in _BLOCK.finditer(page)]


def _said(summary: PlaySummary, thread: str, openings: Sequence[str]) -> Iterator[str]:
    messages = next(each["messages"] for each in summary["threads"] if each["persona"] == thread)
    for opening in openings:
        try:
            yield _shown(next(each for each in messages if each["text"].startswith(opening)))
        except StopIteration:
            raise LookupError(f"nobody says “{opening}” in the thread of {thread}") from None


def _shown(message: MessageSummary) -> str:
    lines = [line.rstrip() for line in message["text"].splitlines()]
    return "\n".join([message["author"], *(f"{INDENT}{line}".rstrip() for line in lines)])


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(), blocks(held())))
    sys.stdout.write(f"{PAGE.relative_to(ROOT)}\n")
