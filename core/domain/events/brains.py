"""Results and failures of brains, and what the Inception Party's team reported."""

from dataclasses import dataclass
from typing import Literal

from core.domain.answers import Draft, Section
from core.domain.effects.work import Speech
from core.domain.events.happening import Happening
from core.domain.follow_ups import FollowUp
from core.domain.ids import PersonaKey, StepId, TaskId, UserId
from core.domain.model_calls import NOTHING_USED, ModelLine, ProviderFault, Usage
from core.domain.party import Question
from core.domain.party.contributions import Contribution
from core.domain.persona_proposals import PersonaProposal
from core.taxonomy.catalogue import Category
from core.taxonomy.observation import Observation


@dataclass(frozen=True, slots=True)
class BrainReplied(Happening):
    task: TaskId
    step: StepId
    draft: Draft
    basis: tuple[str, ...]  # "answer@revision" of what was read
    elsewhere: tuple[Section, ...] = ()  # sections of other steps that show this one's claims
    mentioned: tuple[tuple[UserId, str], ...] = ()  # names of those mentioned in answers


@dataclass(frozen=True, slots=True)
class ModelReplied(Happening):
    """A model read a step's answers, or asked and proposed: what of it was verified."""

    task: TaskId
    step: StepId
    model: str
    usage: Usage = NOTHING_USED
    lines: tuple[ModelLine, ...] = ()
    question: FollowUp | None = None
    proposals: tuple[PersonaProposal, ...] = ()
    open_criteria: tuple[str, ...] = ()  # "V2": those that no quote shows to be met
    left_out: tuple[str, ...] = ()  # of the request, which was too long with it


@dataclass(frozen=True, slots=True)
class ModelFailed(Happening):
    """A request to a model failed. `flaws`: what a review found in its reply."""

    task: TaskId
    step: StepId
    model: str
    fault: ProviderFault
    detail: str = ""
    status_code: int | None = None
    retry_after: float | None = None  # seconds
    config: str = ""  # the setting that is wrong
    flaws: tuple[str, ...] = ()
    usage: Usage = NOTHING_USED
    speech: Speech | None = None  # what it was asked for, if that is no reading
    is_empty: bool = False  # it replied, and said nothing


@dataclass(frozen=True, slots=True)
class PatienceEnded(Happening):
    """A model's reply is late: the script's reading is shown."""

    step: StepId


@dataclass(frozen=True, slots=True)
class PersonaSpoke(Happening):
    """A turn in an elaboration. `text` is None where the persona has nothing to add."""

    task: TaskId
    step: StepId
    persona: PersonaKey
    text: str | None
    model: str = ""  # which spoke; empty: the script
    usage: Usage = NOTHING_USED


@dataclass(frozen=True, slots=True)
class BrainFailed(Happening):
    task: TaskId
    step: StepId
    why: Literal["crash", "silent", "invalid", "overflow"]
    detail: str = ""
    seen: Observation | None = None  # what is known of the failure
    missing: str = ""  # a source that is not there
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosed(Happening):
    """A higher tier looked into a failure. `corrections`: what is named → what is there.
    `category`: what it takes the failure for, if it says so."""

    task: TaskId
    step: StepId
    tier: str
    fixed: bool
    findings: str
    corrections: tuple[tuple[str, str], ...] = ()
    model: str = ""  # which looked; empty: the script
    category: Category | None = None
    usage: Usage = NOTHING_USED


@dataclass(frozen=True, slots=True)
class TeamCreated(Happening):
    """The party's team is there."""


@dataclass(frozen=True, slots=True)
class TeamRefused(Happening):
    detail: str


@dataclass(frozen=True, slots=True)
class TeamDeleted(Happening):
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StateWritten(Happening):
    """`state.json` was written, or not. `final`: the one that must not fail (E-008)."""

    ok: bool
    final: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Consulted(Happening):
    task: TaskId
    contribution: Contribution
    model: str = ""  # which spoke; empty: the script
    usage: Usage = NOTHING_USED


@dataclass(frozen=True, slots=True)
class ConsultFailed(Happening):
    task: TaskId
    why: Literal["refused", "silent", "error", "invalid"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class DeadlinePassed(Happening):
    """A member did not answer in time."""

    task: TaskId


@dataclass(frozen=True, slots=True)
class QuestionsMerged(Happening):
    task: TaskId
    questions: tuple[tuple[int, PersonaKey, Question], ...]


FromBrains = (
    BrainReplied
    | ModelReplied
    | ModelFailed
    | PatienceEnded
    | PersonaSpoke
    | BrainFailed
    | Diagnosed
    | TeamCreated
    | TeamRefused
    | TeamDeleted
    | StateWritten
    | Consulted
    | ConsultFailed
    | DeadlinePassed
    | QuestionsMerged
)
