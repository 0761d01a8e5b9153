"""The design summary, for two who read no other file: what it is for, what binds, what is open."""

from dataclasses import replace

import pytest

from core.artifacts.document import words
from core.domain.answers import Claim, LineRef
from core.domain.ids import StepId
from core.domain.lines import Correction
from tests.core.test_artifacts_files import claim, made, shown
from tests.core.test_compose import made as made_of
from tests.core.test_compose import page
from tests.core.test_scripted import SAM


def summary(*claims: Claim, **more: object) -> str:
    return shown(made("04-05", "design-summary.md", *claims, **more))


def part(title: str, text: str) -> list[str]:
    """The lines under a heading."""
    assert f"### {title}\n\n" in text
    return text.partition(f"### {title}\n\n")[2].partition("\n\n### ")[0].splitlines()


def test_it_opens_with_what_gets_better_then_with_the_problem_and_leaves_greetings_out() -> None:
    text = summary(
        claim("fact", "Good day to you.", "01-01", topic="problem"),
        claim("fact", "Nobody sees at the desk who booked.", "01-01", topic="problem"),
        claim("fact", "How we notice: from 40 calls a day to 5.", "01-01", 2, topic="problem"),
    )
    assert text.index("### What it is for") < text.index("### What it comes to, by phase")
    assert part("What it is for", text) == [
        "- How we notice: from 40 calls a day to 5. — said by Sam",
        "- Nobody sees at the desk who booked. — said by Priya",
    ]


def test_a_goal_that_must_be_built_stands_there_once() -> None:
    told = "No order leaves the house without a second pair of eyes."
    demanded = claim("requirement", told, "01-01", topic="problem", ref="FR-001")
    goal = claim("purpose", told, "01-01", ref="GOAL-001")
    assert part("What it is for", summary(demanded, goal)) == [
        f"- **GOAL-001** {told} — said by Priya"
    ]


def test_what_stands_in_place_of_a_goal_stands_there_with_it() -> None:
    goal = claim("success", "200 companies with a schedule.", "01-01", ref="GOAL-001")
    anew = claim("fact", "Let me say 150.", "01-01", 3, topic="problem")
    anew = replace(anew, supersedes=(LineRef(goal.sources[0], goal.text),))
    lines = part("What it is for", summary(goal, anew))
    assert lines[0].startswith("- Let me say 150. — said by Priya")
    assert lines[1].startswith("  - **GOAL-001** ~~200 companies with a schedule.~~ — said by Pri")


def test_of_the_lines_that_take_one_option_the_one_that_says_most_is_told() -> None:
    put = [
        claim("option", text, "03-01", option=f"Option {text[0]}")
        for text in ("A) a lock per slot", "B) a queue")
    ]
    taken = [
        claim("option", text, "03-01", number, option="Option A", choice="chosen")
        for number, text in enumerate(("A+1.", "for the record: we take A", "A."), 2)
    ]
    (line,) = part("What was decided", summary(*put, *taken))
    assert line.startswith("- **A) a lock per slot:** for the record: we take A")


def test_more_of_the_problem_than_fits_is_counted() -> None:
    problem = [
        claim("fact", f"They wait at the door for hour {number}.", "01-01", number, topic="problem")
        for number in range(1, 9)
    ]
    lines = part("What it is for", summary(*problem))
    assert len([line for line in lines if line.startswith("- ")]) == 6
    assert lines[-1] == "The files have two lines more on it."


def test_dates_that_bind_are_of_any_step_and_not_of_the_past_or_of_a_trial() -> None:
    lines = [
        claim("fact", "They sign on 15 October or they go elsewhere.", "01-01"),
        claim("constraint", "The contract runs until 2029.", "01-04"),
        claim("fact", "The council meets only on September 4 again.", "03-04", 2),
        claim("fact", "It was down on 11 September.", "02-03"),
        claim("fact", "The book went in the trough on 4 October.", "01-01"),
        claim("fact", "On SVG 1.5.", "01-01"),
        claim("fact", "Nobody has read clause 9.2.", "01-01"),
        claim("constraint", "The list closes on 9.4.", "01-04"),
        claim("check", "I book for 3 May and see it.", "01-06", 3),
        claim("requirement", "Each may 2 orders hold.", "01-06", ref="FR-001"),
    ]
    assert part("Dates that bind", summary(*lines)) == [
        "- They sign on 15 October or they go elsewhere. — said by Priya",
        "- The contract runs until 2029. — said by Priya",
        "- The list closes on 9.4. — said by Priya",
        "- The council meets only on September 4 again. — said by Sam",
    ]


