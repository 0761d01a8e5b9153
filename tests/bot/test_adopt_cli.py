"""`roundtable adopt`: what is said of a folder, and what is refused without a trace."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from bot.cli.adopt.command import adopt
from core.store.connection.sqlite import SqliteDatabase
from core.store.queries.reader import Reader
from tests.core.test_engine_folder import SPEC, bytes_below
from tests.support.fakes import CHANNEL, DEV, ELSEWHERE, OWNER, TEAM
from tests.support.harness import Harness, small_table

TITLE, SLUG = "Export dashboard", "export-dashboard"
META: dict[str, Any] = {
    "slug": SLUG,
    "title": TITLE,
    "source": "slack",
    "owner": {"team": TEAM, "channel": CHANNEL},
    "created_at": "2026-03-01T09:00:00+00:00",
    "analysis_status": "raw",
    "phases_completed": [],
    "steps_completed": ["01-01"],
    "depth_overrides": {},
    "acceptance": {},
}
AWS = "AKIA" + "QYLPMN5HFIQR7XYA"  # in two, so that no scanner of ours stops at this file

app = Typer()
app.command("adopt")(adopt)


class Place:
    """A machine with a step tree, a database and the folder that is to come in."""

    def __init__(self, home: Path) -> None:
        self.home = home
        table = small_table(home)
        table.close()
        self.folder = self.lay(home / "elsewhere" / "old")

    def lay(self, folder: Path, **meta: object) -> Path:
        folder.mkdir(parents=True)
        (folder / "meta.json").write_text(json.dumps(META | meta))
        (folder / "requirements-spec.md").write_text(SPEC)
        (folder / "notes.txt").write_text("Ours.\n")
        return folder

    @property
    def artifacts(self) -> Path:
        return self.home / "artifacts"

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(app, arguments)

    def table(self) -> Harness:
        """The bot, over what is there."""
        return Harness(self.home, steps=self.home / "steps")

    def everything(self) -> tuple[list[str], dict[str, bytes]]:
        """Every row, and every file but the database's own."""
        table = self.table()
        rows = table.snapshot()
        table.close()
        return rows, {n: b for n, b in bytes_below(self.home).items() if "table.db" not in n}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    for name in list(os.environ):
        if name.startswith(("SLACK_", "ROUNDTABLE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ROUNDTABLE_DATABASE_URL", f"sqlite:///{tmp_path}/table.db")
    monkeypatch.setenv("ROUNDTABLE_ARTIFACTS_DIR", str(tmp_path / "artifacts"))
    monkeypatch.setenv("ROUNDTABLE_STEPS_DIR", str(tmp_path / "steps"))
    return Place(tmp_path)


def problems(done: Result) -> list[str]:
    return done.stderr.splitlines()[:-1]


# ── what is taken up ───────────────────────────────────────────────────────────────────────────


def test_what_is_taken_up_and_what_is_not_is_said(place: Place) -> None:
    done = place.run(str(place.folder))
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"{SLUG}: “{TITLE}”, an analysis",
        "  phases done  none",
        "  steps done   1 of 3",
        "  goes on at   01-requirements",
        f"  files        3, {sum(map(len, bytes_below(place.folder).values())):,} bytes",
        f"  channel      {CHANNEL}",
        "  owner        whoever answers first",
        "Not taken up:",
        "  what people said before: it is in no folder. Their answers cannot be edited, and what "
        "is done cannot be gone back to",
        "  notes.txt: no step writes it; it stays as it is",
        f"It is taken up. Start the bot: it posts the card in {CHANNEL} and goes on.",
        f"The folder as it was stays in {place.folder}.",
    ]


def test_the_session_goes_on_and_the_old_folder_stays_as_it_is(place: Place) -> None:
    before = bytes_below(place.folder)
    assert place.run(str(place.folder), "--owner", OWNER).exit_code == 0
    table = begun(place)
    assert table.session.owner == OWNER
    assert table.session.slug == SLUG
    assert table.prompts == ["01-02"]
    table.finish()
    assert table.session.status == "completed"
    assert bytes_below(place.folder) == before
    (kept,) = (place.artifacts / "_taken-up" / TEAM / SLUG).iterdir()
    assert bytes_below(kept) == before
    spec = place.artifacts / TEAM / SLUG / "requirements-spec.md"
    assert "Because of the bank." in spec.read_text()


def test_it_goes_on_in_the_channel_that_is_named(place: Place) -> None:
    assert place.run(str(place.folder), "--channel", ELSEWHERE).exit_code == 0
    table = begun(place)
    assert (table.session.channel, table.prompts) == (ELSEWHERE, ["01-02"])
    meta = json.loads((place.artifacts / TEAM / SLUG / "meta.json").read_text())
    assert meta["owner"] == {"team": TEAM, "channel": ELSEWHERE}


