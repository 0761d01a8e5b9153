"""The library reads a party from its file, and its classic mode like any other flow."""

import os
from pathlib import Path

import pytest

from core.content.files import FILE_BYTES_MAX
from core.content.library import Library, OpenedPhase
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.party import Party, PartyPhase
from core.domain.steps.playbook import BUILT_IN, AgentFile, Phase, StepFault
from tests.content.parties import classic_step, parsed, party_tree, persona, put, whole
from tests.support.step_trees import AGENT, Tree

LEAD = PersonaKey("lead")
VISION = PhaseKey("01-vision")
MISSING = StepFault("ERR-RT-001", "party.yaml", "Roundtable agent file not found")


@pytest.fixture
def party(tmp_path: Path) -> Tree:
    return party_tree(tmp_path / "steps")


def fault_of(tree: Tree) -> StepFault:
    found = Library(tree.root).read_party()
    assert isinstance(found, StepFault)
    return found


# The file


def test_the_party_is_what_its_file_says(party: Tree) -> None:
    assert Library(party.root).read_party() == parsed(whole())


def test_the_party_that_comes_with_a_changed_file_is_there_at_once(party: Tree) -> None:
    books = Library(party.root)
    assert isinstance(books.read_party(), Party)
    front = whole()
    front["name"] = "another"
    put(party, front)
    found = books.read_party()
    assert isinstance(found, Party)
    assert found.name == "another"


def test_a_party_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert Library(tmp_path).read_party() == MISSING
    tree = Tree(tmp_path, "inception")
    assert Library(tmp_path).read_party() == MISSING
    tree.agent(AGENT)  # an agent file does not make a party
    assert Library(tmp_path).read_party() == MISSING
    assert Library(tmp_path).read_agent("inception") == MISSING


def test_every_problem_of_the_file_is_told(party: Tree) -> None:
    front = whole()
    front["personas"][0]["icon"] = "gear"
    front["phases"][0]["max_messages"] = 11
    put(party, front)
    found = Library(party.root).inspect_party()
    assert isinstance(found, tuple)
    assert [fault.field for fault in found] == ["personas[1].icon", "phases[1].max_messages"]
    assert fault_of(party) == found[0]


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"", "it is empty"),
        (b"- a\n- b\n", "it is not a mapping"),
        (b"name: \xff\n", "it is not valid UTF-8"),
        (b"name: [\n", "line 2: did not find expected node content"),
        (b"name: a\nname: b\n", "line 1: a key stands twice"),
        (b"name: a\npersonas:\n  - key: b\n    key: c\n", "line 3: a key stands twice"),
        (b"name: !!python/object:os.system x\n", None),
        (b"name: " + b"[" * 30 + b"]" * 30, "it is nested more than 20 levels deep"),
        (
            b"a: &a [x]\n" + b"".join(b"b%d: *a\n" % number for number in range(11)),
            "it has more than 10 aliases",
        ),
        (b"x" * (FILE_BYTES_MAX + 1), "it is larger than 256 KiB"),
    ],
)
def test_a_corrupt_file_is_refused_as_a_whole(
    party: Tree, content: bytes, hint: str | None
) -> None:
    (party.flow / "party.yaml").write_bytes(content)
    fault = fault_of(party)
    assert (fault.code, fault.file, fault.field) == ("ERR-RT-002", "party.yaml", None)
    assert fault.hint == hint or hint is None
    assert fault.message == (
        "Warning: Roundtable agent file has invalid format. "
        "Falling back to standard analysis agents."
    )


def test_a_byte_order_mark_windows_line_ends_and_a_document_start_are_read(party: Tree) -> None:
    path = party.flow / "party.yaml"
    text = "\ufeff---\n" + path.read_text(encoding="utf-8")
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert Library(party.root).read_party() == parsed(whole())


def test_a_link_out_of_the_tree_is_not_followed(party: Tree, tmp_path: Path) -> None:
    path = party.flow / "party.yaml"
    path.rename(tmp_path / "outside.yaml")
    path.symlink_to(tmp_path / "outside.yaml")
    assert fault_of(party).hint == "it leads out of the folder of steps"


def test_a_pipe_that_calls_itself_a_party_does_not_make_us_wait(party: Tree) -> None:
    path = party.flow / "party.yaml"
    path.unlink()
    os.mkfifo(path)
    assert fault_of(party).hint == "it is not a file"


# The classic mode


