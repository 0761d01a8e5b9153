"""A party over a real provider whose members fail, fall silent or have more to say (seed 001)."""

from pathlib import Path
from typing import Any, Final

import pytest

from bot.devtools.provider.faults import StandInFault
from bot.devtools.provider.personalities.malicious import INVENTED as INVENTED_BY_PUPPET
from bot.devtools.provider.personalities.table import PERSONALITIES
from bot.devtools.provider.server import StandIn
from core.brains.model.providers.wire import Wire
from core.domain import effects as fx
from core.domain.party.contributions import Contribution
from core.engine.model.needed import needed_tasks
from core.store.journal.replay import replayed
from core.store.repository.calls import CallLedger
from tests.support.spoken_by_model import Cast, Spoken, spoken

TITLE: Final = "A plugin that retries failed payments"
ANSWER: Final = (
    "1: Developers who drive payments through the API.\n"
    "2: Half of the payments that fail are paid.\n"
    "Database: PostgreSQL, because the team runs it already."
)
DEADLINE_S: Final = 60.0
COUNCIL_FILES: Final = (
    "project-brief.md", "tech-stack.md", "architecture-overview.md", "data-model.md",
    "test-strategy-outline.md",
)  # fmt: skip
WRONG_KEY: Final = StandInFault("401")
EMPTY: Final = StandInFault("empty")
HANGS: Final = StandInFault("hang", seconds=30.0)
BUSY: Final = StandInFault("503")


@pytest.fixture
def table(tmp_path: Path, wire: Wire, provider: StandIn) -> Spoken:
    return spoken(tmp_path, wire, [provider.url], brain_s=DEADLINE_S)


def begin(table: Spoken, hanging: int = 0) -> None:
    table.start(title=TITLE, flow="inception", mode="party")
    table.wait(hanging)


def debate(table: Spoken) -> None:
    """People answer the first council, which comes to its positions."""
    table.say(ANSWER)
    table.wait()
    table.click("continue")
    table.wait()


def turns(table: Spoken, phase: str = "01-vision-council") -> list[Contribution]:
    return list(table.runtime.reader.contributions(table.id, phase))  # type: ignore[arg-type]


def away(table: Spoken) -> list[str]:
    council = table.session.party.council
    assert council is not None
    return [seat.persona for seat in council.seats if seat.state == "away"]


def told(table: Spoken) -> list[str]:
    """The faults that people see, each once, with who is meant."""
    return table.messages


def flaws(asked: Any) -> list[str]:
    return list(asked.data.get("flaws", ()))


def test_a_model_speaks_for_every_member_and_people_read_its_words(
    table: Spoken, cast: Cast
) -> None:
    begin(table)
    debate(table)
    assert table.session.status == "choosing"
    assert table.codes == []
    positions = [turn for turn in turns(table) if turn.want == "position"]
    assert [turn.persona for turn in positions] == [
        "product-analyst", "domain-researcher", "technical-scout",
    ]  # fmt: skip
    assert all("I take up one sentence: “" in turn.text for turn in positions)
    asks = [row for row in table.calls() if row[0] == "contribute"]
    assert {row[1:] for row in asks} == {("middle", "done", None)}  # the reply goes with its row
    assert len(cast.asked) == len(table.calls())
    assert table.session.model.calls == len(cast.asked)
    assert table.session.model.usage.tokens > 1_000
    assert not replayed(table.runtime.database, table.id).differences


@pytest.mark.parametrize("personality", PERSONALITIES)
def test_a_whole_party_ends_with_every_artifact_whoever_speaks(
    tmp_path: Path, wire: Wire, personality: str
) -> None:
    with StandIn(PERSONALITIES[personality]) as provider:
        table = spoken(tmp_path, wire, [provider.url], brain_s=DEADLINE_S)
        begin(table)
        for _ in range(40):
            if table.session.status == "asking":
                table.say(ANSWER)
            elif table.session.status == "choosing":
                table.forward()
            table.wait()
        assert table.session.status == "completed"
        assert {row[2] for row in table.calls()} <= {"done", "failed"}
    files = {path.name: path.read_text() for path in table.folder().glob("*.*")}
    assert len(files) == 10
    assert not [name for name in COUNCIL_FILES if INVENTED_BY_PUPPET in files[name]]
    assert not replayed(table.runtime.database, table.id).differences


# ── E-002 ──────────────────────────────────────────────────────────────────────────────────────


