"""What an export is: files with their names, and what the zip among them leaves out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.domain.ids import EXPORTS, Export, Slug

File: TypeAlias = tuple[str, bytes]  # its name, its content
LEFT_OUT_FILE: Final = "left-out.txt"  # the member of a zip that names what is left out
ENDINGS: Final[Mapping[Export, str]] = {"zip": "zip", "markdown": "md", "html": "html"}


class HeldBack(Exception):  # noqa: N818 (a state of the session, as its callers say it)
    """The session is halted for a secret: nothing of it leaves until that is settled."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not in the zip. `name` is redacted; `reason` goes on from "is left out:"."""

    name: str
    reason: str

    @property
    def line(self) -> str:
        return f"{self.name} is left out: {self.reason}."


@dataclass(frozen=True, slots=True)
class Exported:
    """The files in the order in which they are shown."""

    files: tuple[File, ...]
    left_out: tuple[LeftOut, ...] = ()


def kinds_of_export(wanted: Export) -> tuple[Export, ...]:
    return EXPORTS if wanted == "all" else (wanted,)


def file_name(slug: Slug, kind: Export) -> str:
    return f"{slug}.{ENDINGS[kind]}"
