"""The language models that personas may ask. Asking one costs a little: only on request."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.settings import Setup
from bot.server.configuration.model_settings import (
    NAMING,
    NO_KEY,
    OF_TIER,
    key_name,
    language_models,
)
from bot.server.configuration.setting_values import remedy
from core.brains.model.providers.exchange import Provider, ProviderError, WireReply, WireRequest
from core.domain.model_calls import TIERS, Usage

if TYPE_CHECKING:
    from core.brains.model.providers.exchange import Setting

SETTINGS: Final = "reading the environment"
ASKED: Final = "one small request"
TOKENS_MAX: Final = 1_000  # some models think before they say anything
WAIT_S_MORE: Final = 15.0  # than the request may take: the libraries are loaded first
SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}


def checks(setup: Setup, *, is_asked: bool) -> Iterator[Check]:
    """A line for each tier and each model; none where no model is named, or not as it should be."""
    if any(setup.unusable(name) for name in NAMING):
        return
    models = language_models(setup.settings)
    for tier in TIERS:
        if listed := models.providers.get(tier):
            method = f"{OF_TIER[tier]}, or {NAMING[0]}"
            names = ", then ".join(provider.name for provider in listed)
            yield DoctorCheck(f"{tier} model", "brain", method).ok(names)
    everyone = {model.name: model for tier in TIERS for model in models.providers.get(tier, ())}
    usable = [model for model in everyone.values() if not setup.unusable(key_name(model))]
    for provider in everyone.values():
        if provider not in usable:
            yield _question(provider, SETTINGS).unasked(f"{key_name(provider)} cannot be used")
    if is_asked:
        yield from _answers(usable, models.deadline_s)
    else:
        yield from map(_as_set, usable)


def _question(provider: Provider, method: str) -> DoctorCheck:
    return DoctorCheck(f"model {provider.name}", "brain", method)


def _place(provider: Provider) -> str:
    key = "no key" if provider.key == NO_KEY else f"{key_name(provider)} is set"
    return f"{urlsplit(provider.base_url).netloc}, {key}"


def _as_set(provider: Provider) -> Check:
    question, found = _question(provider, SETTINGS), f"{_place(provider)}; not asked"
    if provider.protocol == "openai-chat" and not urlsplit(provider.url).path:
        return question.warn(f"{found}; its address has no path", REMEDIES["model-path"])
    return question.ok(f"{found}; roundtable doctor --models asks it, which costs a little")


# ── one request to each ──


def _answers(providers: Iterable[Provider], deadline_s: float) -> Iterator[Check]:
    from core.brains.model.providers.wire import Wire

    wire = Wire()
    wire.start()
    try:
        sent = [
            (model, wire.send(model, _request(number, deadline_s)))
            for number, model in enumerate(providers)
        ]
        for provider, reply in sent:
            yield _answer(provider, reply, deadline_s + WAIT_S_MORE)
    finally:
        wire.close()


def _request(number: int, deadline_s: float) -> WireRequest:
    return WireRequest(
        system="Somebody looks whether you can be asked.",
        user="Call the tool, with true.",
        tool="say_ready",
        description="Say that you are ready.",
        schema=SCHEMA,
        max_tokens=TOKENS_MAX,
        deadline_s=deadline_s,
        id=f"doctor-{number}",
    )


def _answer(provider: Provider, reply: Future[WireReply], wait_s: float) -> Check:
    question = _question(provider, ASKED)
    try:
        usage = reply.result(wait_s).usage
    except ProviderError as error:
        return _failed(provider, question, error)
    except (TimeoutError, CancelledError):
        return question.warn(f"{_place(provider)}; no answer in time", REMEDIES["in-a-minute"])
    return question.ok(f"{_place(provider)}; it answered, {_taken(usage)}")


def _failed(provider: Provider, question: DoctorCheck, error: ProviderError) -> Check:
    failure = f"{_place(provider)}; {error}"
    match error.kind:
        case "configuration":
            return question.fail(failure, _remedy_of(provider, error.config))
        case "transient":
            return question.warn(failure, REMEDIES["in-a-minute"])
        case _:
            return question.warn(failure, REMEDIES["model-other"])


def _remedy_of(provider: Provider, setting: "Setting") -> str:
    match setting:
        case "key":
            return remedy(key_name(provider))
        case "url":
            return REMEDIES["model-path"]
        case "credit":
            return REMEDIES["model-credit"]
        case "extra":
            return "pip install 'roundtable[llm]'"
        case _:
            return REMEDIES["model-other"]


def _taken(usage: Usage) -> str:
    price = "at an unknown price" if usage.usd is None else f"${usage.usd:.6f}"
    return f"{usage.tokens} tokens, {price}"
