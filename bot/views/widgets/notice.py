"""What is wrong in general, above the fields of a form.

docs: https://docs.slack.dev/reference/block-kit/blocks/alert-block (2026-11-23): modals only; a
text of at most 200 characters.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from bot.views.kit.controls import plain_text
from bot.views.kit.leaves import words
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.text import one_line, pieces
from bot.views.kit.widget import Widget, WidgetKind

TEXT_CHARS_MAX: Final = 200
Level = Literal["info", "warning", "error", "success"]


@dataclass(frozen=True, slots=True)
class Notice(Widget):
    """A text that is too long for one alert goes on in the next one."""

    kind: ClassVar[WidgetKind] = "notice"
    text: str
    level: Level = "warning"

    def today(self) -> list[Block]:
        return [
            {"type": "alert", "text": plain_text(part), "level": self.level}
            for part in self._parts()
        ]

    def plain(self) -> list[Block]:
        return [paragraph(*([words(part, bold=True)] for part in self._parts()))]

    def _parts(self) -> list[str]:
        return [one_line(part) for part in pieces(one_line(self.text), TEXT_CHARS_MAX)]
