"""The reading that is under way, and how its failures are escalated."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.domain.ids import PersonaKey, StepId, TaskId


@dataclass(frozen=True, slots=True)
class Escalation:
    """Where a failure stands on its way through the tiers to a human (seed 002)."""

    category: str
    tier: str  # who looks into it now
    task: TaskId
    step: StepId
    reader: PersonaKey  # whose reading failed
    seen: str  # the failure in its own words, for whoever looks into it
    missing: str = ""  # what was not there
    routing: str = ""  # what is done when no tier can mend it
    retryable: bool = False
    handling: str = ""  # transient, permanent, retriable
    type: str = ""
    signature: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)  # as in a fault
