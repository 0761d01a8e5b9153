"""Rows 28 to 31: processes and workspaces beside each other, on one PostgreSQL."""

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count, cycle
from pathlib import Path
from statistics import median
from typing import Final

from slack_bolt import App, BoltRequest

from bot.server.composition import build
from core.domain.ids import SessionId, TeamId, UserId
from core.ports import Workspace
from core.secrets.token_keys import TokenKeys
from core.store.connection.database import Database
from core.store.repository.installations import Installations
from core.store.repository.outbox import WaitingRow
from tests.bench.anchors import DOC
from tests.bench.crowding import crowded
from tests.bench.figures import Figure, Subject
from tests.bench.pairs import median_s, medians_ratio
from tests.bench.payloads import message_event
from tests.bench.posting import send, signed
from tests.bench.sessions import CHANNEL, OWNER, answer, opened
from tests.bench.several import ANSWERED, FIRST_PHASE, Noting, harness_on, on_postgres
from tests.bench.size import Size
from tests.bench.storing import handled
from tests.support.fleet import Fleet, fleet, responding, wait_until
from tests.support.fleet_router import LOOPBACK
from tests.support.installed_bot import installed_settings
from tests.support.postgres import Server
from tests.support.rows import write
from tests.support.waiting import wait_until as wait_closely

WEBS: Final = 2
CLIENTS: Final = 8  # that wait for their acknowledgements at the same time
DOUBTFUL, WAITING = "doubtful", "waiting"  # channels
RETRY_AFTER_S: Final = 3.0  # that the other lane of a worker waits when it is killed
CLOSELY_S: Final = 0.005
NOBODY: Final = "http://127.0.0.1:9/api/"  # nothing is sent

TWO: Final = Subject(
    28, "events a second at two processes that accept ÷ at one", "×", "≥", 1.2, 1.5
)
AMISS: Final = Subject(28, "the same: answers lost or counted twice", "", "≤", 0, 0)
DRAIN: Final = Subject(
    29, "events, committed and drained ÷ a bare LISTEN/NOTIFY drain (rate)", "×", "≥", 0.25, 0.4
)
OTHERS: Final = Subject(30, "worker killed → its other lane is done", "s", "≤", 10, 6)
DOUBT: Final = Subject(30, "worker killed → the message in doubt stands once", "s", "≤", 30, 25)
WORKSPACES: Final = Subject(
    31, "event to ack with 1,000 workspaces ÷ with one (p50)", "×", "≤", 1.2, 1.05
)
ROWS: Final = (TWO, AMISS, DRAIN, OTHERS, DOUBT, WORKSPACES)


def beside(folder: Path, size: Size, progress: Callable[[str], None]) -> list[Figure]:
    """All of them; nothing where there is no server to be had."""
    measures = (webs, drain, killed, workspaces)
    return on_postgres(folder / "fleets", size, progress, ROWS, measures)


# ── row 28 ──


def webs(server: Server, folder: Path, size: Size) -> list[Figure]:
    """Signed events from eight connections; what they lead to is left undone meanwhile."""
    channels = tuple(f"room-{number}" for number in range(min(size.sessions, CLIENTS)))
    with fleet(server, folder, channels=channels, webs=WEBS, workers=1) as running:
        for channel in channels:
            running.start(channel)
            running.wait_for(channel, "asking")
        wait_until(responding(running.is_calm))
        running.workers[0].kill()
        people = _People(running, channels)
        ratio = medians_ratio(
            lambda: people.send_all(1), lambda: people.send_all(WEBS), size.web_pairs
        )
        answers = [
            one.text
            for channel in channels
            for one in running.reader.answers(running.sessions(channel)[0])
        ]
    amiss = abs(people.sent - len(answers)) + len(answers) - len(set(answers))
    return [TWO.measured(ratio), AMISS.measured(amiss)]


class _People:
    """They answer in every channel, several times in a turn; each answer is another."""

    def __init__(self, running: Fleet, channels: tuple[str, ...]) -> None:
        self._running = running
        self._places = [
            (running.slack.channel_id(channel), running.thread(channel)) for channel in channels
        ]
        self._numbers = count(1)
        self.sent = 0

    def send_all(self, webs: int) -> float:
        """Seconds for an event, sent to so many processes in turn."""
        events = [
            self._event(channel, thread) for channel, thread in self._places for _ in range(CLIENTS)
        ]
        ports = cycle(web.port for web in self._running.webs[:webs])
        with ThreadPoolExecutor(CLIENTS) as pool:
            began = time.perf_counter()
            parts = [
                pool.submit(_send_part, next(ports), events[number::CLIENTS])
                for number in range(CLIENTS)
            ]
            for part in parts:
                part.result()
            seconds = time.perf_counter() - began
        self.sent += len(events)
        return seconds / len(events)

    def _event(self, channel: str, thread: str) -> tuple[bytes, dict[str, str]]:
        slack, number = self._running.slack, next(self._numbers)
        body = message_event(
            slack.team_id,
            channel,
            slack.user_id("pm"),
            _now_ts(),
            thread,
            f"The users need part {number}.",
        )
        return signed(slack.signing_secret, body)


