"""The state of one step of a session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.domain.ids import Depth, Digest, MenuId, PersonaKey, PhaseKey, StepId, TaskId, UserId
from core.domain.party import Question

StepStatus = Literal["pending", "completed", "skipped", "blocked", "failed", "stale"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """An assumption of a step that somebody said is wrong."""

    by: UserId
    text: str
    revision: int  # of the prompt that asks about it
    question: bool = False  # it is one that had been left open


@dataclass(frozen=True, slots=True)
class StepState:
    """Where one pinned step stands. The step's content is found by its digest."""

    id: StepId
    phase: PhaseKey
    file: str
    title: str
    digest: Digest | None
    status: StepStatus = "pending"
    fault: str | None = None  # the code that skipped it
    fault_message: str = ""  # what is shown when it is passed over
    fault_facts: Mapping[str, str] = field(default_factory=dict)  # what its record says besides
    skipped_by: UserId | None = None
    persona: PersonaKey | None = None
    depth: Depth | None = None  # as it was asked
    revision: int = 0  # how often its prompt was posted
    shown: int = 0  # how often its message was posted anew
    asked: tuple[str, ...] = ()  # questions of the brain, two at most
    question: str | None = None  # the one that is open
    gaps: tuple[str, ...] = ()  # questions the team left open
    recorded: str = ""  # what the last reading recorded, one line
    outcome: str = ""  # the choice that ended its menu: "continue", "accept", "skip-step", …
    chosen_by: UserId | None = None  # whose choice that was
    basis: tuple[str, ...] = ()  # "answer@revision" of the last reading
    rereading: TaskId | None = None  # a rebuild of its section that is under way
    late_by: UserId | None = None  # whose late answer the rebuild is for
    tries: int = 0  # failed tries of that rebuild
    pinned: bool = True  # its file was there when the phase was last listed
    told: tuple[str, ...] = ()  # codes already shown at this step since the last resume
    short: bool = False  # asked by its short question
    turns: tuple[tuple[PersonaKey, str], ...] = ()  # what other personas said to it
    talked: int = 0  # their turns in the elaboration that is under way
    needs: str = ""  # what it is blocked for
    concerns: tuple[str, ...] = ()  # what could not be verified; written into its sections
    corrections: tuple[tuple[str, str], ...] = ()  # a source it names → the one that is there
    without: tuple[str, ...] = ()  # sources people said to do without
    posed: tuple[tuple[int, PersonaKey, Question], ...] = ()  # a council's questions, merged
    wrong: tuple[Doubt, ...] = ()  # what it assumed and people said is not so
    settling: MenuId | None = None  # the menu behind "Settle this", once people differed
    missed_clicks: bool = False  # people wrote while the bot was away: a click then was lost

    @property
    def is_left_out(self) -> bool:
        """True if people chose not to be asked."""
        return self.status == "skipped" and self.skipped_by is not None
