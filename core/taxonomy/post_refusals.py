"""Why Slack refuses a message for good, and what people are told: what it is, what helps, who can.

The words stand in `post_refusals.toml`, one row per reason. Reasons that have codes of their own
(thread gone, token revoked) have their words in the catalogue; those that stop nobody have none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from core.taxonomy.rows import data

RefusalReason = Literal[
    # about one message
    "already_so",  # it is done already, or what it is about is gone
    "edit_refused",  # the message stands, and cannot be changed any more
    "not_needed",  # one person or one mark is passed over; nobody waits for it
    # about a place
    "thread_gone",
    "not_invited",
    "channel_unknown",
    "archived",
    "posting_restricted",
    "read_only",
    "threads_only",
    "no_threads",
    "thread_locked",
    "direct_message",
    "key_withdrawn",
    # about the app
    "token_revoked",
    "app_restricted",
    "network_restricted",
    "sign_in_incomplete",
    "permission_missing",
    "wrong_token",
    "method_retired",
    # about what was sent
    "too_long",
    "bad_blocks",
    "bad_call",
    "file_refused",
    "unknown",
]


@dataclass(frozen=True, slots=True)
class RefusalWords:
    """`what` it is, and what `helps`, with who can do it. Whole sentences."""

    what: str
    helps: str


REFUSALS: Final[Mapping[RefusalReason, RefusalWords]] = MappingProxyType(
    {
        reason: words.row(RefusalWords)
        for reason, words in data("post_refusals").tables_of(get_args(RefusalReason))
    }
)

GO_ON: Final = "Then /roundtable resume goes on; nothing is lost."
ACCESS_LOST: Final = (
    "I paused here: I had lost access to this workspace, until an admin let me in again. "
    "/roundtable resume goes on; nothing is lost."
)
EDITS_REFUSED: Final = (
    "Slack does not let me change my older messages here, so the card and earlier messages stay as "
    "they are. What is open comes as a new message, and /roundtable status shows where we stand. A "
    "workspace admin can allow the editing of messages."
)


def paused_words(reason: RefusalReason) -> str:
    """Why a session is paused, for its thread: what it is, what helps and who can."""
    words = REFUSALS.get(reason, REFUSALS["unknown"])
    return f"I paused here. {words.what} {words.helps} {GO_ON}"
