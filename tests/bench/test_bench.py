"""`make bench`: what it prints and what its exit code says. No time is asserted anywhere."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest
import typer
from rich.console import Console
from slack_bolt import BoltRequest
from typer.testing import CliRunner

from core.brains.script.performing import consult
from core.brains.tasks import Contribute
from core.domain.ids import TeamId
from tests.bench import browsing, fleets, run, several
from tests.bench.__main__ import bench
from tests.bench.acknowledging import CLICK, CLICK_BESIDE_READINGS, EVENT
from tests.bench.analysis import NEXT_PROMPT, PER_STEP, TOP_LEVEL
from tests.bench.anchors import PlainStore, bare_bolt
from tests.bench.asking import ASKING
from tests.bench.browsing import SHOWN, WEIGHT
from tests.bench.crowding import CROWD, GROWTH, GROWTH_READ, LONG, crowded
from tests.bench.debating import DEBATE, Thinking
from tests.bench.figures import Figure, Subject, as_json, as_table, machine
from tests.bench.loading import CHECKING
from tests.bench.opening import HOME
from tests.bench.pairs import medians_ratio
from tests.bench.payloads import button_click, message_event
from tests.bench.scanning import SCAN
from tests.bench.sessions import harness_in, opened
from tests.bench.size import TINY, Size
from tests.bench.starting import IMPORT, MEMORY, START
from tests.bench.storing import CONCURRENCY, TRANSITION
from tests.support import postgres
from tests.support.browser import needed
from tests.support.council_requests import NADIA, request

SUBJECTS = (
    *(TRANSITION, EVENT, CLICK, CLICK_BESIDE_READINGS),
    *(CHECKING, SCAN, CONCURRENCY, DEBATE),
    *(CROWD, LONG, IMPORT, HOME, ASKING, GROWTH, GROWTH_READ, MEMORY, START),
    *(NEXT_PROMPT, PER_STEP, TOP_LEVEL),
    *(() if postgres.missing() else (*several.ROWS, *fleets.ROWS)),
)
MAY_BE_ZERO = (MEMORY.row, ASKING.row, several.IDLE.row, fleets.AMISS.row)
KEYS = ["row", "name", "unit", "value", "gate", "goal", "holds"]


def command() -> typer.Typer:
    app = typer.Typer()
    app.command()(bench)
    return app


def measuring(figures: Sequence[Figure]) -> Callable[..., list[Figure]]:
    def measured(size: Size, told: Callable[[str], None]) -> list[Figure]:
        told("row 1: on its way")
        return list(figures)

    return measured


@pytest.mark.whole
def test_every_row_is_measured_by_the_real_bot_and_printed_as_json() -> None:
    arguments = ["--tiny", "--format", "json"]
    result = CliRunner().invoke(command(), arguments, catch_exceptions=False)
    found = json.loads(result.stdout)
    assert [(each["row"], each["name"]) for each in found] == [(s.row, s.name) for s in SUBJECTS]
    assert all(list(each) == KEYS for each in found)
    assert [
        each for each in found if each["row"] not in MAY_BE_ZERO and not each["value"] > 0
    ] == []
    (home,) = (each for each in found if each["row"] == HOME.row)
    assert (home["value"], home["holds"]) == (3, True)
    assert all(isinstance(each["holds"], bool) for each in found)
    assert result.exit_code == int(not all(each["holds"] for each in found))
    assert "row 1:" in result.stderr
    assert "rows 17 and 18 are left out:" in result.stderr


@pytest.mark.whole
@pytest.mark.slow
def test_a_person_in_a_browser_sees_each_next_prompt(tmp_path: Path) -> None:
    needed()
    shown, weight = browsing.browsed(tmp_path, replace(TINY, browsed=1), lambda _: None)
    assert (shown.subject, weight.subject) == (SHOWN, WEIGHT)
    assert shown.value > 0
    assert weight.holds


def test_without_a_browser_its_rows_are_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []
    monkeypatch.setattr(browsing, "chromium", lambda: None)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", ModuleType("playwright.sync_api"))
    assert browsing.browsed(tmp_path, replace(TINY, browsed=1), said.append) == []
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert browsing.browsed(tmp_path, replace(TINY, browsed=1), said.append) == []
    assert said == [
        "rows 17 and 18 are left out: there is no Chromium (apt-get install chromium)",
        "rows 17 and 18 are left out: playwright is not installed (pip install playwright)",
    ]


def test_a_crowd_is_of_sessions_that_can_be_looked_at(tmp_path: Path) -> None:
    with harness_in(tmp_path / "harness", TeamId("T1")) as harness:
        (asked,) = opened(harness, 1, "01-requirements")
        crowded(harness.runtime.database, asked, 3)
        listed = harness.runtime.reader.all_sessions()
        assert len({each.id for each in listed}) == len({each.slug for each in listed}) == 4
        assert {harness.runtime.reader.load(each.id).status for each in listed} == {"asking"}
        assert all(harness.runtime.reader.answers(each.id) for each in listed)


def test_without_a_server_its_rows_are_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []
    monkeypatch.setattr(postgres, "missing", lambda: "there is none")
    assert several.several(tmp_path, TINY, said.append) == []
    assert said == ["rows 23 to 27 are left out: there is none"]


def test_the_gates_of_what_people_get_are_counts() -> None:
    assert PER_STEP.measured(54 / 24).holds
    assert not PER_STEP.measured(61 / 24).holds
    assert TOP_LEVEL.measured(5).holds


@pytest.mark.parametrize(
    ("subject", "value", "holds"),
    [(TRANSITION, 0.22, True), (TRANSITION, 0.219, False), (CLICK, 4.0, True), (CLICK, 4.1, False)],
)
def test_a_gate_is_a_lower_or_an_upper_bound(subject: Subject, value: float, holds: bool) -> None:
    assert subject.measured(value).holds is holds


def test_parties_that_say_something_else_miss_the_gate_however_fast() -> None:
    assert DEBATE.measured(0.6).holds
    assert not DEBATE.measured(0.601).holds
    assert not DEBATE.measured(0.4, sound=False).holds


def test_a_lost_answer_misses_the_gate_whatever_the_rate() -> None:
    assert not CONCURRENCY.measured(8.0, sound=False).holds


@pytest.mark.parametrize(("value", "code"), [(0.3, 0), (0.1, 1)])
def test_the_exit_code_says_whether_every_gate_holds(
    monkeypatch: pytest.MonkeyPatch, value: float, code: int
) -> None:
    monkeypatch.setattr(run, "measured", measuring([TRANSITION.measured(value)]))
    result = CliRunner().invoke(command(), ["--quick"])
    assert result.exit_code == code
    assert "durable transition" in result.stdout
    assert result.stderr == "row 1: on its way\n"


def test_the_table_says_how_each_figure_stands_and_on_which_machine() -> None:
    figures = [TRANSITION.measured(0.5), EVENT.measured(0.3), CLICK.measured(5)]
    console = Console(width=200, file=StringIO())
    with console.capture() as shown:
        console.print(as_table(figures))
    text = shown.get()
    lines = [line.split() for line in text.splitlines()]
    verdicts = {line[0]: line[-1] for line in lines if line and line[0].isdigit()}
    assert verdicts == {"1": "goal", "4": "gate", "5": "missed"}
    assert machine() in text


def test_json_holds_numbers_and_no_symbols() -> None:
    (only,) = json.loads(as_json([EVENT.measured(0.12345)]))
    assert only == {
        "row": 4,
        "name": EVENT.name,
        "unit": "×",
        "value": 0.123,
        "gate": 0.25,
        "goal": 0.33,
        "holds": False,
    }


def test_pairs_are_taken_in_turn_and_the_first_one_only_warms_up() -> None:
    turns: list[str] = []

    def turn(name: str, seconds: float) -> Callable[[], float]:
        def take() -> float:
            turns.append(name)
            return seconds * len(turns)

        return take

    medians_ratio(turn("ours", 1), turn("anchor", 2), 3)
    assert turns == ["ours", "anchor"] * 4


def test_the_anchors_do_what_they_are_called(tmp_path: Path) -> None:
    plain = PlainStore(tmp_path / "plain.db")
    app = bare_bolt(plain.commit)
    event = message_event("T1", "C1", "U2", "1700000000.000001", "1700000000.000000", "Yes.")
    assert app.dispatch(BoltRequest(mode="socket_mode", body=event)).status == 200
    assert plain.commits == 0
    click = button_click("T1", "C1", "U2", "1700000000.000002", "menu-1")
    assert app.dispatch(click).status == 200
    assert plain.commits == 1
    plain.close()


def test_every_call_waits_for_its_turn_and_gives_what_the_scripted_brain_gives() -> None:
    turns: list[str] = []

    class Turns:
        def __enter__(self) -> None:
            turns.append("begun")

        def __exit__(self, *_: object) -> None:
            turns.append("ended")

    asked = request(NADIA, "questions")
    thinking = Thinking(0.0, Turns())
    assert [thinking.perform(Contribute(asked), bool) for _ in range(2)] == [consult(asked)] * 2
    assert turns == ["begun", "ended"] * 2
