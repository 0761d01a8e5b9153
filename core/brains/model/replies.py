"""What a language model replies, task by task: one tool's arguments, and what must be true of them.

The schema is what every provider can enforce: all fields required, null for what is absent, nothing
besides. How long a text may be, and whether its quotes, ids and names are true, is checked here and
by whoever lays the reply over the script's reading.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from core.domain.model_calls import ModelTask
from core.taxonomy.catalogue import Category

TEXT_CHARS_MAX: Final = 2_000
ITEMS_MAX: Final = 200  # of a list
PROPOSALS_MAX: Final = 3  # a step
FAULTS_SHOWN_MAX: Final = 10

LineKind = Literal[
    "requirement",
    "check",
    "exclusion",
    "decision",
    "option",
    "risk",
    "question",
    "quality",
    "story",
    "priority",
    "scope",
    "module",
    "interface",
    "data",
    "error",
    "entry-point",
    "fact",
    "constraint",
    "note",
]
"""What people may mean with a line. A line that the script reads as a kind of the inception, of
which none is here, keeps that kind."""
CouncilKind = Literal[
    LineKind,
    "purpose",
    "user",
    "success",
    "domain",
    "stack",
    "trade-off",
    "entity",
    "relation",
    "retention",
    "test",
    "test-gap",
]
AskedKind = Literal["check", "unit", "number", "person", "alternative", "missing"]
ProposalKind = Literal["check", "option", "risk", "requirement", "wording"]


def _short(text: str) -> str:
    if len(text) > TEXT_CHARS_MAX:
        raise ValueError(f"longer than {TEXT_CHARS_MAX} characters")
    return text


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("empty")
    return text


def _few(items: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(items) > ITEMS_MAX:
        raise ValueError(f"more than {ITEMS_MAX} items")
    return items


def _first_proposals(value: object) -> object:
    """What is over the limit was never asked for, and is no reason to ask again."""
    return value[:PROPOSALS_MAX] if isinstance(value, list) else value


Item = TypeVar("Item")
Short = Annotated[str, AfterValidator(_short)]
Text = Annotated[str, AfterValidator(_short), AfterValidator(_filled)]
Few = Annotated[tuple[Item, ...], AfterValidator(_few)]


class _Reply(BaseModel):
    """A field that may be null may be left out: a model without enforcement often does so."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ReplyQuote(_Reply):
    """Words of an answer, as they stand there; `answer`: its id, "A1"."""

    answer: Text
    text: Text


class ReplyLine(_Reply):
    """One line of what people said. `of`: of a check, words of the line that it checks, with the id
    of the answer that has them, which may be one of an earlier step; null of any other line."""

    kind: LineKind
    text: Text
    quotes: Few[ReplyQuote]
    of: ReplyQuote | None = None


class JudgedCriterion(_Reply):
    """Whether a criterion of the step is met; `id`: "V1"."""

    id: Text
    met: bool
    quotes: Few[ReplyQuote]


class ReadReply(_Reply):
    """Hand over what people said at this step: each line with its kind and its quotes, and which
    criteria are met."""

    lines: Few[ReplyLine]
    criteria: Few[JudgedCriterion]
    cannot_tell: Short | None = None


class AskedQuestion(_Reply):
    """One question about one thing; `line`: words of the line that it is about."""

    text: Text
    kind: AskedKind
    line: ReplyQuote | None = None


class ReplyProposal(_Reply):
    """What nobody said and a good colleague would; `of`: words of the line that it is about."""

    kind: ProposalKind
    text: Text
    reason: Text
    of: ReplyQuote


class AskReply(_Reply):
    """Hand over the next question, or null, and at most three proposals."""

    question: AskedQuestion | None = None
    proposals: Annotated[tuple[ReplyProposal, ...], BeforeValidator(_first_proposals)]


class TurnReply(_Reply):
    """Hand over what you say next in this conversation; null where you have nothing to add."""

    text: Short | None = None


class CouncilQuestion(_Reply):
    """A question to people; `domain`: what its answer is about, in a word."""

    domain: Text
    text: Text


class ContributedLine(_Reply):
    kind: CouncilKind
    text: Text
    quotes: Few[ReplyQuote]


class ContributionReply(_Reply):
    """Hand over your turn at this table. `to`: the key of the member that you speak to; `agrees`:
    your vote; `more`: you have more to say than this turn allows."""

    text: Short
    to: Short | None = None
    questions: Few[CouncilQuestion]
    lines: Few[ContributedLine]
    agrees: bool | None = None
    more: bool


class CorrectedName(_Reply):
    """A name as the step has it, and the name that is really there."""

    named: Text
    there: Text


class CauseReply(_Reply):
    """Hand over what the failure came from; `fixed`: the corrections mend it."""

    category: Category | None = None
    findings: Text
    corrections: Few[CorrectedName]
    fixed: bool


Reply = ReadReply | AskReply | TurnReply | ContributionReply | CauseReply
REPLIES: Final[Mapping[ModelTask, type[Reply]]] = {
    "read_answers": ReadReply,
    "ask_and_propose": AskReply,
    "take_turn": TurnReply,
    "contribute": ContributionReply,
    "find_cause": CauseReply,
}


class ReplyError(ValueError):
    """The arguments are no reply to the task. Its text names every fault and its place; no value
    stands in it, since a model may repeat what people or others wrote."""


def parse(task: ModelTask, arguments: Mapping[str, Any]) -> Reply:
    """The reply that the arguments of the tool's call are. Raises `ReplyError`."""
    try:
        return REPLIES[task].model_validate(dict(arguments))
    except ValidationError as cause:
        faults = [_fault(error) for error in cause.errors(include_input=False, include_url=False)]
        first_faults = faults[:FAULTS_SHOWN_MAX]
        more = (
            [f"and {len(faults) - len(first_faults)} more"]
            if len(faults) > len(first_faults)
            else []
        )
        raise ReplyError("; ".join([*first_faults, *more])) from None


def _fault(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"] if not _is_unknown(error, part))
    message = error["msg"].removeprefix("Value error, ")
    return f"{place or 'the reply'}: {message[:1].lower()}{message[1:]}"


def _is_unknown(error: Any, part: object) -> bool:
    """True for the name of a field that is no field: the model chose it."""
    return bool(error["type"] == "extra_forbidden" and part == error["loc"][-1])


def description_of(task: ModelTask) -> str:
    """What the tool of a task is for."""
    return " ".join((REPLIES[task].__doc__ or "").split())


# ── the schema ─────────────────────────────────────────────────────────────────────────────────


@cache
def schema_of(task: ModelTask) -> Mapping[str, Any]:
    """The schema of a task's tool, without references, titles, defaults and lengths."""
    schema = REPLIES[task].model_json_schema()
    schema.pop("description", None)  # the tool's own
    plain: Mapping[str, Any] = _plain(schema, schema.pop("$defs", {}))
    return plain


def _plain(node: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(item, parts) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(parts[node["$ref"].rpartition("/")[2]], parts)
    plain = {key: _plain(value, parts) for key, value in node.items() if key not in _LEFT_OUT}
    if properties := node.get("properties"):
        plain["properties"] = {key: _plain(value, parts) for key, value in properties.items()}
        plain["required"] = list(properties)
    return plain


_LEFT_OUT: Final = ("title", "default", "properties", "required")
