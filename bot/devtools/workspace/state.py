"""One team itself: people, channels, messages, files, views. In memory, under one lock.

It knows what exists and who may see it. It sends nothing and knows neither HTTP nor events.
Every method that touches state is called with `lock` held.
"""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.devtools.workspace import reader_text
from bot.devtools.workspace.blocks.table import elements_of, every_block
from bot.devtools.workspace.changes import Changes
from bot.devtools.workspace.slack_team import FIRST_TEAM, SlackTeam, handle_of
from bot.devtools.workspace.values import Json, Names, Ping, WorkspaceFile, shape

TEAM_ID: Final = FIRST_TEAM.id
APP_ID: Final = "A0APP0001"
BOT_NAME: Final = "Roundtable"
SLACKBOT: Final = "Slackbot"
PRIVATE_PREFIX: Final = "private-"
SHARED: Final = "0SH"
"""How the ids of channels begin, after their first letter, that several teams are in."""
STATUS_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class StoredPerson:
    id: str
    name: str
    is_admin: bool
    team: SlackTeam = FIRST_TEAM

    @property
    def handle(self) -> str:
        return handle_of(self.name) or self.id.lower()


@dataclass(slots=True)
class Channel:
    """One per team and name; whether the bot is in it may change, under the lock."""

    id: str
    name: str
    has_bot: bool
    archived: bool = False
    connected: bool = False  # people of another organisation are in it
    bot_since: str = ""  # when the bot came in, if it was not there from the beginning
    without: list[str] = field(default_factory=list)  # ids of the people who are not in it

    def has(self, person: "StoredPerson") -> bool:
        return person.id not in self.without

    @property
    def private(self) -> bool:
        return self.name.startswith(PRIVATE_PREFIX)

    @property
    def type(self) -> str:
        return "group" if self.private else "channel"


def _channel(number: str, name: str, bot_in: Sequence[str] | None, *, connected: bool) -> Channel:
    kind = "G" if name.startswith(PRIVATE_PREFIX) else "C"
    return Channel(f"{kind}{number}", name, bot_in is None or name in bot_in, connected=connected)


@dataclass
class StoredPost:
    """A stored message; changed in place, under the lock."""

    channel: Channel
    ts: str
    user: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    parent_user: str | None = None
    by_bot: bool = False
    username: str | None = None
    icons: Json | None = None
    metadata: Json | None = None
    files: list[Json] = field(default_factory=list)
    edited_ts: str | None = None
    deleted: bool = False
    reactions: dict[str, list[str]] = field(default_factory=dict)
    client_msg_id: str | None = None
    team: SlackTeam = FIRST_TEAM  # its author's
    revision: int = 0

    @property
    def root_ts(self) -> str:
        return self.thread_ts or self.ts


@dataclass
class StoredEphemeral:
    """A stored ephemeral message."""

    channel: Channel
    ts: str
    to: StoredPerson
    text: str
    blocks: list[Json]
    author: str
    thread_ts: str | None = None
    team: SlackTeam = FIRST_TEAM  # its author's
    revision: int = 0


@dataclass(frozen=True, slots=True)
class ThreadStatus:
    """The line under a thread that says who is at what, until it is two minutes old."""

    author: str
    text: str
    since: float  # seconds since the epoch


@dataclass
class Upload:
    """A file between its first and its last step."""

    name: str
    length: int
    content: bytes | None = None


@dataclass
class OpenModal:
    """A view in front of somebody, and what it says about the last submission.

    `channel`: the id of where they were when it opened, or ""; `filled`: what they had filled in
    when they last sent or clicked something in it, by control.
    """

    person: StoredPerson
    view: Json
    errors: dict[str, str] = field(default_factory=dict)
    channel: str = ""
    filled: dict[str, str | Sequence[str]] = field(default_factory=dict)
    revision: int = 0


