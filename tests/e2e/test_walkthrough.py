"""The walkthrough of "Error Classification" through the real bot, and what may come instead."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.workspace import NEWER_BLOCKS, WorkspaceMessage
from core.brains.tasks import Diagnosis, DiagnosisRequest
from core.domain.faults import record_of
from core.domain.session.step import StepState
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import ActingBrain, Thinking
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, ServedBot, controls, served_bot
from tests.support.step_trees import BODY

pytestmark = EACH_DATABASE

AMBIGUOUS = ValueError("ambiguous: multiple valid interpretations")
TROUBLE = (
    "Analysis could not proceed: the roundtable agent encountered an error. "
    "Falling back to standard analysis."
)
NEEDED = (
    "For “First” I need CLAUDE.md, and it is not there. Please reply with what it says, or that we "
    "do without it. Putting the file into this analysis's folder and replying works as well. I go "
    "on by myself then."
)


def open_desk(
    folder: Path, *, source: str | None = None, body: str = BODY, **parts: Any
) -> AbstractContextManager[ServedBot]:
    """Two steps of Maya's; the first one names a document, if there is one to be named."""
    tree = small_tree(folder / "steps")
    if source:
        tree.step("01-requirements/01-a.md", body, title="First", sources=f"[{source}]")
    return served_bot(folder, steps=tree.root, **parts)


def thread(table: ServedBot) -> list[tuple[str, str]]:
    """Maya's thread as (author, text), without its root."""
    root = table.table.runtime.reader.thread(table.session().id, table.session().course.thread)
    assert root is not None
    messages = table.slack.messages(CHANNEL, thread_ts=root.ts)
    return [(each.author, each.plain) for each in messages if each.ts != root.ts]


def card(table: ServedBot) -> str:
    return table.slack.messages(CHANNEL)[0].plain


def step(table: ServedBot, name: str = "01-01") -> StepState:
    states = table.table.runtime.reader.all_steps(table.session().id)
    return next(each for each in states if each.id == name)


def records(table: ServedBot) -> list[dict[str, Any]]:
    faults = table.table.runtime.reader.faults(table.session().id)
    return [record_of(each, "analysis") for each in faults if each.code == "ERR-INT-001"]


# ── the walkthrough ────────────────────────────────────────────────────────────────────────────


def test_a_wrong_file_name_is_reported_raw_classified_looked_into_and_mended(
    tmp_path: Path,
) -> None:
    with open_desk(tmp_path, source="CLAUDE.md") as table:
        table.start("Tests in Markdown")
        (table.folder / "AGENTS.md").write_text("How agents work here.\n")
        table.say("Because of the bank.")
        _greeting, prompt, answer, mended, menu = thread(table)
        assert prompt[0] == answer[0].replace("pm", "Maya Chen")
        assert mended == (
            "Maya Chen",
            "The step names CLAUDE.md, which is not there. The file is AGENTS.md, so I corrected "
            "the reference and carried the step out again.",
        )
        assert menu[1].startswith("First\nFrom pm: “Because of the bank”.")
        assert "[Continue]" in table.slack.messages(CHANNEL)[-1].plain
        assert step(table).sources.corrections == (("CLAUDE.md", "AGENTS.md"),)
        assert step(table).status == "completed"
        report = (table.folder / "reports" / "step-01-01-sonnet.md").read_text()
        assert "- Category: prerequisite_failure" in report
        assert "- Outcome: Put right; the step was carried out again." in report
        assert "FileNotFoundError" in report
        assert "Available: AGENTS.md." in (table.folder / "requirements-spec.md").read_text()
        (record,) = records(table)
        assert (record["category"], record["routing_decision"]) == (
            "prerequisite_failure", "DETOUR",
        )  # fmt: skip
        assert TROUBLE not in str(thread(table))
        table.forward()
        assert table.session().course.step == "01-02"


NAMING = """
## Standard Mode

1. What does CLAUDE.md ask for? (Not docs/CLAUDE.md, nor OLD-CLAUDE.md.)
"""


