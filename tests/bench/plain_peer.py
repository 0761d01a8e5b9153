"""Somebody to be compared with, who needs no library: a commit for each answer.

A file `forgets` in its folder, and nothing is ever committed; `hurries`, and no commit waits for
the disk.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.answer import ANSWER
from tests.bench.peers.turns import SESSIONS, Turn, facts, serve, timed


class Plain:
    def __init__(self, db: sqlite3.Connection, forgets: bool) -> None:
        self._db, self._forgets = db, forgets
        self.facts = facts("plain", db)

    def turn(self) -> Turn:
        return timed(self._answer, range(SESSIONS))

    def _answer(self, session: int) -> None:
        self._db.execute("INSERT INTO answer VALUES (?, ?)", (session, ANSWER))
        if not self._forgets:
            self._db.commit()

    def kept(self) -> int:
        query = "SELECT count(*) FROM answer WHERE text = ?"
        return int(self._db.execute(query, (ANSWER,)).fetchone()[0])


@contextmanager
def opened(folder: Path) -> Iterator[Plain]:
    db = sqlite3.connect(folder / "plain.db")
    db.execute("PRAGMA journal_mode=WAL")
    db.execute(f"PRAGMA synchronous={'NORMAL' if (folder / 'hurries').exists() else 'FULL'}")
    db.execute("CREATE TABLE IF NOT EXISTS answer(session INTEGER, text TEXT)")
    yield Plain(db, (folder / "forgets").exists())


if __name__ == "__main__":
    serve(opened)
