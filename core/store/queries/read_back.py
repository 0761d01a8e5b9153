"""Which threads are read after the bot was away, and what is stored of them."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from sqlmodel import col, select

from core.domain.answers import Answer
from core.domain.ids import ChannelId, PersonaKey, SessionId, TeamId, Ts
from core.domain.session.session import Session
from core.engine.answers.read_back import UNFINISHED, Stored, current_threads
from core.store.documents import ANSWERS
from core.store.queries.session_lists import SessionLists
from core.store.schema.tables import SessionRow
from core.store.statements import answers, outbox

REDACTED: Final = "redacted:"


class ThreadStart(NamedTuple):
    """A thread, and the time after which it is read.

    `anchor` is a message of ours or the root. Where Slack does not show it any more (a workspace
    keeps messages for so long), it may not show answers either, and none is missed.
    """

    thread_ts: Ts
    since: Ts
    anchor: Ts


class WatchedThreads(SessionLists):
    """Reads the last commit."""

    def unfinished(self) -> tuple[tuple[TeamId, SessionId], ...]:
        """Sessions that take answers, the most recently active first."""
        query = (
            select(SessionRow.team, SessionRow.id)
            .where(col(SessionRow.status).in_(UNFINISHED))
            .order_by(col(SessionRow.updated_at).desc(), SessionRow.id)
        )
        return tuple((TeamId(team), SessionId(session)) for team, session in self._rows(query))

    def has_posts_due(self, now: float) -> bool:
        return bool(self._all(outbox.POSTS_DUE, now=now))

    def has_posts_in_doubt(self, team: TeamId) -> bool:
        """True if posts of a workspace may or may not be in Slack, and are not parked."""
        return bool(self._all(outbox.POSTS_IN_DOUBT, team=team))

    def starts(self, session: Session) -> tuple[ThreadStart, ...]:
        """The threads of the current step, each from the newest prompt in it on."""
        starts = (self._start(session.id, persona) for persona in current_threads(session))
        return tuple(start for start in starts if start is not None)

    def _start(self, session: SessionId, persona: PersonaKey) -> ThreadStart | None:
        row = self._one(outbox.THREAD_ROOT, session=session, persona=persona)
        if row is None:
            return None
        (root,) = row
        ((prompt,),) = self._all(outbox.LAST_PROMPT, session=session, thread_ts=root)
        since = Ts(prompt or root)
        return ThreadStart(Ts(root), since, since)

    def stored(self, session: Session, start: ThreadStart) -> Stored:
        """What is stored of a thread after its start, withdrawn answers included."""
        key = {"session": session.id, "since": start.since}
        later = self._values(ANSWERS.load, answers.ANSWERS_SINCE, **key)
        of_thread = [answer for answer in later if answer.thread_ts == start.thread_ts]
        return Stored(
            _by_ts(of_thread, session.channel),
            frozenset(answer.ts for answer in of_thread if answer.id.startswith(REDACTED)),
        )

    def origin(self, session: Session) -> tuple[ThreadStart, Stored] | None:
        """The thread a session was taken from, as long as the current step has words from it."""
        proposals = {
            proposal.answer: proposal
            for proposal in session.proposals
            if proposal.step == session.course.step
        }
        if session.origin is None or session.status not in UNFINISHED:
            return None
        stored = (self.answer(session.id, answer) for answer in proposals)
        by_ts = _by_ts((answer for answer in stored if answer is not None), session.channel)
        if not by_ts:
            return None
        since = f"{float(min(by_ts, key=float)) - 0.000001:.6f}"
        waiting = frozenset(
            answer for answer, proposal in proposals.items() if not proposal.outcome
        )
        start = ThreadStart(session.origin.thread_ts, Ts(since), session.origin.thread_ts)
        return start, Stored(by_ts, proposed=waiting, takes_answers=False)


def _by_ts(answers: Iterable[Answer], channel: ChannelId) -> Mapping[Ts, Answer]:
    """Answers that are a message of their own; one that was only confirmed is none."""
    return {answer.ts: answer for answer in answers if answer.id == f"{channel}:{answer.ts}"}
