"""Settings, from the environment alone. All that is missing or wrong is said at once."""

import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from core.repositories.declared import DeclarationError, Repository, read

Mode = Literal["socket", "http"]
LogFormat = Literal["json", "console"]
Blocks = Literal["auto", "plain"]
LogLevel = Literal["debug", "info", "warning", "error"]

EXIT_SETTINGS: Final = 2
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


class SettingsError(Exception):
    """The settings do not do. `problems` are all of them, in the order of the page in docs/."""

    def __init__(self, problems: Sequence[SettingProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


# ── checks of single values ────────────────────────────────────────────────────────────────────


def _wrong(fault: str) -> PydanticCustomError:
    # The fault is text of ours; braces would be taken for placeholders.
    return PydanticCustomError("wrong", "{fault}", {"fault": fault})


def _kind_of(value: str) -> str:
    return next(
        (kind for prefix, kind in DATA["token_kinds"].items() if value.startswith(prefix)),
        "no token",
    )


def _starting_with(prefix: str) -> AfterValidator:
    def check(secret: SecretStr) -> SecretStr:
        value = secret.get_secret_value()
        if not value.startswith(prefix):
            raise _wrong(f"this is {_kind_of(value)}; it must start with {prefix}")
        if not value.isascii() or not value.isprintable() or " " in value:
            raise _wrong("it has characters in it that no token has")
        return secret

    return AfterValidator(check)


def _signing(secret: SecretStr) -> SecretStr:
    value = secret.get_secret_value()
    if _kind_of(value) != "no token":
        raise _wrong(f"this is {_kind_of(value)}, not the signing secret")
    return secret


def _sqlite(url: str) -> str:
    if not url.startswith(("sqlite:///", "sqlite+pysqlite:///")):
        raise _wrong("only SQLite is supported for now")
    return url


def _repositories(setting: str) -> str:
    try:
        read(setting)
    except DeclarationError as error:
        raise _wrong(str(error)) from error
    return setting


def _slack_api(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise _wrong("it is no http address")
    return url if url.endswith("/") else f"{url}/"


def _lower(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _stripped(value: object) -> object:
    # A value pasted with a line end is the commonest fault there is.
    return value.strip() if isinstance(value, str) else value


BotToken = Annotated[SecretStr, _starting_with("xoxb-"), BeforeValidator(_stripped)]
AppToken = Annotated[SecretStr, _starting_with("xapp-"), BeforeValidator(_stripped)]
SigningSecret = Annotated[SecretStr, AfterValidator(_signing), BeforeValidator(_stripped)]
Seconds = Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)]


def _env(name: str, default: object = None) -> Any:
    return Field(default=default, validation_alias=name, description=DATA["remedies"][name])


class Settings(BaseSettings):
    """Each field with its variable; the description is the remedy."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        case_sensitive=True,
        env_ignore_empty=True,
        hide_input_in_errors=True,
    )

    bot_token: BotToken | None = _env("SLACK_BOT_TOKEN")
    app_token: AppToken | None = _env("SLACK_APP_TOKEN")
    signing_secret: SigningSecret | None = _env("SLACK_SIGNING_SECRET")
    api_url: Annotated[str, AfterValidator(_slack_api)] = _env(
        "SLACK_API_URL", "https://slack.com/api/"
    )
    database_url: Annotated[str, AfterValidator(_sqlite)] = _env(
        "ROUNDTABLE_DATABASE_URL", "sqlite:///roundtable.db"
    )
    artifacts_dir: Path = _env("ROUNDTABLE_ARTIFACTS_DIR", Path("artifacts"))
    steps_dir: Path | None = _env("ROUNDTABLE_STEPS_DIR")
    pace_seconds: Seconds = _env("ROUNDTABLE_PACE_SECONDS", 1.0)
    quiet_seconds: Seconds = _env("ROUNDTABLE_QUIET_SECONDS", 5.0)
    brain_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = _env(
        "ROUNDTABLE_BRAIN_SECONDS", 60.0
    )
    remind_hours: Annotated[float, Field(ge=0, le=720, allow_inf_nan=False)] = _env(
        "ROUNDTABLE_REMIND_HOURS", 24.0
    )
    operators_channel: Annotated[str, Field(pattern=r"^[CG][A-Z0-9]{2,}$")] | None = _env(
        "ROUNDTABLE_OPERATORS_CHANNEL"
    )
    repositories: Annotated[str, AfterValidator(_repositories)] | None = _env(
        "ROUNDTABLE_REPOSITORIES"
    )
    mirrors_dir: Path = _env("ROUNDTABLE_MIRRORS_DIR", Path("mirrors"))
    blocks: Annotated[Blocks, BeforeValidator(_lower)] = _env("ROUNDTABLE_BLOCKS", "auto")
    log_format: Annotated[LogFormat, BeforeValidator(_lower)] = _env(
        "ROUNDTABLE_LOG_FORMAT", "json"
    )
    log_level: Annotated[LogLevel, BeforeValidator(_lower)] = _env("ROUNDTABLE_LOG_LEVEL", "info")
    host: Annotated[str, Field(max_length=253), BeforeValidator(_stripped)] = _env(
        "ROUNDTABLE_HOST", "127.0.0.1"
    )
    port: Annotated[int, Field(ge=1, le=65_535)] = _env("PORT", 3000)
    http_threads: Annotated[int, Field(ge=1, le=64)] = _env("ROUNDTABLE_HTTP_THREADS", 8)

    @property
    def declared(self) -> tuple[Repository, ...]:
        """The repositories that sessions may look into. Raises `DeclarationError`."""
        return read(self.repositories) if self.repositories else ()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment and nothing else: no file is read behind anybody's back."""
        return init_settings, env_settings


NEEDED: Final[Mapping[Mode, tuple[str, ...]]] = {
    "socket": ("bot_token", "app_token"),
    "http": ("bot_token", "signing_secret"),
}


def variables() -> dict[str, str]:
    """The environment variable of each field."""
    return {name: str(field.validation_alias) for name, field in Settings.model_fields.items()}


def load(mode: Mode | None = None) -> Settings:
    """The settings for serving in that mode. Without a mode nothing of Slack's is needed.

    Raises `SettingsError`, which names everything that is wrong.
    """
    try:
        settings, wrong = Settings(), dict[str, SettingProblem]()
    except ValidationError as error:
        settings, wrong = None, dict(_wrong_ones(error))
    problems = wrong | dict(_missing_ones(mode))
    later = list(_later_ones())
    if settings is None or problems or later:
        ordered = [problems[name] for name in variables().values() if name in problems]
        raise SettingsError([*ordered, *later])
    return settings


def load_or_exit(mode: Mode | None = None) -> Settings:
    try:
        return load(mode)
    except SettingsError as wrong:
        refuse(wrong.problems)


def refuse(problems: Sequence[SettingProblem]) -> NoReturn:
    """Say them all on the error stream and end the process."""
    title = "One setting is missing or wrong:"
    if len(problems) > 1:
        title = f"{len(problems)} settings are missing or wrong:"
    sys.stderr.write("\n".join([title, *(f"  {problem}" for problem in problems), ""]))
    raise SystemExit(EXIT_SETTINGS)


def _wrong_ones(error: ValidationError) -> Iterator[tuple[str, SettingProblem]]:
    for fault in error.errors(include_url=False, include_input=False):
        name = str(fault["loc"][0])
        fault_words = fault["msg"] if fault["type"] == "wrong" else "its value cannot be used"
        yield name, SettingProblem(name, fault_words, _remedy_of(name))


def _missing_ones(mode: Mode | None) -> Iterator[tuple[str, SettingProblem]]:
    needed = NEEDED[mode] if mode else ()
    for name in (variables()[field] for field in needed):
        if not os.environ.get(name):
            yield (
                name,
                SettingProblem(name, f"it is missing, and {mode} mode needs it", _remedy_of(name)),
            )


def _later_ones() -> Iterator[SettingProblem]:
    """Said, and not passed over: whoever sets it counts on what is not there."""
    for name in sorted(name for name, value in os.environ.items() if value):
        for begins, fault in DATA["later"].items():
            if name.startswith(begins):
                yield SettingProblem(name, fault, "Take it away.")


def _remedy_of(name: str) -> str:
    fields = Settings.model_fields.values()
    return next(field.description or "" for field in fields if field.validation_alias == name) + "."
