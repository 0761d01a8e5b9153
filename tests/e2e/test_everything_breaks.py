"""The play in which everything breaks: it ends completed, and says honestly what went wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace.state import TEAM_ID
from core.store.connection.opening import open_database
from core.store.queries.reader import Reader
from core.taxonomy.catalogue import CATALOGUE
from tests.support.artifact_checker import check
from tests.support.plays import PlayRecord, notes, played
from tests.support.serving import address_in

pytestmark = pytest.mark.whole

PLAY = Path("docs/examples/everything-breaks.yaml")
TITLE = "Keep drafts of comments"
BROKEN = [
    ("ERR-STEP-004", "00-02"),  # a broken step file
    ("ERR-INT-001", "00-03"),  # a brain that crashes
    ("ERR-META-002", "01-01"),  # meta.json broken
    ("ERR-META-004", "01-02"),  # meta.json of wrong types
    ("ERR-META-005", "01-02"),
    ("ERR-ART-003", "01-04"),  # a directory in the place of an artifact
    ("ERR-ART-002", "01-04"),
    ("ERR-META-001", "01-05"),  # no meta.json
    ("ERR-ART-001", "01-06"),  # no folder at all, found while the gaps of 01-06 are written
    ("ERR-META-001", "01-06"),
    ("ERR-STEP-001", None),  # a phase without its directory
    ("ERR-INT-001", "03-02"),  # a brain that gives nonsense
    ("ERR-STEP-008", "03-05"),  # a step that waits for one that does not exist
    ("ERR-INT-001", "04-02"),  # a brain that says nothing
]


@pytest.fixture(scope="module")
def place(each_database_of_module: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("everything-breaks")


@pytest.fixture(scope="module")
def broken(place: Path) -> PlayRecord:
    return played(place, PLAY.read_text())


@pytest.fixture
def reader(broken: PlayRecord, place: Path) -> Iterator[Reader]:
    database = open_database(address_in(place))
    yield Reader(database)
    database.close()


def test_it_ends_completed_and_everything_in_it_happened(broken: PlayRecord) -> None:
    assert (broken.stopped, broken.exit_code, notes(broken)) == (None, 0, [])
    assert broken.summary["session"] is not None
    assert broken.summary["session"]["status"] == "completed"


def test_the_summary_lists_what_went_wrong_in_order(broken: PlayRecord) -> None:
    assert [(each["code"], each["step_id"]) for each in broken.summary["faults"]] == BROKEN


def test_the_brains_failed_in_three_ways(reader: Reader) -> None:
    (session,) = reader.all_sessions()
    faults = [each for each in reader.faults(session.id) if each.code == "ERR-INT-001"]
    assert [each.detail.partition(":")[0] for each in faults] == ["crash", "invalid", "silent"]


def test_whoever_asks_is_told_each_of_them_alone(broken: PlayRecord) -> None:
    (told,) = (each for each in broken.summary["ephemerals"] if "ERR-" in each["text"])
    assert told["to"] == "pm"
    caption, header, *rows, checked = told["text"].splitlines()
    assert caption == "What went wrong here"
    assert header == "Code · What went wrong · Step · Times"
    assert checked.startswith("Before the start I checked step files")
    faults = {(each["code"], each["message"]) for each in broken.summary["faults"]}
    assert {tuple(row.split(" · ")[:2]) for row in rows} == faults


def test_people_read_what_concerns_them_and_nothing_of_the_rest(broken: PlayRecord) -> None:
    threads = broken.summary["threads"]
    said = "\n".join(each["text"] for thread in threads for each in thread["messages"])
    for fault in broken.summary["faults"]:
        shown = CATALOGUE[fault["code"]].user_visible
        assert (fault["message"] in said, fault["code"] in said) == (shown, shown), fault


def test_every_step_is_completed_but_those_that_a_fault_skipped(broken: PlayRecord) -> None:
    skipped = {each["id"] for each in broken.summary["steps"] if each["status"] != "completed"}
    assert skipped == {"00-02", "03-05"}


def test_the_artifacts_are_whole_and_tell_the_same(
    broken: PlayRecord, place: Path, reader: Reader
) -> None:
    (session,) = reader.all_sessions()
    folder = place / "artifacts" / TEAM_ID / session.slug
    said = [answer.text for answer in reader.answers(session.id)]
    assert check(folder, said, TITLE) == []
    assert all("/" not in each["name"] for each in broken.summary["artifacts"])
    meta = json.loads((folder / "meta.json").read_text())
    done = [each["id"] for each in broken.summary["steps"] if each["status"] == "completed"]
    assert meta["steps_completed"] == done
    assert len(meta["phases_completed"]) == 5
    assert "lose a comment" in (folder / "requirements-spec.md").read_text()


def test_a_folder_that_is_gone_comes_back_whole_and_nobody_is_bothered(
    broken: PlayRecord, place: Path, reader: Reader
) -> None:
    (session,) = reader.all_sessions()
    folder = place / "artifacts" / TEAM_ID / session.slug
    names = {path.name for path in folder.iterdir()}
    assert {"quick-scan.md", "requirements-spec.md", "nfr-matrix.md", "meta.json"} <= names
    threads = broken.summary["threads"]
    said = "\n".join(each["text"] for thread in threads for each in thread["messages"])
    assert "ERR-ART-001" not in said
