"""A stretch of a Slack thread as it stands now, read after the bot was away."""

from dataclasses import dataclass

from core.domain.events import MessagePosted
from core.domain.ids import Ts, UserId


@dataclass(frozen=True, slots=True)
class ReactedBy:
    """One reaction on a message. `is_complete`: every user is named; Slack cuts long lists."""

    name: str
    users: tuple[UserId, ...]
    is_complete: bool


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """One message. `posted` is None where it cannot be an answer: a bot's or an outsider's."""

    ts: Ts
    posted: MessagePosted | None = None
    reactions: tuple[ReactedBy, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """One page, from its start on and with it, oldest message first.

    `cursor` leads to the next one; empty: it is the last. `is_cut`: Slack gave far less than was
    asked for, as it does to distributed apps.
    """

    messages: tuple[ThreadMessage, ...]
    cursor: str = ""
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class ThreadRange:
    """All messages after `since`. `is_whole`: every one that Slack keeps is there.

    `read_at` is when the first page was asked for, in seconds since the epoch.
    """

    since: Ts
    messages: tuple[ThreadMessage, ...]
    read_at: float
    is_whole: bool
