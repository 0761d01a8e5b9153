"""One request of an effect: over real HTTP to a provider, with the ledger, and what it comes to."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel

from bot.devtools.provider.faults import StandInFault
from bot.devtools.provider.server import StandIn
from bot.views.thread.model import read_by as read_by_line
from core.brains.model.providers.wire import Wire
from core.domain import effects as fx
from core.domain import events as on
from core.domain.ids import StepId, TaskId
from core.domain.session.model_reading import ModelUse
from core.runtime.brains import model_runner
from core.runtime.brains.provider_rests import ProviderRests
from core.runtime.commit import Checkpoint
from core.store.journal.replay import replayed
from core.store.repository.calls import CallLedger
from tests.support.databases import EACH_DATABASE
from tests.support.harness import Harness
from tests.support.rows import execute, run_query
from tests.support.spoken_by_model import Cast, Spoken, spoken
from tests.support.waiting import wait_until

pytestmark = EACH_DATABASE

ANSWER = (
    "The page must show the total of all rows.\n"
    "Nobody may delete a row after the month is closed.\n"
    "no exports in the first version please"
)
NOBODY = "http://127.0.0.1:9/v1"  # nothing listens there


def crash_at(place: str) -> Checkpoint:
    """What ends the process the first time that it comes there."""

    def checkpoint(name: str) -> None:
        if name == place:
            raise SystemExit  # a thread ends without a word

    return checkpoint


def read_by(folder: Path, wire: Wire, *urls: str, **options: Any) -> Spoken:
    """A table whose providers stand at those addresses, in order."""
    table = spoken(folder, wire, urls, **options)
    if "again" not in options:
        table.start("Show the total")
    return table


def test_a_provider_reads_and_its_lines_stand_with_their_quotes(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url)
    table.say(ANSWER)
    table.wait()
    state = table.step("00-01")
    assert state.model.model.startswith("openai-chat:model-0@")
    assert table.session.status == "choosing"
    asked = sorted(row[:2] for row in table.calls())
    assert asked == [("ask_and_propose", "middle"), ("read_answers", "fast")]
    assert {row[2] for row in table.calls()} == {"done"}
    assert {row[3] for row in table.calls()} == {None}  # the reply goes with its row
    texts = [claim.text for claim in table.runtime.reader.claims(table.id)]
    assert "Nobody may delete a row after the month is closed." in texts
    assert len(state.model.lines) == 3


def test_what_the_row_of_a_request_says_is_not_journalled_again(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url)
    table.say(ANSWER)
    table.wait()
    query = "SELECT doc FROM journal WHERE kind = 'ModelReplied' ORDER BY place"
    (read,), (asked,) = run_query(table.runtime.database, query)
    assert json.loads(read).keys() == {"task", "lines", "open_criteria"}
    assert "stand-in" not in read + asked
    again = replayed(table.runtime.database, table.id)
    assert (again.differences, again.compared) == ((), again.events)
    with table.runtime.database.write() as db:
        execute(db, "DELETE FROM calls")
    (first, *_) = replayed(table.runtime.database, table.id).differences
    assert first.now == "cannot be: a row that it refers to cannot be read"


def test_with_no_provider_there_the_artifacts_are_the_scripts(tmp_path: Path, wire: Wire) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "models").mkdir()
    plain = Harness(tmp_path / "plain")
    plain.start("Show the total")
    plain.say(ANSWER)
    table = read_by(tmp_path / "models", wire, NOBODY, NOBODY)
    table.say(ANSWER)
    for _ in range(14):  # five tries each, a minute at most between two of them
        table.wait()
        table.clock.forward(61.0)
    assert table.session.status == "choosing"
    assert table.runtime.reader.claims(table.id) == plain.runtime.reader.claims(plain.id)
    assert table.runtime.reader.sections(table.id) == plain.runtime.reader.sections(plain.id)
    assert table.step("00-01").model.why_script == "failed"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_crash_after_the_reply_asks_nobody_a_second_time(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url, checkpoint=crash_at("model-replied"))
    table.say(ANSWER)
    table.wait_for_crash()
    assert [row[2] for row in table.calls()] == ["replied"]
    table.close()
    again = read_by(tmp_path, wire, provider.url, again=table)
    again.wait()
    assert again.session.status == "choosing"
    asked = [request.asked.task for request in provider.requests if request.asked]
    assert asked == ["read_answers", "ask_and_propose"]


def test_a_crash_before_the_reply_counts_an_estimate_and_asks_again(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url, checkpoint=crash_at("model-sent"))
    with pytest.raises(SystemExit):
        table.say(ANSWER)
    assert table.calls("state, is_estimate") == [("sent", 1)]
    estimate = CallLedger(table.runtime.database).spent_since(table.cast.team, 0.0)
    assert estimate > 500
    table.close()
    again = read_by(tmp_path, wire, provider.url, again=table)
    again.wait()
    assert again.session.status == "choosing"
    counted = dict(again.calls("asks, input_tokens + output_tokens"))
    taken = sum(counted.values())
    assert again.session.model.usage.tokens == taken
    assert again.session.model.usage.is_estimate
    assert counted["read_answers"] > estimate + 500  # both times


def test_todays_tokens_used_up_the_script_reads_and_nobody_is_asked(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url, tokens_a_day=1)
    table.say(ANSWER)
    table.wait()  # the first request is within them
    table.forward()
    count = len(provider.requests)
    table.say("Three files, small.")
    table.wait()
    assert len(provider.requests) == count
    assert table.session.status == "choosing"
    assert not [fault for fault in table.codes if fault == "ERR-INT-001"]
    table.clock.forward(86_400)
    table.forward()
    table.say("The exporter and its tests.")
    table.wait()
    assert len(provider.requests) > count


def test_a_cancelled_session_cuts_off_the_request_under_way(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    provider.faults.add(StandInFault("hang", seconds=60.0))
    table = read_by(tmp_path, wire, provider.url)
    table.say(ANSWER)
    assert table.runner.under_way
    table.cancel()
    table.wait()
    assert table.session.status == "cancelled"
    assert not table.runner.under_way


def test_people_are_told_who_read_and_for_how_much(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url)
    table.say(ANSWER)
    table.wait()
    line = str(read_by_line(table.step("00-01").model, "Maya Chen", {}))
    assert "Read by model-0 (" in line
    assert "http" not in line
    assert "2 requests" in line
    assert "tokens" in line


BUSY = StandInFault("503", times=None)


def test_what_one_session_found_out_spares_another_the_tries(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    rests = ProviderRests()
    with StandIn(lambda asked, number: BUSY) as down:
        tables = []
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            table = read_by(tmp_path / name, wire, down.url, provider.url, rests=rests)
            table.say(ANSWER)
            for _ in range(4):  # five tries in all, then the next provider
                table.wait()
                table.clock.forward(9.0)
            table.wait()
            tables.append((table, len(down.requests)))
        (one, before), (other, after) = tables
        assert before == 5
        assert after == before
        assert one.codes == ["ERR-INT-001"] * 5
        assert other.codes == []
        assert other.session.status == "choosing"
        assert other.step("00-01").model.model.startswith("openai-chat:model-1@")
        other.clock.forward(3_600)  # it has rested
        other.forward()
        other.say("Three files, small.")
        other.wait()
        assert len(down.requests) > after


def test_rows_that_wait_for_a_provider_that_named_a_time_are_no_tries(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    rests = ProviderRests()
    provider.faults.add(StandInFault("429", retry_after=30))
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    one, other = (
        read_by(tmp_path / name, wire, provider.url, rests=rests) for name in ("one", "other")
    )
    one.say(ANSWER)
    one.wait()
    other.say(ANSWER)
    other.wait()
    assert len(provider.requests) == 1
    assert not other.shown(fx.ShowStep)
    for table in (one, other):
        table.clock.forward(30.5)
        table.wait()
        assert table.session.status == "choosing"
    assert (one.codes, other.codes) == (["ERR-INT-001"], [])
    assert [table.step("00-01").model.tries for table in (one, other)] == [3, 2]


def test_where_all_that_is_set_rests_the_script_reads_and_the_next_answer_is_tried_again(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url)
    model = table.runner.providers[next(iter(table.runner.providers))]
    use = ModelUse().rested(model.name, table.clock.now())
    table.runner.rests.failed(model, failed(table), use)
    table.say(ANSWER)
    table.wait()
    assert (table.session.status, table.codes) == ("choosing", [])
    assert table.step("00-01").model.why_script == "failed"
    assert table.session.model.off_in is None
    table.clock.forward(61.0)
    table.say("It must print as well.")
    table.wait()
    assert table.step("00-01").model.model == model.name


def failed(table: Spoken) -> on.ModelFailed:
    """The failure of another session."""
    return on.ModelFailed(table.clock.now(), TaskId("t"), StepId("00-01"), "", "transient")


OPEN = {"criteria": [{"id": "V1", "met": False, "quotes": []}]}
ENDS = {"question": None, "proposals": []}
PROPOSAL = {
    "kind": "risk",
    "text": "A shop may close meanwhile.",
    "reason": "Nobody said.",
    "of": {"answer": "A1", "text": "nine shops we have"},
}


def test_a_question_is_wanted_once_more_where_a_criterion_is_open_and_none_is_asked(
    tmp_path: Path, wire: Wire, cast: Cast, provider: StandIn
) -> None:
    proposes = {"proposals": [PROPOSAL]}
    cast.on("Maya", OPEN, ENDS, ENDS | proposes)
    table = read_by(tmp_path, wire, provider.url)
    table.say("It is a medium change: nine files, one for each of the nine shops we have.")
    table.wait()
    read, first, second = cast.asked
    assert [one.task for one in (read, first, second)] == ["read_answers", *["ask_and_propose"] * 2]
    assert second.data["flaws"] == [
        "These criteria are open, and you ask nothing: V1. Ask about one of them."
    ]
    (proposal,) = table.step("00-01").model.proposals  # once told, it may have none
    assert proposal.text == PROPOSAL["text"]


def test_what_had_no_room_in_a_request_is_in_the_ledger_and_said_at_the_step(
    tmp_path: Path, wire: Wire, provider: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = read_by(tmp_path, wire, provider.url)
    table.say("It is small. " + "The exporter of the shop writes each row once. " * 80)
    table.wait()
    table.forward()
    monkeypatch.setattr(model_runner, "CONTEXT_TOKENS", 3_400)
    table.say("Three files.")
    table.wait()
    rows = table.calls("step, asks, left_out")
    left_out = {row[1]: row[2].split("\n") for row in rows if row[2]}
    assert left_out["read_answers"] == ["lines of 00-01", "answers of 00-01"]
    assert {row[0] for row in rows if row[2]} == {"00-02"}
    line = str(read_by_line(table.step("00-02").model, "Maya Chen", {}))
    assert "without lines of 00-01, answers of 00-01, for which there was no room" in line


def test_a_newer_answer_cuts_off_the_request_under_way(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    provider.faults.add(StandInFault("hang", seconds=60.0))
    table = read_by(tmp_path, wire, provider.url)
    table.say(ANSWER)
    wait_until(lambda: provider.requests)
    table.say("It must print as well.")
    table.wait()  # far shorter than the provider hangs
    assert table.session.status == "choosing"
    asked = [len(request.asked.answers) for request in provider.requests if request.asked]
    assert asked == [1, 2, 2]
    assert sorted(row[2] for row in table.calls()) == ["done", "done", "failed"]
    assert table.codes == []


KEY = "sk-proj-Zq8vN3kLw2Rt6Yp1Xs9Dm4Hc7Bf0Ga5J"


def rows_of(table: Spoken) -> str:
    """All that the database holds, table by table."""
    with table.runtime.database.reading() as db:
        return "\n".join(
            str(row)
            for name in SQLModel.metadata.tables
            for row in db.execute(f"SELECT * FROM {name}")
        )


def test_no_row_holds_the_key_of_a_provider_that_was_asked_and_refused(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    provider.faults.add(StandInFault("hang", seconds=60.0))
    with StandIn(key="another") as refusing:
        table = read_by(tmp_path, wire, refusing.url, provider.url, key=KEY)
        table.say(ANSWER)
        while not provider.requests:
            table.wait(hanging=1)
    rows = rows_of(table)
    assert "Incorrect API key" in rows
    assert "model-1" in rows  # of the request that is under way
    assert KEY not in rows
    table.runner.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_no_row_holds_a_credential_that_a_model_said(
    tmp_path: Path, wire: Wire, provider: StandIn, cast: Cast
) -> None:
    quote = {"answer": "A1", "text": "The page must show the total of all rows."}
    leak = {"kind": "note", "text": f"The total needs {KEY}.", "quotes": [quote], "of": None}
    cast.on("Maya", {"lines": [leak]})
    table = read_by(tmp_path, wire, provider.url, checkpoint=crash_at("model-replied"))
    table.say(ANSWER)
    table.wait_for_crash()
    assert KEY not in rows_of(table)
    table.close()
    again = read_by(tmp_path, wire, provider.url, again=table)
    again.wait()
    assert again.session.status == "choosing"
    assert KEY not in rows_of(again)
