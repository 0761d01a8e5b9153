"""Things to choose from, one card each: what it is, what it means, and its buttons.

docs: https://docs.slack.dev/reference/block-kit/blocks/card-block (2026-11-23): title and subtitle
of at most 150 characters, body of at most 200; messages, modals and the Home tab. How many buttons
is not said there; others report three.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.views.kit.controls import actions, plain_text
from bot.views.kit.leaves import words
from bot.views.kit.rich_text import Block, Row, paragraph
from bot.views.kit.text import short
from bot.views.kit.widget import Widget, WidgetKind

TITLE_CHARS_MAX: Final = 150
BODY_CHARS_MAX: Final = 200
BUTTONS_MAX: Final = 3


@dataclass(frozen=True, slots=True)
class Card:
    """`block_id` tells the controls of a message's cards apart, as in a row of buttons."""

    title: str
    body: str = ""
    subtitle: str = ""
    buttons: Sequence[Block] = ()
    block_id: str = ""


@dataclass(frozen=True, slots=True)
class Cards(Widget):
    kind: ClassVar[WidgetKind] = "cards"
    cards: Sequence[Card]

    def today(self) -> list[Block]:
        return [_card(card) for card in self.cards]

    def plain(self) -> list[Block]:
        return [block for card in self.cards for block in _plain(card)]


def _card(card: Card) -> Block:
    title, subtitle, body = _texts(card)
    texts = {"title": title, "subtitle": subtitle, "body": body}
    fields = {name: plain_text(text) for name, text in texts.items() if text}
    buttons = {"actions": list(card.buttons[:BUTTONS_MAX])} if card.buttons else {}
    name = {"block_id": card.block_id} if card.block_id else {}
    return {"type": "card", **fields, **buttons, **name}


def _plain(card: Card) -> list[Block]:
    title, *texts = _texts(card)
    rows: list[Row] = [[words(title, bold=True)], *filter(None, texts)]
    controls = actions(card.buttons[:BUTTONS_MAX], block_id=card.block_id)
    return [paragraph(*rows), *([controls] if controls else [])]


def _texts(card: Card) -> tuple[str, str, str]:
    title = short(card.title, TITLE_CHARS_MAX) or "–"
    subtitle = short(card.subtitle, TITLE_CHARS_MAX)
    return title, subtitle, short(card.body, BODY_CHARS_MAX)
