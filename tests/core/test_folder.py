"""The artifact folder: whole files or none, plain names only, and a meta.json that travels."""

import io
import json
import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artifacts.files.archive import pack
from core.artifacts.files.folder import Folder, Unreadable, UnsafeName, WriteFailed
from core.artifacts.files.meta import Acceptance, Meta, Owner, analysis_status, meta_in, meta_text
from core.artifacts.files.state import Teams
from core.domain.ids import PersonaKey, SessionId, Slug, TeamId

SLUG = Slug("retry-failed-payments")
NOW = datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC)
META = Meta(
    slug=SLUG,
    title="Retry failed payments",
    source="slack",
    owner=Owner("T1", "C1"),
    created_at="2026-03-01T09:00:00Z",
    analysis_status="partial",
    phases_completed=("00-quick-scan",),
    steps_completed=("00-01", "00-02"),
    depth_overrides={"01-requirements": "deep"},
    acceptance={"00-quick-scan": Acceptance("U1", "2026-03-01T10:00:00Z")},
)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path / "artifacts")
    made.prepare(SLUG)
    return made


@pytest.fixture
def place(folder: Folder, tmp_path: Path) -> Path:
    return tmp_path / "artifacts" / SLUG


def names_in(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


# ── files ──────────────────────────────────────────────────────────────────────────────────────


def test_preparing_makes_the_folder_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "deep" / "artifacts")
    assert folder.prepare(SLUG) is True
    assert folder.prepare(SLUG) is False


def test_what_was_written_is_read_again(folder: Folder) -> None:
    folder.write(SLUG, "a.md", "Größe — 寸法\r\n")
    folder.write(SLUG, "a.md", "second\n")
    assert folder.read(SLUG, "a.md") == "second\n"


