"""A record of a decision is written for what was weighed: options, a difference, a changed mind."""

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from core.artifacts.compose.analysis.options import undecided_options, weighed_options
from core.artifacts.compose.layouts import sections
from core.domain.answers import Claim, Draft
from core.domain.ids import StepId
from tests.core.test_artifacts_lines import file_of, line
from tests.core.test_scripted import answer, request
from tests.support.composing import compose

BOTH = ("tech-stack-decision.md", "adr-*.md")
LOCK = line(
    1,
    "option",
    "A: a lock per slot",
    step="03-01",
    option="A",
    **{"for": "no new service", "against": "a crash keeps it locked\nnobody sees who waits"},
)
QUEUE = line(2, "option", "B: a queue in front", step="03-01", option="B", against="one more part")
CHOICE = line(1, "decision", "we go with A", step="03-02", ref="ADR-001", option="A")


def records(
    *own: Claim, earlier: tuple[Claim, ...] = (LOCK, QUEUE), previous: tuple[Claim, ...] = ()
) -> Mapping[str, str]:
    """The step's records of decisions, by file."""
    asked = request(
        "03-02",
        *(claim.text for claim in own),
        outputs=BOTH,
        claims=earlier,
        previous=previous,
        other_answers=tuple(
            answer(one.step, int(one.id.partition("/")[2]), one.text) for one in earlier
        ),
    )
    made = sections(asked, Draft("", own))
    names = [part.file for part in made if part.file.startswith("adr-")]
    return {name: compose(name, "A title", "a-title", made, None) for name in names}


def parts_of(text: str) -> dict[str, str]:
    return dict(re.findall(r"(?ms)^### (\w+)\n\n(.*?)\n(?=\n###|<!--)", text))


def test_a_rejection_of_several_options_stands_at_each_of_them() -> None:
    third = line(3, "option", "C: a table of its own", step="03-01", option="Option C")
    both = {"option": "Option B + Option C", "choice": "rejected"}
    rejected = line(4, "option", "B and C are rejected", step="03-01", **both)
    claims = (LOCK, replace(QUEUE, data={**QUEUE.data, "option": "Option B"}), third, rejected)
    options = weighed_options(claims)
    assert [option.name for option in options] == ["A", "Option B", "Option C"]
    assert [option.choices(claims) for option in options[1:]] == [
        ["rejected: B and C are rejected"]
    ] * 2
    name = {"option": "Postgres + Redis", "choice": "rejected"}
    alone = line(5, "option", "no Postgres + Redis", step="03-01", **name)
    assert [option.name for option in weighed_options((LOCK, alone))] == ["A", "Postgres + Redis"]


def test_a_choice_among_options_of_another_step_is_told_by_the_line_with_most_words() -> None:
    said = ("A+1.", "for the record: we take option A, the lock", "A.")
    choices = [
        line(n, "option", text, step="03-01", option="A", choice="chosen")
        for n, text in enumerate(said, 5)
    ]
    (text,) = records(earlier=(LOCK, QUEUE, *choices)).values()
    assert parts_of(text)["Decision"].startswith("- for the record: we take option A, the lock")


def test_a_record_is_called_by_its_option_without_the_word_for_options() -> None:
    put = replace(LOCK, text="options: A: a lock", data={**LOCK.data, "what": "A: a lock"})
    (text,) = records(CHOICE, earlier=(put, QUEUE)).values()
    assert text.splitlines()[0] == "# ADR-001 — A: a lock"


def test_a_record_is_called_by_what_it_decides() -> None:
    (text,) = records(CHOICE).values()
    assert text.splitlines()[0] == "# ADR-001 — A: a lock per slot"
    long = replace(LOCK, text="A: a lock " + "that is very long " * 9)
    (text,) = records(CHOICE, earlier=(long, QUEUE)).values()
    title = text.splitlines()[0].removeprefix("# ADR-001 — ")
    assert (len(title), title[-1]) == (80, "…")


def test_a_record_has_the_options_with_what_people_said_for_and_against_each() -> None:
    why = line(2, "fact", "Two desks book at once", step="03-02", said=1)
    risk = line(3, "risk", "A crash leaves a slot locked", step="03-02", said=1)
    (text,) = records(CHOICE, why, risk).values()
    found = parts_of(text)
    assert list(found) == ["Status", "Context", "Options", "Decision", "Consequences", "Sources"]
    assert found["Status"].startswith("decided — said by Priya")
    assert found["Context"].startswith("- Two desks book at once — said by Priya")
    assert "- A: a lock per slot — said by Priya" in found["Options"]
    assert "  - For: no new service — said by Priya" in found["Options"]
    assert "  - Against: nobody sees who waits — said by Priya" in found["Options"]
    assert "- B: a queue in front — said by Priya" in found["Options"]
    assert found["Decision"].startswith("- **ADR-001** we go with A — said by Priya")
    assert found["Consequences"].startswith("- A crash leaves a slot locked — said by Priya")


