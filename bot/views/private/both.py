"""The form in which somebody says that both of two lines hold, and why."""

from typing import Final

from bot.views.kit.modals import View, modal, text_field
from bot.views.kit.rich_text import bullets, rich_text
from bot.views.kit.text import short
from core.domain.follow_ups import FollowUp
from core.domain.stances import REASON_CHARS_MAX

BOTH: Final = "menu:both"  # the button
BOTH_FORM: Final = "both"
WHY: Final = "reason"
LINE_CHARS_MAX: Final = 300


def both_form(difference: FollowUp, *, metadata: str) -> View:
    """`difference`: the follow-up that names its two lines."""
    quotes = [
        short(line.quote, LINE_CHARS_MAX) for line in (difference.line, difference.other) if line
    ]
    return modal(
        BOTH_FORM,
        "Both hold",
        "Note it",
        [
            rich_text(bullets(f"“{quote}”" for quote in quotes)),
            text_field(
                WHY,
                "Why do both hold?",
                hint="It is shown with your name at both lines, here and in the artifact.",
                most=REASON_CHARS_MAX,
                long=True,
                optional=True,
            ),
        ],
        metadata=metadata,
    )
