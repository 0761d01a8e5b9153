"""What one person is told: by the answer to a command, or as an ephemeral."""

from collections.abc import Mapping
from typing import Final

from bot.views.kit import menus
from bot.views.kit.blocks import Message, message
from bot.views.kit.controls import actions, button
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.wording import WORDING, phrase_leaves
from core.domain.effects import ReplyKind
from core.domain.ids import SessionId

START_AGAIN: Final = "start:again"
DELETE_CONFIRM: Final = "delete:confirm"
PAUSED: Final[frozenset[ReplyKind]] = frozenset({"paused", "is-paused"})

# What can be done about what was said: the choice of the menu that the reply brings along.
CHOICES: Final[Mapping[ReplyKind, tuple[str, ...]]] = {
    "taken-out": ("put-back",),
    "cancel-question": ("cancel-now", "keep-going"),
    "skip-question": ("skip",),
}


def reply_message(kind: ReplyKind, args: Mapping[str, str]) -> Message:
    return message(paragraph(phrase_leaves(WORDING.replies[kind], args)), _control(kind, args))


def _control(kind: ReplyKind, args: Mapping[str, str]) -> Block | None:
    if args.get("again"):
        return actions([button("Try again in a form", START_AGAIN, args["again"])])
    if kind in PAUSED and args.get("session"):
        return menus.resume_control(SessionId(args["session"]))
    if kind == "cancelled" and args.get("session"):
        return menus.resume_control(SessionId(args["session"]), menus.TAKE_BACK)
    if kind == "delete-question" and args.get("session"):
        return actions([_delete_button(args["session"])])
    choices, menu = CHOICES.get(kind, ()), args.get("menu")
    if not choices or not menu:
        return None
    about = f":{args['about']}" if args.get("about") else ""
    return actions([_button(choice, f"{choice}{about}", menu) for choice in choices])


def _button(choice: str, value: str, menu: str) -> Block:
    style = menus.STYLES.get(choice, "")
    return button(menus.label_of(choice), f"{menus.ACTION}{value}", menu, style=style)


def _delete_button(session: str) -> Block:
    """Its dialog asks once more."""
    return button(
        menus.label_of("delete"),
        DELETE_CONFIRM,
        session,
        style="danger",
        confirm=menus.CONFIRMATIONS["delete"],
    )
