"""The tables. Rows never leave `core.store`; values go in and come out.

`doc` columns hold one value of `core.domain` as JSON, packed where rows of them stay and grow
(`core.store.packing`); what is searched for has a column of its own.
"""

from typing import Final

from sqlalchemy import text
from sqlmodel import Field, Index, SQLModel

BY_KEY: Final = {"sqlite_with_rowid": False}  # one page to write instead of two
IS_PROMPT: Final = "target >= 'prompt:' AND target < 'prompt;'"


class WorkspaceRow(SQLModel, table=True):
    __tablename__ = "workspaces"
    team: str = Field(primary_key=True)
    url: str
    bot_user: str
    bot_id: str
    bot_name: str


class SessionRow(SQLModel, table=True):
    __tablename__ = "sessions"
    __table_args__ = (Index("sessions_slug", "team", "slug", unique=True),)
    id: str = Field(primary_key=True)
    team: str
    channel: str = Field(index=True)
    slug: str
    title: str
    owner: str
    status: str = Field(index=True)
    doc: str
    version: int
    updated_at: float


class RunRow(SQLModel, table=True):
    __tablename__ = "runs"
    id: str = Field(primary_key=True)
    session: str = Field(index=True)
    started_at: float
    ended_at: float | None = None
    status: str | None = None


class ContentRow(SQLModel, table=True):
    """A step or agent file as it was read, by the digest of its bytes; shared by all sessions."""

    __tablename__ = "contents"
    digest: str = Field(primary_key=True)
    kind: str
    doc: str


class StepRow(SQLModel, table=True):
    __tablename__ = "steps"
    __table_args__ = BY_KEY
    session: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    phase: str
    place: int  # order within the phase
    doc: str
    accepted: str | None = None  # its claims when the phase was last accepted; "": as they are now


class ThreadRow(SQLModel, table=True):
    __tablename__ = "threads"
    __table_args__ = (Index("threads_root", "channel", "ts"), BY_KEY)
    session: str = Field(primary_key=True)
    persona: str = Field(primary_key=True)  # "" is the card's
    channel: str
    ts: str


class PostRow(SQLModel, table=True):
    __tablename__ = "posts"
    __table_args__ = (
        Index("posts_prompt", "session", "thread_ts", "ts", sqlite_where=text(IS_PROMPT)),
        BY_KEY,
    )
    session: str = Field(primary_key=True)
    target: str = Field(primary_key=True)
    channel: str
    ts: str
    thread_ts: str | None = None
    step: str | None = None


class AnswerRow(SQLModel, table=True):
    __tablename__ = "answers"
    __table_args__ = (Index("answers_id", "id"), BY_KEY)
    session: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    revision: int = Field(primary_key=True)
    step: str
    current: int  # 1 for the newest revision
    ts: str
    doc: str


class StanceRow(SQLModel, table=True):
    """What one person gave on one answer."""

    __tablename__ = "stances"
    __table_args__ = (Index("stances_step", "session", "step"), BY_KEY)
    session: str = Field(primary_key=True)
    answer: str = Field(primary_key=True)
    by: str = Field(primary_key=True)
    step: str
    doc: str


class SettlementRow(SQLModel, table=True):
    """How differences on an answer were settled; an answer may have several, in their order."""

    __tablename__ = "settlements"
    __table_args__ = BY_KEY
    session: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    step: str
    doc: str


class ClaimRow(SQLModel, table=True):
    """All that stands for one step: a list of claims."""

    __tablename__ = "claims"
    __table_args__ = BY_KEY
    session: str = Field(primary_key=True)
    step: str = Field(primary_key=True)
    doc: str


class SectionRow(SQLModel, table=True):
    __tablename__ = "sections"
    __table_args__ = BY_KEY
    session: str = Field(primary_key=True)
    step: str = Field(primary_key=True)
    file: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    current: int
    doc: str


class MenuRow(SQLModel, table=True):
    __tablename__ = "menus"
    __table_args__ = BY_KEY
    id: str = Field(primary_key=True)
    session: str
    state: str
    doc: str


class DeliveryRow(SQLModel, table=True):
    __tablename__ = "deliveries"
    __table_args__ = BY_KEY
    key: str = Field(primary_key=True)
    at: float


class OutboxRow(SQLModel, table=True):
    __tablename__ = "outbox"
    __table_args__ = (
        Index("outbox_lane", "session", "lane", "rank", "id"),
        {"sqlite_autoincrement": True},
    )
    id: int | None = Field(default=None, primary_key=True)
    session: str
    lane: str  # visible, work, brain
    kind: str  # the effect's type
    target: str | None = None  # one waiting row per target of a repaint
    rank: int = 0  # posts 0, edits and marks that posts may pass 1, the card 2
    doc: str
    since: float  # when it was first due
    due: float | None = None  # None: parked until the session is resumed
    attempts: int = 0
    attempted_at: float | None = None


class ContributionRow(SQLModel, table=True):
    """A turn of a council."""

    __tablename__ = "contributions"
    __table_args__ = BY_KEY
    session: str = Field(primary_key=True)
    phase: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    doc: str


class TimerRow(SQLModel, table=True):
    __tablename__ = "timers"
    __table_args__ = BY_KEY
    session: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    step: str
    due: float


class FaultRow(SQLModel, table=True):
    __tablename__ = "faults"
    id: str = Field(primary_key=True)
    session: str = Field(index=True)
    place: int
    code: str
    at: float
    doc: str


class JournalRow(SQLModel, table=True):
    __tablename__ = "journal"
    __table_args__ = BY_KEY
    session: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    at: float
    kind: str
    by: str | None = None
    doc: str
    rest: str | None = None  # `core.store.journal` says what these two hold
    came: str | None = None
