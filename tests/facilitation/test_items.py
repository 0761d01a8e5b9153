"""Items of strangers: what is read, and every fault at once with its file and place."""

from pathlib import Path

import pytest

from tests.facilitation.__main__ import ITEMS
from tests.facilitation.facts import Quote
from tests.facilitation.items import FaultyItemsError, Item, read_items

PLAY = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Title"}
steps:
  "01-06":
    - {by: pm, reply: "It must work. Ships in May."}
    - {by: pm, edit: 1, text: "It must work offline. Ships in May."}
when_asked:
  - {about: "work offline", kind: check, by: dev, reply: "Pull the plug."}
  - {about: "anything", kind: difference, by: pm, tap: first}
"""


def written(folder: Path, facts: str | None, play: str = PLAY, name: str = "one") -> Path:
    (folder / f"{name}.yaml").write_text(play)
    if facts is not None:
        (folder / f"{name}.facts.yaml").write_text(facts)
    return folder


def item_of(folder: Path, facts: str) -> Item:
    (item,) = read_items(written(folder, facts))
    return item


def faults_of(folder: Path, facts: str | None, play: str = PLAY) -> tuple[str, ...]:
    with pytest.raises(FaultyItemsError) as refused:
        read_items(written(folder, facts, play))
    return tuple(fault.replace(f"{folder}/", "") for fault in refused.value.faults)


def test_the_items_for_development_have_no_fault_and_quote_what_people_say() -> None:
    items = read_items(ITEMS)
    assert len(items) == 8
    assert [(item.name, list(item.not_said())) for item in items] == [
        (item.name, []) for item in items
    ]


def test_every_list_may_be_missing_and_a_step_or_a_person_too(tmp_path: Path) -> None:
    item = item_of(tmp_path, 'requirements: [{quote: "must work offline"}]\nnames:\n')
    (fact,) = item.facts["requirements"]
    assert fact.quote == Quote("must work offline")
    assert item.facts["names"] == item.facts["gaps"] == ()


def test_the_older_line_of_a_pair_may_be_anybodys_unless_it_is_said(tmp_path: Path) -> None:
    item = item_of(
        tmp_path,
        """
reversals:
  - {step: "01-06", by: pm, old: "ships in may", new: "offline"}
  - {step: "01-06", by: pm, old: "ships in may", new: "offline", old_step: "01-01", old_by: dev}
contradictions:
  - {step: "01-06", by: dev, first_by: pm, first: "offline", second: "may", quote: "may"}
""",
    )
    first, second = item.facts["reversals"]
    assert (first.quote, first.other) == (Quote("offline", "01-06", "pm"), Quote("ships in may"))
    assert second.other == Quote("ships in may", "01-01", "dev")
    (pair,) = item.facts["contradictions"]
    assert (pair.other, pair.quote.by) == (Quote("offline", "", "pm"), "dev")


def test_every_fault_is_said_at_once_with_file_and_place(tmp_path: Path) -> None:
    facts = """
requirement: []
requirements:
  - {step: 0106, quote: [7], off: x}
  - just words
checks: yes
gaps: [{step: "01-06", by: pm, kind: chek}]
reversals: [{step: "01-06", by: pm, new: x}]
"""
    play = PLAY.replace("tap: first}", "tap: first, reply: both}")
    assert faults_of(tmp_path, facts, play) == (
        "one.yaml: when_asked[2]: an answer to a follow-up is one of reply, tap; reply and tap"
        " stand together.",
        "one.facts.yaml: requirement: nothing of that name belongs here; known are requirements,"
        " checks, stories, decisions, rejected, reversals, contradictions, questions, exclusions,"
        " numbers, names, dates, gaps, not_requirements.",
        'one.facts.yaml: requirements[1].step: "0106" is no step id; they look like "01-06", in'
        " quotes.",
        "one.facts.yaml: requirements[1].quote: ['7'] is no text.",
        "one.facts.yaml: requirements[1].off: nothing of that name belongs here; known are step,"
        " by, quote.",
        'one.facts.yaml: requirements[2]: a mapping like {step: "01-06", by: pm, quote: "…"} is'
        ' needed, not "just words".',
        "one.facts.yaml: checks: a list is needed, each fact on a line with a dash.",
        "one.facts.yaml: reversals[1].old: it is missing.",
        'one.facts.yaml: gaps[1].kind: "chek" is none of check, unit, number, difference, person,'
        " alternative, priority, code, missing.",
        "one.facts.yaml: gaps[1].quote: it is missing.",
    )


def test_whatever_a_quote_looks_like_it_is_text(tmp_path: Path) -> None:
    item = item_of(tmp_path, "dates: [{step: 01-06, quote: 2027}, {quote: yes}, {quote: 1_0}]")
    assert [quote.text for quote in item.facts.quotes("dates")] == ["2027", "yes", "1_0"]


def test_whoever_a_fact_names_takes_part(tmp_path: Path) -> None:
    assert faults_of(tmp_path, 'names: [{step: "01-06", by: bob, quote: May}]') == (
        'one.facts.yaml: names[1].by: "bob" is nobody; people are pm, dev.',
    )


def test_a_play_without_facts_and_facts_without_a_play_are_faults(tmp_path: Path) -> None:
    (tmp_path / "two.facts.yaml").write_text("")
    assert faults_of(tmp_path, None) == (
        "two.facts.yaml: there is no play two.yaml beside it.",
        "one.facts.yaml: the facts of one.yaml are missing.",
    )


def test_a_quote_that_nobody_says_there_is_no_fault_but_is_told(tmp_path: Path) -> None:
    item = item_of(
        tmp_path,
        """
dates: [{step: "01-06", by: pm, quote: "in May"}, {step: "01-06", by: dev, quote: "in May"}]
requirements: [{step: "01-07", quote: "offline"}]
""",
    )
    assert list(item.not_said()) == [
        ("requirements", Quote("offline", "01-07", "")),
        ("dates", Quote("in May", "01-06", "dev")),
    ]


def test_what_people_say_to_a_follow_up_may_fall_at_any_step(tmp_path: Path) -> None:
    item = item_of(tmp_path, 'checks: [{step: "01-06", by: dev, quote: "pull the plug"}]')
    assert list(item.facts.quotes("checks")) == [Quote("pull the plug", "", "dev")]
    assert list(item.not_said()) == []


def test_a_folder_without_items_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FaultyItemsError, match="holds no item"):
        read_items(tmp_path)
    with pytest.raises(FaultyItemsError, match="There is no folder"):
        read_items(tmp_path / "nowhere")
    with pytest.raises(FaultyItemsError, match=r"other\.yaml: there is no such item"):
        read_items(written(tmp_path, ""), ["other"])
