"""Credentials and damage that were found."""

from dataclasses import dataclass
from typing import Literal

from core.domain.events.people import (
    DifferenceGiven,
    DifferenceSettled,
    MessageEdited,
    MessagePosted,
    SessionRequested,
)
from core.domain.ids import UserId


@dataclass(frozen=True, slots=True)
class SecretFound:
    """Somebody sent a credential. `said` is what they sent without it; the rest was dropped."""

    by: UserId
    at: float
    where: Literal["answer", "edit", "old text", "title", "file name", "sentence"]
    kinds: tuple[str, ...]
    said: SessionRequested | MessagePosted | MessageEdited | DifferenceGiven | DifferenceSettled


@dataclass(frozen=True, slots=True)
class DamageFound:
    """Stored data cannot be read, an invariant is broken, or a boundary was to be crossed."""

    at: float
    code: Literal["ERR-SEC-001", "ERR-SEC-002", "ERR-DATA-001", "ERR-DATA-002"]
    what: str  # the row, the rule or the path
    detail: str = ""
