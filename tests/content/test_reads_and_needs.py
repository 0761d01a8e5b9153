"""What a step reads and needs is said by its file: front matter and tagged criteria."""

from pathlib import Path

import pytest

from core.content.check import Finding, check
from core.content.library import Library
from core.domain.ids import PersonaKey, PhaseKey
from core.domain.steps.criteria import NEEDS, Criterion, criteria_of
from core.domain.steps.playbook import Step
from tests.support.fakes import Thinking
from tests.support.harness import Harness, small_table
from tests.support.step_trees import BODY, Tree

PLACE = "01-requirements/01-a.md"
PERSONA = PersonaKey("business-analyst")


def only_step(tree: Tree) -> Step:
    (pinned,) = (
        Library(tree.root).open_phase("analysis", PhaseKey("01-requirements"), {PERSONA}).pinned
    )
    assert pinned.step is not None, pinned.fault
    return pinned.step


def found(tree: Tree) -> list[tuple[str, str | None, str | None]]:
    tree.agent()
    tree.step("02-impact/01-a.md", persona="solutions-architect")
    return [(one.code, one.field, one.value) for one in check(tree.root).faults]


def body_with(*criteria: str) -> str:
    return BODY.replace("- A reason.", "\n".join(criteria))


def test_a_step_without_them_is_given_every_claim_and_needs_none(tree: Tree) -> None:
    tree.step(PLACE)
    step = only_step(tree)
    assert (step.reads, step.needs) == (None, ())
    assert step.criteria == (Criterion("A reason."),)


def test_a_step_says_what_it_reads_and_needs(tree: Tree) -> None:
    tree.step(PLACE, reads='["01-02", "01-03", "01-02"]', needs="[risk, requirement, risk]")
    step = only_step(tree)
    assert step.reads == ("01-02", "01-03")
    assert step.needs == ("risk", "requirement")


def test_a_step_may_read_no_other_step(tree: Tree) -> None:
    tree.step(PLACE, reads="[]")
    assert only_step(tree).reads == ()


def test_a_criterion_may_name_the_kind_it_needs(tree: Tree) -> None:
    tree.step(PLACE, body_with("- A reason. (needs: requirement)", "- A sign", "  to stop."))
    assert only_step(tree).criteria == (
        Criterion("A reason.", "requirement"),
        Criterion("A sign to stop."),
    )


@pytest.mark.parametrize(
    ("text", "criteria"),
    [
        ("- One.\n* Two.\n+ Three.\n1. Four.", ["One.", "Two.", "Three.", "Four."]),
        ("Look for this:\n\n- One.\n\nOr this.", ["One."]),
        ("One.\nTwo. (needs: risk)", ["One.", "Two."]),
        ("- One.\n\nTwo. (needs: risk)", ["One.", "Two."]),
        ("- One\n  goes on (needs: risk)\n- Two", ["One goes on", "Two"]),
        ("- It says (needs: risk) in the middle.", ["It says (needs: risk) in the middle."]),
        ("", []),
    ],
)
def test_criteria_are_the_items_of_the_list_else_the_lines(text: str, criteria: list[str]) -> None:
    assert [criterion.text for criterion in criteria_of(text)] == criteria


@pytest.mark.parametrize("need", NEEDS)
def test_each_kind_of_the_closed_list_can_be_needed(need: str, tree: Tree) -> None:
    tree.step(PLACE, body_with(f"- A reason. (needs: {need})"), needs=f"[{need}]")
    step = only_step(tree)
    assert step.needs == (need,)
    assert step.criteria == (Criterion("A reason.", need),)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("reads", "[first]", "first"),
        ("reads", '"01-02"', "01-02"),
        ("reads", '["01-02", 7]', "7"),
        ("needs", "[wishes]", "wishes"),
        ("needs", "risk", "risk"),
        ("needs", "[[risk]]", "['risk']"),
        ("needs", "[Risk]", "Risk"),
    ],
)
def test_a_bad_value_is_a_fault(field: str, value: str, shown: str, tree: Tree) -> None:
    tree.step(PLACE, **{field: value})
    assert found(tree) == [("ERR-STEP-006", field, shown)]


def test_a_criterion_that_needs_an_unknown_kind_is_a_fault_with_the_list(tree: Tree) -> None:
    tree.agent()
    tree.step("02-impact/01-a.md", persona="solutions-architect")
    tree.step(PLACE, body_with("- A reason. (needs: wishes)"), title='""', needs="[hopes]")
    faults = check(tree.root).faults
    assert [(one.field, one.value) for one in faults] == [
        ("title", ""), ("needs", "hopes"), ("needs", "wishes"),
    ]  # fmt: skip
    assert faults[-1].message == (
        "Warning: Step file 01-a.md has invalid value for 'needs': 'wishes'. Skipping."
    )
    hint = faults[-1].hint or ""
    assert hint.startswith("a line of '## Validation' ends in (needs: kind), one of requirement")


def test_a_step_that_reads_an_unknown_one_is_noted_and_runs(tree: Tree) -> None:
    tree.agent()
    tree.step("02-impact/01-a.md", persona="solutions-architect", reads='["01-01"]')
    tree.step(PLACE, reads='["01-01", "07-07"]')
    report = check(tree.root)
    assert report.faults == ()
    assert report.notes == (
        Finding(
            "NOTE", "INFO", f"analysis/{PLACE}", "reads", "07-07",
            "It reads '07-07', and no step has this id. The step runs.",
        ),
    )  # fmt: skip


