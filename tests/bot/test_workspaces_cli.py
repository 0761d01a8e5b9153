"""`roundtable workspaces` and `roundtable keys`: who installed the app, what opens their tokens."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import main
from bot.cli.doctor.command import examined
from bot.server.composition import build
from bot.server.configuration.settings import variables
from core.domain.ids import TeamId
from core.runtime.installation_keeper import process_name
from core.secrets.token_keys import TokenKeys, new_key
from tests.support.installed_bot import (
    InstalledBot,
    installed_bot,
    installed_settings,
    slack_of_teams,
    token_of,
)
from tests.support.postgres import Server

OLD = new_key()


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[InstalledBot]:
    with installed_bot(tmp_path, more={"ROUNDTABLE_TOKEN_KEYS": OLD}) as bot:
        bot.install("T1")
        bot.install("T2")
        bot.start_session("T1", "C001")
        yield bot


def run(bot: InstalledBot, monkeypatch: pytest.MonkeyPatch, *words: str, keys: str = OLD) -> Result:
    told = bot.settings.model_dump(exclude_defaults=True)
    for field, name in variables().items():
        value = told.get(field)
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            secret = getattr(value, "get_secret_value", lambda value=value: str(value))
            monkeypatch.setenv(name, secret())
    monkeypatch.setenv("ROUNDTABLE_TOKEN_KEYS", keys)
    if not main.app.registered_commands:
        main._mount()
    return CliRunner().invoke(main.app, list(words))


def sealed(bot: InstalledBot, team: str) -> str:
    return str(bot.installation(team).sealed)


def test_the_workspaces_are_listed_with_what_they_hold(
    bot: InstalledBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = run(bot, monkeypatch, "workspaces", "--format", "json")
    rows = json.loads(listed.stdout)
    assert [(row["team"], row["sessions"], row["tokens"]) for row in rows] == [
        ("T1", 1, 0),
        ("T2", 0, 0),
    ]
    said = run(bot, monkeypatch, "workspaces").stdout
    assert [line.split("  ")[0] for line in said.splitlines()] == ["T1", "T2"]
    assert "1 session  no model" in said
    assert "xoxb" not in said + listed.stdout


def test_a_workspace_is_removed_with_its_token_and_all_it_holds(
    bot: InstalledBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(bot, monkeypatch, "workspaces", "remove", "T9", "--yes").exit_code == 2
    done = run(bot, monkeypatch, "workspaces", "remove", "T1", "--yes")
    assert done.exit_code == 0, done.output
    assert bot.slack.revoked == {token_of("T1")}
    assert bot.installation("T1") is None
    assert bot.roundtable.runtime.reader.channel_sessions(TeamId("T1"), "C001") == ()
    assert bot.installation("T2").sealed is not None


def test_a_workspace_whose_folder_cannot_be_removed_is_removed_once_it_can(
    bot: InstalledBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bot.settle()
    folder = tmp_path / "artifacts" / "T1"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")  # no link is removed, not for root either
    refused = run(bot, monkeypatch, "workspaces", "remove", "T1", "--yes")
    assert refused.exit_code == 2
    assert "T1 is uninstalled, and not deleted: " in refused.stderr
    assert "Traceback" not in refused.output
    folder.unlink()
    assert run(bot, monkeypatch, "workspaces", "remove", "T1", "--yes").exit_code == 0
    assert bot.installation("T1") is None


def test_a_new_key_is_good(bot: InstalledBot, monkeypatch: pytest.MonkeyPatch) -> None:
    key = run(bot, monkeypatch, "keys", "new").stdout.strip()
    assert TokenKeys([key]).open(TeamId("T1"), TokenKeys([key]).seal(TeamId("T1"), "x")) == "x"


def test_a_key_is_rotated_while_the_bot_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It enters last, then first; then every token is under it, and the bot goes on."""
    new = new_key()
    with installed_bot(tmp_path, more={"ROUNDTABLE_TOKEN_KEYS": f"{OLD},{new}"}) as bot:
        bot.install("T1")
        before = sealed(bot, "T1")
        rotated = run(bot, monkeypatch, "keys", "rotate", keys=f"{new},{OLD}")
        assert rotated.stdout == "1 token encrypted anew with the first key.\n"
        assert sealed(bot, "T1") != before
        assert TokenKeys([new]).open(TeamId("T1"), sealed(bot, "T1")) == token_of("T1")
        session = bot.start_session("T1", "C001")
        assert bot.roundtable.runtime.reader.load(session).status == "asking"


def test_no_token_is_put_under_a_key_that_a_running_process_lacks(
    bot: InstalledBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sealed(bot, "T1")
    refused = run(bot, monkeypatch, "keys", "rotate", keys=f"{new_key()},{OLD}")
    assert refused.exit_code == 2
    assert "These run without the first key" in refused.stderr
    assert sealed(bot, "T1") == before


def test_workspaces_whose_key_is_lost_are_named(
    bot: InstalledBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot.roundtable.installed.keeper.stop()
    lost = run(bot, monkeypatch, "keys", "rotate", keys=new_key())
    assert lost.exit_code == 2
    assert "No key opens the tokens of T1, T2" in lost.stderr
    check = next(check for check in examined(offline=True) if check.name == "tokens")
    assert (check.state, "T1, T2" in check.found) == ("fail", True)
    run(bot, monkeypatch, "workspaces", keys=OLD)
    check = next(check for check in examined(offline=True) if check.name == "tokens")
    assert (check.state, check.found) == ("ok", "2 workspaces installed; 1 key")


def test_a_process_that_only_accepts_says_which_keys_it_has_too(
    postgres_server: Server, tmp_path: Path
) -> None:
    """Whoever rotates would otherwise put tokens under a key that it lacks."""
    with slack_of_teams() as slack:
        url = postgres_server.database()
        settings = installed_settings(slack.url, tmp_path, ROUNDTABLE_DATABASE_URL=url)
        with build(settings, performs=False) as accepting:
            assert accepting.installed is not None
            installations = accepting.installed.keeper.installations
            lacking = installations.processes_without("another-key", at=accepting.clock.now())
            assert lacking == (process_name(),)
