"""What comes after a request to a language model that failed: pure, over what failed so far.

Retries wait as seed 004 says; content is repaired once, then goes up the tiers (seed 002); another
provider is the DETOUR of seed 004. None: there is nobody left to ask.
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from core.domain import events as on
from core.domain.ids import TaskId
from core.domain.model_calls import TIERS, ModelOffer, ModelTier
from core.domain.session.model_reading import CALLS_MAX, ModelCall, ModelUse
from core.taxonomy.catalogue import Routing

TRANSIENT_TRIES_MAX: Final = 5
WAIT_S_MAX: Final = 60.0
JITTER_S_MAX: Final = 0.5
REFUSED: Final = "it refused"


@dataclass(frozen=True, slots=True)
class NextTry:
    """The next request, after `wait_s` seconds; `way`: how seed 004 calls going there."""

    call: ModelCall
    way: Routing
    wait_s: float = 0.0


def first_call(call: ModelCall, offer: ModelOffer, use: ModelUse, at: float) -> ModelCall | None:
    """The call at the first model of its tier, or of a higher one, that does not rest."""
    for tier in TIERS[TIERS.index(call.tier) :]:
        for place, model in enumerate(offer.of(tier)):
            is_next = place >= (call.provider if tier == call.tier else 0)
            if is_next and not use.is_resting(model, at):
                return replace(call, tier=tier, provider=place)
    return None


def next_try(
    call: ModelCall, failed: on.ModelFailed, offer: ModelOffer, use: ModelUse, task: TaskId
) -> NextTry | None:
    """What comes after `failed`, the failure of `call`. `task`: the id of the next request."""
    again = replace(call, task=task, tries=call.tries + 1, flaws=())
    match failed.fault:
        case "transient":
            wait_s = _wait_s(call, failed)
            if call.attempt < TRANSIENT_TRIES_MAX and wait_s <= WAIT_S_MAX:
                return NextTry(replace(again, attempt=call.attempt + 1), "RETRY", wait_s)
            return _elsewhere(again, offer, use, failed.at)
        case "configuration" | "permanent":
            return _elsewhere(again, offer, use, failed.at)
        case "overflow":
            if not call.less:
                return NextTry(replace(again, less=True), "RETRY")
            return _up(again, offer, use, failed.at)
        case "unexpected" | "misaligned" | "unsure":
            return _after_content(call, again, failed, offer, use)


def _after_content(
    call: ModelCall, again: ModelCall, failed: on.ModelFailed, offer: ModelOffer, use: ModelUse
) -> NextTry | None:
    """One repair, then up the tiers; at most `CALLS_MAX` for faults of content."""
    again = replace(again, content_faults=call.content_faults + 1)
    if again.content_faults >= CALLS_MAX:
        return None
    if failed.fault != "unsure" and not call.flaws:
        flaws = failed.flaws or (failed.detail or REFUSED,)
        return NextTry(replace(again, flaws=flaws), "RETRY")
    if failed.fault == "misaligned" or (failed.fault == "unexpected" and call.tier != "fast"):
        return None
    return _up(again, offer, use, failed.at)


def _elsewhere(again: ModelCall, offer: ModelOffer, use: ModelUse, at: float) -> NextTry | None:
    """The next provider of the tier."""
    moved = replace(again, provider=again.provider + 1, attempt=1)
    if moved.provider < len(offer.of(again.tier)):
        call = first_call(moved, offer, use, at)
        return NextTry(call, "DETOUR") if call else None
    return None


def _up(again: ModelCall, offer: ModelOffer, use: ModelUse, at: float) -> NextTry | None:
    higher = next((tier for tier in _above(again.tier) if offer.of(tier)), None)
    if higher is None:
        return None
    call = first_call(replace(again, tier=higher, provider=0, attempt=1), offer, use, at)
    return NextTry(call, "ESCALATE") if call else None


def _above(tier: ModelTier) -> tuple[ModelTier, ...]:
    return TIERS[TIERS.index(tier) + 1 :]


def _wait_s(call: ModelCall, failed: on.ModelFailed) -> float:
    """`min(60, 2^attempt + jitter)` from attempt 0; what the provider says wins (seed 004)."""
    if failed.retry_after is not None:
        return failed.retry_after
    return min(WAIT_S_MAX, float(round(2 ** (call.attempt - 1) + jitter_s(call.task), 3)))


def jitter_s(task: str) -> float:
    """0 to 0.5 s that nobody can foresee, and that comes out the same when it is decided again."""
    return int(sha256(task.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF * JITTER_S_MAX
