"""A database log that is deleted under the real bot: said in the thread at the next answer."""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.taxonomy.catalogue import shown
from tests.support.rows import file_of
from tests.support.served_bot import CHANNEL, ServedBot


def test_a_deleted_log_halts_the_session_and_loses_nothing(table: ServedBot) -> None:
    table.start("Retry failed payments")
    table.say("The bank asks for it.")
    database = Path(file_of(table.table.runtime.database).path)
    database.with_name(f"{database.name}-wal").unlink()
    table.say("The shop asks for it, too.")
    table.settle_until(lambda: table.session().status == "halted")
    assert any(shown("ERR-DATA-001") in message.plain for message in table.slack.messages(CHANNEL))
    with closing(sqlite3.connect(database)) as after_a_restart:
        (status,) = after_a_restart.execute("SELECT status FROM sessions").fetchone()
        (count,) = after_a_restart.execute("SELECT count(*) FROM answers").fetchone()
    assert (status, count) == ("halted", 1)
