"""What we are compared with: a plain commit, and Bolt with nothing behind it."""

import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, Final

from slack_bolt import Ack, App
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient

from core.store.connection.database import WAIT_S_MAX
from core.store.connection.sqlite import PRAGMAS

DOC: Final = "x" * 210  # as long as an answer


class PlainStore:
    """SELECT, INSERT, UPDATE and a durable COMMIT, with the pragmas of our own database."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(
            path, timeout=WAIT_S_MAX, isolation_level=None, check_same_thread=False
        )
        for pragma in PRAGMAS:
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute("CREATE TABLE session(id INTEGER PRIMARY KEY, version INTEGER, doc TEXT)")
        self._db.execute("CREATE TABLE answer(id INTEGER PRIMARY KEY, session INTEGER, doc TEXT)")
        self._db.execute("INSERT INTO session VALUES (1, 0, ?)", (DOC,))
        self._numbers = count(1)

    def commit(self) -> None:
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        version, doc = db.execute("SELECT version, doc FROM session WHERE id = ?", (1,)).fetchone()
        db.execute("INSERT INTO answer VALUES (?, 1, ?)", (next(self._numbers), DOC))
        db.execute("UPDATE session SET version = ?, doc = ? WHERE id = 1", (version + 1, doc))
        db.execute("COMMIT")

    @property
    def commits(self) -> int:
        (version,) = self._db.execute("SELECT version FROM session").fetchone()
        return int(version)

    def close(self) -> None:
        self._db.close()


def bare_bolt(clicked: Callable[[], None] = lambda: None, secret: str = "") -> App:
    """Bolt with one listener per kind; what can be switched off is off, as in the bot."""
    known = AuthorizeResult(enterprise_id=None, team_id="T1", bot_id="B1", bot_user_id="U1")
    app = App(
        name="bare",
        client=WebClient(base_url="http://127.0.0.1:9/api/", retry_handlers=[]),
        authorize=lambda: known,
        signing_secret=secret,
        process_before_response=True,
        attaching_conversation_kwargs_enabled=False,
        attaching_function_token_enabled=False,
    )

    @app.event("message")
    def message_came(body: dict[str, Any]) -> None:
        """Nothing, and that acknowledged."""

    @app.action("menu:continue")
    def button_pressed(ack: Ack) -> None:
        clicked()
        ack()

    return app
