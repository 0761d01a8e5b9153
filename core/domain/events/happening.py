"""What every event says: when it happened, and of people's who did it."""

from dataclasses import dataclass

from core.domain.ids import UserId


@dataclass(frozen=True, slots=True)
class Happening:
    """`at`: seconds since the epoch."""

    at: float


@dataclass(frozen=True, slots=True)
class PersonActed:
    """`by` did it, `at` that time in seconds since the epoch."""

    by: UserId
    at: float
