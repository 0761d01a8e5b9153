"""Sends one request to a language model, and reads what comes back: the only module that knows how.

Importing it takes two seconds, so that `core.brains.model.providers.wire` does so in its own
thread. Nothing here retries, follows a redirect or streams. Settings of the libraries' own in the
environment do not count: key, URL and every header are given here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Final

import httpx2
from anthropic import AsyncAnthropic
from genai_prices import calc_price
from openai import AsyncOpenAI
from pydantic import SecretStr
from pydantic_ai import ModelRequest, UserPromptPart
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, ModelRequestTimeout
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import (
    OpenAIChatModel,
    OpenAIResponsesModel,
    OpenAIResponsesModelSettings,
)
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from core.brains.model.providers.exchange import (
    TOKENS_MAX,
    Provider,
    ProviderError,
    WireReply,
    WireRequest,
)
from core.brains.model.providers.provider_faults import (
    Refusal,
    kind_of,
    message_of,
    setting_of,
    shown,
)
from core.brains.model.providers.provider_replies import (
    FLAWS,
    Said,
    UnusableReplyError,
    arguments_of,
)
from core.domain.model_calls import Usage

CONNECT_S_MAX: Final = 10.0
REPLY_BYTES_MAX: Final = 1_000_000
# What else the libraries would send says which machine and which Python this is, or comes from the
# environment: an organisation's id, whole headers.
HEADERS: Final = frozenset(
    {
        "host",
        "connection",
        "content-type",
        "content-length",
        "accept",
        "authorization",
        "x-api-key",
        "anthropic-version",
        "anthropic-beta",
        "x-roundtable-request",
    }
)
UNSENDABLE: Final = (httpx2.UnsupportedProtocol, httpx2.InvalidURL)
for _library in ("openai", "anthropic", "httpx2", "httpcore2"):
    # At "debug", which their own variables turn on as well, they log whole requests.
    logging.getLogger(_library).setLevel(logging.WARNING)


class ReplyTooLongError(Exception):
    """A provider's reply passed REPLY_BYTES_MAX, or was compressed, so that nobody can say."""


class ProviderClient:
    """One provider's HTTP client and models. It belongs to the event loop that it was made on."""

    def __init__(self, provider: Provider, at_once: int) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._http = _http_client(provider.base_url)
        self._models: dict[str, Model] = {}

    async def send(self, provider: Provider, request: WireRequest) -> WireReply:
        """Wait for a slot, send `request` once, and read the reply.

        Raises `ProviderError` for whatever brings no arguments, `CancelledError` when cancelled.
        """
        async with self._slots:
            outcome = await self._outcome(provider, request)
        if isinstance(outcome, ProviderError):
            # Raised here, where the library's own error, with all that the provider said, is gone.
            raise outcome
        return outcome

    async def close(self) -> None:
        await self._http.aclose()

    async def _outcome(self, provider: Provider, request: WireRequest) -> WireReply | ProviderError:
        if not _fits_header(provider.key):
            return ProviderError("configuration", "the key is no key", config="key")
        try:
            response = await self._response(provider, request)
        except Exception as error:  # noqa: BLE001 - whatever the libraries raise is a fault of the call
            return _fault(provider, request, error)
        return _reply(provider, request, response)

    async def _response(self, provider: Provider, request: WireRequest) -> ModelResponse:
        model = self._models.get(provider.model)
        if model is None:
            model = self._models[provider.model] = _model(provider, self._http)
        return await model_request(
            model,
            [
                ModelRequest(
                    [UserPromptPart(_valid(request.user))], instructions=_valid(request.system)
                )
            ],
            model_settings=_settings(request),
            model_request_parameters=_parameters(request, model.profile),
            instrument=False,
        )


def price(provider: Provider, tokens: RequestUsage) -> float | None:
    """What these tokens cost in USD, or None if this provider's price of the model is not known."""
    places: list[dict[str, str]] = [{"provider_api_url": provider.base_url}]
    if provider.protocol != "openai-chat":  # at a URL of one's own a name says nothing of a price
        places.append({"provider_id": provider.protocol})
    for place in places:
        try:
            return float(calc_price(tokens, provider.model, **place).total_price)  # type: ignore[call-overload]
        except (LookupError, ValueError):
            continue
    return None


def is_priced(provider: Provider) -> bool:
    """True if the price of this provider's model is known."""
    return price(provider, RequestUsage(input_tokens=1, output_tokens=1)) is not None


# ── one request ────────────────────────────────────────────────────────────────────────────────


def _settings(request: WireRequest) -> OpenAIResponsesModelSettings:
    return OpenAIResponsesModelSettings(
        max_tokens=min(request.max_tokens, TOKENS_MAX),
        request_timeout=request.deadline_s,
        openai_store=False,
        thinking=False,  # or as little as the model can
        cache=request.is_cached,
        extra_headers={"X-Roundtable-Request": request.id},
    )


