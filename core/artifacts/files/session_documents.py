"""The documents a step may name: those that lie in the session's folder beside our own files."""

from core.artifacts.files.folder import Folder, Unreadable
from core.domain.ids import Slug, TeamId


class FolderDocuments:
    """Implements `core.runtime.brains.brain_requests.SessionDocuments`."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def read(self, team: TeamId, slug: Slug, name: str) -> str:
        """The text of a file. Raises `FileNotFoundError`, `IsADirectoryError` or the like."""
        try:
            text = self._folder.of(team).read(slug, name)
        except Unreadable as error:
            cause = error.__cause__
            if isinstance(cause, IsADirectoryError):  # it comes without the name it was asked for
                raise IsADirectoryError(cause.errno, cause.strerror, name) from error
            raise cause or error from None
        if text is None:
            raise FileNotFoundError(2, "No such file or directory", name)
        return text

    def names(self, team: TeamId, slug: Slug) -> tuple[str, ...]:
        return tuple(name for name in self._folder.of(team).names(slug) if name != "meta.json")
