"""`/roundtable brain` in the bot as it serves: what it tells, and who may change who reads."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.views.kit.wording import WORDING
from tests.e2e.forms import press, told
from tests.support.served_bot import CHANNEL, ServedBot, served_bot

TITLE = "Retry failed card payments"
OWN = "openai-chat:qwen3:8b@http://127.0.0.1:9/v1"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedBot]:
    monkeypatch.setenv("ROUNDTABLE_MODEL", f"anthropic:claude-haiku-4-5,{OWN}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-verysecret")
    monkeypatch.setenv("ROUNDTABLE_MODEL_TOKENS_A_DAY", "5000000")
    with served_bot(tmp_path, people=("pm", "dev", "boss"), admins=("boss",)) as table:
        yield table


def test_without_a_model_it_says_that_nothing_leaves(tmp_path: Path) -> None:
    with served_bot(tmp_path) as table:
        (shown,) = table.command("/roundtable brain")
    assert shown == "Who reads here from now on\nScripts: no language model is set. Nothing leaves."


def test_it_tells_who_reads_at_which_host_what_is_sent_and_what_it_has_cost(
    table: ServedBot,
) -> None:
    table.start(TITLE)
    (shown,) = table.command("/roundtable brain", by="dev")
    assert shown.startswith(f"Who reads “{TITLE}”\n")
    assert "fast: claude-haiku-4-5 at api.anthropic.com, then qwen3:8b at 127.0.0.1:9" in shown
    for row in (*WORDING.brain_sent, *WORDING.brain_never):
        assert f"• {row}" in shown
    assert "Used so far: nothing." in shown
    assert (
        "At most 1,700,000 tokens a session and 5,000,000 tokens a day in this workspace." in shown
    )
    assert shown.endswith("[Script only here]")
    assert "verysecret" not in shown


def test_any_member_keeps_models_away_and_only_owner_or_admin_brings_them_back(
    table: ServedBot,
) -> None:
    table.start(TITLE)
    table.command("/roundtable brain", by="dev")
    press(table, "Script only here", by="dev")
    table.settle_until(lambda: "Nothing of it leaves" in told(table, "dev")[-1])
    assert table.session().model.script_only
    (shown,) = table.command("/roundtable brain", by="dev")
    assert "The script alone" in shown
    assert "claude" not in shown
    press(table, "Language models again", by="dev")
    table.settle_until(lambda: "who started this, or a workspace admin" in told(table, "dev")[-1])
    assert table.session().model.script_only
    table.command("/roundtable brain", by="boss")
    press(table, "Language models again", by="boss")
    table.settle_until(lambda: not table.session().model.script_only)


def test_a_channel_without_a_session_is_asked_about_as_a_whole(table: ServedBot) -> None:
    (shown,) = table.command("/roundtable brain", by="dev")
    assert shown.startswith("Who reads here from now on\n")
    assert "Used so far" not in shown
    press(table, "Script only here", by="dev")
    table.settle_until(lambda: "sessions that begin here" in told(table, "dev")[-1])
    assert table.start(TITLE).model.script_only
    assert "claude" not in str([message.blocks for message in table.slack.messages(CHANNEL)])


def test_a_start_may_say_that_no_model_is_to_read(table: ServedBot) -> None:
    session = table.start(f"{TITLE} --script")
    assert (session.title, session.model.script_only) == (TITLE, True)


def test_a_name_that_is_not_there_is_said(table: ServedBot) -> None:
    (shown,) = table.command("/roundtable brain no-such-thing")
    assert "no-such-thing" in shown
    assert "Script only here" not in shown
