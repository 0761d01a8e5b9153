"""Lines under a title that says what and how many, folded until somebody opens them.

docs: https://docs.slack.dev/reference/block-kit/blocks/container-block (2026-11-23): messages only;
a plain title of at most 150 characters, at most ten children. Rich text is listed there as a child,
but Slack's validator refuses it, so the lines are plain text of sections. Whether a fold is open is
kept by Slack as long as its block id stays the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar, Final

from bot.views.kit.blocks import context
from bot.views.kit.controls import plain_text
from bot.views.kit.leaves import words
from bot.views.kit.rich_text import Block, bullets, heading, line, rich_text, size
from bot.views.kit.text import cut, one_line, pieces, short
from bot.views.kit.widget import Part, Widget, WidgetKind

TITLE_CHARS_MAX: Final = 150
CHILDREN_MAX: Final = 10
SECTION_CHARS_MAX: Final = 2_900
LINE_CHARS_MAX: Final = 300
IN_THE_FILES: Final = "more, in the files."


@dataclass(frozen=True, slots=True)
class Fold(Widget):
    """`key` tells the folds of a message apart, and stays the same when the message is edited."""

    kind: ClassVar[WidgetKind] = "fold"
    key: str
    title: str
    lines: Sequence[str]

    def today(self) -> list[Block]:
        if self._is_elsewhere:
            return [context(f"{fold_title(self.title)}, in the files.")]
        text = "\n".join(f"• {line}" for line in self._shown())
        return [container(self.key, self.title, text_children(text))]

    def plain(self) -> list[Block]:
        if self._is_elsewhere:
            return self.today()
        text = "\n".join(f"• {line}" for line in self._shown())  # a list would weigh thrice as much
        return [rich_text(heading(fold_title(self.title)), line(words(text)))]

    def lighter(self) -> "Fold | None":
        lines, (hidden, rest) = self.lines, _rest_of(self.lines)
        lines = lines[:-1] if hidden else lines
        if not lines:
            return None
        half = lines[: len(lines) // 2]
        hidden += len(lines) - len(half)
        return replace(self, lines=[*half, f"… and {hidden} {rest}"])

    @property
    def _is_elsewhere(self) -> bool:
        """True if all that it holds is how many lines there are in the files."""
        hidden, rest = _rest_of(self.lines)
        return len(self.lines) == 1 and hidden > 0 and rest == IN_THE_FILES

    def _shown(self) -> Iterable[str]:
        return [cut(one_line(line), LINE_CHARS_MAX) for line in self.lines]


def _rest_of(lines: Sequence[str]) -> tuple[int, str]:
    """How many lines are not shown, and where they are: of the last line, "… and 3 {rest}"."""
    parts = lines[-1].split(" ", 3) if lines else []
    if len(parts) == 4 and parts[:2] == ["…", "and"] and parts[2].isdecimal():
        return int(parts[2]), parts[3]
    return 0, IN_THE_FILES


def list_with_rest(
    key: str, title: str, rows: Sequence[str], in_sight: int, rest: str
) -> list[Part]:
    """A list of which the first rows are in sight and the others folded: "9 {rest}"."""
    head = [heading(title)] if title else []
    parts: list[Part] = [rich_text(*head, bullets(rows[:in_sight]))]
    hidden = rows[in_sight:]
    if not hidden:
        return parts
    left_out, _ = _rest_of(hidden)
    count = len(hidden) + max(left_out - 1, 0)  # the line that counts them is none of them
    return [*parts, Fold(key, f"{count} {rest}", hidden)]


def fitting_lines(lines: Sequence[str], room: int, rest: str = IN_THE_FILES) -> list[str]:
    """The lines that fit; the last one says how many others there are: "… and 3 {rest}"."""
    weights = accumulate(lines_weight([text]) for text in lines)
    count = sum(weight <= room for weight in weights)
    more = len(lines) - count
    return [*lines[:count], *([f"… and {more} {rest}"] if more else [])]


def lines_weight(lines: Iterable[str]) -> int:
    """What lines of a fold weigh in a message, as JSON."""
    return sum(size(text) + len("• \n") for text in lines)


def container(key: str, title: str, children: Sequence[Block]) -> Block:
    """Blocks under a title, folded. `key`: as of a fold."""
    return {
        "type": "container",
        "block_id": f"fold:{key}",
        "title": plain_text(fold_title(title)),
        "is_collapsible": True,
        "default_collapsed": True,
        "child_blocks": list(children)[:CHILDREN_MAX],
    }


def fold_title(title: str) -> str:
    return short(title, TITLE_CHARS_MAX) or "…"


def text_children(text: str) -> list[Block]:
    """Plain text as children of a container."""
    return [
        {"type": "section", "text": plain_text(part.rstrip("\n"))}
        for part in pieces(text, SECTION_CHARS_MAX)
    ]
