"""What the page offers by name: slash commands and shortcuts, read from the app's manifest.

There is no second list. Without a manifest nothing is offered, and everything can be typed.
docs: reference/app-manifest
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import yaml

NAME: Final = "manifest.yml"
PLACES: Final = (Path(__file__).parents[3] / NAME, Path(__file__).parents[2] / NAME)
"""In a clone it stands at the top, in an installed package with the bot."""


@dataclass(frozen=True, slots=True)
class Command:
    """`usages`: what may follow it, one way each: "analyze <title>"."""

    command: str
    description: str
    usages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shortcut:
    name: str
    callback_id: str
    type: Literal["message", "global"]
    description: str


@dataclass(frozen=True, slots=True)
class Offers:
    commands: tuple[Command, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()

    def of(self, kind: Literal["message", "global"]) -> tuple[Shortcut, ...]:
        return tuple(shortcut for shortcut in self.shortcuts if shortcut.type == kind)


def offers(places: Sequence[Path] = PLACES) -> Offers:
    """What the first manifest found names; nothing when there is none."""
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        return Offers()
    features: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["features"]
    return Offers(
        tuple(_command(row) for row in features.get("slash_commands", ())),
        tuple(
            Shortcut(row["name"], row["callback_id"], row["type"], row.get("description", ""))
            for row in features.get("shortcuts", ())
        ),
    )


def _command(row: dict[str, Any]) -> Command:
    usages = tuple(part.strip() for part in row.get("usage_hint", "").split("|") if part.strip())
    return Command(row["command"], row.get("description", ""), usages)
