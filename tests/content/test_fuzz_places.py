"""In a step tree anything may lie anywhere: it is looked through, and nothing outside is read."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content import files
from core.content.check import check
from core.content.library import Library
from core.domain.steps.playbook import Step, StepFault
from tests.content.looking import PHASE, look_at, planted
from tests.support.hostile import within
from tests.support.step_trees import text_of


def fill(directory: Path, kind: str, raw: bytes, outside: Path) -> None:
    """One entry of a directory: a file, or what only looks like one."""
    name = os.fsdecode(raw)
    path = directory / name
    match kind:
        case "file":
            path.write_text(text_of())
        case "empty":
            path.touch()
        case "directory":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "link to nothing":
            path.symlink_to("nowhere")
        case "link to itself":
            path.symlink_to(name)
        case "link up":
            path.symlink_to("..")
        case "link out":
            path.symlink_to(outside)
        case "link to a file outside":
            path.symlink_to(outside / "01-out.md")
        case "link to a device":
            path.symlink_to("/dev/zero")
        case "link to a long way":
            path.symlink_to("../" * 200 + "etc/passwd")


KINDS = (
    *("file", "empty", "directory", "pipe", "link to nothing", "link to itself", "link up"),
    *("link out", "link to a file outside", "link to a device", "link to a long way"),
)
NAMES = st.one_of(
    st.sampled_from(
        [
            *(b"01-a.md", b"02-b.md", b".md", b"..md", b"01-.md", b"-.md", b" .md", b"01-a.MD"),
            *(b"a\nb.md", b"a\tb.md", b"\x1b[31m.md", b"\xff\xfe.md", b"\xed\xa0\x80.md", b"~.md"),
            *("\u202egnp.md".encode(), "🙂.md".encode(), "é.md".encode(), "e\u0301.md".encode()),
            *(b"x" * 252 + b".md", b"%s{0}.md", b"a\\b.md", b"'\"`$(true).md", b"--help.md"),
            *(b"01-requirements", b"02-x", b"99-\xff", b"00-", b"0a-x", b"roundtable.md", b"con"),
        ]
    ),
    st.binary(min_size=1, max_size=20).filter(lambda name: not set(name) & set(b"/\x00")),
).filter(lambda name: name not in (b".", b".."))


@given(
    st.lists(st.tuples(st.sampled_from(KINDS), NAMES), max_size=5, unique_by=lambda pair: pair[1]),
    st.lists(st.tuples(st.sampled_from(KINDS), NAMES), max_size=3, unique_by=lambda pair: pair[1]),
)
def test_any_directory_is_looked_through(
    inside: list[tuple[str, bytes]], beside: list[tuple[str, bytes]]
) -> None:
    with planted() as tree:
        outside = tree.root.parent / "outside"
        for kind, name in inside:
            fill(tree.flow / PHASE, kind, name, outside)
        for kind, name in beside:
            if not files.is_there(tree.flow / os.fsdecode(name)):
                fill(tree.flow, kind, name, outside)
        look_at(tree)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", ["the steps", "a flow", "a phase", "the agent file"])
def test_in_the_place_of_anything_there_may_be_anything(where: str, kind: str) -> None:
    with planted() as tree:
        places = {
            "the steps": tree.root,
            "a flow": tree.flow,
            "a phase": tree.flow / PHASE,
            "the agent file": tree.flow / "roundtable.md",
        }
        place = places[where]
        if place.exists():
            shutil.rmtree(place)
        fill(place.parent, kind, place.name.encode(), tree.root.parent / "outside")
        found = look_at(tree)
    assert not any(isinstance(became, Step) for became in found)


@pytest.mark.parametrize(
    "flow", ["", ".", "..", "../outside", "a/b", "a\x00b", "\ud800", "x" * 300]
)
def test_a_flow_of_any_name_is_not_there(flow: str) -> None:
    with planted() as tree:
        library = Library(tree.root)
        assert library.phases(flow) == ()
        for phase in (PHASE, "", "..", "../analysis", "\x00", "\ud800", "0" * 300):
            opened = library.open_phase(flow, phase, frozenset())  # type: ignore[arg-type]
            assert opened.pinned == ()
            assert opened.fault is not None
            pinned = library.open_step(flow, phase, "01-a.md", frozenset())  # type: ignore[arg-type]
            assert pinned.fault is not None


def test_a_file_of_several_megabytes_is_not_read_whole() -> None:
    with planted() as tree:
        tree.file(f"{PHASE}/01-a.md", text_of().encode() + b"x" * 8_000_000)
        with tree.file(f"{PHASE}/02-b.md", b"").open("r+b") as file:
            file.truncate(10**12)  # a hole: it takes no room on the disk
        found = look_at(tree)
    assert [became.code for became in found if isinstance(became, StepFault)] == [
        "ERR-STEP-003"
    ] * 2


def test_thousands_of_files_are_looked_through() -> None:
    with planted() as tree:
        for number in range(2_000):
            place = f"{number // 100:02}-phase/{number % 100:02}-a.md"
            tree.step(place, "\n## Standard Mode\n\n1. Why is it slow?\n2. Who waits for it?\n")
        with within(60):
            report = check(tree.root, strict=True)
    assert report.files == report.steps == 2_000


def test_a_deep_tree_of_links_is_looked_through() -> None:
    with planted() as tree:
        here = tree.flow / PHASE
        for level in range(60):
            here = here / f"{level:02}-d.md"
            here.mkdir()
            (here / "00-up.md").symlink_to("..")
        assert [type(became) for became in look_at(tree)] == [StepFault]
