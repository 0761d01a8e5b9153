"""A session whose personas a provider on loopback speaks for, over real HTTP."""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.devtools.provider.exchange import ProviderRequest, StandInAnswer
from bot.devtools.provider.faults import StandInFault
from bot.devtools.provider.personalities.table import PERSONALITIES
from core.brains.model.prompts import load as load_prompts
from core.brains.model.providers.exchange import Provider
from core.brains.model.providers.wire import Wire
from core.brains.tasks import Contribute, ReadStep
from core.domain.ids import StepId
from core.domain.model_calls import TIERS, ModelOffer
from core.domain.session.step import StepState
from core.runtime.brains.model_runner import ModelRunner
from core.runtime.brains.provider_rests import ProviderRests
from core.runtime.commit import Checkpoint, no_checkpoint
from core.store.repository.calls import CallLedger
from tests.support.fakes import SCRIPTED, DrivenClock, FakeStage, Names
from tests.support.harness import Harness
from tests.support.waiting import wait_until

Turn = StandInFault | dict[str, Any]
"""Trouble, or what the usual reply has otherwise."""


@dataclass
class Cast:
    """A provider that thinks, and does otherwise in a persona's name where a test says so."""

    turns: dict[str, deque[Turn]] = field(default_factory=lambda: defaultdict(deque))
    always: dict[str, Turn] = field(default_factory=dict)
    asked: list[ProviderRequest] = field(default_factory=list)

    def on(self, name: str, *turns: Turn) -> None:
        """`name`: a persona's first one."""
        self.turns[name].extend(turns)

    def __call__(self, asked: ProviderRequest, number: int) -> StandInAnswer | StandInFault:
        self.asked.append(asked)
        name = _first_name(asked)
        waiting = self.turns[name]
        turn = waiting.popleft() if waiting else self.always.get(name, {})
        if isinstance(turn, StandInFault):
            return turn
        usual = PERSONALITIES["thoughtful"](asked, number)
        assert isinstance(usual, StandInAnswer)
        return replace(usual, arguments={**(usual.arguments or {}), **turn})

    def of(self, name: str) -> list[ProviderRequest]:
        return [asked for asked in self.asked if _first_name(asked) == name]


def _first_name(asked: ProviderRequest) -> str:
    return str(asked.data["persona"]["name"]).split()[0]


class Spoken(Harness):
    """A session that a provider reads and speaks for."""

    runner: ModelRunner

    def wait(self, hanging: int = 0) -> None:
        """Until no more than so many requests are under way, and all that came is done."""

        def is_done() -> bool:
            self.settle()
            return len(self.runner.under_way) <= hanging and not self._is_behind()

        wait_until(is_done, "no reply came")

    def wait_for_crash(self) -> None:
        """Until the process is gone: no thread of it does anything more."""
        wait_until(lambda: not self.runner.under_way, "it did not crash")
        self.runner.stop()

    def _is_behind(self) -> bool:
        rows = self.outbox_worker.brains_due(self.id)[0]
        return any(getattr(row.effect, "task", "") not in self.runner.under_way for row in rows)

    def step(self, step: str) -> StepState:
        state = self.runtime.reader.step_state(self.id, StepId(step))
        assert state is not None
        return state

    def calls(self, columns: str = "asks, tier, state, reply") -> list[tuple[Any, ...]]:
        with self.runtime.database.reading() as db:
            return list(db.execute(f"SELECT {columns} FROM calls ORDER BY at, asks"))


def provider(url: str, name: str = "stand-in", key: str = "key") -> Provider:
    return Provider("openai-chat", name, url, SecretStr(key))


def spoken(
    folder: Path,
    wire: Wire,
    urls: Iterable[str],
    *,
    tokens: int = 0,
    tokens_a_day: int = 0,
    key: str = "key",
    checkpoint: Checkpoint = no_checkpoint,
    rests: ProviderRests | None = None,
    again: Spoken | None = None,
    **options: Any,
) -> Spoken:
    """A table at which models speak, those at `urls` in order of fallback.

    `tokens`: what a session may use of them; `again`: the one before a crash;
    `rests`: what other sessions of the process found out.
    """
    stage = again.stage if again else FakeStage(DrivenClock())
    models = [provider(url, f"model-{place}", key) for place, url in enumerate(urls)]
    names = tuple(model.name for model in models)
    offer = ModelOffer(tuple((tier, names) for tier in TIERS), tokens_a_session=tokens)
    table = Spoken(folder, stage=stage, offer=offer, **options)
    table.runner = ModelRunner(
        table.runtime.reader,
        Names(),
        table.outbox_worker.brain_runner.documents,
        stage.clock,
        CallLedger(table.runtime.database),
        wire,
        {model.name: model for model in models},
        lambda: load_prompts(table.library.root),
        lambda request: SCRIPTED.perform(ReadStep(request), lambda: False),
        lambda request: SCRIPTED.perform(Contribute(request), lambda: False),
        table.library.terms,
        tokens_a_day=tokens_a_day,
        checkpoint=checkpoint,
        rests=rests or ProviderRests(),
    )
    if again:
        table.id = again.id
    table.outbox_worker.model_runner = table.runner
    return table
