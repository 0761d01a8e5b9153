"""A phase is what lies in its directory when it opens; what is wrong with a file stays with it."""

import hashlib
import os
from pathlib import Path

import pytest

import core
from core.content import library
from core.content.files import FILE_BYTES_MAX
from core.content.library import Library, OpenedPhase, default_steps_dir
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.steps.playbook import BUILT_IN, AgentFile, Phase, PinnedFile, Step, StepFault
from tests.support.step_trees import BODY, Tree, text_of

PHASE = PhaseKey("01-requirements")
PERSONAS = frozenset({PersonaKey("business-analyst"), PersonaKey("solutions-architect")})


def opened(tree: Tree, phase: str = PHASE) -> OpenedPhase:
    return Library(tree.root).open_phase("analysis", PhaseKey(phase), PERSONAS)


def only_fault(tree: Tree) -> StepFault:
    (pinned,) = opened(tree).pinned
    assert pinned.step is None
    assert pinned.fault is not None
    return pinned.fault


# Steps


def test_the_files_of_a_phase_are_pinned_in_the_order_of_their_names(tree: Tree) -> None:
    for name in ("10-j.md", "02-b.md", "01-a.md"):
        tree.step(f"01-requirements/{name}")
    found = opened(tree)
    assert found.fault is None
    assert [(one.file, one.step_id) for one in found.pinned] == [
        ("01-a.md", "01-01"),
        ("02-b.md", "01-02"),
        ("10-j.md", "01-10"),
    ]


def test_a_step_carries_what_its_file_says(tree: Tree) -> None:
    path = tree.step("01-requirements/01-a.md", skip_if="scope == 'small'", owner="Ana")
    (pinned,) = opened(tree).pinned
    assert pinned == PinnedFile("01-a.md", pinned.step_id, pinned.step)
    step = pinned.step
    assert isinstance(step, Step)
    assert step.digest == hashlib.sha256(path.read_bytes()).hexdigest()[: library.DIGEST_CHARS]
    assert (step.title, step.persona, step.depth) == (
        "Business Context",
        "business-analyst",
        "standard",
    )
    assert step.outputs == ("requirements-spec.md",)
    assert step.skip_if == "scope == 'small'"
    assert step.extra == {"owner": "Ana"}
    assert step.body == BODY
    assert step.sections["Brief Mode"] == "A draft."
    assert step.phase == PHASE


