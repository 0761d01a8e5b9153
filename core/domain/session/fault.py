"""One occurrence of an error code in a session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.domain.ids import FaultId, PersonaKey, PhaseKey, RunId, StepId


@dataclass(frozen=True, slots=True)
class Fault:
    """One occurrence of a code. `message` is what is shown, or what would be logged."""

    id: FaultId
    code: str
    message: str
    visible: bool
    at: float  # seconds since the epoch
    phase: PhaseKey | None = None
    step: StepId | None = None
    persona: PersonaKey | None = None
    agent: PersonaKey | None = None  # whoever was at work, where it is no persona's own fault
    detail: str = ""  # for the log; never shown
    run: RunId | None = None
    routing: str = ""  # where it went, if elsewhere than its catalogue row says
    handling: str = ""  # likewise
    category: str = ""  # likewise
    type: str = ""  # the specific error type; empty: the title of its code
    signature: str = ""  # the same for the same failure
    facts: Mapping[str, Any] = field(default_factory=dict)  # the fields of its class (seed 004)
    trace: str = ""  # the stack trace, if there was one
