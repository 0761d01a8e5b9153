"""The form that starts a session, and what it turns into once one begins."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit.blocks import context
from bot.views.kit.controls import Option
from bot.views.kit.modals import (
    OPTIONS_MAX,
    View,
    channel_field,
    choice_field,
    modal,
    notice_of,
    text_field,
)
from bot.views.kit.rich_text import Block, link, paragraph
from bot.views.kit.text import short
from core.domain.ids import ChannelId

START: Final = "start"
TAKE: Final = "take_this"
CHANNELS_KEPT_MAX: Final = 200  # ids, in what a form can keep
HINT: Final = "Everybody there can answer. You and I must both be in it: /invite @Roundtable"
TAKEN_ALONG: Final = (
    "An analysis begins in this channel. What was said in the thread is proposed to the first "
    "step, and counts once whoever said it confirms it."
)
TITLE: Final = "title"
TITLE_CHARS_MAX: Final = 150  # what a Slack header holds
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


def start_form(
    channels: Sequence[tuple[ChannelId, str]] = (),
    *,
    title: str = "",
    text: str = "",
    mode: str = "",
    depth: str = "",
    channel: str = "",
    note: str = "",
) -> View:
    """`channels`: those the person is in, with their names; the form keeps which they were.

    Where there are none, or more than a list holds, Slack's own picker stands there.
    """
    return modal(
        START,
        "Start at the Roundtable",
        "Start",
        [
            context(note) if note else None,
            *_words(title, text),
            choice_field(MODE, "What shall it be?", MODES, initial=mode),
            choice_field(DEPTH, "How deep?", DEPTHS, initial=depth),
            _channel(channels, channel),
        ],
        kept=" ".join(each for each, _ in channels[:CHANNELS_KEPT_MAX]),
    )


def _channel(channels: Sequence[tuple[ChannelId, str]], chosen: str) -> Block:
    if not channels or len(channels) > OPTIONS_MAX:
        return channel_field(CHANNEL, "Where?", initial=chosen, hint=HINT)
    options = [Option(f"#{name}", known) for known, name in channels]
    there = chosen if any(known == chosen for known, _ in channels) else None
    return choice_field(CHANNEL, "Where?", options, initial=there, hint=HINT)


def take_form(*, title: str, text: str, kept: str, depth: str = "", note: str = "") -> View:
    """With a message: an analysis, in the channel where it stands."""
    return modal(
        TAKE,
        "To the Roundtable",
        "Start",
        [
            context(note) if note else None,
            context(TAKEN_ALONG),
            *_words(title, text),
            choice_field(DEPTH, "How deep?", DEPTHS, initial=depth),
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


def begun(title: str, channel_url: str, external_id: str = "") -> View:
    """Where it went. The card is on its way there. `external_id`: by what it can be updated."""
    where = paragraph([link(channel_url, "Go to the channel")])
    said = f"“{short(title)}” begins. Its card comes to the channel in a moment."
    return notice_of("It begins", [paragraph(said), where], external_id)
