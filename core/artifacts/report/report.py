"""What a report says, before it is Markdown or HTML. Values only."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.artifacts.document.tree import Blocks
from core.artifacts.document.words import Words

WORDS: Final = Words(Path(__file__).with_name("words.yaml"))
NEVER: Final = "–"  # in a cell that has nothing to say


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the title page. `url` is where it can be looked at, or empty."""

    label: str
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """No heading in `blocks` stands higher than level three."""

    title: str
    blocks: Blocks
    file: str = ""  # what it was made from; empty for what the report adds of its own


@dataclass(frozen=True, slots=True)
class Report:
    """Texts of facts and titles are plain; whoever writes them down escapes them."""

    title: str
    facts: tuple[Fact, ...]
    front: tuple[Chapter, ...]  # on the title page: phases, people
    chapters: tuple[Chapter, ...]
    closing: tuple[Chapter, ...] = ()  # assumptions and differences, what is missing, sources

    @property
    def listed(self) -> tuple[Chapter, ...]:
        """What the contents list names, in order."""
        return (*self.chapters, *self.closing)
