"""The tables of sessions. Rows never leave `core.store`: values go in and come out.

A `doc` column holds one value of `core.domain` as JSON; what is searched for has a column of its
own. Columns are text, numbers and bytes without defaults in Python, so that a statement means the
same on the driver's own connection. The id of the session leads the key of whatever belongs to one:
its rows lie together, and a commit writes few pages. What no session owns has its tables in
`core.store.schema.workspace_tables`.
"""

from typing import Any, ClassVar, Final

from sqlalchemy import Table, text
from sqlalchemy.ext.compiler import compiles
from sqlmodel import AutoString, Field, Index, SQLModel

CLUSTERED: Final = {"sqlite_with_rowid": False}  # one tree to write, in the order of the key
IS_PROMPT: Final = "target >= 'prompt:' AND target < 'prompt;'"


@compiles(AutoString, "postgresql")
def _sorted_by_bytes(*_: object, **__: object) -> str:
    """As SQLite does it: in other collations 'prompt:a' is not before 'prompt;'."""
    return 'TEXT COLLATE "C"'


class ClusteredRow(SQLModel):
    """Rows in the order of their key."""

    __table_args__: ClassVar[Any] = CLUSTERED
    model_config: ClassVar[Any] = {"defer_build": True}  # no row is ever validated


class SessionPartRow(ClusteredRow):
    """A part of a session."""

    session: str = Field(primary_key=True)


class SessionRow(SQLModel, table=True):
    """A session as it is now. Clustered, a row of 2 KB would take an overflow page of its own."""

    __tablename__ = "sessions"
    __table_args__ = (Index("sessions_slug", "team", "slug", unique=True),)
    id: str = Field(primary_key=True)
    team: str
    channel: str = Field(index=True)
    slug: str
    title: str
    owner: str
    status: str  # no index: it changes with most clicks, and few ask for it
    doc: str
    version: int
    updated_at: float
    # of the document, for what is looked for in all sessions
    step: str | None = None
    people: str  # ids with a space before and after: who answered, and whose words wait
    is_seated: int  # 1: its party has a team


class RunRow(ClusteredRow, table=True):
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
    """A step as it is now. Clustered, one of over a kilobyte would take a page of its own."""

    __tablename__ = "steps"
    session: str = Field(primary_key=True)
    id: str = Field(primary_key=True)
    phase: str
    place: int  # order within the phase
    doc: str
    accepted: str | None = None  # its claims when the phase was last accepted; "": as they are now


class ThreadRow(SessionPartRow, table=True):
    __tablename__ = "threads"
    __table_args__ = (Index("threads_root", "channel", "ts"), CLUSTERED)
    persona: str = Field(primary_key=True)  # "" is the card's
    channel: str
    ts: str


class PostRow(SessionPartRow, table=True):
    """A message of ours, by what it shows."""

    __tablename__ = "posts"
    __table_args__ = (
        Index(
            "posts_prompt",
            *("session", "thread_ts", "ts"),
            sqlite_where=text(IS_PROMPT),
        ),
        CLUSTERED,
    )
    target: str = Field(primary_key=True)
    channel: str
    ts: str
    thread_ts: str | None = None
    step: str | None = None


class AnswerRow(SessionPartRow, table=True):
    """One revision of an answer."""

    __tablename__ = "answers"
    __table_args__ = (Index("answers_id", "id"), CLUSTERED)
    id: str = Field(primary_key=True)
    revision: int = Field(primary_key=True)
    step: str
    current: int  # 1 for the newest revision
    ts: str
    doc: str


class StanceRow(SessionPartRow, table=True):
    """What one person thinks of one answer."""

    __tablename__ = "stances"
    answer: str = Field(primary_key=True)
    by: str = Field(primary_key=True)
    step: str
    doc: str


class SettlementRow(SessionPartRow, table=True):
    """How differences on an answer were settled; an answer may have several, in their order."""

    __tablename__ = "settlements"
    place: int = Field(primary_key=True)
    step: str
    doc: str


class CorrectionRow(SessionPartRow, table=True):
    """How somebody sorted a line; the same line may have several, in their order."""

    __tablename__ = "corrections"
    place: int = Field(primary_key=True)
    step: str
    doc: str


