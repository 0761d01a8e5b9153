"""What people see and click in a thread: menus in sight, assumptions, what has changed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.workspace import WorkspaceMessage
from bot.publish.message_targets import PASSED_BY_MAX
from bot.views.kit import menus
from bot.views.kit.menus import OVERFLOW
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot

SMALL = "Assumption: the file stays below 10 MB."
LIVE = "Assumption: *all* <!channel> [see](https://evil.example) use it."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path, steps=small_tree(tmp_path / "steps").root) as found:
        found.start("Tests in Markdown")
        yield found


def thread(table: ServedBot) -> list[WorkspaceMessage]:
    root = table.table.runtime.reader.thread(table.session().id, table.session().course.thread)
    assert root is not None
    return list(table.slack.messages(CHANNEL, thread_ts=root.ts))


def labels(message: WorkspaceMessage) -> list[str]:
    return [each["text"]["text"] for each in controls(message) if each["type"] == "button"]  # type: ignore[index]


def with_button(table: ServedBot, label: str) -> WorkspaceMessage:
    """The newest message that offers it."""
    return next(each for each in reversed(thread(table)) if label in labels(each))


def press(table: ServedBot, label: str, *, by: str = "pm", under: str = "") -> list[str]:
    """Click a button; where several say the same, the one below that line."""
    message = with_button(table, label)
    block_id, action, shown = "", "", ""
    for block in message.blocks:
        if block["type"] == "actions":
            for element in block["elements"]:
                if element.get("text", {}).get("text") == label and under in shown:
                    block_id, action = block["block_id"], element["action_id"]
        elif not (under and action):
            shown = str(block) if under else ""
        if action:
            break
    before = len(table.slack.ephemerals)
    table.slack.click(by, CHANNEL, message.ts, action, block_id=block_id)
    table.settle()
    return [each.text for each in table.slack.ephemerals[before:] if each.to == by]


def option(message: WorkspaceMessage, label: str) -> str:
    """The value of an overflow's option, by its words."""
    (overflow,) = (each for each in controls(message) if each["type"] == "overflow")
    options: list[dict[str, Any]] = overflow["options"]  # type: ignore[assignment]
    return next(str(each["value"]) for each in options if each["text"]["text"].startswith(label))


def spec(table: ServedBot) -> str:
    return (table.folder / "requirements-spec.md").read_text()


# ── the menu stays in sight, and the prompt says how far it is ──


def test_a_menu_that_five_messages_have_passed_moves_down_and_says_where_it_went(
    table: ServedBot,
) -> None:
    table.say("It should be fast.")
    first = with_button(table, "Continue")
    for number in range(PASSED_BY_MAX - 1):
        table.say(f"And {number} more things.", by="dev")
    assert with_button(table, "Continue").ts == first.ts
    table.say("One more.", by="dev")
    moved = with_button(table, "Continue")
    assert float(moved.ts) > float(first.ts)
    left = table.message(first.ts)
    assert left.plain.splitlines() == ["The buttons for First have moved down: go there."]
    assert controls(left) == []
    assert f"p{moved.ts.replace('.', '')}" in str(left.blocks)
    assert sum("Continue" in labels(each) for each in thread(table)) == 1
    press(table, "Continue")
    assert table.session().course.step == "01-02"


def test_after_an_elaboration_the_buttons_are_below_what_was_said(table: ServedBot) -> None:
    table.say("It should be fast.")
    first = with_button(table, "Continue")
    press(table, "Elaborate")
    table.say("Alex, what would break?", by="dev")
    press(table, "That's enough")
    texts = [message.plain for message in thread(table)]
    ended = next(n for n, text in enumerate(texts) if "ended the conversation" in text)
    assert texts[ended] == (
        "pm ended the conversation. I read it into “First”; the buttons follow below."
    )
    again = with_button(table, "Continue")
    assert again.ts == thread(table)[-1].ts
    assert float(again.ts) > float(thread(table)[ended].ts)
    assert table.message(first.ts).plain == "The buttons for First have moved down: go there."
    table.say("And it should be quiet.")
    assert with_button(table, "Continue").ts == again.ts  # only once


def test_after_a_restart_the_buttons_stay_where_they_were(table: ServedBot) -> None:
    table.say("It should be fast.")
    before = [(message.ts, message.plain) for message in thread(table)]
    table.restart()
    assert [(message.ts, message.plain) for message in thread(table)] == before
    press(table, "Continue")
    assert table.session().course.step == "01-02"


