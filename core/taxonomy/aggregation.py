"""Several errors at once: which one decides, and what becomes of the others.

The class that wins is the highest of fatal, permanent, retriable, transient. Each class has its own
rule for several of its kind (`RULES`). What does not win is listed with a note: nothing vanishes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.taxonomy.catalogue import Handling, Routing, Severity
from core.taxonomy.handling import PRECEDENCE

SEVERITIES: Final[tuple[Severity, ...]] = ("FATAL", "ERROR", "WARNING", "INFO")

# Among equals the one wins that asks most of people.
DECISIONS: Final[tuple[Routing, ...]] = (
    "TERMINATE",
    "ESCALATE",
    "BLOCKED",
    "DETOUR",
    "UNVERIFIED",
    "CONTINUE",
    "RETRY",
)

WOULD: Final[Mapping[Handling, str]] = {
    "fatal": "Would halt",
    "permanent": "Would be reported",
    "retriable": "Would retry",
    "transient": "Would retry",
}
BUT: Final[Mapping[Handling, str]] = {
    "fatal": "fatal halts",
    "permanent": "permanent blocks",
    "retriable": "retriable goes first",
    "transient": "transient goes first",
}
HALTED_ALREADY: Final = "Would halt, but an earlier one did"


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """One of the errors, already classified. `at` is when it happened, in seconds."""

    type: str
    handling: Handling
    routing: Routing
    severity: Severity = "ERROR"
    at: float = 0
    delay_s: float | None = None
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Suppressed:
    error: Raised
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """One answer to all of them. `reported` won; with `suppressed` it is everything there was."""

    winning: Handling
    decision: Routing
    severity: Severity
    reason: str
    reported: tuple[Raised, ...]
    suppressed: tuple[Suppressed, ...]
    delay_s: float | None = None  # before the one retry of the whole
    signatures: tuple[str, ...] = ()  # to be tracked


def aggregate(errors: Sequence[Raised]) -> Aggregate | None:
    """Answer all of `errors` with one decision; None where there is none."""
    for way in PRECEDENCE:
        of_way = [error for error in errors if error.handling == way]
        if of_way:
            reported, decision, reason = RULES[way](of_way)
            return Aggregate(
                winning=way,
                decision=decision,
                severity=min((error.severity for error in reported), key=SEVERITIES.index),
                reason=reason,
                reported=reported,
                suppressed=_suppressed(errors, reported, way),
                delay_s=_longest(reported) if decision == "RETRY" else None,
                signatures=_signatures(reported) if way == "retriable" else (),
            )
    return None


Ruled = tuple[tuple[Raised, ...], Routing, str]


def _earliest(errors: Sequence[Raised]) -> Ruled:
    """First fatal wins (stop immediately)."""
    winner = min(errors, key=_place)
    return (winner,), "TERMINATE", f"FATAL: {winner.type}"


def _together(errors: Sequence[Raised]) -> Ruled:
    """Collect all, report together, use highest severity."""
    reported = tuple(
        sorted(errors, key=lambda error: (SEVERITIES.index(error.severity), _place(error)))
    )
    gravest = [error for error in reported if error.severity == reported[0].severity]
    return reported, _gravest(gravest), f"{_types_in_words(reported)} cannot be retried"


def _any_might_pass(errors: Sequence[Raised]) -> Ruled:
    """Track signatures, retry if any might succeed."""
    reported = tuple(sorted(errors, key=_place))
    if any(error.routing == "RETRY" for error in errors):
        return reported, "RETRY", f"{_types_in_words(reported)} might pass on another try"
    return reported, _gravest(errors), f"{_types_in_words(reported)} came back too often"


def _all_might_pass(errors: Sequence[Raised]) -> Ruled:
    """Use longest backoff, retry once: in vain while one of them is out of attempts."""
    reported = tuple(sorted(errors, key=_place))
    decision = _gravest(errors)
    if decision == "RETRY":
        return reported, decision, f"{_types_in_words(reported)} should pass by waiting"
    return reported, decision, f"{_types_in_words(reported)} did not pass by waiting"


RULES: Final[Mapping[Handling, Callable[[Sequence[Raised]], Ruled]]] = {
    "fatal": _earliest,
    "permanent": _together,
    "retriable": _any_might_pass,
    "transient": _all_might_pass,
}


def _place(error: Raised) -> tuple[object, ...]:
    """When it happened; what happened at the same moment goes by its name, not by its place."""
    rank = (DECISIONS.index(error.routing), SEVERITIES.index(error.severity))
    return (error.at, error.type, error.signature, *rank, error.delay_s or 0)


def _gravest(errors: Sequence[Raised]) -> Routing:
    return min((error.routing for error in errors), key=DECISIONS.index)


def _longest(errors: Sequence[Raised]) -> float:
    return max((error.delay_s or 0) for error in errors if error.routing == "RETRY")


def _signatures(errors: Sequence[Raised]) -> tuple[str, ...]:
    return tuple(sorted({error.signature for error in errors if error.signature}))


def _types_in_words(errors: Sequence[Raised]) -> str:
    """The types in words, each once: "Validation error, missing file"."""
    types = dict.fromkeys(error.type.replace("_", " ") for error in errors)
    text = ", ".join(types)
    return text[:1].upper() + text[1:]


def _suppressed(
    errors: Sequence[Raised], reported: tuple[Raised, ...], way: Handling
) -> tuple[Suppressed, ...]:
    """All but the winners, in the order they came in."""
    suppressed = list(errors)
    for error in reported:
        suppressed.remove(error)
    return tuple(Suppressed(error, _note(error.handling, way)) for error in suppressed)


def _note(of: Handling, winning: Handling) -> str:
    return HALTED_ALREADY if of == winning else f"{WOULD[of]}, but {BUT[winning]}"
