"""Where no reply of a model is there, or of use: what people see, in the bot as it serves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.provider import StandIn, StandInFault
from tests.e2e.forms import press
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, ServedBot, served_bot


@pytest.fixture
def provider() -> Iterator[StandIn]:
    with StandIn() as standing_in:
        yield standing_in


@pytest.fixture
def table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: StandIn
) -> Iterator[ServedBot]:
    monkeypatch.setenv("ROUNDTABLE_MODEL", f"openai-chat:stand-in@{provider.url}")
    monkeypatch.setenv("ROUNDTABLE_MODEL_PATIENCE", "60")  # libraries load slowly on a busy machine
    with served_bot(tmp_path, steps=small_tree(tmp_path / "steps").root) as table:
        table.start("Show the total")
        yield table


STEPS = ("First", "Second", "Third")


def of_steps(table: ServedBot) -> list[tuple[str, str]]:
    """Whose name the prompts and messages of the steps have, in their order."""
    thread = [message for message in table.slack.messages(CHANNEL) if message.thread_ts]
    begun = ((one.author, one.plain.partition("\n")[0].partition(" (")[0]) for one in thread)
    return [(author, begin) for author, begin in begun if begin.endswith(STEPS)]


def step_messages(table: ServedBot) -> list[str]:
    """What stands in the one message of each step."""
    return [one.plain for one in table.slack.messages(CHANNEL) if one.plain.startswith(STEPS)]


def test_the_facilitator_asks_on_to_the_end_of_the_phase_and_then_the_persona_is_back(
    table: ServedBot, provider: StandIn
) -> None:
    provider.faults.add(StandInFault("400"))
    for text in ("The page must show the total.", "The page must print.", "Nobody may edit it."):
        table.say(text)
        table.forward()
    assert of_steps(table) == [
        ("Maya Chen", "Step 01-01 · First"), ("Roundtable", "First"),
        ("Roundtable", "Step 01-02 · Second"), ("Roundtable", "Second"),
        ("Alex Rivera", "Step 02-01 · Third"), ("Alex Rivera", "Third"),
    ]  # fmt: skip
    first, second, _ = step_messages(table)
    assert "Roundtable answered from the script" in first
    assert "1 requirement" in second  # read by the script's rules, not taken down word for word


def test_a_step_that_waits_when_models_are_kept_out_is_shown_as_the_script_reads_it(
    table: ServedBot, provider: StandIn
) -> None:
    provider.faults.add(StandInFault("hang", seconds=60.0))
    root = table.table.runtime.reader.thread(table.session().id, table.session().course.thread)
    assert root is not None
    table.slack.say("pm", CHANNEL, "The page must show the total.", thread_ts=root.ts)
    table.wait_until(lambda: provider.requests)
    table.slack.command("pm", CHANNEL, f"/roundtable brain {table.session().slug}")
    table.wait_until(lambda: [one for one in table.slack.ephemerals if "Who reads" in str(one)])
    press(table, "Script only here")
    (message,) = step_messages(table)
    assert "1 requirement" in message
    assert "Read by" not in message
    assert table.session().status == "choosing"


def test_what_a_model_refuses_twice_is_read_once_more_when_the_owner_says_so(
    table: ServedBot, provider: StandIn
) -> None:
    provider.faults.add(StandInFault("refusal", times=2, task="read_answers"))
    table.say("The page must show the total.")
    (message,) = step_messages(table)
    assert "Maya Chen answered from the script: what a language model read had flaws" in message
    assert "[Have it read once more]" in message
    standing = next(one for one in table.slack.messages(CHANNEL) if one.plain.startswith(STEPS))
    table.slack.click("pm", CHANNEL, standing.ts, "menu:ask-again")
    table.settle()
    (message,) = step_messages(table)
    assert "Read by stand-in" in message
    assert "once more for" in message
    assert "Have it read" not in message
