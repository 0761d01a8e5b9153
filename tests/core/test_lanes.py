"""The visible lane: in order, paced, patient, and never in doubt about what it said."""

from pathlib import Path
from typing import Any

import pytest

from core.domain import effects as fx
from core.domain import events as on
from core.domain.faults import record_of
from core.domain.ids import SessionId
from core.engine.faults.refused_posts import NOT_TAKEN
from core.ports import Later, Order, Outcome, Post, Refused, Sent, Unclear
from core.runtime.commit import no_checkpoint
from core.runtime.outbox_worker import HELD_AGAIN_S
from core.runtime.send_results import COMMITS_MAX, HELD_S, LATE_S, back_off_s
from core.store.connection.database import DatabaseError
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, DEV, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.rows import file_of, run_query, write

pytestmark = EACH_DATABASE


@pytest.fixture
def table(tmp_path: Path) -> Harness:
    return small_table(tmp_path)


def test_being_told_to_wait_keeps_the_order(table: Harness) -> None:
    table.stage.outcomes = [Later("ratelimited", 30.0)]
    table.start()
    assert (table.stage.posts, table.stage.tried) == ([], ["PostCard"])
    table.pass_time(29)
    assert table.stage.tried == ["PostCard"]
    table.pass_time(1)
    assert [post.target.partition(":")[0] for post in table.stage.posts] == [
        "card",
        "thread",
        "say",
        "prompt",
    ]


def test_what_waits_holds_back_what_comes_after_it(table: Harness) -> None:
    table.start()
    table.stage.outcomes = [Later("ratelimited", 10.0)]
    before = list(table.stage.shown)
    table.resume()
    assert table.stage.shown == before
    table.pass_time(10)
    after = [type(effect) for effect in table.stage.shown[len(before) :]]
    assert after[:2] == [fx.Say, fx.PostPrompt]


def test_our_own_back_off_grows_by_the_seeds_rule() -> None:
    waits = [back_off_s(attempt) for attempt in range(8)]
    assert all(0 <= wait - 2**attempt <= 0.5 for attempt, wait in enumerate(waits[:6]))
    assert waits[6:] == [60.0, 60.0]


def test_every_attempt_counts_once(table: Harness) -> None:
    table.stage.outcomes = [Later("service_unavailable")] * 3
    table.start()
    waits = []
    for _ in range(3):
        row = table.runtime.outbox.head(table.id, "visible")
        assert row is not None
        waits.append(row.due - table.clock.now())
        table.pass_time(waits[-1])
    assert [round(wait - 0.25) for wait in waits] == [1, 2, 4]
    assert len(table.shown(fx.PostCard)) == 1


def test_a_post_in_doubt_is_looked_for_before_it_is_posted_again(table: Harness) -> None:
    table.stage.outcomes = [Unclear("timeout")]
    table.start()
    row = table.runtime.outbox.head(table.id, "visible")
    assert row is not None
    post = Post("card", CHANNEL, table.stage.next_ts(), None)
    table.stage.left[row.session, row.id] = post
    table.pass_time(3)
    assert table.stage.tried.count("PostCard") == 1
    assert table.card == post.ts
    assert table.session.status == "asking"


def test_a_post_in_doubt_that_is_not_there_is_posted(table: Harness) -> None:
    table.stage.outcomes = [Unclear("timeout")]
    table.start()
    table.pass_time(0.9)
    assert table.stage.tried == ["PostCard"]
    table.pass_time(0.6)
    assert len(table.shown(fx.PostCard)) == 1


@pytest.mark.parametrize("look", [Later("ratelimited", 20.0), Unclear("could not look", 20.0)])
def test_while_nobody_can_look_a_post_stays_in_doubt(table: Harness, look: Outcome) -> None:
    table.stage.outcomes = [Unclear("timeout")]
    table.stage.looks = [look]
    table.start()
    table.pass_time(3)
    assert table.stage.tried == ["PostCard"]
    row = table.runtime.outbox.head(table.id, "visible")
    assert row is not None
    assert row.attempted_at is not None
    assert row.due == table.clock.now() + 20
    table.stage.left[row.session, row.id] = Post("card", CHANNEL, table.stage.next_ts(), None)
    table.pass_time(20)
    assert table.stage.tried.count("PostCard") == 1
    assert table.session.status == "asking"