def begun(place: Place) -> Harness:
    """The bot after its next start."""
    table = place.table()
    (found,) = table.runtime.reader.all_sessions()
    table.id = found.id
    table.settle()
    return table


def test_a_folder_that_lies_where_it_belongs_is_not_copied_there(place: Place) -> None:
    folder = place.lay(place.artifacts / TEAM / SLUG)
    done = place.run(str(folder))
    assert done.exit_code == 0, done.stderr
    assert "stays in _taken-up, as it was" in done.stdout
    table = begun(place)
    assert table.prompts == ["01-02"]
    (kept,) = (place.artifacts / "_taken-up" / TEAM / SLUG).iterdir()
    assert json.loads((kept / "meta.json").read_text()) == META


def test_without_an_owner_it_belongs_to_whoever_answers_first(place: Place) -> None:
    place.run(str(place.folder))
    table = begun(place)
    assert table.session.owner == "UBOT"
    table.say("It is for the bank.", DEV)
    assert table.session.owner == DEV


def test_taking_it_up_again_does_nothing_and_says_so(place: Place) -> None:
    place.run(str(place.folder))
    before = place.everything()
    for _ in range(2):
        done = place.run(str(place.folder))
        assert done.exit_code == 0
        assert done.stdout == f"{SLUG} is already there, in {CHANNEL}. Nothing was done.\n"
    assert place.everything() == before
    begun(place).close()
    assert place.run(str(place.folder)).stdout.startswith(f"{SLUG} is already there")


def test_a_copy_that_was_cut_off_before_its_session_began_is_gone_on_with(place: Place) -> None:
    place.lay(place.artifacts / TEAM / SLUG)
    assert place.run(str(place.folder)).exit_code == 0
    assert begun(place).prompts == ["01-02"]


def test_a_dry_run_says_the_same_and_writes_nothing(place: Place) -> None:
    before = place.everything()
    done = place.run(str(place.folder), "--dry-run")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "Nothing was done: this was a dry run."
    assert place.everything() == before


def test_as_json_it_is_all_there(place: Place) -> None:
    found = json.loads(place.run(str(place.folder), "--dry-run", "--format", "json").stdout)
    assert found.pop("notes")[1:] == ["notes.txt: no step writes it; it stays as it is"]
    assert found.pop("bytes") > 0
    assert found == {
        "state": "would be taken up", "folder": str(place.folder), "slug": SLUG, "title": TITLE,
        "flow": "analysis", "channel": CHANNEL, "owner": None, "phases_completed": [],
        "steps_completed": ["01-01"], "steps": 3, "goes_on_at": "01-requirements",
        "files": ["meta.json", "notes.txt", "requirements-spec.md"], "problems": [],
    }  # fmt: skip
    assert (
        json.loads(place.run(str(place.folder), "--format", "json").stdout)["state"] == "taken up"
    )
    again = json.loads(place.run(str(place.folder), "--format", "json").stdout)
    assert again["state"] == "already there"


def test_what_the_step_tree_does_not_have_is_said_and_stops_nothing(place: Place) -> None:
    folder = place.lay(
        place.home / "strange",
        slug="strange",
        owner={"team": "T9", "channel": ELSEWHERE},
        phases_completed=["09-unknown"],
        steps_completed=["01-01", "01-77"],
        depth_overrides={"08-gone": "deep"},
        acceptance={"01-requirements": {"by": "Priya", "at": ""}},
    )
    done = place.run(str(folder), "--channel", CHANNEL, "--dry-run", "--format", "json")
    assert json.loads(done.stdout)["notes"][1:] == [
        "meta.json, $.phases_completed[0]: the step tree has no phase '09-unknown'; it is left out",
        "meta.json, $.steps_completed[1]: no step file is '01-77'; it stays written down",
        "meta.json, $.depth_overrides: the step tree has no phase '08-gone'",
        "meta.json, $.acceptance: '01-requirements' is not completed; it is left out",
        "notes.txt: no step writes it; it stays as it is",
        f"meta.json, $.owner.channel: {ELSEWHERE}; it is {CHANNEL} now",
        f"meta.json, $.owner.team: T9; it is {TEAM} now",
    ]


# ── what is refused ────────────────────────────────────────────────────────────────────────────


def refused(place: Place, *arguments: str) -> list[str]:
    before = place.everything()
    done = place.run(*arguments)
    assert (done.exit_code, done.stdout) == (1, ""), done.output
    assert place.everything() == before
    return problems(done)