def test_a_pause_says_so_in_the_thread_and_a_resume_brings_the_buttons_down(
    table: ServedBot,
) -> None:
    table.say("It should be fast.")
    first = with_button(table, "Continue")
    root = thread(table)[0]
    prompt = next(each for each in thread(table) if each.plain.startswith("Step 01-01"))
    table.slack.click("dev", CHANNEL, prompt.ts, OVERFLOW, value=option(prompt, "Pause"))
    table.settle()
    assert thread(table)[-1].plain == (
        "dev paused this analysis. Nothing is lost; /roundtable resume goes on from here."
    )
    table.command("/roundtable resume")
    assert float(with_button(table, "Continue").ts) > float(first.ts)
    assert root.ts == thread(table)[0].ts


def test_the_card_s_links_open_the_threads(table: ServedBot) -> None:
    root = thread(table)[0]
    card = table.slack.messages(CHANNEL)[0]
    assert f"?thread_ts={root.ts}&cid={table.slack.channel_id(CHANNEL)}" in str(card.blocks)


def test_the_prompt_says_which_of_all_steps_it_is(table: ServedBot) -> None:
    headers = []
    for _ in range(3):
        headers += [
            each.plain.splitlines()[0]
            for each in thread(table)
            if each.plain.startswith("Step ") and each.plain.splitlines()[0] not in headers
        ]
        table.say("Nothing to add.")
        table.forward()
    assert headers == [
        "Step 01-01 · First (1 of 3)",
        "Step 01-02 · Second (2 of 3)",
        "Step 02-01 · Third (3 of 3)",
    ]
    card = table.slack.messages(CHANNEL)[0].plain
    assert "3 of 3 steps done" in card
    assert "Requirements: 2 of 2 · done" in card


# ── assumptions ──


@pytest.fixture
def ended(table: ServedBot) -> ServedBot:
    """The first phase is answered and assumes three things."""
    table.say(f"It should be fast.\n{SMALL}")
    table.forward()
    table.say(f"Nothing to add.\n{LIVE}")
    return table


def test_each_assumption_has_its_two_buttons_and_none_of_them_pings(ended: ServedBot) -> None:
    message = with_button(ended, "Wrong")
    assert labels(message).count("That's right") == labels(message).count("Wrong") == 3
    assert SMALL in message.plain
    assert LIVE in message.plain
    assert ended.slack.pings == [each for each in ended.slack.pings if each.what == "@pm"]


def test_what_is_right_is_theirs_and_in_the_file(ended: ServedBot) -> None:
    assert press(ended, "That's right", by="dev", under="10 MB") == []
    assert f"{SMALL} — said by pm" in spec(ended)
    assert ", confirmed by dev" in spec(ended)
    message = with_button(ended, "Wrong")
    assert labels(message).count("Wrong") == 2
    assert "Accept — continue to Impact Analysis" in labels(message)
    assert ended.session().status == "choosing"


def test_whoever_says_so_has_not_answered_the_step_by_it(ended: ServedBot) -> None:
    press(ended, "That's right", by="dev", under="use it")
    assert "confirmed by dev" in spec(ended)
    message = with_button(ended, "Wrong")
    assert "Answered: pm" in message.plain
    assert "dev: " not in message.plain


def test_what_is_wrong_is_asked_again_with_its_words_in_the_prompt(ended: ServedBot) -> None:
    before = len(ended.slack.pings)
    press(ended, "Wrong", by="dev", under="use it")
    prompts = [each for each in thread(ended) if each.plain.startswith("Step 01-02")]
    assert len(prompts) == 2
    assert f"• dev says this is not right: “{LIVE}”. What is right instead?" in prompts[-1].plain
    assert ended.slack.pings[before:] == []
    ended.say("Only finance uses it.")
    assert "Accept — continue to Impact Analysis" in labels(with_button(ended, "Amend"))
    assert LIVE not in with_button(ended, "Amend").plain.partition("Assumptions")[2]
    press(ended, "Accept — continue to Impact Analysis")
    assert ended.session().course.step == "02-01"


def test_an_open_question_is_named_when_it_is_asked_after_all(ended: ServedBot) -> None:
    press(ended, "Wrong", by="dev", under="how much is good enough")
    prompt = [each for each in thread(ended) if each.plain.startswith("Step 01-01")][-1]
    asked = "FR-001 “It should be fast”: how much is good enough, as a number?"
    assert f"dev would like this answered after all: “{asked}”" in prompt.plain


# ── what has changed since it was last looked at ──


def summary(table: ServedBot) -> str:
    return with_button(table, "Amend").plain


