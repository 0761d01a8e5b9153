"""The doors of the core: what it asks of the world, as Protocols with their promises."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from core.domain.answers import Answer, Claim, Section
from core.domain.effects import Effect
from core.domain.ids import (
    ChannelId,
    Digest,
    FaultId,
    MenuId,
    PhaseKey,
    SessionId,
    Slug,
    StepId,
    TeamId,
    Ts,
    UserId,
)
from core.domain.lines import Correction
from core.domain.model_calls import NOTHING_USED, Usage
from core.domain.party import Party
from core.domain.party.contributions import Contribution
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.start import EarlierStatement
from core.domain.session.step import StepState
from core.domain.stances import Settlement, Stance
from core.domain.steps.playbook import Persona, Step
from core.taxonomy.post_refusals import RefusalReason


@dataclass(frozen=True, slots=True)
class Workspace:
    """What is known of a Slack workspace without asking it."""

    team: TeamId
    url: str  # "https://acme.slack.com/", with the slash
    bot_user: UserId
    bot_id: str
    bot_name: str = "Roundtable"


@dataclass(frozen=True, slots=True)
class Post:
    """One message of ours. `target` says what it is: card, thread:…, prompt:…, step:…, phase:…"""

    target: str
    channel: ChannelId
    ts: Ts
    thread_ts: Ts | None
    step: StepId | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """One line about a session, for `status`, `list` and the command line."""

    id: SessionId
    slug: Slug
    title: str
    channel: ChannelId
    owner: UserId
    status: str
    phase: PhaseKey | None
    step: StepId | None
    done: int
    total: int
    updated_at: float
    awaited: tuple[UserId, ...] = ()  # those whose answer or choice it waits for
    usage: Usage = NOTHING_USED  # of language models


@dataclass(frozen=True, slots=True)
class InvolvedSession:
    """A session that concerns somebody, before anything of it is shown."""

    id: SessionId
    channel: ChannelId
    waiting_since: float | None  # None: it does not wait for them
    ended: bool
    updated_at: float


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """What a list of sessions shows of one. `session` comes without its steps."""

    session: Session
    step: str = ""  # the title of the one it is at
    card: Post | None = None
    thread: Post | None = None  # the current persona's


class SessionReader(Protocol):
    """What a stage or a command may look up. Every method reads the last commit; none writes.

    One asked for by its key raises `Gone` where there is none, unless it may give None. A row that
    cannot be read raises `core.store.documents.CorruptError`.
    """

    def load(self, session: SessionId) -> Session:
        """The session with its current phase's steps. Raises `Gone` if there is none."""

    def personas(self, session: Session) -> tuple[Persona, ...]:
        """Who sits at its table, as pinned when it began; else the built-in ones of its flow."""

    def party(self, session: Session) -> Party | None:
        """The party's data, where the session is one."""

    def contributions(self, session: SessionId, phase: PhaseKey) -> tuple[Contribution, ...]:
        """The turns of a council so far, in the order in which they were delivered."""

    def contribution(self, session: SessionId, phase: PhaseKey, place: int) -> Contribution: ...
    def step_state(self, session: SessionId, step: StepId) -> StepState | None:
        """Where a step of any phase stands; None: its phase was never opened."""

    def all_steps(self, session: SessionId) -> tuple[StepState, ...]:
        """Every step pinned so far, in the order of phases and files."""

    def content(self, digest: Digest) -> Step:
        """A step as it was pinned, whatever its file says by now."""

    def is_post(self, session: SessionId, channel: ChannelId, ts: Ts) -> bool:
        """True if that message is one of the session's own."""

    def answers(self, session: SessionId, step: StepId | None = None) -> tuple[Answer, ...]:
        """Current revisions, none withdrawn, by step and ts. Who is mentioned has a name there,
        or is "someone"."""

    def answers_as_stored(self, session: SessionId) -> tuple[Answer, ...]:
        """The same of all steps, where people mentioned somebody with the id that Slack gave."""

    def proposed(self, session: Session) -> tuple[Answer, ...]:
        """What stands behind its proposals, in their order, whether it counts or not."""

    def stances(self, session: SessionId, step: StepId | None = None) -> tuple[Stance, ...]:
        """What people gave on each other's answers, of one step or of all; some on answers that
        are withdrawn by now."""

    def settlements(self, session: SessionId, step: StepId | None = None) -> tuple[Settlement, ...]:
        """How differences were settled, the oldest first."""

    def corrections(self, session: SessionId) -> tuple[Correction, ...]:
        """How people sorted lines, of all steps, the oldest first."""

    def claims(self, session: SessionId) -> tuple[Claim, ...]:
        """All that stand, by step, in the order of their drafts."""

    def baseline(self, session: SessionId, phase: PhaseKey) -> tuple[Claim, ...] | None:
        """The phase's claims when it was last accepted or amended; None: never."""

    def sections(self, session: SessionId, file: str | None = None) -> tuple[Section, ...]:
        """The latest version of each section, in step order."""

    def files(self, session: SessionId, step: StepId | None = None) -> tuple[str, ...]:
        """The files that show a step; without one, those that ever showed any."""

    def menu(self, menu: MenuId) -> Menu | None:
        """Open, used or closed: a used one still says who chose what."""

    def fault(self, fault: FaultId) -> Fault: ...
    def faults(self, session: SessionId) -> tuple[Fault, ...]:
        """All that was ever recorded for it, the oldest first."""

    def session_of_thread(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts
    ) -> SessionId | None:
        """The session of that workspace one of whose threads begins there."""

    def post(self, session: SessionId, target: str) -> Post | None:
        """The message that shows `target`; None where it was never sent."""

    def last_post(self, session: SessionId, prefix: str) -> Post | None:
        """Of the posts whose target starts with `prefix`, the one with the highest ts."""

    def passed_by(self, session: SessionId, thread_ts: Ts, ts: Ts) -> int:
        """How many messages came after `ts` in that thread, as far as we know."""

    def sessions_involving(self, team: TeamId, user: UserId) -> tuple[InvolvedSession, ...]:
        """Every session that concerns somebody, what waits longest for them first. One query."""

    def entries(self, sessions: Sequence[SessionId]) -> tuple[SessionEntry, ...]:
        """These, as far as they are there. Two queries."""

    def workspace(self, team: TeamId) -> Workspace: ...
    def refused_widgets(self, team: TeamId) -> Mapping[str, float]:
        """The kinds of widgets whose newer blocks Slack refused to show there, and when."""

    def channel_sessions(self, team: TeamId, channel: ChannelId) -> tuple[Summary, ...]:
        """Newest first."""


