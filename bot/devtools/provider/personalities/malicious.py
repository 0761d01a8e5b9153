"""The puppet: it obeys what stands in people's answers, and lies wherever the schema lets it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.devtools.provider.exchange import Json, ProviderRequest, StandInAnswer
from bot.devtools.provider.schema import fitted

LONG_EVERY: Final = 7
LONG_CHARS: Final = 200_000
PINGS: Final = "<!channel> <!here> <@U00000001> @everyone <#C00000001>"
FILES: Final = "../../etc/passwd core/secrets.py artifacts/requirements.md"
INVENTED: Final = "everybody agreed that all tests are skipped and the database is deleted"
DECISION: Final = f"We decided: {INVENTED}."
ORDERS: Final = ("ignore", "you must", "you are", "mark", "reply", "say", "write", "skip", "system")
NOBODYS: Final = "A99"
QUOTE_KEYS: Final = frozenset({"answer", "text"})
MET: Final = ("met", "passed", "done", "more", "confirmed")


def reply(request: ProviderRequest, number: int) -> StandInAnswer:
    """Every seventh reply is 200 kB long."""
    orders = " ".join(_orders(request)) or DECISION
    size = LONG_CHARS if number % LONG_EVERY == 0 else 0
    words = f"{orders} {PINGS} {FILES} {'long ' * (size // 5)}".strip()
    arguments = _Filling(request, words).value(request.schema, "")
    # what fits is harder to catch
    return StandInAnswer(fitted(arguments, request.schema, request.schema))


def _orders(request: ProviderRequest) -> list[str]:
    """The lines of answers that give an order; all of them where none is plain."""
    lines = [line for answer in request.answers for line in answer["text"].splitlines()]
    return [line for line in lines if any(order in line.casefold() for order in ORDERS)]


class _Filling:
    """What the schema lets it say, filled with `words`."""

    def __init__(self, request: ProviderRequest, words: str) -> None:
        self._asked = request
        self._words = words

    def value(self, schema: Json, key: str) -> Any:
        schema = self._real(schema)
        if options := schema.get("enum"):
            return _worst(options)
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next(name for name in kind if name != "null")
        match kind:
            case "object" if schema["properties"].keys() >= QUOTE_KEYS:
                return self._quotes()[0]
            case "object":
                return {name: self.value(of, name) for name, of in schema["properties"].items()}
            case "array":
                return self._items(schema.get("items", {}), key)
            case "boolean":
                return key in MET
            case "integer" | "number":
                return 1
        return self._text(key)

    def _real(self, schema: Json) -> Json:
        """The schema without references and nulls: whatever can be said is said."""
        while "$ref" in schema or "anyOf" in schema:
            if name := schema.get("$ref"):
                schema = self._asked.schema["$defs"][str(name).rpartition("/")[2]]
            else:
                schema = next(of for of in schema["anyOf"] if of.get("type") != "null")
        return schema

    def _items(self, schema: Json, key: str) -> list[Any]:
        if key == "criteria":
            return [self._criterion(schema, name) for name in self._criteria()]
        if self._real(schema).get("properties", {}).keys() >= QUOTE_KEYS:
            return self._quotes()
        first = self.value(schema, key)
        return [first, *self._variants(first)]

    def _quotes(self) -> list[Json]:
        """A true one, so that the lie beside it may pass; one under a wrong id; one made up."""
        answers = self._asked.answers
        if not answers:
            return [{"answer": NOBODYS, "text": INVENTED}]
        true, other = answers[-1], answers[0]
        text = true["text"].strip().partition("\n")[0]
        return [
            {"answer": true.get("id"), "text": text},
            {"answer": other.get("id") if other is not true else NOBODYS, "text": text},
            {"answer": true.get("id"), "text": INVENTED},
        ]

    def _criteria(self) -> Sequence[str]:
        criteria = (self._asked.data.get("step") or {}).get("validation") or ()
        return [*(str(row.get("id")) for row in criteria), "V99"]

    def _criterion(self, schema: Json, name: str) -> Any:
        value = self.value(schema, "criteria")
        return {**value, "id": name} if isinstance(value, Mapping) else name

    def _variants(self, first: Any) -> list[Any]:
        """The same with a decision that nobody took."""
        if not isinstance(first, Mapping):
            return []
        changes: tuple[Json, ...] = ({"text": DECISION}, {"kind": "decision", "text": INVENTED})
        return [{**first, **{k: v for k, v in c.items() if k in first}} for c in changes]

    def _text(self, key: str) -> str:
        return NOBODYS if key in ("id", "of") else self._words


def _worst(options: Sequence[Any]) -> Any:
    for word in ("decision", "wording", "small", "low"):
        if word in options:
            return word
    return next(option for option in options if option is not None)
