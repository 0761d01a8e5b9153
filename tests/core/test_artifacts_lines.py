"""Checks, exclusions, asides, and lines that another one stands in place of, as files show them."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from core.artifacts.compose.layouts import sections
from core.artifacts.document import words
from core.domain.answers import Answer, Claim, ClaimKind, Draft, LineRef
from core.domain.ids import StepId
from core.domain.lines import standing
from tests.core.test_scripted import PRIYA, SAM, answer, request, shipped
from tests.support.artifact_checker_formats import against
from tests.support.composing import compose

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
SPEC, STORIES = "requirements-spec.md", "user-stories.json"
NO_CHECK = words.text("no_check")


def line(
    number: int,
    kind: ClaimKind,
    text: str,
    *,
    step: str = "01-06",
    said: int | None = None,
    ref: str | None = None,
    replaces: Iterable[Claim] = (),
    **data: str,
) -> Claim:
    """A claim of the step's answer with the same number, or of another one."""
    return Claim(
        f"{step}/{number}",
        StepId(step),
        kind,
        text,
        (answer(step, said or number, text).id,),
        ref=ref,
        data=data,
        supersedes=tuple(LineRef(old.sources[0], old.text) for old in replaces),
    )


def file_of(file: str, *claims: Claim, step: str = "01-06", earlier: Iterable[Claim] = ()) -> str:
    """The file after a step with these claims, each said in a message of its own."""
    said = [(PRIYA if n % 2 else SAM, claim.text) for n, claim in enumerate(claims, start=1)]
    asked = request(
        step,
        *said,
        outputs=(file,),
        claims=tuple(earlier),
        other_answers=tuple(_answers(earlier)),
    )
    return compose(file, "A title", "a-title", sections(asked, Draft("", claims)), None)


def _answers(claims: Iterable[Claim]) -> Iterable[Answer]:
    for claim in claims:
        yield answer(claim.step, int(claim.id.partition("/")[2]), claim.text)


HOLD = line(1, "requirement", "hold a slot for ten minutes", ref="FR-001")
MUST = line(9, "priority", "hold: must", step="01-08", requirement="FR-001", priority="must")


def test_a_check_stands_below_the_line_it_is_of_with_who_said_it() -> None:
    check = line(2, "check", "a held slot shows as taken", ref="AC-001", of="FR-001")
    text = file_of(SPEC, HOLD, check)
    assert "  - Accepted when: **AC-001** a held slot shows as taken — said by Sam (" in text
    assert text.count("a held slot shows as taken") == 1


def test_a_check_of_a_line_of_another_step_stands_at_both() -> None:
    check = line(1, "check", "a held slot shows as taken", step="01-07", of="FR-001")
    assert "a held slot shows as taken — said" in file_of(SPEC, HOLD, earlier=(check,))
    text = file_of(SPEC, check, step="01-07", earlier=(HOLD,))
    assert "- a held slot shows as taken — said by Priya" in text
    assert "  - Checks: FR-001\n" in text


def test_a_check_of_which_nobody_said_what_it_checks_says_so() -> None:
    text = file_of(SPEC, HOLD, line(2, "check", "the list reloads in a second"))
    assert "### Acceptance checks\n\n- the list reloads in a second — said by Sam" in text
    assert f"  - {words.text('checks_nothing')}\n" in text


def test_a_must_without_a_check_says_that_nobody_said_how_to_check_it() -> None:
    assert f"  - {NO_CHECK}\n" in file_of(SPEC, HOLD, earlier=(MUST,))


def test_a_requirement_that_nobody_ranked_says_so_too() -> None:
    assert f"  - {NO_CHECK}\n" in file_of(SPEC, HOLD)


def test_a_line_that_people_ranked_lower_says_nothing_of_checks() -> None:
    should = line(
        9, "priority", "hold: should", step="01-08", requirement="FR-001", priority="should"
    )
    assert NO_CHECK not in file_of(SPEC, HOLD, earlier=(should,))


@pytest.mark.parametrize("of", ["FR-001", "US-001", "FR-004, FR-001"])
def test_a_must_has_a_check_of_its_own_or_of_the_story_that_people_linked(of: str) -> None:
    story = line(1, "story", "a guest, FR-001", step="01-07", ref="US-001", requirements="FR-001")
    check = line(2, "check", "a held slot shows as taken", step="01-07", of=of)
    assert NO_CHECK not in file_of(SPEC, HOLD, earlier=(MUST, story, check))


def test_a_check_that_is_replaced_is_none() -> None:
    check = line(2, "check", "a held slot shows as taken", of="FR-001")
    aside = line(3, "note", "no idea how to test that", replaces=[check])
    text = file_of(SPEC, HOLD, check, aside, earlier=(MUST,))
    assert f"  - {NO_CHECK}\n" in text
    assert "- ~~a held slot shows as taken~~ — said by Sam" in text