@dataclass(frozen=True, slots=True)
class Target:
    """Which message of ours is meant and where it goes, before it has a ts of its own."""

    name: str  # as `Post.target`
    channel: ChannelId
    thread_ts: Ts | None = None
    step: StepId | None = None
    replaces: str | None = None  # the name of the message whose place it takes

    def posted(self, ts: Ts) -> Post:
        """The message, once Slack has given it its ts."""
        return Post(self.name, self.channel, ts, self.thread_ts, self.step)


@dataclass(frozen=True, slots=True)
class Order:
    """A visible effect on its way out: one outbox row."""

    id: int
    session: SessionId
    effect: Effect
    attempted_at: float | None = None  # set before a post is sent: in doubt until it is done
    attempt: Target | None = None  # what was prepared then


@dataclass(frozen=True, slots=True)
class Sent:
    """Done. `post` is what has to be remembered, if it was a message."""

    post: Post | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Slack will never do it. `error` is Slack's word, for the record; the reason decides."""

    error: str
    reason: RefusalReason = "unknown"


NOT_INSTALLED: Final = "not_installed"
"""The error of whatever is refused where the app is not installed: it waits, and nobody is told."""


@dataclass(frozen=True, slots=True)
class Later:
    """Not done for certain; try again after `seconds` (None: by our own back-off)."""

    why: str
    seconds: float | None = None
    http_status: int | None = None  # None: no answer came