def test_a_missing_file_or_folder_is_nothing(folder: Folder) -> None:
    assert folder.read(SLUG, "none.md") is None
    assert folder.read(Slug("nowhere"), "none.md") is None
    assert folder.listing(Slug("nowhere")) == ()


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder from elsewhere, open to everybody."""
    below = tmp_path / "elsewhere" / "below"
    below.mkdir(parents=True)
    (below / "d.md").write_text("text")
    for path in (below.parent, below, below / "d.md"):
        path.chmod(0o777)
    return below.parent


def fill(root: Path, source: Path) -> None:
    """Everything that writes below the root of artifacts."""
    folder = Folder(root).of(TeamId("T1"))
    folder.prepare(SLUG)
    folder.write(SLUG, "a.md", "text")
    folder.write_below(SLUG, "reports", "b.md", "text")
    folder.preserve(SLUG, 1, {"c.txt": "text"})
    folder.keep_aside(SLUG, "run-1")
    folder.bring_in(source, Slug("brought"))
    Teams(root).create(SessionId("s-1"), [PersonaKey("lead")])


def modes_below(root: Path) -> tuple[set[str], set[str]]:
    """Those of the folders, and those of the files."""
    folders: set[str] = set()
    files: set[str] = set()
    for path in root.rglob("*"):
        (files if path.is_file() else folders).add(oct(stat.S_IMODE(path.stat().st_mode)))
    return folders, files


@pytest.mark.usefixtures("umask")
def test_a_folder_of_artifacts_that_we_make_is_its_owners_alone(
    tmp_path: Path, source: Path
) -> None:
    fill(tmp_path / "deep" / "artifacts", source)
    assert modes_below(tmp_path / "deep") == ({"0o700"}, {"0o600"})
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize(
    ("made", "folders", "files"),
    [(0o2770, "0o2770", "0o660"), (0o755, "0o755", "0o644"), (0o1777, "0o775", "0o664")],
)
def test_artifacts_take_the_permissions_of_a_folder_that_the_operator_made(
    tmp_path: Path, source: Path, made: int, folders: str, files: str
) -> None:
    root = tmp_path / "artifacts"
    root.mkdir()
    root.chmod(made)
    fill(root, source)
    assert modes_below(root) == ({folders}, {files})
    assert stat.S_IMODE(root.stat().st_mode) == made


def test_a_byte_order_mark_is_no_part_of_the_text(folder: Folder, place: Path) -> None:
    (place / "a.md").write_bytes(b"\xef\xbb\xbf# A\n")
    assert folder.read(SLUG, "a.md") == "# A\n"


def test_what_is_no_text_is_unreadable(folder: Folder, place: Path) -> None:
    (place / "a.md").write_bytes(b"\xff\xfe\x00")
    (place / "b.md").mkdir()
    os.mkfifo(place / "c.md")
    for name in ("a.md", "b.md", "c.md"):
        with pytest.raises(Unreadable) as error:
            folder.read(SLUG, name)
        assert error.value.__cause__ is not None
        assert str(error.value) == f"{SLUG}/{name}"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    folder: Folder, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write(SLUG, "a.md", "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteFailed) as error:
        folder.write(SLUG, "a.md", "new")
    monkeypatch.undo()
    assert isinstance(error.value.__cause__, OSError)
    assert folder.read(SLUG, "a.md") == "old"
    assert names_in(place) == ["a.md"]


def test_half_a_character_and_a_missing_folder_fail_to_be_written(
    folder: Folder, place: Path
) -> None:
    for slug, text in ((SLUG, "\ud800"), (Slug("nowhere"), "text")):
        with pytest.raises(WriteFailed):
            folder.write(slug, "a.md", text)
    assert names_in(place) == []


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../a.md", "a/b.md", "/etc/x", ".hidden", "a\0b", "a\\b"]
)
def test_a_name_that_could_lead_elsewhere_is_refused(folder: Folder, name: str) -> None:
    for attempt in (
        lambda: folder.read(SLUG, name),
        lambda: folder.write(SLUG, name, "x"),
        lambda: folder.read(Slug(name), "a.md"),
        lambda: folder.write(Slug(name), "a.md", "x"),
        lambda: folder.prepare(Slug(name)),
        lambda: folder.listing(Slug(name)),
        lambda: folder.content(Slug(name), "a.md"),
        lambda: folder.delete(Slug(name)),
        lambda: folder.read_meta(Slug(name), NOW),
        lambda: folder.write_meta(Slug(name), META),
    ):
        with pytest.raises(UnsafeName):
            attempt()


def test_no_link_is_followed_out_of_the_folder(folder: Folder, place: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("secret")
    (place / "a.md").symlink_to(outside / "a.md")
    (place.parent / "linked").symlink_to(outside)
    linked = Slug("linked")
    with pytest.raises(Unreadable):
        folder.read(SLUG, "a.md")
    with pytest.raises(WriteFailed):
        folder.write(SLUG, "a.md", "x")
    with pytest.raises(Unreadable):
        folder.read(linked, "a.md")
    for attempt in (
        lambda: folder.write(linked, "a.md", "x"),
        lambda: folder.delete(linked),
    ):
        with pytest.raises(WriteFailed):
            attempt()
    with pytest.raises(UnsafeName):
        folder.prepare(linked)
    assert folder.listing(SLUG) == ()
    assert (outside / "a.md").read_text() == "secret"
    assert names_in(outside) == ["a.md"]


def test_deleting_removes_the_folder_but_not_what_it_links_to(
    folder: Folder, place: Path, tmp_path: Path
) -> None:
    (tmp_path / "kept.md").write_text("kept")
    (place / "link.md").symlink_to(tmp_path / "kept.md")
    (place / "reports").mkdir()
    folder.write(SLUG, "a.md", "x")
    folder.delete(SLUG)
    folder.delete(SLUG)
    assert not place.exists()
    assert (tmp_path / "kept.md").read_text() == "kept"


# ── the archive ────────────────────────────────────────────────────────────────────────────────


def test_the_archive_holds_every_plain_file_in_order(folder: Folder, place: Path) -> None:
    for name in ("b.md", "a.json", "c.csv"):
        folder.write(SLUG, name, name)
    (place / ".writing-1").write_text("left over")
    (place / "link.md").symlink_to("/etc/hostname")
    (place / "sub").mkdir()
    with zipfile.ZipFile(io.BytesIO(pack(folder, SLUG).content)) as archive:
        assert archive.namelist() == [f"{SLUG}/{name}" for name in ("a.json", "b.md", "c.csv")]
        assert archive.read(f"{SLUG}/b.md") == b"b.md"
        assert archive.testzip() is None


def test_the_same_files_give_the_same_archive(folder: Folder, place: Path) -> None:
    folder.write(SLUG, "a.md", "text")
    first = pack(folder, SLUG)
    os.utime(place / "a.md", (0, 0))
    assert pack(folder, SLUG) == first


# ── meta.json ──────────────────────────────────────────────────────────────────────────────────


def test_meta_comes_back_as_it_was_written(folder: Folder) -> None:
    folder.write_meta(SLUG, META)
    found = folder.read_meta(SLUG, NOW)
    assert (found.state, found.meta, found.faults, found.kept_as) == ("ok", META, (), None)


def test_meta_is_json_with_the_documented_keys(folder: Folder) -> None:
    folder.write_meta(SLUG, META)
    assert json.loads(folder.read(SLUG, "meta.json") or "") == {
        "slug": SLUG,
        "title": "Retry failed payments",
        "source": "slack",
        "owner": {"team": "T1", "channel": "C1"},
        "created_at": "2026-03-01T09:00:00Z",
        "analysis_status": "partial",
        "phases_completed": ["00-quick-scan"],
        "steps_completed": ["00-01", "00-02"],
        "depth_overrides": {"01-requirements": "deep"},
        "acceptance": {"00-quick-scan": {"by": "U1", "at": "2026-03-01T10:00:00Z"}},
    }


def test_an_absent_meta_is_said_to_be_absent(folder: Folder) -> None:
    found = folder.read_meta(SLUG, NOW)
    assert (found.state, found.meta, found.faults) == ("absent", None, ("ERR-META-001",))


@pytest.mark.parametrize("content", [b"{", b"", b"[]", b"3", b"null", b'{"slug": "\xff"}', b"NaN"])
def test_a_corrupt_meta_is_set_aside_under_the_time(
    folder: Folder, place: Path, content: bytes
) -> None:
    (place / "meta.json").write_bytes(content)
    found = folder.read_meta(SLUG, NOW.astimezone(timezone(timedelta(hours=5))))
    assert (found.state, found.meta, found.faults) == ("corrupt", None, ("ERR-META-002",))
    assert found.kept_as == "meta.json.corrupt-20260301T123005Z"
    assert (place / found.kept_as).read_bytes() == content
    assert folder.read_meta(SLUG, NOW).state == "absent"


def test_a_second_corrupt_meta_of_the_same_second_replaces_nothing(
    folder: Folder, place: Path
) -> None:
    for content, kept_as in (("{1", "meta.json.corrupt-20260301T123005Z"),
                             ("{2", "meta.json.corrupt-20260301T123005Z-2")):  # fmt: skip
        (place / "meta.json").write_text(content)
        assert folder.read_meta(SLUG, NOW).kept_as == kept_as
        assert (place / kept_as).read_text() == content


def test_a_meta_that_is_a_link_is_set_aside_unread(folder: Folder, place: Path) -> None:
    (place / "meta.json").symlink_to("/etc/hostname")
    found = folder.read_meta(SLUG, NOW)
    assert found.state == "corrupt"
    assert found.kept_as is not None
    assert (place / found.kept_as).is_symlink()


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("steps_completed", "00-01", "ERR-META-004"),
        ("steps_completed", None, "ERR-META-004"),
        ("steps_completed", {"00-01": True}, "ERR-META-004"),
        ("depth_overrides", ["deep"], "ERR-META-005"),
        ("depth_overrides", None, "ERR-META-005"),
        ("depth_overrides", "deep", "ERR-META-005"),
    ],
)
def test_a_wrong_type_is_put_right_and_said(
    folder: Folder, key: str, value: object, code: str
) -> None:
    folder.write(SLUG, "meta.json", json.dumps({**json.loads(meta_text(META, None)), key: value}))
    found = folder.read_meta(SLUG, NOW)
    assert (found.state, found.faults) == ("ok", (code,))
    assert found.meta is not None
    assert not getattr(found.meta, key)


def test_missing_keys_are_no_fault_and_empty() -> None:
    found = meta_in('{"slug": 3, "owner": [], "phases_completed": {}, "acceptance": {"x": 1}}')
    assert found is not None
    assert (found.meta, found.faults) == (Meta("", "", "", Owner("", ""), ""), ())


def test_keys_of_others_stay_when_meta_is_written_again(folder: Folder) -> None:
    folder.write(SLUG, "meta.json", '{"slug": "old", "tracker": {"id": 7}}')
    folder.write_meta(SLUG, META)
    found = json.loads(folder.read(SLUG, "meta.json") or "")
    assert (found["slug"], found["tracker"]) == (SLUG, {"id": 7})
    folder.write_meta(SLUG, replace(META, title="New"))
    assert json.loads(folder.read(SLUG, "meta.json") or "")["tracker"] == {"id": 7}


@pytest.mark.parametrize(
    ("done", "status"),
    [((), "raw"), (("a",), "partial"), (("b", "a"), "analyzed"), (("z",), "raw")],
)
def test_the_status_follows_from_the_phases(done: tuple[str, ...], status: str) -> None:
    assert analysis_status(done, ("a", "b")) == status


def test_nothing_to_do_is_not_analyzed() -> None:
    assert analysis_status((), ()) == "raw"


@given(st.text(), st.dictionaries(st.text(), st.text()), st.text(st.characters()))
def test_any_meta_survives_the_way_through_its_file(
    title: str, overrides: dict[str, str], existing: str
) -> None:
    meta = replace(META, title=title, depth_overrides=overrides)
    text = meta_text(meta, existing)
    found = meta_in(text)
    assert found is not None
    assert found.meta == meta
    assert meta_text(meta, text) == text


def test_what_a_kill_left_half_written_is_swept_before_the_next_write(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.prepare(Slug("item"))
    left = tmp_path / "item" / ".writing-0123456789abcdef"
    left.write_text("half")
    assert folder.prepare(Slug("item")) is False
    assert not left.exists()


# ── what is kept when something failed ─────────────────────────────────────────────────────────


def test_what_is_kept_of_a_halt_lies_beside_the_folder_and_goes_with_it(
    folder: Folder, tmp_path: Path
) -> None:
    kept = folder.preserve(SLUG, 1, {"state.json": "{}"})
    assert kept == f"_forensics/{SLUG}/fatal-001"
    assert (tmp_path / "artifacts" / kept / "state.json").read_text() == "{}"
    folder.delete(SLUG)
    assert list((tmp_path / "artifacts").rglob("*.json")) == []


@pytest.mark.parametrize("part", ["_forensics", f"_forensics/{SLUG}"])
def test_nothing_is_kept_nor_deleted_behind_a_link(
    folder: Folder, tmp_path: Path, part: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / SLUG).mkdir(parents=True)
    place = tmp_path / "artifacts" / part
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(elsewhere)
    with pytest.raises(WriteFailed):
        folder.preserve(SLUG, 1, {"state.json": "{}"})
    with suppress(WriteFailed):
        folder.delete(SLUG)
    assert [path.name for path in elsewhere.rglob("*")] == [SLUG]


def test_a_report_lies_in_a_folder_of_the_folder_and_behind_no_link(
    folder: Folder, place: Path, tmp_path: Path
) -> None:
    folder.write_below(SLUG, "reports", "step-01-01-sonnet.md", "Found.")
    assert (place / "reports" / "step-01-01-sonnet.md").read_text() == "Found."
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (place / "notes").symlink_to(elsewhere)
    (place / "reports" / "step-01-02-sonnet.md").mkdir()
    for below, name in (("notes", "a.md"), ("reports", "step-01-02-sonnet.md")):
        with pytest.raises(WriteFailed):
            folder.write_below(SLUG, below, name, "Found.")
    assert list(elsewhere.iterdir()) == []


def test_whether_files_can_be_written_is_looked_at_without_making_the_root(tmp_path: Path) -> None:
    root = tmp_path / "one" / "artifacts"
    assert Folder(root).trouble() == ""
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "one").write_text("A file, not a folder.")
    assert Folder(root).trouble() == "Not a directory"


def test_two_workspaces_have_folders_of_their_own_under_one_slug(tmp_path: Path) -> None:
    ours, theirs = (Folder(tmp_path).of(TeamId(team)) for team in ("T1", "T2"))
    for folder, text in ((ours, "Ours."), (theirs, "Theirs.")):
        folder.prepare(SLUG)
        folder.write(SLUG, "notes.md", text)
        folder.preserve(SLUG, 1, {"state.json": text})
        folder.keep_aside(SLUG, "before")
    assert (tmp_path / "T1" / SLUG / "notes.md").read_text() == "Ours."
    assert ours.kept_of(SLUG) == (
        f"T1/{SLUG}/notes.md",
        f"_forensics/T1/{SLUG}/fatal-001/state.json",
        f"_taken-up/T1/{SLUG}/before/notes.md",
    )
    ours.delete(SLUG)
    assert ours.kept_of(SLUG) == ()
    assert theirs.read(SLUG, "notes.md") == "Theirs."
    assert len(theirs.kept_of(SLUG)) == 3


def test_a_link_in_the_place_of_a_workspaces_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / SLUG).mkdir(parents=True)
    (tmp_path / "elsewhere" / SLUG / "notes.md").write_text("Not ours.")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "T1").symlink_to(tmp_path / "elsewhere")
    folder = Folder(tmp_path / "root").of(TeamId("T1"))
    with pytest.raises(UnsafeName):
        folder.prepare(SLUG)
    with pytest.raises(Unreadable):
        folder.read(SLUG, "notes.md")
    with pytest.raises(WriteFailed):
        folder.delete(SLUG)
    assert (tmp_path / "elsewhere" / SLUG / "notes.md").read_text() == "Not ours."


@pytest.mark.parametrize("team", ["", "..", "a/b", ".hidden"])
def test_a_workspace_whose_name_leads_out_has_no_folder(tmp_path: Path, team: str) -> None:
    with pytest.raises(UnsafeName):
        Folder(tmp_path).of(TeamId(team))
