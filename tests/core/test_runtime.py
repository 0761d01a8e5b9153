"""One event is one commit: keys, conflicts, and what is left when something is raised."""

import threading
from functools import partial
from pathlib import Path

import pytest

from core.domain import events as on
from core.domain.deliveries import message_key
from core.domain.ids import MenuId, SessionId, TeamId
from core.engine.kernel.situation import Situation, Transition
from core.store.connection.database import TRIES_MAX, ConflictError
from core.store.repository.journal_entry import JournalledDecision
from core.store.repository.transaction import Transaction
from tests.support.databases import EACH_DATABASE
from tests.support.fakes import CHANNEL, DEV, OWNER, TEAM
from tests.support.harness import Harness, small_table
from tests.support.rows import run_query

pytestmark = EACH_DATABASE


def journal(table: Harness) -> list[str]:
    rows = run_query(table.runtime.database, "SELECT kind FROM journal ORDER BY place")
    return [kind for (kind,) in rows]


def test_a_delivery_that_comes_twice_acts_once(table: Harness) -> None:
    event = table.message("Because.")
    keys = [f"msg:{TEAM}:{CHANNEL}:{event.ts}"]
    table.take(event, keys=keys)
    before = table.snapshot()
    table.take(event, keys=keys)
    assert (table.handled.repeated, table.handled.session) == (True, None)
    assert table.snapshot() == before


def test_a_message_is_known_by_its_answer_however_late_it_comes_again(table: Harness) -> None:
    event = table.message("Because.")
    key, of_another_team = (message_key(TeamId(team), CHANNEL, event.ts) for team in (TEAM, "T9"))
    table.take(event, keys=[key])
    table.clock.forward(100 * 3600)
    table.runtime.prune()
    assert run_query(table.runtime.database, "SELECT key FROM deliveries").fetchall() == []
    before = table.snapshot()
    table.take(event, keys=[key])
    assert table.handled.repeated
    assert table.snapshot() == before
    assert not table.runtime.reader.is_delivered([of_another_team])


def test_a_message_that_became_no_answer_is_known_by_its_key(table: Harness) -> None:
    table.say("Because.")
    word = table.message("c")
    key = message_key(TEAM, CHANNEL, word.ts)
    table.take(word, keys=[key])
    assert (key,) in run_query(table.runtime.database, "SELECT key FROM deliveries").fetchall()
    table.take(word, keys=[key])
    assert table.handled.repeated


def test_one_known_key_of_several_is_enough(table: Harness) -> None:
    event = table.message("Because.")
    table.take(event, keys=["msg:1"])
    table.take(event, keys=["msg:2", "msg:1"])
    assert table.handled.repeated


def test_keys_are_written_only_with_an_effect(table: Harness) -> None:
    table.take(table.message("// not for you"), keys=["msg:1"])
    table.take(table.message("Because.", thread=table.card), keys=["msg:2"])
    table.take(table.message("Because.", thread=table.stage.next_ts()), keys=["msg:3"])
    found = run_query(table.runtime.database, "SELECT key FROM deliveries").fetchall()
    assert found == []


def test_one_event_is_one_commit(tmp_path: Path) -> None:
    commits: list[str] = []
    table = small_table(tmp_path, checkpoint=commits.append)
    table.start()
    for event in (
        table.message("Because."),
        on.MessageEdited(OWNER, table.clock.now(), CHANNEL, table.stage.next_ts(), "2", "x"),  # type: ignore[arg-type]
        on.SessionResumed(OWNER, table.clock.now()),
    ):
        commits.clear()
        table.runtime.handle(event, team=TEAM, session=table.id)
        assert commits == ["commit"]
        table.settle()


def test_every_event_that_changed_something_stands_in_the_journal_in_order(
    table: Harness,
) -> None:
    table.say("Because.")
    assert journal(table) == [
        "SessionRequested",
        "FlowOpened",
        "CardPosted",
        "PhaseOpened",
        "StepOpened",
        "MessagePosted",
        "BrainReplied",
        "FolderWritten",
    ]