def _parameters(request: WireRequest, profile: ModelProfile) -> ModelRequestParameters:
    """One tool, which the model has to call; a schema for its text where it cannot be made to.

    Where neither is possible, the tool is there to be called: the library leaves it to the model.
    """
    schema = dict(request.schema)
    if not _can_be_forced(profile) and profile.get("supports_json_schema_output", False):
        return ModelRequestParameters(
            output_mode="native",
            output_object=OutputObjectDefinition(
                schema, name=request.tool, description=request.description, strict=True
            ),
        )
    tool = ToolDefinition(
        name=request.tool,
        parameters_json_schema=schema,
        description=request.description,
        strict=True,
        kind="output",
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def _can_be_forced(profile: ModelProfile) -> bool:
    if not profile.get("supports_forced_tool_choice", True):
        return False
    always_thinks = profile.get("thinking_always_enabled", False)
    return not always_thinks or profile.get("supports_forced_tool_choice_with_thinking", True)


def _fits_header(key: SecretStr) -> bool:
    return key.get_secret_value().isascii() and key.get_secret_value().isprintable()


def _valid(text: str) -> str:
    """`text` without lone surrogates, which no JSON of a request can hold."""
    return text.encode("utf-8", "replace").decode()


# ── clients ────────────────────────────────────────────────────────────────────────────────────


def _model(provider: Provider, http: httpx2.AsyncClient) -> Model:
    key, url = provider.key.get_secret_value() or "none", provider.base_url
    timeout = httpx2.Timeout(None, connect=CONNECT_S_MAX)  # the deadline is of the whole call
    if provider.protocol == "anthropic":
        anthropic = AsyncAnthropic(
            api_key=key,
            base_url=url,
            max_retries=0,
            timeout=timeout,
            http_client=http,
            open_telemetry=False,
        )
        return AnthropicModel(
            provider.model, provider=AnthropicProvider(anthropic_client=anthropic)
        )
    openai = AsyncOpenAI(
        api_key=key, base_url=url, max_retries=0, timeout=timeout, http_client=http
    )
    if provider.protocol == "openai":
        return OpenAIResponsesModel(provider.model, provider=OpenAIProvider(openai_client=openai))
    compatible = OpenAICompatibleProvider("openai-chat", openai_client=openai)
    profile = compatible.model_profile(provider.model) or ModelProfile()
    # Local servers know `max_tokens`; the models that refuse it are OpenAI's own that think.
    thinks = bool(profile.get("openai_supports_reasoning", False))
    limit = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=thinks)
    return OpenAIChatModel(provider.model, provider=compatible, profile=limit)


def _http_client(url: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        follow_redirects=False,
        # A proxy of the environment gets a tunnel and never a plain request with its key.
        trust_env=url.startswith("https:"),
        event_hooks={"request": [_strip_headers], "response": [_limit_reply]},
    )


async def _strip_headers(request: httpx2.Request) -> None:
    for name in {*request.headers} - HEADERS:
        del request.headers[name]
    request.headers["User-Agent"] = "roundtable"
    request.headers["Accept-Encoding"] = "identity"


async def _limit_reply(response: httpx2.Response) -> None:
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise ReplyTooLongError
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = LimitedStream(response.stream)


class LimitedStream(httpx2.AsyncByteStream):
    """A body that ends with ReplyTooLongError where it passes REPLY_BYTES_MAX."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for chunk in self._stream:
            count += len(chunk)
            if count > REPLY_BYTES_MAX:
                raise ReplyTooLongError
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


# ── what came of it ────────────────────────────────────────────────────────────────────────────


def _reply(
    provider: Provider, request: WireRequest, response: ModelResponse
) -> WireReply | ProviderError:
    calls = tuple((call.tool_name, call.args) for call in response.tool_calls)
    said = Said(calls, response.text or "", response.finish_reason or "stop")
    usage = _usage(provider, request, response, said)
    try:
        return WireReply(arguments_of(said, request.tool), usage)
    except UnusableReplyError as unusable:
        return ProviderError(unusable.kind, str(unusable), flaw=unusable.flaw, usage=usage)


def _usage(provider: Provider, request: WireRequest, response: ModelResponse, said: Said) -> Usage:
    tokens = response.usage
    if tokens.unmeasured_requests or not tokens.input_tokens:
        return estimate(provider, request, said.everything)
    return Usage(tokens.input_tokens, tokens.output_tokens, price(provider, tokens))


def estimate(provider: Provider, request: WireRequest, reply: str = "") -> Usage:
    """What a request took, as far as nobody says, with its price if that is known."""
    usage = request.estimate(reply)
    tokens = RequestUsage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
    return replace(usage, usd=price(provider, tokens))


def _fault(provider: Provider, request: WireRequest, error: Exception) -> ProviderError:
    """`error`, whatever library it is of, as ours."""
    causes = tuple(_causes(error))
    if any(isinstance(cause, ReplyTooLongError) for cause in causes):
        usage = estimate(provider, request)
        return ProviderError("unexpected", FLAWS["too-long"], flaw="too-long", usage=usage)
    if any(isinstance(cause, UNSENDABLE) for cause in causes):
        return ProviderError("configuration", _text(provider, error), config="url")
    if isinstance(error, ModelConnectionError | ModelRequestTimeout):
        # A request that went out may be read, answered and charged, though nobody hears of it.
        was_sent = getattr(error, "phase", None) not in {"connect", "pool"}
        usage = estimate(provider, request) if was_sent else Usage()
        return ProviderError("transient", _text(provider, error), usage=usage)
    return _refused(provider, error)


def _refused(provider: Provider, error: Exception) -> ProviderError:
    status = getattr(error, "status_code", None) or getattr(error.__cause__, "status_code", None)
    codes = (getattr(error, f"provider_error_{name}", None) for name in ("code", "type"))
    refusal = Refusal(
        status, frozenset(str(code) for code in codes if code), _message(error), provider.model
    )
    kind = kind_of(refusal)
    return ProviderError(
        kind,
        _text(provider, error),
        status_code=status,
        retry_after=getattr(error, "retry_after", None),
        config=setting_of(refusal) if kind == "configuration" else "",
    )


def _message(error: Exception) -> str:
    """What the provider said; what the library says, with the model's name in it, otherwise."""
    message = message_of(getattr(error, "body", None))
    return message if message or isinstance(error, ModelHTTPError) else str(error)


def _text(provider: Provider, error: Exception) -> str:
    return shown(_message(error) or type(error).__name__, provider.key)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