@pytest.mark.parametrize("restarted", [False, True], ids=["at once", "after a restart"])
def test_a_corrected_name_is_corrected_in_the_prompt_as_well(
    tmp_path: Path, restarted: bool
) -> None:
    with open_desk(tmp_path, source="CLAUDE.md", body=NAMING) as table:
        table.start("Tests in Markdown")
        (table.folder / "AGENTS.md").write_text("How agents work here.\n")
        assert "What does CLAUDE.md ask for?" in thread(table)[1][1]
        table.say("Because of the bank.")
        if restarted:
            table.restart()
        asked = "What does AGENTS.md ask for? (Not docs/CLAUDE.md, nor OLD-CLAUDE.md.)"
        assert asked in thread(table)[1][1]
        assert sum("What does" in text for _, text in thread(table)) == 1


def test_a_folder_in_the_place_of_a_document_pings_nobody_and_loses_nothing(
    tmp_path: Path,
) -> None:
    with open_desk(tmp_path, source="CLAUDE.md") as table:
        table.start("Tests in Markdown")
        (table.folder / "CLAUDE.md").mkdir()
        pings = len(table.slack.pings)
        table.say("Because of the bank.")
        assert len(table.slack.pings) == pings
        assert thread(table)[-1] == ("Maya Chen", NEEDED)
        assert {each["category"] for each in records(table)} == {"prerequisite_failure"}
        table.say("We do without it.")
        assert step(table).status == "completed"
        text = (table.folder / "requirements-spec.md").read_text()
        assert "Because of the bank." in text
        assert "CLAUDE.md" not in text


# ── nothing there ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("restarted", [False, True], ids=["at once", "after a restart"])
def test_what_is_nowhere_is_asked_for_and_goes_on_by_itself(
    tmp_path: Path, restarted: bool
) -> None:
    with open_desk(tmp_path, source="CLAUDE.md") as table:
        table.start("Tests in Markdown")
        table.say("Because of the bank.")
        assert thread(table)[-1] == ("Maya Chen", NEEDED)
        assert "[!] First is blocked" in card(table)
        assert "Waiting for a reply in the thread." in card(table)
        assert step(table).status == "blocked"
        if restarted:
            table.restart()
            assert "[!] First is blocked" in card(table)
        table.say("There is no such file any more.", by="dev")
        assert step(table).status == "completed"
        assert "[!]" not in card(table)
        assert thread(table)[-1][1].startswith("First\nFrom ")
        assert TROUBLE not in str(thread(table))
        assert [each["routing_decision"] for each in records(table)] == ["DETOUR", "BLOCKED"]


# ── up to a human ──────────────────────────────────────────────────────────────────────────────


def unable(_: DiagnosisRequest) -> Diagnosis:
    return Diagnosis(False, "I cannot tell.")


@pytest.fixture(params=["at once", "after a restart", "where Slack draws no cards"])
def escalated(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ServedBot]:
    """The persona's brain fails once, sonnet cannot mend it, and the owner is asked."""
    brains = iter([Thinking([AMBIGUOUS])])
    with open_desk(
        tmp_path,
        brain=lambda scripted: next(brains, scripted),
        tiers={"sonnet": ActingBrain(diagnose=unable)},
    ) as table:
        if request.param == "where Slack draws no cards":
            table.slack.unknown_blocks = NEWER_BLOCKS
        table.start("Tests in Markdown")
        table.say("Because of the bank.")
        if request.param == "after a restart":
            table.restart()
        yield table


def asked(table: ServedBot) -> WorkspaceMessage:
    """The recovery menu, as it stands now."""
    return next(each for each in table.slack.messages(CHANNEL) if "I could not make" in each.plain)


def choose(table: ServedBot, choice: str, by: str = "pm") -> list[str]:
    """Press that button; what the menu says then."""
    table.slack.click(by, CHANNEL, asked(table).ts, f"menu:{choice}")
    table.settle()
    return asked(table).plain.splitlines()


