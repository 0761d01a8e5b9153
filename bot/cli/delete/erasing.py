"""What there is of a session, and how it goes: files, rows, and what of them is left behind."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass

from bot.cli.serve import guarded
from bot.payloads.links import post_link
from bot.server.artifacts import folder_of
from bot.server.configuration.settings import Settings
from core.artifacts.files.folder import Folder, FolderError
from core.artifacts.files.state import TeamError, Teams
from core.domain.ids import UserId
from core.store.connection.database import DatabaseError
from core.store.connection.opening import open_database
from core.store.maintenance import stored_rows as store
from core.store.maintenance.exclusive_lock import exclusive_connection
from core.store.queries.reader import Reader
from core.store.statements.statement import Connection


class FailedError(Exception):
    """It was not deleted. Its text says why, and what is still there."""


@dataclass(frozen=True, slots=True)
class Doomed(store.StoredSession):
    """A session with everything of it."""

    rows: Mapping[str, int]  # by table
    files: tuple[str, ...]  # below the artifacts folder
    people: tuple[UserId, ...]  # whose answers it holds
    posts: int  # messages of ours that stay in Slack
    card: str  # where the first of them is; empty: nowhere


def doomed(settings: Settings, name: str) -> tuple[Doomed, ...]:
    """The sessions with that slug or id, or with a run of that id."""
    opened = guarded(lambda: open_database(settings.database_url))
    with closing(opened) as database, database.reading() as db:
        reader, folder = Reader(database), folder_of(settings, database)
        return tuple(_doomed(db, reader, session, folder) for session in store.called(db, name))


def _doomed(db: Connection, reader: Reader, session: store.StoredSession, folder: Folder) -> Doomed:
    rows = store.rows_of(db, session.id)
    url = next((row.url for row in reader.workspaces() if row.team == session.team), "")
    return Doomed(
        **asdict(session),
        rows=rows,
        files=folder.of(session.team).kept_of(session.slug),
        people=store.people_of(db, session.id),
        posts=rows.get("posts", 0),
        card=post_link(url, reader.post(session.id, "card")) if url else "",
    )


def erase(settings: Settings, doomed: Doomed) -> str:
    """Delete it. Files go first: where one cannot go, all rows are there, and it can be repeated.

    Returns why the file could not be written anew; empty where nothing is left. Raises
    `FailedError`, and `InUseError` where the bot is running.
    """
    with exclusive_connection(settings.database_url) as db:
        try:
            if not settings.has_files_in_rows:  # those go with all other rows
                Folder(settings.artifacts_dir).of(doomed.team).delete(doomed.slug)
                Teams(settings.artifacts_dir).delete(doomed.id)
        except (FolderError, TeamError) as error:
            why = getattr(error.__cause__, "strerror", None) or str(error)
            raise FailedError(f"Its files cannot be removed: {why}. No row is gone.") from error
        try:
            store.erase_for_good(db, doomed)
        except DatabaseError as error:
            raise FailedError(
                f"The database cannot be written: {error}. No row is gone."
            ) from error
        try:
            store.compact(db)
        except DatabaseError as error:
            return str(error)
    return ""