@pytest.mark.parametrize("text", ["sounds fine", "we stay with what the team knows"])
def test_a_remark_has_no_record_and_stands_among_the_decisions(text: str) -> None:
    remark = line(1, "decision", text, step="03-02", ref="ADR-001")
    assert records(remark, earlier=()) == {}
    table = file_of("tech-stack-decision.md", remark, step="03-02")
    assert f"| ADR-001 | {text} |" in table
    assert "adr-001.md" not in table


def test_options_of_which_nobody_chose_one_have_an_open_record() -> None:
    ((name, text),) = records().items()
    found = parts_of(text)
    assert name == "adr-101.md"
    assert (found["Status"], found["Decision"]) == ("open", "Nobody has chosen yet.")
    assert "a queue in front" in found["Options"]


def test_an_open_record_takes_no_name_of_a_decision() -> None:
    elsewhere = line(1, "decision", "the logs stay", step="02-04", ref="ADR-001")
    assert list(records(earlier=(LOCK, QUEUE, elsewhere))) == ["adr-101.md"]


def test_one_option_alone_is_not_weighed() -> None:
    assert records(earlier=(LOCK,)) == {}


def test_a_decision_that_others_question_has_a_record_that_says_so() -> None:
    cron = line(1, "decision", "cron", step="03-02", ref="ADR-001")
    event = line(2, "decision", "events", step="03-02", ref="ADR-002", conflicts=cron.id)
    made = records(cron, event, earlier=())
    assert [parts_of(text)["Status"].split()[0] for text in made.values()] == ["disputed"] * 2


def test_a_decision_that_replaces_another_has_a_record_with_what_it_replaces() -> None:
    cron = line(1, "decision", "cron", step="03-02", ref="ADR-001")
    event = line(2, "decision", "events", step="03-02", ref="ADR-002", replaces=[cron])
    made = records(cron, event, earlier=())
    assert list(made) == ["adr-002.md"]
    assert "~~cron~~" in parts_of(made["adr-002.md"])["Options"]


def test_options_that_have_no_name_stand_in_the_record_of_a_choice_by_its_letter() -> None:
    unnamed = tuple(replace(one, data={**one.data, "option": ""}) for one in (LOCK, QUEUE))
    (text,) = records(CHOICE, earlier=unnamed).values()
    assert "  - For: no new service — said by Priya" in parts_of(text)["Options"]
    assert "- B: a queue in front" in parts_of(text)["Options"]


def test_what_was_rejected_with_it_is_its_alternative() -> None:
    no = line(2, "decision", "no Mongo", step="03-02", said=1, ref="ADR-002", choice="rejected")
    chosen = line(1, "decision", "Postgres", step="03-02", ref="ADR-001")
    made = records(chosen, no, earlier=())
    assert "no Mongo" in parts_of(made["adr-001.md"])["Options"]


def test_a_record_of_a_decision_that_is_withdrawn_says_so() -> None:
    made = records(previous=(CHOICE,))
    assert "\n\nThis decision was withdrawn.\n" in made["adr-001.md"]
    assert parts_of(made["adr-101.md"])["Status"] == "open"
    remark = replace(CHOICE, text="fine", data={})
    assert records(earlier=(), previous=(remark,)) == {}


def test_the_central_decision_is_open_while_options_stand_and_none_is_chosen() -> None:
    assert undecided_options((LOCK, QUEUE))
    assert not undecided_options((LOCK, QUEUE, CHOICE))
    assert not undecided_options((LOCK,))


def test_a_choice_among_options_of_an_earlier_step_has_a_record() -> None:
    chosen = line(3, "option", "so B it is", step="03-01", option="B", choice="chosen")
    ((name, text),) = records(earlier=(LOCK, QUEUE, chosen)).items()
    found = parts_of(text)
    assert name == "adr-101.md"
    assert f"\n\n**{QUEUE.text}**\n\n### Status" in text
    assert found["Status"].startswith("decided")
    assert "so B it is" in found["Decision"]
    assert "A: a lock per slot" in found["Options"]
    settled = replace(CHOICE, text="we go with B", data={"option": "B"})
    assert list(records(settled, earlier=(LOCK, QUEUE, chosen))) == ["adr-001.md"]


def test_a_decision_for_one_of_the_options_of_its_own_step_has_its_record_under_its_name() -> None:
    chosen = {"option": "A", "choice": "chosen"}
    taken = line(3, "decision", "(a) then", step="03-01", ref="ADR-004", **chosen)
    assert undecided_options([LOCK, QUEUE, taken]) == []
    (record,) = records(earlier=(LOCK, QUEUE, taken)).items()
    assert record[0] == "adr-004.md"
    assert "**A: a lock per slot**" in record[1]
    assert "- **ADR-004** (a) then — said by Priya" in record[1]


def test_a_choice_among_options_is_told_with_what_it_was_weighed_by_and_what_it_costs() -> None:
    cheap = line(4, "option", "simplicity first, then cost", step="03-01")
    chosen = line(3, "option", "so B it is", step="03-01", option="B", choice="chosen")
    dear = replace(QUEUE, data={**QUEUE.data, "against": "a server more"})
    logs = line(5, "fact", "the logs stay", step="03-02")
    (text,) = records(logs, earlier=(LOCK, dear, cheap, chosen)).values()
    found = parts_of(text)
    assert found["Context"].startswith("- simplicity first, then cost — said by")
    assert "the logs stay" not in text
    assert found["Consequences"].startswith("- a server more — said by")
    assert "simplicity first" not in found["Options"]


