"""Prompts that ask for stories and ranks list the requirements: nobody looks one up in a file."""

import json

import pytest

from bot.devtools.workspace import WorkspaceMessage
from tests.support.served_bot import CHANNEL, ServedBot

LINES = (
    "The clerk can hold a slot for ten minutes",
    "The patient must get a text the day before",
    "The page shows the free slots of the week",
    "The patient can cancel until six in the evening",
    "The clerk can see who has cancelled",
    "The list must be printed at seven",
    "The doctor can close a day",
    "The clerk can open it again",
    "The patient must never see who else comes",
)


def prompt(table: ServedBot, step: str) -> WorkspaceMessage:
    return post(table, f"prompt:{step}:")


def post(table: ServedBot, prefix: str) -> WorkspaceMessage:
    post = table.table.runtime.reader.last_post(table.session().id, prefix)
    assert post is not None
    return table.message(post.ts)


def goes_to(table: ServedBot, step: str, words: str) -> None:
    for _ in range(24):
        if table.session().course.step == step:
            return
        table.say(words)
        table.forward()
    raise AssertionError(f"the analysis did not come to {step}")


@pytest.fixture
def listed(table: ServedBot) -> ServedBot:
    """A table at the step that asks for stories, with nine requirements."""
    table.command("/roundtable analyze Book a slot at the clinic --depth standard")
    goes_to(table, "01-06", "looks good to me")
    table.say("\n".join(LINES))
    table.forward()
    return table


@pytest.fixture
def ranked(listed: ServedBot) -> ServedBot:
    """The table at the step that asks for ranks."""
    goes_to(listed, "01-08", "looks good to me")
    return listed


def test_the_prompt_that_asks_for_stories_lists_the_requirements(listed: ServedBot) -> None:
    shown = prompt(listed, "01-07").plain
    assert "To put under a story, by name or number" in shown
    assert f"FR-008 {LINES[7]}" in shown


def test_a_line_of_numbers_puts_requirements_under_a_story(listed: ServedBot) -> None:
    listed.say("As a clerk I want to hold a slot so that nobody is booked twice.")
    listed.say("US-1: 1, 5")
    listed.settle()
    assert "1 link" in post(listed, "step:01-07:").plain
    listed.forward()
    stories = json.loads((listed.folder / "user-stories.json").read_text("utf-8"))["stories"]
    links = [{"id": "FR-001", "link": "linked"}, {"id": "FR-005", "link": "linked"}]
    assert stories[0]["requirements"] == links
    goes_to(listed, "01-08", "looks good to me")
    listed.say("1 must")
    listed.forward()
    rows = (listed.folder / "traceability-matrix.csv").read_text("utf-8").splitlines()
    assert sum(",US-001," in row and ",linked," in row for row in rows) == len(links)
    goes_to(listed, "02-01", "looks good to me")
    listed.say("FR-003 -> US-001")
    listed.forward()
    rows = (listed.folder / "traceability-matrix.csv").read_text("utf-8").splitlines()
    assert sum(",US-001," in row and ",linked," in row for row in rows) == len(links) + 1


def test_the_prompt_that_asks_for_ranks_lists_the_requirements(ranked: ServedBot) -> None:
    shown = prompt(ranked, "01-08").plain
    assert "Which requirements are must, should, could or won't" in shown
    assert "To rank, by name or number" in shown
    for number, text in enumerate(LINES, 1):
        assert f"FR-{number:03d} {text}" in shown
    assert "1 more" in shown


def test_no_other_prompt_lists_them(ranked: ServedBot) -> None:
    ranked.say("FR-001 and FR-003 must, the others should")
    ranked.forward()
    assert "FR-001" not in prompt(ranked, "01-06").plain
    assert "FR-001" not in prompt(ranked, "02-01").plain


def test_a_line_that_was_taken_back_before_is_not_ranked(table: ServedBot) -> None:
    table.command("/roundtable analyze Book a slot at the clinic --depth standard")
    goes_to(table, "01-06", "looks good to me")
    table.say(LINES[0])
    reply = table.say(LINES[2])
    table.slack.edit("pm", CHANNEL, reply, "// never mind")
    table.settle()
    table.forward()
    goes_to(table, "01-08", "looks good to me")
    shown = prompt(table, "01-08").plain
    assert LINES[0] in shown
    assert LINES[2] not in shown
