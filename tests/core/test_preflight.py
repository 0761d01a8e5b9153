"""The pre-flight: each check looks, and can fail; a failure is recorded and stops nothing."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.artifacts.files.folder import Folder
from core.content.library import Library
from core.domain.session.start import Checked
from core.runtime.preflight import Preflight
from tests.support.databases import EACH_DATABASE
from tests.support.harness import Harness, small_table, small_tree
from tests.support.step_trees import Tree

pytestmark = EACH_DATABASE

ALL = ["step files", "agent file", "documents", "folder", "brain", "database"]


def looked(table: Harness, **parts: object) -> dict[str, Checked]:
    preflight = Preflight(
        table.library, table.artifacts, lambda: "scripted", table.runtime.database.trouble
    )
    checks = replace(preflight, **parts).checks(table.session)  # type: ignore[arg-type]
    assert [check.what for check in checks] == ALL
    return {check.what: check for check in checks}


def test_where_all_is_well_every_check_says_what_it_saw(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    checks = looked(table)
    assert all(check.ok for check in checks.values())
    assert checks["step files"].found == "3 step files"
    assert checks["brain"].found == "scripted"
    assert table.session.missed == ()


def with_a_faulty_step(tree: Tree) -> None:
    tree.file("01-requirements/02-b.md", b"# Nothing")


def without_steps(tree: Tree) -> None:
    for path in tree.flow.rglob("*-*.md"):
        path.unlink()


def with_a_broken_roster(tree: Tree) -> None:
    tree.agent("---\n[\n---\n")


def with_a_document(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md", title="First", sources="[AGENTS.md, impact.md]")


WANTING: dict[str, tuple[Callable[[Tree], None], str, str]] = {
    "a faulty step": (
        with_a_faulty_step, "step files", "3 step files; not usable: 01-02 ERR-STEP-004",
    ),
    "no steps": (without_steps, "step files", "0 step files"),
    "a broken roster": (with_a_broken_roster, "agent file", "ERR-RT-002"),
    "a document": (with_a_document, "documents", "AGENTS.md (01-01) is not there"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "what", "found"), WANTING.values(), ids=WANTING)
def test_what_is_wanting_in_the_tree_is_kept_with_the_session_and_stops_nothing(
    tmp_path: Path, change: Callable[[Tree], None], what: str, found: str
) -> None:
    tree = small_tree(tmp_path / "steps")
    change(tree)
    table = small_table(tmp_path, tree=tree)
    table.start()
    missed = {check.what: check for check in table.session.missed}
    assert list(missed) == [what]
    assert missed[what].found == found
    assert not missed[what].ok
    assert table.session.status in ("asking", "completed")


def test_a_document_that_lies_in_the_folder_is_read_and_one_that_is_no_text_is_said(
    tmp_path: Path,
) -> None:
    tree = small_tree(tmp_path / "steps")
    with_a_document(tree)
    table = small_table(tmp_path, tree=tree)
    table.start()
    (table.folder() / "AGENTS.md").write_text("How agents work here.\n")
    assert looked(table)["documents"].ok
    (table.folder() / "AGENTS.md").write_bytes(b"\xff\xfe")
    assert looked(table)["documents"].found == "AGENTS.md (01-01) cannot be read as a text"
    (table.folder() / "AGENTS.md").unlink()
    (table.folder() / "AGENTS.md").mkdir()
    assert looked(table)["documents"].found == "AGENTS.md (01-01) cannot be read as a text"


def test_what_a_step_of_the_flow_writes_is_no_document_to_wait_for(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "steps")
    tree.step("01-requirements/01-a.md", title="First", sources="[impact.md]")
    table = small_table(tmp_path, tree=tree)
    table.start()
    assert table.session.missed == ()


def test_a_folder_in_which_nothing_can_be_written_is_said(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    (tmp_path / "in-the-way").write_text("a file")
    check = looked(table, folder=Folder(tmp_path / "in-the-way"))["folder"]
    assert not check.ok
    assert check.found == "Not a directory"


def test_a_brain_whose_rules_cannot_be_loaded_is_said(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    check = looked(table, brain=lambda: "")["brain"]
    assert (check.ok, check.found) == (False, "it cannot be loaded")


@pytest.mark.one_database("sqlite", "PostgreSQL has as many writers as come")
def test_a_database_that_somebody_else_writes_to_is_said(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    table.start()
    other = sqlite3.connect(tmp_path / "table.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        check = looked(table)["database"]
    finally:
        other.close()
    assert (check.ok, check.found) == (False, "database is locked")
    assert looked(table)["database"].ok


def test_the_shipped_tree_lacks_nothing(tmp_path: Path) -> None:
    table = Harness(tmp_path)
    table.start()
    assert table.session.missed == ()
    assert isinstance(table.library, Library)
