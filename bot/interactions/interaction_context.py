"""What every listener works with: the runtime, and the ways to answer a person."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from bot.interactions.commands import CommandContext, no_repositories
from bot.interactions.ephemerals import Admins, EphemeralSender
from bot.interactions.forms.modals import Modals
from bot.interactions.home import Homes
from bot.payloads.people import InteractionPlace
from bot.views.kit.blocks import Message, context, message
from bot.views.private.brain import ReadingModels
from bot.views.thread.recovery import fault_block
from bot.web_api.channels import Channels
from bot.web_api.directory import SlackDirectory
from core.domain import events
from core.domain.effects import Reply
from core.domain.ids import ChannelId, FaultId, SessionId, TeamId
from core.domain.session.halt import Fault
from core.domain.session.model_reading import ModelUse
from core.domain.session.session import Session
from core.ports import Gone, Workspace
from core.runtime.commit import Handled, Runtime
from core.store.connection.database import DatabaseError
from core.store.repository.installations import Installations
from core.taxonomy.catalogue import shown

NOT_NOW: Final = message(
    context("That did not work just now, and nothing was changed. Please try it again.")
)


AdminEvent: TypeAlias = (
    events.ChoiceMade
    | events.SessionCancelled
    | events.SessionResumed
    | events.AnswerTakenOut
    | events.RepositoryNamed
    | events.BrainChosen
)
"""What an admin of the workspace may do for others."""
STORE: Final = "ERR-STORE-001"
NOT_SAVED: Final = message(fault_block(Fault(FaultId(""), STORE, shown(STORE), True, 0.0), "ERROR"))


def told_of(error: BaseException) -> Message:
    """What a person is told of what was not committed: the store's words where it was the store."""
    return NOT_SAVED if isinstance(error, DatabaseError) else NOT_NOW


def installed_by_its_operator(_team: TeamId, _happened_at: int) -> None:
    """Where the token is a setting, none is taken out of the database."""


@dataclass(frozen=True, slots=True)
class Consent:
    """Where language models at some hosts may read what people say.

    `installations`: None where whoever serves the bot has said so, by its settings.
    """

    hosts: frozenset[str] = frozenset()
    installations: Installations | None = None

    def is_given(self, team: TeamId) -> bool:
        """True if an admin of the workspace agreed to every host."""
        if self.installations is None:
            return True
        row = self.installations.find(team)
        return row is not None and row.sealed is not None and self.hosts <= row.model_hosts

    def give(self, team: TeamId) -> None:
        if self.installations is not None:
            self.installations.let_read(team, self.hosts)


@dataclass(frozen=True, slots=True)
class InteractionContext:
    """All that a listener needs."""

    runtime: Runtime
    workspace: Workspace
    ephemerals: EphemeralSender
    admins: Admins
    names: SlackDirectory
    modals: Modals
    channels: Channels
    homes: Homes
    now: Callable[[], float]
    new_id: Callable[[], str]  # unguessable
    repositories: Callable[[TeamId, ChannelId], tuple[str, ...]] = no_repositories
    readers: ReadingModels = ReadingModels()
    uninstalled: Callable[[TeamId, int], None] = installed_by_its_operator
    consent: Consent = Consent()

    def handle(
        self, event: events.Event, keys: tuple[str, ...] = (), session: SessionId | None = None
    ) -> Handled:
        team = self.workspace.team
        return self.runtime.handle(event, team=team, keys=keys, session=session)

    def session(self, session: SessionId) -> Session | None:
        """The session as it is now; None where it is gone."""
        try:
            return self.runtime.reader.load(session)
        except Gone:
            return None

    def session_in(self, channel: ChannelId, session: SessionId) -> Session | None:
        """The session, if it is of that channel: what a control names comes from outside."""
        stored = self.session(session)
        place = (self.workspace.team, channel)
        return stored if stored is not None and (stored.team, stored.channel) == place else None

    def command_context(
        self, place: InteractionPlace, keys: tuple[str, ...], respond_to: str | None = None
    ) -> CommandContext:
        team = self.workspace.team
        return CommandContext(
            runtime=self.runtime,
            workspace=self.workspace,
            by=place.user,
            channel=place.channel,
            at=self.now(),
            new_id=self.new_id,
            keys=keys,
            respond_to=respond_to,
            names=lambda users: self.names.remembered(team, users),
            strangers=lambda users: self.names.remembered_strangers(team, users),
            admin=self.admins.known,
            repositories=self.repositories,
            readers=self._readers_here(),
        )

    def _readers_here(self) -> ReadingModels:
        if not self.readers.tiers or self.consent.is_given(self.workspace.team):
            return self.readers
        return replace(self.readers, needs_consent=True)

    def context_after_ack(self, place: InteractionPlace) -> CommandContext:
        """As `command_context`, for words made in a worker: names may be asked of Slack."""
        team = self.workspace.team
        return replace(
            self.command_context(place, ()), names=lambda users: self.names.names(team, users)
        )

    def script_box(self, use: ModelUse = ModelUse()) -> bool | None:
        """True if a form's box for the script alone is ticked; None: no model reads here anyway."""
        return use.script_only if self.readers.tiers else None

    def reply(
        self, place: InteractionPlace, reply: Reply | None, session: SessionId | None = None
    ) -> None:
        """Tell the person, if there is something to tell."""
        if reply is not None:
            command_context = self.context_after_ack(place)
            self.ephemerals.tell(place, lambda: command_context.worded(reply, session))

    def settle(
        self,
        place: InteractionPlace,
        event: events.Event,
        keys: tuple[str, ...] = (),
        session: SessionId | None = None,
    ) -> Handled:
        """Handle it, and tell the person what came of it.

        Where that depends on whether they are an admin, and we do not know, Slack is asked first,
        after the acknowledgement.
        """
        if isinstance(event, AdminEvent):
            event = replace(event, admin=self.admins.known(place.user))
        handled = self.handle(event, keys, session)
        if handled.needs_admin:
            self.ask_admin(place, event, keys, session)
        else:
            self.reply(place, handled.reply, handled.session)
        return handled

    def ask_admin(
        self,
        place: InteractionPlace,
        event: events.Event,
        keys: tuple[str, ...],
        session: SessionId | None,
    ) -> None:
        """Handle it after the acknowledgement, once Slack has said whether they are an admin."""
        assert isinstance(event, AdminEvent), event
        self.ephemerals.later(lambda: self._settle_as_admin(place, event, keys, session))

    def _settle_as_admin(
        self,
        place: InteractionPlace,
        event: AdminEvent,
        keys: tuple[str, ...],
        session: SessionId | None,
    ) -> None:
        """In a worker. Whoever Slack says nothing of is no admin."""
        try:
            event = replace(event, admin=bool(self.admins.ask(place.user)))
            if isinstance(event, events.RepositoryNamed):
                event = replace(event, shared=self.channels.is_shared(event.channel))
            handled = self.handle(event, keys, session)
            self.reply(place, handled.reply, handled.session)
        except Exception as error:
            # In the pool no error handler of Bolt's would tell the person.
            words = told_of(error)
            self.ephemerals.tell(place, lambda: words)
            raise
