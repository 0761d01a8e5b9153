"""The form that starts a session, and what it turns into once one begins."""

from typing import Final

from bot.command_line import TITLE_CHARS_MAX
from bot.views.blocks import Block, Option, context, lines, link, rich_text
from bot.views.modals import View, channel_field, choice_field, modal, notice, text_field
from bot.views.text import short

START: Final = "start"
TAKE: Final = "take_this"
TAKEN_ALONG: Final = (
    "An analysis begins in this channel. What was said in the thread is proposed to the first "
    "step, and counts once whoever said it confirms it."
)
TITLE: Final = "title"
TEXT: Final = "text"
DEPTH: Final = "depth"
MODE: Final = "mode"
CHANNEL: Final = "channel"

ANY_DEPTH: Final = "auto"
DEPTHS: Final = (
    Option("As the quick scan finds", ANY_DEPTH),
    Option("Brief: drafts to confirm", "brief"),
    Option("Standard: two or three open questions", "standard"),
    Option("Deep: edge cases too", "deep"),
)
ANALYSIS: Final = "analysis"
MODES: Final = (
    Option("An analysis of one item", ANALYSIS),
    Option("A new project, as a party", "party"),
    Option("A new project, with one facilitator", "classic"),
)


def start_form(*, title: str = "", text: str = "", mode: str = "", channel: str = "") -> View:
    """`channel`: chosen already; else the one that is being looked at."""
    return modal(
        START,
        "Start at the Roundtable",
        "Start",
        [
            *_words(title, text),
            choice_field(MODE, "What shall it be?", MODES, initial=mode),
            choice_field(DEPTH, "How deep?", DEPTHS),
            channel_field(
                CHANNEL,
                "Where?",
                initial=channel,
                hint="Everybody there can answer. I must be in it: /invite @Roundtable",
            ),
        ],
    )


def take_form(*, title: str, text: str, kept: str) -> View:
    """With a message: an analysis, in the channel where it stands."""
    return modal(
        TAKE,
        "To the Roundtable",
        "Start",
        [
            context(TAKEN_ALONG),
            *_words(title, text),
            choice_field(DEPTH, "How deep?", DEPTHS),
        ],
        kept=kept,
    )


def _words(title: str, text: str) -> list[Block]:
    return [
        text_field(
            TITLE,
            "What is it about?",
            initial=title,
            placeholder="Retry failed card payments",
            most=TITLE_CHARS_MAX,
        ),
        text_field(
            TEXT,
            "What is known already?",
            initial=text,
            hint="As much or as little as you like. Everybody in the channel sees it.",
            long=True,
            optional=True,
        ),
    ]


def begun(title: str, channel_url: str) -> View:
    """Where it went. The card is on its way there."""
    where = rich_text(lines([[link(channel_url, "Go to the channel")]]))
    said = f"“{short(title)}” begins. Its card comes to the channel in a moment."
    return notice("It begins", said, where)
