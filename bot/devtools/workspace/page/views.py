"""A whole page, and what has changed of it since: both put together from the same parts.

Everything is gathered in one hold of the workspace's lock and rendered after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from markupsafe import Markup

from bot.devtools.workspace.page import rendering
from bot.devtools.workspace.page.acting import RefusedError
from bot.devtools.workspace.page.draw.blocks import view_body
from bot.devtools.workspace.page.manifest import Offers
from bot.devtools.workspace.page.reading import ListedChannel, Marks, PageReading, Pane
from bot.devtools.workspace.state import (
    Channel,
    OpenModal,
    StoredPerson,
    StoredPost,
    WorkspaceState,
)
from bot.devtools.workspace.values import Json, Names

if TYPE_CHECKING:
    from bot.devtools.workspace.server import LocalWorkspace

GONE: Final = "That message is not there any more."


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Who looks at what. `begin` and `thread_begin`: from which ts; `at`: the one to show."""

    who: StoredPerson
    channel: Channel | None = None
    home: bool = False
    thread: str = ""
    begin: str = ""
    thread_begin: str = ""
    at: str = ""
    since: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """All of it at one moment. The views of Slack in it are replaced there, never changed."""

    version: int
    names: Names
    channel: Channel
    listed: Sequence[ListedChannel]
    messages: Pane | None
    root: str
    replies: Pane | None
    modals: Sequence[OpenModal]
    home: Json | None
    connections: int
    trouble: dict[str, Any]


