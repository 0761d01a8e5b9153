"""What people said, and what a brain makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from core.domain.follow_ups import FollowUp
from core.domain.follow_ups import LineRef as LineRef
from core.domain.ids import AnswerId, Depth, PhaseKey, Slug, StepId, TaskId, Ts, UserId
from core.domain.steps.glossary import Terms
from core.domain.steps.playbook import Persona, Step

if TYPE_CHECKING:
    from core.domain.lines import Correction
    from core.domain.persona_proposals import TakenProposal
    from core.domain.session.model_reading import ModelReading
    from core.domain.stances import Agreement, Settlement

Source = Literal[
    "said",
    "edited",
    "proposed",  # said elsewhere, and confirmed by whoever said it
    "draft",  # a step's own draft: somebody confirmed it, and nobody said it
    "view",  # a sentence on somebody's answer, once a settlement let it stand
    "elaboration",
    "confirmed",  # an assumption that somebody stands by
    "unblocks",  # it only let a blocked step go on; kept as withdrawn, it is no content
]
_DRAFT: Final = "draft:"  # begins the id of an answer whose source is "draft"
NOT_SAID: Final[frozenset[Source]] = frozenset({"draft", "confirmed"})
"""Answers that are a click: nobody said their words."""
CONFIRMED: Final = "confirmed"  # key of a claim's data: people only said yes to it
Confidence = Literal["stated", "inferred", "assumed", "proposed"]
"""How sure a line is. *Assumed*: nobody said it; *proposed*: nobody took it yet."""
ClaimKind = Literal[
    "fact",
    "scope",
    "requirement",
    "check",  # how somebody would see that a requirement holds; `of` in its data names which
    "exclusion",  # out of scope
    "story",
    "priority",
    "link",  # which requirements a story or goal holds, by their names alone
    "quality",
    "risk",
    "entry-point",
    "option",
    "decision",
    "module",
    "interface",
    "data",
    "error",
    "constraint",
    "question",  # what nobody can answer yet, as people say so themselves
    "assumption",
    "note",  # also said: it is no part of what is built
    # of the inception flow (docs/reference/artifacts.md says which file shows each)
    "purpose",
    "user",
    "success",
    "domain",
    "stack",
    "trade-off",
    "entity",
    "relation",
    "retention",
    "test",
    "test-gap",
    "article",
    "skill",
    "remark",
    "permission",
    "iteration",
    "next-step",
]
Size = Literal["small", "medium", "large"]


@dataclass(frozen=True, slots=True)
class SharedFile:
    name: str
    permalink: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What one person said to one step. `text` is plain: no markup of Slack's is left in it."""

    id: AnswerId
    step: StepId
    by: UserId
    text: str
    ts: Ts
    thread_ts: Ts = Ts("")  # empty: it is no message of the session's threads
    permalink: str = ""
    revision: int = 1
    source: Source = "said"
    withdrawn: bool = False
    edited_ts: Ts | None = None  # of the newest edit seen; an older one loses
    files: tuple[SharedFile, ...] = ()
    out_by: UserId | None = None  # who said that it is no answer; its message still stands


