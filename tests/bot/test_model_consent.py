"""Where workspaces install the app, language models read only once an admin of each agreed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.ids import PersonaKey, SessionId, Ts
from core.store.statements.calls import calls
from core.store.statements.statement import select_columns
from tests.support.bolt_front import click, event_body, posted, slash
from tests.support.installed_bot import InstalledBot, installed_bot, token_of
from tests.support.waiting import wait_until

MODEL = {"ROUNDTABLE_MODEL": "openai-chat:tiny@http://127.0.0.1:9/v1"}
MAYA = PersonaKey("business-analyst")
BUTTON = "Let them read in this workspace"


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[InstalledBot]:
    with installed_bot(tmp_path, more=MODEL) as bot:
        bot.install("T1")
        yield bot


def shown(bot: InstalledBot) -> str:
    body = bot.deliver("T1", slash("brain", channel="C001")).body
    return json.dumps(json.loads(body), ensure_ascii=False)


def press(bot: InstalledBot, *, admin: bool) -> str:
    person = {"id": "U1", "is_admin": admin}
    bot.slack.answers["users.info"] = {"ok": True, "user": person}
    before = len(bot.slack.called(token_of("T1"), "chat.postEphemeral"))
    bot.deliver("T1", click("brain-workspace:models", "here", channel="C001"))
    told = wait_until(lambda: bot.slack.called(token_of("T1"), "chat.postEphemeral")[before:])
    return json.dumps(told)


def asked_models(bot: InstalledBot, session: SessionId, number: int) -> int:
    """How many requests have been made for it, after one more answer."""
    root = bot.roundtable.runtime.reader.thread(session, MAYA)
    assert root is not None
    said = posted(
        f"About {number} screens of checkout.",
        channel="C001",
        thread_ts=root.ts,
        ts=Ts(f"1700000{900 + number}.000100"),
    )
    bot.deliver("T1", event_body(said, event_id=f"Ev{number}"))
    bot.settle()
    rows = select_columns(calls, "task", keys=("session",))
    return len(bot.roundtable.runtime.database.run(rows, session=session))


def test_the_command_names_host_and_what_leaves_and_asks_for_an_admin(bot: InstalledBot) -> None:
    words = shown(bot)
    assert BUTTON in words
    assert "tiny at 127.0.0.1:9" in words
    assert "What is sent" in words
    assert "no admin of this workspace has agreed" in words


def test_no_model_reads_before_an_admin_agreed(bot: InstalledBot) -> None:
    session = bot.start_session("T1", "C001")
    assert asked_models(bot, session, 1) == 0
    assert "Language models read" not in press(bot, admin=False)
    assert BUTTON in shown(bot)
    assert asked_models(bot, session, 2) == 0


def card(bot: InstalledBot) -> str:
    """The newest card, as it was last posted or edited."""
    bot.settle()
    token = token_of("T1")
    posts = [*bot.slack.called(token, "chat.postMessage"), *bot.slack.called(token, "chat.update")]
    return next(text for text in map(json.dumps, reversed(posts)) if "done" in text)


def test_the_card_says_that_models_wait_for_an_admin_until_one_may_read(
    bot: InstalledBot,
) -> None:
    session = bot.start_session("T1", "C001")
    assert "language models wait until an admin of this workspace agrees" in card(bot)
    press(bot, admin=True)
    assert asked_models(bot, session, 1) > 0
    assert not bot.roundtable.runtime.reader.load(session).model.waits_for_admin


def test_the_card_of_a_workspace_that_agreed_says_nothing_of_it(bot: InstalledBot) -> None:
    press(bot, admin=True)
    bot.start_session("T1", "C001")
    assert "language models wait" not in card(bot)


def test_once_an_admin_agreed_they_read_and_the_button_is_gone(bot: InstalledBot) -> None:
    assert "Language models read in this workspace from now on" in press(bot, admin=True)
    assert BUTTON not in shown(bot)
    assert bot.installation("T1").model_hosts == {"127.0.0.1:9"}
    session = bot.start_session("T1", "C001")
    assert asked_models(bot, session, 1) > 0


def test_agreement_to_one_host_is_none_to_another(tmp_path: Path) -> None:
    with installed_bot(tmp_path, more=MODEL) as bot:
        bot.install("T1")
        press(bot, admin=True)
        assert BUTTON not in shown(bot)
        keys = bot.settings.token_keys[0]
    other = {
        "ROUNDTABLE_MODEL": "openai-chat:tiny@http://127.0.0.1:10/v1",
        "ROUNDTABLE_TOKEN_KEYS": keys,
    }
    with installed_bot(tmp_path, more=other) as bot:
        assert BUTTON in shown(bot)
