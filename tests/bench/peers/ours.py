"""Roundtable: row 1's transition, an answer through the runtime of a bot as it is served."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.cli.main import VERSION
from core.domain.ids import SessionId
from tests.bench.answer import ANSWER
from tests.bench.arena import Arena, arena
from tests.bench.peers.turns import SESSIONS, Turn, facts, serve, timed
from tests.bench.sessions import answer
from tests.bench.sessions import opened as sessions_opened
from tests.bench.storing import PHASE, handled


class Roundtable:
    def __init__(self, place: Arena, sessions: Sequence[SessionId]) -> None:
        self._harness = place.harness
        self._sessions = sessions
        self._reader = place.table.runtime.reader
        with place.table.runtime.database.reading() as db:
            self.facts = facts(f"Roundtable {VERSION}", db)

    def turn(self) -> Turn:
        answers = [answer(self._harness, session) for session in self._sessions]
        taken = timed(lambda message: handled(self._harness, message), answers)
        self._harness.settle()
        return taken

    def kept(self) -> int:
        kept = (answer for session in self._sessions for answer in self._reader.answers(session))
        return sum(answer.text == ANSWER for answer in kept)


@contextmanager
def opened(folder: Path) -> Iterator[Roundtable]:
    with arena(folder) as place:
        there = [session.id for session in place.table.runtime.reader.all_sessions()]
        yield Roundtable(place, there or sessions_opened(place.harness, SESSIONS, PHASE))


if __name__ == "__main__":
    serve(opened)
