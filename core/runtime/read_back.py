"""Reads the current threads again after the bot was away, for what Slack has given up delivering.

One call at a time in each workspace: after a start and after a long loss of connection, never in
between. It keeps no state. A round that is cut short is done anew after the next start, because
everything it finds comes in under the delivery key of its live event, or is compared with its row.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Protocol

import structlog
from tenacity import Retrying, retry_if_result, stop_after_attempt

from core.domain.deliveries import Delivered, delivery_key
from core.domain.events import SecretFound, ThreadsReadBack
from core.domain.ids import ChannelId, SessionId, TeamId, Ts
from core.domain.session.session import ReadBackOff, Session
from core.domain.thread_range import ThreadMessage, ThreadPage, ThreadRange
from core.engine.answers.read_back import Change, Stored, message_changes, reaction_changes
from core.ports import Clock, Later, Limit, Refused, Unclear
from core.runtime.commit import DELIVERY_KEPT_S, Runtime
from core.runtime.intake_scan import scan_event
from core.runtime.pacing import Paces, Pacing
from core.store.queries.read_back import ThreadStart, WatchedThreads

log = structlog.get_logger(__name__)

PAGES_MAX: Final = 10  # of one thread; what lies behind them is read as if it had no end
TRIES_MAX: Final = 5  # of one page
WAIT_S: Final = 5.0  # where Slack does not say how long
YIELD_S_MAX: Final = 10.0  # behind posts that are due, before each call
YIELD_LOOK_S: Final = 0.05
DOUBT_S_MAX: Final = 600.0  # behind posts in doubt, which take calls from the same few
DOUBT_LOOK_S: Final = 0.5
TEAMS_AT_ONCE: Final = 8
LIMITED_CALLS: Final = (
    5  # of a workspace's, within which an app of ours is never asked to wait long
)
LIMITED_WAIT_S: Final = 30.0
TOLD_MAX: Final = 50  # sessions whose cards say at once that nothing can be read


class ThreadPages(Protocol):
    """What stands in a thread now, page by page: for what was missed while the bot was away."""

    def page(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts, since: Ts, cursor: str
    ) -> ThreadPage | Refused | Later | Unclear:
        """One page of the messages from `since` on; `cursor` is empty for the first. One call.

        The message of `since` itself is among them as long as Slack keeps it, and so may be the
        thread's root.

        Bots and outsiders are in it as messages that are nobody's answer. Never raises.
        """


def _nothing() -> None: ...


@dataclass(slots=True)
class _Round:
    """What is read in one workspace.

    `is_limited`: Slack lets this app read one page a minute, of 15 messages, and we did not know.
    """

    calls: int = 0
    is_limited: bool = False


@dataclass(slots=True)
class ReadBack:
    """`pace_s`: seconds between two calls of a workspace; `settle_s`: how old an answer must be to
    be missed.

    `limits`: for an app that Slack lets read next to nothing, those of a workspace's pages.
    `ended`: called when a round was read to its end.
    """

    runtime: Runtime
    pages: ThreadPages
    clock: Clock
    pace_s: float
    settle_s: float
    limits: Callable[[TeamId], tuple[Limit, ...]] | None = None
    pacing: Paces = field(default_factory=Pacing)
    ended: Callable[[], None] = _nothing
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _requested: bool = False
    _reading: bool = False
    _stopped: bool = False
    _thread: threading.Thread | None = None

    @property
    def _watched(self) -> WatchedThreads:
        return WatchedThreads(self.runtime.database)

    @property
    def is_idle(self) -> bool:
        with self._changed:
            return not (self._requested or self._reading)

    def wait_idle(self) -> None:
        """Return when nothing is to be read any more, or after `stop`."""
        with self._changed:
            while (self._requested or self._reading) and not self._stopped:
                self._changed.wait()

    def request(self) -> None:
        """Read all current threads again, soon. Cheap; never blocks."""
        with self._changed:
            self._requested = True
            if self._thread is None and not self._stopped:
                self._thread = threading.Thread(target=self._run, name="read-back", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def stop(self, timeout_s: float = 5.0) -> None:
        """End after the call that is under way. The next start reads again."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _run(self) -> None:
        while self._is_wanted():
            try:
                self.read_all()
            except Exception:  # the next start or reconnect reads again
                log.error("read-back.failed", exc_info=True)
            with self._changed:
                self._reading = False
                self._changed.notify_all()

    def _is_wanted(self) -> bool:
        with self._changed:
            while not (self._requested or self._stopped):
                self._changed.wait()
            self._requested, self._reading = False, not self._stopped
            return not self._stopped

    # ── one round ──

    def read_all(self) -> None:
        """One round. Returns when it is over, or after `stop`."""
        sessions = self._watched.unfinished()
        log.info("read-back.began", sessions=len(sessions))
        of_team = defaultdict[TeamId, list[SessionId]](list)
        for team, session in sessions:
            of_team[team].append(session)
        with ThreadPoolExecutor(TEAMS_AT_ONCE, "read-back") as pool:
            calls = sum(pool.map(self._read_team, of_team.values()))
        log.info("read-back.ended", sessions=len(sessions), calls=calls)
        if not self._stopped:
            self.ended()

    def _read_team(self, sessions: Sequence[SessionId]) -> int:
        """Read those of one workspace. Returns the number of calls."""
        this_round = _Round()
        for number, session in enumerate(sessions):
            if self._stopped:
                break
            try:
                self._read(session, this_round)
            except Exception:  # one session's trouble is not another's
                log.error("read-back.session-failed", session=session, exc_info=True)
            if this_round.is_limited:
                log.warning("read-back.limited", calls=this_round.calls)
                self._tell_limited(sessions[number : number + TOLD_MAX])
                break
        return this_round.calls

    def _read(self, session_id: SessionId, this_round: _Round) -> None:
        session = self._watched.session(session_id)
        if session is None or session.damage:
            return
        read = self._ranges(session, this_round)
        if isinstance(read, Refused):
            log.warning("read-back.refused", session=session_id, error=read.error)
            if read.reason == "permission_missing":
                self._note(session, wrote=False, off="scope")
            return
        changes = self._changes(session, read)
        # First, and again if we are killed in between: afterwards nothing would be new any more.
        off: ReadBackOff = "limits" if this_round.is_limited else ""
        self._note(session, wrote=bool(changes), off=off)
        for change in changes:
            self._handle(session, change)
        self._take_reactions(session, (thread_range for thread_range, _ in read))

    def _ranges(
        self, session: Session, this_round: _Round
    ) -> list[tuple[ThreadRange, Stored]] | Refused:
        """Every current thread, each with what was stored of it before its first call."""
        watched, read = self._watched, []
        starts = [(start, watched.stored(session, start)) for start in watched.starts(session)]
        origin = watched.origin(session)
        for start, stored in (*starts, *((origin,) if origin else ())):
            thread_range = self._range(session, start, this_round)
            if isinstance(thread_range, Refused):
                return thread_range
            read.append((thread_range, stored))
        return read

    def _range(
        self, session: Session, start: ThreadStart, this_round: _Round
    ) -> ThreadRange | Refused:
        read_at, cursor = self.clock.now(), ""
        messages: dict[Ts, ThreadMessage] = {}  # the root comes with every page
        for _ in range(PAGES_MAX):
            page = self._page(session, start, cursor, this_round)
            if isinstance(page, Refused):
                return page
            if page is None:
                return _range_of(start, messages, read_at, at_end=False)
            messages |= {message.ts: message for message in page.messages}
            cursor = page.cursor
            if not cursor:
                return _range_of(start, messages, read_at, at_end=True)
        log.warning("read-back.cut", session=session.id, pages=PAGES_MAX)
        return _range_of(start, messages, read_at, at_end=False)

    def _page(
        self, session: Session, start: ThreadStart, cursor: str, this_round: _Round
    ) -> ThreadPage | Refused | None:
        """One page. None: Slack did not give it, after as many tries as are allowed."""
        tries = Retrying(
            stop=stop_after_attempt(TRIES_MAX),
            retry=retry_if_result(lambda answer: isinstance(answer, Later | Unclear)),
            retry_error_callback=lambda _: None,
        )
        page = tries(self._try_page, session, start, cursor, this_round)
        return None if isinstance(page, Later | Unclear) else page

    def _try_page(
        self, session: Session, start: ThreadStart, cursor: str, this_round: _Round
    ) -> ThreadPage | Refused | Later | Unclear | None:
        """One call, and the wait after it. None: there is to be no other."""
        self._yield_to_posts()
        if self.limits is not None:
            self._wait_for_turn(session.team, self.limits(session.team))
        if self._stopped or this_round.is_limited:
            return None
        this_round.calls += 1
        page = self.pages.page(session.team, session.channel, start.thread_ts, start.since, cursor)
        if isinstance(page, ThreadPage):
            this_round.is_limited = page.is_cut
            self._wait(self.pace_s)
        elif not isinstance(page, Refused):
            if self.limits is None and _is_limited(page, this_round):
                this_round.is_limited = True
                return None
            log.warning("read-back.later", session=session.id, why=page.why, wait_s=page.seconds)
            self._wait(WAIT_S if page.seconds is None else page.seconds)
        return page

    def _yield_to_posts(self) -> None:
        """Let posts that are due go first, for a while: people wait for those."""
        until = self.clock.now() + YIELD_S_MAX
        while self.clock.now() < until and self._watched.has_posts_due(self.clock.now()):
            if self._stopped:
                return
            self._wait(YIELD_LOOK_S)

    def _wait_for_turn(self, team: TeamId, limits: Sequence[Limit]) -> None:
        """Let posts in doubt be looked for first, and count this page under its limits."""
        until = self.clock.now() + DOUBT_S_MAX
        while not self._stopped:
            now = self.clock.now()
            if now < until and self._watched.has_posts_in_doubt(team):
                self._wait(DOUBT_LOOK_S)
                continue
            free_at = self.pacing.take(limits, now)
            if free_at is None:
                return
            self._wait(free_at - now)

    def _wait(self, seconds: float) -> None:
        until = self.clock.now() + seconds
        with self._changed:
            while not self._stopped and self.clock.now() < until:
                self.clock.wait(self._changed, until)

    # ── what was found ──

    def _changes(
        self, session: Session, read: Iterable[tuple[ThreadRange, Stored]]
    ) -> list[Change]:
        """What people posted, edited or deleted, and no delivery brought."""
        changes: list[Change] = []
        now = self.clock.now()
        for thread_range, stored in read:
            changes += message_changes(
                thread_range,
                stored,
                at=now,
                settled_before=thread_range.read_at - self.settle_s,
                keys_since=now - DELIVERY_KEPT_S,
            )
        # What holds a credential halts the session, which then takes nothing more: it comes last.
        changes.sort(key=lambda change: isinstance(scan_event(change), SecretFound))
        return [
            change
            for change in changes
            if not self._watched.is_delivered([delivery_key(session.team, change)])
        ]

    def _handle(self, session: Session, change: Delivered) -> None:
        key = delivery_key(session.team, change)
        self.runtime.handle(change, team=session.team, keys=(key,))

    def _take_reactions(self, session: Session, read: Iterable[ThreadRange]) -> None:
        reader = self.runtime.reader
        bot_user = reader.workspace(session.team).bot_user
        answers = {answer.ts: answer for answer in reader.answers(session.id)}
        stances = reader.stances(session.id)
        for thread_range in read:
            for change in reaction_changes(
                thread_range, answers, stances, at=self.clock.now(), bot_user=bot_user
            ):
                self._handle(session, change)

    def _note(self, session: Session, *, wrote: bool, off: ReadBackOff) -> None:
        if wrote or off != session.read_back_off:
            self.runtime.apply(session.id, ThreadsReadBack(self.clock.now(), wrote, off))

    def _tell_limited(self, sessions: Iterable[SessionId]) -> None:
        for session_id in sessions:
            session = self._watched.session(session_id)
            if session is not None and not session.damage:
                self._note(session, wrote=False, off="limits")


def _range_of(
    start: ThreadStart, messages: Mapping[Ts, ThreadMessage], read_at: float, *, at_end: bool
) -> ThreadRange:
    newer_messages = (
        message for message in messages.values() if float(message.ts) > float(start.since)
    )
    is_whole = at_end and start.anchor in messages
    return ThreadRange(start.since, tuple(newer_messages), read_at, is_whole)


def _is_limited(answer: Later | Unclear, this_round: _Round) -> bool:
    """True if Slack asks for a long wait after next to no calls, as it does to distributed apps."""
    throttled = isinstance(answer, Later) and (answer.seconds or 0.0) >= LIMITED_WAIT_S
    return throttled and this_round.calls <= LIMITED_CALLS