class PageViews:
    def __init__(
        self,
        slack: "LocalWorkspace",
        world: WorkspaceState,
        marks: Marks,
        offers: Offers,
        base: str,
    ) -> None:
        self._slack = slack
        self._world = world
        self._marks = marks
        self._offers = offers
        self._base = base

    def page(self, asked: PageQuery) -> str:
        """All of the HTML; with `at` and no thread, the thread of a reply is opened too."""
        seen = self._seen(asked)
        where = self._where(asked, seen)
        parts = self._parts(asked, seen)
        return rendering.template(
            "page.html",
            base=self._base,
            asked=asked,
            seen=seen,
            view=_view(asked),
            parts={name: Markup(part["html"]) for name, part in parts.items()},  # noqa: S704 - ours
            stamps={name: part["stamp"] for name, part in parts.items()},
            help=rendering.help_of(self._offers, list(seen.names.users.values())),
            messages=_joined(seen.messages, "channel", seen.names, where),
            replies=_joined(seen.replies, "thread", seen.names, where),
            modals=[Markup(rendering.modal(one, seen.names)) for one in seen.modals],  # noqa: S704
            earlier=self._earlier(asked, seen),
            home=self._home(asked.who, seen),
            **where,
        )

    def state(self, asked: PageQuery) -> dict[str, Any]:
        """What a page needs that was last right at `since`."""
        seen = self._seen(asked)
        where, since = self._where(asked, seen), asked.since
        answer: dict[str, Any] = {"version": seen.version, "parts": self._parts(asked, seen)}
        if seen.messages is not None:
            answer["channel"] = rendering.items(
                seen.messages, "channel", since, seen.names, **where
            )
        if seen.replies is not None:
            answer["thread"] = rendering.items(seen.replies, "thread", since, seen.names, **where)
        if asked.home:
            html = self._home(asked.who, seen)
            answer["parts"]["home"] = {"html": html, "stamp": rendering.stamp(html)}
        answer["modals"] = [
            {
                "id": one.view["id"],
                "revision": one.revision,
                "html": rendering.modal(one, seen.names) if one.revision > since else None,
            }
            for one in seen.modals
        ]
        return answer

    # gathering

    def _seen(self, asked: PageQuery) -> Seen:
        with self._world.lock:
            reading = PageReading(self._world, self._marks, asked.who)
            channel = asked.channel or self._world.channels[0]
            root = self._root(channel, asked)
            messages = None
            if not asked.home:
                at = root.ts if root and asked.at else asked.at
                messages = reading.channel(channel, asked.begin, at)
            replies = None
            if root is not None and not asked.home:
                replies = reading.thread(channel, root, asked.thread_begin, asked.at)
            faults = self._slack.faults
            return Seen(
                version=self._world.changes.version,
                names=reading.names,
                channel=channel,
                listed=reading.listed(),
                messages=messages,
                root=root.ts if root else "",
                replies=replies,
                modals=[one for one in self._world.modals.values() if one.person == asked.who],
                home=self._world.homes.get(asked.who.id),
                connections=self._slack.connections,
                trouble={
                    "planned": faults.planned,
                    "redeliveries": faults.redeliveries,
                    "revoked": faults.revoked,
                },
            )

    def _root(self, channel: Channel, asked: PageQuery) -> StoredPost | None:
        """The root of the thread that is open: the one asked for, or that of the reply at `at`."""
        ts = asked.thread
        if asked.at:
            post = self._world.posts.get((channel.id, asked.at))
            if post is None or (post.deleted and not self._world.replies(post)):
                if not asked.since:
                    raise RefusedError(404, GONE)
            elif not ts and post.root_ts != post.ts:
                ts = post.root_ts
        if not ts:
            return None
        root = self._world.posts.get((channel.id, ts))
        if root is None:
            raise RefusedError(404, "That thread is not there any more.")
        return self._world.posts.get((channel.id, root.root_ts))

    # parts

    def _where(self, asked: PageQuery, seen: Seen) -> dict[str, Any]:
        return {
            "who": asked.who,
            "channel": seen.channel,
            "root": seen.root,
            "url": lambda place="", **query: _url(asked.who, place, **query),
            "palette": {one.name: place for place, one in enumerate(self._world.people)},
            "archive": f"/archives/{seen.channel.id}/p",
        }

    def _parts(self, asked: PageQuery, seen: Seen) -> dict[str, dict[str, str]]:
        where = self._where(asked, seen)
        html = {
            "sidebar": rendering.template(
                "sidebar.html", asked=asked, seen=seen, people=self._world.people, **where
            ),
            "planned": rendering.template("planned.html", seen=seen),
        }
        return {name: {"html": part, "stamp": rendering.stamp(part)} for name, part in html.items()}

    def _home(self, who: StoredPerson, seen: Seen) -> str:
        if seen.home is None:
            return rendering.template("no_home.html")
        body = view_body(seen.home, seen.names, viewer=who.id)
        return rendering.template("home.html", view=seen.home, body=body)

    def _earlier(self, asked: PageQuery, seen: Seen) -> dict[str, str]:
        """Where "Show earlier" leads, for each of the two panes."""
        links = {"channel": "", "thread": ""}
        kept = {"thread": seen.root, "begin": asked.begin, "tbegin": asked.thread_begin}
        place = f"c/{seen.channel.id}"
        if seen.messages is not None and seen.messages.earlier:
            links["channel"] = _url(asked.who, place, **kept | {"begin": seen.messages.earlier})
        if seen.replies is not None and seen.replies.earlier:
            links["thread"] = _url(asked.who, place, **kept | {"tbegin": seen.replies.earlier})
        return links


def _joined(
    pane: Pane | None, place: str, names: Names, where: dict[str, Any]
) -> dict[str, Any] | None:
    if pane is None:
        return None
    found = rendering.items(pane, place, -1, names, **where)
    html = Markup("").join(Markup(found["html"][key]) for key in found["keys"])  # noqa: S704
    return {"html": html, "hidden": pane.hidden, "latest": pane.latest, "unread": pane.unread}


def _view(asked: PageQuery) -> str:
    if asked.home:
        return "home"
    return "channel" if asked.channel is not None else "list"


def _url(who: StoredPerson, place: str, **query: str) -> str:
    said = {name: value for name, value in query.items() if value}
    return f"{place or '.'}?{urlencode({'as': who.id, **said})}"
