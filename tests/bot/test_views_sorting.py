"""The sorting form and its second one, within Slack's limits whatever was said."""

import pytest

from bot.devtools.workspace.blocks.limits import view_faults
from bot.views.private.sorting import LINES_A_PAGE, SortingPage, sorting_form, which_form
from bot.views.thread.sorted_lines import SortedLines, sorted_lines
from core.domain.answers import Claim, ClaimKind, LineRef
from core.domain.ids import AnswerId, StepId, UserId
from core.domain.lines import Correction
from tests.bot.test_views_differences import HOSTILE

STEP = StepId("01-06")
DEV = UserId("U2")
NAMES = {DEV: "dev"}


def line(number: int, text: str, kind: ClaimKind = "fact", **data: str) -> Claim:
    ref = f"FR-{number:03d}" if kind == "requirement" else None
    source = AnswerId(f"C:{number}.000001")
    return Claim(f"{STEP}/{number}", STEP, kind, text, (source,), ref=ref, data=data)


@pytest.mark.parametrize("text", ["Shop owners.", "x" * 40_000, "", *HOSTILE])
def test_the_forms_are_within_slacks_limits(text: str) -> None:
    kinds: tuple[ClaimKind, ...] = ("requirement", "story", "check", "note")
    lines = [line(n, text, kinds[n % 4], of="FR-001") for n in range(200)]
    said = [f"said by {text[:100]}"] * len(lines)
    for page in range(5):
        shown = SortingPage(lines, said, "0a1b2c3d", page, note="The lines changed.")
        assert view_faults(sorting_form(shown, metadata="s1 01-06 C1 1.0 0a1b2c3d 0 ")) == []
    asked = [(n, lines[n], "check") for n in range(90)]
    candidates = dict.fromkeys(range(90), lines)
    assert view_faults(which_form(asked, candidates, "0a1b2c3d", metadata="s1")) == []


def test_every_line_of_every_page_has_a_field_of_its_own() -> None:
    lines = [line(n, f"line {n}") for n in range(95)]
    names = [
        block["block_id"]
        for page in range(3)
        for block in sorting_form(
            SortingPage(lines, ["said by dev"] * 95, "0a1b2c3d", page), metadata=""
        )["blocks"]
        if block["type"] == "input" and ":then:" not in block["block_id"]
    ]
    assert names == [f"0a1b2c3d:{number}" for number in range(95)]
    assert LINES_A_PAGE == 40


def test_the_fold_says_who_sorted_what_and_what_is_no_longer_said() -> None:
    hold = line(1, "hold a slot", "requirement", sorted_by=DEV)
    check = line(2, "hold one twice", "check", of="FR-001")
    gone = Correction(STEP, LineRef(AnswerId("C:3.000001"), "secret plan"), "risk", DEV, 1.0)
    fold = sorted_lines(SortedLines([hold, check], lapsed=[gone]), 1_400, NAMES)
    assert fold is not None
    assert fold.title == "Sorted: 1 requirement · 1 check"
    assert list(fold.lines) == [
        "Requirement (sorted by dev): FR-001 hold a slot",
        "Check of FR-001: hold one twice",
        "No longer said: a line that dev had sorted as risk",
    ]


def test_of_lines_of_one_sort_the_title_alone_says_which_and_code_goes_without_its_fence() -> None:
    calls = [
        line(1, "```\nGET /slots -> 200\n```", "interface"),
        line(2, "amounts are text", "interface", sorted_by=DEV),
    ]
    fold = sorted_lines(SortedLines(calls), 1_400, NAMES)
    assert fold is not None
    assert fold.title == "Sorted: 2 interfaces"
    assert list(fold.lines) == [
        "GET /slots -> 200",
        "Interface (sorted by dev): amounts are text",
    ]


def test_of_a_requirement_nobody_reads_that_it_was_also_said() -> None:
    asked, told = line(1, "it shows the red ones", "requirement"), line(1, "it shows the red ones")
    error, aside = line(1, "it shows the red ones", "error"), line(2, "no essay")
    fold = sorted_lines(SortedLines([asked, told, error, aside]), 1_400, NAMES)
    assert fold is not None
    assert fold.title == "Sorted: 1 requirement · 1 error · 1 also said"
    assert list(fold.lines) == [
        "Requirement, error: FR-001 it shows the red ones",
        "Also said: no essay",
    ]


def test_the_fold_says_about_which_line_somebody_was_asked() -> None:
    reply = line(2, "working days", "note", of="FR-001", answers="unit")
    fold = sorted_lines(SortedLines([line(1, "hold", "requirement"), reply]), 1_400, NAMES)
    assert fold is not None
    assert fold.lines[-1] == "Aside, on FR-001: working days"


def test_what_the_step_asks_for_stands_first() -> None:
    decided, must = line(1, "csv goes first", "decision"), line(2, "FR-001 must", "priority")
    fold = sorted_lines(SortedLines([decided, must], asked_for=["priority"]), 1_400, NAMES)
    assert fold is not None
    assert fold.title == "Sorted: 1 priority · 1 decision"
    assert "FR-001 must" in fold.lines[0]
