"""What the page on adding a step, a persona and a phase says is done as it stands there."""

import re
from pathlib import Path

import pytest

from tests.test_operating import HOW_TO, blocks, path, type_in

pytestmark = pytest.mark.whole

PAGE = "grow-the-team.md"
AGENT_FILE = Path("my-steps", "analysis", "roundtable.md")
STEP = Path("my-steps", "analysis", "05-rollout", "01-going-out.md")
GLOSSARY = Path("my-steps", "glossary.yaml")
HERE = "export ROUNDTABLE_STEPS_DIR=$PWD/my-steps\n"

__all__ = ["path"]  # the fixture


@pytest.fixture
def grown(tmp_path: Path, path: str) -> Path:
    """A folder in which somebody has done what the page says."""
    (begin,) = blocks(PAGE)[""]
    assert "42 steps: all is well." in type_in(tmp_path, path, begin)
    page = (HOW_TO / PAGE).read_text()
    persona, phase, glossary = re.findall(r"^```yaml\n(.*?)^```$", page, re.M | re.S)
    (step,) = re.findall(r"^```markdown\n(.*?)^```$", page, re.M | re.S)
    agents = tmp_path / AGENT_FILE
    before, front, after = agents.read_text().split("---\n", 2)
    front = front.replace("phases:\n", f"{persona}phases:\n") + phase
    agents.write_text(f"{before}---\n{front}---\n{after}")
    (tmp_path / STEP).parent.mkdir()
    (tmp_path / STEP).write_text(step)
    (tmp_path / GLOSSARY).write_text(glossary)
    return tmp_path


def test_a_step_a_persona_and_a_phase_are_added_as_the_page_says(grown: Path, path: str) -> None:
    (look,) = blocks(PAGE)["Look at it"]
    said = type_in(grown, path, HERE + look)
    assert "46 files, 43 steps: all is well." in said
    assert "05-01  Going Out  (release-manager, standard)  rollout-plan.md" in said


def test_a_broken_step_is_told_in_the_words_of_the_page(grown: Path, path: str) -> None:
    step = grown / STEP
    step.write_text(step.read_text().replace("persona: ", "persona ", 1))
    (told,) = re.findall(r"^```text\n(.*?)^```$", (HOW_TO / PAGE).read_text(), re.M | re.S)
    assert told in type_in(grown, path, HERE + "roundtable steps check || test $? = 1")
    said = type_in(grown, path, HERE + "roundtable doctor --offline || test $? = 1")
    assert re.search(r"warn +step tree +46 files, 42 steps, 1 fault", said)
