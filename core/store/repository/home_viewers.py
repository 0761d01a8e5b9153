"""Who looks at a Home tab, for all processes of one database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete

from core.domain.ids import TeamId, UserId
from core.store.connection.database import Database
from core.store.schema import tables, workspace_tables
from core.store.statements import statement as sql

viewers: Final = tables.table_of(workspace_tables.HomeViewerRow)
SAVE: Final = sql.upsert(viewers)
PRUNE: Final = sql.SqlStatement(delete(viewers).where(viewers.c.until <= bindparam("now")))
VIEWERS: Final = sql.select_columns(
    viewers, "person", "page", "until", keys=("team",), where=(viewers.c.until > bindparam("now"),)
)


@dataclass(frozen=True, slots=True)
class HomeViewers:
    database: Database

    def save(self, team: TeamId, person: UserId, page: int, *, now: float, until: float) -> None:
        """Somebody looks at that page, which is believed until then."""
        with self.database.write() as db:
            PRUNE(db, now=now)
            SAVE(db, team=team, person=person, page=page, until=until)

    def of(self, team: TeamId, now: float) -> Mapping[UserId, tuple[int, float]]:
        """Those of a workspace: the page of each, and until when it is believed."""
        rows = self.database.run(VIEWERS, team=team, now=now)
        return {UserId(person): (page, until) for person, page, until in rows}
