"""The tables of what no session owns: workspaces, deliveries, files, and what processes share."""

from sqlmodel import Field

from core.store.schema.tables import ClusteredRow


class WorkspaceRow(ClusteredRow, table=True):
    __tablename__ = "workspaces"
    team: str = Field(primary_key=True)
    url: str
    bot_user: str
    bot_id: str
    bot_name: str
    refused_widgets: str | None = None
    """What Slack refused to show there: kind of widget and time, as a JSON object."""


class InstallationRow(ClusteredRow, table=True):
    """A workspace that installed the app by OAuth, and its token until it is uninstalled."""

    __tablename__ = "installations"
    team: str = Field(primary_key=True)
    token: str | None = None  # sealed, with the team in it; None: uninstalled
    installed_at: float
    uninstalled_at: float | None = None
    model_hosts: str | None = None  # that an admin agreed to, with spaces between; None: to none
    unserved_at: float | None = None  # since when posts wait: its key is missing, or Slack refuses


class OAuthStateRow(ClusteredRow, table=True):
    """An installation that somebody began and did not end yet."""

    __tablename__ = "oauth_states"
    digest: str = Field(primary_key=True)  # of the state, which opens a door
    expires_at: float


class KeyHolderRow(ClusteredRow, table=True):
    """A process that serves, and which keys of tokens it has."""

    __tablename__ = "key_holders"
    process: str = Field(primary_key=True)
    keys: str  # their names, with spaces between
    last_at: float


class ChannelRow(ClusteredRow, table=True):
    """What was settled for a channel's sessions to come; None: nothing was."""

    __tablename__ = "channels"
    team: str = Field(primary_key=True)
    channel: str = Field(primary_key=True)
    repository: str | None = None  # that they look into; empty: none
    script_only: int | None = None  # 1: no language model reads them


class DeliveryRow(ClusteredRow, table=True):
    """The key of something that Slack delivered and that was handled."""

    __tablename__ = "deliveries"
    key: str = Field(primary_key=True)
    at: float


class PaceRow(ClusteredRow, table=True):
    """The calls of several processes under one key, and until when none may be made."""

    __tablename__ = "pace"
    key: str = Field(primary_key=True)
    calls: str  # their times, as a JSON list
    most: int | None = None
    window_s: float
    held_until: float


class HomeViewerRow(ClusteredRow, table=True):
    """Somebody who looks at a Home tab, as far as several processes believe it."""

    __tablename__ = "home_viewers"
    team: str = Field(primary_key=True)
    person: str = Field(primary_key=True)
    page: int
    until: float


class PresenceRow(ClusteredRow, table=True):
    """One row: until when any process took what Slack delivers, and who reads threads again."""

    __tablename__ = "presence"
    id: int = Field(primary_key=True)
    up_at: float
    is_to_read: int  # 1: threads are to be read, and were not read to the end
    reader: str  # the process that does
    reader_until: float  # nobody else does before


class FileRow(ClusteredRow, table=True):
    """An artifact, where these are kept in the database."""

    __tablename__ = "files"
    team: str = Field(primary_key=True)
    slug: str = Field(primary_key=True)
    name: str = Field(primary_key=True)  # with the folders that it lies in below the session's
    content: bytes
