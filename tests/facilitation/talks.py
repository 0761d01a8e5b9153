"""Talks: what people say at each step, line by line, each with what it is. They are read as items.

They have no replies to follow-ups: `make weights` fits to their lines, and nobody plays them.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from bot.devtools.play.script.file import parse
from tests.facilitation.facts import facts_of
from tests.facilitation.items import Item

FOLDER: Final = Path(__file__).parent / "talks"
LISTS: Final[Mapping[str, str]] = {
    "requirement": "requirements",
    "check": "checks",
    "exclusion": "exclusions",
    "decision": "decisions",
    "other": "not_requirements",
}
"""What a line may be, and the list of facts that has it; it may be two of them."""
CLOSES: Final = (".", "!", "?", "…")

Row = dict[str, str]


def read_talks(folder: Path = FOLDER) -> tuple[Item, ...]:
    """The talks of a folder, by name. Raises `ValueError` for facts that are none."""
    return tuple(
        talk_of(path.stem, yaml.load(path.read_text("utf-8"), yaml.CSafeLoader))
        for path in sorted(folder.glob("*.yaml"))
    )


def talk_of(name: str, content: Mapping[str, Any]) -> Item:
    """A talk as an item: its messages are replies, its lines facts. Raises `ValueError`."""
    people, steps = content["people"], dict[str, list[Row]]()
    for message in content["talk"]:
        reply = {"by": message["by"], "reply": "".join(_joined(message["says"]))}
        steps.setdefault(message["step"], []).append(reply)
    start = {"by": people[0], "command": f"/roundtable analyze {content['item']}"}
    play = yaml.dump({"people": people, "start": start, "steps": steps}, Dumper=yaml.CSafeDumper)
    facts, faults = facts_of(_facts_in(content["talk"]), people)
    if faults:
        raise ValueError(f"{name}: {'; '.join(faults)}")
    return Item(name, parse(play), facts)


def _joined(says: list[tuple[str, str]]) -> Iterator[str]:
    """The lines of a message as it was typed: a sentence behind a sentence, else one below."""
    for at, (_, text) in enumerate(says):
        yield text
        if at + 1 < len(says):
            yield " " if text.endswith(CLOSES) else "\n"


def _facts_in(talk: list[Mapping[str, Any]]) -> dict[str, list[Row]]:
    lists: dict[str, list[Row]] = {}
    for message in talk:
        for kinds, text in message["says"]:
            for kind in kinds.split():
                fact = {"step": message["step"], "by": message["by"], "quote": text}
                lists.setdefault(LISTS[kind], []).append(fact)
    return lists
