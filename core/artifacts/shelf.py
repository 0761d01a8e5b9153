"""The documents a step may name: those that lie in the session's folder beside our own files."""

from core.artifacts.folder import Folder, Unreadable
from core.domain.ids import Slug


class FolderShelf:
    """Implements `core.reading.desk.Shelf`."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def read(self, slug: Slug, name: str) -> str:
        try:
            text = self._folder.read(slug, name)
        except Unreadable as error:
            cause = error.__cause__
            if isinstance(cause, IsADirectoryError):  # it comes without the name it was asked for
                raise IsADirectoryError(cause.errno, cause.strerror, name) from error
            raise cause or error from None
        if text is None:
            raise FileNotFoundError(2, "No such file or directory", name)
        return text

    def names(self, slug: Slug) -> tuple[str, ...]:
        return tuple(name for name in self._folder.names(slug) if name != "meta.json")
