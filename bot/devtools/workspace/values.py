"""What a reader of the local workspace gets: frozen values, never live state.

Tests and demos compare these. Nothing here is sent over the wire.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import yaml

Json = dict[str, Any]
"""A JSON object on the wire: Block Kit, payloads and answers are data to this server."""

FaultKind = Literal["429", "500", "drop", "accept-then-drop", "revoke", "redeliver", "timeout"]
DeliveryKind = Literal["events_api", "interactive", "slash_commands"]

SCOPES_NEEDED: Final = (
    "chat:write",
    "commands",
    "app_mentions:read",
    "channels:history",
    "groups:history",
)
SCOPES_OPTIONAL: Final = (
    "chat:write.customize",
    "reactions:write",
    "reactions:read",
    "files:write",
    "users:read",
    "channels:read",
    "groups:read",
)
SCOPES_ALL: Final = SCOPES_NEEDED + SCOPES_OPTIONAL


_SHAPES: Final[Mapping[str, Json]] = yaml.safe_load(
    Path(__file__).with_name("shapes.yaml").read_text(encoding="utf-8")
)


def shape(kind: str, /, **fields: Any) -> Json:
    """A JSON object as Slack sends it: what is always the same, and these fields."""
    return copy.deepcopy(_SHAPES[kind]) | fields


@dataclass(frozen=True, slots=True)
class Names:
    """Who and what ids stand for, for a reader."""

    users: Mapping[str, str]
    channels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WorkspaceMessage:
    """One message as a member of the channel sees it now."""

    ts: str
    thread_ts: str | None
    author_id: str
    author: str
    text: str
    blocks: Sequence[Json]
    plain: str
    reactions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    edited: bool = False
    deleted: bool = False
    metadata: Json | None = None
    channel: str = ""
    files: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Ephemeral:
    """A message that only `to` sees. It is in no history and may vanish at any time."""

    to: str
    channel: str
    text: str
    blocks: Sequence[Json]
    ts: str
    thread_ts: str | None = None
    author: str = ""


@dataclass(frozen=True, slots=True)
class Ping:
    """A mention in a post of the bot that really notified somebody."""

    author: str
    what: str
    channel: str = ""
    ts: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One Web API call. `status` 0: the connection was closed without an answer."""

    method: str
    args: Json
    status: int
    error: str
    at: float

    @property
    def ok(self) -> bool:
        return self.status == 200 and not self.error


@dataclass(frozen=True, slots=True)
class Delivery:
    """One attempt to hand a payload to the app, written down when it was decided."""

    kind: DeliveryKind
    type: str
    id: str
    acked: bool
    status: str
    seconds: float
    retry: int
    payload: Json = field(repr=False, default_factory=dict)


@dataclass(frozen=True, slots=True)
class Modal:
    """A view of a modal in front of `to`. `errors`: block id (or "" for all of it) → what is wrong.

    `channel`: the id of where it was opened, or ""; `filled`: what they had filled in when they
    last sent or clicked something in it.
    """

    id: str
    to: str
    title: str
    callback_id: str
    plain: str
    view: Json = field(repr=False)
    errors: Mapping[str, str] = field(default_factory=dict)
    channel: str = ""
    filled: Mapping[str, str | Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """A file the app finished uploading."""

    id: str
    name: str
    title: str
    content: bytes
    channel: str | None
    thread_ts: str | None
