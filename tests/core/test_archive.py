"""What is packed of a session's folder, and what may not leave it."""

import io
import zipfile
from pathlib import Path

from core.artifacts.files.archive import Archive, pack
from core.artifacts.files.exported import LEFT_OUT_FILE
from core.artifacts.files.folder import Folder
from core.domain.ids import Slug

SLUG = Slug("item")
SECRET = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def opened(root: Path) -> Folder:
    (root / SLUG).mkdir()
    return Folder(root)


def packed(archive: Archive) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(archive.content)) as members:
        return {Path(name).name: members.read(name).decode() for name in members.namelist()}


def test_every_file_is_packed_and_what_stands_instead_of_one(tmp_path: Path) -> None:
    folder = opened(tmp_path)
    folder.write(SLUG, "a.md", "Alpha\n")
    archive = pack(folder, SLUG, {"meta.json": "{}"})
    assert packed(archive) == {"a.md": "Alpha\n", "meta.json": "{}"}
    assert archive.left_out == ()


def test_what_holds_a_secret_is_left_out_and_named(tmp_path: Path) -> None:
    folder = opened(tmp_path)
    folder.write(SLUG, "a.md", f"It needs {SECRET}.\n")
    folder.write(SLUG, LEFT_OUT_FILE, "A file of that name was there.\n")
    archive = pack(folder, SLUG)
    files = packed(archive)
    assert [file.name for file in archive.left_out] == ["a.md"]
    assert "a.md" not in files
    assert SECRET not in str(files)
    assert files[LEFT_OUT_FILE] == "A file of that name was there.\n"
    assert "it looks as if it holds" in files["left-out-2.txt"]
