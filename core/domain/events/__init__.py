"""What happened, in the past tense. Events with a `by` come from people; only they move a step."""

from core.domain.events.brains import BrainFailed, BrainReplied, Diagnosed, PersonaSpoke
from core.domain.events.files import (
    FileFault,
    FlowOpened,
    FolderFound,
    FolderWritten,
    PhaseOpened,
    ReportWritten,
    StatePreserved,
    StepOpened,
)
from core.domain.events.party import (
    Consulted,
    ConsultFailed,
    DeadlinePassed,
    QuestionsMerged,
    StateWritten,
    TeamCreated,
    TeamDeleted,
    TeamRefused,
)
from core.domain.events.people import (
    AnswerTakenOut,
    ChoiceMade,
    DeciderNamed,
    DeletionRequested,
    DepthChosen,
    DifferenceGiven,
    DifferenceSettled,
    ExportRequested,
    FromPeople,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    PauseRequested,
    ReactionChanged,
    SessionCancelled,
    SessionRequested,
    SessionResumed,
)
from core.domain.events.safety import DamageFound, SecretFound
from core.domain.events.slack import (
    CardPosted,
    PostDelayed,
    PostRefused,
    ThreadRead,
    ThreadsReadBack,
)
from core.domain.events.timers import QuietPassed, ReminderDue, TakeBackPassed

__all__ = [
    "AnswerTakenOut",
    "BrainFailed",
    "BrainReplied",
    "CardPosted",
    "ChoiceMade",
    "ConsultFailed",
    "Consulted",
    "DamageFound",
    "DeadlinePassed",
    "DeciderNamed",
    "DeletionRequested",
    "DepthChosen",
    "Diagnosed",
    "DifferenceGiven",
    "DifferenceSettled",
    "Event",
    "ExportRequested",
    "FileFault",
    "FlowOpened",
    "FolderFound",
    "FolderWritten",
    "FromPeople",
    "MessageDeleted",
    "MessageEdited",
    "MessagePosted",
    "PauseRequested",
    "PersonaSpoke",
    "PhaseOpened",
    "PostDelayed",
    "PostRefused",
    "QuestionsMerged",
    "QuietPassed",
    "ReactionChanged",
    "ReminderDue",
    "ReportWritten",
    "SecretFound",
    "SessionCancelled",
    "SessionRequested",
    "SessionResumed",
    "StatePreserved",
    "StateWritten",
    "StepOpened",
    "TakeBackPassed",
    "TeamCreated",
    "TeamDeleted",
    "TeamRefused",
    "ThreadRead",
    "ThreadsReadBack",
]

Event = (
    FromPeople
    | FlowOpened
    | CardPosted
    | PostRefused
    | PhaseOpened
    | StepOpened
    | QuietPassed
    | ReminderDue
    | TakeBackPassed
    | BrainReplied
    | PersonaSpoke
    | BrainFailed
    | FolderWritten
    | Diagnosed
    | ReportWritten
    | SecretFound
    | DamageFound
    | StatePreserved
    | PostDelayed
    | TeamCreated
    | TeamRefused
    | TeamDeleted
    | StateWritten
    | Consulted
    | ConsultFailed
    | DeadlinePassed
    | QuestionsMerged
    | ThreadRead
    | ThreadsReadBack
)
