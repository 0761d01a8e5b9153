"""Which threads are read after the bot was away, and what is stored of them."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from sqlmodel import col, select

from core.domain.answers import Answer
from core.domain.ids import ChannelId, PersonaKey, SessionId, Ts
from core.domain.session import Session
from core.engine.answers.read_back import UNFINISHED, Stored, current_threads
from core.store.connection.database import Database
from core.store.documents import ANSWERS
from core.store.repository.transaction import Transaction
from core.store.schema.tables import SessionRow
from core.store.statements import answers as sql
from core.store.statements import outbox

REDACTED: Final = "redacted:"
NO_TS: Final = Ts("")  # as the answers of a foreign thread have it


class ThreadStart(NamedTuple):
    """A thread, and the time after which it is read.

    `anchor` is a message of ours or the root. Where Slack does not show it any more (a workspace
    keeps messages for so long), it may not show answers either, and none is missed.
    """

    thread_ts: Ts
    since: Ts
    anchor: Ts


class WatchedThreads:
    """Reads the last commit."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def unfinished(self) -> tuple[SessionId, ...]:
        """Sessions that take answers, the most recently active first."""
        query = (
            select(SessionRow.id)
            .where(col(SessionRow.status).in_(UNFINISHED))
            .order_by(col(SessionRow.updated_at).desc(), SessionRow.id)
        )
        with self._database.session() as db:
            return tuple(SessionId(row) for row in db.exec(query))

    def session(self, session: SessionId) -> Session | None:
        with self._database.reading() as db:
            return Transaction(db).session(session)

    def is_seen(self, key: str) -> bool:
        """True if a delivery with that key was taken."""
        with self._database.reading() as db:
            return Transaction(db).is_delivered((key,))

    def has_posts_due(self, now: float) -> bool:
        return bool(self._database.read.run(outbox.POSTS_DUE, now=now))

    def starts(self, session: Session) -> tuple[ThreadStart, ...]:
        """The threads of the current step, each from the newest prompt in it on."""
        starts = (self._start(session.id, persona) for persona in current_threads(session))
        return tuple(start for start in starts if start is not None)

    def _start(self, session: SessionId, persona: PersonaKey) -> ThreadStart | None:
        with self._database.reading() as db:
            root = outbox.THREAD_ROOT(db, session=session, persona=persona).fetchone()
            if root is None:
                return None
            prompt = outbox.LAST_PROMPT(db, session=session, thread_ts=root[0]).fetchone()
        since = Ts(prompt[0] or root[0])
        return ThreadStart(Ts(root[0]), since, since)

    def stored(self, session: Session, start: ThreadStart) -> Stored:
        """What is known of a thread after its start, withdrawn answers included."""
        rows = self._database.read.run(sql.ANSWERS_SINCE, session=session.id, since=start.since)
        answers = [ANSWERS.load(doc) for (doc,) in rows]
        here = [answer for answer in answers if answer.thread_ts == start.thread_ts]
        return Stored(
            _by_ts(here, session.channel),
            frozenset(answer.ts for answer in here if answer.id.startswith(REDACTED)),
        )

    def origin(self, session: Session) -> tuple[ThreadStart, Stored] | None:
        """The thread a session was taken from, as long as the current step has words from it."""
        step = session.step
        mine = {
            proposal.answer: proposal for proposal in session.proposals if proposal.step == step
        }
        if session.origin is None or session.status not in UNFINISHED:
            return None
        found = (self._answer(session.id, each) for each in mine)
        answers = _by_ts((each for each in found if each is not None), session.channel)
        if not answers:
            return None
        since = f"{float(min(answers, key=float)) - 0.000001:.6f}"
        waiting = frozenset(answer for answer, each in mine.items() if not each.outcome)
        start = ThreadStart(session.origin.thread_ts, Ts(since), session.origin.thread_ts)
        return start, Stored(answers, proposed=waiting, takes_answers=False)

    def _answer(self, session: SessionId, answer: str) -> Answer | None:
        row = self._database.read.run(sql.ANSWER, session=session, id=answer).fetchone()
        return ANSWERS.load(row[0]) if row else None


def _by_ts(answers: Iterable[Answer], channel: ChannelId) -> Mapping[Ts, Answer]:
    """Answers that are a message of their own; one that was only confirmed is none."""
    return {answer.ts: answer for answer in answers if answer.id == f"{channel}:{answer.ts}"}
