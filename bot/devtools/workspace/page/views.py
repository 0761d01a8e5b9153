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
from bot.devtools.workspace.state import Channel, OpenModal, StoredPerson, StoredPost, ThreadStatus
from bot.devtools.workspace.values import Json, Names

if TYPE_CHECKING:
    from bot.devtools.workspace.team import LocalTeam

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
class PageContent:
    """All of it at one moment. The views of Slack in it are replaced there, never changed."""

    version: int
    names: Names
    channel: Channel
    listed: Sequence[ListedChannel]
    messages: Pane | None
    root: str
    replies: Pane | None
    status: ThreadStatus | None  # of the thread that is open
    modals: Sequence[OpenModal]
    home: Json | None
    connections: int
    installed: bool
    trouble: dict[str, Any]


class PageViews:
    def __init__(
        self,
        slack: "LocalTeam",
        marks: Marks,
        offers: Offers,
        token: str,
    ) -> None:
        self._slack = slack
        self._world = slack.world
        self._marks = marks
        self._offers = offers
        self._token = token

    def page(self, query: PageQuery) -> str:
        """All of the HTML; with `at` and no thread, the thread of a reply is opened too."""
        content = self._content(query)
        where = self._where(query, content)
        parts = self._parts(query, content)
        return rendering.template(
            "page.html",
            base=self._address(self._slack),
            teams=[(self._address(team), team.team_name) for team in self._slack.front.teams],
            asked=query,
            content=content,
            view=_view(query),
            parts={name: Markup(part["html"]) for name, part in parts.items()},  # noqa: S704 - ours
            stamps={name: part["stamp"] for name, part in parts.items()},
            help=rendering.help_of(self._offers, list(content.names.users.values())),
            messages=_joined(content.messages, "channel", content.names, where),
            replies=_joined(content.replies, "thread", content.names, where),
            modals=[Markup(rendering.modal(modal, content.names)) for modal in content.modals],  # noqa: S704
            earlier=self._earlier(query, content),
            home=self._home(query.who, content),
            **where,
        )

    def state(self, query: PageQuery) -> dict[str, Any]:
        """What a page needs that was last right at `since`."""
        content = self._content(query)
        where, since = self._where(query, content), query.since
        answer: dict[str, Any] = {"version": content.version, "parts": self._parts(query, content)}
        for place, pane in (("channel", content.messages), ("thread", content.replies)):
            if pane is not None:
                answer[place] = rendering.items(pane, place, since, content.names, **where)
        if query.home:
            html = self._home(query.who, content)
            answer["parts"]["home"] = {"html": html, "stamp": rendering.stamp(html)}
        answer["modals"] = [
            {
                "id": modal.view["id"],
                "revision": modal.revision,
                "html": rendering.modal(modal, content.names) if modal.revision > since else None,
            }
            for modal in content.modals
        ]
        return answer

    def _address(self, team: "LocalTeam") -> str:
        return f"/{self._token}{team.world.team.path}/"

    # gathering

    def _content(self, query: PageQuery) -> PageContent:
        with self._world.lock:
            reading = PageReading(self._world, self._marks, query.who)
            channel = query.channel or self._world.channels[0]
            root = self._root(channel, query)
            messages = None
            if not query.home:
                at = root.ts if root and query.at else query.at
                messages = reading.channel(channel, query.begin, at)
            replies = None
            if root is not None and not query.home:
                replies = reading.thread(channel, root, query.thread_begin, query.at)
            faults = self._slack.faults
            return PageContent(
                version=self._world.changes.version,
                names=reading.names,
                channel=channel,
                listed=reading.listed(),
                messages=messages,
                root=root.ts if root else "",
                replies=replies,
                status=self._world.status(channel, root.ts) if root else None,
                modals=[
                    modal for modal in self._world.modals.values() if modal.person == query.who
                ],
                home=self._world.homes.get(query.who.id),
                connections=self._slack.front.connections,
                installed=self._slack.installed,
                trouble={
                    "planned": faults.planned,
                    "redeliveries": faults.redeliveries,
                    "revoked": faults.revoked,
                },
            )

    def _root(self, channel: Channel, query: PageQuery) -> StoredPost | None:
        """The root of the thread that is open: the one asked for, or that of the reply at `at`."""
        ts = query.thread
        if query.at:
            post = self._world.posts.get((channel.id, query.at))
            if post is None or (post.deleted and not self._world.replies(post)):
                if not query.since:
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

    def _where(self, query: PageQuery, content: PageContent) -> dict[str, Any]:
        return {
            "who": query.who,
            "channel": content.channel,
            "root": content.root,
            "url": lambda place="", **parameters: _url(query.who, place, **parameters),
            "palette": {person.name: place for place, person in enumerate(self._world.people)},
            "archives": f"{self._world.team.path}/archives/",
        }

    def _parts(self, query: PageQuery, content: PageContent) -> dict[str, dict[str, str]]:
        where = self._where(query, content)
        html = {
            "sidebar": rendering.template(
                "sidebar.html", asked=query, content=content, people=self._world.people, **where
            ),
            "planned": rendering.template("planned.html", content=content),
            "status": rendering.template("status.html", status=content.status),
        }
        return {name: {"html": part, "stamp": rendering.stamp(part)} for name, part in html.items()}

    def _home(self, person: StoredPerson, content: PageContent) -> str:
        if content.home is None:
            return rendering.template("no_home.html")
        body = view_body(content.home, content.names, viewer=person.id)
        return rendering.template("home.html", view=content.home, body=body)

    def _earlier(self, query: PageQuery, content: PageContent) -> dict[str, str]:
        """Where "Show earlier" leads, for each of the two panes."""
        links = {"channel": "", "thread": ""}
        position = {"thread": content.root, "begin": query.begin, "tbegin": query.thread_begin}
        place = f"c/{content.channel.id}"
        panes = (("channel", "begin", content.messages), ("thread", "tbegin", content.replies))
        for name, key, pane in panes:
            if pane is not None and pane.earlier:
                links[name] = _url(query.who, place, **position | {key: pane.earlier})
        return links


def _joined(
    pane: Pane | None, place: str, names: Names, where: dict[str, Any]
) -> dict[str, Any] | None:
    if pane is None:
        return None
    drawn = rendering.items(pane, place, -1, names, **where)
    html = Markup("").join(Markup(drawn["html"][key]) for key in drawn["keys"])  # noqa: S704
    return {"html": html, "hidden": pane.hidden, "latest": pane.latest, "unread": pane.unread}


def _view(query: PageQuery) -> str:
    if query.home:
        return "home"
    return "channel" if query.channel is not None else "list"


def _url(person: StoredPerson, place: str, **query: str) -> str:
    parameters = {name: value for name, value in query.items() if value}
    return f"{place or '.'}?{urlencode({'as': person.id, **parameters})}"
