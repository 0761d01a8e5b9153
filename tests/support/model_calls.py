"""Language models that answer from a list: what the engine makes of replies and failures."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from core.domain import effects as fx
from core.domain import events as on
from core.domain.follow_ups import FollowUp, LineRef
from core.domain.ids import SessionId, StepId, TaskId
from core.domain.model_calls import ModelLine, ModelOffer, ProviderFault, Usage
from core.domain.persona_proposals import PersonaProposal
from core.runtime.brains.language_models import Apply, Done
from tests.support.fakes import DrivenClock

TWO = ModelOffer(
    (
        ("fast", ("anthropic:haiku", "openai:nano")),
        ("middle", ("anthropic:sonnet", "openai:mini")),
        ("strong", ("anthropic:opus",)),
    ),
    patience_s=12.0,
)
"""Two providers, one of them alone for the strong tier."""
USED = Usage(1_000, 100, 0.002)

Said = Callable[[fx.AskModel, float], on.ModelReplied | on.ModelFailed | None]
"""What comes of a request, at a time; None: nothing does, for now."""


def read(*lines: ModelLine, usage: Usage = USED) -> Said:
    return lambda effect, at: on.ModelReplied(
        at, effect.task, effect.step, effect.model, usage, lines
    )


def asked(
    question: FollowUp | None = None, *proposals: PersonaProposal, usage: Usage = USED
) -> Said:
    return lambda effect, at: on.ModelReplied(
        at, effect.task, effect.step, effect.model, usage, (), question, proposals
    )


def fails(fault: ProviderFault, detail: str = "it broke", **more: Any) -> Said:
    return lambda effect, at: on.ModelFailed(
        at, effect.task, effect.step, effect.model, fault, detail, speech=effect.speech, **more
    )


def hangs(effect: fx.AskModel, at: float) -> None:
    """Nothing comes of it until it is answered."""


@dataclass
class ListedModels:
    """Answers requests in their order; without an entry left, nothing is read, asked or spoken."""

    clock: DrivenClock
    says: deque[Said] = field(default_factory=deque)
    requests: list[fx.AskModel] = field(default_factory=list)
    under_way: dict[TaskId, tuple[fx.AskModel, Apply, Done]] = field(default_factory=dict)
    deadline_s: float = 60.0

    def begin(self, session: SessionId, effect: fx.AskModel, apply: Apply, done: Done) -> None:
        self.requests.append(effect)
        usual = read() if effect.speech is None else fails("unexpected")
        says = self.says.popleft() if self.says else usual
        event = says(effect, self.clock.now())
        if event is None:
            self.under_way[effect.task] = (effect, apply, done)
        else:
            apply(event, None)
            done(None)

    def cancel_unneeded(self, session: SessionId) -> None:
        """Those that hang are answered by hand."""

    def free_at(self, effect: fx.AskModel) -> float:
        """Nobody names a time."""
        return 0.0

    def take_slot(self, session: SessionId, effect: fx.AskModel) -> float | None:
        """There is always room."""
        return None

    def stop(self) -> None:
        """Nothing is under way elsewhere."""

    def answer(self, says: Said) -> None:
        """Let something come of the oldest request that hangs."""
        task = next(iter(self.under_way))
        effect, apply, done = self.under_way.pop(task)
        event = says(effect, self.clock.now())
        assert event is not None
        apply(event, None)
        done(None)


def line_ref(answer: str, quote: str) -> LineRef:
    return LineRef(answer, quote)  # type: ignore[arg-type]


def at_step(event: on.ModelReplied, step: str) -> on.ModelReplied:
    return replace(event, step=StepId(step))
