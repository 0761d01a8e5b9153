"""The form that starts a session, and what it turns into once one begins."""

from collections.abc import Sequence
from typing import Final

from bot.views.kit import modals
from bot.views.kit.blocks import context
from bot.views.kit.controls import Option
from bot.views.kit.leaves import link
from bot.views.kit.rich_text import Block, paragraph
from bot.views.kit.text import short
from bot.views.kit.wording import WORDING
from bot.views.widgets.notice import Notice
from core.domain.ids import ChannelId

START: Final = "start"
TAKE: Final = "take_this"
CHANNELS_KEPT_MAX: Final = 200  # ids, in what a form can keep
HINT: Final = "Everybody there can answer. You and I must both be in it: /invite @Roundtable"
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
SCRIPT: Final = "script"
SCRIPT_BOX: Final = Option("Script only: no language model reads it", SCRIPT)
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
    script: bool | None = None,
    note: str = "",
) -> modals.View:
    """`channels`: those the person is in, with their names; the form keeps which they were.
    `script`: whether its box is ticked; None: no language model reads here.

    Where there are none, or more than a list holds, Slack's own picker stands there.
    """
    return modals.modal(
        START,
        "Start at the Roundtable",
        "Start",
        [
            Notice(note, "error") if note else None,
            *_words(title, text),
            modals.choice_field(MODE, "What shall it be?", MODES, initial=mode),
            modals.choice_field(DEPTH, "How deep?", DEPTHS, initial=depth),
            _channel(channels, channel),
            _script(script),
        ],
        metadata=" ".join(channel for channel, _ in channels[:CHANNELS_KEPT_MAX]),
    )


def _channel(channels: Sequence[tuple[ChannelId, str]], chosen: str) -> Block:
    if not channels or len(channels) > modals.OPTIONS_MAX:
        return modals.channel_field(CHANNEL, "Where?", initial=chosen, hint=HINT)
    options = [Option(f"#{name}", channel) for channel, name in channels]
    initial = chosen if any(channel == chosen for channel, _ in channels) else None
    return modals.choice_field(CHANNEL, "Where?", options, initial=initial, hint=HINT)


def _script(ticked: bool | None) -> Block | None:
    if ticked is None:
        return None
    return modals.box_field(SCRIPT, "Who reads the answers?", SCRIPT_BOX, ticked=ticked)


def take_form(
    *,
    title: str,
    text: str,
    metadata: str,
    depth: str = "",
    script: bool | None = None,
    note: str = "",
) -> modals.View:
    """With a message: an analysis, in the channel where it stands."""
    return modals.modal(
        TAKE,
        "To the Roundtable",
        "Start",
        [
            Notice(note, "error") if note else None,
            context(WORDING.form_taken_along),
            *_words(title, text),
            modals.choice_field(DEPTH, "How deep?", DEPTHS, initial=depth),
            _script(script),
        ],
        metadata=metadata,
    )


def _words(title: str, text: str) -> list[Block]:
    return [
        modals.text_field(
            TITLE,
            "What is it about?",
            initial=title,
            placeholder="Retry failed card payments",
            most=TITLE_CHARS_MAX,
        ),
        modals.text_field(
            TEXT,
            "What is known already?",
            initial=text,
            hint="As much or as little as you like. Everybody in the channel sees it.",
            long=True,
            optional=True,
        ),
    ]


def begun(title: str, channel_url: str, external_id: str = "") -> modals.View:
    """Where it went. The card is on its way there. `external_id`: by what it can be updated."""
    where = paragraph([link(channel_url, "Go to the channel")])
    words = f"“{short(title)}” begins. Its card comes to the channel in a moment."
    return modals.notice_of("It begins", [paragraph(words), where], external_id)
