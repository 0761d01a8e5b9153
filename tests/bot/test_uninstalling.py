"""A workspace uninstalls: its token goes, what it has waits, and after days all of it goes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from sqlalchemy import select
from sqlmodel import SQLModel

from core.domain.ids import PersonaKey, SessionId, TeamId, Ts
from core.secrets.token_keys import new_key
from core.store.connection.database import Database
from core.store.statements.outbox import outbox
from core.store.statements.statement import SqlStatement, select_columns
from tests.support.bolt_front import Body, event_body, posted, slash
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import DrivenClock
from tests.support.installed_bot import InstalledBot, installed_bot, token_of
from tests.support.waiting import wait_until

pytestmark = EACH_DATABASE

NOW = 1_700_000_000.5
DAY_S = 86_400.0
MAYA = PersonaKey("business-analyst")


@pytest.fixture
def clock() -> DrivenClock:
    return DrivenClock(NOW)


@pytest.fixture
def bot(tmp_path: Path, clock: DrivenClock) -> Iterator[InstalledBot]:
    with installed_bot(tmp_path, clock) as bot:
        bot.install("T1")
        bot.install("T2")
        clock.forward(100)
        yield bot


def left(bot: InstalledBot, team: str, at: float, kind: str = "app_uninstalled") -> int:
    event: Body = {"type": kind}
    if kind == "tokens_revoked":
        event["tokens"] = {"oauth": [], "bot": [f"U{team}BOT"]}
    return bot.deliver(team, event_body(event, event_time=int(at))).status


def say(bot: InstalledBot, team: str, session: SessionId, text: str, ts: str) -> None:
    root = bot.roundtable.runtime.reader.thread(session, MAYA)
    assert root is not None
    said = posted(text, channel=root.channel, thread_ts=root.ts, ts=Ts(ts))
    assert bot.deliver(team, event_body(said, event_id=f"Ev{ts}")).status == 200


def posts(bot: InstalledBot, team: str, number: int = 1) -> list[Body]:
    return bot.slack.called(token_of(team, number), "chat.postMessage")


def sent(bot: InstalledBot) -> list[tuple[str, str]]:
    """The calls that change something, by token and method; a name may be asked for meanwhile."""
    return [(token, method) for token, method, _ in bot.slack.calls if "info" not in method]


def waiting_rows(bot: InstalledBot, session: SessionId) -> list[tuple[str, float | None]]:
    rows = select_columns(outbox, "kind", "due", keys=("session",))
    return bot.roundtable.runtime.database.run(rows, session=session)


def is_on_its_way(bot: InstalledBot, session: SessionId) -> bool:
    """What was said is taken in, and something is to be sent or read for it."""
    runtime = bot.roundtable.runtime
    return not runtime.outbox.timers_due(bot.roundtable.clock.now()) and bool(
        waiting_rows(bot, session)
    )


# ── that it was uninstalled ──


@pytest.mark.parametrize(
    "kinds", [("tokens_revoked", "app_uninstalled"), ("app_uninstalled", "tokens_revoked")]
)
def test_either_word_takes_the_token_and_the_second_changes_nothing(
    bot: InstalledBot, clock: DrivenClock, kinds: tuple[str, ...]
) -> None:
    for kind in kinds:
        assert left(bot, "T1", clock.now(), kind) == 200
        clock.forward(5)
    row = bot.installation("T1")
    assert (row.sealed, row.uninstalled_at) == (None, NOW + 100)
    assert bot.installation("T2").sealed is not None


def test_tokens_of_people_take_nothing_of_ours(bot: InstalledBot, clock: DrivenClock) -> None:
    event = {"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": ["U5"]}}
    assert bot.deliver("T1", event_body(event, event_time=int(clock.now()))).status == 200
    assert bot.installation("T1").sealed is not None


def test_a_late_word_takes_nothing_from_a_newer_installation(
    bot: InstalledBot, clock: DrivenClock
) -> None:
    uninstalled_at = clock.now()
    clock.forward(10)
    bot.install("T1", number=2)
    for kind in ("tokens_revoked", "app_uninstalled"):
        left(bot, "T1", uninstalled_at, kind)
    assert bot.installation("T1").sealed is not None


def test_a_word_that_was_not_committed_is_said_again(
    bot: InstalledBot, clock: DrivenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> bool:
        raise OSError("disk I/O error")

    installations = bot.roundtable.installed.keeper.installations
    monkeypatch.setattr(type(installations), "remove", broken)
    assert left(bot, "T1", clock.now()) == 500


# ── what waits ──


def test_nothing_is_sent_or_told_and_a_new_installation_takes_all_up_again(
    bot: InstalledBot, clock: DrivenClock
) -> None:
    session = bot.start_session("T1", "C001")
    bot.slack.revoked.add(token_of("T1"))  # something is on its way when it is uninstalled
    say(bot, "T1", session, "Because the bank wants it.", "1700000900.000100")
    assert wait_until(lambda: is_on_its_way(bot, session))
    left(bot, "T1", clock.now())
    bot.settle()
    before = len(sent(bot))
    assert all(due is None for _, due in waiting_rows(bot, session))
    assert bot.deliver("T1", slash("status", channel="C001")).body == ""
    clock.forward(2 * DAY_S)
    bot.settle()
    assert sent(bot)[before:] == [], "no message, and no reminder"
    assert bot.roundtable.runtime.reader.load(session).status != "paused"

    assert bot.install("T1", number=2).status == 200
    bot.settle()
    assert waiting_rows(bot, session) == []
    assert bot.slack.called(token_of("T1", 2)), "it goes on with the new token"
    assert [answer.text for answer in bot.roundtable.runtime.reader.answers(session)] == [
        "Because the bank wants it."
    ]


def test_a_post_that_is_refused_because_the_token_went_waits_and_pauses_nothing(
    bot: InstalledBot, clock: DrivenClock
) -> None:
    """Slack takes the token before it says so: the post is in the midst of it."""
    session = bot.start_session("T1", "C001")
    bot.slack.revoked.add(token_of("T1"))
    say(bot, "T1", session, "Because the bank wants it.", "1700000900.000100")
    bot.settle()
    assert bot.roundtable.runtime.reader.load(session).status in ("asking", "choosing")
    assert waiting_rows(bot, session)
    assert bot.roundtable.runtime.reader.faults(session) == ()
    left(bot, "T1", clock.now())
    clock.forward(1)
    bot.install("T1", number=2)
    bot.settle()
    assert waiting_rows(bot, session) == []
    assert posts(bot, "T1", 2)


def test_a_start_of_the_process_takes_up_nothing_of_it(tmp_path: Path, clock: DrivenClock) -> None:
    key = {"ROUNDTABLE_TOKEN_KEYS": new_key()}
    with installed_bot(tmp_path, clock, key) as bot:
        bot.install("T1")
        session = bot.start_session("T1", "C001")
        bot.slack.revoked.add(token_of("T1"))
        say(bot, "T1", session, "Because the bank wants it.", "1700000900.000100")
        assert wait_until(lambda: is_on_its_way(bot, session))
        left(bot, "T1", clock.now() + 1)
        bot.settle()
    with installed_bot(tmp_path, clock, key) as again:
        again.settle()
        assert again.slack.calls == []
        assert all(due is None for _, due in waiting_rows(again, session))


def test_what_a_refused_token_parked_is_tried_when_slack_takes_it_again_and_not_by_a_start(
    tmp_path: Path, clock: DrivenClock
) -> None:
    key, refused = {"ROUNDTABLE_TOKEN_KEYS": new_key()}, {token_of("T1")}
    with installed_bot(tmp_path, clock, key) as bot:
        bot.install("T1")
        clock.forward(1)
        session = bot.start_session("T1", "C001")
        bot.slack.revoked.update(refused)
        say(bot, "T1", session, "Because the bank wants it.", "1700000900.000100")
        bot.settle()
    with installed_bot(tmp_path, clock, key, refused) as again:
        assert wait_until(lambda: bool(again.slack.calls))
        again.settle()
        assert {method for _, method, _ in again.slack.calls} == {"auth.test"}
        rows = waiting_rows(again, session)
        assert rows
        assert all(due is None for _, due in rows)

        again.slack.revoked.clear()
        again.roundtable.installed.keeper.take_up()
        again.settle()
        assert waiting_rows(again, session) == []
        assert posts(again, "T1")
        asked = len(again.slack.called(token_of("T1"), "auth.test"))
        again.roundtable.installed.keeper.take_up()
        assert len(again.slack.called(token_of("T1"), "auth.test")) == asked, "it is served"


def test_what_waits_until_somebody_resumes_is_not_tried_by_a_start(
    tmp_path: Path, clock: DrivenClock
) -> None:
    key = {"ROUNDTABLE_TOKEN_KEYS": new_key()}
    with installed_bot(tmp_path, clock, key) as bot:
        bot.install("T1")
        session = bot.start_session("T1", "C001")
        for method in ("chat.postMessage", "chat.update"):
            bot.slack.answers[method] = {"ok": False, "error": "not_in_channel"}
        say(bot, "T1", session, "Because the bank wants it.", "1700000900.000100")
        bot.settle()
        assert bot.roundtable.runtime.reader.load(session).status == "paused"
    with installed_bot(tmp_path, clock, key) as again:
        again.roundtable.installed.keeper.take_up()
        again.settle()
        assert [kind for kind, due in waiting_rows(again, session) if due is None] == ["ShowFault"]
        assert sent(again) == []
        assert again.deliver("T1", slash("resume", channel="C001")).status == 200
        again.settle()
        assert waiting_rows(again, session) == []


# ── one workspace's trouble ──


@pytest.mark.parametrize("trouble", ["revoked", "held_back"])
def test_the_trouble_of_one_workspace_is_not_another_s(bot: InstalledBot, trouble: str) -> None:
    first, second = bot.start_session("T1", "C001"), bot.start_session("T2", "C001")
    getattr(bot.slack, trouble).add(token_of("T1"))
    for team, session in (("T1", first), ("T2", second)):
        say(bot, team, session, "Because the bank wants it.", "1700000900.000100")
    assert wait_until(lambda: not waiting_rows(bot, second))
    assert "bank" in str(bot.slack.called(token_of("T2")))
    assert waiting_rows(bot, first)


def test_a_lost_key_is_told_with_its_workspaces_and_the_rest_is_served(
    tmp_path: Path, clock: DrivenClock
) -> None:
    lost, kept = new_key(), new_key()
    with installed_bot(tmp_path, clock, {"ROUNDTABLE_TOKEN_KEYS": lost}) as bot:
        bot.install("T1")
        first = bot.start_session("T1", "C001")
    with installed_bot(tmp_path, clock, {"ROUNDTABLE_TOKEN_KEYS": f"{kept},{lost}"}) as bot:
        bot.install("T2")
        second = bot.start_session("T2", "C001")
    clock.forward(1)
    with (
        structlog.testing.capture_logs() as logs,
        installed_bot(tmp_path, clock, {"ROUNDTABLE_TOKEN_KEYS": kept}) as bot,
    ):
        assert [
            row["tokens_unreadable"] for row in logs if row["event"] == "workspaces.served"
        ] == [["T1"]]
        for team, session in (("T1", first), ("T2", second)):
            say(bot, team, session, f"Because the bank of {team} wants it.", "1700000900.000100")
        bot.settle()
        assert waiting_rows(bot, second) == []
        assert waiting_rows(bot, first)
        assert {token for token, _, _ in bot.slack.calls} == {token_of("T2")}
        reader = bot.roundtable.runtime.reader
        assert [answer.text for answer in reader.answers(first)] == [
            "Because the bank of T1 wants it."
        ], "what people said is kept until the key is back"
    with installed_bot(tmp_path, clock, {"ROUNDTABLE_TOKEN_KEYS": f"{kept},{lost}"}) as bot:
        assert wait_until(lambda: waiting_rows(bot, first) == [])
        assert bot.slack.called(token_of("T1"))


# ── what goes ──


def rows_with(database: Database, *words: str) -> dict[str, int]:
    """In how many rows of each table one of these words stands."""
    found: dict[str, int] = {}
    for name, table in SQLModel.metadata.tables.items():
        rows = database.run(SqlStatement(select(table)))
        count = sum(any(word in str(row) for word in words) for row in rows)
        if count:
            found[name] = count
    return found


def files_below(folder: Path) -> list[str]:
    return [path.as_posix() for path in folder.rglob("*") if path.is_file()]


def test_after_the_days_no_row_and_no_file_of_it_is_left(
    bot: InstalledBot, clock: DrivenClock, tmp_path: Path
) -> None:
    sessions = {team: bot.start_session(team, "C001") for team in ("T1", "T2")}
    for team, session in sessions.items():
        say(bot, team, session, f"The bank of {team} wants it.", "1700000900.000100")
    bot.deliver("T1", slash("analyze AKIAIOSFODNN7EXAMPLE is our key", channel="C001"))
    bot.settle()
    assert {path.split("/artifacts/")[1][:2] for path in files_below(tmp_path / "artifacts")} == {
        "T1",
        "T2",
    }
    left(bot, "T1", clock.now())
    keeper = bot.roundtable.installed.keeper
    clock.forward(7 * DAY_S - 1)
    keeper.look()
    assert rows_with(bot.roundtable.runtime.database, sessions["T1"])
    clock.forward(2)
    keeper.look()
    database = bot.roundtable.runtime.database
    assert rows_with(database, sessions["T1"], "'T1'", ":T1:", "T1:", "bank of T1") == {}
    assert rows_with(database, sessions["T2"])["answers"] == 1
    assert {path.split("/artifacts/")[1][:2] for path in files_below(tmp_path / "artifacts")} == {
        "T2"
    }


def test_a_workspace_whose_folder_cannot_be_removed_stops_neither_the_start_nor_other_deletions(
    bot: InstalledBot, clock: DrivenClock, tmp_path: Path
) -> None:
    database = bot.roundtable.runtime.database
    sessions = {team: bot.start_session(team, "C001") for team in ("T1", "T2")}
    bot.settle()
    folder = tmp_path / "artifacts" / "T1"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")  # no link is removed, not for root either
    for team in sessions:
        left(bot, team, clock.now())
    clock.forward(8 * DAY_S)
    keeper = replace(bot.roundtable.installed.keeper, process="another")
    with structlog.testing.capture_logs() as logs:
        keeper.start()
    keeper.stop()
    assert "T1" in {line.get("team") for line in logs if line["event"] == "workspace.not-erased"}
    assert rows_with(database, sessions["T2"]) == {}
    assert rows_with(database, sessions["T1"])
    folder.unlink()
    keeper.look()
    assert rows_with(database, sessions["T1"]) == {}


def test_with_no_days_all_goes_at_once(tmp_path: Path, clock: DrivenClock) -> None:
    with installed_bot(tmp_path, clock, {"ROUNDTABLE_UNINSTALL_DAYS": "0"}) as bot:
        bot.install("T1")
        bot.start_session("T1", "C001")
        clock.forward(5)
        left(bot, "T1", clock.now())
        database = bot.roundtable.runtime.database
        assert wait_until(lambda: rows_with(database, "'T1'") == {})


def test_a_workspace_that_came_back_in_time_is_not_deleted(
    bot: InstalledBot, clock: DrivenClock
) -> None:
    session = bot.start_session("T1", "C001")
    left(bot, "T1", clock.now())
    clock.forward(6 * DAY_S)
    bot.install("T1", number=2)
    clock.forward(20 * DAY_S)
    bot.roundtable.installed.keeper.look()
    assert bot.roundtable.runtime.reader.load(session).team == TeamId("T1")


def test_slack_s_word_that_it_delivers_less_is_logged_and_acknowledged(
    bot: InstalledBot,
) -> None:
    with structlog.testing.capture_logs() as logs:
        body = {"type": "app_rate_limited", "team_id": "T1", "minute_rate_limited": 1_700_000_000}
        assert bot.deliver("T1", body).status == 200
    assert [row["team"] for row in logs if row["event"] == "slack.events-limited"] == ["T1"]