def test_who_must_agree_stands_above_what_the_review_heard() -> None:
    text = summary(
        claim("fact", "It must agree: the works council.", "03-04"),
        claim("requirement", "An approver agrees with one touch.", "01-06", ref="FR-001"),
        claim("fact", "Without the log I cannot sign.", "01-08", 2),
        claim("fact", "What stops us is the council.", "04-05"),
    )
    assert part("What stands in the way, and what to look at again", text) == [
        "- Without the log I cannot sign. — said by Sam",
        "- It must agree: the works council. — said by Priya",
        "",
        "- What stops us is the council. — said by Priya",
    ]


KEPT = claim("quality", "Erased after 30 days.", "01-05", ref="NFR-001")
LONGER = claim("requirement", "Kept 180 days.", "04-03", 2, ref="FR-001", differs=KEPT.id)


def test_what_the_review_decides_or_leaves_out_is_not_listed_again_below() -> None:
    decided = claim("decision", "We start from the 20th of June.", "04-05", ref="ADR-001")
    left_out = claim("exclusion", "No dashboard.", "04-05", 2)
    heard = claim("fact", "Look at the 14 days again.", "04-05", 3)
    text = summary(decided, left_out, heard)
    assert text.count("We start from the 20th of June.") == 2  # decided, and a date that binds
    assert text.count("No dashboard.") == 1
    assert part("What stands in the way, and what to look at again", text) == [
        "- Look at the 14 days again. — said by Priya"
    ]


def test_two_lines_that_differ_stand_before_the_building_each_pair_once() -> None:
    text = summary(KEPT, LONGER)
    assert part("Before you build", text)[-2:] == [
        "- **NFR-001** Erased after 30 days. — said by Priya",
        "  - Differs from: **FR-001** Kept 180 days. — said by Sam",
    ]


def test_lines_of_which_somebody_said_that_both_hold_are_settled() -> None:
    first, second = (LineRef(line.sources[0], line.text) for line in (KEPT, LONGER))
    both = Correction(StepId("01-05"), first, "beside", SAM, 1.0, second, "drafts and orders")
    text = summary(KEPT, LONGER, corrections=(both,))
    assert "Differs from" not in text


def test_musts_and_what_is_out_of_scope_are_lists_and_say_where_they_are_empty() -> None:
    must = claim("priority", "must", "01-08", requirement="FR-001", priority="must")
    text = summary(LONGER, must, claim("exclusion", "No refunds.", "01-06"))
    assert part("Musts", text) == ["- **FR-001** Kept 180 days. — said by Sam"]
    assert part("Out of Scope", text) == ["- No refunds. — said by Priya"]
    empty = summary(LONGER)
    assert part("Musts", empty) == [words.text("no_must")]
    assert part("Out of Scope", empty) == [words.text("nothing_excluded")]


def test_a_chosen_option_is_counted_as_the_decision_as_which_it_is_listed() -> None:
    text = summary(
        claim("option", "A row in Postgres", "03-01", option="A"),
        claim("option", "let's go with A", "03-01", 3, option="A", choice="chosen"),
        claim("decision", "We use Kotlin.", "03-02", ref="ADR-001"),
    )
    assert len(part("What was decided", text)) == 2
    assert "two decisions, no open questions" in text


def test_a_day_alone_and_numbers_that_are_no_days_bind_nothing() -> None:
    said = [
        "9 August.",
        "It stands in the contract, section 7.3.",
        "The sums differ by 0.00.",
        "Base 4.80 per km, cold plus 1.50.",
        "Jan 26 isn't a date",
        "Belgian law of 30 July 2013 forbids it.",
        'the slip says "passed on 3 July" then',
    ]
    lines = [claim("fact", text, "01-04", at) for at, text in enumerate(said, start=1)]
    binds = claim("fact", "The fair opens on 9 August.", "01-04", 9)
    summary_lines = part("Dates that bind", summary(*lines, binds))
    assert ["The fair opens" in line for line in summary_lines] == [True]


def test_the_size_stands_under_its_phase_as_no_other_list_has_it() -> None:
    text = summary(claim("scope", "Small, two files.", "00-01", scope="small"))
    assert "#### Quick Scan\n\n- Small, two files. — said by Priya\n" in text


