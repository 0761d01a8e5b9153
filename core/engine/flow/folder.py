"""Whose folder it is: one that somebody else's session left is neither touched nor revealed."""

from dataclasses import dataclass
from typing import Final, Literal

from core.domain.events import FileFault, FolderWritten
from core.domain.ids import ChannelId, Slug
from core.domain.session.session import Session

ABSENT: Final = frozenset({"ERR-ART-001", "ERR-META-001"})  # the folder, and its meta.json


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


def unexpected(session: Session, event: FolderWritten) -> tuple[FileFault, ...]:
    """What went wrong with the files; a start that creates its folder is no fault."""
    if session.course.done or event.step is not None:
        return event.faults
    return tuple(fault for fault in event.faults if fault.code not in ABSENT)
