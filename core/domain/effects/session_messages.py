"""The card, the threads of its personas, faults and what is said in passing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.effects.declaration import IN_ORDER, LAST, Effect
from core.domain.ids import Export, FaultId, MenuId, PersonaKey, PhaseKey


@dataclass(frozen=True)
class PostCard(Effect, lane="visible", rank=IN_ORDER, key=None, is_needed=True):
    """The session's first message, in the channel; the latest state is painted over it."""

    respond_to: str | None = None  # a command's reply address, where posting may be refused


@dataclass(frozen=True)
class PaintCard(Effect, lane="visible", rank=LAST, key="card"):
    """Edit the card. The latest wins."""


@dataclass(frozen=True)
class OpenThread(Effect, lane="visible", rank=IN_ORDER, key=None, is_needed=True):
    """The root of a persona's thread."""

    thread: PersonaKey


@dataclass(frozen=True)
class Greet(Effect, lane="visible", rank=IN_ORDER, key=None, is_needed=True):
    """First words of a persona in its thread."""

    thread: PersonaKey
    phase: PhaseKey
    taken_over_from: PersonaKey | None = None


@dataclass(frozen=True)
class HandOver(Effect, lane="visible", rank=IN_ORDER, key=None):
    """One line in the thread that is left, with a link to the next one."""

    thread: PersonaKey  # that is left
    coming: PersonaKey


@dataclass(frozen=True)
class ShowResult(Effect, lane="visible", rank=IN_ORDER, key=None):
    """The analysis's last message, in the card's thread: decisions, open points and files."""


@dataclass(frozen=True)
class ShowMode(Effect, lane="visible", rank=IN_ORDER, key=None):
    """How an inception can be done, as two buttons; then what was chosen."""

    menu: MenuId


@dataclass(frozen=True)
class SayContribution(Effect, lane="visible", rank=IN_ORDER, key=None):
    """A turn of a council: the debate in the card's thread, a position in its own."""

    phase: PhaseKey
    place: int
    thread: PersonaKey | None


LineKind = Literal[
    "late-answer",
    "resumed",
    "scan-size",
    "two-turns-left",
    "blocked",
    "mended",
    "shared",
    "council-opens",
    "farewell",
    "goodbye",
    "to-classic",
    "thread-unread",
    "paused",
    "elaboration-ended",
]


@dataclass(frozen=True)
class Say(Effect, lane="visible", rank=IN_ORDER, key=None):
    """One line of a known kind."""

    kind: LineKind
    thread: PersonaKey | None  # None: the card's thread
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SayBudget(Effect, lane="visible", rank=IN_ORDER, key=None):
    """What language models may use is used up: the script reads, and the owner may allow more."""

    menu: MenuId
    thread: PersonaKey


@dataclass(frozen=True)
class ShowEnriched(Effect, lane="visible", rank=IN_ORDER, key=None):
    """What models read of a phase once more, as a diff; then who chose what about it."""

    name: str
    phase: PhaseKey
    thread: PersonaKey


@dataclass(frozen=True)
class UploadExport(Effect, lane="visible", rank=IN_ORDER, key=None):
    """The files of a session, put into a thread."""

    thread: PersonaKey | None  # None: the card's thread
    wanted: Export = "zip"


@dataclass(frozen=True)
class ShowFault(Effect, lane="visible", rank=IN_ORDER, key=None):
    """A fault where it happened; `more` are those of the same moment, reported together."""

    fault: FaultId
    thread: PersonaKey | None  # None: the card's thread
    more: tuple[FaultId, ...] = ()


@dataclass(frozen=True)
class ShowRecovery(Effect, lane="visible", rank=IN_ORDER, key=None):
    """A recovery menu with the fault it is about: posted once, then edited with its outcome."""

    menu: MenuId
    thread: PersonaKey | None  # None: the card's thread


@dataclass(frozen=True)
class TellOperators(Effect, lane="visible", rank=IN_ORDER, key=None):
    """The operators' channel, if there is one, hears of a fault."""

    fault: FaultId
    is_state_preserved: bool = True