@pytest.mark.one_database("sqlite", "only its one writer can be made unable to write")
def test_a_wait_for_a_look_is_kept_though_the_database_cannot_be_written(table: Harness) -> None:
    table.stage.outcomes = [Unclear("timeout")]
    table.stage.looks = [Later("ratelimited", 20.0), Refused("looked too soon", "not_invited")]
    table.start()
    writer = file_of(table.runtime.database)._writer
    writer.execute("PRAGMA query_only = ON")
    with pytest.raises(DatabaseError, match="readonly"):
        table.pass_time(3)
    writer.execute("PRAGMA query_only = OFF")
    table.pass_time(19)
    assert len(table.stage.looks) == 1
    table.stage.looks.clear()
    table.pass_time(1)
    assert table.session.status == "asking"


def test_a_post_in_doubt_stays_so_while_the_token_is_gone(table: Harness) -> None:
    table.start()
    table.say("Because of the bank.")
    table.stage.outcomes = [Sent(), Unclear("timeout")]  # the edited message, then the prompt
    table.stage.looks = [Refused("token_revoked", "token_revoked")]
    table.forward()
    table.pass_time(3)
    row = next(each for each in waiting(table) if each["kind"] == "PostPrompt")
    assert (row["due"], row["attempted_at"] is not None) == (None, True)
    table.stage.left[table.id, row["id"]] = Post(
        "prompt:01-02:1", CHANNEL, table.stage.next_ts(), None
    )
    table.resume()
    assert "prompt:01-02:1" not in {post.target for post in table.stage.posts}
    assert table.runtime.reader.post(table.id, "prompt:01-02:1") is not None


def waiting(table: Harness) -> list[dict[str, Any]]:
    found = run_query(table.runtime.database, "SELECT id, kind, due, attempted_at FROM outbox")
    return [dict(zip(("id", "kind", "due", "attempted_at"), row, strict=True)) for row in found]


def test_a_look_that_is_refused_posts_nothing(table: Harness) -> None:
    table.stage.outcomes = [Unclear("timeout")]
    table.stage.looks = [Refused("not_in_channel", "not_invited")]
    table.start()
    table.pass_time(3)
    assert table.stage.tried == ["PostCard"]
    assert table.session.status == "refused"


def test_an_edit_in_doubt_is_simply_repeated(table: Harness) -> None:
    table.start()
    table.say("Because.")
    table.stage.outcomes = [Sent(), Unclear("timeout")]
    table.click("continue")
    table.pass_time(3)
    assert table.session.status == "asking"
    assert table.prompts == ["01-01", "01-02"]


def test_posts_of_a_channel_keep_their_pace_and_edits_do_not(tmp_path: Path) -> None:
    table = small_table(tmp_path, pace_s=1.0)
    table.start()
    seen = [len(table.stage.posts)]
    for _ in range(5):
        table.pass_time(1)
        seen.append(len(table.stage.posts))
    assert seen == [1, 2, 3, 4, 4, 4]
    assert table.session.status == "asking"
    table.say("Because.")
    assert fx.Mark in {type(effect) for effect in table.stage.shown}


def test_of_several_repaints_only_the_latest_waits(table: Harness) -> None:
    table.start()
    table.stage.outcomes = [Later("ratelimited", 60.0)]
    for text in ("One.", "Two.", "Three."):
        table.say(text)
    waiting = run_query(
        table.runtime.database,
        "SELECT kind, count(*) FROM outbox WHERE kind LIKE 'Paint%' GROUP BY kind",
    ).fetchall()
    assert waiting == [("PaintCard", 1)]


def test_nobody_waits_for_a_repaint(table: Harness) -> None:
    """Posts go first: a card behind a slow edit is no reason to keep people waiting."""
    table.start()
    table.say("Because.")
    kinds = [type(effect).__name__ for effect in table.stage.shown]
    assert kinds.index("ShowStep") < len(kinds) - 1 - kinds[::-1].index("PaintCard")


def test_an_edit_that_slack_asks_to_wait_lets_the_next_prompt_pass(table: Harness) -> None:
    table.start()
    table.say("Because.")
    table.stage.throttle = {"ShowStep": 30.0}  # the menu's message, with the choice
    table.click("continue")
    assert table.prompts == ["01-01", "01-02"]
    held = "SELECT kind FROM outbox WHERE due > 0 AND lane = 'visible' AND kind = 'ShowStep'"
    assert run_query(table.runtime.database, held).fetchall() == [("ShowStep",)]
    table.pass_time(31)
    assert run_query(table.runtime.database, held).fetchall() == []