def test_a_file_dropped_in_is_there_when_the_phase_opens_again(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md")
    books = Library(tree.root)
    assert len(books.open_phase("analysis", PHASE, PERSONAS).pinned) == 1
    tree.step("01-requirements/02-b.md")
    tree.step("01-requirements/01-a.md", title="Changed")
    first, second = books.open_phase("analysis", PHASE, PERSONAS).pinned
    assert first.step is not None
    assert first.step.title == "Changed"
    assert second.step_id == "01-02"


def test_a_byte_order_mark_and_windows_line_ends_are_read(tree: Tree) -> None:
    windows = "\ufeff" + text_of().replace("\n", "\r\n")
    tree.file("01-requirements/01-a.md", windows.encode())
    tree.file("01-requirements/02-b.md", text_of(step_id="01-02").replace("\n", "\r").encode())
    first, second = opened(tree).pinned
    assert first.step is not None
    assert second.step is not None
    assert first.step.body == second.step.body == BODY


def test_other_files_are_no_steps(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md")
    for name in ("notes.txt", ".hidden.md", "02-b.md~", "03-c.MD", "README"):
        tree.file(f"01-requirements/{name}", b"x")
    assert [one.file for one in opened(tree).pinned] == ["01-a.md"]


# Directories


def test_a_phase_without_a_directory_has_no_steps(tree: Tree) -> None:
    assert opened(tree) == OpenedPhase(
        (),
        StepFault(
            "ERR-STEP-001",
            "01-requirements",
            "No step files found for phase 01-requirements. "
            "Completing phase without interactive steps.",
        ),
    )


def test_an_empty_directory_has_no_steps(tree: Tree) -> None:
    tree.file("01-requirements/notes.txt", b"x")
    found = opened(tree)
    assert found.pinned == ()
    assert found.fault is not None
    assert found.fault.code == "ERR-STEP-002"
    assert found.fault.message == (
        "No step files found for phase 01-requirements. Completing phase without interactive steps."
    )


@pytest.mark.parametrize(
    "phase", ["..", "../analysis/01-requirements", "", "01-a\0b", "/etc", "x" * 300]
)
def test_a_phase_is_a_plain_name(tree: Tree, phase: str) -> None:
    tree.step("01-requirements/01-a.md")
    found = opened(tree, phase)
    assert found.pinned == ()
    assert found.fault is not None
    assert found.fault.code == "ERR-STEP-001"


def test_a_file_where_a_directory_should_be_has_no_steps(tree: Tree) -> None:
    (tree.flow / "01-requirements").write_text("x")
    found = opened(tree)
    assert found.fault is not None
    assert found.fault.code == "ERR-STEP-001"


# Files that cannot be read


def test_invalid_utf8_is_unreadable(tree: Tree) -> None:
    tree.file("01-requirements/01-a.md", text_of().encode() + b"\xff")
    assert only_fault(tree) == StepFault(
        "ERR-STEP-003",
        "01-a.md",
        "Warning: Step file 01-a.md could not be read. Skipping.",
        hint="it is not valid UTF-8",
    )


def test_a_directory_that_calls_itself_a_step_is_unreadable(tree: Tree) -> None:
    (tree.phase("01-requirements") / "01-a.md").mkdir()
    fault = only_fault(tree)
    assert (fault.code, fault.hint) == ("ERR-STEP-003", "it is not a file")


def test_a_link_to_nothing_is_unreadable(tree: Tree) -> None:
    link = tree.phase("01-requirements") / "01-a.md"
    link.symlink_to(link.parent / "gone.txt")
    fault = only_fault(tree)
    assert (fault.code, fault.hint) == ("ERR-STEP-003", "it is a link to nothing")


def test_a_link_in_a_circle_is_unreadable(tree: Tree) -> None:
    link = tree.phase("01-requirements") / "01-a.md"
    link.symlink_to(link)
    assert only_fault(tree).code == "ERR-STEP-003"


def test_a_link_out_of_the_tree_is_unreadable(tree: Tree, tmp_path: Path) -> None:
    outside = tmp_path / "secret.md"
    outside.write_text(text_of())
    (tree.phase("01-requirements") / "01-a.md").symlink_to(outside)
    fault = only_fault(tree)
    assert (fault.code, fault.hint) == ("ERR-STEP-003", "it leads out of the folder of steps")


def test_a_link_within_the_tree_is_read(tree: Tree) -> None:
    path = tree.step("01-requirements/01-a.md")
    (tree.phase("02-impact") / "01-b.md").symlink_to(path)
    (pinned,) = opened(tree, "02-impact").pinned
    assert pinned.fault is not None
    assert pinned.fault.code == "ERR-STEP-006"  # the same id a second time


def test_a_phase_that_is_a_link_out_of_the_tree_is_not_there(tree: Tree, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "01-a.md").write_text(text_of())
    (tree.flow / "01-requirements").symlink_to(outside)
    assert opened(tree).pinned == ()
    assert Library(tree.root).phases("analysis") == ()


def test_a_flow_that_is_a_link_out_of_the_tree_is_not_there(tree: Tree, tmp_path: Path) -> None:
    tree.agent()
    tree.step("01-requirements/01-a.md")
    other = tmp_path / "other"
    other.mkdir()
    (other / "analysis").symlink_to(tree.flow)
    books = Library(other)
    assert books.phases("analysis") == ()
    assert isinstance(books.read_agent("analysis"), StepFault)


def test_a_pipe_does_not_make_us_wait(tree: Tree) -> None:
    os.mkfifo(tree.phase("01-requirements") / "01-a.md")
    assert only_fault(tree).hint == "it is not a file"


def test_a_file_beyond_the_limit_is_unreadable(tree: Tree) -> None:
    text = text_of().encode()
    path = tree.file("01-requirements/01-a.md", text + b"x" * (FILE_BYTES_MAX - len(text)))
    (pinned,) = opened(tree).pinned
    assert pinned.fault is None
    path.write_bytes(path.read_bytes() + b"x")
    fault = only_fault(tree)
    assert (fault.code, fault.hint) == ("ERR-STEP-003", "it is larger than 256 KiB")


def test_a_name_that_cannot_be_written_down_is_unreadable(tree: Tree) -> None:
    name = os.fsencode(tree.phase("01-requirements")) + b"/01-\xff\n.md"
    Path(os.fsdecode(name)).write_text(text_of())
    (pinned,) = opened(tree).pinned
    assert (pinned.file, pinned.step_id) == ("01-??.md", "01-01")
    assert pinned.fault is not None
    assert pinned.fault.code == "ERR-STEP-003"


def test_a_file_that_fails_while_it_is_read_is_unreadable(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.step("01-requirements/01-a.md")

    def fails(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("core.content.files.os.read", fails)
    fault = only_fault(tree)
    assert (fault.code, fault.hint) == ("ERR-STEP-003", "reading it failed")


# Front matter


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"", "it does not begin with a line of ---"),
        (b"# No front matter\n", "it does not begin with a line of ---"),
        (b"---\ntitle: x\n", "the closing --- is missing"),
        (b"---\n---\nbody", "it is empty"),
        (b"---\n- a\n---\nbody", "it is not a mapping"),
        (b"---\ntitle: [\n---\nbody", "line 3: did not find expected node content"),
        (b"---\n\0\n---\nbody", "it is not valid YAML"),
        (b"---\ntitle: a\ntitle: b\n---\n", "line 2: a key stands twice"),
    ],
)
def test_front_matter_that_is_none_is_invalid(tree: Tree, content: bytes, hint: str) -> None:
    tree.file("01-requirements/01-a.md", content)
    assert only_fault(tree) == StepFault(
        "ERR-STEP-004",
        "01-a.md",
        "Warning: Step file 01-a.md has invalid frontmatter. Skipping.",
        hint=hint,
    )


def test_the_first_fault_of_a_file_is_the_one_at_run_time(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md", title=None, depth="deeper", outputs="[]")
    fault = only_fault(tree)
    assert (fault.code, fault.field) == ("ERR-STEP-005", "title")


def test_a_faulty_file_is_known_by_its_id_else_its_place_else_its_name(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md", step_id='"01-07"', title=None)
    tree.file("01-requirements/02-b.md", b"")
    tree.file("01-requirements/notes.md", b"")
    assert [one.step_id for one in opened(tree).pinned] == ["01-07", "01-02", "notes"]


# Ids


def test_of_two_with_one_id_the_first_has_it(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md")
    tree.step("01-requirements/02-b.md", step_id='"01-01"')
    first, second = opened(tree).pinned
    assert first.fault is None
    assert second.step_id == "01-02"
    assert second.fault == StepFault(
        "ERR-STEP-006",
        "02-b.md",
        "Warning: Step file 02-b.md has invalid value for 'step_id': '01-01'. Skipping.",
        "step_id",
        "01-01",
        "it is the id of 01-requirements/01-a.md; its place asks for '01-02'",
    )


def test_an_id_of_an_earlier_phase_is_taken(tree: Tree) -> None:
    tree.step("00-quick-scan/01-a.md", step_id='"01-01"')
    tree.step("01-requirements/01-a.md")
    (pinned,) = opened(tree).pinned
    assert pinned.fault is not None
    assert pinned.fault.code == "ERR-STEP-006"
    assert pinned.step_id == "01-a"  # its place's id is the other's, so its name it is


def test_an_id_of_a_later_phase_is_not(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md")
    tree.step("02-impact/01-a.md", step_id='"01-01"')
    (pinned,) = opened(tree).pinned
    assert pinned.fault is None


def test_no_two_files_of_a_flow_are_known_by_one_id(tree: Tree) -> None:
    for place in ("01-x/01-a.md", "01-x/01-b.md", "01-y/01-a.md", "01-y/01-b.md", "01-y/01-c.md"):
        tree.step(place)
    tree.file("01-z/01-a.md", b"")
    ids = [one.step_id for phase in ("01-x", "01-y", "01-z") for one in opened(tree, phase).pinned]
    assert ids == ["01-01", "01-b", "01-a", "01-y/01-b.md", "01-c", "01-z/01-a.md"]


# One step


def test_one_step_is_read_anew(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md", title=None)
    books = Library(tree.root)
    before = books.open_step("analysis", PHASE, "01-a.md", PERSONAS)
    tree.step("01-requirements/01-a.md", title="Mended")
    after = books.open_step("analysis", PHASE, "01-a.md", PERSONAS)
    assert before.fault is not None
    assert after.step is not None
    assert after.step.title == "Mended"
    assert before.step_id == after.step_id == "01-01"


@pytest.mark.parametrize("name", ["gone.md", "../02-impact/01-a.md", "..", ""])
def test_a_step_that_is_gone_is_unreadable(tree: Tree, name: str) -> None:
    tree.step("01-requirements/01-a.md")
    tree.step("02-impact/01-a.md")
    pinned = Library(tree.root).open_step("analysis", PHASE, name, PERSONAS)
    assert pinned.step is None
    assert pinned.fault is not None
    assert (pinned.fault.code, pinned.fault.hint) == ("ERR-STEP-003", "it is gone")


def test_one_step_with_the_id_of_another_is_still_a_fault(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md")
    tree.step("01-requirements/02-b.md", step_id='"01-01"')
    pinned = Library(tree.root).open_step("analysis", PHASE, "02-b.md", PERSONAS)
    assert pinned.fault is not None
    assert pinned.fault.code == "ERR-STEP-006"


# The agent file and phases


def test_the_agent_file_says_who_leads(tree: Tree) -> None:
    tree.agent()
    books = Library(tree.root)
    agent = books.read_agent("analysis")
    assert isinstance(agent, AgentFile)
    assert agent.name == "roundtable"
    assert [who.name for who in books.personas("analysis")] == ["Maya Chen", "Alex Rivera"]
    assert [phase.label for phase in books.phases("analysis")] == [
        "Requirements",
        "Impact Analysis",
    ]


def test_phases_are_those_of_the_agent_file_and_further_directories(tree: Tree) -> None:
    tree.agent()
    for name in ("10-last", "01-extra-round", "02-impact", "no-number", "1-short"):
        tree.phase(name)
    (tree.flow / "03-file").write_text("x")
    maya = PersonaKey("business-analyst")
    assert Library(tree.root).phases("analysis") == (
        Phase(PhaseKey("01-extra-round"), "Extra Round", maya, mapped=False),
        Phase(PhaseKey("01-requirements"), "Requirements", maya),
        Phase(PhaseKey("02-impact"), "Impact Analysis", PersonaKey("solutions-architect")),
        Phase(PhaseKey("10-last"), "Last", maya, mapped=False),
    )


def test_files_are_counted_for_each_phase(tree: Tree) -> None:
    tree.agent()
    tree.step("01-requirements/01-a.md")
    tree.file("01-requirements/02-b.md", b"")
    tree.phase("03-empty")
    assert Library(tree.root).count("analysis") == {
        "01-requirements": 2,
        "02-impact": 0,
        "03-empty": 0,
    }


def test_without_an_agent_file_the_phases_are_the_directories(tree: Tree) -> None:
    tree.phase("03-architecture")
    tree.phase("07-more")
    books = Library(tree.root)
    assert books.read_agent("analysis") == StepFault(
        "ERR-RT-001", "roundtable.md", "Roundtable agent file not found"
    )
    assert books.personas("analysis") == BUILT_IN
    assert books.phases("analysis") == (
        Phase(PhaseKey("03-architecture"), "Architecture", PersonaKey("solutions-architect")),
        Phase(PhaseKey("07-more"), "More", PersonaKey("business-analyst"), mapped=False),
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"---\nname: [\n---\n",
        b"---\npersonas: []\n---\n",
        b"---\nname: roundtable\n---\n",
        b"---\nname: roundtable\npersonas: [{key: maya}]\n---\n",
    ],
)
def test_a_corrupt_agent_file_is_the_same_with_a_warning(tree: Tree, content: bytes) -> None:
    (tree.flow / "roundtable.md").write_bytes(content)
    tree.phase("01-requirements")
    books = Library(tree.root)
    fault = books.read_agent("analysis")
    assert isinstance(fault, StepFault)
    assert (fault.code, fault.file) == ("ERR-RT-002", "roundtable.md")
    assert fault.message == (
        "Warning: Roundtable agent file has invalid format. "
        "Falling back to standard analysis agents."
    )
    assert books.personas("analysis") == BUILT_IN
    assert [phase.persona for phase in books.phases("analysis")] == ["business-analyst"]


def test_an_agent_file_that_is_a_link_to_nothing_is_corrupt(tree: Tree) -> None:
    (tree.flow / "roundtable.md").symlink_to("gone")
    fault = Library(tree.root).read_agent("analysis")
    assert isinstance(fault, StepFault)
    assert (fault.code, fault.hint) == ("ERR-RT-002", "it is a link to nothing")


@pytest.mark.parametrize("flow", ["gone", "..", "", "a/b", "a\0b", "x" * 300])
def test_a_flow_that_is_not_there_has_nothing(tree: Tree, flow: str) -> None:
    books = Library(tree.root)
    assert isinstance(books.read_agent(flow), StepFault)
    assert books.phases(flow) == ()
    assert books.count(flow) == {}
    found = books.open_phase(flow, PHASE, PERSONAS)
    assert found.fault is not None
    assert found.fault.code == "ERR-STEP-001"


# Remembering


def test_what_is_remembered_is_bounded(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "CACHED_FILES_MAX", 2)
    books = Library(tree.root)
    for number in range(1, 6):
        tree.step(f"01-requirements/{number:02d}-a.md")
    for _ in range(2):
        assert len(books.open_phase("analysis", PHASE, PERSONAS).pinned) == 5
    assert len(books._read) <= 2


def test_a_file_that_did_not_change_is_not_parsed_again(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.step("01-requirements/01-a.md")
    books = Library(tree.root)
    first = books.open_phase("analysis", PHASE, PERSONAS)
    monkeypatch.setattr("core.content.front_matter.load", None)
    assert books.open_phase("analysis", PHASE, PERSONAS) == first


# The steps that come with Roundtable


def test_the_steps_are_found_beside_the_packages() -> None:
    assert default_steps_dir() == Path(core.__file__).parent.parent / "steps"


def test_the_steps_are_found_inside_of_core_and_in_a_checkout_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "core"
    package.mkdir()
    monkeypatch.setattr(core, "__file__", str(package / "__init__.py"))
    assert default_steps_dir() == tmp_path / "steps"
    (tmp_path / "steps").mkdir()
    assert default_steps_dir() == tmp_path / "steps"
    (package / "steps").mkdir()
    assert default_steps_dir() == package / "steps"


# The short path


@pytest.mark.parametrize("question", ["Who needs this, and where?", " Warum? ", "誰ですか？"])
def test_a_step_may_have_one_question_for_the_short_path(tree: Tree, question: str) -> None:
    tree.step("01-requirements/01-a.md", short=f"'{question}'")
    (file,) = opened(tree).pinned
    assert file.step is not None
    assert file.step.short == question.strip()
    assert file.step.extra == {}


def test_whether_a_step_is_mandatory_is_true_or_false(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md", mandatory="true")
    tree.step("01-requirements/02-b.md", mandatory="perhaps")
    first, second = opened(tree).pinned
    assert first.step is not None
    assert first.step.mandatory
    assert second.fault is not None
    assert (second.fault.code, second.fault.field) == ("ERR-STEP-006", "mandatory")


def test_a_step_without_one_is_passed_over_by_the_short_path(tree: Tree) -> None:
    tree.step("01-requirements/01-a.md")
    tree.step("01-requirements/02-b.md", short="")
    assert [file.step.short for file in opened(tree).pinned if file.step] == [None, None]


@pytest.mark.parametrize(
    "value", ["No question.", "'Is it\n\n  one?'", "3", "true", "[Who?]", "''", "x" * 200 + "?"]
)
def test_what_is_no_single_question_is_a_bad_value(tree: Tree, value: str) -> None:
    tree.step("01-requirements/01-a.md", short=value)
    fault = only_fault(tree)
    assert (fault.code, fault.field) == ("ERR-STEP-006", "short")
    assert fault.hint == "one question in quotes, on one line of at most 200 characters"
