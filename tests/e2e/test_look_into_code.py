"""A linked repository in the bot as it serves: linked by command, and never waited for."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.state import TEAM_ID
from bot.views.kit.menus import PICK
from bot.views.thread.measured import DROP
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import SessionId
from core.runtime.brains.code_runner import CodeRunner
from tests.support.repositories import Remote
from tests.support.served_bot import CHANNEL, ELSEWHERE, OUTSIDE, ServedBot, served_bot

FILES = {
    "src/limits.py": "def check_limit(account): ...\n",
    "src/payout.py": "import limits\n\nlimits.check_limit(1)\n",
}


@dataclass
class Slow:
    """A search that ends when a test says so."""

    real: CodeRunner
    may_end: threading.Event = field(default_factory=threading.Event)

    def search(self, session: SessionId, effect: fx.SearchCode) -> on.CodeSearched:
        assert self.may_end.wait(60)
        return self.real.search(session, effect)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedBot]:
    remote = Remote(tmp_path / "remote", FILES)
    channel = LocalWorkspace(
        people=("pm", "dev"), channels=(CHANNEL, ELSEWHERE, OUTSIDE)
    ).channel_id(CHANNEL)
    row = f"{{url: {remote.folder}, channels: [{TEAM_ID}/{channel}]}}"
    monkeypatch.setenv("ROUNDTABLE_REPOSITORIES", f"shop: {row}")
    monkeypatch.setenv("ROUNDTABLE_MIRRORS_DIR", str(tmp_path / "mirrors"))
    with served_bot(tmp_path, admins=("dev",)) as table:
        (mirror,) = table.table.mirrors.mirrors
        table.wait_until(lambda: not mirror.state.fault)
        yield table


def test_a_session_is_linked_by_its_owner_and_shows_what_the_search_finds(table: ServedBot) -> None:
    table.start("check_limit lets too much through")
    (unknown,) = table.command("/roundtable repository payments")
    assert unknown == "There is no repository of that name for this channel. There is: shop."
    (linked,) = table.command("/roundtable repository shop")
    assert linked.startswith("“check_limit lets too much through” looks into shop from now on")
    table.say("It is `check_limit` alone, a small thing.")
    (message,) = [
        m for m in table.slack.messages(CHANNEL) if "Measured in the code" in str(m.blocks)
    ]
    assert "src/limits.py#L1" in str(message.blocks)
    (unlinked,) = table.command("/roundtable repository none")
    assert "looks into no repository any more" in unlinked


def test_a_channel_is_linked_by_an_admin_and_its_sessions_begin_with_it(table: ServedBot) -> None:
    (refused,) = table.command("/roundtable repository shop", by="pm")
    assert "look into" not in refused
    assert (
        table.table.runtime.reader.channel_repository(
            table.table.workspace.team,
            table.slack.channel_id(CHANNEL),  # type: ignore[arg-type]
        )
        == ""
    )
    (linked,) = table.command("/roundtable repository shop", by="dev")
    assert linked == "Sessions that begin here from now on look into shop."
    (hidden,) = table.command("/roundtable repository shop", by="dev", channel=ELSEWHERE)
    assert hidden == "There is no repository of that name for this channel."
    assert table.start("check_limit lets too much through").code.repository == "shop"


def test_a_channel_shared_with_another_organisation_never_sees_a_repository(
    table: ServedBot,
) -> None:
    table.slack.connect(CHANNEL)
    (of_channel,) = table.command("/roundtable repository shop", by="dev")
    session = table.start("check_limit lets too much through")
    (of_session,) = table.command("/roundtable repository shop")
    assert of_channel == of_session == "There is no repository of that name for this channel."
    assert session.code.repository == table.session().code.repository == ""


def test_a_linked_channel_that_is_shared_later_is_shown_nothing_from_then_on(
    table: ServedBot,
) -> None:
    table.command("/roundtable repository shop", by="dev")
    assert table.start("check_limit lets too much through").code.repository == "shop"
    table.slack.connect(CHANNEL)
    table.say("It is `check_limit` alone, a small thing.")
    assert "Measured in the code" not in shown(table)
    assert "limits.py" not in shown(table)
    table.slack.connect(CHANNEL, connected=False)
    table.say("It is `check_limit` and nothing else.")
    assert "src/limits.py#L1" in shown(table)


def test_a_step_never_waits_for_a_search_and_its_lines_join_by_an_edit(table: ServedBot) -> None:
    table.start("check_limit lets too much through")
    table.command("/roundtable repository shop")
    runner = table.table.outbox_worker.code_runner
    assert runner is not None
    slow = Slow(runner)
    table.table.outbox_worker.code_runner = slow  # type: ignore[assignment]
    table.slack.say("pm", CHANNEL, "It is `check_limit` alone, a small thing.", **_thread(table))
    # The search still runs.
    table.wait_until(lambda: "Continue" in shown(table))
    assert table.session().status == "choosing"
    before = {m.ts for m in table.slack.messages(CHANNEL)}
    assert "Measured" not in shown(table)
    slow.may_end.set()
    table.settle()
    (edited,) = [m for m in table.slack.messages(CHANNEL) if "Measured" in str(m.blocks)]
    assert edited.ts in before
    assert table.session().status == "choosing"


def test_clicks_are_acknowledged_and_the_session_goes_on_while_a_search_hangs(
    table: ServedBot,
) -> None:
    table.start("check_limit lets too much through")
    table.command("/roundtable repository shop")
    runner = table.table.outbox_worker.code_runner
    assert runner is not None
    slow = Slow(runner)
    table.table.outbox_worker.code_runner = slow  # type: ignore[assignment]
    table.slack.say("pm", CHANNEL, "It is `check_limit` alone, a small thing.", **_thread(table))
    table.wait_until(lambda: "Continue" in shown(table))
    searched = table.session().course.step
    (ts,) = [m.ts for m in table.slack.messages(CHANNEL) if "Continue" in str(m.blocks)]
    before = len(table.slack.deliveries)
    table.slack.click("pm", CHANNEL, ts, "menu:continue")
    table.wait_until(lambda: table.session().course.step != searched)
    table.wait_until(lambda: len(table.slack.deliveries) > before)
    assert all(one.acked and one.seconds < 3.0 for one in table.slack.deliveries[before:])
    assert "Measured" not in shown(table)
    slow.may_end.set()
    table.settle()
    assert "Measured in the code" in str(table.message(ts).blocks)
    assert table.session().course.step != searched


def test_a_line_is_dropped_in_the_message_of_a_step_that_has_passed(table: ServedBot) -> None:
    table.start("check_limit lets too much through")
    table.command("/roundtable repository shop")
    table.say("It is `check_limit` alone, a small thing.")
    (ts,) = [m.ts for m in table.slack.messages(CHANNEL) if "Measured" in str(m.blocks)]
    passed = table.session().course.step
    table.forward()
    assert table.session().course.step != passed
    table.slack.click("dev", CHANNEL, ts, PICK, value="drop:1", block_id=dropping_in(table, ts))
    table.settle()
    blocks = str(table.message(ts).blocks)
    assert "src/limits.py#L1" not in blocks
    assert "src/payout.py#L3" in blocks
    assert dropping_in(table, ts)  # of those that stand


def dropping_in(table: ServedBot, ts: str) -> str:
    """The row with the list from which a line can be dropped."""
    (row,) = [b for b in table.message(ts).blocks if DROP in str(b)]
    return str(row["block_id"])


def shown(table: ServedBot) -> str:
    return str([message.blocks for message in table.slack.messages(CHANNEL)])


def _thread(table: ServedBot) -> dict[str, str]:
    session = table.session()
    root = table.table.runtime.reader.thread(session.id, session.course.thread)
    assert root is not None
    return {"thread_ts": root.ts}
