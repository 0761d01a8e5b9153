"""Names of models in settings: `provider:model` or `provider:model@URL`, in order of fallback."""

import ipaddress
from typing import Annotated, Final, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from bot.server.configuration.setting_values import wrong
from core import patterns
from core.brains.model.providers.exchange import Protocol, Provider

NAMES_MAX: Final = 8  # models of a tier
OWN_KEY: Final = "ROUNDTABLE_PROVIDER_KEY"
_PRIVATE: Final = tuple(
    map(
        ipaddress.ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1", "fc00::/7"),
    )
)
# Names that no public server has; one without a dot is a machine's or a container's.
_PRIVATE_NAME: Final = patterns.compile(
    r"[a-z][a-z0-9_-]*|(?:[a-z0-9_-]+\.)+(?:localhost|internal|local|home\.arpa)"
)
_MODEL: Final = patterns.compile(r"[A-Za-z0-9][\w./:+-]{0,199}")
_ADDRESS: Final = patterns.compile(r"https?://[\x21-\x7e]{1,500}")


def providers(names: str) -> tuple[Provider, ...]:
    """The models of a setting, in order of fallback, without their keys.

    Raises `PydanticCustomError`, which names every fault and shows no name.
    """
    listed = [name.strip() for name in names.split(",")]
    found, faults = list[Provider](), list[str]()
    for number, name in enumerate(listed, 1):
        try:
            found.append(_provider(name))
        except PydanticCustomError as error:
            faults.append(f"model {number}: {error.message()}" if listed[1:] else error.message())
    if faults:
        raise wrong("; ".join(faults))
    if len(found) > NAMES_MAX or len({provider.name for provider in found}) < len(found):
        raise wrong(f"it names one model twice, or more than {NAMES_MAX}")
    return tuple(found)


def _provider(name: str) -> Provider:
    prefix, _, address = name.partition(":")
    model, at, url = address.partition("@")
    protocol = next((known for known in get_args(Protocol) if known == prefix), None)
    if protocol is None:
        raise wrong("it must begin with anthropic:, openai: or openai-chat:")
    if not _MODEL.fullmatch(model):
        raise wrong("there is no name of a model behind the colon")
    if at or protocol == "openai-chat":
        _check_address(url)
    return Provider(protocol, model, url.rstrip("/"))


def _check_address(url: str) -> None:
    if not _ADDRESS.fullmatch(url):
        raise wrong("there is no http address behind the @")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if not host or parts.query or parts.fragment:
        raise wrong("its address cannot be used: a host, a port and a path may stand in it")
    if "@" in parts.netloc:
        raise wrong(f"its address holds a credential, which belongs into {OWN_KEY}")
    if parts.scheme == "http" and not _is_private(host):
        raise wrong("plain http goes to this machine and to private addresses alone")


def _is_private(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(_PRIVATE_NAME.fullmatch(host))
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in network for network in _PRIVATE)


def _model_names(names: str) -> str:
    providers(names)
    return names


ModelNames = Annotated[str, AfterValidator(_model_names)]
