"""What the page offers by name: slash commands and shortcuts, read from the app's manifest.

There is no second list. Without a manifest nothing is offered, and everything can be typed.
docs: reference/app-manifest
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import yaml

NAME: Final = "manifest.yml"
PLACES: Final = (Path(__file__).parents[4] / NAME, Path(__file__).parents[3] / NAME)
"""In a clone it stands at the top, in an installed package with the bot."""


@dataclass(frozen=True, slots=True)
class DeclaredCommand:
    """`usages`: what may follow it, one way each: "analyze <title>".

    `notes`: what a usage does, by its first word; a manifest has no place for it.
    """

    command: str
    description: str
    usages: tuple[str, ...]
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ManifestShortcut:
    name: str
    callback_id: str
    type: Literal["message", "global"]
    description: str


@dataclass(frozen=True, slots=True)
class Offers:
    commands: tuple[DeclaredCommand, ...] = ()
    shortcuts: tuple[ManifestShortcut, ...] = ()

    def of(self, kind: Literal["message", "global"]) -> tuple[ManifestShortcut, ...]:
        return tuple(shortcut for shortcut in self.shortcuts if shortcut.type == kind)


def offers(places: Sequence[Path] = PLACES, notes: Mapping[str, str] | None = None) -> Offers:
    """What the first manifest found names, with `notes` on its usages; nothing without one."""
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        return Offers()
    features: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["features"]
    return Offers(
        tuple(_command(row, notes or {}) for row in features.get("slash_commands", ())),
        tuple(
            ManifestShortcut(
                row["name"], row["callback_id"], row["type"], row.get("description", "")
            )
            for row in features.get("shortcuts", ())
        ),
    )


def _command(row: dict[str, Any], notes: Mapping[str, str]) -> DeclaredCommand:
    usages = tuple(part.strip() for part in row.get("usage_hint", "").split("|") if part.strip())
    return DeclaredCommand(row["command"], row.get("description", ""), usages, notes)