def test_a_story_has_its_checks() -> None:
    story = line(1, "story", "a guest books", step="01-07", ref="US-001")
    check = line(2, "check", "the mail comes", step="01-07", of="US-001, FR-001")
    (entry,) = json.loads(file_of(STORIES, story, check, step="01-07"))["stories"]
    assert entry["acceptance_criteria"] == ["the mail comes"]


def test_an_exclusion_stands_out_of_scope_at_the_end_of_the_file() -> None:
    text = file_of(SPEC, HOLD, line(2, "exclusion", "no waiting list in v1"))
    assert "## Out of Scope\n\n- **Scope Estimation:** no waiting list in v1 — said by Sam" in text
    assert words.text("nothing_excluded") not in text


def test_an_aside_stands_under_a_name_of_its_own() -> None:
    text = file_of(SPEC, HOLD, line(2, "note", "back in 10"))
    assert f"### {words.GROUPS['note']}\n\n- back in 10 — said by Sam" in text


FIVE = line(2, "requirement", "hold it for five minutes", ref="FR-002", replaces=[HOLD])


def test_a_requirement_that_was_changed_shows_its_new_words_and_the_old_ones_struck_below() -> None:
    text = file_of(SPEC, HOLD, FIVE)
    now, before, *_ = (row for row in text.splitlines() if "hold " in row)
    assert now.startswith("- **FR-002** hold it for five minutes — said by Sam ([message](")
    assert before.startswith("  - **FR-001** ~~hold a slot for ten minutes~~ — said by Priya (")
    assert "*(changed by Sam)* (2023-11-14T" in before
    assert "+00:00)" in before
    assert text.count("hold a slot for ten minutes") == 1


@pytest.mark.parametrize("kind", ["note", "fact"])
def test_what_somebody_said_in_passing_stands_as_the_new_words_under_the_old_name(
    kind: ClaimKind,
) -> None:
    text = file_of(SPEC, HOLD, line(2, kind, "five, please", replaces=[HOLD]))
    assert "- **FR-001** five, please — said by Sam (" in text
    assert "  - **FR-001** ~~hold a slot for ten minutes~~ — said by Priya (" in text
    assert text.count("five, please") == 1


def test_the_words_of_a_later_step_stand_where_the_requirement_stood() -> None:
    later = line(1, "decision", "five minutes", step="03-02", ref="ADR-001", replaces=[HOLD])
    text = file_of(SPEC, HOLD, earlier=(later,))
    assert "- **ADR-001** five minutes — said by" in text
    assert "  - **FR-001** ~~hold a slot for ten minutes~~" in text


@pytest.mark.parametrize(
    ("again", "is_alike"),
    [
        ("a slot is held for the ten minutes that somebody needs", True),
        ("a held slot lasts ten minutes", True),
        ("hold a parcel for ten days", False),
        ("the slot is blue", False),
    ],
)
def test_a_requirement_that_somebody_says_again_names_the_one_with_its_words(
    again: str, is_alike: bool
) -> None:
    hold = line(1, "requirement", "held slot, for ten minutes", ref="FR-001")
    later = line(1, "requirement", again, step="03-02", ref="FR-002")
    text = file_of(SPEC, later, step="03-02", earlier=(hold,))
    assert ("Nearly the same words as FR-001: the same rule?" in text) is is_alike


def test_the_items_of_one_list_are_not_the_same_rule() -> None:
    texts = ("the list shows free slots today", "the list shows free slots tomorrow")
    one, other = (
        line(n, "requirement", text, said=1, ref=f"FR-00{n}")
        for n, text in enumerate(texts, start=1)
    )
    assert "Nearly the same" not in file_of(SPEC, one, other)


def test_of_three_wordings_the_last_one_holds() -> None:
    two = line(3, "requirement", "hold it for two minutes", ref="FR-003", replaces=[FIVE])
    text = file_of(SPEC, HOLD, FIVE, two)
    rows = [row.partition(" —")[0] for row in text.splitlines() if "hold " in row]
    assert rows == [
        "- **FR-003** hold it for two minutes",
        "  - **FR-001** ~~hold a slot for ten minutes~~",
        "  - **FR-002** ~~hold it for five minutes~~",
    ]


