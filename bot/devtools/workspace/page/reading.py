"""What a person sees of the workspace now, as values: panes, lines, the list of channels.

Read under the workspace's lock and rendered without it. Nothing here is HTML.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.devtools.workspace import reader_text
from bot.devtools.workspace.state import (
    SLACKBOT,
    Channel,
    StoredEphemeral,
    StoredPerson,
    StoredPost,
    WorkspaceState,
)
from bot.devtools.workspace.text import tokens_read, unescape
from bot.devtools.workspace.values import Json, Names


@dataclass(slots=True)
class Marks:
    """What each person has read and put away, while the workspace runs; guarded by its lock.

    `since`: the ts of the page's beginning; messages before it are old to everybody.
    """

    since: str
    read: dict[tuple[str, str, str], str] = field(default_factory=dict)
    dismissed: set[tuple[str, str]] = field(default_factory=set)

    def read_up_to(self, person: str, channel: str, root: str = "") -> str:
        """The ts of the last message read in a channel, or in the thread of `root`."""
        return self.read.get((person, channel, root), self.since)

    def mark(self, person: str, channel: str, root: str, ts: str) -> bool:
        """True if that is news."""
        if ts <= self.read_up_to(person, channel, root):
            return False
        self.read[person, channel, root] = ts
        return True


LINES_SHOWN: Final = 100
BEFORE_THE_ONE: Final = 20
"""How many messages come before one that a link leads to."""
REPLIERS_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class ShownReaction:
    name: str
    users: tuple[str, ...]
    mine: bool


@dataclass(frozen=True, slots=True)
class Attached:
    id: str
    name: str
    title: str
    size: int
    there: bool


@dataclass(frozen=True, slots=True)
class ThreadFoot:
    """What a root shows of its thread."""

    count: int
    last: datetime
    people: tuple[str, ...]
    fresh: int


@dataclass(frozen=True, slots=True)
class PageMessage:
    """One message in a pane. `source` is what its author would edit."""

    key: str
    ts: str
    root_ts: str
    revision: int
    when: datetime
    author: str
    by_app: bool
    text: str
    blocks: Sequence[Json]
    emoji: str = ""
    edited: bool = False
    gone: bool = False
    own: bool = False
    private: bool = False
    source: str = ""
    reactions: tuple[ShownReaction, ...] = ()
    files: tuple[Attached, ...] = ()
    replies: ThreadFoot | None = None


@dataclass(frozen=True, slots=True)
class Pane:
    """`earlier`: the ts to begin with to see more; empty when all is shown."""

    lines: tuple[PageMessage, ...]
    earlier: str = ""
    hidden: int = 0
    latest: str = ""
    unread: bool = False


@dataclass(frozen=True, slots=True)
class ListedChannel:
    """A channel in the list."""

    channel: Channel
    unread: bool
    mentions: int


@dataclass(slots=True)
class PageReading:
    """One person's view; made anew for every request."""

    world: WorkspaceState
    marks: Marks
    viewer: StoredPerson
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        self.names = self.world.names

    def channel(self, channel: Channel, begin: str, at: str) -> Pane:
        replies: dict[str, list[StoredPost]] = defaultdict(list)
        roots: list[StoredPost] = []
        for post in self.world.in_channel(channel):
            if post.thread_ts is not None and post.thread_ts != post.ts:
                if not post.deleted:
                    replies[post.thread_ts].append(post)
            else:
                roots.append(post)
        posts: list[StoredPost | StoredEphemeral] = [
            post for post in roots if not post.deleted or post.ts in replies
        ]
        posts += self._ephemerals(channel, "")
        return self._pane(posts, channel, "", begin, at, replies)

    def thread(self, channel: Channel, root: StoredPost, begin: str, at: str) -> Pane:
        posts: list[StoredPost | StoredEphemeral] = [root, *self.world.replies(root)]
        posts += self._ephemerals(channel, root.ts)
        return self._pane(posts, channel, root.ts, begin, at, {})

    def _pane(
        self,
        posts: list[StoredPost | StoredEphemeral],
        channel: Channel,
        root: str,
        begin: str,
        at: str,
        replies: dict[str, list[StoredPost]],
    ) -> Pane:
        posts.sort(key=lambda post: post.ts)
        first = self._first([post.ts for post in posts], begin, at)
        earlier = posts[max(0, first - LINES_SHOWN)].ts if first else ""
        lines = posts[first:]
        if root and first:
            lines.insert(0, posts[0])  # a thread always shows what it is about
        latest = posts[-1].ts if posts else ""
        read = self.marks.read_up_to(self.viewer.id, channel.id, root)
        return Pane(
            lines=tuple(self._line(post, replies.get(post.ts, ())) for post in lines),
            earlier=earlier,
            hidden=first - 1 if root and first else first,
            latest=latest,
            unread=any(post.ts > read and self._news(post) for post in posts),
        )

    def _first(self, times: list[str], begin: str, at: str) -> int:
        first = max(0, len(times) - LINES_SHOWN)
        if begin:
            first = min(first, sum(ts < begin for ts in times))
        if at:
            first = min(first, max(0, sum(ts < at for ts in times) - BEFORE_THE_ONE))
        return first

    def listed(self) -> list[ListedChannel]:
        """Every channel with what is new in it. Only what is unread is looked at closely."""
        unread: set[str] = set()
        mentions: dict[str, int] = defaultdict(int)
        me = f"@{self.viewer.name}"
        for post in self.world.posts.values():
            if post.ts <= self.marks.since or post.deleted or not self._news(post):
                continue
            reply = post.root_ts != post.ts
            root = post.root_ts if reply else ""
            if post.ts <= self.marks.read_up_to(self.viewer.id, post.channel.id, root):
                continue
            if not reply:
                unread.add(post.channel.id)
            if me in reader_text.notified(post.blocks, post.text, self.names):
                mentions[post.channel.id] += 1
        return [ListedChannel(c, c.id in unread, mentions[c.id]) for c in self.world.channels]

    def _news(self, post: StoredPost | StoredEphemeral) -> bool:
        return isinstance(post, StoredEphemeral) or post.user != self.viewer.id

    def _ephemerals(self, channel: Channel, root: str) -> list[StoredEphemeral]:
        return [
            ephemeral
            for ephemeral in self.world.ephemerals
            if ephemeral.channel.id == channel.id
            and ephemeral.to == self.viewer
            and (ephemeral.thread_ts or "") == root
            and (channel.id, ephemeral.ts) not in self.marks.dismissed
        ]

    def _line(
        self, post: StoredPost | StoredEphemeral, replies: Sequence[StoredPost]
    ) -> PageMessage:
        is_private = isinstance(post, StoredEphemeral)
        line = PageMessage(
            key=f"{'w' if is_private else 'm'}{post.ts}",
            ts=post.ts,
            root_ts=post.thread_ts or post.ts,
            revision=post.revision,
            when=_when(post.ts),
            author=post.author if isinstance(post, StoredEphemeral) else self._author(post),
            by_app=True,
            text=post.text,
            blocks=post.blocks,
            private=is_private,
        )
        if isinstance(post, StoredEphemeral):
            return line
        own = post.user == self.viewer.id
        return replace(
            line,
            by_app=post.by_bot,
            emoji=str((post.icons or {}).get("emoji", "")).strip(":"),
            edited=post.edited_ts is not None,
            gone=post.deleted,
            own=own,
            source=self._source(post) if own else "",
            reactions=tuple(self._reactions(post)),
            files=tuple(self._files(post)),
            replies=self._replies(post, replies) if replies else None,
        )

    def _author(self, post: StoredPost) -> str:
        if post.deleted:
            return SLACKBOT
        return post.username or self.names.users.get(post.user, post.user)

    def _source(self, post: StoredPost) -> str:
        return unescape(tokens_read(post.text, self.names.users, self.names.channels))

    def _reactions(self, post: StoredPost) -> Iterable[ShownReaction]:
        for name, users in post.reactions.items():
            people = tuple(self.names.users.get(user, user) for user in users)
            yield ShownReaction(name, people, self.viewer.id in users)

    def _files(self, post: StoredPost) -> Iterable[Attached]:
        states = (self.world, *self.world.partners)
        ids = {file.id for state in states for file in state.files}
        for file in post.files:
            yield Attached(file["id"], file["name"], file["title"], file["size"], file["id"] in ids)

    def _replies(self, root: StoredPost, replies: Sequence[StoredPost]) -> ThreadFoot:
        read = self.marks.read_up_to(self.viewer.id, root.channel.id, root.ts)
        people = dict.fromkeys(self._author(post) for post in replies)
        return ThreadFoot(
            count=len(replies),
            last=_when(replies[-1].ts),
            people=tuple(people)[:REPLIERS_SHOWN],
            fresh=sum(post.ts > read and self._news(post) for post in replies),
        )


def _when(ts: str) -> datetime:
    return datetime.fromtimestamp(float(ts)).astimezone()