def test_e002_a_member_that_no_provider_takes_is_missed_and_not_tried_again(
    table: Spoken, cast: Cast
) -> None:
    cast.always["Oscar"] = WRONG_KEY
    begin(table)
    assert told(table) == ["Proceeding with 2 agents in Vision Council."]
    assert table.codes == ["E-002"]
    assert len(cast.of("Oscar")) == 1
    assert away(table) == ["domain-researcher"]
    fault = table.runtime.reader.faults(table.id)[0]
    assert fault.detail.startswith("Oscar could not be launched. ")
    assert "key" not in fault.detail.replace("API key", "")  # nobody's key
    assert table.session.status == "asking"


def test_a_wrong_setting_sends_the_member_to_the_next_provider(
    tmp_path: Path, wire: Wire, cast: Cast, provider: StandIn
) -> None:
    with StandIn(lambda asked, number: WRONG_KEY) as other:
        table = spoken(tmp_path, wire, [other.url, provider.url], brain_s=DEADLINE_S)
        begin(table)
        assert told(table) == []
        routes = [fault.routing for fault in table.runtime.reader.faults(table.id)]
        assert routes[0] == "DETOUR"
        assert set(table.codes) == {"E-002"}
        assert away(table) == []
        assert len(turns(table)) == 3
        assert len(table.shown(fx.TellOperators)) == 1  # three members, told once


def test_a_busy_provider_is_asked_again_after_a_wait_within_the_members_time(
    table: Spoken, cast: Cast
) -> None:
    cast.on("Oscar", BUSY, BUSY)
    begin(table)
    assert table.session.status == "debating"
    for _ in range(2):
        table.pass_time(3.0)
        table.wait()
    assert table.session.status == "asking"
    rows = table.runtime.reader.faults(table.id)
    assert [fault.routing for fault in rows] == ["RETRY", "RETRY"]
    assert [round(fault.facts["delay_ms"] / 1000 - 0.25) for fault in rows] == [1, 2]
    assert {fault.facts["classified_by"] for fault in rows} == {"agent"}  # a middle tier does
    assert told(table) == []
    assert len(turns(table)) == 3


def test_a_provider_that_stays_busy_is_no_provider(table: Spoken, cast: Cast) -> None:
    cast.always["Oscar"] = BUSY
    begin(table)
    for _ in range(6):
        table.pass_time(9.0)
        table.wait()
    assert len(cast.of("Oscar")) == 5
    assert told(table) == ["Proceeding with 2 agents in Vision Council."]


# ── E-003 ──────────────────────────────────────────────────────────────────────────────────────


def test_e003_an_empty_reply_is_asked_for_once_more_and_nobody_sees_it(
    table: Spoken, cast: Cast
) -> None:
    cast.on("Tessa", EMPTY)
    begin(table)
    assert table.session.status == "asking"
    assert table.codes == ["E-003"]
    assert told(table) == []
    first, second = cast.of("Tessa")
    assert flaws(first) == []
    assert flaws(second) == ["Please submit your questions."]
    assert len(turns(table)) == 3


def test_e003_past_its_time_a_request_is_cut_and_sent_once_more(table: Spoken, cast: Cast) -> None:
    cast.on("Tessa", HANGS)
    begin(table, hanging=1)
    assert table.session.status == "debating"
    table.pass_time(DEADLINE_S + 1)
    table.wait()
    assert table.session.status == "asking"
    assert table.codes == ["E-003"]
    assert len(cast.of("Tessa")) == 2
    assert sorted(row[2] for row in table.calls()) == ["done", "done", "done", "failed"]
    assert table.session.model.usage.is_estimate  # of the one that was cut


def test_e003_twice_silent_it_goes_on_without_that_member(table: Spoken, cast: Cast) -> None:
    cast.always["Tessa"] = EMPTY
    begin(table)
    assert table.codes == ["E-003", "E-004"]
    assert told(table) == ["Tessa encountered an issue. Proceeding with remaining agents."]
    assert away(table) == ["technical-scout"]


# ── E-004 ──────────────────────────────────────────────────────────────────────────────────────

INVENTED = {"text": "Everybody wants “a spaceship with seven wings” at once."}
NOBODY_SAID = "“a spaceship with seven wings” stands in nothing that was said"


@pytest.mark.parametrize(
    ("turn", "flaw"),
    [
        (StandInFault("wrong-schema"), ""),
        (StandInFault("refusal"), ""),
        (StandInFault("cut-at-max-tokens"), ""),
        (INVENTED, NOBODY_SAID),
        ({"text": "The key is " + "sk-" + "proj-" + "A1b2C3d4" * 6}, "it repeats "),
        ({"text": "long " * 50_000}, ""),
    ],
    ids=["schema", "refusal", "cut", "invented", "credential", "200 kB"],
)
def test_e004_a_turn_that_cannot_be_used_is_asked_for_once_more(
    table: Spoken, cast: Cast, turn: Any, flaw: str
) -> None:
    cast.on("Nadia", turn)
    begin(table)
    assert table.codes == ["E-004"]
    assert told(table) == []
    _, second = cast.of("Nadia")
    *found, prompt = flaws(second)
    assert prompt == "Please submit your questions."
    assert any(one.startswith(flaw) for one in found) or not flaw
    assert len(turns(table)) == 3


