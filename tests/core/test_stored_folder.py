"""The folder of a session's artifacts, on disk and as rows: one contract, and the same files."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.artifacts.files.archive import pack
from core.artifacts.files.folder import Folder, Unreadable, UnsafeName, WriteFailed
from core.artifacts.files.meta import META_FILE, Meta
from core.artifacts.files.session_documents import FolderDocuments
from core.artifacts.files.state import Teams
from core.artifacts.files.stored_folder import StoredFolder, StoredTeams
from core.domain.ids import PersonaKey, SessionId, Slug, TeamId
from core.store.connection.opening import open_database
from core.store.repository.artifact_rows import ArtifactRows
from tests.support.databases import DATABASES, EACH_DATABASE
from tests.support.harness import Harness, small_table
from tests.support.rows import refuse, run_query, write
from tests.support.serving import database_in

pytestmark = EACH_DATABASE

SLUG, OTHER = Slug("retry-failed-payments"), Slug("another")
TEAM, NOW = TeamId("T1"), datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC)
KINDS = ("disk", "rows")


@pytest.fixture
def rows(tmp_path: Path) -> Iterator[ArtifactRows]:
    database = open_database(database_in(tmp_path))
    yield ArtifactRows(database)
    database.close()


@pytest.fixture(params=KINDS)
def folder(request: pytest.FixtureRequest, tmp_path: Path, rows: ArtifactRows) -> Folder:
    made = StoredFolder(rows) if request.param == "rows" else Folder(tmp_path / "artifacts")
    made.of(TEAM).prepare(SLUG)
    return made.of(TEAM)


@pytest.fixture(params=KINDS)
def teams(request: pytest.FixtureRequest, tmp_path: Path, rows: ArtifactRows) -> Teams:
    return StoredTeams(rows) if request.param == "rows" else Teams(tmp_path / "artifacts")


def test_what_was_written_last_is_read_and_listed(folder: Folder) -> None:
    folder.write(SLUG, "b.md", "Größe — 寸法\r\n")
    folder.write(SLUG, "a.md", "first")
    folder.write(SLUG, "a.md", "second\n")
    assert folder.read(SLUG, "a.md") == "second\n"
    assert folder.read(SLUG, "b.md") == "Größe — 寸法\r\n"
    assert folder.listing(SLUG) == ("a.md", "b.md")
    assert folder.listing(OTHER) == ()
    assert folder.read(OTHER, "a.md") is None
    assert folder.prepare(SLUG) is False


def test_any_bytes_are_kept_and_no_text_is_unreadable(folder: Folder) -> None:
    folder.put(SLUG, "a.bin", bytes(range(256)))
    folder.put(SLUG, "b.md", b"\xef\xbb\xbfmarked")
    assert folder.content(SLUG, "a.bin") == bytes(range(256))
    assert folder.read(SLUG, "b.md") == "marked"
    with pytest.raises(Unreadable):
        folder.read(SLUG, "a.bin")
    with pytest.raises(Unreadable):
        folder.content(SLUG, "none")
    with pytest.raises(WriteFailed):
        folder.write(SLUG, "c.md", "\ud800")


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "a\\b", "a\0b"])
def test_a_name_that_leads_elsewhere_is_refused(folder: Folder, name: str) -> None:
    with pytest.raises(UnsafeName):
        folder.read(SLUG, name)
    with pytest.raises(UnsafeName):
        folder.put(SLUG, name, b"")
    with pytest.raises(UnsafeName):
        folder.delete(Slug(name))


def test_a_corrupt_meta_is_set_aside_each_under_a_free_name(folder: Folder) -> None:
    assert folder.read_meta(SLUG, NOW).state == "absent"
    folder.write_meta(SLUG, Meta(slug=SLUG))
    assert folder.read_meta(SLUG, NOW).state == "ok"
    names = []
    for _ in range(2):
        folder.write(SLUG, META_FILE, "{half")
        names.append(folder.read_meta(SLUG, NOW).kept_as)
    assert names == [f"{META_FILE}.corrupt-20260301T123005Z{end}" for end in ("", "-2")]
    assert folder.listing(SLUG) == tuple(names)


def test_a_file_that_is_taken_away_is_gone_twice_is_once(folder: Folder) -> None:
    folder.write(SLUG, "a.md", "a")
    folder.remove(SLUG, "a.md")
    folder.remove(SLUG, "a.md")
    assert folder.listing(SLUG) == ()


def test_what_is_kept_beside_has_the_same_paths(folder: Folder) -> None:
    folder.write(SLUG, "a.md", "before")
    folder.write_below(SLUG, "reports", "one.md", "a report")
    assert folder.preserve(SLUG, 1, {"state.json": "{}"}) == f"_forensics/{TEAM}/{SLUG}/fatal-001"
    aside = f"_taken-up/{TEAM}/{SLUG}/20260301"
    assert folder.keep_aside(SLUG, "20260301") == aside
    folder.write(SLUG, "a.md", "after")
    assert folder.keep_aside(SLUG, "20260301") == aside
    assert folder.listing(SLUG) == ("a.md",)
    assert folder.kept_of(SLUG) == (
        f"{TEAM}/{SLUG}/a.md",
        f"{TEAM}/{SLUG}/reports/one.md",
        f"_forensics/{TEAM}/{SLUG}/fatal-001/state.json",
        f"{aside}/a.md",
        f"{aside}/reports/one.md",
    )


def test_two_workspaces_have_files_of_their_own_under_one_slug(folder: Folder) -> None:
    other = folder.of(TeamId("T2"))
    other.prepare(SLUG)
    folder.write(SLUG, "a.md", "ours")
    other.write(SLUG, "a.md", "theirs")
    other.remove(SLUG, "a.md")
    assert folder.read(SLUG, "a.md") == "ours"
    assert other.read(SLUG, "a.md") is None


def test_a_folder_from_elsewhere_is_brought_in_whole(folder: Folder, tmp_path: Path) -> None:
    source = tmp_path / "elsewhere"
    (source / "reports").mkdir(parents=True)
    (source / "a.md").write_text("a")
    (source / "reports" / "one.md").write_text("one")
    folder.bring_in(source, OTHER)
    assert folder.read(OTHER, "a.md") == "a"
    assert f"{TEAM}/{OTHER}/reports/one.md" in folder.kept_of(OTHER)


def test_the_archive_of_both_is_the_same(tmp_path: Path, rows: ArtifactRows) -> None:
    archives = set()
    for folder in (Folder(tmp_path / "artifacts"), StoredFolder(rows)):
        folder.prepare(SLUG)
        folder.write(SLUG, "b.md", "b")
        folder.write(SLUG, "a.md", "a")
        folder.write_below(SLUG, "reports", "one.md", "a report")
        archives.add(pack(folder, SLUG).content)
    assert len(archives) == 1


def test_a_document_that_is_not_there_is_named(folder: Folder) -> None:
    folder.write(SLUG, "a.md", "a")
    documents = FolderDocuments(folder)
    assert documents.read(TEAM, SLUG, "a.md") == "a"
    with pytest.raises(FileNotFoundError) as missing:
        documents.read(TEAM, SLUG, "b.md")
    assert missing.value.filename == "b.md"


def test_a_team_is_made_once_and_swept_when_nobody_needs_it(teams: Teams) -> None:
    for session in ("s1", "s2", "s2", "s3"):
        teams.create(SessionId(session), [PersonaKey("architect")])
    teams.delete(SessionId("s3"))
    teams.delete(SessionId("s3"))
    assert teams.sweep([SessionId("s1")]) == ("s2",)
    assert teams.sweep([SessionId("s1")]) == ()


def played(place: Path, *, rows: bool) -> Harness:
    table = small_table(place, rows=rows)
    table.start()
    table.finish()
    return table


def test_a_session_leaves_the_same_files_on_disk_and_as_rows(tmp_path: Path) -> None:
    on_disk, in_rows = (played(tmp_path / kind, rows=kind == "rows") for kind in KINDS)
    slug, team = on_disk.session.slug, on_disk.session.team
    names = on_disk.artifacts.of(team).listing(slug)
    assert names == in_rows.artifacts.of(team).listing(slug)
    assert len(names) > 2
    for name in names:
        contents = {table.artifacts.of(team).content(slug, name) for table in (on_disk, in_rows)}
        assert len(contents) == 1, name
    assert not (tmp_path / "rows" / "artifacts").exists()


def test_a_file_that_the_database_refuses_is_told_as_one_that_the_disk_refuses(
    tmp_path: Path,
) -> None:
    table = small_table(tmp_path, rows=True)
    table.start()
    database = table.runtime.database
    refuse(database, "INSERT ON files")
    table.say("Because of the bank.")
    table.forward()
    assert [message.partition(".")[0] for message in table.messages] == [
        "Warning: Failed to write requirements-spec",
        "Warning: Failed to save progress to meta",
    ]
    assert table.session.status in ("asking", "choosing")
    write(database, f"DROP TRIGGER refused{' ON files' if DATABASES.is_postgres else ''}")
    table.answer()
    assert run_query(database, "SELECT count(*) FROM files WHERE name = 'meta.json'") == [(1,)]


def test_a_deleted_session_leaves_no_file(tmp_path: Path) -> None:
    table = played(tmp_path, rows=True)
    slug, other = table.session.slug, table.artifacts.of(TeamId("T2"))
    other.write(slug, "a.md", "theirs")
    table.artifacts.of(table.cast.team).preserve(slug, 1, {"state.json": "{}"})
    table.erase()
    names = run_query(table.runtime.database, "SELECT team, name FROM files")
    assert names == [("T2", "a.md")]
