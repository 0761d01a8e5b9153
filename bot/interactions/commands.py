"""What comes of a command, and what the asker is told at once.

Sessions are looked up in the asker's channel alone: one of another channel reads exactly like one
that does not exist.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.interactions.command_line import BadCommand, Command, Name, Parsed, shortened
from bot.interactions.line_provenance import traced
from bot.payloads.people import is_direct_message
from bot.publish.render.catch_up import caught_up
from bot.publish.render.reply_wording import reply_words
from bot.views.kit.blocks import Message
from bot.views.kit.names import Names
from bot.views.private import commands
from bot.views.private.brain import ReadingModels, ReadSession, brain
from bot.views.private.catch_up import catch_up
from bot.views.private.why import Traced, unknown, why
from core.domain import events
from core.domain.effects import Reply
from core.domain.ids import ChannelId, RunId, SessionId, TeamId, UserId, session_id
from core.domain.mentions import users_in, with_names
from core.domain.session.course import ENDED
from core.ports import Summary, Workspace
from core.runtime.commit import Runtime

COMMAND: Final = "/roundtable"
NO_REPOSITORY: Final = "none"


def no_repositories(_team: TeamId, _channel: ChannelId) -> tuple[str, ...]:
    """What a channel may see where no repository is declared."""
    return ()


@dataclass(frozen=True, slots=True)
class CommandContext:
    """Who asked, where and when. `names` and `admin` answer from memory: no call before the ack.

    `names` may ask Slack where the words are made after the acknowledgement.
    """

    runtime: Runtime
    workspace: Workspace
    by: UserId
    channel: ChannelId
    at: float
    new_id: Callable[[], str]
    keys: tuple[str, ...] = ()
    respond_to: str | None = None
    names: Callable[[Collection[UserId]], Names] = lambda _users: {}
    strangers: Callable[[Collection[UserId]], frozenset[UserId]] = lambda _users: frozenset()
    admin: Callable[[UserId], bool | None] = lambda _user: None
    repositories: Callable[[TeamId, ChannelId], tuple[str, ...]] = no_repositories
    readers: ReadingModels = ReadingModels()

    def sessions(self) -> tuple[Summary, ...]:
        return self.runtime.reader.channel_sessions(self.workspace.team, self.channel)

    def handle(self, event: events.Event, session: SessionId | None = None) -> "Outcome":
        handled = self.runtime.handle(
            event, team=self.workspace.team, keys=self.keys, session=session
        )
        if handled.needs_admin:
            return NeedsAdmin(session, event, self.keys)
        return None if handled.reply is None else self.worded(handled.reply, handled.session)

    def worded(self, reply: Reply, session: SessionId | None = None) -> Message:
        """What the runtime replied, as a person reads it."""
        return reply_words(reply, session, self.runtime.reader, self.workspace, self.names)


@dataclass(frozen=True, slots=True)
class NeedsAdmin:
    """Slack must be asked whether the asker is an admin."""

    session: SessionId | None
    event: events.Event
    keys: tuple[str, ...]


Outcome: TypeAlias = Message | NeedsAdmin | None
"""What the asker is told now; None where there is nothing to say."""
Runner: TypeAlias = Callable[[Command, CommandContext], Outcome]


def run(command: Parsed, context: CommandContext) -> Outcome:
    if isinstance(command, BadCommand):
        if command.code is not None:
            context.runtime.record_fault(
                command.code, context.workspace.team, context.by, context.keys
            )
            return commands.refused(command.code)
        return commands.bad_command(command.fault)
    return _RUNNERS[command.name](command, context)


def _run_start(command: Command, context: CommandContext) -> Outcome:
    if is_direct_message(context.channel):
        return context.worded(Reply("in-dm"))
    names = context.names(users_in(command.text))
    requested = events.SessionRequested(
        by=context.by,
        at=context.at,
        session=session_id(context.new_id()),
        run=RunId(context.new_id()),
        seed=context.new_id(),
        team=context.workspace.team,
        channel=context.channel,
        title=with_names(command.title, names),
        text=with_names(command.text, names),
        depth=command.depth,
        flow="inception" if command.name == "discover" else "analysis",
        mode=command.mode,
        script_only=command.script_only,
        respond_to=context.respond_to,
    )
    return context.handle(requested)


def _run_resume(command: Command, context: CommandContext) -> Outcome:
    session = _found(command.slug, context)
    if session is None:
        slug = {"slug": shortened(command.slug)} if command.slug else {}
        return context.worded(Reply("nothing-to-resume", slug))
    return context.handle(
        events.SessionResumed(context.by, context.at, context.admin(context.by)), session.id
    )


def _on_session(run: Callable[[Summary, Command, CommandContext], Outcome]) -> Runner:
    """A command about a session of the asker's channel, which has to be there."""

    def runner(command: Command, context: CommandContext) -> Outcome:
        session = _found(command.slug, context)
        if session is None:
            return commands.nothing_there(command.slug and shortened(command.slug))
        return run(session, command, context)

    return runner


@_on_session
def _run_export(session: Summary, command: Command, context: CommandContext) -> Outcome:
    return context.handle(
        events.ExportRequested(context.by, context.at, command.wanted), session.id
    )


