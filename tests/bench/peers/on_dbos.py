"""DBOS: a workflow for each answer, of one step, its id the delivery's key; on a SQLite file.

It is called in the thread that acknowledges, the shortest way there is: no queue, no hand-over.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, event

from core.store.connection.sqlite import PRAGMAS
from tests.bench.answer import ANSWER
from tests.bench.peers.turns import SESSIONS, Facts, Turn, facts, serve, timed

SETTINGS: Final = {"name": "peer", "log_level": "WARNING", "enable_otlp": False}


class Dbos:
    def __init__(self, seen: Facts, answered: Callable[[str, str], str]) -> None:
        from dbos import DBOS, SetWorkflowID

        self.facts = seen
        self._answered = answered
        self._keyed: Callable[[str], AbstractContextManager[object]] = SetWorkflowID
        self._listed: Callable[..., list[Any]] = DBOS.list_workflows
        self._numbers = count(time.time_ns())

    def turn(self) -> Turn:
        return timed(self._answer, [f"s{number}" for number in range(SESSIONS)])

    def _answer(self, session: str) -> None:
        with self._keyed(f"event:Ev{next(self._numbers)}"):
            self._answered(session, ANSWER)

    def kept(self) -> int:
        return sum(each.output == ANSWER for each in self._listed(status="SUCCESS"))


@contextmanager
def opened(folder: Path) -> Iterator[Dbos]:
    """Every connection that its engine opens gets our pragmas, and the last one is asked."""
    from dbos import DBOS

    seen: list[Facts] = []

    def connected(db: sqlite3.Connection, _: object) -> None:
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        seen.append(facts(f"dbos {version('dbos')}", db))

    event.listen(Engine, "connect", connected)
    DBOS(config={**SETTINGS, "system_database_url": f"sqlite:///{folder}/dbos.db"})
    answered = _declared()
    DBOS.launch()
    try:
        yield Dbos(seen[-1], answered)
    finally:
        DBOS.destroy()


def _declared() -> Callable[[str, str], str]:
    from dbos import DBOS

    def kept(session: str, text: str) -> str:
        return text

    step = DBOS.step()(kept)

    def answered(session: str, text: str) -> str:
        return str(step(session, text))

    declared: Callable[[str, str], str] = DBOS.workflow()(answered)
    return declared


if __name__ == "__main__":
    serve(opened)
