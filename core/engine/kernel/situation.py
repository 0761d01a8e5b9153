"""What a decision rests on, and what it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain import effects as fx
from core.domain.answers import Answer, Claim
from core.domain.ids import PersonaKey, StepId
from core.domain.model_calls import ModelOffer
from core.domain.party import Party
from core.domain.session.menu import Menu
from core.domain.session.session import Session
from core.domain.session.start import Known
from core.domain.session.step import StepState
from core.domain.stances import Settlement, Stance


@dataclass(frozen=True, slots=True)
class Situation:
    """The session and the rows that this event names; bounded by one phase, not the whole past."""

    session: Session | None
    quiet_s: float = 0.0
    remind_s: float = 0.0  # of quiet, before the awaited are reminded; 0: never
    deadline_s: float = 60.0  # of a council's member
    party: Party | None = None
    answers: tuple[Answer, ...] = ()  # ChoiceMade "classic", DifferenceSettled: all people said;
    # MessagePosted that is a letter of the open menu: the current step's
    settlements: tuple[Settlement, ...] = ()  # DifferenceSettled: those of the step
    tiers: tuple[str, ...] = ()  # who there is to look into a failure: sonnet, opus
    offer: ModelOffer = ModelOffer()  # the language models that may be asked
    thread: PersonaKey | None = None  # MessagePosted: in whose thread; None: in the card's
    prompted_step: StepState | None = None  # MessagePosted: the step asked last before its ts
    answer: Answer | None = None  # MessageEdited, MessageDeleted, a choice about it: what it was
    stances: tuple[Stance, ...] = ()  # all on that answer, where one is given or settled
    menu: Menu | None = None  # ChoiceMade
    claims: tuple[Claim, ...] = ()  # of all steps. ChoiceMade on assumptions or a draft,
    # DifferenceSettled, LinesSorted, BrainReplied where the step was read before
    confirmed: Answer | None = None  # ChoiceMade on assumptions: it is somebody's already
    known: tuple[Known, ...] = ()  # SessionRequested: sessions whose slug is alike
    stored: tuple[StepState, ...] = ()  # PhaseOpened: the phase's steps from an earlier visit
    others: Mapping[StepId, StepState] = field(default_factory=dict)  # steps of other phases named
    taken: frozenset[str] = frozenset()  # ThreadRead: answers of other sessions
    answered: bool = False  # StepOpened, CHOICE: the step has answers already
    stale_menu: Menu | None = None  # FolderWritten: the menu of stale steps that stands
    all_steps: tuple[StepState, ...] = ()  # ChoiceMade "back": of every phase, in order


@dataclass(frozen=True, slots=True)
class Transition:
    """`needs_admin`: nothing is decided. The event is to come again with `admin` filled in."""

    session: Session | None
    records: tuple[fx.Record, ...] = ()
    effects: tuple[fx.Effect, ...] = ()
    reply: fx.Reply | None = None
    needs_admin: bool = False
