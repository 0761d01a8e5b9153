"""What language models made of a step, and what a session has used of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.domain.follow_ups import FollowUp
from core.domain.ids import PhaseKey, TaskId, UserId
from core.domain.model_calls import NOTHING_USED, ModelLine, ModelOffer, ModelTask, ModelTier, Usage
from core.domain.persona_proposals import PersonaProposal, TakenProposal
from core.domain.session.enriching import EnrichedPhase

CALLS_MAX: Final = 4  # of one task, for faults of content
REST_S: Final = 60.0
REST_S_MAX: Final = 15 * 60.0
ESCALATIONS_KEPT: Final = 5
ESCALATIONS_MAX: Final = 3  # of the last five readings: the next one starts at the middle tier

WhyScript = Literal[
    "",
    "waiting",  # the model's reply is late
    "budget",
    "failed",
    "unsure",  # it could not tell what is meant, and asks
    "flawed",  # a reply had flaws, and so had its repair
    "script-only",
]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a model that is under way, and what became of those before it."""

    task: TaskId
    asks: ModelTask
    tier: ModelTier
    provider: int = 0  # its place among the models of the tier
    attempt: int = 1  # at this provider
    tries: int = 1  # of this task, in all
    content_faults: int = 0
    flaws: tuple[str, ...] = ()  # of the reply before: this one is its repair
    less: bool = False  # the context was too long: this time with less
    is_aside: bool = False  # somebody asked for it later: its lines wait, and no message does


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What models made of a step. The default is a step that none has read."""

    call: ModelCall | None = None  # whose reply is awaited
    is_held: bool = False  # the step's message waits for it
    basis: tuple[str, ...] = ()  # "answer@revision" of what was last given to a model
    lines: tuple[ModelLine, ...] = ()
    waiting: tuple[ModelLine, ...] = ()  # people went on meanwhile: these wait to be accepted
    is_accepted: bool = False  # its lines were accepted later: names of lines stay
    scripts_question: FollowUp | None = None  # asked once nobody waits for the model's any more
    open_criteria: tuple[str, ...] = ()  # "V2": those that no line of the model meets
    left_out: tuple[str, ...] = ()  # what people or others wrote and no request had room for
    question: FollowUp | None = None
    proposals: tuple[PersonaProposal, ...] = ()  # that nobody took yet
    taken: tuple[TakenProposal, ...] = ()
    model: str = ""  # who read: the name of a model
    tier: ModelTier | Literal[""] = ""
    tries: int = 0
    detours: tuple[str, ...] = ()  # models that were asked before it, and failed
    usage: Usage = NOTHING_USED
    why_script: WhyScript = ""  # why the script's reading stands
    wanted_by: UserId | None = None  # who had it read once more

    @property
    def is_read(self) -> bool:
        """True if it changes what the script reads, or what is asked next."""
        return bool(self.lines or self.question or self.open_criteria)

    def asked(self, call: ModelCall) -> "ModelReading":
        return replace(self, call=call)

    def begun(self, call: ModelCall, basis: tuple[str, ...]) -> "ModelReading":
        """A new reading: the message waits for it. What was read before stands until then."""
        return ModelReading(
            call, is_held=True, basis=basis, lines=self.lines, taken=self.taken,
            is_accepted=self.is_accepted,
        )  # fmt: skip

    def begun_aside(self, call: ModelCall, basis: tuple[str, ...]) -> "ModelReading":
        """The answers are read once more. What was read before stands, and so does the message."""
        return replace(self, call=call, basis=basis)

    def accepted(self) -> "ModelReading":
        """The lines that wait stand from now on."""
        return replace(self, lines=self.waiting, waiting=(), is_accepted=True, why_script="")

    def scripted(self, why: WhyScript) -> "ModelReading":
        """The script's reading stands."""
        return replace(self, call=None, is_held=False, why_script=why)

    def cut_off(self) -> "ModelReading":
        """Nobody waits for the request under way: the answers are to be read anew."""
        return replace(
            self, call=None, is_held=False, basis=(), why_script="", scripts_question=None
        )

    def used(self, usage: Usage) -> "ModelReading":
        return replace(self, usage=self.usage + usage, tries=self.tries + 1)

    def without(self, left_out: tuple[str, ...]) -> "ModelReading":
        """Read without that, too."""
        return replace(self, left_out=tuple(dict.fromkeys((*self.left_out, *left_out))))

    def without_asked(self, follow_ups: Iterable[FollowUp]) -> "ModelReading":
        """The script's question waits no more, nor does the model's if it is asked."""
        is_asked = self.question and any(map(self.question.is_same, follow_ups))
        return replace(self, scripts_question=None, question=None if is_asked else self.question)

    def detoured(self, model: str) -> "ModelReading":
        return replace(self, detours=tuple(dict.fromkeys((*self.detours, model))))


@dataclass(frozen=True, slots=True)
class Rest:
    """A model that is not asked `until` then, after `seconds` without it."""

    model: str
    until: float
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a session has used of language models. The default is a session that has none."""

    script_only: bool = False  # somebody said so
    waits_for_admin: bool = False  # of the workspace, who has to agree; until one may read
    usage: Usage = NOTHING_USED
    calls: int = 0
    allowed: int = 0  # how often the owner allowed as much again
    off_in: PhaseKey | None = None  # every provider failed there: the script reads to its end
    escalated: tuple[bool, ...] = ()  # of the last readings: whether a higher tier was asked
    rests: tuple["Rest", ...] = ()  # models that are left alone for a while
    enriched: tuple[EnrichedPhase, ...] = ()  # the last of each phase, in their order

    @property
    def first_tier(self) -> ModelTier:
        """Where a reading starts."""
        return "middle" if sum(self.escalated) >= ESCALATIONS_MAX else "fast"

    def with_enriched(self, phase: EnrichedPhase) -> "ModelUse":
        """In place of what was there of that phase."""
        others = (enriched for enriched in self.enriched if enriched.phase != phase.phase)
        every = sorted((*others, phase), key=lambda enriched: enriched.phase)
        return replace(self, enriched=tuple(every))

    def used(self, usage: Usage) -> "ModelUse":
        return replace(self, usage=self.usage + usage, calls=self.calls + 1)

    def read(self, *, escalated: bool) -> "ModelUse":
        """A reading is over."""
        return replace(self, escalated=(*self.escalated, escalated)[-ESCALATIONS_KEPT:])

    def rested(self, model: str, at: float) -> "ModelUse":
        """A model is used up: it is left alone for a minute, then twice as long, 15 at most."""
        last = next((rest for rest in self.rests if rest.model == model), None)
        seconds = min(REST_S_MAX, last.seconds * 2) if last else REST_S
        others = tuple(rest for rest in self.rests if rest.model != model)
        return replace(self, rests=(*others, Rest(model, at + seconds, seconds)))

    def woken(self, model: str) -> "ModelUse":
        """It answered."""
        return replace(self, rests=tuple(rest for rest in self.rests if rest.model != model))

    def is_resting(self, model: str, at: float) -> bool:
        return any(rest.model == model and at < rest.until for rest in self.rests)

    def may_use(self, usage: Usage, offer: ModelOffer) -> bool:
        """True if so much more is within what a session may use."""
        total, times = self.usage + usage, 1 + self.allowed
        if offer.tokens_a_session and total.tokens > offer.tokens_a_session * times:
            return False
        return offer.usd_a_session is None or (total.usd or 0.0) <= offer.usd_a_session * times