def test_the_menu_says_what_failed_and_what_each_choice_means(escalated: ServedBot) -> None:
    assert asked(escalated).plain.splitlines() == [
        "⛔ I could not make out how the answers to “First” are to be read. ERR-INT-001",
        "@pm I could not put this right by myself. Your answers are kept. Anybody may choose how "
        "we go on; cancelling is for you or an admin.",
        "Try again",
        "Reads the answers once more. Nothing is lost; it may fail again.",
        "[Try again]",
        "Fall back to standard analysis",
        "I read in place of Maya Chen for the rest of this phase. Your answers stay; what Maya "
        "Chen would have made of them is lost.",
        "[Fall back to standard analysis]",
        "Skip this step",
        "Goes on with the next step. The answers to this one stay, but nothing is written from "
        "them; you can go back to it.",
        "[Skip this step]",
        "Cancel",
        "Ends this here for everybody. What was written stays; for ten minutes you or an admin can "
        "take that back.",
        "[Cancel]",
    ]
    assert "[✗] First has failed" in card(escalated)
    assert "Waiting for a choice in the thread." in card(escalated)
    assert [ping.what for ping in escalated.slack.pings].count("@pm") >= 1
    assert escalated.session().status == "asking"
    assert TROUBLE not in str(thread(escalated))


OutcomeOf = Callable[[ServedBot], object]


@pytest.mark.parametrize(
    ("choice", "by", "told", "holds"),
    [
        (
            "retry", "dev", "dev chose “Try again”. The answers are read once more.",
            lambda table: (table.session().status, step(table).status) == ("choosing", "completed"),
        ),
        (
            "facilitator", "dev",
            "dev chose “Fall back to standard analysis”. I read in place of Maya Chen for the rest "
            "of this phase.",
            lambda table: (
                table.session().course.phases[0].facilitated and TROUBLE in str(thread(table))
            ),
        ),
        (
            "skip-step", "dev", "dev chose “Skip this step”. We go on with the next step.",
            lambda table: (table.session().course.step, step(table).status) == ("01-02", "skipped"),
        ),
        (
            "cancel", "pm", "pm chose “Cancel”. It ended here. What was written is kept.",
            lambda table: table.session().status == "cancelled",
        ),
    ],
)  # fmt: skip
def test_each_choice_does_what_it_says_and_says_what_came_of_it(
    escalated: ServedBot, choice: str, by: str, told: str, holds: OutcomeOf
) -> None:
    assert choose(escalated, choice, by)[-1] == told
    assert holds(escalated)
    assert controls(asked(escalated)) == []
    assert choice == "cancel" or "[✗]" not in card(escalated)


def told_to(table: ServedBot, person: str) -> list[str]:
    """What that person alone was told."""
    return [each.text for each in table.slack.ephemerals if each.to == person]


def test_a_choice_counts_once_although_its_buttons_still_stand_there(escalated: ServedBot) -> None:
    menu = asked(escalated)
    cards = [
        block["type"] == "card" for block in menu.blocks if block["type"] in ("card", "actions")
    ]
    assert cards == [not escalated.slack.unknown_blocks] * 4
    escalated.slack.refuse("chat.update", "edit_window_closed", ts=menu.ts)
    choose(escalated, "facilitator", by="dev")
    after = thread(escalated)
    choose(escalated, "cancel")
    assert told_to(escalated, "pm")[-1] == (
        "dev was a little quicker and chose “Fall back to standard analysis”. Nothing else "
        "happened."
    )
    assert escalated.session().status == "choosing"
    assert thread(escalated) == after


def test_cancelling_is_not_for_everybody(escalated: ServedBot) -> None:
    choose(escalated, "cancel", by="dev")
    assert escalated.session().status == "asking"
    escalated.settle_until(lambda: told_to(escalated, "dev"))
    assert "Only" in told_to(escalated, "dev")[-1]


def test_another_answer_that_is_read_well_settles_the_menu(escalated: ServedBot) -> None:
    escalated.say("I mean the second one.")
    assert escalated.session().status == "choosing"
    assert asked(escalated).plain.splitlines()[-1] == (
        "This is settled: nothing has to be chosen any more."
    )