def test_what_was_read_twice_or_changed_together_stands_once_with_its_new_words() -> None:
    twin = line(1, "data", HOLD.text)
    other = line(2, "requirement", "hold it for a day", ref="FR-002")
    later = line(3, "decision", "five minutes", ref="ADR-001", replaces=[HOLD, other])
    text = file_of(SPEC, HOLD, replace(twin, id="01-06/9"), other, later)
    assert text.count("- **ADR-001** five minutes") == 2  # as the requirement and as the decision
    assert text.count("  - **FR-001** ~~hold a slot for ten minutes~~") == 2


def test_a_requirement_that_is_left_out_instead_stays_struck_through_with_by_what() -> None:
    out = line(2, "exclusion", "no holding in v1", replaces=[HOLD])
    text = file_of(SPEC, HOLD, out)
    assert "- **FR-001** ~~hold a slot for ten minutes~~ — said by Priya (" in text
    replaced = "  - Replaced by: no holding in v1 (2023-11-14T"
    assert replaced in text
    assert "+00:00) — said by Sam ([message](" in text[text.index(replaced) :]


def test_a_rank_of_a_requirement_that_was_changed_stands_beside_its_new_words() -> None:
    text = file_of(SPEC, MUST, step="01-08", earlier=(HOLD, FIVE))
    assert "| FR-002 hold it for five minutes | must |" in text


def test_a_rank_that_was_changed_at_a_later_step_stands_where_requirements_are_ranked() -> None:
    final = line(
        3, "priority", "FR-001 could, final", step="04-05", requirement="FR-001",
        priority="could", replaces=[MUST],
    )  # fmt: skip
    asked = request("01-08", MUST.text, claims=(HOLD, final), other_answers=_answers((HOLD, final)))
    asked = replace(asked, step=next(step for step in shipped() if step.id == asked.step.id))
    text = compose(SPEC, "A title", "a-title", sections(asked, Draft("", (MUST,))), None)
    assert "| FR-001 hold a slot for ten minutes | could | FR-001 could, final |" in text
    assert "| must |" not in text


def test_what_only_says_that_a_line_is_none_takes_it_out() -> None:
    none = line(2, "note", "FR-001 is not a requirement", replaces=[HOLD], removes="FR-001")
    text = file_of(SPEC, HOLD, none)
    assert "  - Taken out: FR-001 is not a requirement (2023-11-14T" in text
    assert "Replaced by" not in text


def test_what_is_replaced_is_neither_ranked_nor_linked_nor_counted() -> None:
    story = line(3, "story", "a guest, FR-001", step="01-07", ref="US-001", requirements="FR-001")
    matrix = file_of("traceability-matrix.csv", MUST, step="01-08", earlier=(HOLD, FIVE, story))
    assert "FR-001" not in [row.split(",")[0] for row in matrix.splitlines()]
    summary = file_of("design-summary.md", step="04-05", earlier=(HOLD, FIVE))
    assert "One requirement," in summary
    assert "FR-001" not in summary


def test_signs_in_a_struck_line_close_nothing() -> None:
    odd = line(1, "note", "~~ no ~~ tilde ~")
    later = line(2, "note", "a tilde after all", replaces=[odd])
    assert "- ~~\\~\\~ no \\~\\~ tilde \\~~~ — said" in file_of(SPEC, odd, later)


def test_a_proposed_line_says_so_and_is_no_decision_yet() -> None:
    idea = Claim("03-02/1", StepId("03-02"), "decision", "use a queue", (), "proposed", "ADR-001")
    assert "use a queue *(proposed)*" in file_of(SPEC, idea)
    assert "use a queue" not in file_of("design-summary.md", step="04-05", earlier=(idea,))


def test_what_stands_in_place_of_each_other_leaves_one() -> None:
    assert standing((HOLD, FIVE)) == (FIVE,)


@pytest.mark.parametrize(
    ("file", "kind"), [("user-stories.json", "story"), ("interface-spec.yaml", "interface")]
)
def test_a_file_of_data_lists_what_was_replaced_with_who_said_so_and_when(
    file: str, kind: ClaimKind
) -> None:
    old = line(1, kind, "a guest books by phone", ref="US-001")
    newer = line(2, kind, "a guest books by mail", ref="US-002", replaces=[old])
    value = yaml.safe_load(file_of(file, old, newer))
    schema = json.loads((SCHEMAS / f"{Path(file).stem}.schema.json").read_text())
    assert list(against(schema, value)) == []
    (row,) = value["replaced"]
    assert (row["id"], row["text"]) == ("US-001", "a guest books by phone")
    assert [source["by"] for source in row["sources"]] == ["Priya"]
    by = row["replaced_by"]
    assert (by["id"], by["text"]) == ("US-002", "a guest books by mail")
    assert [source["by"] for source in by["sources"]] == ["Sam"]
    assert by["at"].startswith("2023-11-14T")
    assert "replaced" not in yaml.safe_load(file_of(file, newer))