def test_the_classic_mode_is_a_flow_with_the_personas_of_the_party(party: Tree) -> None:
    books = Library(party.root)
    agent = books.read_agent("inception")
    assert isinstance(agent, AgentFile)
    assert agent.name == "test-party"
    assert agent.personas == parsed(whole()).personas == books.personas("inception")


def test_the_lead_leads_every_phase_of_the_classic_mode(party: Tree) -> None:
    classic_step(party, "10-more-talk/01-a.md")
    (party.flow / "classic" / "notes").mkdir()
    books = Library(party.root)
    assert books.phases("inception") == (
        Phase(VISION, "Vision", LEAD),
        Phase(PhaseKey("02-plan"), "The Plan", LEAD),
        Phase(PhaseKey("10-more-talk"), "More Talk", LEAD),
    )
    assert books.count("inception") == {"01-vision": 1, "02-plan": 0, "10-more-talk": 1}


def test_a_phase_of_the_classic_mode_opens_with_its_steps(party: Tree) -> None:
    classic_step(party, "01-vision/02-b.md", persona="ann")
    classic_step(party, "01-vision/03-c.md", persona="business-analyst")
    books = Library(party.root)
    keys = {one.key for one in books.personas("inception")}
    opened = books.open_phase("inception", VISION, keys)
    assert opened.fault is None
    assert [(one.file, one.step.persona if one.step else None) for one in opened.pinned] == [
        ("01-a.md", "lead"),
        ("02-b.md", "ann"),
        ("03-c.md", None),
    ]
    again = books.open_step("inception", VISION, "01-a.md", keys)
    assert again == opened.pinned[0]
    assert [one.name for one in books.step_files("inception")] == ["01-a.md", "02-b.md", "03-c.md"]


def test_a_phase_without_a_directory_is_told_as_in_any_flow(party: Tree) -> None:
    opened = Library(party.root).open_phase("inception", PhaseKey("02-plan"), {LEAD})
    assert opened.fault is not None
    assert opened.fault.code == "ERR-STEP-001"


def test_directories_beside_the_classic_mode_are_no_phases(party: Tree) -> None:
    party.step("01-vision/09-beside.md", persona="lead")
    party.step("09-beside/01-a.md", persona="lead")
    books = Library(party.root)
    assert [one.key for one in books.phases("inception")] == ["01-vision", "02-plan"]
    assert [one.name for one in books.step_files("inception")] == ["01-a.md"]


def test_a_classic_mode_that_is_a_link_out_of_the_tree_is_not_there(
    party: Tree, tmp_path: Path
) -> None:
    (party.flow / "classic").rename(tmp_path / "outside")
    (party.flow / "classic").symlink_to(tmp_path / "outside")
    books = Library(party.root)
    assert list(books.step_files("inception")) == []
    found = books.open_phase("inception", VISION, {LEAD})
    assert found == OpenedPhase((), found.fault)
    assert found.fault is not None


def test_without_a_usable_party_the_phases_are_the_directories(party: Tree) -> None:
    (party.flow / "party.yaml").write_text("name: [")
    books = Library(party.root)
    assert books.personas("inception") == BUILT_IN
    assert [(one.key, one.persona) for one in books.phases("inception")] == [("01-vision", LEAD)]
    assert len(list(books.step_files("inception"))) == 1


def test_a_party_file_beside_an_agent_file_changes_nothing(tree: Tree) -> None:
    tree.agent()
    tree.step("01-requirements/01-a.md")
    put(tree, whole())
    books = Library(tree.root)
    assert not books.has_party("analysis")
    assert [one.name for one in books.personas("analysis")] == ["Maya Chen", "Alex Rivera"]
    assert len(list(books.step_files("analysis"))) == 1


def test_a_flow_of_another_name_may_have_a_party(tmp_path: Path) -> None:
    tree = party_tree(tmp_path, flow="second")
    books = Library(tree.root)
    assert books.read_party("second") == parsed(whole())
    assert [one.name for one in books.step_files("second")] == ["01-a.md"]


def test_a_persona_added_to_the_file_sits_at_the_table(party: Tree) -> None:
    front = whole()
    front["personas"].append(persona("fay", "02-plan", produces=["risks.md"], checks=["Risks."]))
    front["phases"][1] |= {
        "personas": ["fay", "dan", "eve"],
        "outputs": ["plan.md", "tests.md", "risks.md"],
    }
    put(party, front)
    found = Library(party.root).read_party()
    assert isinstance(found, Party)
    phase = found.phase(PhaseKey("02-plan"))
    assert isinstance(phase, PartyPhase)
    assert phase.members == ("fay", "dan", "eve")
    assert found.personas[-1].name == "Fay"
