"""The prompt that asks for ranks shows what is to be ranked: nobody looks for FR-004 in a file."""

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
    post = table.table.runtime.reader.last_post(table.session().id, f"prompt:{step}:")
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
def ranked(table: ServedBot) -> ServedBot:
    """A table at the step that asks for ranks, with nine requirements."""
    table.command("/roundtable analyze Book a slot at the clinic --depth standard")
    goes_to(table, "01-06", "looks good to me")
    table.say("\n".join(LINES))
    table.forward()
    goes_to(table, "01-08", "looks good to me")
    return table


def test_the_prompt_that_asks_for_ranks_lists_the_requirements(ranked: ServedBot) -> None:
    shown = prompt(ranked, "01-08").plain
    assert "Which requirements are must, should, could or won't" in shown
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