@_on_session
def _run_enrich(session: Summary, _command: Command, context: CommandContext) -> Outcome:
    return context.handle(events.EnrichRequested(context.by, context.at), session.id)


def _run_depth(command: Command, context: CommandContext) -> Outcome:
    assert command.depth is not None
    session = _unfinished(context.sessions())
    if session is None:
        return commands.nothing_there()
    return context.handle(events.DepthChosen(context.by, context.at, command.depth), session.id)


def _run_cancel(command: Command, context: CommandContext) -> Outcome:
    open_ones = [session for session in context.sessions() if session.status not in ENDED]
    if command.slug is None and len(open_ones) > 1:
        return commands.which_to_cancel(open_ones)
    session = _named(command.slug, context) if command.slug else next(iter(open_ones), None)
    if session is None:
        return commands.nothing_there(command.slug and shortened(command.slug))
    event = events.SessionCancelled(
        context.by, context.at, context.admin(context.by), sure=command.yes
    )
    return context.handle(event, session.id)


@_on_session
def _run_delete(session: Summary, command: Command, context: CommandContext) -> Outcome:
    return context.handle(
        events.DeletionRequested(context.by, context.at, sure=command.yes), session.id
    )


@_on_session
def _run_status(summary: Summary, command: Command, context: CommandContext) -> Outcome:
    reader = context.runtime.reader
    if command.errors:
        return commands.fault_list(reader.faults(summary.id), reader.load(summary.id).missed)
    session = reader.load(summary.id)
    names = context.names({session.owner, *session.awaited})
    return commands.status_message(session, names, reader.all_steps(summary.id))


@_on_session
def _run_catchup(session: Summary, _command: Command, context: CommandContext) -> Outcome:
    return catch_up_message(session.id, context)


def catch_up_message(session: SessionId, context: CommandContext) -> Message:
    """What was decided in a session and what is open."""
    late = caught_up(context.runtime.reader, session)
    return catch_up(late, context.names(late.people))


@_on_session
def _run_why(first: Summary, command: Command, context: CommandContext) -> Outcome:
    """Without a slug the one that is under way is meant, else any of this channel that has it."""
    others = () if command.slug else context.sessions()
    ids = dict.fromkeys((first.id, *(session.id for session in others)))
    return why_message(command.ref, tuple(ids), first.slug, context)


def why_message(
    ref: str, sessions: Sequence[SessionId], slug: str, context: CommandContext
) -> Message:
    """Why a line is there. `sessions`: where to look for it; `slug`: of the first of them."""
    reader, strangers = context.runtime.reader, context.strangers
    line = traced(reader, context.workspace, sessions, ref, strangers)
    if isinstance(line, Traced):
        return why(line, context.names(line.people))
    return unknown(shortened(ref), line, slug)


def _on_session_or_channel(
    run: Callable[[Summary | None, Command, CommandContext], Outcome],
) -> Runner:
    """A command about a session that is named or under way; without one, about the channel."""

    def runner(command: Command, context: CommandContext) -> Outcome:
        if is_direct_message(context.channel):
            return context.worded(Reply("in-dm"))
        summary = _named(command.slug, context)
        if command.slug is not None and summary is None:
            return commands.nothing_there(shortened(command.slug))
        return run(summary or _unfinished(context.sessions()), command, context)

    return runner


@_on_session_or_channel
def _run_repository(session: Summary | None, command: Command, context: CommandContext) -> Outcome:
    event = events.RepositoryNamed(
        context.by,
        context.at,
        context.workspace.team,
        context.channel,
        "" if command.ref == NO_REPOSITORY else command.ref,
        context.repositories(context.workspace.team, context.channel),
        context.admin(context.by),
    )
    return context.handle(event, session.id if session else None)


@_on_session_or_channel
def _run_brain(summary: Summary | None, _command: Command, context: CommandContext) -> Outcome:
    reader = context.runtime.reader
    if summary is None:
        is_script = reader.is_script_channel(context.workspace.team, context.channel)
        return brain(context.readers, None, script_only=is_script)
    session = reader.load(summary.id)
    about = ReadSession(session.id, session.title, session.model)
    return brain(context.readers, about, script_only=session.model.script_only)


def _run_list(_command: Command, context: CommandContext) -> Outcome:
    sessions = context.sessions()
    return commands.sessions_list(sessions, context.names({session.owner for session in sessions}))


_RUNNERS: Final[Mapping[Name, Runner]] = {
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
    "repository": _run_repository,
    "brain": _run_brain,
    "enrich": _run_enrich,
    "help": lambda _command, _context: commands.help_message(),
    "hello": lambda _command, _context: commands.hello(),
}


def _found(slug: str | None, context: CommandContext) -> Summary | None:
    """The one that is named, else the newest unfinished one, else the newest."""
    if slug is not None:
        return _named(slug, context)
    sessions = context.sessions()
    return _unfinished(sessions) or next(iter(sessions), None)


def _named(slug: str | None, context: CommandContext) -> Summary | None:
    return next((session for session in context.sessions() if session.slug == slug), None)


def _unfinished(sessions: Iterable[Summary]) -> Summary | None:
    return next((session for session in sessions if session.status not in ENDED), None)
