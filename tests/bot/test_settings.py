"""Settings come from the environment; everything that is wrong with them is said at once."""

import os
import re
from pathlib import Path

import pytest

from bot.server.configuration.settings import (
    EXIT_SETTINGS,
    Settings,
    SettingsError,
    load,
    load_or_exit,
    variables,
)
from core.secrets.token_keys import new_key

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"
SOCKET = {"SLACK_BOT_TOKEN": "xoxb-1-abc", "SLACK_APP_TOKEN": "xapp-1-abc"}
HTTP = {"SLACK_BOT_TOKEN": "xoxb-1-abc", "SLACK_SIGNING_SECRET": "0123456789abcdef"}


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_", "OPENAI_", "ANTHROPIC_")) or name == "PORT":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def given(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def test_what_is_not_set_has_its_default() -> None:
    settings = load()
    assert settings.api_url == "https://slack.com/api/"
    assert settings.database_url == "sqlite:///roundtable.db"
    assert (settings.pace_seconds, settings.quiet_seconds, settings.brain_seconds) == (1, 5, 60)
    assert (settings.remind_hours, settings.blocks) == (24, "auto")
    assert (settings.artifacts_dir, settings.steps_dir) == (Path("artifacts"), None)
    assert (settings.log_format, settings.log_level, settings.port) == ("json", "info", 3000)


def test_each_mode_needs_its_own_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **SOCKET)
    assert load("socket").app_token is not None
    with pytest.raises(SettingsError) as caught:
        load("http")
    assert [problem.name for problem in caught.value.problems] == ["SLACK_SIGNING_SECRET"]
    given(monkeypatch, **HTTP)
    assert load("http").signing_secret is not None


def test_all_problems_are_said_at_once_each_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(
        monkeypatch,
        SLACK_BOT_TOKEN="xoxp-9-verysecret",
        ROUNDTABLE_SLACK_APP="public",
        ROUNDTABLE_DATABASE_URL="mysql://me:pass@db/x",
        ROUNDTABLE_PACE_SECONDS="fast",
        ROUNDTABLE_LOG_FORMAT="xml",
        PORT="70000",
    )
    with pytest.raises(SystemExit) as caught:
        load_or_exit("socket")
    assert caught.value.code == EXIT_SETTINGS == 2
    said = capsys.readouterr().err
    assert said.splitlines()[0] == "7 settings are missing or wrong:"
    assert re.findall(r"^  ([A-Z_]+): ", said, re.M) == [
        "SLACK_BOT_TOKEN",
        "SLACK_APP_TOKEN",
        "ROUNDTABLE_SLACK_APP",
        "ROUNDTABLE_DATABASE_URL",
        "ROUNDTABLE_PACE_SECONDS",
        "ROUNDTABLE_LOG_FORMAT",
        "PORT",
    ]
    assert "this is a user token; it must start with xoxb-" in said
    assert "connections:write" in said
    assert "Use internal, marketplace or distributed" in said
    assert "it names neither a SQLite file nor a PostgreSQL database" in said
    for value in ("verysecret", "public", "me:pass", "fast", "70000"):
        assert value not in said


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("SLACK_BOT_TOKEN", "xapp-1-a", "this is an app-level token; it must start with xoxb-"),
        ("SLACK_BOT_TOKEN", "hello", "this is no token; it must start with xoxb-"),
        ("SLACK_BOT_TOKEN", "xoxb-1 2", "it has characters in it that no token has"),
        ("SLACK_APP_TOKEN", "xoxb-1-a", "this is a bot token; it must start with xapp-"),
        ("SLACK_SIGNING_SECRET", "xoxb-1-a", "this is a bot token, not the signing secret"),
        ("SLACK_API_URL", "slack.com/api", "it is no http address"),
        ("ROUNDTABLE_OPERATORS_CHANNEL", "#ops", "its value cannot be used"),
        ("ROUNDTABLE_QUIET_SECONDS", "-1", "its value cannot be used"),
        ("ROUNDTABLE_QUIET_SECONDS", "nan", "its value cannot be used"),
        ("ROUNDTABLE_BRAIN_SECONDS", "0", "its value cannot be used"),
        ("ROUNDTABLE_REMIND_HOURS", "-1", "its value cannot be used"),
        ("ROUNDTABLE_REMIND_HOURS", "1000", "its value cannot be used"),
        ("ROUNDTABLE_LOG_LEVEL", "loud", "its value cannot be used"),
        ("ROUNDTABLE_BLOCKS", "new", "its value cannot be used"),
    ],
)
def test_a_wrong_value_is_named_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, fault: str
) -> None:
    given(monkeypatch, **{name: value})
    with pytest.raises(SettingsError) as caught:
        load()
    (problem,) = caught.value.problems
    assert (problem.name, problem.fault) == (name, fault)
    assert problem.remedy.endswith(".")


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **(SOCKET | HTTP))
    settings = load("socket")
    for value in (*SOCKET.values(), *HTTP.values()):
        assert value not in repr(settings)
        assert value not in str(settings.model_dump())


