"""The bot in a workspace that knows Slack's newer blocks, and in one that knows none of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bot.devtools.workspace import NEWER_BLOCKS, Ephemeral, LocalWorkspace, Modal, WorkspaceMessage
from bot.devtools.workspace.blocks.table import every_block
from bot.devtools.workspace.reader_text import plain
from bot.devtools.workspace.values import Names
from tests.e2e.forms import open_form, submit
from tests.support.served_bot import CHANNEL, ServedBot, served_bot

TITLE: Final = "Export dashboard as PDF"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedBot]:
    with served_bot(tmp_path) as running:
        running.start(TITLE)
        yield running


def newer(slack: LocalWorkspace, since: int = 0) -> list[tuple[str, str]]:
    """The calls that showed a newer block, and what came of each."""
    return [
        (call.method, call.error)
        for call in slack.calls[since:]
        if NEWER_BLOCKS & {block["type"] for block in every_block(_blocks(call.args))}
    ]


def _blocks(args: dict[str, object]) -> list[dict[str, object]]:
    shown = args.get("view", args)
    assert isinstance(shown, dict)
    return list(shown.get("blocks") or ())


def read(ephemeral: Ephemeral) -> str:
    return plain(list(ephemeral.blocks), ephemeral.text, Names({}, {}))


def listed(table: ServedBot) -> Ephemeral:
    (answer,) = table.command("/roundtable list")
    assert answer
    return table.slack.ephemerals[-1]


def cards(table: ServedBot) -> list[WorkspaceMessage]:
    return [each for each in table.slack.messages(CHANNEL) if each.author == "Roundtable"]


def test_a_refused_card_stands_there_once_and_plainly_and_all_goes_on(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        table.slack.unknown_blocks = NEWER_BLOCKS
        session = table.start(TITLE)
        (card,) = cards(table)
        assert session.status == "asking"
        assert not NEWER_BLOCKS & {block["type"] for block in every_block(card.blocks)}
        assert ("chat.postMessage", "invalid_blocks") in newer(table.slack)
        assert table.table.runtime.reader.faults(session.id) == ()


def test_a_plain_card_that_comes_too_soon_is_posted_later_and_once(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        table.slack.refuse("chat.postMessage", "invalid_blocks")
        table.slack.inject("429", method="chat.postMessage", retry_after=1)
        table.start(TITLE)
        posts = [call for call in table.slack.calls if call.method == "chat.postMessage"][:3]
        assert [(call.status, call.error) for call in posts] == [
            (200, "invalid_blocks"),
            (429, "ratelimited"),
            (200, ""),
        ]
        assert newer(table.slack)[:1] == [("chat.postMessage", "invalid_blocks")]
        (card,) = cards(table)
        assert not NEWER_BLOCKS & {block["type"] for block in every_block(card.blocks)}


def test_a_command_is_answered_with_newer_blocks_where_slack_takes_them(table: ServedBot) -> None:
    assert "table" in {block["type"] for block in listed(table).blocks}


def test_a_command_is_answered_once_and_plainly_where_slack_refuses_them(table: ServedBot) -> None:
    today = read(listed(table))
    table.slack.unknown_blocks = NEWER_BLOCKS
    before = len(table.slack.ephemerals)
    for _ in range(2):
        answer = listed(table)
        assert not NEWER_BLOCKS & {block["type"] for block in answer.blocks}
        assert read(answer) == today
    assert len(table.slack.ephemerals) == before + 2
    assert "table" in table.table.runtime.reader.refused_widgets(table.table.workspace.team)


def test_a_refusal_is_known_after_a_start(table: ServedBot) -> None:
    table.slack.unknown_blocks = NEWER_BLOCKS
    before = len(table.slack.calls)
    asked(table)
    assert newer(table.slack, before) == [("chat.postEphemeral", "invalid_blocks")]
    table.restart()
    before = len(table.slack.calls)
    asked(table)
    assert newer(table.slack, before) == []


def asked(table: ServedBot) -> None:
    """By a mention, which is answered by a call of its own."""
    before = len(table.slack.ephemerals)
    table.slack.say("pm", CHANNEL, "@Roundtable list")
    table.settle()
    assert len(table.slack.ephemerals) == before + 1


def altered(table: ServedBot) -> Modal:
    """What stands there once somebody has sent a form with what it keeps altered."""
    form = open_form(table)
    with table.slack.world.lock:
        table.slack.world.modals[form.id].view["private_metadata"] = "altered"
    answer = submit(table, form)
    assert answer is not None
    assert "open it once more" in answer.plain
    return answer


def test_what_is_wrong_with_a_form_in_general_is_an_alert_where_slack_takes_it(
    table: ServedBot,
) -> None:
    answer = altered(table)

    def types() -> list[str]:
        shown = next(form for form in table.slack.modals if form.id == answer.id)
        return [block["type"] for block in shown.view["blocks"]]

    table.settle_until(lambda: types() == ["alert"])


def test_what_is_wrong_with_a_form_stays_there_plainly_where_slack_refuses_alerts(
    table: ServedBot,
) -> None:
    table.slack.unknown_blocks = NEWER_BLOCKS
    answer = altered(table)
    # The form says it from the first; only after Slack's refusal is it known to be the plain one.
    table.settle_until(
        lambda: "notice" in table.table.runtime.reader.refused_widgets(table.table.workspace.team)
    )
    assert ("views.update", "invalid_arguments") in newer(table.slack)
    shown = next(form for form in table.slack.modals if form.id == answer.id)
    assert "open it once more" in shown.plain
    assert not NEWER_BLOCKS & {block["type"] for block in shown.view["blocks"]}