def draft_id(step: StepId, by: UserId) -> AnswerId:
    """The id of somebody's confirmation of a step's draft."""
    return AnswerId(f"{_DRAFT}{step}:{by}")


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of an artifact, with the answers it rests on.

    `ref` is its name where it has one (`FR-001`, `US-002`, `ADR-001`); `data` what its kind needs
    beyond the text (a story's role, want and benefit; a priority's requirement).
    """

    id: str  # unique in the session: "{step}/{n}"
    step: StepId
    kind: ClaimKind
    text: str
    sources: tuple[AnswerId, ...]
    confidence: Confidence = "stated"
    ref: str | None = None
    data: Mapping[str, str] = field(default_factory=dict)
    supersedes: tuple[LineRef, ...] = ()  # earlier lines, of any step, that it stands in place of

    @property
    def is_confirmed_draft(self) -> bool:
        """True for a line of a draft, or of what a brain asked: somebody confirmed it, and nobody
        said it."""
        is_of_draft = all(source.startswith(_DRAFT) for source in self.sources)
        return bool(self.sources) and (is_of_draft or CONFIRMED in self.data)


Claims = tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One step's part of one file. `body` is Markdown for .md files, else JSON (data)."""

    file: str
    step: StepId
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The quick scan's parseable block. None: nobody has said."""

    scope: Size | None = None
    complexity: str | None = None
    file_count: int | None = None
    confidence: str | None = None


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """All a brain may rest on: the item, the step, and what people said, never summaries."""

    task: TaskId
    title: str
    text: str
    slug: Slug
    phase: PhaseKey
    step: Step
    depth: Depth
    persona: Persona
    answers: tuple[Answer, ...]  # of this step, current revisions in order of ts, none withdrawn
    claims: tuple[Claim, ...]  # of the other steps that the step reads, in step order
    other_answers: tuple[Answer, ...]  # of all other steps: for names and links in provenance
    names: Mapping[UserId, str]
    deciders: frozenset[UserId] = frozenset()  # who decides where people differ
    follow_ups: tuple[FollowUp, ...] = ()  # that were asked at this step, two at most
    asked_elsewhere: tuple[FollowUp, ...] = ()  # at other steps: nothing is asked twice
    scan: Scan = field(default_factory=Scan)
    previous: tuple[Claim, ...] = ()  # of this step as last read, so that a line keeps its ref
    sources: Mapping[str, str] = field(default_factory=dict)  # documents the step names
    settlements: "tuple[Settlement, ...]" = ()  # of all steps, the oldest first
    agreements: "tuple[Agreement, ...]" = ()  # 👍 on answers of all steps
    corrections: "tuple[Correction, ...]" = ()  # of all steps, the oldest first
    not_asked: tuple[str, ...] = ()  # titles of steps that people left out
    steps: tuple[Step, ...] = ()  # the other steps of the session that have claims
    mode: str = ""  # of an inception: party or classic
    unread: tuple[Claim, ...] = ()  # of steps that it does not read: their refs are taken
    glossary: Terms = ()  # what the step tree explains itself
    mentioned: Mapping[UserId, str] = field(default_factory=dict)  # names of whom answers mention
    taken_proposals: "tuple[TakenProposal, ...]" = ()  # what people took at this step
    model: "ModelReading | None" = None  # what language models made of the same answers
    reflected: str = ""  # the line on the same answers as they were read before

    @property
    def every_answer(self) -> tuple[Answer, ...]:
        """The answers of all steps, its own last."""
        return (*self.other_answers, *self.answers)

    @property
    def answers_by_id(self) -> Mapping[AnswerId, Answer]:
        """The same, each by its id."""
        return {answer.id: answer for answer in self.every_answer}

    @property
    def authors(self) -> Mapping[AnswerId, UserId]:
        """Who gave each answer, of any step."""
        return {answer.id: answer.by for answer in self.every_answer}

    @property
    def basis(self) -> tuple[str, ...]:
        """What is read: the answers, and how people sorted their lines."""
        answers = tuple(f"{answer.id}@{answer.revision}" for answer in self.answers)
        sorted_anew = sum(correction.step == self.step.id for correction in self.corrections)
        if not (answers and sorted_anew):
            return answers
        return (*answers, f"corrections:{self.step.id}@{sorted_anew}")


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """What another persona is asked in an elaboration of a step."""

    persona: Persona
    topic: str  # the step's title
    said: tuple[tuple[str, str], ...]  # who said what at the step, the newest last
    turns: tuple[tuple[str, str], ...]  # persona key and text, of all turns before
    addressed: bool = False  # somebody called it by name
    claims: tuple[Claim, ...] = ()  # of all steps so far
    people: Mapping[AnswerId, str] = field(default_factory=dict)  # name of who gave an answer
    title: str = ""  # of the item, and its description
    text: str = ""
    mentioned: Mapping[UserId, str] = field(default_factory=dict)  # names of whom answers mention


@dataclass(frozen=True, slots=True)
class Draft:
    """What a brain made of a step's answers."""

    recorded: str  # one line that says what changed, plain text
    claims: tuple[Claim, ...]
    follow_up: FollowUp | None = None  # the one question that is open now
    closed: tuple[FollowUp, ...] = ()  # those of any step that are over, with their outcome
    scan: Scan | None = None
    sections: tuple[Section, ...] = ()  # composed from the claims by core.artifacts