def test_after_amending_the_summary_says_what_has_changed(ended: ServedBot) -> None:
    assert "Changed since" not in summary(ended)
    press(ended, "Amend")
    assert "Nothing has changed since you last looked at this together." in summary(ended)
    ended.say("Admins see all of it.")
    assert "• New: FR-002 Admins see all of it." in summary(ended)


def test_a_phase_that_somebody_goes_back_to_shows_what_is_new_since_it_was_accepted(
    ended: ServedBot,
) -> None:
    press(ended, "Accept — continue to Impact Analysis")
    prompt = next(each for each in reversed(ended.slack.messages(CHANNEL))
                  if each.plain.startswith("Step 02-01"))  # fmt: skip
    ended.slack.click("pm", CHANNEL, prompt.ts, "menu:overflow", value="back")
    ended.settle()
    assert ended.session().course.step == "01-02"
    assert "Nothing has changed since" in summary(ended)
    ended.say("The export may take a minute.")
    assert "• New: FR-002 The export may take a minute." in summary(ended)


def test_a_confirmed_assumption_counts_as_a_change(ended: ServedBot) -> None:
    press(ended, "Amend")
    press(ended, "That's right", by="dev", under="10 MB")
    assert f"• Confirmed: {SMALL}" in summary(ended)


# ── why a line is there ──


def test_a_line_of_the_summary_can_be_asked_about_where_it_stands(ended: ServedBot) -> None:
    press(ended, "Amend")
    ended.say("The system must export a PDF of the dashboard.", by="dev")
    message = summary_message(ended)
    (picker,) = [each for each in controls(message) if each["action_id"] == "why:picked"]
    assert picker["placeholder"]["text"] == "Why is this here?"  # type: ignore[index]
    before, pings = len(ended.slack.ephemerals), len(ended.slack.pings)
    ended.slack.click("dev", CHANNEL, message.ts, "why:picked", value="FR-002")
    ended.settle()
    (told,) = ended.slack.ephemerals[before:]
    assert told.to == "dev"
    assert told.text.startswith("FR-002 The system must export a PDF of the dashboard.")
    assert "• dev: “The system must export a PDF of the dashboard.” message" in told.text
    assert ended.slack.pings[pings:] == []


def test_any_step_of_a_phase_can_be_amended_by_name(ended: ServedBot) -> None:
    message = summary_message(ended)
    ended.slack.click("dev", CHANNEL, message.ts, menus.PICK, value="amend:01-01")
    ended.settle()
    assert ended.session().course.step == "01-01"
    prompts = [each for each in thread(ended) if each.plain.startswith("Step 01-01 · First")]
    assert len(prompts) == 2
    left = next(each for each in thread(ended) if each.ts == message.ts)
    assert "Amend · chosen by dev" in left.plain
    ended.say("Second thoughts: it must be free.")
    assert "Second thoughts" in summary_message(ended).plain


def test_going_back_offers_the_steps_before(table: ServedBot) -> None:
    table.say("It should be fast.")
    table.forward()
    prompt = next(each for each in thread(table) if each.plain.startswith("Step 01-02"))
    assert not any(each["action_id"] == menus.PICK for each in controls(prompt))  # only one
    table.slack.click("pm", CHANNEL, prompt.ts, OVERFLOW, value=option(prompt, "Go back"))
    table.settle()
    assert table.session().course.step == "01-01"


def test_an_accepted_summary_stays_readable(ended: ServedBot) -> None:
    message = summary_message(ended)
    assert "Requirements in short" in message.plain
    ended.forward()
    kept = next(each for each in thread_of(ended, message) if each.ts == message.ts)
    assert "Requirements in short" in kept.plain
    assert "It should be fast." in kept.plain
    assert "Accept · chosen by pm" in kept.plain
    assert "since you last looked" not in kept.plain


def test_an_analysis_ends_with_one_page_in_the_card_s_thread(ended: ServedBot) -> None:
    ended.forward()
    ended.say("Two services change.")
    ended.forward()
    card = ended.slack.messages(CHANNEL)[0]
    (page,) = [
        each for each in ended.slack.messages(CHANNEL, thread_ts=card.ts) if "Done:" in each.plain
    ]
    assert page.plain.startswith("Done: Tests in Markdown\n3 steps answered.\nBefore you build\n")
    assert "• Nobody has said which requirements must be there.\n" in page.plain
    assert "Nothing is open." not in page.plain
    assert "Files: " in page.plain
    assert "requirements-spec.md" in page.plain


def thread_of(table: ServedBot, message: WorkspaceMessage) -> list[WorkspaceMessage]:
    return list(table.slack.messages(CHANNEL, thread_ts=message.thread_ts))


def summary_message(table: ServedBot) -> WorkspaceMessage:
    return with_button(table, "Amend")