def test_people_never_see_the_tag_of_a_criterion(tree: Tree) -> None:
    """A file without a section for a depth is asked as a whole."""
    body = (
        "What is it?\n\n## Validation\n\n- A reason. (needs: risk)\n- Size (needs: a lot) said.\n"
    )
    tree.step(PLACE, body)
    text, fell_back = only_step(tree).prompt("deep")
    assert fell_back
    assert text == ("What is it?\n\n## Validation\n\n- A reason.\n- Size (needs: a lot) said.")


def test_a_tag_is_no_word_of_the_section_for_the_measures(tree: Tree) -> None:
    tree.agent()
    tree.step(PLACE, body_with("- A reason. (needs: risk)"))
    (measures,) = check(tree.root, strict=True).measures
    assert measures.steps[0].of("Validation").words == 2


# What the brain is given


@pytest.fixture
def brain() -> Thinking:
    return Thinking()


def answered(folder: Path, brain: Thinking, **fields: str) -> Harness:
    """Two requirements at one step, then one at the next, whose file has `fields`."""
    tree = Tree(folder / "steps")
    tree.agent()
    (tree.flow / "02-impact").mkdir()
    tree.step("01-requirements/06-wishes.md")
    tree.step("01-requirements/16-features.md", **fields)
    table = small_table(folder, tree=tree, brains={None: brain})
    table.start()
    table.say("1. It must export the page as a PDF.\n2. It must keep the filters.")
    table.click("continue")
    table.say("1. It must print the page on paper.")
    return table


def test_a_brain_is_given_the_claims_of_every_other_step(brain: Thinking, tmp_path: Path) -> None:
    answered(tmp_path, brain)
    assert {claim.step for claim in brain.asked[-1].claims} == {"01-06"}


def test_a_brain_is_given_the_claims_of_the_steps_that_are_read(
    brain: Thinking, tmp_path: Path
) -> None:
    answered(tmp_path, brain, reads='["01-06"]')
    assert {claim.step for claim in brain.asked[-1].claims} == {"01-06"}


def test_a_brain_is_not_given_what_its_step_does_not_read(brain: Thinking, tmp_path: Path) -> None:
    answered(tmp_path, brain, reads='["00-01"]')
    assert brain.asked[-1].claims == ()


def test_the_lines_of_steps_that_are_not_read_keep_their_names(
    brain: Thinking, tmp_path: Path
) -> None:
    table = answered(tmp_path, brain, reads="[]")
    refs = [claim.ref for claim in table.runtime.reader.claims(table.id) if claim.ref]
    assert refs == ["FR-001", "FR-002", "FR-003"]


# Both flows, and steps that were not there when Roundtable was started

FLOWS = {"analysis": "analysis", "inception/classic": "inception", "inception/party": "party"}


@pytest.mark.parametrize("folder", FLOWS)
@pytest.mark.parametrize(
    ("field", "value", "shown"), [("reads", "[first]", "first"), ("needs", "[wishes]", "wishes")]
)
def test_a_dropped_in_step_with_a_bad_value_is_a_fault_in_every_flow(
    folder: str, field: str, value: str, shown: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path / "steps", folder)
    tree.step(PLACE)
    library = Library(tree.root)

    def opened() -> list[tuple[str, str | None, str | None] | None]:
        pinned = library.open_phase(FLOWS[folder], PhaseKey("01-requirements"), {PERSONA}).pinned
        faults = [one.fault for one in pinned]
        return [fault and (fault.code, fault.field, fault.value) for fault in faults]

    assert opened() == [None]
    tree.step("01-requirements/02-b.md", **{field: value})
    assert opened() == [None, ("ERR-STEP-006", field, shown)]


@pytest.mark.parametrize("folder", FLOWS)
def test_a_renamed_step_keeps_what_it_reads_and_needs_in_every_flow(
    folder: str, tmp_path: Path
) -> None:
    tree = Tree(tmp_path / "steps", folder)
    fields = {"reads": '["00-01"]', "needs": "[risk]"}
    body = body_with("- A reason. (needs: data)")
    tree.step(PLACE, body, **fields).unlink()
    tree.step("09-later/07-renamed.md", body, **fields)
    (pinned,) = Library(tree.root).open_phase(FLOWS[folder], PhaseKey("09-later"), {PERSONA}).pinned
    assert pinned.step is not None
    assert (pinned.step.id, pinned.step.reads, pinned.step.needs) == (
        "09-07",
        ("00-01",),
        ("risk",),
    )
    assert pinned.step.criteria == (Criterion("A reason.", "data"),)


def test_a_step_dropped_into_the_tree_stands_in_the_design_summary(tmp_path: Path) -> None:
    """Its file under its phase, with a link, and what it decides among what is counted there."""
    tree = Tree(tmp_path / "steps")
    tree.agent()
    tree.step("01-requirements/06-wishes.md")
    review = {"persona": "solutions-architect", "outputs": "[design-summary.md]"}
    tree.step("02-impact/09-review.md", **review)
    table = small_table(tmp_path, tree=tree)
    table.start()
    body = body_with("- A risk is named. (needs: risk)").replace(
        "- `requirements-spec.md`", "- `glossary.md` (decides: risk)"
    )
    dropped_in = {"persona": "solutions-architect", "outputs": "[glossary.md]"}
    tree.step("02-impact/03-words.md", body, **dropped_in)
    table.answer("It must export the page as a PDF.")
    table.answer("The bank may block us.")
    table.answer("Nobody asked the bank yet.")
    assert table.prompts == ["01-06", "02-03", "02-09"]
    summary = (table.folder() / "design-summary.md").read_text()
    _, _, impact = summary.partition("#### Impact Analysis\n\n")
    assert impact.startswith("One risk.\n\n- [glossary.md](glossary.md)\n")
    assert "The bank may block us." in (table.folder() / "glossary.md").read_text()
