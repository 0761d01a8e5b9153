"""Whose folder it is: one that somebody else's session left is neither touched nor revealed."""

from dataclasses import dataclass
from typing import Literal

from core.domain.ids import ChannelId, Slug
from core.domain.session.session import Session


@dataclass(frozen=True, slots=True)
class FolderOwner:
    """What the folder of a session's slug says of whom it belongs to.

    `meta`: the state of its `meta.json`; `channel` and `slug` as that names them. `has_files`:
    somebody's files lie there. `is_writable`: a corrupt `meta.json` could be set aside.
    """

    meta: Literal["absent", "corrupt", "ok"]
    channel: ChannelId = ChannelId("")
    slug: Slug = Slug("")
    has_files: bool = False
    is_writable: bool = True


def is_taken(session: Session, folder: FolderOwner) -> bool:
    """True if the session takes another slug: the folder is, or may be, another session's.

    A session that is under way keeps its folder, unless that names another one by now; an operator
    may have said that it belongs to the session, whatever it names.
    """
    if session.adopted:
        return False
    if folder.meta == "ok":
        return (folder.channel, folder.slug) != (session.channel, session.slug)
    if session.status != "starting":
        return False
    return folder.has_files if folder.meta == "absent" else not folder.is_writable
