"""The settings of an app that workspaces install: the form of each, and what must be together."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, SecretStr

from bot.server.configuration.setting_values import Key, SettingProblem, Stripped, remedy, wrong
from core import patterns

CLIENT_ID: Final = "SLACK_CLIENT_ID"
TOKEN_KEYS: Final = "ROUNDTABLE_TOKEN_KEYS"  # noqa: S105 - a name
BOT_TOKEN: Final = "SLACK_BOT_TOKEN"  # noqa: S105 - a name
OPERATORS: Final = "ROUNDTABLE_OPERATORS_CHANNEL"
OF_INSTALLING: Final = (
    CLIENT_ID,
    "SLACK_CLIENT_SECRET",
    TOKEN_KEYS,
    "ROUNDTABLE_PUBLIC_URL",
    "ROUNDTABLE_INSTALL_TEAMS",
)
"""All of them, or none."""
ANYBODY: Final = "*"
KEY_BYTES: Final = 32
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_CLIENT: Final = patterns.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,99}")
_TEAM: Final = patterns.compile(r"T[A-Z0-9]{2,20}")


def _client(value: str) -> str:
    if not _CLIENT.fullmatch(value):
        raise wrong("it is no client id, which is two numbers with a dot between")
    return value


def _keys(secret: SecretStr) -> SecretStr:
    if not all(map(_is_key, keys_in(secret))) or not keys_in(secret):
        raise wrong("one of them is no key")
    return secret


def keys_in(secret: SecretStr) -> tuple[str, ...]:
    """The keys, in their order."""
    parts = (part.strip() for part in secret.get_secret_value().split(","))
    return tuple(part for part in parts if part)


def _is_key(key: str) -> bool:
    try:
        return len(base64.b64decode(key, altchars=b"-_", validate=True)) == KEY_BYTES
    except (binascii.Error, ValueError):
        return False


def _public(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.username or parts.query or parts.fragment:
        raise wrong("it is no address that this is reached at")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOOPBACK):
        raise wrong("Slack sends people back over https alone")
    return url.rstrip("/")


def teams_in(value: str) -> frozenset[str]:
    return frozenset(part.strip() for part in value.split(",") if part.strip())


def _teams(value: str) -> str:
    teams = teams_in(value)
    if not teams or (teams != {ANYBODY} and not all(map(_TEAM.fullmatch, teams))):
        raise wrong("it is neither * nor ids of workspaces")
    return value


ClientId = Annotated[str, AfterValidator(_client), Stripped]
ClientSecret = Key
TokenKeyList = Annotated[SecretStr, AfterValidator(_keys), Stripped]
PublicUrl = Annotated[str, AfterValidator(_public), Stripped]
InstallTeams = Annotated[str, AfterValidator(_teams), Stripped]


def serves_installations(environment: Mapping[str, str]) -> bool:
    """True if the settings speak of an app that workspaces install."""
    return any(environment.get(name) for name in OF_INSTALLING[:2])


def faults(environment: Mapping[str, str], mode: str | None) -> Iterator[SettingProblem]:
    """What is missing for that, and what does not go with it."""
    if not serves_installations(environment):
        return
    if environment.get(BOT_TOKEN):
        fault = f"it stands beside {CLIENT_ID}: the bot is of one workspace, or of all that install"
        yield SettingProblem(BOT_TOKEN, fault, "Take one of them away.")
    if mode == "socket":
        fault = "workspaces install over HTTP alone"
        yield SettingProblem(CLIENT_ID, fault, "Run: roundtable serve --http.")
    for name in OF_INSTALLING:
        if not environment.get(name):
            yield SettingProblem(name, "it is missing, and workspaces install", remedy(name))
    if not find_spec("cryptography"):
        fault = "what keeps tokens is not installed"
        yield SettingProblem(TOKEN_KEYS, fault, "Run: pip install 'roundtable[oauth]'.")
    if environment.get(OPERATORS, "T/").find("/") < 0:
        fault = "it does not say of which workspace"
        yield SettingProblem(OPERATORS, fault, remedy(OPERATORS))
