"""What is known before a session starts: its pre-flight, and other sessions."""

from dataclasses import dataclass

from core.domain.ids import ChannelId, SessionId, Slug
from core.domain.session.status import Status


@dataclass(frozen=True, slots=True)
class Checked:
    """One line of the pre-flight: what was looked at before a session starts, and how."""

    what: str
    method: str
    ok: bool
    found: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What another session tells a start: enough to choose a slug, nothing to reveal."""

    id: SessionId
    slug: Slug
    channel: ChannelId
    status: Status
    title: str
