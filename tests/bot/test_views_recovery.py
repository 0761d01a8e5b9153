"""Recovery menus as people read them: what failed, what each choice means, what came of it."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from bot.devtools.workspace.blocks.limits import block_faults
from bot.devtools.workspace.blocks.table import controls
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from bot.views.kit import menus
from bot.views.kit.blocks import Message
from bot.views.kit.text import short
from bot.views.kit.widget import WIDGET_KINDS, WidgetKind
from bot.views.kit.wording import WORDING
from bot.views.thread.recovery import LEADER_CHARS_MAX, operators_notice, recovery
from bot.views.widgets.cards import BODY_CHARS_MAX
from core.domain.ids import FaultId, MenuId, SessionId, UserId
from core.domain.session.halt import Fault
from core.domain.session.menu import Menu
from core.engine.faults.remedies import PLACES

CHOICES = WORDING.recovery_choices["any"]
OUTCOMES = WORDING.recovery_outcomes["any"]
LEADS = WORDING.recovery_leads
PM = UserId("UPM")
NAMES = {PM: "Priya"}
CREDENTIAL = Fault(
    FaultId("f"), "ERR-SEC-001", "That looks like a password.", True, 0.0,
    facts={
        "secret_type": "a GitHub token",
        "location": "an answer",
        "remediation_steps": ["delete the message", "rotate the credential", "choose"],
        "forensics_path": "_forensics/item/fatal-001",
    },
)  # fmt: skip
LINK = Fault(
    FaultId("f"), "ERR-SEC-002", "Something tried.", True, 0.0,
    facts={"location": "item", "forensics_path": "_forensics/item/fatal-001",
           "remediation_steps": ["look at the path", "remove the link", "choose"]},
)  # fmt: skip


def menu(kind: str, *choices: str, **more: Any) -> Menu:
    known = {"id": MenuId("m"), "session": SessionId("s"), "kind": kind, "choices": choices}
    return Menu(**{**known, "phase": None, "step": None, **more})


def shown(fault: Fault, given: Menu, **more: Any) -> Message:
    return recovery(given, fault, "FATAL", NAMES, **more)


def lines(fault: Fault, given: Menu, **more: Any) -> list[str]:
    return read(shown(fault, given, **more)).splitlines()


def read(message: Message) -> str:
    words = [block for block in message.blocks if block["type"] != "actions"]
    return plain(words, message.text, Names({PM: "Priya"}, {}))


FATAL = menu("fatal", "redact", "cancel")


def test_a_halt_says_what_it_was_where_and_what_each_choice_means() -> None:
    message = shown(CREDENTIAL, FATAL, mention=(PM,))
    assert read(message).splitlines() == [
        "⛔ That looks like a password. ERR-SEC-001",
        f"@Priya {LEADS['fatal']}",
        "It was a GitHub token, in an answer.",
        "Redact and resume",
        CHOICES["redact"],
        "Cancel",
        WORDING.cancel_for_good,
    ]
    assert "'user_id': 'UPM'" in str(message.blocks)


def test_where_no_message_can_be_deleted_it_says_what_to_do_instead() -> None:
    facts = {**CREDENTIAL.facts, "location": "requirements-spec.md",
             "remediation_steps": ["take it out of the file", "rotate the credential"]}  # fmt: skip
    said = lines(replace(CREDENTIAL, facts=facts), FATAL)
    assert "It was a GitHub token, in requirements-spec.md." in said
    assert "Please take it out of the file, and rotate the credential." in said


def test_what_is_no_credential_has_no_line_about_one() -> None:
    said = lines(LINK, menu("fatal", "check", "cancel"))
    assert not any(line.startswith("It was") for line in said)
    assert "Check and resume" in said
    assert CHOICES["check"] in said


def test_without_a_mention_it_begins_with_its_first_word() -> None:
    assert lines(CREDENTIAL, FATAL)[1] == LEADS["fatal"]


@pytest.mark.parametrize(
    ("used", "words"),
    [
        ({"state": "used", "used_by": PM, "chosen": "facilitator"},
         "Priya chose “Fall back to standard analysis”. I read in place of Maya Chen for the rest "
         "of this phase."),
        ({"state": "used", "used_by": UserId("UWHO"), "chosen": "retry"},
         "“Try again” was chosen. The answers are read once more."),
        ({"state": "closed"}, "This is settled: nothing has to be chosen any more."),
        ({"state": "used", "used_by": PM, "chosen": "sing"}, "Priya chose “sing”."),
    ],
)  # fmt: skip
def test_afterwards_it_says_what_came_of_it_and_has_no_buttons(
    used: dict[str, Any], words: str
) -> None:
    given = menu("escalation", "retry", "facilitator", "skip-step", "cancel", **used)
    message = shown(CREDENTIAL, given, mention=(PM,), leader="Maya Chen")
    assert read(message).splitlines()[1:] == [words]
    assert all(block["type"] != "actions" for block in message.blocks)


def test_whoever_is_replaced_is_called_by_name() -> None:
    given = menu("escalation", "retry", "facilitator")
    text = read(shown(CREDENTIAL, given, leader="Maya Chen"))
    assert "in place of Maya Chen" in text
    assert "what Maya Chen would have made of them is lost" in text


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_has_a_label_an_explanation_and_an_outcome(choice: str) -> None:
    assert menus.label_of(choice) != choice
    assert CHOICES[choice].endswith(".")
    assert OUTCOMES[choice].endswith(".")
    assert len(menus.label_of(choice)) <= 75
    meaning = CHOICES[choice].format(name="n" * LEADER_CHARS_MAX)
    assert short(meaning, BODY_CHARS_MAX) == meaning


@pytest.mark.parametrize("plain_kinds", [(), WIDGET_KINDS], ids=["today", "plain"])
def test_every_choice_has_a_button_of_its_own_under_what_it_means(
    plain_kinds: Collection[WidgetKind],
) -> None:
    given = menu("escalation", "retry", "facilitator", "skip-step", "cancel")
    blocks = shown(CREDENTIAL, given, mention=(PM,)).drawn(plain_kinds)
    used = [(at, each["action_id"], each["value"]) for at, each in controls(blocks)]
    assert used == [(f"m|{choice}", f"menu:{choice}", "m") for choice in given.choices]
    assert [each["text"]["text"] for _, each in controls(blocks) if "confirm" in each] == ["Cancel"]
    assert block_faults(list(blocks)) == []


def test_its_cards_read_as_its_sections_do() -> None:
    given = menu("escalation", "retry", "facilitator", "skip-step", "cancel")
    message = shown(CREDENTIAL, given, mention=(PM,))
    today, yesterday = (
        plain(message.drawn(kinds), message.text, Names({PM: "Priya"}, {}))
        for kinds in ((), WIDGET_KINDS)
    )
    assert today == yesterday


def test_the_fallback_text_names_all_its_buttons() -> None:
    text = shown(CREDENTIAL, FATAL, mention=(PM,)).text
    assert text.splitlines()[-1] == "Buttons: Redact and resume, Cancel."


def test_operators_read_which_session_it_is_where_its_state_is_and_what_to_do() -> None:
    notice = operators_notice(CREDENTIAL, "FATAL", "Export dashboard", "https://slack/p1")
    assert "https://slack/p1" in str(notice.blocks)
    assert notice.text.splitlines()[1:] == [
        "Export dashboard",
        "It was a GitHub token, in an answer.",
        "Its state is kept below the artifacts folder in _forensics/item/fatal-001.",
        "What to do: delete the message; rotate the credential; choose.",
    ]


def test_operators_are_told_where_nothing_could_be_kept() -> None:
    notice = operators_notice(LINK, "FATAL", "Item", "", is_state_preserved=False)
    assert notice.text.splitlines()[1:] == [
        "Item",
        "Its state could not be kept; the log says why.",
        "What to do: look at the path; remove the link; choose.",
    ]
    bare = operators_notice(replace(LINK, facts={}), "FATAL", "Item", "", is_state_preserved=False)
    assert "What to do" not in bare.text


def test_every_place_of_a_credential_reads_well_in_a_sentence() -> None:
    for name, first in PLACES.values():
        assert f"It was a GitHub token, in {name}."
        assert first[0].islower()
