"""What a phase assumes: a line for each, and while it can be said, whether it is right."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import context, listed_rows
from bot.views.kit.controls import actions, button
from bot.views.kit.names import Names, known_name
from bot.views.kit.rich_text import Block, bullets, heading, paragraph, rich_text
from bot.views.kit.text import short
from core.domain.assumptions import Assumption
from core.domain.session import Doubt, Menu

ASKED_MAX: Final = 6  # two buttons each: more would crowd out what they are about
ASKED_CHARS_MAX: Final = 200
LINE_CHARS_MAX: Final = 240
ROOM: Final = 1_200
DOUBTS_MAX: Final = 4


def assumption_blocks(
    assumed: Sequence[Assumption], menu: Menu | None, *, all_asked: bool = True
) -> list[Block]:
    """With the menu each has its two buttons; without it they are a list.

    `all_asked`: where steps were left out, nobody knows that nothing is assumed.
    """
    if not assumed:
        return [context("No assumptions.")] if all_asked else []
    title, rest = "Assumptions", "more, in the artifacts."
    if menu is None or menu.state != "open":
        rows = [_line(assumption, LINE_CHARS_MAX) for assumption in assumed]
        return listed_rows(title, rows, ROOM, rest)
    hint = "Nobody said these. Right ones become yours, wrong ones are asked again."
    blocks: list[Block | None] = [rich_text(heading(title)), paragraph(hint)]
    for assumption in assumed[:ASKED_MAX]:
        blocks.append(rich_text(bullets([_line(assumption, ASKED_CHARS_MAX)])))
        blocks.append(_row(menu, assumption))
    if len(assumed) > ASKED_MAX:
        blocks.append(context(f"… and {len(assumed) - ASKED_MAX} {rest}"))
    return [block for block in blocks if block is not None]


def doubt_blocks(doubts: Sequence[Doubt], names: Names) -> list[Block]:
    """In the prompt of a step that is asked again for what it assumed."""
    rows = [_doubted(doubt, names) for doubt in doubts[:DOUBTS_MAX]]
    return [rich_text(bullets(rows))] if rows else []


def _doubted(doubt: Doubt, names: Names) -> str:
    who = known_name(names, doubt.by) or "Somebody"
    text = short(doubt.text, LINE_CHARS_MAX)
    if doubt.question:
        return f"{who} would like this answered after all: “{text}”"
    return f"{who} says this is not right: “{text}”. What is right instead?"


def _line(assumed: Assumption, room: int) -> str:
    return short(assumed.text, room) + (" (confirmed as a draft)" if assumed.confirmed else "")


def _row(menu: Menu, about: Assumption) -> Block | None:
    pair = [
        button(menus.label_of(verb), f"{menus.ACTION}{verb}:{about.key}", menu.id)
        for verb in menu.choices
        if verb != "right" or not about.confirmed
    ]
    return actions(pair, block_id=f"{menu.id}|{about.key}")