def test_edits_of_one_message_merge_while_they_wait(table: Harness) -> None:
    table.start()
    table.say("Because.")
    table.stage.throttle = {"ShowStep": 30.0}
    for text in ("And so.", "And then.", "And more."):
        table.say(text)
    count = "SELECT count(*) FROM outbox WHERE kind = 'ShowStep'"
    assert run_query(table.runtime.database, count).fetchone() == (1,)
    shown = len([effect for effect in table.stage.shown if isinstance(effect, fx.ShowStep)])
    table.pass_time(31)
    after = len([effect for effect in table.stage.shown if isinstance(effect, fx.ShowStep)])
    assert after == shown + 1


def test_a_mark_that_waits_is_replaced_by_its_opposite(table: Harness) -> None:
    table.start()
    table.stage.throttle = {"Mark": 30.0}
    ts = table.stage.next_ts()
    table.say("Because.", ts=ts)
    table.edit(ts, "// Never mind.")
    count = "SELECT count(*) FROM outbox WHERE kind = 'Mark'"
    assert run_query(table.runtime.database, count).fetchone() == (1,)
    table.pass_time(31)
    marks = [effect.on for effect in table.stage.shown if isinstance(effect, fx.Mark)]
    assert marks == [False]


def test_an_ephemeral_or_a_reaction_is_no_post(table: Harness) -> None:
    table.start()
    mark = fx.Mark(CHANNEL, table.stage.next_ts(), on=True)
    prepared = table.stage.prepare(Order(1, table.id, mark), table.session, 1.0)
    assert not prepared.is_post
    assert [limit.calls for limit in prepared.limits] == [None]


# ── how much is committed ──────────────────────────────────────────────────────────────────────


def test_what_may_be_repeated_unseen_is_recorded_in_one_commit(tmp_path: Path) -> None:
    points: list[str] = []
    table = small_table(tmp_path, checkpoint=points.append)
    table.start()
    table.stage.tried.clear()
    table.runtime.handle(table.message("Because of the bank."), team=TEAM)
    points.clear()
    table.outbox_worker.show(table.id)
    assert table.stage.tried == ["Mark", "PaintCard"]
    assert points == ["commit"]
    assert table.outbox_worker.head(table.id, "visible") is None


def test_a_mark_takes_along_what_was_sent_before_it(table: Harness) -> None:
    points: list[str] = []
    table.start()
    table.runtime.handle(table.message("Because of the bank."), team=TEAM)
    for row in table.outbox_worker.brains_due(table.id)[0]:
        table.outbox_worker.read(row)
    table.outbox_worker.work(table.id)
    table.stage.tried.clear()
    table.runtime.checkpoint = points.append
    table.outbox_worker.show(table.id)
    assert table.stage.tried == ["ShowStep", "Mark", "PaintCard"]
    assert points == ["attempted", "sent", "commit", "commit"]


def test_a_post_is_recorded_before_any_message_but_the_card_is_planned(table: Harness) -> None:
    points: list[str] = []
    table.start()
    table.say("Because of the bank.")
    table.runtime.handle(table.choice("continue"), team=TEAM)
    table.outbox_worker.work(table.id)
    table.stage.tried.clear()
    table.runtime.checkpoint = points.append
    table.outbox_worker.show(table.id)
    assert table.stage.tried == ["ShowStep", "PostPrompt", "PaintPrompt", "PaintCard"]
    assert points == ["attempted", "sent", "commit", "commit"]


def test_a_row_whose_commits_are_slow_is_left_for_a_while(table: Harness) -> None:
    table.start()
    table.runtime.handle(table.message("Because of the bank."), team=TEAM)
    slow: list[str] = []

    def sleep(point: str) -> None:
        if point == "attempted":
            slow.append(point)
            table.clock.forward(LATE_S + 1)

    table.runtime.checkpoint = sleep
    table.stage.tried.clear()
    come_back = table.outbox_worker.show(table.id, "1:1")
    assert come_back == table.clock.now() + HELD_AGAIN_S
    assert (len(slow), table.stage.tried) == (COMMITS_MAX, [])
    table.runtime.checkpoint = no_checkpoint
    table.clock.forward(HELD_S)
    table.outbox_worker.show(table.id, "1:1")
    assert table.stage.tried == ["Mark", "PaintCard"]


