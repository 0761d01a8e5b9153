"""Which language models rest, for all sessions of this process.

The engine decides for each session; what one of them found out spares the others the tries. It is
forgotten with the process, and found out again.
"""

import threading
from dataclasses import dataclass, field

from core.brains.model.exchange import Provider
from core.domain import events as on
from core.domain.session.model_reading import ModelUse
from core.engine.model.tries import WAIT_S_MAX


@dataclass(slots=True)
class ProviderRests:
    """`_used_up`: models that were given up, and until when; `_free_at`: when a provider may be
    asked again by its own word. Waiting for that counts as no try."""

    _used_up: dict[str, float] = field(default_factory=dict)
    _free_at: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def replied(self, provider: Provider) -> None:
        with self._lock:
            self._used_up.pop(provider.name, None)

    def failed(self, provider: Provider, event: on.ModelFailed, use: ModelUse) -> None:
        """`use`: of the session whose request it was, with what the engine made of the failure."""
        with self._lock:
            for rest in use.rests:
                if rest.model == provider.name:
                    self._used_up[provider.name] = rest.until
            if event.retry_after is not None and event.retry_after <= WAIT_S_MAX:
                self._free_at[provider.base_url] = event.at + event.retry_after

    def is_used_up(self, provider: Provider, at: float) -> bool:
        with self._lock:
            return at < self._used_up.get(provider.name, 0.0)

    def free_at(self, provider: Provider) -> float:
        with self._lock:
            return self._free_at.get(provider.base_url, 0.0)
