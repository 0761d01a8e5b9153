"""What each figure counts, on small records made by hand."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.devtools.play.script.when_asked import RepliesWhenAsked, TapsWhenAsked
from core.domain.answers import LineRef
from core.domain.ids import AnswerId
from tests.facilitation.figures import Figure, as_text, gate_text, in_sum
from tests.facilitation.hand_made import (
    HOLD,
    MOVE,
    answer,
    asked,
    claim,
    counted,
    every_figure,
    figure,
    item,
    record,
)
from tests.facilitation.lines import LOST_REVERSALS, REQUIREMENTS
from tests.facilitation.printing import Measured, as_json

CHECK = "two browsers, the second does not see it"
NO_CHECK = "  - No check: nobody has said how to see that this works."


# ── lines ──


def test_a_requirement_is_found_in_a_claim_of_that_person_and_step_that_a_file_shows() -> None:
    expected = item(requirements=[{"quote": HOLD}])
    held = claim("requirement", f"R2 {HOLD}", ref="FR-001")
    assert counted("requirements_found", expected, record(held)) == (1, 1)
    assert counted("requirements_found", expected, record(claim("quality", HOLD))) == (1, 1)
    assert counted("requirements_found", expected, record(claim("fact", HOLD))) == (0, 1)
    assert counted("requirements_found", expected, record(held, files="")) == (0, 1)
    others = record(held, answers=(answer(1, HOLD, by="U1"),))
    assert counted("requirements_found", expected, others) == (0, 1)
    elsewhere = record(held, answers=(answer(1, HOLD, step="01-05"),))
    assert counted("requirements_found", expected, elsewhere) == (0, 1)


def test_a_miss_says_as_what_the_words_stand() -> None:
    (miss,) = figure(
        "requirements_found", item(requirements=[{"quote": HOLD}]), record(claim("risk", HOLD))
    ).misses
    assert miss == {"step": "01-06", "by": "dev", "quote": HOLD, "stands_as": "risk"}


def test_decisions_are_choices_ranks_and_what_replaces_a_line() -> None:
    expected = item(decisions=[{"quote": "we take A"}])
    old = LineRef(AnswerId("a1"), "we take B")
    for chosen in (
        claim("decision", "we take A"),
        claim("option", "we take A", data={"choice": "chosen"}),
        claim("priority", "we take A", data={"priority": "must"}),
        claim("requirement", "we take A", supersedes=(old,)),
    ):
        assert counted("decisions_found", expected, record(chosen)) == (1, 1)
    assert counted("decisions_found", expected, record(claim("option", "we take A"))) == (0, 1)


def test_exclusions_are_lines_of_their_own_or_ranked_out() -> None:
    expected = item(exclusions=[{"quote": "no gift cards"}])
    out = claim("priority", "no gift cards", data={"priority": "won't"})
    for excluded in (claim("exclusion", "no gift cards"), out):
        assert counted("exclusions_found", expected, record(excluded)) == (1, 1)
    requirement = claim("requirement", "no gift cards")
    assert counted("exclusions_found", expected, record(requirement)) == (0, 1)


def test_a_requirement_that_is_none_is_counted_unless_it_has_an_expected_one_beside_it() -> None:
    facts = item(
        requirements=[{"quote": HOLD}], not_requirements=[{"quote": "there is only one Ines"}]
    )
    sigh = claim("requirement", "there is only one Ines ❤️")
    both = claim("requirement", f"{HOLD} there is only one Ines")
    assert counted("requirements_that_are_none", facts, record(sigh, both)) == (1, 2)


def test_requirements_that_no_list_has_are_told_and_answers_to_follow_ups_are_not() -> None:
    facts = item(checks=[{"quote": CHECK}], requirements=[{"quote": HOLD}])
    replied = claim("requirement", "We choose blue.", 2)
    lines = (claim("requirement", HOLD), claim("requirement", CHECK), claim("requirement", MOVE))
    said = (answer(1, f"{HOLD} {CHECK} {MOVE}"), answer(2, "We choose blue."))
    unlisted = figure("requirements_not_listed", facts, record(*lines, replied, answers=said))
    assert [(miss["text"], miss["why"]) for miss in unlisted.misses] == [
        (CHECK, "listed in checks"),
        (MOVE, "listed in no list"),
    ]


def test_a_decision_that_nobody_listed_is_false_and_one_that_was_rejected_too() -> None:
    facts = item(
        decisions=[{"quote": "we take A"}],
        rejected=[{"quote": "B is out"}],
        reversals=[{"old": "valid 48 hours", "new": "valid two hours"}],
    )
    chosen = [claim("decision", text) for text in ("we take A", "valid two hours")]
    false = [claim("decision", text) for text in ("B is out", "keeping it would be a waste")]
    replied = claim("decision", "We choose blue.", 2)
    said = (answer(1, "we take A. valid two hours."), answer(2, "We choose blue."))
    found = figure("false_decisions", facts, record(*chosen, *false, replied, answers=said))
    assert (found.found, found.of) == (2, 5)
    assert [miss["why"] for miss in found.misses] == [
        "rejected, and stands as chosen",
        "not listed",
    ]


def test_a_decision_of_which_only_the_alternative_is_missing_is_not_false() -> None:
    facts = item(
        gaps=[
            {"quote": "Zebra for the tags", "kind": "alternative"},
            {"quote": "a queue in Redis", "kind": "number"},
        ]
    )
    chosen = [claim("decision", text) for text in ("Zebra for the tags", "a queue in Redis")]
    said = answer(1, "Zebra for the tags. a queue in Redis")
    found = figure("false_decisions", facts, record(*chosen, answers=(said,)))
    assert [miss["text"] for miss in found.misses] == ["a queue in Redis"]


REVERSED = item(reversals=[{"old": "valid 48 hours", "new": "valid two hours"}])
OLD = claim("decision", "valid 48 hours")


def test_a_reversal_is_lost_where_the_old_line_stands_as_if_it_held() -> None:
    new = claim("decision", "valid two hours")
    assert counted("lost_reversals", REVERSED, record(OLD, new)) == (1, 1)
    assert counted("lost_reversals", REVERSED, record(new)) == (0, 1)
    assert counted("lost_reversals", REVERSED, record(claim("note", OLD.text), new)) == (0, 1)


def test_a_line_that_is_nearer_to_the_new_one_is_not_the_old_one() -> None:
    facts = item(
        reversals=[
            {"old": "an unsafe dish is blocked", "new": "scratch e. e: an unsafe dish asks once"}
        ]
    )
    both = claim("requirement", "e: an unsafe dish asks once, and a severe one is blocked")
    assert counted("lost_reversals", facts, record(both)) == (0, 1)


def test_a_reversal_is_not_lost_where_it_replaces_differs_or_is_asked_about() -> None:
    replacing = claim(
        "decision", "valid two hours", supersedes=(LineRef(AnswerId("a1"), OLD.text),)
    )
    assert counted("lost_reversals", REVERSED, record(OLD, replacing)) == (0, 1)
    differing = claim("decision", OLD.text, data={"conflicts": "01-06/9"})
    assert counted("lost_reversals", REVERSED, record(differing)) == (0, 1)
    question = asked("difference", OLD.text, "valid two hours")
    assert counted("lost_reversals", REVERSED, record(OLD, follow_ups=(question,))) == (0, 1)
    other = asked("check", OLD.text)
    assert counted("lost_reversals", REVERSED, record(OLD, follow_ups=(other,))) == (1, 1)


def test_a_rank_that_moves_is_not_lost_where_others_of_its_line_stand() -> None:
    facts = item(reversals=[{"old": "should: B, E", "new": "B joins the musts"}])
    b, e = (
        claim("priority", "should: B, E", data={"requirement": ref}) for ref in ("FR-1", "FR-2")
    )
    moved = claim("priority", "B joins the musts", supersedes=(LineRef(AnswerId("a1"), b.text),))
    said = answer(1, f"{b.text}. {moved.text}")
    assert counted("lost_reversals", facts, record(b, e, moved, answers=(said,))) == (0, 1)
    beside = replace(moved, supersedes=())
    assert counted("lost_reversals", facts, record(b, e, beside, answers=(said,))) == (1, 1)


def test_a_check_counts_at_the_requirement_it_belongs_to() -> None:
    facts = item(checks=[{"quote": CHECK, "of": HOLD}])
    hold = claim("requirement", HOLD, ref="FR-002")
    move = claim("requirement", MOVE, ref="FR-001")
    for of, found in (("FR-002", 1), ("FR-001, FR-002", 1), ("FR-001", 0), ("", 0)):
        check = claim("check", CHECK, data={"of": of})
        assert counted("checks_at_their_requirement", facts, record(hold, move, check)) == (
            found,
            1,
        )
    free = item(checks=[{"quote": CHECK}])
    assert counted("checks_at_their_requirement", free, record(claim("check", CHECK))) == (1, 1)
    assert counted("checks_at_their_requirement", free, record(claim("fact", CHECK))) == (0, 1)


def test_musts_without_a_check_have_to_say_so_under_their_own_line() -> None:
    hold, move = (claim("requirement", HOLD, ref="FR-1"), claim("requirement", MOVE, ref="FR-2"))
    rank = claim("priority", "must", data={"requirement": "FR-2", "priority": "must"})
    says = f"- **FR-1** {HOLD}\n- **FR-2** {MOVE}\n{NO_CHECK}"
    key = "musts_that_say_they_lack_a_check"
    assert counted(key, item(), record(hold, move, files=says)) == (1, 2)
    assert counted(key, item(), record(hold, move, rank, files=says)) == (1, 1)
    check = claim("check", CHECK, data={"of": "FR-2"})
    assert counted(key, item(), record(hold, move, rank, check, files=says)) == (0, 0)


def test_numbers_names_and_dates_are_found_in_a_line_of_a_file() -> None:
    facts = item(numbers=[{"quote": "43 calls before noon"}], dates=[{"quote": "in May"}])
    shown = record(files="- 43 calls before noon, I counted\n- not in\n- May")
    assert counted("details_found_again", facts, shown) == (2, 2)  # over the end of a line
    assert counted("details_found_again", facts, record(files="43 people")) == (0, 2)


# ── follow-ups ──


def test_a_gap_is_asked_about_by_its_line_and_kind() -> None:
    facts = item(gaps=[{"quote": HOLD, "kind": "check"}])
    for question, found in (
        (asked("check", HOLD), 1),
        (asked("unit", HOLD), 0),
        (asked("check", MOVE), 0),
        (asked("missing"), 0),
    ):
        made = record(follow_ups=(question,))
        assert counted("expected_follow_ups_asked", facts, made) == (found, 1)


def test_a_contradiction_is_asked_about_by_both_lines() -> None:
    facts = item(contradictions=[{"first": HOLD, "second": MOVE}])
    for question, found in (
        (asked("difference", MOVE, HOLD), 1),
        (asked("difference", HOLD), 0),
        (asked("check", HOLD, MOVE), 0),
    ):
        made = record(follow_ups=(question,))
        assert counted("expected_follow_ups_asked", facts, made) == (found, 1)


def test_a_difference_that_no_list_has_is_told() -> None:
    facts = item(
        contradictions=[{"first": HOLD, "second": MOVE}],
        gaps=[{"quote": CHECK, "kind": "difference"}],
    )
    listed = (asked("difference", MOVE, HOLD), asked("difference", CHECK, "anything"))
    made = record(follow_ups=(*listed, asked("difference", HOLD, "anything")))
    assert counted("differences_not_listed", facts, made) == (1, 3)


def test_how_much_two_follow_ups_a_step_could_ask_is_said() -> None:
    facts = item(gaps=[{"quote": HOLD, "kind": kind} for kind in ("check", "unit", "number")])
    assert figure("expected_follow_ups_asked", facts, record()).note == "2 at most, two a step"


def test_a_follow_up_is_about_a_line_only_if_somebody_said_the_line() -> None:
    made = record(follow_ups=(asked("check", HOLD), asked("check", "Nobody said this")))
    assert counted("follow_ups_about_a_line", item(), made) == (1, 2)


@pytest.mark.parametrize(
    ("kind", "lists", "found"),
    [
        ("check", {"checks": [{"quote": CHECK, "of": HOLD}]}, 1),
        ("check", {"checks": [{"quote": CHECK, "of": MOVE}]}, 0),
        ("check", {"checks": [{"quote": CHECK}]}, 0),
        ("unit", {"numbers": [{"quote": "held for 10 minutes"}]}, 1),
        (
            "unit",
            {
                "numbers": [{"quote": "held for 10 minutes"}],
                "gaps": [{"quote": HOLD, "kind": "unit"}],
            },
            0,
        ),
        ("alternative", {"rejected": [{"quote": CHECK}]}, 1),
        ("person", {"stories": [{"quote": HOLD}]}, 0),
    ],
)
def test_a_follow_up_asks_what_was_said_if_an_earlier_answer_has_it(
    kind: str, lists: dict[str, list[dict[str, str]]], found: int
) -> None:
    said = (answer(1, f"{HOLD} {MOVE} {CHECK}"),)
    made = record(follow_ups=(asked(kind, HOLD),), answers=said)
    assert counted("follow_ups_said_before", item(**lists), made) == (found, 1)


def test_what_is_said_after_a_follow_up_was_not_said_before_it() -> None:
    facts = item(checks=[{"quote": CHECK, "of": HOLD}])
    said = (answer(1, HOLD), answer(5, CHECK))
    early, late = asked("check", HOLD, after="4.0"), asked("check", HOLD, after="5.0")
    for question, found in ((early, 0), (late, 1)):
        made = record(follow_ups=(question,), answers=said)
        assert counted("follow_ups_said_before", facts, made) == (found, 1)


def test_what_was_answered_is_asked_again_and_what_was_passed_is_not() -> None:
    again = asked("check", HOLD, question="Once more, how?")
    answered = record(follow_ups=(asked("check", HOLD), again))
    assert counted("follow_ups_said_before", item(), answered) == (1, 2)
    passed = record(follow_ups=(asked("check", HOLD, outcome="passed"), again))
    assert counted("follow_ups_said_before", item(), passed) == (0, 2)


def test_an_unanswered_follow_up_has_to_stand_in_a_file() -> None:
    two = (asked("check", HOLD, outcome="passed"), asked("check", MOVE, outcome="skipped"))
    listed = "- Asked, not answered: How would you see that?"
    assert counted("unanswered_listed", item(), record(follow_ups=two, files=listed)) == (2, 2)
    assert counted("unanswered_listed", item(), record(follow_ups=two, files="")) == (0, 2)


def test_taps_that_leave_a_follow_up_open_are_no_answers() -> None:
    said = RepliesWhenAsked("x", "check", "dev", "Two phones.")
    taps = [TapsWhenAsked("x", "difference", "pm", tap) for tap in ("first", "skip", "unknown")]
    replies = (said, *taps)
    made = record(follow_ups=tuple(asked("check", HOLD, reply=reply) for reply in replies))
    answered = figure("follow_ups_answered", item(), made)
    assert (answered.found, answered.note) == (2, "2 more skipped or not known yet")
    assert counted("follow_ups_a_step", item(), made) == (4, None)


def test_a_reply_that_did_not_close_its_follow_up_is_told() -> None:
    said = RepliesWhenAsked("x", "check", "dev", "Two phones.")
    taken = asked("check", HOLD, reply=said)
    left = asked("check", MOVE, reply=said, outcome="passed")
    told = figure("replies_not_taken", item(), record(follow_ups=(taken, left)))
    assert (told.found, told.of, told.misses[0]["reply"]) == (1, 2, "Two phones.")


def test_an_exclusion_that_is_shown_in_several_lines_is_found() -> None:
    quote = "out: season passes, gift cards, swaps"
    lines = (claim("exclusion", text) for text in ("out: season passes", "gift cards", "swaps"))
    assert counted("exclusions_found", item(exclusions=[{"quote": quote}]), record(*lines)) == (
        1,
        1,
    )


# ── in sum ──


def test_shares_are_added_and_figures_of_one_item_are_the_worst() -> None:
    one = (REQUIREMENTS.of(1, 4, ({"quote": "a"},)), LOST_REVERSALS.of(0, 1))
    two = (REQUIREMENTS.of(4, 4), LOST_REVERSALS.of(2, 3))
    share, count = in_sum({"one": one, "two": two})
    assert (as_text(share), gate_text(share.subject), share.holds) == (
        "5 of 8 · 62 %",
        "≥ 90 %",
        False,
    )
    assert share.misses == ({"item": "one", "quote": "a"},)
    assert (as_text(count), gate_text(count.subject), count.holds) == ("2 of 4", "0", False)


def test_of_what_is_not_there_no_gate_is_missed() -> None:
    nothing = Figure(REQUIREMENTS, 0, 0)
    assert (nothing.value, nothing.holds, as_text(nothing)) == (None, None, "0 of 0 · –")


def test_the_json_has_every_figure_in_sum_and_of_each_item() -> None:
    facts = item(requirements=[{"quote": HOLD}])
    made = record(follow_ups=(asked("check", HOLD),), status="completed")
    figures = (figure("requirements_found", facts, made),)
    (one,) = json.loads(as_json([Measured(facts, made, figures)]))["items"]
    whole = json.loads(as_json([Measured(facts, made, figures)]))["sum"]["requirements_found"]
    assert one["figures"]["requirements_found"]["misses"][0]["quote"] == HOLD
    assert (whole["value"], whole["gate"], whole["holds"]) == (0.0, "≥ 90 %", False)
    assert one["not_said"] == [
        {"list": "requirements", "step": "01-06", "by": "dev", "quote": HOLD}
    ]
    assert one["follow_ups"][0] == {
        "step": "01-06", "kind": "check", "question": "How would you see that?",
        "lines": [HOLD], "outcome": "answered", "answered_by_play": False,
    }  # fmt: skip


def test_the_page_has_every_figure_with_its_gate() -> None:
    page = Path("docs/reference/facilitation.md").read_text()
    rows = [row for row in page.splitlines() if row.startswith("| `")]
    for subject in (one.subject for one in every_figure(item(), record())):
        (row,) = [row for row in rows if f"`{subject.key}`" in row]
        assert row.rstrip(" |").endswith(gate_text(subject)), subject.key