@dataclass(frozen=True, slots=True)
class Unclear:
    """It may or may not have been done: look before sending a post again, `seconds` later."""

    why: str
    seconds: float | None = None
    http_status: int | None = None  # None: no answer came


Outcome = Sent | Refused | Later | Unclear


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `calls` of one key within any `window_s` seconds; no number of calls: no limit."""

    key: str
    calls: int | None = None
    window_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """An order made ready once: `send` does what is said here, whatever has changed since."""

    target: Target | None  # the message it posts or edits; None: it concerns no message of ours
    is_post: bool  # sending it twice would be seen: a new message, an upload
    limits: tuple[Limit, ...]  # that its call counts under, its own first; none: nothing is called
    send: Callable[[], Outcome]  # once; never raises for what Slack answers


class Stage(Protocol):
    """Where visible effects are seen. The lanes call it for one session at a time, in order."""

    def prepare(self, order: Order, session: Session, pace_s: float) -> Prepared:
        """Decide from the last commit where an order goes and whether it is a post or an edit.

        `session` is the order's, as of that commit. `pace_s`: seconds between two posts of a
        channel; 0 sets no limits but keeps their keys, to which a wait that Slack asks for belongs.
        """

    def find(self, order: Order, session: Session) -> Outcome:
        """Look for what the order's recorded attempt may have posted.

        `Sent` if it is there, `Later` without seconds if it is not; whatever else comes of looking
        (`Unclear`, `Later` with seconds, `Refused`) leaves it in doubt, and nothing is posted.
        """


@dataclass(frozen=True, slots=True)
class ThreadSaid:
    """What people said in a thread, oldest first; `more`: there is more than one call brought."""

    said: tuple[EarlierStatement, ...]
    more: bool = False


class Threads(Protocol):
    """What stood in a thread before there was a session in it."""

    def replies(
        self, team: TeamId, channel: ChannelId, thread_ts: Ts
    ) -> ThreadSaid | Refused | Later | Unclear:
        """What people, and people alone, said in that thread. One bounded call; never raises."""


class Directory(Protocol):
    """Who somebody is, as the workspace knows them."""

    def names(self, team: TeamId, users: Collection[UserId]) -> Mapping[UserId, str]:
        """Display names, cached; who cannot be found is left out. Never raises."""

    def strangers(self, team: TeamId, users: Collection[UserId]) -> frozenset[UserId]:
        """Bots among them, and people of other workspaces. Who is not known is none of them."""


class Clock(Protocol):
    """The one source of time, so that a play or a test can move it."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def wait(self, condition: threading.Condition, until: float | None) -> None:
        """Wait, holding `condition`, until it is notified or the clock shows `until`."""


class StoredFiles(Protocol):
    """Files kept as rows, by workspace and session. What a database refuses is an `OSError`."""

    def names(self, team: str, slug: str) -> tuple[str, ...]:
        """The names of its files, sorted."""

    def read(self, team: str, slug: str, name: str) -> bytes | None:
        """What a file holds; None where there is none."""

    def write(
        self, team: str, slug: str, contents: Mapping[str, bytes], gone: Collection[str] = ()
    ) -> None:
        """Replace files by what `contents` says, and delete those that are `gone`: all or none."""

    def delete(self, team: str, slug: str, names: Collection[str]) -> None:
        """Delete files; one that is gone is deleted. All or none."""


class Dispatcher(Protocol):
    """Whoever sees to it that lanes are worked on."""

    def wake(self, session: SessionId) -> None:
        """There may be something to do for this session. Cheap; never blocks."""


class Gone(Exception):  # noqa: N818 - reads as what it is
    """There is no such session."""
