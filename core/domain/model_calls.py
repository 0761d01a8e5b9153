"""Requests to language models as the engine sees them: what is asked, of whom, what came of it."""

from dataclasses import dataclass
from typing import Final, Literal

from core.domain.answers import ClaimKind
from core.domain.follow_ups import LineRef

ModelTask = Literal[
    "read_answers",  # sort a step's answers into lines, and judge its criteria
    "ask_and_propose",  # the next question, and what nobody said and a good colleague would
    "take_turn",  # speak as another persona in an elaboration
    "contribute",  # a member's turn in a council
    "find_cause",  # look into a failed reading
]
ModelTier = Literal["fast", "middle", "strong"]
"""How strong a model is: haiku, sonnet and opus of seed 002."""
TIERS: Final[tuple[ModelTier, ...]] = ("fast", "middle", "strong")
OVER_DAY: Final = "tokens-a-day"
"""The setting of a request that was not sent: a workspace has used up what it may in a day."""
RESTS: Final = "rests"
"""The setting of a request that was not sent: its model has failed another session just now."""
ProviderFault = Literal[
    "transient",  # 408, 429, 5xx, 529, time-out, refused, reset, body cut, quota_exceeded
    "configuration",  # key, model, insufficient_quota, 401 to 404
    "permanent",  # 400, 413, 422, 3xx
    "overflow",  # the context is too long
    "unexpected",  # wrong schema, cut at max_tokens, empty
    "misaligned",  # it refused, or the review found flaws
    "unsure",  # it said that it cannot tell
]


@dataclass(frozen=True, slots=True)
class Usage:
    """What one request took, in tokens; `usd`: None where the model's price is not known."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    is_estimate: bool = False  # the provider did not say: bytes of request and reply by three

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        """Both together; the price is known where both are, and nothing costs nothing."""
        prices = [usage.usd for usage in (self, other) if usage.tokens or usage.usd is not None]
        usd = None if None in prices else sum(price for price in prices if price is not None)
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            usd,
            self.is_estimate or other.is_estimate,
        )

    def times(self, count: int) -> "Usage":
        """So often as much."""
        usd = None if self.usd is None else self.usd * count
        return Usage(self.input_tokens * count, self.output_tokens * count, usd, self.is_estimate)


NOTHING_USED: Final = Usage(usd=0.0)


@dataclass(frozen=True, slots=True)
class ModelLine:
    """A line that a model read: what it says, and people's very words that it rests on."""

    kind: ClaimKind
    text: str = ""  # empty where it says what its quotes say, in their words
    quotes: tuple[LineRef, ...] = ()  # one at least, each found word for word
    of: LineRef | None = None  # the line that it belongs to: what a check checks


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """What the engine may count on: per tier the names of its models, in order of fallback."""

    models: tuple[tuple[ModelTier, tuple[str, ...]], ...] = ()
    patience_s: float = 12.0  # until the script's reading is shown
    tokens_a_session: int = 0  # 0: no limit
    usd_a_session: float | None = None  # None: no limit; with one, every model has a price
    waits_for_admin: bool = False  # there are models, and none reads before an admin agreed

    def of(self, tier: ModelTier) -> tuple[str, ...]:
        return dict(self.models).get(tier, ())
