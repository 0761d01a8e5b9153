"""The pages about the party say what the code does, and their examples work."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

import core
from bot.cli.steps.command import app
from core.content.check import COUNCIL_MEMBERS, check
from core.content.library import Library, default_steps_dir
from core.content.models import party as form
from core.content.models import party_rules as rules
from core.content.models.values import SHORT_CHARS_MAX, TITLE_CHARS_MAX
from core.domain.ids import PhaseKey
from core.domain.party import PROTOCOLS, Party
from tests.support.step_trees import Tree

DOCS = Path(core.__file__).parent.parent / "docs"
PAGE = (DOCS / "reference" / "steps.md").read_text(encoding="utf-8")
SECTION = PAGE.split("\n## The party file\n")[1].split("\n## ")[0]
GUIDE = (DOCS / "how-to" / "write-a-party.md").read_text(encoding="utf-8")
PERSONA, MEMBERS, PHASE = re.findall(r"^```yaml\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
SHIPPED = (default_steps_dir() / "inception" / "party.yaml").read_text(encoding="utf-8")


def edited(tree: Tree, text: str) -> Party:
    (tree.flow / "party.yaml").write_text(text, encoding="utf-8")
    found = Library(tree.root).read_party()
    assert isinstance(found, Party), found
    return found


@pytest.fixture
def inception(tmp_path: Path) -> Tree:
    """The shipped steps of the party, without their file."""
    tree = Tree(tmp_path / "steps", "inception")
    shutil.copytree(default_steps_dir() / "inception" / "party", tree.flow / "party")
    return tree


def test_the_persona_of_the_guide_takes_its_seat(inception: Tree) -> None:
    text = SHIPPED.replace("\nphases:\n", f"\n{PERSONA}\nphases:\n")
    old = next(line for line in text.splitlines() if line.startswith("    personas: [product-"))
    text = text.replace(f"{old}\n", MEMBERS)
    party = edited(inception, text)
    assert [one.persona.name for one in party.members_of(PhaseKey("01-vision-council"))] == [
        "Nadia", "Oscar", "Tessa", "Ines",
    ]  # fmt: skip
    assert check(inception.root, strict=True).faults == ()
    shared = {one.key for one in party.members[1].questions} & {
        one.key for one in party.members[-1].questions
    }
    assert shared == {"rules"}


def test_a_persona_in_the_wrong_phase_is_told_as_the_guide_shows(inception: Tree) -> None:
    wrong = PERSONA.replace("phase: 01-vision-council", "phase: 02-stack-debate")
    text = SHIPPED.replace("\nphases:\n", f"\n{wrong}\nphases:\n")
    old = next(line for line in text.splitlines() if line.startswith("    personas: [product-"))
    (inception.flow / "party.yaml").write_text(text.replace(f"{old}\n", MEMBERS))
    output = CliRunner().invoke(app, ["check", str(inception.root)]).output
    shown = GUIDE.split("```\ninception/party.yaml\n")[1].split("```")[0]
    assert shown in output


def test_the_phase_of_the_guide_has_every_field() -> None:
    (phase,) = yaml.safe_load(PHASE)
    assert list(phase) == list(form.PhaseFields.model_fields)
    assert phase["protocol"] in PROTOCOLS


def test_the_step_of_the_guide_is_one_that_a_council_can_ask(inception: Tree) -> None:
    (phase,) = yaml.safe_load(PHASE)
    step = GUIDE.split("```markdown\n")[1].split("```")[0]
    place = inception.flow / "party" / phase["key"] / "01-plan.md"
    place.parent.mkdir()
    place.write_text(step)
    keys = phase["personas"]
    front = yaml.safe_load(SHIPPED)
    front["personas"] += [
        front["personas"][3] | {"key": key, "name": key, "phase": phase["key"]} for key in keys
    ]
    front["phases"].append(phase)
    edited(inception, json.dumps(front))
    assert check(inception.root, strict=True).faults == ()
    shutil.rmtree(place.parent)
    (fault,) = check(inception.root, strict=True).faults
    assert (fault.code, fault.file) == ("ERR-STEP-001", f"inception/party/{phase['key']}")


def test_every_field_is_described() -> None:
    described = set(re.findall(r"`([a-z_]+)`", SECTION))
    for model in (
        form.PartyFields, form.MemberFields, form.QuestionFields, form.PhaseFields,
        form.ClassicFields,
    ):  # fmt: skip
        assert set(model.model_fields) <= described


def test_every_protocol_is_described_with_what_it_needs() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| (.+?) \|", SECTION, re.MULTILINE)
    assert rows == [
        (key, asked.type, ", ".join(f"`{need}`" for need in asked.needs))
        for key, asked in PROTOCOLS.items()
    ]


def test_the_limits_are_the_ones_of_the_code() -> None:
    for words in (
        f"A list of 1 to {rules.PERSONAS_MAX} personas",
        f"A list of 1 to {form.PHASES_MAX} phases",
        f"at most {form.QUESTIONS_MAX}, each with",
        f"on one line of at most {SHORT_CHARS_MAX} characters",
        f"a list of at most {form.ITEMS_MAX} lines",
        f"A line has 1 to {SHORT_CHARS_MAX} characters",
        f"one line of 1 to {TITLE_CHARS_MAX} characters",
        f"{rules.PARALLEL_MEMBERS_MIN} to {rules.MEMBERS_MAX} in a parallel phase",
        f"1 to {rules.MEMBERS_MAX} in a sequential one",
        f"Fewer than {COUNCIL_MEMBERS} in a parallel phase are a note",
        f"a whole number from 1 to {form.MESSAGES_MAX}",
        f"Phase key → label, 1 to {form.PHASES_MAX}",
    ):
        assert words in SECTION