def _now_ts() -> str:
    seconds, micros = divmod(time.time_ns() // 1_000, 1_000_000)
    return f"{seconds}.{micros:06}"


def _send_part(port: int, events: list[tuple[bytes, dict[str, str]]]) -> None:
    with closing(HTTPConnection(LOOPBACK, port)) as connection:
        for event in events:
            send(connection, event)


# ── row 29 ──


@dataclass
class PlainDrain:
    """Whoever accepts commits an event and notifies; whoever listens takes it and marks it done."""

    url: str
    _done: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def __post_init__(self) -> None:
        import psycopg

        self._accepts = psycopg.connect(self.url, autocommit=True)
        self._performs = psycopg.connect(self.url, autocommit=True)
        self._accepts.execute("CREATE TABLE plain_event(id serial PRIMARY KEY, doc text)")
        self._accepts.execute("CREATE TABLE plain_done(id int PRIMARY KEY, doc text)")
        self._listens = psycopg.connect(self.url, autocommit=True)
        self._listens.execute("LISTEN plain")
        self._thread = threading.Thread(target=self._drain)
        self._thread.start()

    def close(self) -> None:
        self._accepts.execute("NOTIFY plain, 'over'")
        self._thread.join()
        for connection in (self._accepts, self._performs, self._listens):
            connection.close()

    def turn(self, many: int) -> float:
        """Seconds for an event, until the last is done."""
        began = time.perf_counter()
        for _ in range(many):
            with self._accepts.transaction():
                self._accepts.execute("INSERT INTO plain_event(doc) VALUES (%s)", (DOC,))
                self._accepts.execute("NOTIFY plain")
        for _ in range(many):
            self._done.acquire()
        return (time.perf_counter() - began) / many

    def _drain(self) -> None:
        for notice in self._listens.notifies():
            if notice.payload:
                return
            while self._take():
                self._done.release()

    def _take(self) -> bool:
        with self._performs.transaction():
            taken = self._performs.execute(
                "DELETE FROM plain_event WHERE id = (SELECT id FROM plain_event ORDER BY id"
                " FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id, doc"
            ).fetchone()
            if taken is not None:
                self._performs.execute("INSERT INTO plain_done VALUES (%s, %s)", taken)
        return taken is not None


def drain(server: Server, folder: Path, size: Size) -> list[Figure]:
    """From the first commit until nothing is left; one accepts and one performs, in one process."""
    url = server.database()
    with harness_on(url, folder) as harness:
        sessions = opened(harness, size.sessions, FIRST_PHASE)
        dispatcher, plain = Noting(harness, url), PlainDrain(url)
        dispatcher.start()

        def is_done() -> bool:
            return harness.runtime.outbox.pending(time.time()) == 0

        def ours() -> float:
            messages = [answer(harness, session) for session in sessions]
            began = time.perf_counter()
            for message in messages:
                handled(harness, message)
            wait_closely(is_done, poll_s=CLOSELY_S)
            return (time.perf_counter() - began) / len(messages)

        try:
            wait_until(is_done)
            ratio = medians_ratio(lambda: plain.turn(len(sessions)), ours, size.pairs)
        finally:
            dispatcher.stop()
            plain.close()
    return [DRAIN.measured(ratio)]


# ── row 30 ──


def killed(server: Server, folder: Path, size: Size) -> list[Figure]:
    """Both lanes are one worker's when it is killed: the other one was suspended until then."""
    turns = []
    for number in range(size.returns):
        place = folder / str(number)
        place.mkdir()
        with fleet(server, place, channels=(DOUBTFUL, WAITING), webs=1) as running:
            turns.append(_killed(running))
    return [
        OTHERS.measured(median(one[0] for one in turns)),
        DOUBT.measured(median(one[1] for one in turns)),
    ]


def _killed(running: Fleet) -> tuple[float, float]:
    """Seconds until the lane that waited is done, and until the message in doubt stands."""
    slack, (dying, heir) = running.slack, running.workers
    for channel in (DOUBTFUL, WAITING):
        running.start(channel)
        running.wait_for(channel, "asking")
    wait_until(responding(running.is_calm))
    heir.send(signal.SIGSTOP)  # for as long as the lanes are given out
    slack.inject("timeout", method="chat.postMessage", channel=slack.channel_id(DOUBTFUL))
    running.say(DOUBTFUL, "The users need it every week.")
    wait_until(lambda: any(call.error == "timeout" for call in slack.calls))
    place = {"channel": slack.channel_id(WAITING)}  # the message in doubt may be sent once more
    slack.inject("429", method="chat.postMessage", retry_after=RETRY_AFTER_S, **place)
    running.say(WAITING, "The users need it every month.")
    wait_until(lambda: any(call.error == "ratelimited" for call in slack.calls))
    # On a slow disk the wait may be over as soon as it is recorded.
    wait_until(lambda: all(row.attempts for row in _waiting(running, WAITING)))
    dying.kill()
    heir.send(signal.SIGCONT)
    began = time.perf_counter()
    wait_until(lambda: not _waiting(running, WAITING))
    waiting_s = time.perf_counter() - began
    wait_until(lambda: not _waiting(running, DOUBTFUL))
    assert not running.doubled_posts(DOUBTFUL)
    return waiting_s, time.perf_counter() - began


def _waiting(running: Fleet, channel: str) -> tuple[WaitingRow, ...]:
    row = running.outbox.head(running.sessions(channel)[0], "visible")
    return () if row is None else (row,)


# ── row 31 ──


def workspaces(server: Server, folder: Path, size: Size) -> list[Figure]:
    """As many sessions in both, so that what differs is whose they are."""
    with ExitStack() as stack:
        many = _installed(stack, server, folder / "many", size, apart=True)
        one = _installed(stack, server, folder / "one", size, apart=False)
        return [WORKSPACES.measured(medians_ratio(many, one, size.pairs))]


def _installed(
    stack: ExitStack, server: Server, folder: Path, size: Size, *, apart: bool
) -> Callable[[], float]:
    """A turn of answers, each in another session; `apart`: each in a workspace of its own."""
    folder.mkdir()
    url, many = server.database(), size.workspaces
    harness = stack.enter_context(harness_on(url, folder))
    (session,) = opened(harness, 1, FIRST_PHASE)
    root = harness.runtime.reader.thread(session, harness.session.course.thread)
    assert root is not None
    crowded(harness.runtime.database, session, many)
    _part(harness.runtime.database, session, apart=apart)
    teams = [TeamId(f"T{number}") for number in range(many)] if apart else [harness.cast.team]
    settings = installed_settings(NOBODY, folder, ROUNDTABLE_DATABASE_URL=url)
    keys, installations = TokenKeys(settings.token_keys), Installations(harness.runtime.database)
    for team in teams:
        here = Workspace(team, "https://bench.slack.com/", UserId("U0BOT"), "B1", "roundtable")
        installations.save(here, keys.seal(team, f"xoxb-{team}"), at=time.time())
    server.execute("VACUUM ANALYZE", server.newest)
    table = build(settings, performs=False)
    stack.callback(table.stop)
    numbers = count(1)

    def event() -> BoltRequest:
        number = next(numbers)
        team, thread = teams[number % len(teams)], f"{root.ts}{number % many}"
        text = f"They need part {number}."
        body = message_event(team, CHANNEL, OWNER, _now_ts(), thread, text)
        return BoltRequest(mode="socket_mode", body=body)

    def turn() -> float:
        return median_s(lambda one: _dispatch(table.bolt, one), [event() for _ in range(ANSWERED)])

    for _ in range(many):  # each workspace has been served before
        _dispatch(table.bolt, event())
    return turn


def _part(database: Database, session: SessionId, *, apart: bool) -> None:
    """Copies of a session get times that Slack could have given, and workspaces of their own."""
    nth = f"substr(session, {len(session) + 2})"
    write(
        database,
        f"UPDATE posts SET ts = replace(ts, '-', ''), thread_ts = thread_ts || {nth}"
        " WHERE session <> ?",
        (session,),
    )
    write(database, "UPDATE threads SET ts = replace(ts, '-', '')")
    if apart:
        team = f"'T' || substr(id, {len(session) + 2})"
        write(
            database,
            f"UPDATE sessions SET team = {team}, doc = json_set(doc, '$.team', {team})"
            " WHERE id <> ?",
            (session,),
        )


def _dispatch(app: App, request: BoltRequest) -> None:
    response = app.dispatch(request)
    assert response.status == 200, response.status
