"""Why Slack refuses a message for good, and what people are told: what it is, what helps, who can.

Our own words: no error string of Slack's stands here. One row per reason. The reasons that have
codes of their own (thread gone, token revoked) have their
words in the catalogue; those that stop nobody have none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

RefusalReason = Literal[
    # about one message
    "already_so",  # it is done already, or what it is about is gone
    "edit_refused",  # the message stands, and cannot be changed any more
    "not_needed",  # one person or one mark is passed over; nobody waits for it
    # about a place
    "thread_gone",
    "thread_locked",
    "not_invited",
    "channel_unknown",
    "archived",
    "posting_restricted",
    "read_only",
    "threads_only",
    "no_threads",
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

ELSEWHERE: Final = "Or start in another channel."
OUR_MISTAKE: Final = (
    "That is my mistake, not yours. Please tell whoever runs me: roundtable faults has the details."
)


@dataclass(frozen=True, slots=True)
class RefusalWords:
    """`what` it is, and what `helps`, with who can do it. Whole sentences."""

    what: str
    helps: str


REFUSALS: Final[Mapping[RefusalReason, RefusalWords]] = MappingProxyType(
    {
        "not_invited": RefusalWords(
            "I am not in this channel, so I can't post here.",
            "Anybody in it can add me with /invite @Roundtable.",
        ),
        "channel_unknown": RefusalWords(
            "Slack does not show me this channel: it is private and I am not in it, or it is "
            "deleted.",
            "If it is private, a member can add me with /invite @Roundtable. A deleted one does "
            "not come back; then start in another channel.",
        ),
        "archived": RefusalWords(
            "This channel is archived, so nobody can write in it.",
            "A member or a workspace admin can unarchive it.",
        ),
        "posting_restricted": RefusalWords(
            "A setting of this workspace does not let me post here.",
            f"A workspace admin, or whoever manages the channel, can allow it. {ELSEWHERE}",
        ),
        "read_only": RefusalWords(
            "This channel is read-only: only some people may post in it.",
            f"Whoever manages the channel can let me post. {ELSEWHERE}",
        ),
        "threads_only": RefusalWords(
            "This channel takes replies only, and I need to begin threads of my own.",
            f"Whoever manages the channel can allow new messages. {ELSEWHERE}",
        ),
        "no_threads": RefusalWords(
            "This channel has no threads, and I work in threads.",
            f"Whoever manages the channel can allow threads. {ELSEWHERE}",
        ),
        "thread_locked": RefusalWords(
            "An admin has locked this thread, so I can't reply in it.",
            "An admin can unlock it.",
        ),
        "direct_message": RefusalWords(
            "I can't work in a direct message.",
            "Start in a channel, where your team can answer: add me there with "
            "/invite @Roundtable, then type /roundtable analyze and a title.",
        ),
        "key_withdrawn": RefusalWords(
            "Your organisation has switched off messages in this channel (its encryption keys are "
            "managed by the organisation).",
            "An admin who looks after those keys (Enterprise Key Management) can allow it again.",
        ),
        "token_revoked": RefusalWords(
            "I no longer have access to this workspace.",
            "A workspace admin can install me again.",
        ),
        "app_restricted": RefusalWords(
            "This workspace does not allow me to do that.",
            "A workspace admin can allow the app under Manage apps.",
        ),
        "network_restricted": RefusalWords(
            "Slack takes my calls from certain networks only, and I run on another one.",
            "Whoever runs me can add my address to the app's allowed IP addresses.",
        ),
        "sign_in_incomplete": RefusalWords(
            "This workspace asks for two-factor sign-in, and the account I act for lacks it.",
            "Whoever installed me can set it up for that account.",
        ),
        "permission_missing": RefusalWords(
            "I lack a permission in this workspace.",
            "A workspace admin can install me again with the permissions I ask for; for whoever "
            "runs me, roundtable doctor names the missing one.",
        ),
        "wrong_token": RefusalWords(
            "I was set up with a kind of token that may not do this.",
            "Whoever runs me can set the app's bot token (xoxb-…); roundtable doctor checks it.",
        ),
        "method_retired": RefusalWords(
            "Slack no longer offers something that I rely on.",
            "Whoever runs me can install a newer version of Roundtable.",
        ),
        "too_long": RefusalWords(
            "The message I wanted to post is too long for Slack.",
            "Nothing you wrote is lost. It helps to shorten the longest answer of this step (edit "
            f"it, or Not an answer). {OUR_MISTAKE}",
        ),
        "bad_blocks": RefusalWords(
            "I built a message that Slack does not take (its layout is not valid).", OUR_MISTAKE
        ),
        "bad_call": RefusalWords(
            "I asked Slack for something in a way that it does not take.", OUR_MISTAKE
        ),
        "file_refused": RefusalWords(
            "This workspace does not take that file from me.",
            "A workspace admin can allow file uploads for apps.",
        ),
        "unknown": RefusalWords(
            "Slack refused a message of mine and gave a reason I do not know.",
            "Please tell whoever runs me: roundtable faults has Slack's word for it.",
        ),
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