def test_nobody_is_told_twice_for_the_sake_of_a_commit(table: Harness) -> None:
    table.start()
    ts = table.say("See you at lunch.", DEV)
    out = on.AnswerTakenOut(OWNER, table.clock.now(), CHANNEL, ts)
    table.runtime.handle(out, team=TEAM)
    points: list[str] = []
    table.runtime.checkpoint = points.append
    table.stage.tried.clear()
    table.outbox_worker.show(table.id)
    assert "Tell" in table.stage.tried
    assert points.count("commit") == 2, "the ephemeral's, and that of all the rest"


def test_of_a_session_that_is_deleted_meanwhile_nothing_is_sent(table: Harness) -> None:
    table.start()
    orphan = "INSERT INTO outbox(session, id, lane, kind, rank, doc, since, due, attempts)"
    write(
        table.runtime.database,
        f"{orphan} VALUES ('gone', 1, 'visible', 'PaintCard', 2, '{{}}', 0, 0, 0)",
    )
    table.stage.tried.clear()
    assert table.outbox_worker.show(SessionId("gone")) is None
    assert table.stage.tried == []


# ── Slack out of reach ─────────────────────────────────────────────────────────────────────────


def out_of_reach(table: Harness, attempts: int) -> list[float]:
    """Slack does not answer so many times; how long each wait was."""
    waits = []
    for _ in range(attempts):
        row = table.runtime.outbox.head(table.id, "visible")
        assert row is not None
        waits.append(row.due - table.clock.now())
        table.pass_time(waits[-1])
    return waits


def told(table: Harness) -> list[str]:
    return [message for message in table.messages if message.startswith("Slack did not take")]


def delays(table: Harness) -> list[dict[str, object]]:
    """The records of persistent transients; single attempts are recorded beside them."""
    every = table.runtime.reader.faults(table.id)
    records = [record_of(each, "analysis") for each in every if each.code == "ERR-SLACK-001"]
    return [record for record in records if record["routing_decision"] == "ESCALATE"]


def asked(table: Harness) -> None:
    """The first step is answered, and the next thing to be shown is one that people wait for."""
    table.start()
    table.say("Because.")


def test_after_the_fifth_attempt_it_is_recorded_once_and_tried_on(table: Harness) -> None:
    asked(table)
    table.stage.outcomes = [Later("service_unavailable")] * 7
    table.click("continue")
    waits = out_of_reach(table, 3)
    assert delays(table) == []
    waits += out_of_reach(table, 1)
    (record,) = delays(table)
    assert (record["error_category"], record["routing_decision"]) == ("transient", "ESCALATE")
    assert (record["attempt"], record["retry_count"], record["will_retry"]) == (5, 5, True)
    assert record["total_delay_ms"] == round(sum(waits) * 1000)
    assert 15.0 <= sum(waits) <= 17.0
    out_of_reach(table, 3)
    assert len(delays(table)) == 1
    assert told(table) == [NOT_TAKEN]
    assert table.prompts == ["01-01", "01-02"]
    assert table.session.status == "asking"


def test_what_was_waited_before_a_restart_counts(table: Harness) -> None:
    asked(table)
    table.stage.outcomes = [Later("service_unavailable")] * 5
    table.click("continue")
    waits = out_of_reach(table, 2)
    again = table.again()
    waits += out_of_reach(again, 2)
    (record,) = delays(again)
    assert record["total_delay_ms"] == round(sum(waits) * 1000)
    out_of_reach(again, 1)
    assert told(again) == [NOT_TAKEN]


def test_where_nothing_stands_yet_it_is_told_under_the_card_once_there_is_one(
    table: Harness,
) -> None:
    table.stage.outcomes = [Later("service_unavailable")] * 5
    table.start()
    out_of_reach(table, 5)
    assert table.session.status == "asking"
    assert told(table) == [NOT_TAKEN]
    assert len(table.shown(fx.PostCard)) == 1


def test_a_second_time_out_of_reach_is_another_one(table: Harness) -> None:
    asked(table)
    table.stage.outcomes = [Later("service_unavailable")] * 5
    table.forward()
    out_of_reach(table, 5)
    table.say("Because of that.")
    table.stage.outcomes = [Later("service_unavailable")] * 5
    table.forward()
    out_of_reach(table, 5)
    assert len(delays(table)) == 2
    assert table.session.status == "asking"
