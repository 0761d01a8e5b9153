"""`roundtable doctor` without Slack: each condition is brought about, found, and told in words."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from bot.cli.doctor import postgres
from bot.cli.doctor.check import Check, Group, State, worst
from bot.cli.doctor.command import doctor, examined
from bot.cli.doctor.database import FREE_MB_MIN, MB, space
from core.store.connection.sqlite import SqliteDatabase
from core.store.maintenance.upgrade import standing, upgrade
from tests.migrations import add_revision
from tests.support.harness import small_table, small_tree
from tests.support.step_trees import Tree, text_of
from tests.support.waiting import WAIT_S_MAX

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "check-a-setup.md").read_text()
DATABASE = "sqlite:///roundtable.db"
BOT = "xoxb-1234567890-abcdefghijkl"
APP = "xapp-1-A123-456-fedcba987654"
SIGNING = "0123456789abcdef0123456789abcdef"
TOKENS = {"SLACK_BOT_TOKEN": BOT, "SLACK_APP_TOKEN": APP, "SLACK_SIGNING_SECRET": SIGNING}
OF_FILE = ("writing", "quick check", "schema", "write-ahead log")
KEYS = ["name", "group", "state", "found", "remedy", "method"]

app = Typer()
app.command()(doctor)


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_")) or name == "PORT":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    """One at the newest schema, in which a bot has already run; to be damaged by a test."""
    upgrade(DATABASE)
    bot = SqliteDatabase(DATABASE)
    with bot.write() as connection:
        connection.execute(
            "INSERT INTO workspaces VALUES ('T1', 'https://x', 'U1', 'B1', 'bot', NULL)"
        )
    bot.close()
    found = sqlite3.connect("roundtable.db", isolation_level=None)
    yield found
    found.close()


def given(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)


_FREE = re.compile(r"[0-9.]+ GB")


def look() -> dict[str, Check]:
    """Everything but Slack, by name. No two checks have the same one, and each says what to do."""
    found = examined(offline=True)
    assert len({check.name for check in found}) == len(found)
    for check in found:
        assert (check.remedy is None) == (check.state == "ok"), check
    return {check.name: check for check in found}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["--offline", *arguments])


def names_here() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


# ── the whole ──


def test_a_new_user_is_told_what_to_do_and_nothing_is_made(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bot", "doctor", "--format", "json"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=WAIT_S_MAX,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert told["worst"] == "fail"
    failed = {
        check["name"]: check["remedy"] for check in told["checks"] if check["state"] == "fail"
    }
    assert list(failed) == ["bot token", "modes", "database"]
    assert "https://api.slack.com/apps" in failed["bot token"]
    assert failed["modes"].endswith("Without Slack: roundtable demo")
    assert "roundtable db upgrade" in failed["database"]
    assert names_here() == []


def test_all_is_well_where_all_is_well(
    monkeypatch: pytest.MonkeyPatch, database: sqlite3.Connection
) -> None:
    given(monkeypatch, **TOKENS)
    database.close()
    before = Path("roundtable.db").read_bytes()
    found = look()
    assert [check for check in found.values() if check.state != "ok"] == []
    assert found["modes"].found == "roundtable serve --socket or --http"
    assert found["schema"].found == f"revision {standing(DATABASE).newest}"
    assert found["write-ahead log"].found == "on"
    assert run().exit_code == 0
    assert names_here() == ["roundtable.db"]
    assert Path("roundtable.db").read_bytes() == before


def test_json_has_these_keys_and_the_worst_state() -> None:
    result = run("--format", "json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert list(told) == ["checks", "worst"]
    assert all(list(check) == KEYS for check in told["checks"])
    assert {check["state"] for check in told["checks"]} <= set(get_args(State))
    assert {check["group"] for check in told["checks"]} <= set(get_args(Group))
    assert all(check["method"] and check["found"] for check in told["checks"])


def test_each_check_has_a_line_and_its_remedy_the_next() -> None:
    result = run()
    assert result.exit_code == 1
    lines = [_FREE.sub("… GB", line) for line in result.stdout.splitlines()]
    expected: list[str] = []
    width = max(len(name) for name in look())
    for check in look().values():
        mark = {"ok": "✓", "warn": "!", "fail": "✗"}[check.state]
        line = f"{mark} {check.state:<4}  {check.name:<{width}}  {check.found}"
        expected.append(_FREE.sub("… GB", line))  # other tests write files meanwhile
        expected += [f"        Do this: {check.remedy}"] if check.remedy else []
    assert lines[:-2] == expected
    assert re.fullmatch(r"\d+ ok, \d+ warn, 3 fail", lines[-1])


def test_the_worst_is_said_even_of_nothing() -> None:
    found = look()
    assert worst([]) == worst([found["brain"]]) == "ok"
    assert worst([found["brain"], found["writing"]]) == "warn"
    assert worst([found["modes"], found["brain"], found["writing"]]) == "fail"


def test_the_page_names_every_check() -> None:
    checked = PAGE.partition("\n## What is checked\n")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| ([^|]+) \|", checked, re.MULTILINE)
    online = ["Slack", "scopes", "threads", "Socket Mode", "operators' channel", "clock"]
    server = {check.name for check in postgres.INSIDE} - set(look())
    assert sorted(documented) == sorted(["Check", *look(), *online, *server])


# ── settings and tokens ──


def test_every_setting_that_cannot_be_used_is_named_and_the_rest_is_still_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given(
        monkeypatch,
        PORT="many",
        ROUNDTABLE_LOG_LEVEL="loud",
        ROUNDTABLE_DATABASE_URL="mysql://me:pass@db/x",
        SLACK_BOT_TOKEN=BOT,
    )
    found = look()
    for name in ("PORT", "ROUNDTABLE_LOG_LEVEL", "ROUNDTABLE_DATABASE_URL"):
        assert (found[name].state, found[name].group) == ("fail", "settings")
    for name in ("database", *OF_FILE):
        assert found[name].state == "warn"
        assert found[name].found.startswith("not checked, because ")
    assert found["database"].found.endswith("ROUNDTABLE_DATABASE_URL cannot be used")
    assert (found["bot token"].state, found["step tree"].state) == ("ok", "ok")
    assert "settings" not in found


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("ROUNDTABLE_STEP_DIR", "Rename it to ROUNDTABLE_STEPS_DIR, or take it away."),
        ("ROUNDTABLE_PACE_SECOND", "Rename it to ROUNDTABLE_PACE_SECONDS, or take it away."),
        ("ROUNDTABLE_BOT_TOKEN", "Rename it to SLACK_BOT_TOKEN, or take it away."),
        ("ROUNDTABLE_PORT", "Rename it to PORT, or take it away."),
        ("ROUNDTABLE_XYZZY", "Take it away."),
    ],
)
def test_a_name_nobody_reads_is_told_with_the_nearest_that_is_read(
    monkeypatch: pytest.MonkeyPatch, name: str, remedy: str
) -> None:
    given(monkeypatch, **{name: "1", "ROUNDTABLE_QUIET_SECONDS": "1"})
    found = look()
    assert (found[name].state, found[name].remedy) == ("warn", remedy)
    assert (found["settings"].state, found["settings"].found[:5]) == ("ok", "1 set")
    assert "ROUNDTABLE_QUIET_SECONDS" not in found


@pytest.mark.parametrize(
    ("values", "check", "state", "words"),
    [
        ({"SLACK_BOT_TOKEN": APP}, "bot token", "fail", "an app-level token"),
        ({"SLACK_BOT_TOKEN": "xoxp-9-secretly"}, "bot token", "fail", "a user token"),
        ({"SLACK_BOT_TOKEN": BOT}, "bot token", "ok", "xoxb-…, 28 characters"),
        ({"SLACK_APP_TOKEN": BOT}, "app token", "fail", "a bot token"),
        ({"SLACK_APP_TOKEN": APP}, "app token", "ok", "xapp-…, 28 characters"),
        ({"SLACK_SIGNING_SECRET": BOT}, "signing secret", "fail", "a bot token"),
        ({"SLACK_SIGNING_SECRET": SIGNING}, "signing secret", "ok", "32 hexadecimal digits"),
        ({"SLACK_SIGNING_SECRET": SIGNING[:31]}, "signing secret", "warn", "31 characters"),
    ],
)
def test_a_token_is_judged_by_its_form_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], check: str, state: str, words: str
) -> None:
    given(monkeypatch, **values)
    found = look()[check]
    assert found.state == state
    assert words in found.found
    for value in values.values():
        assert value not in str(look())
        assert value[5:11] not in str(look())


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"), "roundtable serve --socket"),
        (("SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"), "roundtable serve --http"),
        (("SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"), "neither Socket Mode nor HTTP can be served"),
    ],
)
def test_what_can_be_served_follows_from_the_tokens(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], words: str
) -> None:
    given(monkeypatch, **{name: TOKENS[name] for name in names})
    assert look()["modes"].found == words


def test_no_secret_is_shown_wherever_somebody_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch,
        **TOKENS,
        ROUNDTABLE_ARTIFACTS_DIR=f"work/{BOT}",
        ROUNDTABLE_STEPS_DIR=APP,
        ROUNDTABLE_DATABASE_URL=f"sqlite:///{BOT}.db",
        **{f"ROUNDTABLE_{BOT}": "1"},
    )
    for printed in (run().stdout, run("--format", "json").stdout):
        for secret in (BOT, APP, SIGNING):
            assert secret not in printed
            assert secret[5:] not in printed


def test_a_line_stays_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, ROUNDTABLE_ARTIFACTS_DIR="two\nlines\x1b[31m")
    assert look()["artifacts folder"].found.startswith("two?lines?[31m ")


# ── database ──


def test_a_missing_folder_of_the_database_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, ROUNDTABLE_DATABASE_URL="sqlite:///not here/roundtable.db")
    found = look()["database"]
    assert found.state == "fail"
    assert found.remedy == f"mkdir -p '{Path.cwd()}/not here'"
    assert names_here() == []


@pytest.mark.parametrize("url", ["sqlite:///:memory:", "sqlite:///"])
def test_a_url_without_a_file_is_told(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    given(monkeypatch, ROUNDTABLE_DATABASE_URL=url)
    assert look()["database"].found == "ROUNDTABLE_DATABASE_URL names no file"


def test_a_folder_in_the_place_of_the_database_is_told() -> None:
    Path("roundtable.db").mkdir()
    assert (look()["database"].state, look()["database"].found) == (
        "fail",
        "roundtable.db is a folder",
    )


def test_a_link_to_nothing_in_the_place_of_the_database_is_told() -> None:
    Path("roundtable.db").symlink_to("elsewhere.db")
    assert look()["database"].state == "fail"
    assert names_here() == ["roundtable.db"]


def test_a_file_that_is_no_database_is_told() -> None:
    Path("roundtable.db").write_bytes(b"not a database at all, and long enough to be read" * 90)
    found = look()
    assert found["database"].state == "fail"
    assert found["database"].found == "damaged: file is not a database"
    assert "put your last copy" in (found["database"].remedy or "")
    assert {found[name].found for name in OF_FILE} == {
        "not checked, because the database cannot be read"
    }


def test_a_damaged_page_is_found(database: sqlite3.Connection) -> None:
    database.executemany(
        "INSERT INTO deliveries(key, at) VALUES (?, 1)", [(f"key {n:0200}",) for n in range(500)]
    )
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (page_bytes,) = database.execute("PRAGMA page_size").fetchone()
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    database.close()
    with Path("roundtable.db").open("r+b") as file:
        file.seek((pages - 2) * page_bytes)
        file.write(b"\xff" * page_bytes)
    found = look()
    assert found["database"].state == "ok"
    assert found["quick check"].state == "fail"
    assert "put your last copy" in (found["quick check"].remedy or "")


def test_an_empty_database_wants_an_upgrade() -> None:
    Path("roundtable.db").touch()
    found = look()
    assert (found["schema"].state, found["schema"].remedy) == ("fail", "roundtable db upgrade")
    assert found["write-ahead log"].state == "ok"
    assert Path("roundtable.db").stat().st_size == 0


def test_a_newer_database_is_refused(database: sqlite3.Connection) -> None:
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    found = look()["schema"]
    assert found.state == "fail"
    assert "revision 9999 is newer than this version" in found.found
    assert "Install the Roundtable that made it" in (found.remedy or "")


def test_an_older_database_wants_an_upgrade(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    upgrade(DATABASE)
    add_revision(monkeypatch, tmp_path)
    older = look()["schema"]
    assert (older.state, older.remedy) == ("fail", "roundtable db upgrade")
    assert older.found.startswith("revision 0001, and this version needs 9000")


def test_the_database_of_another_program_is_left_alone() -> None:
    with sqlite3.connect("roundtable.db") as other:
        other.execute("CREATE TABLE songs (title)")
    other.close()
    found = look()["schema"]
    assert (found.state, found.found) == ("fail", "it has the tables of another program")


def test_somebody_who_writes_all_the_time_is_told(database: sqlite3.Connection) -> None:
    database.execute("BEGIN IMMEDIATE")
    found = look()
    assert found["writing"].state == "warn"
    assert found["writing"].found == "another process keeps it locked"
    assert {found[name].state for name in OF_FILE[1:]} == {"ok"}
    database.execute("ROLLBACK")
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("BEGIN EXCLUSIVE")  # without the log, readers are locked out, too
    found = look()
    assert found["database"].found == "another process keeps it locked"
    assert found["schema"].found == "not checked, because the database cannot be read"


def test_a_log_that_stays_off_is_told_once_a_bot_has_run(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA journal_mode=DELETE")
    found = look()["write-ahead log"]
    assert (found.state, found.found[:12]) == ("warn", "off (delete)")
    database.execute("DELETE FROM workspaces")
    assert look()["write-ahead log"].state == "ok"


def test_little_free_space_is_told() -> None:
    assert space(FREE_MB_MIN * MB).state == "ok"
    little = space(FREE_MB_MIN * MB - 1)
    assert little.state == "warn"
    assert space(12_300_000_000).found == "12.3 GB"


# ── steps ──


@pytest.fixture
def tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tree:
    given(monkeypatch, ROUNDTABLE_STEPS_DIR="steps")
    made = Tree(tmp_path / "steps")
    made.agent()
    (made.phase("01-requirements") / "01-context.md").write_text(text_of())
    return made


def test_a_broken_step_is_a_warning_because_the_bot_goes_on(tree: Tree) -> None:
    (tree.phase("02-impact") / "01-cost.md").write_text("no front matter")
    (tree.phase("02-impact") / "02-broken.md").write_bytes(b"\xff")
    found = look()
    assert (found["step tree"].state, found["agent file"].state) == ("warn", "ok")
    assert found["step tree"].found == "4 files, 1 step, 2 faults"
    assert found["step tree"].remedy == "roundtable steps check"


def test_an_agent_file_of_no_use_is_a_warning(tree: Tree) -> None:
    tree.agent("---\nname: [\n---\n")
    found = look()["agent file"]
    assert found.state == "warn"
    assert "the 3 built-in personas lead" in found.found
    (tree.flow / "roundtable.md").unlink()
    assert look()["agent file"].state == "warn"


def test_steps_that_are_not_there_are_told(monkeypatch: pytest.MonkeyPatch, tree: Tree) -> None:
    (tree.phase("01-requirements") / "01-context.md").unlink()
    assert (look()["step tree"].state, look()["step tree"].found) == ("fail", "1 file, 0 steps")
    for nowhere in ("no/such/folder", "steps/analysis"):  # the second is one folder too deep
        given(monkeypatch, ROUNDTABLE_STEPS_DIR=nowhere)
        found = look()
        assert found["step tree"].state == "fail"
        assert found["step tree"].found == f"{nowhere} has no folder analysis/ in it"
        assert found["agent file"].found == "not checked, because there is no step tree"


# ── folders ──


def test_a_folder_that_can_be_written_to_is_left_as_it_was() -> None:
    Path("artifacts/a-session").mkdir(parents=True)
    found = look()
    assert (found["artifacts folder"].state, found["artifacts folder"].found) == ("ok", "artifacts")
    assert found["forensics folder"].state == "ok"
    assert [path.name for path in Path("artifacts").iterdir()] == ["a-session"]


def test_what_is_no_folder_is_told() -> None:
    Path("artifacts").write_text("a file")
    found = look()
    assert found["artifacts folder"].found == "artifacts is no folder"
    assert found["forensics folder"].found.startswith("artifacts/_forensics cannot be made ")
    Path("artifacts").unlink()
    Path("artifacts").symlink_to("nowhere")
    assert look()["artifacts folder"].found == "artifacts is a link to nothing"
    assert look()["artifacts folder"].state == "fail"


def test_the_folder_may_be_a_link_and_what_is_in_it_may_not() -> None:
    Path("elsewhere").mkdir()
    Path("artifacts").symlink_to("elsewhere")
    found = look()
    assert found["artifacts folder"].found == f"artifacts (a link to {Path.cwd()}/elsewhere)"
    assert (found["artifacts folder"].state, found["links"].state) == ("ok", "ok")
    Path("artifacts/a-session").symlink_to("..")
    found = look()
    assert (found["links"].state, found["links"].found) == ("warn", "1 link in artifacts")
    assert "a-session" in (found["links"].remedy or "")


AS_NOBODY = """
import json, os
from dataclasses import asdict
from bot.cli.doctor import command
command.examined(offline=True)  # whatever it imports is imported now: Python itself may be root's
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps({check.name: asdict(check) for check in command.examined(offline=True)}))
"""


def as_nobody(folder: str) -> dict[str, Any]:
    """What somebody without any right finds; root may write everywhere."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", AS_NOBODY],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=WAIT_S_MAX,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def shut() -> Iterator[Path]:
    """A folder that anybody may read and nobody may write; pytest's own is closed to others."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o555)
        yield Path(made)
        Path(made).chmod(0o755)


def test_where_nothing_may_be_made_it_is_told(shut: Path) -> None:
    found = as_nobody(str(shut))
    for name in ("database", "artifacts folder", "forensics folder"):
        assert found[name]["state"] == "fail"
        assert "cannot be made" in found[name]["found"]
        assert "the right to write" in found[name]["remedy"]
    assert found["database"]["remedy"].endswith(f"the right to write in {shut}.")


def test_what_may_not_be_written_to_is_told(shut: Path) -> None:
    shut.chmod(0o755)
    (shut / "artifacts").mkdir()
    upgrade(f"sqlite:///{shut}/roundtable.db")
    (shut / "artifacts").chmod(0o555)
    (shut / "roundtable.db").chmod(0o444)
    shut.chmod(0o555)
    found = as_nobody(str(shut))
    assert found["artifacts folder"]["found"] == "artifacts cannot be written to: Permission denied"
    assert (found["database"]["state"], found["quick check"]["state"]) == ("ok", "ok")
    assert found["writing"]["state"] == "fail"
    assert "the right to write" in found["writing"]["remedy"]
    (shut / "artifacts").chmod(0o755)


def test_what_a_session_lacked_when_it_began_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.step("01-requirements/01-a.md", title="First", sources="[AGENTS.md]")
    table = small_table(tmp_path, tree=tree)
    table.start()
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", f"sqlite:///{tmp_path}/table.db")
    monkeypatch.setenv("ROUNDTABLE_STEPS_DIR", str(tree.root))
    found = look()
    assert found["pre-flight"].state == "warn"
    assert found["pre-flight"].found == (
        f"1 session: {table.session.slug}: documents (AGENTS.md (01-01) is not there)"
    )
    assert found["documents"].found == (
        "1 document: AGENTS.md (01-01); a session asks for what it lacks"
    )
    table.cancel()
    assert look()["pre-flight"].found == "nothing"


def test_a_brain_whose_rules_cannot_be_loaded_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "core.brains.script.performing", None)
    assert look()["brain"].state == "fail"


# ── blocks ──


def blocks(*, now: float) -> str:
    checks = {check.name: check for check in examined(offline=True, now=lambda: now)}
    assert checks["blocks"].state == "ok"
    return checks["blocks"].found


def test_what_slack_refused_is_named_until_it_is_tried_again(database: sqlite3.Connection) -> None:
    all_taken = "Slack's newer ones; none was refused lately"
    assert blocks(now=0) == all_taken
    database.execute('UPDATE workspaces SET refused_widgets = \'{"table": 0.0, "fold": 60.0}\'')
    assert blocks(now=1) == (
        "Slack refused table in https://x, drawn plainly until 8 January 1970, 00:00 UTC; "
        "Slack refused fold in https://x, drawn plainly until 8 January 1970, 00:01 UTC"
    )
    assert blocks(now=7 * 24 * 3600) == (
        "Slack refused fold in https://x, drawn plainly until 8 January 1970, 00:01 UTC"
    )
    assert blocks(now=8 * 24 * 3600) == all_taken


def test_plain_blocks_and_govslack_are_told(
    monkeypatch: pytest.MonkeyPatch, database: sqlite3.Connection
) -> None:
    database.execute("UPDATE workspaces SET url = 'https://agency.slack-gov.com/'")
    assert blocks(now=0) == "plain in https://agency.slack-gov.com/, which is GovSlack"
    monkeypatch.setenv("ROUNDTABLE_BLOCKS", "plain")
    assert blocks(now=0) == "plain, as ROUNDTABLE_BLOCKS says"