def test_an_empty_value_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **SOCKET, PORT="")
    monkeypatch.setenv("SLACK_APP_TOKEN", "")
    assert load().port == 3000
    with pytest.raises(SettingsError, match="SLACK_APP_TOKEN: it is missing"):
        load("socket")


def test_small_slips_are_forgiven(monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch,
        SLACK_BOT_TOKEN="xoxb-1-abc\n",
        SLACK_API_URL="https://slack-gov.com/api",
        ROUNDTABLE_LOG_LEVEL="INFO",
    )
    settings = load()
    assert settings.bot_token is not None
    assert settings.bot_token.get_secret_value() == "xoxb-1-abc"
    assert settings.api_url == "https://slack-gov.com/api/"
    assert settings.log_level == "info"


def test_no_file_is_read_behind_anybodys_back(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("PORT=4000\n")
    assert load().port == 3000


def test_the_page_lists_every_setting_and_no_other() -> None:
    documented = re.findall(r"^\| `([A-Z_]+)` \|", PAGE.read_text(), re.M)
    assert documented == list(variables().values())


def test_the_page_names_the_defaults() -> None:
    page = PAGE.read_text()
    for name, field in Settings.model_fields.items():
        if field.default is not None:
            row = next(line for line in page.splitlines() if variables()[name] in line)
            shown = f"{field.default:g}" if isinstance(field.default, float) else field.default
            assert f"| `{shown}` |" in row, row


INSTALLED = {
    "SLACK_CLIENT_ID": "111.222",
    "SLACK_CLIENT_SECRET": "verysecret",
    "SLACK_SIGNING_SECRET": "0123456789abcdef0123456789abcdef",
    "ROUNDTABLE_TOKEN_KEYS": ",".join((new_key(), new_key())),
    "ROUNDTABLE_PUBLIC_URL": "https://roundtable.example.com/",
    "ROUNDTABLE_INSTALL_TEAMS": "T11, T22",
}


def test_workspaces_that_install_need_no_bot_token(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **INSTALLED)
    settings = load("http")
    assert settings.serves_installations
    assert settings.token_keys == tuple(INSTALLED["ROUNDTABLE_TOKEN_KEYS"].split(","))
    assert settings.teams_to_install == {"T11", "T22"}
    assert settings.public_url == "https://roundtable.example.com"


def test_all_that_is_wrong_with_installing_is_said_at_once_and_no_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(
        monkeypatch,
        SLACK_BOT_TOKEN="xoxb-1-verysecret",
        SLACK_CLIENT_ID="111.222",
        SLACK_CLIENT_SECRET="verysecret",
        ROUNDTABLE_TOKEN_KEYS="verysecret",
        ROUNDTABLE_PUBLIC_URL="http://roundtable.example.com",
        ROUNDTABLE_OPERATORS_CHANNEL="C0PS",
    )
    with pytest.raises(SystemExit) as caught:
        load_or_exit("http")
    assert caught.value.code == EXIT_SETTINGS
    shown = capsys.readouterr().err
    assert "verysecret" not in shown
    assert [line.split(". ")[0].strip() for line in shown.splitlines()] == [
        "6 settings are missing or wrong:",
        "SLACK_BOT_TOKEN: it stands beside SLACK_CLIENT_ID: the bot is of one workspace, or of all"
        " that install",
        "SLACK_SIGNING_SECRET: it is missing, and http mode needs it",
        "ROUNDTABLE_TOKEN_KEYS: one of them is no key",
        "ROUNDTABLE_PUBLIC_URL: Slack sends people back over https alone",
        "ROUNDTABLE_INSTALL_TEAMS: it is missing, and workspaces install",
        "ROUNDTABLE_OPERATORS_CHANNEL: it does not say of which workspace",
    ]


def test_socket_mode_serves_no_workspaces_that_install(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, SLACK_APP_TOKEN="xapp-1", **INSTALLED)
    with pytest.raises(SettingsError) as caught:
        load("socket")
    assert [problem.name for problem in caught.value.problems] == ["SLACK_CLIENT_ID"]


@pytest.mark.parametrize("teams", ["*, T11", "acme", ",", "t11"])
def test_who_may_install_is_every_workspace_or_some_by_their_ids(
    monkeypatch: pytest.MonkeyPatch, teams: str
) -> None:
    given(monkeypatch, **(INSTALLED | {"ROUNDTABLE_INSTALL_TEAMS": teams}))
    with pytest.raises(SettingsError, match="it is neither \\* nor ids of workspaces"):
        load("http")
