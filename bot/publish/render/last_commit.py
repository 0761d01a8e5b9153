"""The last commit as drawings see it: rows, names, and who says what."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.payloads.links import post_link
from bot.views.channel.card import ThreadLink
from bot.views.kit.blocks import Message
from bot.views.kit.identity import Author, author_of
from bot.views.kit.names import Names
from core.domain.answers import Draft
from core.domain.ids import (
    ChannelId,
    MenuId,
    PersonaKey,
    PhaseKey,
    SessionId,
    StepId,
    TeamId,
    UserId,
)
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.steps.playbook import BUILT_IN, FACILITATOR, Persona
from core.ports import Directory, Gone, Post, SessionReader

WithWaiting = Callable[[SessionId, StepState], Draft | None]
"""The draft as it would be with the lines that wait at a step; None: it cannot be read."""


def nobody_reads(_session: SessionId, _state: StepState) -> None:
    """As `WithWaiting`, where no model is set."""


@dataclass(frozen=True, slots=True)
class Scene:
    message: Message
    author: Author | None = None  # None: the app itself


class CommittedRows:
    """What is stored of a session, looked up for whoever draws it. Writes and sends nothing."""

    def __init__(self, reader: SessionReader) -> None:
        self.reader = reader

    def url(self, session: Session, post: Post | None) -> str:
        return post_link(self.reader.workspace(session.team).url, post)

    def menu(self, menu_id: MenuId) -> Menu:
        """The menu of that id. Raises `Gone` if it is not there."""
        menu = self.reader.menu(menu_id)
        if menu is None:
            raise Gone(menu_id)
        return menu

    def open_menu(self, menu: MenuId | None) -> Menu | None:
        opened = self.reader.menu(menu) if menu else None
        return opened if opened and opened.state == "open" else None

    def menu_of(self, menu: MenuId | None, step_id: StepId) -> Menu | None:
        """The menu, if it is open and this step's."""
        opened = self.open_menu(menu)
        return opened if opened and opened.step == step_id else None

    def threads(self, session: Session) -> tuple[ThreadLink, ...]:
        """The threads of a session, by the names of their personas."""
        threads = session.course.threads
        posts = {key: self.reader.post(session.id, f"thread:{key}") for key in threads}
        return tuple(
            ThreadLink(self.persona(session, key).name, self.url(session, post))
            for key, post in posts.items()
            if post is not None
        )

    def table(self, session: Session) -> tuple[str, ...]:
        """Who is at a council's table, by name."""
        seats = session.party.council.present if session.party.council else ()
        return tuple(self.persona(session, seat.persona).name for seat in seats)

    def asking(self, session: Session, step: StepId | None) -> Post | None:
        """Where people are asked: at the phase's summary, else at the step's prompt."""
        if session.menus.on_summary and session.course.phase:
            return self.reader.last_post(session.id, f"phase:{session.course.phase}:")
        return self.reader.last_post(session.id, f"prompt:{step}:") if step else None

    def voice(self, session: Session, state: StepState) -> Author | None:
        """A step is led by the persona its file names, whose thread ever it is in."""
        speaker = self.speaker(session, state)
        return author_of(speaker) if speaker else self.chair(session, state.phase, None)

    def speaker(self, session: Session, state: StepState) -> Persona | None:
        """Who leads a step: its persona, or the facilitator where all that reads for it failed."""
        if self._is_facilitated(session, state.phase):
            return FACILITATOR
        return self.persona(session, state.prompt.persona) if state.prompt.persona else None

    def _is_facilitated(self, session: Session, key: PhaseKey | None) -> bool:
        """True for a phase whose persona's brain failed, or every language model."""
        led = any(phase.facilitated for phase in session.course.phases if phase.key == key)
        return led or (key is not None and session.model.off_in == key)

    def chair(
        self, session: Session, key: PhaseKey | None, thread: PersonaKey | None
    ) -> Author | None:
        """Who leads a phase: its persona, or the facilitator after that one failed."""
        if self._is_facilitated(session, key):
            return author_of(FACILITATOR)
        led = next((phase for phase in session.course.phases if phase.key == key), None)
        key_of = thread or (led.persona if led else None)
        return self.author(session, key_of) if key_of else None

    def author(self, session: Session, key: PersonaKey) -> Author:
        return author_of(self.persona(session, key))

    def leader(self, session: Session) -> Persona | None:
        if session.course.phase is None:
            return None
        led = session.course.current_phase
        is_facilitated = self._is_facilitated(session, led.key)
        return FACILITATOR if is_facilitated else self.persona(session, led.persona)

    def persona(self, session: Session, key: PersonaKey) -> Persona:
        personas = (*self.reader.personas(session), FACILITATOR, *BUILT_IN)
        return next((persona for persona in personas if persona.key == key), BUILT_IN[0])

    def leads_now(self, session: Session, key: PersonaKey) -> bool:
        return session.course.phase is not None and session.course.current_phase.persona == key

    def state(self, session: Session, step_id: StepId) -> StepState:
        """Where a step stands. Raises `Gone` if its phase was never opened."""
        state = self.reader.step_state(session.id, step_id)
        if state is None:
            raise Gone(step_id)
        return state

    def label(self, session: Session, key: PhaseKey | None) -> str:
        return next((phase.label for phase in session.course.phases if phase.key == key), "")


@dataclass(frozen=True, slots=True)
class OperatorsChannel:
    """Where operators are told of what is fatal. `team`: None where one workspace is served."""

    channel: ChannelId
    team: TeamId | None = None

    @classmethod
    def of(cls, setting: str) -> "OperatorsChannel":
        team, _, channel = setting.rpartition("/")
        return cls(ChannelId(channel), TeamId(team) if team else None)

    def is_elsewhere(self, session: Session) -> bool:
        """True if people of another workspace than the session's read it."""
        return self.team is not None and self.team != session.team


class LastCommit(CommittedRows):
    """The rows, with people's names and the operators' channel."""

    def __init__(
        self,
        reader: SessionReader,
        directory: Directory,
        operators: OperatorsChannel | None = None,
        with_waiting: WithWaiting = nobody_reads,
    ) -> None:
        super().__init__(reader)
        self.with_waiting = with_waiting
        self.directory = directory
        self.operators = operators

    def names(self, session: Session, users: Iterable[UserId | None]) -> Names:
        """Names of people; for nobody there is none."""
        return self.directory.names(session.team, [user for user in users if user])
