"""Whether any process took what Slack delivers, and which one of them reads threads again."""

from dataclasses import dataclass
from typing import Final

from core.store.connection.database import Database
from core.store.statements import presence

AWAY_S: Final = 60.0  # Slack delivers an event again after a minute
HELD_S: Final = 60.0  # without a word of its reader, a round is another's


@dataclass(frozen=True, slots=True)
class Presence:
    """Of the processes of one database. Times are seconds since the epoch."""

    database: Database

    def note_up(self, process: str, now: float, *, missed: bool = False) -> bool:
        """A process takes what Slack delivers. True if threads are to be read, by this one.

        They are where none was up for a while, or something was `missed`, until they were read to
        the end. To be said again within `HELD_S`.
        """
        with self.database.write() as db:
            presence.ENSURE(db)
            presence.NOTE_UP(db, now=now, since=now + (AWAY_S if missed else -AWAY_S))
            return bool(presence.TAKE(db, reader=process, now=now, until=now + HELD_S).rowcount)

    def end(self, process: str) -> None:
        """That process has read them to the end."""
        with self.database.write() as db:
            presence.END(db, reader=process)
