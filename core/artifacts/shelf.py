"""The documents a step may name: those that lie in the session's folder beside our own files."""

from core.artifacts.folder import Folder
from core.domain.ids import Slug


class FolderShelf:
    """Implements `core.reading.desk.Shelf`."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def read(self, slug: Slug, name: str) -> str:
        text = self._folder.read(slug, name)
        if text is None:
            raise FileNotFoundError(2, "No such file or directory", name)
        return text

    def names(self, slug: Slug) -> tuple[str, ...]:
        return tuple(name for name in self._folder.names(slug) if name != "meta.json")
