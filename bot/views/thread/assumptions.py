"""What a phase assumes: a line for each, and while it can be said, whether it is right."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import context
from bot.views.kit.controls import actions, button
from bot.views.kit.leaves import words
from bot.views.kit.names import Names, known_name
from bot.views.kit.rich_text import Block, bullets, paragraph, rich_text
from bot.views.kit.text import short
from bot.views.kit.widget import Part
from bot.views.widgets.fold import Fold, fitting_lines
from core.domain.assumptions import NOT_ANSWERED, Assumption
from core.domain.session.menu import Menu
from core.domain.session.step import Doubt

ASKED_MAX: Final = 3  # two buttons each: more would crowd out what they are about
ASKED_CHARS_MAX: Final = 200
LINE_CHARS_MAX: Final = 240
ROOM: Final = 1_200
REST_ROOM: Final = 300  # of those that have no buttons, beside those that have
DOUBTS_MAX: Final = 4


def assumption_parts(
    assumed: Sequence[Assumption],
    menu: Menu | None,
    *,
    all_asked: bool = True,
    most: int = ASKED_MAX,
) -> list[Part]:
    """With the menu each has its two buttons, in sight; without it they are folded.

    `all_asked`: where steps were left out, nobody knows that nothing is assumed. `most`: how many
    have buttons; the others are folded.
    """
    if not assumed:
        return [context("No assumptions.")] if all_asked else []
    rows = [_line(assumption, LINE_CHARS_MAX) for assumption in assumed]
    asks = any(assumption.question for assumption in assumed)
    heading = "Assumptions and what nobody answered" if asks else "Assumptions"
    if menu is None or menu.state != "open":
        return [Fold("assumptions", f"{heading} ({len(rows)})", fitting_lines(rows, ROOM))]
    hint = "Nobody said these. Right ones become yours, wrong ones are asked again."
    parts: list[Part | None] = [paragraph([words(heading, bold=True)], hint)]
    for assumption in assumed[:most]:
        parts.append(paragraph(_line(assumption, ASKED_CHARS_MAX)))
        parts.append(_row(menu, assumption))
    if hidden := rows[most:]:
        title = f"{len(hidden)} more"
        parts.append(Fold("assumptions", title, fitting_lines(hidden, REST_ROOM)))
    return [part for part in parts if part is not None]


def doubt_blocks(doubts: Sequence[Doubt], names: Names) -> list[Block]:
    """In the prompt of a step that is asked again for what it assumed."""
    rows = [_doubted(doubt, names) for doubt in doubts[:DOUBTS_MAX]]
    return [rich_text(bullets(rows))] if rows else []


def _doubted(doubt: Doubt, names: Names) -> str:
    name = known_name(names, doubt.by) or "Somebody"
    text = short(doubt.text, LINE_CHARS_MAX)
    if doubt.question:
        return f"{name} would like this answered after all: “{text}”"
    return f"{name} says this is not right: “{text}”. What is right instead?"


def _line(assumed: Assumption, room: int) -> str:
    text = assumed.text
    if assumed.question and text == NOT_ANSWERED.format(assumed.question):
        text = assumed.question
    return short(text, room) + (" (confirmed as a draft)" if assumed.confirmed else "")


def _row(menu: Menu, about: Assumption) -> Block | None:
    pair = [
        button(menus.label_of(verb), f"{menus.ACTION}{verb}:{about.key}", menu.id)
        for verb in menu.choices
        if verb != "right" or not about.confirmed
    ]
    return actions(pair, block_id=f"{menu.id}|{about.key}")
