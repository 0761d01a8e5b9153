"""Workspaces that installed the app: their tokens, sealed; what waits and what goes without one."""

import hashlib
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import delete
from sqlmodel import SQLModel

from core.domain.ids import SessionId, TeamId
from core.ports import Workspace
from core.store.connection.database import Database
from core.store.repository.erase import erase
from core.store.statements import installations as rows
from core.store.statements import outbox, sessions
from core.store.statements.statement import Connection, SqlStatement, is_param

OPEN_STATES_MAX: Final = 1_000
STATE_S: Final = 600.0
HOLDER_S: Final = 180.0  # a process that was not heard of for so long is gone


@dataclass(frozen=True, slots=True)
class Installation:
    """A workspace that installed the app. `sealed`: its token; None while it is uninstalled."""

    team: TeamId
    sealed: str | None
    installed_at: float
    uninstalled_at: float | None
    model_hosts: frozenset[str]  # that an admin lets read what people say there
    unserved_at: float | None  # since when posts wait, for it could not be served


class Installations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, team: TeamId) -> Installation | None:
        stored = self._database.run(rows.INSTALLATION, team=team)
        return _installation(stored[0]) if stored else None

    def all(self) -> tuple[Installation, ...]:
        return tuple(map(_installation, self._database.run(rows.INSTALLATIONS)))

    def save(self, workspace: Workspace, sealed: str, *, at: float) -> tuple[SessionId, ...]:
        """The app was installed: what waited for it goes on. Returns the workspace's sessions."""
        team = workspace.team
        with self._database.write() as db:
            sessions.SAVE_WORKSPACE(db, **asdict(workspace))
            rows.SAVE_INSTALLATION(db, team=team, token=sealed, installed_at=at)
            rows.UNPARK_TIMERS(db, team=team)
            return _take_up(db, team, at)

    def take_up(self, team: TeamId, *, at: float) -> tuple[SessionId, ...]:
        """It can be served again: what waited for that goes on. Returns its sessions."""
        with self._database.write() as db:
            rows.MARK_SERVED(db, team=team)
            return _take_up(db, team, at)

    def remove(self, team: TeamId, *, happened_at: int, at: float) -> bool:
        """The app was uninstalled: its token goes, and all that is to be done there waits.

        False, and nothing is changed, where it was installed after that, or is not.
        """
        with self._database.write() as db:
            cursor = rows.REMOVE_TOKEN(
                db, team=team, happened_before=happened_at + 1, uninstalled_at=at
            )
            if not cursor.rowcount:
                return False
            rows.PARK_ROWS(db, team=team)
            rows.PARK_TIMERS(db, team=team)
        return True

    def replace_token(self, team: TeamId, before: str, after: str) -> bool:
        """False where somebody else has replaced it meanwhile."""
        with self._database.write() as db:
            cursor = rows.REPLACE_TOKEN(db, team=team, sealed_before=before, token=after)
            return bool(cursor.rowcount)

    def let_read(self, team: TeamId, hosts: Collection[str]) -> None:
        """An admin lets language models at these hosts read what people say there."""
        with self._database.write() as db:
            rows.SAVE_MODEL_HOSTS(db, team=team, model_hosts=" ".join(sorted(hosts)))

    def sessions_of(self, team: TeamId) -> tuple[SessionId, ...]:
        return tuple(
            SessionId(row[0]) for row in self._database.run(rows.SESSIONS_OF_TEAM, team=team)
        )

    def spending(self) -> tuple[tuple[TeamId, int, int, float | None], ...]:
        """Of each workspace: its sessions, and what language models took there."""
        return tuple(
            (TeamId(team), int(count), int(tokens), usd)
            for team, count, tokens, usd in self._database.run(rows.SPENDING)
        )

    def erase(self, team: TeamId) -> None:
        """Delete every row of a workspace, unless it is installed again by now."""
        with self._database.write() as db:
            row = rows.INSTALLATION(db, team=team).fetchone()
            if row is not None and _installation(row).sealed is not None:
                return
            for session in rows.SESSIONS_OF_TEAM(db, team=team).fetchall():
                erase(db, SessionId(session[0]))
            rows.DELETE_DELIVERIES(db, pattern=f"%:{team}:%")
            rows.DELETE_REFUSED(db, pattern=f"{team}:%")
            for table in SQLModel.metadata.sorted_tables:
                if "team" in table.c:
                    SqlStatement(delete(table).where(is_param(table.c.team)))(db, team=team)

    # ── installations that were begun ──

    def begin(self, state: str, *, at: float) -> None:
        """Write down that somebody began one. Of too many the oldest goes: whoever floods the page
        keeps nobody out who is quicker than the next `OPEN_STATES_MAX`.
        """
        with self._database.write() as db:
            rows.DELETE_EXPIRED(db, now=at)
            ((count,),) = rows.OPEN_STATES(db).fetchall()
            if count >= OPEN_STATES_MAX:
                rows.DELETE_OLDEST(db, many=count - OPEN_STATES_MAX + 1)
            rows.SAVE_STATE(db, digest=_digest(state), expires_at=at + STATE_S)

    def end(self, state: str, *, at: float) -> bool:
        """True once for each that was begun, within `STATE_S`."""
        with self._database.write() as db:
            return bool(rows.USE_STATE(db, digest=_digest(state), now=at).rowcount)

    # ── who has which keys ──

    def hold_keys(self, process: str, names: Collection[str], *, at: float) -> None:
        """A process that serves has these keys; to be said again within `HOLDER_S`."""
        with self._database.write() as db:
            rows.DELETE_HOLDER(db, process=process, before=at - HOLDER_S)
            rows.SAVE_HOLDER(db, process=process, keys=" ".join(names), last_at=at)

    def let_go_of_keys(self, process: str) -> None:
        with self._database.write() as db:
            rows.DELETE_HOLDER(db, process=process, before=0.0)

    def processes_without(self, key: str, *, at: float) -> tuple[str, ...]:
        """The processes that serve and do not have that key."""
        holders = self._database.run(rows.HOLDERS, since=at - HOLDER_S)
        return tuple(str(process) for process, names in holders if key not in names.split())


def _installation(row: tuple[Any, ...]) -> Installation:
    team, sealed, installed_at, uninstalled_at, hosts, unserved_at = row
    hosts = frozenset((hosts or "").split())
    return Installation(TeamId(team), sealed, installed_at, uninstalled_at, hosts, unserved_at)


def _take_up(db: Connection, team: TeamId, at: float) -> tuple[SessionId, ...]:
    outbox.UNPARK_TEAM(db, team=team, due=at)
    return tuple(SessionId(row[0]) for row in rows.SESSIONS_OF_TEAM(db, team=team))


def _digest(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()