def test_the_journal_holds_nobodys_words(table: Harness) -> None:
    ts = table.say("A sentence found nowhere else.")
    table.edit(ts, "Another one found nowhere else.")
    rows = run_query(table.runtime.database, "SELECT doc FROM journal").fetchall()
    assert not [doc for (doc,) in rows if "nowhere" in doc]


def test_a_save_that_lost_a_race_is_decided_again(
    table: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, lost = Transaction.save, []

    def losing(self: Transaction, *args: object, **more: object) -> None:
        if len(lost) < TRIES_MAX - 1:
            lost.append(1)
            raise ConflictError("s1")
        save(self, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Transaction, "save", losing)
    table.say("Because.")
    assert table.said == ["Because."]


@pytest.mark.parametrize("inside", [False, True])
def test_a_save_that_always_loses_is_said_to_whoever_asked(
    table: Harness, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    def losing(self: Transaction, *args: object, **more: object) -> None:
        raise ConflictError("s1")

    event = table.message("Because.")
    before = table.snapshot()
    monkeypatch.setattr(Transaction, "save", losing)
    deliver = (
        partial(table.runtime.apply, table.id, event)
        if inside
        else partial(table.runtime.handle, event, team=TEAM, keys=["msg:1"])
    )
    with pytest.raises(ConflictError, match="MessagePosted lost 5 races"):
        deliver()
    assert table.snapshot() == before


def test_a_stale_session_is_refused_and_leaves_no_trace(table: Harness) -> None:
    old = table.session
    table.say("Because.")
    event = on.SessionResumed(OWNER, table.clock.now())
    before = table.snapshot()
    decided = JournalledDecision(Transition(old), event, event, Situation(old))
    with pytest.raises(ConflictError), table.runtime.database.write() as db:
        Transaction(db).save(old, decided, at=0.0)
    assert table.snapshot() == before


def test_a_result_whose_row_is_gone_is_dropped(table: Harness) -> None:
    table.runtime.handle(table.message("Because."), team=TEAM)
    (row,) = table.runtime.outbox.brains(table.id)
    table.outbox_worker.read(row)
    before = table.snapshot()
    table.outbox_worker.read(row)
    assert table.snapshot() == before


def test_events_of_unknown_sessions_and_menus_are_answered_kindly(table: Harness) -> None:
    resumed = on.SessionResumed(OWNER, table.clock.now())
    handled = table.runtime.handle(resumed, team=TEAM, session=SessionId("s-nowhere"))
    assert handled.reply is not None
    assert handled.reply.kind == "gone"
    click = on.ChoiceMade(DEV, table.clock.now(), MenuId("m-nowhere"), "continue", CHANNEL)
    reply = table.runtime.handle(click, team=TEAM).reply
    assert reply is not None
    assert reply.kind == "gone"


def test_a_result_for_a_deleted_session_is_dropped(table: Harness) -> None:
    table.erase()
    table.runtime.apply(table.id, on.CardPosted(table.clock.now()))
    assert table.runtime.reader.all_sessions() == ()


def test_old_keys_are_pruned_and_young_ones_kept(table: Harness) -> None:
    table.take(table.message("One."), keys=["msg:1"])
    table.clock.forward(71 * 3600)
    table.runtime.prune()
    table.take(table.message("One."), keys=["msg:1"])
    assert table.handled.repeated
    table.clock.forward(2 * 3600)
    table.runtime.prune()
    assert run_query(table.runtime.database, "SELECT key FROM deliveries").fetchall() == []


def test_eight_threads_on_one_database_lose_nothing(table: Harness) -> None:
    events = [
        [table.message(f"Remark {thread}-{number}.") for number in range(12)] for thread in range(8)
    ]
    failed: list[BaseException] = []

    def post(mine: list[on.MessagePosted]) -> None:
        try:
            for event in mine:
                for _ in range(2):  # every delivery twice
                    table.runtime.handle(event, team=TEAM, keys=[f"msg:{event.ts}"])
        except BaseException as error:  # noqa: BLE001 - reported below
            failed.append(error)

    threads = [threading.Thread(target=post, args=(mine,)) for mine in events]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(table.said) == sorted(event.text for mine in events for event in mine)
    table.settle()
    assert table.session.status == "choosing"
    assert sum("Remark" in claim.text for claim in table.runtime.reader.claims(table.id)) == 96
