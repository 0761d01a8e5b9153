"""What the page offers by name: slash commands and shortcuts, read from the app's manifest.

There is no second list. Without a manifest nothing is offered, and everything can be typed.
docs: reference/app-manifest
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import yaml

FILE: Final = Path(__file__).parents[3] / "manifest.yml"


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


def offers(file: Path = FILE) -> Offers:
    """What `file` names; nothing when there is no such file."""
    if not file.is_file():
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
