"""Which language models rest, and how many requests are at a provider, for all sessions.

The engine decides for each session; what one of them found out spares the others the tries. One
process keeps that in its memory, forgets it when it ends, and finds it out again; several on
PostgreSQL keep it in rows.
"""

from dataclasses import dataclass, field
from typing import Final

from core.brains.model.providers.exchange import Provider
from core.domain import events as on
from core.domain.effects import AskModel
from core.domain.ids import SessionId, TeamId
from core.domain.session.model_reading import ModelUse
from core.engine.model.tries import WAIT_S_MAX
from core.runtime.pacing import Paces, Pacing
from core.store.repository.lanes import LaneQueue, ProviderSlot

SLOT_AGAIN_S: Final = 0.5  # until a place at a provider is asked for again


@dataclass(frozen=True, slots=True)
class ProviderRests:
    """Models that were given up, and when a provider may be asked again by its own word. Waiting
    for that counts as no try."""

    paces: Paces = field(default_factory=Pacing)

    def replied(self, provider: Provider) -> None:
        self.paces.let_go(_model(provider))

    def failed(self, provider: Provider, event: on.ModelFailed, use: ModelUse) -> None:
        """`use`: of the session whose request it was, with what the engine made of the failure."""
        for rest in use.rests:
            if rest.model == provider.name:
                self.paces.hold(_model(provider), rest.until)
        if event.retry_after is not None and event.retry_after <= WAIT_S_MAX:
            self.paces.hold(_provider(provider), event.at + event.retry_after)

    def is_used_up(self, provider: Provider, at: float) -> bool:
        return at < self.paces.held_until(_model(provider))

    def free_at(self, provider: Provider) -> float:
        return self.paces.held_until(_provider(provider))


@dataclass(frozen=True, slots=True)
class ProviderSlots:
    """Places at each provider, which several processes share; between workspaces, fairly.

    A place whose process died is free again after `held_s`.
    """

    queue: LaneQueue
    at_once: int
    held_s: float

    def take(
        self, provider: Provider, team: TeamId, session: SessionId, effect: AskModel, now: float
    ) -> float | None:
        """Take a place. When to come back, where none is free or it is another's turn."""
        slot = ProviderSlot(provider.base_url, team, session, effect.task)
        is_taken = self.queue.take_slot(slot, now, now + self.held_s, self.at_once)
        return None if is_taken else now + SLOT_AGAIN_S

    def give_back(self, session: SessionId, effect: AskModel) -> None:
        self.queue.give_back_slot(session, effect.task)


def _model(provider: Provider) -> str:
    return f"model {provider.name}"


def _provider(provider: Provider) -> str:
    return f"provider {provider.base_url}"