def test_everything_that_is_wrong_is_said_at_once(place: Place) -> None:
    folder = place.lay(
        place.home / "bad", slug="Bad Slug", steps_completed=["1-1"], depth_overrides=["deep"],
        owner={"team": TEAM, "channel": "general"},
    )  # fmt: skip
    (folder / "requirements-spec.md").write_text(f"One.\nThe key is {AWS}.\n")
    (folder / f"{AWS}.txt").write_text("")
    (folder / "out").symlink_to("/etc/passwd")
    assert refused(place, str(folder)) == [
        "out: it is a link",
        "[redacted: AWS access key].txt, its name: it holds an AWS access key",
        "requirements-spec.md, line 2: it holds an AWS access key",
        "meta.json, $.steps_completed[0]: it is no step id (NN-NN)",
        "meta.json, $.depth_overrides: it is no object",
        "meta.json, $.slug: it is no slug (small letters, digits and single hyphens)",
        "meta.json, $.owner.channel: it is no channel's id: say --channel C…",
    ]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda folder: (folder / "meta.json").unlink(), "meta.json: it is missing"),
        (
            lambda folder: (folder / "meta.json").write_text('{"slug":\n oh}'),
            "meta.json, line 2: it is no JSON: Expecting value",
        ),
        (lambda folder: (folder / "meta.json").write_text("[]"), "meta.json, $: it is no object"),
        (
            lambda folder: (folder / "meta.json").write_bytes(b"\xff\xfe"),
            "meta.json: it is no text in UTF-8, or no JSON",
        ),
        (
            lambda folder: (folder / "meta.json").write_text(json.dumps(META | {"title": " "})),
            "meta.json, $.title: it is empty",
        ),
        (lambda folder: os.mkfifo(folder / "pipe"), "pipe: it is no file"),
    ],
)
def test_a_folder_that_says_nothing_is_refused(
    place: Place, spoil: Callable[[Path], object], told: str
) -> None:
    spoil(place.folder)
    done = place.run(str(place.folder))
    assert (done.exit_code, problems(done)) == (1, [told])
    assert not place.artifacts.exists()


def test_a_folder_that_is_none_is_refused(place: Place) -> None:
    link = place.home / "link"
    link.symlink_to(place.folder)
    assert refused(place, str(link)) == [f"{link}: it is a link"]
    assert refused(place, str(place.home / "nowhere")) == [
        f"{place.home}/nowhere: there is no such folder"
    ]


def test_the_slug_of_another_channels_session_is_refused(place: Place) -> None:
    table = place.table()
    table.start(TITLE)
    table.cancel()
    table.close()
    assert refused(place, str(place.folder), "--channel", ELSEWHERE) == [
        f"meta.json, $.slug: '{SLUG}' is a session of {CHANNEL} (cancelled) already"
    ]


def test_another_folder_in_its_place_is_refused(place: Place) -> None:
    other = place.lay(place.artifacts / TEAM / SLUG, steps_completed=[])
    assert refused(place, str(place.folder)) == [
        f"{place.folder}: another folder stands in {other}: adopt that one, or move it away"
    ]


def test_names_in_place_of_ids_are_refused(place: Place) -> None:
    assert refused(place, str(place.folder), "--channel", "#general", "--owner", "@priya") == [
        "--channel: '#general' is no channel's id (C…); it stands at the end of its details in "
        "Slack",
        "--owner: '@priya' is no person's id (U…); it stands in their profile in Slack",
    ]


def test_a_refusal_as_json_names_file_and_place(place: Place) -> None:
    (place.folder / "meta.json").write_text(json.dumps(META | {"slug": 5}))
    done = place.run(str(place.folder), "--format", "json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["state"] == "refused"
    assert found["problems"] == [
        {"file": "meta.json", "place": "$.slug", "what": "it is no text"}
    ]  # fmt: skip


def test_it_is_refused_while_the_bot_has_the_database_open(place: Place) -> None:
    table = place.table()
    done = place.run(str(place.folder))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "The bot is running. Stop it, run this again, and start it.\n"
    assert not place.artifacts.exists()
    assert table.runtime.reader.all_sessions() == ()
    assert place.run(str(place.folder), "--dry-run").exit_code == 0


def test_a_folder_that_cannot_be_copied_leaves_no_session(place: Place) -> None:
    place.artifacts.write_text("in the way")
    done = place.run(str(place.folder))
    assert done.exit_code == 2
    assert done.stderr == "The folder cannot be copied: Not a directory. Nothing was taken up.\n"
    table = place.table()
    assert table.runtime.reader.all_sessions() == ()


def test_a_database_that_knows_no_workspace_asks_for_the_token(place: Place) -> None:
    database = SqliteDatabase(f"sqlite:///{place.home}/table.db")
    with database.write() as db:
        db.execute("DELETE FROM workspaces")
    assert Reader(database).workspaces() == ()
    database.close()
    done = place.run(str(place.folder))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith("Set SLACK_BOT_TOKEN, or start the bot once.\n")
    assert not place.artifacts.exists()
