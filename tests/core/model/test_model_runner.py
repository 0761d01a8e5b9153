"""One request of an effect: over real HTTP to a provider, with the ledger, and what it comes to."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.devtools.provider.faults import StandInFault
from bot.devtools.provider.server import StandIn
from bot.views.thread.model import read_by as read_by_line
from core.brains.model.exchange import Provider
from core.brains.model.prompts import load as load_prompts
from core.brains.model.wire import Wire
from core.brains.tasks import ReadStep
from core.domain.ids import StepId
from core.domain.model_calls import ModelOffer
from core.domain.session.step import StepState
from core.runtime.commit import Checkpoint, no_checkpoint
from core.runtime.model_runner import ModelRunner
from core.store.repository.calls import CallLedger
from tests.support.fakes import SCRIPTED, DrivenClock, FakeStage, Names
from tests.support.harness import Harness

ANSWER = (
    "The page must show the total of all rows.\n"
    "Nobody may delete a row after the month is closed.\n"
    "no exports in the first version please"
)
WAIT_S = 60.0


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    wire = Wire()
    wire.start()
    yield wire
    wire.close()


@pytest.fixture
def provider() -> Iterator[StandIn]:
    with StandIn() as standing_in:
        yield standing_in


NOBODY = "http://127.0.0.1:9/v1"  # nothing listens there


def crash_at(place: str) -> Checkpoint:
    """What ends the process the first time that it comes there."""

    def checkpoint(name: str) -> None:
        if name == place:
            raise SystemExit  # a thread ends without a word

    return checkpoint


class Read(Harness):
    """A session that a provider on loopback reads."""

    runner: ModelRunner

    def wait_for_crash(self) -> None:
        """Until the process is gone: no thread of it does anything more."""
        until = time.monotonic() + WAIT_S
        while self.runner.under_way:
            assert time.monotonic() < until, "it did not crash"
            time.sleep(0.005)
        self.runner.stop()

    def wait(self) -> None:
        """Until nothing is under way, and all that came of it is done."""
        until = time.monotonic() + WAIT_S
        self.settle()
        while self.runner.under_way or self.outbox_worker.brains_due(self.id)[0]:
            assert time.monotonic() < until, "no reply came"
            time.sleep(0.005)
            self.settle()

    def state(self, step: str) -> StepState:
        state = self.runtime.reader.step_state(self.id, StepId(step))
        assert state is not None
        return state

    def calls(self) -> list[tuple[object, ...]]:
        with self.runtime.database.reading() as db:
            return list(
                db.execute("SELECT asks, tier, model, state, is_estimate, reply FROM calls")
            )


def read_by(
    folder: Path,
    wire: Wire,
    *urls: str,
    again: Read | None = None,
    checkpoint: Checkpoint = no_checkpoint,
    tokens_a_day: int = 0,
) -> Read:
    """A table whose providers stand at those addresses, in order; `again`: after a crash."""
    providers = [
        Provider("openai-chat", f"model-{number}", url, SecretStr("key"))
        for number, url in enumerate(urls, 1)
    ]
    names = tuple(one.name for one in providers)
    offer = ModelOffer((("fast", names), ("middle", names), ("strong", names)))
    stage = again.stage if again else FakeStage(DrivenClock())
    table = Read(folder, stage=stage, offer=offer)
    table.runner = ModelRunner(
        table.runtime.reader,
        Names(),
        table.outbox_worker.brain_runner.documents,
        stage.clock,
        CallLedger(table.runtime.database),
        wire,
        {one.name: one for one in providers},
        lambda: load_prompts(table.library.root),
        lambda request: SCRIPTED.perform(ReadStep(request), lambda: False),
        glossary=table.library.terms,
        tokens_a_day=tokens_a_day,
        checkpoint=checkpoint,
    )
    table.outbox_worker.model_runner = table.runner
    if again is None:
        table.start("Show the total")
    return table


def test_a_provider_reads_and_its_lines_stand_with_their_quotes(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url)
    table.say(ANSWER)
    table.wait()
    state = table.state("00-01")
    assert state.model.model.startswith("openai-chat:model-1@")
    assert table.session.status == "choosing"
    assert [row[:2] for row in table.calls()] == [
        ("read_answers", "fast"), ("ask_and_propose", "middle"),
    ]  # fmt: skip
    assert {row[3] for row in table.calls()} == {"done"}
    assert {row[5] for row in table.calls()} == {None}  # the reply goes with its row
    texts = [claim.text for claim in table.runtime.reader.claims(table.id)]
    assert "Nobody may delete a row after the month is closed." in texts
    assert len(state.model.lines) == 3


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
    assert table.state("00-01").model.why_script == "failed"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_crash_after_the_reply_asks_nobody_a_second_time(
    tmp_path: Path, wire: Wire, provider: StandIn
) -> None:
    table = read_by(tmp_path, wire, provider.url, checkpoint=crash_at("model-replied"))
    table.say(ANSWER)
    table.wait_for_crash()
    assert [row[3] for row in table.calls()] == ["replied"]
    table.close()
    again = read_by(tmp_path, wire, provider.url, again=table)
    again.id = table.id
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
    ((*_, state, is_estimate, _),) = table.calls()
    assert (state, is_estimate) == ("sent", 1)
    assert CallLedger(table.runtime.database).spent_since(table.cast.team, 0.0) > 500
    table.close()
    again = read_by(tmp_path, wire, provider.url, again=table)
    again.id = table.id
    again.wait()
    assert again.session.status == "choosing"


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
    line = str(read_by_line(table.state("00-01").model, "Maya Chen"))
    assert "Read by model-1 (" in line
    assert "http" not in line
    assert "2 requests" in line
    assert "tokens" in line