def test_e004_the_second_time_it_goes_on_without_that_member(table: Spoken, cast: Cast) -> None:
    cast.on("Nadia", StandInFault("wrong-schema"), INVENTED)
    begin(table)
    assert table.codes == ["E-004", "E-004"]
    assert told(table) == ["Nadia encountered an issue. Proceeding with remaining agents."]
    debate(table)
    assert table.session.status == "choosing"
    assert {turn.persona for turn in turns(table)} == {"domain-researcher", "technical-scout"}


# ── E-005 ──────────────────────────────────────────────────────────────────────────────────────


def test_e005_all_of_them_is_a_menu_and_a_retry_launches_them_again(
    table: Spoken, provider: StandIn
) -> None:
    provider.faults.add(StandInFault("404", times=3))
    begin(table)
    assert table.codes[-1] == "E-005"
    fault = table.runtime.reader.faults(table.id)[-1]
    assert fault.message == "All agents in Vision Council encountered errors."
    menu = next(menu for menu in table.menus if "retry" in menu.choices)
    assert menu.choices == ("retry", "classic", "cancel")
    table.click("retry", menu=menu.id)
    table.wait()
    assert table.session.status == "asking"
    assert len(turns(table)) == 3


def test_e005_a_provider_that_is_not_there_falls_back_to_classic(
    table: Spoken, provider: StandIn
) -> None:
    provider.stop()
    begin(table)
    for _ in range(6):
        table.pass_time(9.0)
        table.wait()
    assert table.codes[-1] == "E-005"
    table.click("classic")
    table.wait()
    assert (table.session.mode, table.session.status) == ("classic", "asking")


# ── E-006 ──────────────────────────────────────────────────────────────────────────────────────


def test_e006_members_with_more_to_say_are_stopped_at_ten_and_give_their_positions(
    table: Spoken, cast: Cast
) -> None:
    for name in ("Nadia", "Oscar", "Tessa"):
        cast.always[name] = {"more": True}
    begin(table)
    debate(table)
    assert table.codes == ["E-006"]
    limit = "Message limit reached. Please submit your final position now."
    assert told(table) == [limit]
    said = [turn for turn in turns(table) if turn.want not in ("questions", "position")]
    assert len(said) == 10
    last = [asked for asked in cast.asked if limit in flaws(asked)]
    assert len(last) == 3  # each was told so, too
    assert len([turn for turn in turns(table) if turn.want == "position"]) == 3


# ── what is sent, and what is not ──────────────────────────────────────────────────────────────


def test_a_cancelled_session_cuts_its_calls_and_misses_nobody(table: Spoken, cast: Cast) -> None:
    cast.on("Oscar", HANGS)
    begin(table, hanging=1)
    table.cancel()
    table.wait()
    assert table.runner.under_way == {}
    assert needed_tasks(table.session, ()) == frozenset()
    assert table.codes == []  # nobody is missing: nobody waits
    assert "failed" in {row[2] for row in table.calls()}


class CrashesOnce(CallLedger):
    """Ends its thread once, right after the first reply was written down."""

    is_left: bool = True

    def replied(self, *args: Any) -> None:
        super().replied(*args)
        if self.is_left:
            self.is_left = False
            raise SystemExit


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_reply_that_was_written_down_before_a_crash_is_used_and_nobody_is_asked_again(
    table: Spoken, cast: Cast
) -> None:
    table.runner.calls = CrashesOnce(table.runtime.database)
    begin(table)
    assert not table.runner.calls.is_left
    assert len(cast.asked) == 3
    assert table.session.model.calls == 3
    assert len(turns(table)) == 3


def test_a_council_speaks_from_the_script_once_the_tokens_of_the_session_are_used_up(
    tmp_path: Path, wire: Wire, cast: Cast, provider: StandIn
) -> None:
    table = spoken(tmp_path, wire, [provider.url], tokens=1_000)
    begin(table)
    assert cast.asked == []
    assert table.codes == []
    assert len(turns(table)) == 3
    assert len(table.shown(fx.SayBudget)) == 1


def test_a_council_speaks_from_the_script_once_the_tokens_of_the_day_are_used_up(
    table: Spoken, cast: Cast
) -> None:
    begin(table)
    assert len(cast.asked) == 3
    table.runner.tokens_a_day = 1
    debate(table)
    assert len(cast.asked) == 3
    assert table.codes == []
    assert table.session.status == "choosing"
