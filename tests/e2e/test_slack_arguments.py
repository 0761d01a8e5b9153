"""What is sent to Slack in a whole session: documented arguments, names, rich text that stays."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.devtools.workspace import LocalWorkspace
from bot.views.kit.blocks import message
from bot.views.kit.rich_text import prose
from bot.web_api.client import SlackClient
from core.domain import effects as fx
from core.domain import events as on
from tests.support.api_pages import method_pages
from tests.support.fakes import CHANNEL, DEV, NAMES, OWNER
from tests.support.harness_over_http import SlackTable, slack_table, slack_workspace


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalWorkspace]:
    with slack_workspace() as found:
        yield found


@pytest.fixture(scope="module")
def laid(slack: LocalWorkspace, tmp_path_factory: pytest.TempPathFactory) -> SlackTable:
    """A session of two people from its start to its end, with what is edited on the way."""
    found = slack_table(slack, tmp_path_factory.mktemp("whole"))
    table = found.table
    table.start()
    first = table.say("Because the bank asks for it.")
    table.say("And so do our people.", DEV)
    table.edit(first, "Because the bank asks for it, since May.")
    table.take(on.ExportRequested(OWNER, table.clock.now()))
    table.forward()
    table.click("skip-step", menu=table.session.menus.prompt)
    table.finish()
    assert table.session.status == "completed"
    return found


def test_no_call_has_an_argument_that_its_page_does_not_list(laid: SlackTable) -> None:
    pages = method_pages()
    strange = {
        (call.method, name)
        for call in laid.calls
        for name in call.args
        if name not in pages[call.method].arguments | {"token"}
    }
    assert strange == set()
    assert {"chat.postMessage", "chat.update", "files.completeUploadExternal"} <= {
        call.method for call in laid.calls
    }


def test_words_for_one_person_have_documented_arguments_too(slack: LocalWorkspace) -> None:
    client = SlackClient(slack.bot_token, base_url=slack.api_url)
    assert client.ephemeral(CHANNEL, OWNER, message(*prose("A word."))) is None
    assert slack.calls[-1].method == "chat.postEphemeral"
    assert set(slack.calls[-1].args) <= method_pages()["chat.postEphemeral"].arguments


def leaves(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for element in part.get("elements", ()):
        yield element
        yield from leaves(element)


def test_the_fallback_text_names_everybody_who_is_mentioned(laid: SlackTable) -> None:
    mentions = [
        (leaf["user_id"], call.args["text"])
        for call in laid.calls
        if call.method == "chat.postMessage"
        for block in call.args["blocks"]
        for leaf in leaves(block)
        if leaf.get("type") == "user"
    ]
    assert {user for user, _ in mentions} == {OWNER, DEV}
    assert [text for user, text in mentions if NAMES[user] not in text] == []
    assert not any(user in text for user, text in mentions)


def test_what_was_rich_text_stays_rich_text(laid: SlackTable) -> None:
    rich: dict[str, bool] = {}
    for call in laid.calls:
        if call.method == "chat.update":
            now = any(block["type"] == "rich_text" for block in call.args["blocks"])
            assert call.error == "", call.args["text"]
            assert now or not rich.get(call.args["ts"], False), call.args["text"]
    assert not any(call.error == "block_mismatch" for call in laid.slack.calls)


def test_only_those_who_are_awaited_are_mentioned_by_a_phase_s_first_prompt(
    slack: LocalWorkspace, tmp_path: Path
) -> None:
    table = slack_table(slack, tmp_path).table
    table.start()
    table.say("Because the bank asks for it.")
    table.forward()
    table.answer()
    first = [effect for effect in table.stage.shown if isinstance(effect, fx.PostPrompt)]
    assert [effect.mention for effect in first] == [(OWNER,), (), (OWNER,)]