class WorkspaceState:
    """Everything that exists in one team. The façade and the Web API both speak to this.

    Several teams have one lock, one clock and one row of numbers: those of the first.
    """

    def __init__(
        self,
        people: Sequence[str],
        channels: Sequence[str],
        bot_in: Sequence[str] | None,
        admins: Sequence[str],
        *,
        shared: Sequence[str] = (),
        team: SlackTeam = FIRST_TEAM,
        host: "WorkspaceState | None" = None,
    ) -> None:
        """`shared`: the channels that all teams are in; `host`: the first of these teams."""
        self.team = team
        self.host = host or self
        self.lock: threading.RLock = threading.RLock() if host is None else host.lock
        self.changes: Changes = Changes() if host is None else host.changes
        self.teams: list[WorkspaceState] = [] if host is None else host.teams
        self.teams.append(self)
        self.people = [
            StoredPerson(f"U0PM{10_000 * (team.number - 1) + n:05d}", name, name in admins, team)
            for n, name in enumerate(people, 1)
        ]
        self.channels = [
            _channel(f"{place}{n:05d}", name, bot_in, connected=place == SHARED)
            for place, names in (("0CH", channels), (SHARED, shared))
            for n, name in enumerate(names, 1)
        ]
        unknown = (set(admins) - set(people)) | (set(bot_in or ()) - {*channels, *shared})
        if unknown:
            raise ValueError(f"neither people nor channels of this workspace: {sorted(unknown)}")
        self.posts: dict[tuple[str, str], StoredPost] = {}
        self.ephemerals: list[StoredEphemeral] = []
        self.statuses: dict[tuple[str, str], ThreadStatus] = {}  # by channel and root
        self.pings: list[Ping] = []
        self.files: list[WorkspaceFile] = []
        self.uploads: dict[str, Upload] = {}
        self.modals: dict[str, OpenModal] = {}
        self.homes: dict[str, Json] = {}
        self.unknown_blocks: frozenset[str] = frozenset()  # types that are refused
        self.last_us = 0
        # Never the same in two workspaces: a bot that keeps its database would take the ids of the
        # second one for deliveries that it knows.
        self.serial = time.time_ns() // 1_000_000

    # what exists

    def person(self, name_or_id: str) -> StoredPerson:
        """A person by name or id. Raises `KeyError` for anybody else."""
        for person in self.people:
            if name_or_id in (person.name, person.id):
                return person
        names = ", ".join(person.name for person in self.people)
        raise KeyError(f"nobody here is called {name_or_id!r}; people: {names}")

    def channel(self, name_or_id: str) -> Channel:
        """A channel by name or id. Raises `KeyError` for any other."""
        for channel in self.channels:
            if name_or_id.removeprefix("#") in (channel.name, channel.id):
                return channel
        names = ", ".join(channel.name for channel in self.channels)
        raise KeyError(f"no channel is called {name_or_id!r}; channels: {names}")

    @property
    def names(self) -> Names:
        """Who and what a reader of this team meets, people of other teams included."""
        users: dict[str, str] = {}
        for state in (*self.partners, self):  # its own last: they come first where names are alike
            users |= {person.id: person.name for person in state.people}
            users[state.team.bot_user_id] = BOT_NAME
        return Names(users, {channel.id: channel.name for channel in self.channels})

    @property
    def partners(self) -> "Sequence[WorkspaceState]":
        """The other teams that are in a channel of this one."""
        shares = any(channel.id[1:].startswith(SHARED) for channel in self.channels)
        return [state for state in self.teams if shares and state is not self]

    def sharing(self, channel: Channel) -> "Sequence[WorkspaceState]":
        """The teams that this channel is of, this one among them."""
        return self.teams if channel.id[1:].startswith(SHARED) else [self]

    def home_of(self, person: StoredPerson) -> "WorkspaceState":
        """The team of that person."""
        return next(state for state in self.teams if state.team == person.team)

    def member(self, channel: Channel, user: str) -> StoredPerson | None:
        """The person of that id, of whichever team, if they are in the channel."""
        for state in self.sharing(channel):
            for person in state.people:
                if person.id == user:
                    return person if state.channel(channel.id).has(person) else None
        return None

    @property
    def mentionable(self) -> dict[str, str]:
        return {name: user for user, name in self.names.users.items()}

    # identity

    def next_ts(self) -> str:
        """Unique and strictly increasing in all teams, from real time."""
        if self.host is not self:
            return self.host.next_ts()
        self.last_us = max(time.time_ns() // 1_000, self.last_us + 1)
        return f"{self.last_us // 1_000_000}.{self.last_us % 1_000_000:06d}"

    def next_id(self, prefix: str) -> str:
        if self.host is not self:
            return self.host.next_id(prefix)
        self.serial += 1
        return f"{prefix}0{self.serial:08d}"

    # messages

    def find(self, channel: Channel, ts: str) -> StoredPost | None:
        """A message that is still there."""
        post = self.posts.get((channel.id, ts))
        return None if post is None or post.deleted else post

    def in_channel(self, channel: Channel) -> Iterator[StoredPost]:
        """Every message of a channel, deleted ones included, oldest first."""
        return (post for post in self.posts.values() if post.channel.id == channel.id)

    def replies(self, root: StoredPost) -> list[StoredPost]:
        return [
            post
            for post in self.in_channel(root.channel)
            if post.thread_ts == root.ts and post.ts != root.ts and not post.deleted
        ]

    def add(self, post: StoredPost) -> StoredPost:
        post.blocks = self.with_ids(post.blocks)
        root = self.posts.get((post.channel.id, post.root_ts))
        post.parent_user = root.user if root else None
        for state in self.sharing(post.channel):
            state.posts[post.channel.id, post.ts] = post
            if post.by_bot:
                state.statuses.pop((post.channel.id, post.root_ts), None)
        self.touch(post)
        return post

    def bot_post(self, channel: Channel, text: str, **more: Any) -> StoredPost:
        """A message of the app, not yet added."""
        return StoredPost(
            channel=channel,
            ts=self.next_ts(),
            user=self.team.bot_user_id,
            text=text,
            by_bot=True,
            team=self.team,
            **more,
        )

    def status(self, channel: Channel, root_ts: str) -> ThreadStatus | None:
        status = self.statuses.get((channel.id, root_ts))
        return status if status and time.time() < status.since + STATUS_S else None

    def touch(self, item: StoredPost | StoredEphemeral | OpenModal) -> None:
        """It looks different now; so does the root of a reply, which counts its replies."""
        item.revision = self.changes.count()
        root = (
            self.posts.get((item.channel.id, item.root_ts))
            if isinstance(item, StoredPost)
            else None
        )
        if root is not None:
            root.revision = item.revision

    def notify(self, post: StoredPost) -> None:
        """Write down whom this fresh post of the bot notifies."""
        author = post.username or BOT_NAME
        for person in reader_text.notified(post.blocks, post.text, self.names):
            self.pings.append(Ping(author, person, post.channel.name, post.ts))

    def add_ephemeral(self, ephemeral: StoredEphemeral) -> StoredEphemeral:
        ephemeral.blocks = self.with_ids(ephemeral.blocks)
        self.home_of(ephemeral.to).ephemerals.append(ephemeral)
        self.touch(ephemeral)
        return ephemeral

    def find_ephemeral(self, channel: Channel, ts: str, to: StoredPerson) -> StoredEphemeral | None:
        for ephemeral in self.ephemerals:
            if (ephemeral.channel.id, ephemeral.ts, ephemeral.to) == (channel.id, ts, to):
                return ephemeral
        return None

    def with_ids(self, blocks: Sequence[Json]) -> list[Json]:
        """A copy of the blocks in which everything that needs an id has one, as Slack gives."""
        copied: list[Json] = json.loads(json.dumps(list(blocks)))
        for block in every_block(copied):
            block.setdefault("block_id", self.next_id("b"))
            for element in elements_of(block):
                if element["type"] != "image":
                    element.setdefault("action_id", self.next_id("a"))
        return copied

    def stored_view(
        self,
        view: Json,
        view_id: str | None = None,
        *,
        over: Json | None = None,
        instead: Json | None = None,
    ) -> Json:
        """A view as Slack returns it: with ids, a hash, whose it is and its place in the stack.

        `over`: the view it was pushed on; `instead`: the view whose place it takes.
        """
        view_id = view_id or self.next_id("V")
        team, bot_id = self.team.id, self.team.bot_id
        stored = shape("view") | view | shape("stored_view", id=view_id, root_view_id=view_id)
        stored |= {"team_id": team, "app_installed_team_id": team, "bot_id": bot_id}
        stored |= {"hash": self.next_ts(), "blocks": self.with_ids(view["blocks"])}
        if over is not None:
            places = {"previous_view_id": over["id"], "root_view_id": over["root_view_id"]}
        elif instead is not None:
            places = {key: instead[key] for key in ("previous_view_id", "root_view_id")}
        else:
            places = {}
        return stored | places
