"""Providers of language models in this process: every reply and every fault, as the seed wants it.

The bot's own runner sends, takes in and cuts off. Replies come when the clock says so, to the
thread that plays, so that a seed plays the same again.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from bot.devtools.provider.exchange import ProviderRequest, StandInAnswer, data_of
from bot.devtools.provider.personalities.table import PERSONALITIES
from core.brains.model.prompts import load as load_prompts
from core.brains.model.providers.exchange import Provider, ProviderError, WireReply, WireRequest
from core.brains.tasks import Contribute, ReadStep
from core.domain import events as on
from core.domain.model_calls import TIERS, ModelOffer, Usage
from core.runtime.brains.model_runner import ModelRunner
from core.store.repository.calls import CallLedger
from tests.support.fakes import OWNER, SCRIPTED, DrivenClock, Names
from tests.support.harness import Harness

if TYPE_CHECKING:
    from tests.chaos.simulation import Simulation

PLAYED_WITH: Final = 0.4  # of the simulations
ACTS: Final = 0.08  # per act: somebody has to do with models
DELAYS_S: Final = (0.0, 0.0, 0.5, 11.0, 13.0, 50.0)
TROUBLE: Final = (0.0, 0.2, 0.6)
TOKENS: Final = (0, 0, 40_000)  # of a session; 0: no limit
PROVIDERS: Final[Mapping[str, Provider]] = {
    one.name: one
    for one in (
        Provider("openai-chat", "first", "https://first.example/v1", SecretStr("key")),
        Provider("openai-chat", "second", "https://second.example/v1", SecretStr("key")),
    )
}
Outcome = WireReply | ProviderError


def _replies(arguments: Mapping[str, Any]) -> Callable[[Random], Outcome]:
    return lambda _: WireReply(arguments, Usage(900, 10, 0.001))


FAULTS: Final[tuple[Callable[[Random], Outcome], ...]] = (
    lambda random: ProviderError(
        "transient", "busy", status_code=429, retry_after=random.choice((None, 3.0, 30.0, 61.0))
    ),
    lambda _: ProviderError("transient", "down", status_code=503),
    lambda _: ProviderError("configuration", "no such key", status_code=401, config="key"),
    lambda _: ProviderError("permanent", "bad", status_code=400),
    lambda _: ProviderError("overflow", "too long", status_code=400),
    lambda _: ProviderError("unexpected", "empty", flaw="empty", usage=Usage(900, 0, 0.001)),
    lambda _: ProviderError("misaligned", "no", flaw="refused", usage=Usage(900, 9, 0.001)),
    _replies({"lines": 5}),
    _replies({"lines": [], "criteria": [], "cannot_tell": "Which page do they mean?"}),
)


@dataclass(slots=True)
class StormyWire:
    """Answers late, wrongly or not at all, and rightly once the storm is over."""

    random: Random
    clock: DrivenClock
    trouble: float
    is_over: Callable[[], bool]
    number: int = 0
    _on_their_way: list[tuple[float, "Future[WireReply]", Outcome]] = field(default_factory=list)
    _to_take_in: list[Callable[[], None]] = field(default_factory=list)

    def send(self, provider: Provider, request: WireRequest) -> "Future[WireReply]":
        self.number += 1
        delay = 0.0 if self.is_over() else self.random.choice(DELAYS_S)
        future: Future[WireReply] = Future()
        due = self.clock.now() + delay
        self._on_their_way.append((due, future, self._outcome(provider, request)))
        return future

    def estimate(self, provider: Provider, request: WireRequest) -> Usage:
        return request.estimate()

    def take_in(self, take: Callable[[], None]) -> None:
        """In place of a thread of its own."""
        self._to_take_in.append(take)

    def deliver(self) -> bool:
        """What has come by now. True if anything had."""
        now = self.clock.now()
        due = [one for one in self._on_their_way if one[0] <= now]
        self._on_their_way = [one for one in self._on_their_way if one[0] > now]
        for _, future, outcome in due:
            if not future.done():
                _complete(future, outcome)
        took = bool(self._to_take_in)
        while self._to_take_in:
            self._to_take_in.pop(0)()
        return took

    def forget(self) -> None:
        """The process is gone: nobody hears of what is on its way."""
        self._on_their_way, self._to_take_in = [], []

    def _outcome(self, provider: Provider, request: WireRequest) -> Outcome:
        if not self.is_over() and self.random.random() < self.trouble:
            return self.random.choice(FAULTS)(self.random)
        who = "thoughtful" if self.is_over() else self.random.choice(sorted(PERSONALITIES))
        asked = ProviderRequest(
            "chat", provider.model, request.system, request.user, request.tool,
            request.schema, request.max_tokens, data_of(request.user),
        )  # fmt: skip
        answer = PERSONALITIES[who](asked, self.number)
        arguments = answer.arguments if isinstance(answer, StandInAnswer) else None
        return WireReply(arguments or {}, Usage(1_000, 200, 0.001))


def _complete(future: "Future[WireReply]", outcome: Outcome) -> None:
    if isinstance(outcome, ProviderError):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def offer_of(random: Random) -> ModelOffer:
    """Two providers, one after the other, for every tier."""
    names = tuple(PROVIDERS)
    tokens = random.choice(TOKENS)
    return ModelOffer(tuple((tier, names) for tier in TIERS), tokens_a_session=tokens)


def runner_of(table: Harness, wire: StormyWire) -> ModelRunner:
    """What sends for a table: the bot's own, in the thread that plays."""
    return ModelRunner(
        table.runtime.reader,
        Names(),
        table.outbox_worker.brain_runner.documents,
        table.clock,
        CallLedger(table.runtime.database),
        wire,
        PROVIDERS,
        lambda: load_prompts(table.library.root),
        lambda request: SCRIPTED.perform(ReadStep(request), lambda: False),
        lambda request: SCRIPTED.perform(Contribute(request), lambda: False),
        table.library.terms,
        checkpoint=table.runtime.checkpoint,
        in_background=wire.take_in,
    )


def act(sim: "Simulation", random: Random) -> None:
    """Somebody has to do with models: keeps them out, lets them in, has them read once more."""
    at, by = sim.table.clock.now(), OWNER
    event = random.choice(
        (
            on.EnrichRequested(by, at),
            on.BrainChosen(by, at, sim.table.cast.team, sim.table.cast.channel, True),
            on.BrainChosen(by, at, sim.table.cast.team, sim.table.cast.channel, False),
        )
    )
    sim.tell(f"  {type(event).__name__}")
    sim.survive(lambda: sim.table.take(event))