def test_a_rule_with_a_date_that_was_also_decided_stands_once_among_the_dates() -> None:
    told = "We open on 3 May, decided."
    rule = claim("requirement", told, "01-06", ref="FR-001")
    decision = claim("decision", told, "01-06", ref="ADR-001")
    other = claim("decision", "Then Tuesday 4 May it is.", "02-04", 2, ref="ADR-002")
    deadline = claim("requirement", "Deadline: 48 h before pickup", "01-06", ref="FR-002")
    assert part("Dates that bind", summary(rule, decision, other, deadline)) == [
        f"- **FR-001** {told} — said by Priya",
        "- **ADR-002** Then Tuesday 4 May it is. — said by Sam",
    ]


def test_what_a_decision_replaced_stands_below_it() -> None:
    old = claim("quality", "Kept for 24 hours.", "01-05", ref="NFR-001")
    replaced = LineRef(old.sources[0], old.text)
    new = claim("decision", "72 h", "01-05", 2, choice="chosen", option="72 h", ref="ADR-001")
    lines = part("What was decided", summary(old, replace(new, supersedes=(replaced,))))
    assert lines[0].startswith("- **ADR-001** 72 h — said by ")
    assert lines[1].startswith("  - **NFR-001** ~~Kept for 24 hours.~~ — said by Priya")


def test_a_must_that_no_line_is_called_by_is_a_must_all_the_same() -> None:
    text = summary(LONGER, claim("priority", "offline is a must", "01-08", priority="must"))
    assert part("Musts", text) == ["- offline is a must — said by Priya"]
    assert words.text("no_must") not in text


def test_a_must_that_ranks_things_without_a_line_stands_once() -> None:
    text = "Can't do without: the list, the bills."
    ranks = [
        claim("priority", text, "01-08", number, priority="must", called=name)
        for number, name in enumerate(("the list", "the bills"))
    ]
    ranks = [replace(rank, sources=ranks[0].sources) for rank in ranks]
    assert part("Musts", summary(*ranks)) == [f"- {text} — said by Sam"]


def test_asides_of_the_review_stand_below_its_phase() -> None:
    lines = [claim("fact", "Only the board's answer.", "04-05"), claim("note", "ok.", "04-05", 2)]
    text = summary(*lines)
    blocked = part("What stands in the way, and what to look at again", text)
    assert blocked == ["- Only the board's answer. — said by Priya"]
    assert part("What it comes to, by phase", text)[-2] == "- ok. — said by Sam"


def test_questions_of_a_word_or_two_come_after_those_that_say_what_is_open() -> None:
    texts = ("till?", "who pays?", "is that bad?", "who asks him?", "does it work with a stylus?")
    asked = [claim("question", text, "03-03", number) for number, text in enumerate(texts)]
    lines = part("Open Questions", summary(*asked))
    shown_lines = [line.partition(" — ")[0] for line in lines if line.startswith("- ")]
    assert shown_lines == [
        "- who pays?",
        "- who asks him?",
        "- does it work with a stylus?",
        "- till?",
        "- is that bad?",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I'd have to ask Mrs Okafor.",
        "someone needs to talk to Marlene",
        "silent for how long, idk, ask Kwame",
        "I will find out what it costs.",
        "maybe check with Birte",
        "ah, for this ask Tim, he has the list",
    ],
)
def test_whom_somebody_is_to_ask_stands_below_the_open_questions(text: str) -> None:
    shown_lines = part("Open Questions", summary(claim("fact", text, "03-03")))
    assert shown_lines == ["#### To ask, and to find out", "", f"- {text} — said by Priya"]


@pytest.mark.parametrize(
    "text",
    [
        "ask me later",
        "today we ask in the channel",
        "every time I must ask Tobias to look in the logs",
        "She asks Kwame each month",
        "the form should ask for a date",
    ],
)
def test_who_asks_in_passing_is_nobody_to_ask(text: str) -> None:
    assert "To ask" not in summary(claim("fact", text, "03-03"))


def test_a_short_line_on_whom_to_ask_stands_with_what_was_said_before_it() -> None:
    text = page(made_of("03-03", "architecture-overview.md", "Fonts cost 40 a month. ask Mei"))
    assert "- ask Mei — said by Priya" in shown(text)
    assert "  - Before it: Fonts cost 40 a month — said by Priya" in shown(text)


def test_modules_are_counted_by_their_names() -> None:
    lines = [
        claim("module", text, "04-01", number)
        for number, text in enumerate(("`fees` keeps prices", "`Fees` knows no names", "no cache"))
    ]
    assert "Two modules." in part("What it comes to, by phase", summary(*lines))
