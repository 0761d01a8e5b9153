"""A widget: one thing that a view shows, as a pure value with two renderings.

`today` uses Slack's newer blocks, `plain` those that every workspace takes. Both say the same words
in the same order, so that a thread reads alike in both. A view does not know which one is used:
that is chosen for each workspace when a message is sent.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import ClassVar, Final, Literal, get_args

from bot.views.kit.rich_text import Block

WidgetKind = Literal["progress", "fold", "table", "cards", "notice"]
WIDGET_KINDS: Final[frozenset[WidgetKind]] = frozenset(get_args(WidgetKind))


class Widget(ABC):
    """Subclasses are frozen dataclasses."""

    __slots__ = ()
    kind: ClassVar[WidgetKind]
    """What a workspace that refuses the newer rendering is remembered by."""
    single_block: ClassVar[str] = ""
    """The type of a newer block that it holds, if Slack takes only one of them in a message."""

    @abstractmethod
    def today(self) -> list[Block]:
        """Of Slack's newer blocks."""

    @abstractmethod
    def plain(self) -> list[Block]:
        """Of blocks that every workspace takes."""

    def beside_another(self) -> list[Block]:
        """Of newer blocks, in a message that has its single block already."""
        return self.plain()

    def lighter(self) -> "Widget | None":
        """The same with less of what is folded, for a message that is too long; None: no less."""
        return None


Part = Block | Widget
"""What a message, a modal or the Home tab is made of."""


def drawn(parts: Iterable[Part], plain: Collection[WidgetKind]) -> list[Block]:
    """The blocks of `parts`. `plain`: the kinds of widgets whose plain rendering is used."""
    blocks: list[Block] = []
    singles: set[str] = set()
    for part in parts:
        if not isinstance(part, Widget):
            blocks.append(part)
        elif part.kind in plain:
            blocks += part.plain()
        elif part.single_block in singles:
            blocks += part.beside_another()
        else:
            blocks += part.today()
            singles |= {part.single_block} - {""}
    return blocks
