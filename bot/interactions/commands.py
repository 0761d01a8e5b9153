"""What comes of a command, and what the asker is told at once.

Sessions are looked up in the asker's channel alone: one of another channel reads exactly like one
that does not exist.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from bot.interactions.command_line import BadCommand, Command, Name, Parsed, shortened
from bot.interactions.line_provenance import traced
from bot.payloads.inbound import is_direct_message
from bot.publish.render.catch_up import caught_up
from bot.publish.render.reply_wording import people_in, place_of, worded
from bot.views.kit.blocks import Message
from bot.views.kit.names import Names
from bot.views.private.catch_up import catch_up
from bot.views.private.commands import (
    bad_command,
    fault_list,
    hello,
    help_message,
    nothing_there,
    refused,
    sessions_list,
    status_message,
    which_to_cancel,
)
from bot.views.private.why import Traced, unknown, why
from core.domain.effects import Reply
from core.domain.events import (
    DeletionRequested,
    DepthChosen,
    Event,
    ExportRequested,
    SessionCancelled,
    SessionRequested,
    SessionResumed,
)
from core.domain.ids import ChannelId, RunId, SessionId, TeamId, UserId, session_id
from core.domain.mentions import users_in, with_names
from core.domain.session import ENDED
from core.ports import SessionReader, Summary, Workspace
from core.taxonomy.catalogue import Code

COMMAND: Final = "/roundtable"


class HandledEvent(Protocol):
    @property
    def session(self) -> SessionId | None: ...
    @property
    def reply(self) -> Reply | None: ...
    @property
    def repeated(self) -> bool: ...
    @property
    def needs_admin(self) -> bool: ...


class CommandRuntime(Protocol):
    """What the bot asks of the runtime. It raises only where nothing was committed."""

    @property
    def reader(self) -> SessionReader: ...

    def handle(
        self,
        event: Event,
        *,
        team: TeamId,
        keys: Collection[str] = (),
        session: SessionId | None = None,
    ) -> HandledEvent: ...

    def record_fault(self, code: Code, by: UserId, keys: Collection[str] = ()) -> None: ...


def _nobody(_users: Collection[UserId]) -> Names:
    return {}


def _no_strangers(_users: Collection[UserId]) -> frozenset[UserId]:
    return frozenset()


def _nobody_knows(_user: UserId) -> bool | None:
    return None


@dataclass(frozen=True, slots=True)
class CommandContext:
    """Who asked, where and when. `names` and `admin` answer from memory: no call before the ack."""

    runtime: CommandRuntime
    workspace: Workspace
    by: UserId
    channel: ChannelId
    at: float
    new_id: Callable[[], str]
    keys: tuple[str, ...] = ()
    respond_to: str | None = None
    names: Callable[[Collection[UserId]], Names] = _nobody
    strangers: Callable[[Collection[UserId]], frozenset[UserId]] = _no_strangers
    admin: Callable[[UserId], bool | None] = _nobody_knows

    def sessions(self) -> tuple[Summary, ...]:
        return self.runtime.reader.channel_sessions(self.workspace.team, self.channel)

    def handle(self, event: Event, session: SessionId | None = None) -> "Outcome":
        handled = self.runtime.handle(
            event, team=self.workspace.team, keys=self.keys, session=session
        )
        if handled.needs_admin:
            return NeedsAdmin(session, event, self.keys)
        return None if handled.reply is None else self.said(handled.reply, handled.session)

    def said(self, reply: Reply, session: SessionId | None = None) -> Message:
        url = place_of(reply, session, self.runtime.reader, self.workspace)
        return worded(reply, self.names(people_in(reply)), url)


@dataclass(frozen=True, slots=True)
class NeedsAdmin:
    """Slack must be asked whether the asker is an admin."""

    session: SessionId | None
    event: Event
    keys: tuple[str, ...]


Outcome: TypeAlias = Message | NeedsAdmin | None
"""What the asker is told now; None where there is nothing to say."""


def run(command: Parsed, asked: CommandContext) -> Outcome:
    if isinstance(command, BadCommand):
        if command.code is not None:
            asked.runtime.record_fault(command.code, asked.by, asked.keys)
            return refused(command.code)
        return bad_command(command.fault)
    return _RUNNERS[command.name](command, asked)


def _run_start(command: Command, asked: CommandContext) -> Outcome:
    if is_direct_message(asked.channel):
        return asked.said(Reply("in-dm"))
    names = asked.names(users_in(command.text))
    requested = SessionRequested(
        by=asked.by,
        at=asked.at,
        session=session_id(asked.new_id()),
        run=RunId(asked.new_id()),
        seed=asked.new_id(),
        team=asked.workspace.team,
        channel=asked.channel,
        title=with_names(command.title, names),
        text=with_names(command.text, names),
        depth=command.depth,
        flow="inception" if command.name == "discover" else "analysis",
        mode=command.mode,
        respond_to=asked.respond_to,
    )
    return asked.handle(requested)


def _run_resume(command: Command, asked: CommandContext) -> Outcome:
    session = _found(command.slug, asked)
    if session is None:
        slug = {"slug": shortened(command.slug)} if command.slug else {}
        return asked.said(Reply("nothing-to-resume", slug))
    return asked.handle(SessionResumed(asked.by, asked.at, asked.admin(asked.by)), session.id)


def _run_export(command: Command, asked: CommandContext) -> Outcome:
    session = _found(command.slug, asked)
    if session is None:
        return nothing_there(command.slug and shortened(command.slug))
    return asked.handle(ExportRequested(asked.by, asked.at, command.wanted), session.id)


def _run_depth(command: Command, asked: CommandContext) -> Outcome:
    assert command.depth is not None
    session = _unfinished(asked.sessions())
    if session is None:
        return nothing_there()
    return asked.handle(DepthChosen(asked.by, asked.at, command.depth), session.id)


def _run_cancel(command: Command, asked: CommandContext) -> Outcome:
    open_ones = [session for session in asked.sessions() if session.status not in ENDED]
    if command.slug is None and len(open_ones) > 1:
        return which_to_cancel(open_ones)
    session = _named(command.slug, asked) if command.slug else next(iter(open_ones), None)
    if session is None:
        return nothing_there(command.slug and shortened(command.slug))
    event = SessionCancelled(asked.by, asked.at, asked.admin(asked.by), sure=command.yes)
    return asked.handle(event, session.id)


def _run_delete(command: Command, asked: CommandContext) -> Outcome:
    session = _found(command.slug, asked)
    if session is None:
        return nothing_there(command.slug and shortened(command.slug))
    return asked.handle(DeletionRequested(asked.by, asked.at, sure=command.yes), session.id)


def _run_status(command: Command, asked: CommandContext) -> Outcome:
    summary = _found(command.slug, asked)
    if summary is None:
        return nothing_there(command.slug and shortened(command.slug))
    reader = asked.runtime.reader
    if command.errors:
        return fault_list(reader.faults(summary.id), reader.load(summary.id).missed)
    session = reader.load(summary.id)
    names = asked.names({session.owner, *session.awaited})
    return status_message(session, names, steps=reader.all_steps(summary.id))


def _run_catchup(command: Command, asked: CommandContext) -> Outcome:
    session = _found(command.slug, asked)
    if session is None:
        return nothing_there(command.slug and shortened(command.slug))
    late = caught_up(asked.runtime.reader, asked.workspace, session.id)
    return catch_up(late, asked.names(late.people))


def _run_why(command: Command, asked: CommandContext) -> Outcome:
    """Without a slug the one that is under way is meant, else any of this channel that has it."""
    first = _found(command.slug, asked)
    if first is None:
        return nothing_there(command.slug and shortened(command.slug))
    others = () if command.slug else asked.sessions()
    ids = dict.fromkeys((first.id, *(session.id for session in others)))
    reader, strangers = asked.runtime.reader, asked.strangers
    line = traced(reader, asked.workspace, tuple(ids), command.ref, strangers)
    if isinstance(line, Traced):
        return why(line, asked.names(line.people))
    return unknown(shortened(command.ref), line, first.slug)


def _run_list(_command: Command, asked: CommandContext) -> Outcome:
    sessions = asked.sessions()
    return sessions_list(sessions, asked.names({session.owner for session in sessions}))


def _run_help(_command: Command, _asked: CommandContext) -> Outcome:
    return help_message()


def _run_hello(_command: Command, _asked: CommandContext) -> Outcome:
    return hello()


_RUNNERS: Final[Mapping[Name, Callable[[Command, CommandContext], Outcome]]] = {
    "analyze": _run_start,
    "discover": _run_start,
    "resume": _run_resume,
    "status": _run_status,
    "catchup": _run_catchup,
    "why": _run_why,
    "list": _run_list,
    "cancel": _run_cancel,
    "delete": _run_delete,
    "depth": _run_depth,
    "export": _run_export,
    "help": _run_help,
    "hello": _run_hello,
}


def _found(slug: str | None, asked: CommandContext) -> Summary | None:
    """The one that is named, else the newest unfinished one, else the newest."""
    if slug is not None:
        return _named(slug, asked)
    sessions = asked.sessions()
    return _unfinished(sessions) or next(iter(sessions), None)


def _named(slug: str | None, asked: CommandContext) -> Summary | None:
    return next((session for session in asked.sessions() if session.slug == slug), None)


def _unfinished(sessions: Iterable[Summary]) -> Summary | None:
    return next((session for session in sessions if session.status not in ENDED), None)
