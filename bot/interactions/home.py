"""The Home tab of whoever opens it: what it shows, and when it is published anew.

A tab is published when it is opened and after its own clicks; for people who opened it lately also
when the card of one of their sessions is painted. All of it in one worker of its own: never before
an acknowledgement, several wishes for one person are one, and the latest commit is what is shown.
"""

import threading
from collections.abc import Callable, Mapping, Set
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Final

import structlog

from bot.payloads.links import post_link
from bot.publish.background import After, after, guarded
from bot.views.home import PAGE_SESSIONS, HomeLine, HomePage, home
from bot.views.kit.names import Names
from bot.views.kit.wording import WORDING
from bot.web_api.channels import Channels
from bot.web_api.client import SlackClient
from bot.web_api.directory import SlackDirectory
from core.domain.ids import ChannelId, UserId
from core.domain.session.session import Session
from core.ports import InvolvedSession, Later, Post, SessionEntry, SessionReader, Workspace
from core.store.repository.home_viewers import HomeViewers

LATELY_S: Final = 1_800.0  # after that somebody has gone on to something else
TRIES_MAX: Final = 3
TRY_AGAIN_S: Final = 2.0  # where Slack does not say when
LOOKING_MAX: Final = 1_000  # people; the one who looked longest ago is forgotten first

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Looking:
    """What somebody looks at, and until when that is believed."""

    page: int
    until: float
    note: str = ""
    tries: int = 0  # that Slack had no time for


class Homes:
    def __init__(
        self,
        reader: SessionReader,
        slack: SlackClient,
        names: SlackDirectory,
        channels: Channels,
        workspace: Workspace,
        executor: Executor,
        now: Callable[[], float],
        after: After = after,
        viewers: HomeViewers | None = None,
    ) -> None:
        """`viewers`: of several processes, where each finds whom another shows a tab."""
        self._reader = reader
        self._slack = slack
        self._names = names
        self._channels = channels
        self._workspace = workspace
        self._executor = executor
        self._now = now
        self._after = after
        self._viewers = viewers
        self._lock = threading.Lock()
        self._looking: dict[UserId, _Looking] = {}
        self._wanted: set[UserId] = set()
        self._stopped = False

    def stop(self) -> None:
        """Nothing is published after this returns."""
        with self._lock:
            self._stopped = True
        self._executor.shutdown(wait=True, cancel_futures=True)

    # ── when ──

    def show(self, user: UserId, page: int | None = None, note: str = "") -> None:
        """Show that page, without one the page of before; `note` has no other place to be said."""
        with self._lock:
            looking = self._looking.pop(user, _Looking(0, 0.0))
            if len(self._looking) >= LOOKING_MAX:
                self._looking.pop(next(iter(self._looking)))
            number = looking.page if page is None else page
            looking = self._looking[user] = _Looking(number, self._now() + LATELY_S, note)
        self._want(user)
        self._share(user, looking)

    def changed(self, session: Session) -> None:
        """Whoever it concerns and looks at their tab sees it change."""
        concerned = {
            session.owner,
            *session.people.answered,
            *(proposal.by for proposal in session.proposals),
        }
        if self._viewers is None:
            self._want_lately(concerned)
        else:
            self._soon(lambda: self._want_lately(concerned))

    def _want_lately(self, concerned: Set[UserId]) -> None:
        self._learn(concerned)
        with self._lock:
            at = self._now()
            lately = [
                user
                for user in concerned
                if user in self._looking and self._looking[user].until > at
            ]
        for user in lately:
            self._want(user)

    def _share(self, user: UserId, looking: _Looking) -> None:
        """Let other processes know, beside whoever waits for an acknowledgement."""
        viewers, team = self._viewers, self._workspace.team
        if viewers is None:
            return

        def save() -> None:
            viewers.save(team, user, looking.page, now=self._now(), until=looking.until)

        self._soon(save)

    def _soon(self, job: Callable[[], None]) -> None:
        """In the worker: a database that does not respond holds up nobody."""
        with self._lock:
            if not self._stopped:
                self._executor.submit(guarded(job, "home.broke"))

    def _learn(self, concerned: Set[UserId]) -> None:
        """What other processes know of these people, as the one that showed it last has it."""
        if self._viewers is None:
            return
        shared = self._viewers.of(self._workspace.team, self._now())
        with self._lock:
            for user in concerned & shared.keys():
                page, until = shared[user]
                if user not in self._looking or self._looking[user].until < until:
                    self._looking[user] = _Looking(page, until)

    def _want(self, user: UserId) -> None:
        with self._lock:
            if self._stopped or user in self._wanted:
                return  # the one that waits will show this as well
            self._wanted.add(user)
            self._executor.submit(guarded(lambda: self._publish(user), "home.broke"))

    # ── what ──

    def _publish(self, user: UserId) -> None:
        with self._lock:
            self._wanted.discard(user)  # whatever is committed from here on is another wish
            looking = self._looking.get(user, _Looking(0, 0.0))
        inside = self._channels.of(user)
        page, names = self.page(user, looking.page, inside or {})
        unknown = WORDING.home_channels_unknown if inside is None else ""
        note = f"{looking.note} {unknown}".strip()
        failure = self._slack.publish_home(user, home(page, names, note))
        if failure is not None:
            log.warning("home.failed", error=str(failure))
        again = isinstance(failure, Later) and looking.tries < TRIES_MAX
        with self._lock:
            if self._looking.get(user) is looking:  # else somebody has turned the page meanwhile
                tried = replace(looking, tries=looking.tries + 1)
                published = replace(
                    looking, page=page.number, note="", tries=0
                )  # a note is said once
                self._looking[user] = tried if again else published
        if isinstance(failure, Later) and again:
            seconds = TRY_AGAIN_S if failure.seconds is None else failure.seconds
            self._after(seconds, lambda: self._want(user))

    def page(
        self, user: UserId, number: int, inside: Mapping[ChannelId, str]
    ) -> tuple[HomePage, Names]:
        """A page of their sessions in those channels, which are given with their names.

        Three queries, however many there are.
        """
        sessions = self._reader.sessions_involving(self._workspace.team, user)
        every = [session for session in sessions if session.channel in inside]
        pages = max(-(-len(every) // PAGE_SESSIONS), 1)
        number = min(max(number, 0), pages - 1)
        page_sessions = every[number * PAGE_SESSIONS :][:PAGE_SESSIONS]
        entries = self._reader.entries([session.id for session in page_sessions])
        since = {session.id: session for session in page_sessions}
        listed = [
            self._line(user, entry, since[entry.session.id], inside[entry.session.channel])
            for entry in entries
        ]
        awaited = {person for entry in entries for person in entry.session.awaited}
        names = self._names.names(self._workspace.team, awaited - {user})
        waiting = sum(session.waiting_since is not None for session in every)
        return HomePage(listed, self._now(), number, pages, len(every), waiting), names

    def _line(
        self, user: UserId, entry: SessionEntry, listed: InvolvedSession, channel: str
    ) -> HomeLine:
        session = entry.session
        return HomeLine(
            session,
            listed.waiting_since,
            confirms=session.has_proposal_of(user),
            channel=channel,
            step=entry.step,
            card_url=self._url(entry.card),
            thread_url=self._url(entry.thread),
        )

    def _url(self, post: Post | None) -> str:
        return post_link(self._workspace.url, post)
