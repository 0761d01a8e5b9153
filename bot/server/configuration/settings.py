"""Settings, from the environment alone. All that is missing or wrong is said at once."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, NoReturn

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bot.server.configuration import install_settings
from bot.server.configuration.install_settings import (
    ClientId,
    ClientSecret,
    InstallTeams,
    PublicUrl,
    TokenKeyList,
    keys_in,
    serves_installations,
    teams_in,
)
from bot.server.configuration.model_names import ModelNames
from bot.server.configuration.model_settings import SESSION_TOKENS, faults
from bot.server.configuration.setting_values import (
    DATA,
    AppToken,
    Blocks,
    BotToken,
    DatabaseUrl,
    Key,
    LogFormat,
    LogLevel,
    Repositories,
    Seconds,
    SettingProblem,
    SigningSecret,
    SlackApi,
    SlackAppKind,
    Stripped,
    remedy,
)
from core.repositories.declared import Repository, read
from core.store.connection.opening import is_postgres

Mode = Literal["socket", "http", "worker"]

EXIT_SETTINGS: Final = 2


class SettingsError(Exception):
    """The settings do not do. `problems` are all of them, in the order of the page in docs/."""

    def __init__(self, problems: Sequence[SettingProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


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
    reads_environment: ClassVar[bool] = True

    bot_token: BotToken | None = _env("SLACK_BOT_TOKEN")
    app_token: AppToken | None = _env("SLACK_APP_TOKEN")
    signing_secret: SigningSecret | None = _env("SLACK_SIGNING_SECRET")
    api_url: SlackApi = _env("SLACK_API_URL", "https://slack.com/api/")
    slack_app: SlackAppKind = _env("ROUNDTABLE_SLACK_APP", "internal")
    client_id: ClientId | None = _env("SLACK_CLIENT_ID")
    client_secret: ClientSecret | None = _env("SLACK_CLIENT_SECRET")
    token_key_list: TokenKeyList | None = _env("ROUNDTABLE_TOKEN_KEYS")
    public_url: PublicUrl | None = _env("ROUNDTABLE_PUBLIC_URL")
    install_teams: InstallTeams | None = _env("ROUNDTABLE_INSTALL_TEAMS")
    uninstall_days: Annotated[float, Field(ge=0, le=365, allow_inf_nan=False)] = _env(
        "ROUNDTABLE_UNINSTALL_DAYS", 7.0
    )
    database_url: DatabaseUrl = _env("ROUNDTABLE_DATABASE_URL", "sqlite:///roundtable.db")
    artifacts_dir: Path = _env("ROUNDTABLE_ARTIFACTS_DIR", Path("artifacts"))
    steps_dir: Path | None = _env("ROUNDTABLE_STEPS_DIR")
    pace_seconds: Seconds = _env("ROUNDTABLE_PACE_SECONDS", 1.0)
    quiet_seconds: Seconds = _env("ROUNDTABLE_QUIET_SECONDS", 5.0)
    brain_seconds: Annotated[Seconds, Field(gt=0)] = _env("ROUNDTABLE_BRAIN_SECONDS", 60.0)
    remind_hours: Annotated[float, Field(ge=0, le=720, allow_inf_nan=False)] = _env(
        "ROUNDTABLE_REMIND_HOURS", 24.0
    )
    operators_channel: (
        Annotated[str, Field(pattern=r"^(T[A-Z0-9]{2,}/)?[CG][A-Z0-9]{2,}$")] | None
    ) = _env("ROUNDTABLE_OPERATORS_CHANNEL")
    repositories: Repositories | None = _env("ROUNDTABLE_REPOSITORIES")
    mirrors_dir: Path = _env("ROUNDTABLE_MIRRORS_DIR", Path("mirrors"))
    models: ModelNames | None = _env("ROUNDTABLE_MODEL")
    fast_models: ModelNames | None = _env("ROUNDTABLE_MODEL_HAIKU")
    middle_models: ModelNames | None = _env("ROUNDTABLE_MODEL_SONNET")
    strong_models: ModelNames | None = _env("ROUNDTABLE_MODEL_OPUS")
    openai_key: Key | None = _env("OPENAI_API_KEY")
    anthropic_key: Key | None = _env("ANTHROPIC_API_KEY")
    provider_key: Key | None = _env("ROUNDTABLE_PROVIDER_KEY")
    session_tokens: Annotated[int, Field(ge=0)] = _env("ROUNDTABLE_MODEL_TOKENS", SESSION_TOKENS)
    day_tokens: Annotated[int, Field(ge=0)] = _env("ROUNDTABLE_MODEL_TOKENS_A_DAY", 0)
    session_usd: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = _env(
        "ROUNDTABLE_MODEL_USD"
    )
    calls_at_once: Annotated[int, Field(ge=1, le=64)] = _env("ROUNDTABLE_MODEL_AT_ONCE", 4)
    patience_seconds: Annotated[Seconds, Field(le=900)] = _env("ROUNDTABLE_MODEL_PATIENCE", 12.0)
    call_seconds: Annotated[Seconds, Field(gt=0, le=900)] = _env("ROUNDTABLE_MODEL_DEADLINE", 60.0)
    blocks: Blocks = _env("ROUNDTABLE_BLOCKS", "auto")
    log_format: LogFormat = _env("ROUNDTABLE_LOG_FORMAT", "json")
    log_level: LogLevel = _env("ROUNDTABLE_LOG_LEVEL", "info")
    host: Annotated[str, Field(max_length=253), Stripped] = _env("ROUNDTABLE_HOST", "127.0.0.1")
    port: Annotated[int, Field(ge=1, le=65_535)] = _env("PORT", 3000)
    metrics_port: Annotated[int, Field(ge=1, le=65_535)] | None = _env("ROUNDTABLE_METRICS_PORT")
    http_threads: Annotated[int, Field(ge=1, le=64)] = _env("ROUNDTABLE_HTTP_THREADS", 8)

    @property
    def has_files_in_rows(self) -> bool:
        """True if artifacts are rows of the database: on a server, unless a folder is named."""
        return is_postgres(self.database_url) and "artifacts_dir" not in self.model_fields_set

    @property
    def declared(self) -> tuple[Repository, ...]:
        """The repositories that sessions may look into. Raises `DeclarationError`."""
        return read(self.repositories) if self.repositories else ()

    @property
    def serves_installations(self) -> bool:
        """True if workspaces install the app; False if it is of the one whose token it has."""
        return self.client_id is not None

    @property
    def token_keys(self) -> tuple[str, ...]:
        return keys_in(self.token_key_list) if self.token_key_list else ()

    @property
    def teams_to_install(self) -> frozenset[str]:
        """Those that may; `install_settings.ANYBODY` alone: every one."""
        return teams_in(self.install_teams or "")

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
        return (init_settings, env_settings) if cls.reads_environment else (init_settings,)


NEEDED: Final[Mapping[Mode, tuple[str, ...]]] = {
    "socket": ("bot_token", "app_token"),
    "http": ("bot_token", "signing_secret"),
    "worker": ("bot_token",),
}
INSTALLED: Final = ("signing_secret", "client_id")
"""What HTTP mode needs where workspaces install; `install_settings` asks for the rest."""


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
    unfit = (
        *faults(os.environ),
        *install_settings.faults(os.environ, mode),
        *_metrics_faults(os.environ),
    )
    together = {problem.name: problem for problem in unfit}
    problems = together | wrong | dict(_missing_ones(mode))
    if settings is None or problems:
        ours = {name: problems.pop(name) for name in variables().values() if name in problems}
        raise SettingsError([*ours.values(), *problems.values()])
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
        yield name, SettingProblem(name, fault_words, remedy(name))


def _missing_ones(mode: Mode | None) -> Iterator[tuple[str, SettingProblem]]:
    needed = NEEDED[mode] if mode else ()
    if serves_installations(os.environ):
        needed = INSTALLED if mode == "http" else ()
    for name in (variables()[field] for field in needed):
        if not os.environ.get(name):
            yield (
                name,
                SettingProblem(name, f"it is missing, and {mode} mode needs it", remedy(name)),
            )


def _metrics_faults(environment: Mapping[str, str]) -> Iterator[SettingProblem]:
    if environment.get("ROUNDTABLE_METRICS_PORT") and not find_spec("prometheus_client"):
        yield SettingProblem(
            "ROUNDTABLE_METRICS_PORT",
            "what tells figures to Prometheus is not installed",
            "Run: pip install 'roundtable[metrics]'.",
        )
