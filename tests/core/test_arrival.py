"""What is looked at before a folder is taken up: `meta.json` as its schema says, and every file."""

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.artifacts.files.arrival import (
    ENTRIES_MAX,
    FOLDER_BYTES_MAX,
    PROBLEMS_MAX,
    Arrival,
    look,
)
from core.artifacts.files.meta_shape import flaws
from core.artifacts.files.safe_dir import FILE_BYTES_MAX
from tests.support.artifact_checker_formats import against

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "meta.schema.json").read_text())
EXAMPLES = sorted((ROOT / "docs" / "examples" / "artifacts").iterdir())
META = json.loads((EXAMPLES[0] / "meta.json").read_text())
ODD: tuple[Any, ...] = (None, 5, True, "", "odd", [], ["odd"], [5], {}, {"by": 5}, {"00-x": "odd"})


def changed() -> Iterator[tuple[str, Any]]:
    """The example with each key missing, and with each odd value in each place."""
    for key in META:
        yield f"no {key}", {name: value for name, value in META.items() if name != key}
        for odd in ODD:
            yield f"{key} is {odd!r}", META | {key: odd}
    for name in ("team", "channel", "more"):
        yield f"owner.{name} is 5", META | {"owner": META["owner"] | {name: 5}}
    for inner in ({"by": "P"}, {"by": "P", "at": "", "more": 1}, {"by": "P", "at": 5}, "P"):
        yield f"acceptance {inner!r}", META | {"acceptance": {"00-quick-scan": inner}}
    for odd in ODD:
        yield f"all is {odd!r}", odd
    yield "keys of others", META | {"theirs": 1}


def test_what_is_wrong_with_a_meta_is_what_its_schema_says() -> None:
    cases = list(changed())
    assert sum(1 for _, value in cases if against(SCHEMA, value)) > len(cases) / 2
    assert [
        what for what, value in cases if bool(list(flaws(value))) != bool(against(SCHEMA, value))
    ] == []


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: str(folder.name))
def test_what_we_write_ourselves_can_be_taken_up(folder: Path) -> None:
    found = look(folder)
    assert found.problems == ()
    assert found.meta is not None
    assert found.meta.phases_completed
    assert set(found.files) == {path.name for path in folder.iterdir()}


def laid(folder: Path) -> Path:
    folder.mkdir()
    (folder / "meta.json").write_text(json.dumps(META))
    return folder


def told(found: Arrival) -> list[str]:
    return [str(each) for each in found.problems]


def test_each_flaw_names_its_place(tmp_path: Path) -> None:
    folder = laid(tmp_path / "item")
    broken = META | {"owner": {"team": 5}, "steps_completed": ["01-01", "1"]}
    (folder / "meta.json").write_text(json.dumps(broken))
    assert told(look(folder)) == [
        "meta.json, $.owner.team: it is no text",
        "meta.json, $.owner.channel: it is missing",
        "meta.json, $.steps_completed[1]: it is no step id (NN-NN)",
    ]


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path) -> None:
    folder = laid(tmp_path / "item")
    with (folder / "film.mp4").open("wb") as file:
        file.truncate(17 * 1024 * 1024)
    assert told(look(folder)) == ["film.mp4: it is larger than 16 MB"]


def test_a_folder_is_not_read_past_a_bound_for_the_whole(tmp_path: Path) -> None:
    folder = laid(tmp_path / "item")
    for number in range(5):
        with (folder / f"film-{number}.mp4").open("wb") as file:
            file.truncate(15 * 1024 * 1024)
    arrival = look(folder)
    assert "item: it holds more than 64 MB" in told(arrival)
    assert arrival.bytes <= FOLDER_BYTES_MAX + FILE_BYTES_MAX


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda path: path.symlink_to("x")])
def test_a_folder_of_too_many_things_of_any_kind_is_refused(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    folder = laid(tmp_path / "item")
    for number in range(ENTRIES_MAX):
        make(folder / f"thing-{number}")
    lines = told(look(folder))
    assert "item: it holds more than 2000 files and folders" in lines
    assert len(lines) <= PROBLEMS_MAX


def test_of_countless_credentials_a_bounded_number_is_named(tmp_path: Path) -> None:
    folder = laid(tmp_path / "item")
    (folder / "keys.txt").write_text("AKIAQYLPMN5HFIQR7XYA\n" * 5_000)
    assert len(told(look(folder))) == PROBLEMS_MAX


def test_a_credential_is_found_in_any_file_and_never_repeated(tmp_path: Path) -> None:
    folder = laid(tmp_path / "item")
    key = "AKIA" + "QYLPMN5HFIQR7XYA"
    (folder / "below").mkdir()
    (folder / "below" / "picture.png").write_bytes(b"\x89PNG\xff\n\n" + key.encode() + b"\xfe")
    (folder / "wide.txt").write_text(f"use {key}", encoding="utf-16")
    with zipfile.ZipFile(folder / "letter.docx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", f"<w:t>{key}</w:t>")
    (folder / "meta.json").write_text(json.dumps(META | {"title": f"Rotate {key}"}, indent=1))
    lines = told(look(folder))
    assert sorted(lines) == [
        "below/picture.png, line 3: it holds an AWS access key",
        "letter.docx: it holds an AWS access key",
        "meta.json, line 3: it holds an AWS access key",
        "wide.txt: it holds an AWS access key",
    ]


def test_a_link_is_no_way_in_or_out(tmp_path: Path) -> None:
    folder = laid(tmp_path / "item")
    (folder / "below").symlink_to("/etc", target_is_directory=True)
    (folder / "gone").symlink_to("nowhere")
    assert told(look(folder)) == ["below: it is a link", "gone: it is a link"]


def test_a_name_that_is_no_text_is_shown_as_far_as_it_can_be(tmp_path: Path) -> None:
    folder = laid(tmp_path / "item")
    (folder / os.fsdecode(b"odd\x1b[31m\xff")).symlink_to("x")
    assert told(look(folder)) == ["odd?[31m?: it is a link"]


@pytest.mark.parametrize("slug", ["../up", "Up", "a--b", "-a", "a" * 80, "_taken-up", "a/b"])
def test_a_slug_that_leads_elsewhere_is_none(tmp_path: Path, slug: str) -> None:
    folder = laid(tmp_path / "item")
    (folder / "meta.json").write_text(json.dumps(META | {"slug": slug}))
    assert told(look(folder)) == [
        "meta.json, $.slug: it is no slug (small letters, digits and single hyphens)"
    ]