def test_a_decision_on_options_of_an_earlier_step_is_told_with_what_was_said_of_them_there() -> (
    None
):
    lock = replace(LOCK, text="a lock for each slot", data={"option": "a lock for each slot"})
    queue = replace(QUEUE, text="a queue in front", data={"option": "a queue in front"})
    cheap = line(4, "option", "simple matters most", step="03-01")
    crash = line(5, "option", "what speaks against a lock for each slot: a crash", step="03-01")
    choice = replace(CHOICE, text="the lock. by slot id", data={"option": "the lock"})
    (text,) = records(choice, earlier=(lock, queue, cheap, crash)).values()
    found = parts_of(text)
    assert "\n\n**a lock for each slot**\n" in text
    assert found["Context"].startswith("- simple matters most — said by")
    assert found["Options"].splitlines()[1].startswith("  - what speaks against a lock")
    assert found["Options"].splitlines()[2].startswith("- a queue in front")
    assert found["Consequences"].startswith("- what speaks against a lock")


def test_what_is_said_beside_named_options_is_no_alternative() -> None:
    cheap = line(4, "option", "simplicity first, then cost", step="03-01")
    remark = line(1, "decision", "as now, no new library", step="03-02", ref="ADR-001", option="it")
    assert "adr-001.md" not in records(remark, earlier=(LOCK, QUEUE, cheap))


def test_a_decision_has_a_record_with_what_people_answered_when_asked_about_it() -> None:
    alone = line(1, "decision", "oak for the boats", step="03-02", ref="ADR-001")
    asked = {"of": "ADR-001", "answers": "alternative", "asked": "what else could it have been?"}
    reply = line(2, "fact", "pine got 40 % dearer in May", step="03-02", **asked)
    assert "pine got 40 % dearer in May" in records(alone, reply, earlier=())["adr-001.md"]


def test_the_design_summary_names_every_record_the_open_one_too() -> None:
    def names(*earlier: Claim) -> list[str]:
        summary = file_of("design-summary.md", step="04-05", earlier=earlier)
        return re.findall(r"^- \[(adr-\d+\.md)\]", summary, re.MULTILINE)

    assert names(LOCK, QUEUE) == ["adr-101.md"]
    remark = line(1, "decision", "the logs stay", step="03-02", ref="ADR-001")
    assert names(LOCK, QUEUE, remark) == ["adr-101.md"]
    assert names(LOCK, QUEUE, CHOICE) == ["adr-001.md"]
    assert names(remark) == []


@pytest.mark.parametrize(
    "said",
    [
        "so we need a second van",
        "that means two keys per ward",
        "Downside: nobody sees who waits",
        "what speaks against it: the night takes 3 h",
        "but the catch is the price per seat",
        "we lose the old lists",
        "das heißt: ein Server mehr",
    ],
)
def test_what_people_say_behind_a_decision_that_follows_stands_among_its_consequences(
    said: str,
) -> None:
    other = line(2, "decision", "we go with the blue vans", step="03-02", ref="ADR-002")
    follows = line(3, "fact", said, step="03-02")
    made = records(CHOICE, other, follows)
    assert said not in parts_of(made["adr-001.md"])["Consequences"]
    behind = records(CHOICE, line(2, "fact", said, step="03-02"), replace(other, id="03-02/3"))
    found = parts_of(behind["adr-001.md"])
    assert f"- {said} — said by " in found["Consequences"]
    assert said not in found["Context"]


@pytest.mark.parametrize("said", ["Two desks book at once", "the pool opens at 7", "so be it"])
def test_what_else_was_said_of_it_is_no_consequence(said: str) -> None:
    (text,) = records(CHOICE, line(2, "fact", said, step="03-02")).values()
    assert said not in parts_of(text)["Consequences"]


def test_what_was_decided_before_the_options_were_put_takes_none_of_them() -> None:
    words = f"first {QUEUE.text}, then the slots"
    early = line(9, "decision", words, step="02-04", ref="ADR-003", choice="chosen", option=words)
    assert undecided_options((early, LOCK, QUEUE))
    later = replace(early, step=StepId("03-02"))
    assert not undecided_options((LOCK, QUEUE, later))


def test_a_decision_that_was_questioned_keeps_its_record_once_both_hold() -> None:
    cron = line(1, "decision", "cron", step="03-02", ref="ADR-001")
    event = line(2, "decision", "events", step="03-02", ref="ADR-002", conflicts=cron.id)
    settled = replace(event, data={})
    made = records(cron, settled, earlier=(), previous=(cron, event))
    assert list(made) == ["adr-001.md", "adr-002.md"]
    assert parts_of(made["adr-002.md"])["Status"].split()[0] == "decided"
