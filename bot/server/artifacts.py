"""Where artifacts are kept: a folder, or the rows of a PostgreSQL database without one."""

from typing import TYPE_CHECKING

from bot.server.configuration.settings import Settings
from core.artifacts.files.folder import Folder
from core.artifacts.files.state import Teams

if TYPE_CHECKING:
    from core.ports import StoredFiles
    from core.store.connection.database import Database


def folder_of(settings: Settings, database: "Database") -> Folder:
    """The folders of all workspaces."""
    if not settings.has_files_in_rows:
        return Folder(settings.artifacts_dir)
    from core.artifacts.files.stored_folder import StoredFolder

    return StoredFolder(_rows(database))


def teams_of(settings: Settings, database: "Database") -> Teams:
    """The running teams of parties."""
    if not settings.has_files_in_rows:
        return Teams(settings.artifacts_dir)
    from core.artifacts.files.stored_folder import StoredTeams

    return StoredTeams(_rows(database))


def _rows(database: "Database") -> "StoredFiles":
    from core.store.repository.artifact_rows import ArtifactRows

    return ArtifactRows(database)
