"""What people did: messages, clicks and commands. Only events in `FromPeople` move a step."""

from dataclasses import dataclass
from typing import Literal

from core.domain.answers import Answer, SharedFile
from core.domain.events.happening import PersonActed
from core.domain.ids import (
    AnswerId,
    ChannelId,
    Depth,
    Export,
    MenuId,
    RunId,
    SessionId,
    Slug,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.lines import Correction
from core.domain.session.course import Flow, Mode
from core.domain.session.start import Origin
from core.domain.stances import Stands


@dataclass(frozen=True, slots=True)
class SessionRequested(PersonActed):
    session: SessionId
    run: RunId
    seed: str
    team: TeamId
    channel: ChannelId
    title: str
    text: str
    depth: Depth | None = None
    flow: Flow = "analysis"
    mode: Mode = ""
    respond_to: str | None = None  # where a refusal is said, if the command has such a place
    origin: Origin | None = None  # the message it is taken from
    adopted: Slug | None = None  # an operator takes up this folder, whichever channel it names
    unclaimed: bool = False  # `by` only stands in: whoever answers first owns it
    script_only: bool = False  # no language model is to read it


@dataclass(frozen=True, slots=True)
class MessagePosted(PersonActed):
    channel: ChannelId
    ts: Ts
    thread_ts: Ts
    text: str
    permalink: str
    files: tuple[SharedFile, ...] = ()
    edited_ts: Ts | None = None  # read back later: of its newest edit, whose words these are

    def answer_to(self, step: StepId) -> Answer:
        """The message as an answer to a step."""
        return Answer(
            AnswerId(f"{self.channel}:{self.ts}"),
            step,
            self.by,
            self.text,
            self.ts,
            self.thread_ts,
            self.permalink,
            edited_ts=self.edited_ts,
            files=self.files,
        )


@dataclass(frozen=True, slots=True)
class MessageEdited(PersonActed):
    channel: ChannelId
    ts: Ts
    edited_ts: Ts
    text: str
    was: str = ""  # what stood there before; scanned, never kept


@dataclass(frozen=True, slots=True)
class MessageDeleted(PersonActed):
    channel: ChannelId
    ts: Ts


@dataclass(frozen=True, slots=True)
class AnswerTakenOut(PersonActed):
    """Somebody says that a message is no answer.

    `admin`: whether they are an admin of the workspace; None: Slack was not asked yet. Where it
    matters, `decide` decides nothing and asks for it (`Transition.needs_admin`).
    """

    channel: ChannelId
    ts: Ts
    admin: bool | None = None


@dataclass(frozen=True, slots=True)
class ChoiceMade(PersonActed):
    """A click on a menu. `admin`: as in `AnswerTakenOut`. `reason`: typed in the form behind it."""

    menu: MenuId
    choice: str
    channel: ChannelId
    admin: bool | None = None
    permalink: str = ""  # of the message that was clicked
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReactionChanged(PersonActed):
    """A reaction was put on a message, or taken off."""

    channel: ChannelId
    ts: Ts  # of the message
    reaction: str  # Slack's name of it
    event_ts: Ts  # the later wins, whichever comes first
    on: bool


@dataclass(frozen=True, slots=True)
class DifferenceGiven(PersonActed):
    """Somebody sees an answer differently, and says so in one sentence."""

    menu: MenuId  # on whose message they said so
    answer: AnswerId
    reason: str


@dataclass(frozen=True, slots=True)
class DifferenceSettled(PersonActed):
    """Somebody says what stands of an answer on which people differ."""

    menu: MenuId
    answer: AnswerId
    stands: Stands
    reason: str


@dataclass(frozen=True, slots=True)
class DeciderNamed(PersonActed):
    """The owner lets somebody else settle differences, too. `reason`: what they typed with it."""

    menu: MenuId
    decider: UserId
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LinesSorted(PersonActed):
    """Somebody corrects how lines of a step were sorted. `shown`: `lines_mark` of what they saw."""

    step: StepId
    shown: str
    corrections: tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class DepthChosen(PersonActed):
    depth: Depth


@dataclass(frozen=True, slots=True)
class PauseRequested(PersonActed):
    """The card's pause button. The prompt's is a choice of its menu."""


@dataclass(frozen=True, slots=True)
class SessionResumed(PersonActed):
    """`admin`: as in `AnswerTakenOut`; it matters only where a cancel is taken back."""

    admin: bool | None = None
    if_stopped: bool = False  # by a button, which leaves alone what is under way


@dataclass(frozen=True, slots=True)
class SessionCancelled(PersonActed):
    """`admin`: as in `AnswerTakenOut`."""

    admin: bool | None = None
    sure: bool = False  # else they are asked first


@dataclass(frozen=True, slots=True)
class ExportRequested(PersonActed):
    wanted: Export = "zip"


@dataclass(frozen=True, slots=True)
class DeletionRequested(PersonActed):
    """Somebody wants the session, its answers and its folder removed for good."""

    sure: bool = False  # else they are asked first


@dataclass(frozen=True, slots=True)
class RepositoryNamed(PersonActed):
    """Somebody links a repository, or none, to a session; without one, to a channel's to come.

    `offered`: the names that the channel may see. `admin`: as in `AnswerTakenOut`; so is `shared`:
    whether people of another organisation are in the channel.
    """

    team: TeamId
    channel: ChannelId
    name: str  # empty: none
    offered: tuple[str, ...] = ()
    admin: bool | None = None
    shared: bool | None = None


@dataclass(frozen=True, slots=True)
class BrainChosen(PersonActed):
    """Somebody has the script read alone, or language models again.

    Of a session; without one, of a channel's to come. `admin`: as in `AnswerTakenOut`.
    """

    team: TeamId
    channel: ChannelId
    script_only: bool
    admin: bool | None = None


@dataclass(frozen=True, slots=True)
class EnrichRequested(PersonActed):
    """Somebody has language models read what none of them has read, and see what that changes."""


FromPeople = (
    SessionRequested
    | MessagePosted
    | MessageEdited
    | MessageDeleted
    | AnswerTakenOut
    | ChoiceMade
    | ReactionChanged
    | DifferenceGiven
    | DifferenceSettled
    | DeciderNamed
    | LinesSorted
    | DepthChosen
    | PauseRequested
    | SessionResumed
    | SessionCancelled
    | ExportRequested
    | DeletionRequested
    | RepositoryNamed
    | BrainChosen
    | EnrichRequested
)


@dataclass(frozen=True, slots=True)
class SecretFound(PersonActed):
    """Somebody sent a credential. `said` is what they sent without it; the rest was dropped."""

    where: Literal["answer", "edit", "old text", "title", "file name", "sentence"]
    kinds: tuple[str, ...]
    said: (
        SessionRequested
        | MessagePosted
        | MessageEdited
        | ChoiceMade
        | DifferenceGiven
        | DifferenceSettled
        | DeciderNamed
        | LinesSorted
    )
