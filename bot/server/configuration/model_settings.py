"""The settings of language models: which speaks at which tier, with whose key, and for how much."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pydantic import SecretStr
from pydantic_core import PydanticCustomError

from bot.server.configuration.model_names import OWN_KEY, providers
from bot.server.configuration.setting_values import SettingProblem, kind_of, remedy
from core import patterns
from core.brains.model.providers.exchange import Protocol, Provider
from core.domain.model_calls import ModelOffer, ModelTier

if TYPE_CHECKING:
    from bot.server.configuration.settings import Settings

SESSION_TOKENS: Final = 1_700_000  # twice what the longest shipped play takes (850,000)
EVERY_TIER: Final = "ROUNDTABLE_MODEL"
OF_TIER: Final[Mapping[ModelTier, str]] = {
    "fast": "ROUNDTABLE_MODEL_HAIKU",
    "middle": "ROUNDTABLE_MODEL_SONNET",
    "strong": "ROUNDTABLE_MODEL_OPUS",
}
NAMING: Final = (EVERY_TIER, *OF_TIER.values())
PRICE_LIMIT: Final = "ROUNDTABLE_MODEL_USD"
NO_KEY: Final = SecretStr("none")  # what an address of one's own gets where no key is set
KEYS: Final[Mapping[Protocol, str]] = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
PACKAGES: Final[Mapping[Protocol, tuple[str, ...]]] = {
    "openai": ("pydantic_ai", "openai"),
    "openai-chat": ("pydantic_ai", "openai"),
    "anthropic": ("pydantic_ai", "anthropic"),
}
ELSEWHERE: Final = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL")
"""Read by the providers' libraries: nobody who looks at our settings would see where it goes."""
_OPENAI: Final = "a key of OpenAI's"
_ANTHROPIC: Final = "a key of Anthropic's"
_FITTING: Final[Mapping[str, frozenset[str]]] = {  # by variable; "no token" is any other key
    "OPENAI_API_KEY": frozenset((_OPENAI, "no token")),
    "ANTHROPIC_API_KEY": frozenset((_ANTHROPIC, "no token")),
    OWN_KEY: frozenset((_OPENAI, _ANTHROPIC, "no token")),
}
_KEY: Final = patterns.compile(r"[\x21-\x7e]{1,500}")


@dataclass(frozen=True, slots=True)
class LanguageModels:
    """The models of each tier with their keys and limits. Without a setting no tier has one."""

    providers: Mapping[ModelTier, tuple[Provider, ...]]
    offer: ModelOffer
    tokens_a_day: int  # of a workspace; 0: no limit
    usd_a_session: float | None
    at_once: int  # of one provider
    deadline_s: float  # of one request

    @property
    def hosts(self) -> frozenset[str]:
        """Where they are asked."""
        every = (provider for tier in self.providers.values() for provider in tier)
        return frozenset(urlsplit(provider.base_url).netloc for provider in every)


def language_models(settings: "Settings") -> LanguageModels:
    """What `load` found to be of use. Raises `PydanticCustomError` for a name that is not."""
    names_by_tier: Mapping[ModelTier, str | None] = {
        "fast": settings.fast_models or settings.models,
        "middle": settings.middle_models or settings.models,
        "strong": settings.strong_models or settings.models,
    }
    keys = {
        "OPENAI_API_KEY": settings.openai_key,
        "ANTHROPIC_API_KEY": settings.anthropic_key,
        OWN_KEY: settings.provider_key,
    }
    tiers = {
        tier: tuple(
            replace(provider, key=keys[key_name(provider)] or NO_KEY)
            for provider in providers(names)
        )
        for tier, names in names_by_tier.items()
        if names
    }
    models = tuple(
        (tier, tuple(provider.name for provider in providers)) for tier, providers in tiers.items()
    )
    return LanguageModels(
        providers=tiers,
        offer=ModelOffer(
            models, settings.patience_seconds, settings.session_tokens, settings.session_usd
        ),
        tokens_a_day=settings.day_tokens,
        usd_a_session=settings.session_usd,
        at_once=settings.calls_at_once,
        deadline_s=settings.call_seconds,
    )


def faults(environment: Mapping[str, str]) -> Iterator[SettingProblem]:
    """What the models that are named lack, and what would mislead them.

    A name that cannot be read is passed over here: it is a fault by itself.
    """
    providers_by_name = {
        name: _readable(environment[name]) for name in NAMING if environment.get(name)
    }
    if not providers_by_name:
        return
    lacking = [name for name in OF_TIER.values() if name not in providers_by_name]
    if lacking and EVERY_TIER not in providers_by_name:
        fault = f"it is missing, and so is {' and '.join(lacking)}"
        yield SettingProblem(EVERY_TIER, fault, remedy(EVERY_TIER))
    for name, listed in providers_by_name.items():
        yield from _model_faults(name, listed, has_limit=bool(environment.get(PRICE_LIMIT)))
    yield from _key_faults(
        environment, [provider for listed in providers_by_name.values() for provider in listed]
    )
    for name in ELSEWHERE:
        if environment.get(name):
            fault = "it would send elsewhere what is meant for the models that are named"
            yield SettingProblem(name, fault, f"Take it away; {EVERY_TIER} may name an address.")


def _readable(names: str) -> tuple[Provider, ...]:
    try:
        return providers(names)
    except PydanticCustomError:
        return ()


def _model_faults(
    name: str, listed: Sequence[Provider], *, has_limit: bool
) -> Iterator[SettingProblem]:
    packages = {package for provider in listed for package in PACKAGES[provider.protocol]}
    if not all(map(find_spec, packages)):
        fault = "what speaks with language models is not installed"
        yield SettingProblem(name, fault, "Run: pip install 'roundtable[llm]'.")
    elif has_limit and not _are_priced(listed):
        fault = f"it names a model whose price is not known, and {PRICE_LIMIT} is set"
        yield SettingProblem(name, fault, "Name another model, or limit tokens instead.")


def _are_priced(listed: Sequence[Provider]) -> bool:
    # loads the libraries, which takes two seconds
    from core.brains.model.providers.wire import is_priced

    return all(map(is_priced, listed))


def _key_faults(
    environment: Mapping[str, str], listed: Sequence[Provider]
) -> Iterator[SettingProblem]:
    """A provider's own key is needed; that of an address of one's own is not."""
    for name in dict.fromkeys(key_name(provider) for provider in listed):
        key = environment.get(name, "").strip()
        if not key and name != OWN_KEY:
            yield SettingProblem(name, "it is missing, and a model needs it", remedy(name))
        elif key and not _KEY.fullmatch(key):
            yield SettingProblem(name, "it has characters in it that no key has", remedy(name))
        elif kind_of(key) not in _FITTING[name]:
            yield SettingProblem(name, f"this is {kind_of(key)}", remedy(name))


def key_name(provider: Provider) -> str:
    """The variable that holds the key of a model."""
    return OWN_KEY if provider.url else KEYS[provider.protocol]