class ClaimRow(SQLModel, table=True):
    """The claims of one step, as a list."""

    __tablename__ = "claims"
    session: str = Field(primary_key=True)
    step: str = Field(primary_key=True)
    doc: str


class SectionRow(SQLModel, table=True):
    """What a step shows in a file: a version for each time that people said something new to it.

    Composed anew of the same words it takes the place of what it was.
    """

    __tablename__ = "sections"
    session: str = Field(primary_key=True)
    step: str = Field(primary_key=True)
    file: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    current: int  # 1 for what the file shows
    title: str
    body: str


class MenuRow(ClusteredRow, table=True):
    __tablename__ = "menus"
    id: str = Field(primary_key=True)
    session: str
    state: str
    doc: str


def shared_index(name: str, *columns: str) -> Index:
    """An index for looks that several processes take; one process keeps time in its memory."""
    return Index(name, *columns).ddl_if(dialect="postgresql")


class OutboxRow(SessionPartRow, table=True):
    """An effect that is still to be performed."""

    __tablename__ = "outbox"
    __table_args__ = (shared_index("outbox_due", "due"), CLUSTERED)
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    lane: str  # visible, work, brain
    kind: str  # the effect's type
    target: str | None = None  # one waiting row per target of a repaint
    rank: int  # posts 0, edits and marks that posts may pass 1, the card 2
    doc: str
    since: float  # when it was first due
    due: float | None = None  # None: parked until the session is resumed
    attempts: int
    attempted_at: float | None = None
    attempt: str | None = None  # the message that was prepared then
    holder: str | None = None  # of several processes, the one that performs it
    held_until: float | None = None  # nobody else does before


class ModelSlotRow(SessionPartRow, table=True):
    """A request of several processes that is at its provider until then, or that waits to be."""

    __tablename__ = "model_slots"
    task: str = Field(primary_key=True)
    provider: str
    team: str
    since: float  # when it first wanted to be sent
    asked_at: float  # when it last did
    held_until: float  # 0: it waits


class CallRow(SessionPartRow, table=True):
    """A request to a language model: written before it is sent, and with its reply when it comes.

    The reply goes when the outbox row is done.
    """

    __tablename__ = "calls"
    __table_args__ = (Index("calls_day", "team", "at"), CLUSTERED)
    task: str = Field(primary_key=True)
    team: str
    step: str
    asks: str
    tier: str
    model: str
    prompt: str  # digest of the prompt's file
    state: str  # sent, replied, done, failed
    at: float
    input_tokens: int
    output_tokens: int
    usd: float | None = None
    is_estimate: int
    reply: str | None = None
    left_out: str | None = None  # what it had no room for, a line for each


class ContributionRow(SessionPartRow, table=True):
    """A turn of a council."""

    __tablename__ = "contributions"
    phase: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    doc: str


class TimerRow(SessionPartRow, table=True):
    __tablename__ = "timers"
    __table_args__ = (shared_index("timers_due", "due"), CLUSTERED)
    kind: str = Field(primary_key=True)
    step: str
    due: float


class FaultRow(SQLModel, table=True):
    __tablename__ = "faults"
    id: str = Field(primary_key=True)
    session: str = Field(index=True)  # empty for what was refused before there was a session
    place: int
    code: str
    at: float
    doc: str


class JournalRow(SessionPartRow, table=True):
    """An event that changed a session, by reference, and what the decision led to."""

    __tablename__ = "journal"
    place: int = Field(primary_key=True)  # the session's version after it
    at: float
    kind: str
    by: str | None = None
    doc: str
    checksum: str  # of the session's document after it, and of words that a reading left on steps
    conditions: str  # the settings it was decided under; long ones by their row in `contents`
    effects: str  # their types in order, with spaces between


class JournalExtraRow(SQLModel, table=True):
    """What rows cannot give back later of an event (`repository.journal_entry`).

    Beside the journal, in which a row of over a kilobyte would take a page of its own.
    """

    __tablename__ = "journal_extras"
    session: str = Field(primary_key=True)
    place: int = Field(primary_key=True)
    doc: str


def table_of(row: type[SQLModel]) -> Table:
    """The Core table behind a row class."""
    table: Any = row.__dict__["__table__"]
    assert isinstance(table, Table)
    return table
