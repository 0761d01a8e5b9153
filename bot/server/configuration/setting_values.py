"""The values of settings: what each may be, and what is said of others. None is shown."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from core.repositories.declared import DeclarationError, read
from core.store.connection.opening import POSTGRES_PREFIXES

DATA: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(
    Path(__file__).with_name("settings.toml").read_text("utf-8")
)
"""What is said of settings, tokens and scopes."""


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """One setting that is missing or wrong, and what to do about it. Never holds its value."""

    name: str
    fault: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.name}: {self.fault}. {self.remedy}"


def remedy(name: str) -> str:
    """What to do about a setting, by its variable."""
    return f"{DATA['remedies'][name]}."


def wrong(fault: str) -> PydanticCustomError:
    # The fault is text of ours; braces would be taken for placeholders.
    return PydanticCustomError("wrong", "{fault}", {"fault": fault})


def kind_of(value: str) -> str:
    return next(
        (kind for prefix, kind in DATA["token_kinds"].items() if value.startswith(prefix)),
        "no token",
    )


def _starting_with(prefix: str) -> AfterValidator:
    def check(secret: SecretStr) -> SecretStr:
        value = secret.get_secret_value()
        if not value.startswith(prefix):
            raise wrong(f"this is {kind_of(value)}; it must start with {prefix}")
        if not value.isascii() or not value.isprintable() or " " in value:
            raise wrong("it has characters in it that no token has")
        return secret

    return AfterValidator(check)


def _signing(secret: SecretStr) -> SecretStr:
    value = secret.get_secret_value()
    if kind_of(value) != "no token":
        raise wrong(f"this is {kind_of(value)}, not the signing secret")
    return secret


def _database(url: str) -> str:
    if not url.startswith(("sqlite:///", "sqlite+pysqlite:///", *POSTGRES_PREFIXES)):
        raise wrong("it names neither a SQLite file nor a PostgreSQL database")
    return url


def _repositories(setting: str) -> str:
    try:
        read(setting)
    except DeclarationError as error:
        raise wrong(str(error)) from error
    return setting


def _slack_api(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise wrong("it is no http address")
    return url if url.endswith("/") else f"{url}/"


def _lower(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _stripped(value: object) -> object:
    # A value pasted with a line end is the commonest fault there is.
    return value.strip() if isinstance(value, str) else value


Stripped = BeforeValidator(_stripped)
_LOWER: Final = BeforeValidator(_lower)
BotToken = Annotated[SecretStr, _starting_with("xoxb-"), Stripped]
AppToken = Annotated[SecretStr, _starting_with("xapp-"), Stripped]
SigningSecret = Annotated[SecretStr, AfterValidator(_signing), Stripped]
Key = Annotated[SecretStr, Stripped]
SlackApi = Annotated[str, AfterValidator(_slack_api)]
DatabaseUrl = Annotated[str, AfterValidator(_database)]
Repositories = Annotated[str, AfterValidator(_repositories)]
Seconds = Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)]
SlackAppKind = Annotated[Literal["internal", "marketplace", "distributed"], _LOWER]
Blocks = Annotated[Literal["auto", "plain"], _LOWER]
LogFormat = Annotated[Literal["json", "console"], _LOWER]
LogLevel = Annotated[Literal["debug", "info", "warning", "error"], _LOWER]
