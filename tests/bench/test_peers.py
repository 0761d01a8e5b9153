"""`make peers` without the peers: how turns are taken, what is counted, and what it refuses."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.bench.figures import Figure
from tests.bench.peers import __main__ as command
from tests.bench.peers import ours
from tests.bench.peers.comparing import (
    BESIDE_DBOS,
    BESIDE_LANGGRAPH,
    Peer,
    compared,
    contested,
    missing,
)
from tests.bench.peers.turns import Seat, TurnError
from tests.test_package import ROOT

PEER = "tests.bench.plain_peer"
PINS = ROOT / "tests" / "bench" / "peers" / "requirements.txt"


def program() -> typer.Typer:
    app = typer.Typer()
    app.command()(command.peers)
    return app


def comparing(figures: Sequence[Figure]) -> Callable[..., list[Figure]]:
    def found(folder: Path, turns: int, told: Callable[[str], None]) -> list[Figure]:
        told("plain: 1 steps/s")
        return list(figures)

    return found


def test_every_step_of_ours_is_kept_and_found_by_whoever_opens_it_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ours, "SESSIONS", 1)
    with ours.opened(tmp_path) as roundtable:
        before = roundtable.kept()
        taken = [roundtable.turn() for _ in range(2)]
    with ours.opened(tmp_path) as again:
        assert again.facts.durable
        assert again.kept() == before + 2
    assert all(turn.seconds > 0 and turn.processor_s > 0 for turn in taken)


def test_each_answers_in_turn_and_all_of_it_is_there_after_a_kill(tmp_path: Path) -> None:
    told: list[str] = []
    (figure,) = compared(tmp_path, 2, told.append, [Peer(BESIDE_LANGGRAPH, PEER)], PEER)
    assert figure.subject == BESIDE_LANGGRAPH
    assert figure.value > 0
    *kept, times = told
    assert all(line.endswith(", all there after a kill") for line in kept)
    assert times == f"plain: {figure.value:.3f} times as long as ours"
    for result in contested(tmp_path, 2, told.append, [PEER, PEER]):
        assert result.sound
        assert len(result.turns) == 2


@pytest.mark.parametrize("fault", ["forgets", "hurries"])
def test_a_peer_whose_steps_are_not_durable_misses_the_gate_whatever_the_rate(
    fault: str, tmp_path: Path
) -> None:
    (tmp_path / "0").mkdir()
    (tmp_path / "0" / fault).touch()
    told: list[str] = []
    (result,) = contested(tmp_path, 1, told.append, [PEER])
    assert not result.sound
    assert told[0].startswith("plain: ")
    assert told[0].endswith("NOT all there after a kill")
    assert not BESIDE_DBOS.measured(100.0, sound=result.sound).holds


def test_a_peer_that_ends_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TurnError, match=r"tests\.bot\.nobody"):
        Seat("tests.bot.nobody", tmp_path / "nobody")
    assert "No module named tests.bot.nobody" in capfd.readouterr().err
    seat = Seat(PEER, tmp_path / "peer")
    seat.kill()
    with pytest.raises(ValueError, match="closed file"):
        seat.turn()


def test_what_cannot_be_imported_is_missing() -> None:
    assert missing(["json", "no_such_engine", "no_such_engine.sqlite"]) == [
        "no_such_engine",
        "no_such_engine.sqlite",
    ]


def test_without_the_peers_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dbos", None)
    result = CliRunner().invoke(program(), [])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "dbos cannot be imported here; `make peers` installs what it needs" in result.stderr


@pytest.mark.parametrize(("value", "code"), [(5.0, 0), (4.9, 1)])
def test_rows_2_and_3_are_printed_as_all_figures_are(
    monkeypatch: pytest.MonkeyPatch, value: float, code: int
) -> None:
    figures = [BESIDE_LANGGRAPH.measured(15.5), BESIDE_DBOS.measured(value)]
    monkeypatch.setattr(command, "missing", list)
    monkeypatch.setattr(command, "compared", comparing(figures))
    result = CliRunner().invoke(program(), ["--turns", "5", "--format", "json"])
    found = json.loads(result.stdout)
    assert [list(each) for each in found] == [
        ["row", "name", "unit", "value", "gate", "goal", "holds"]
    ] * 2
    assert [(each["row"], each["value"], each["holds"]) for each in found] == [
        (2, 15.5, True),
        (3, value, not code),
    ]
    assert result.stderr == "plain: 1 steps/s\n"
    assert result.exit_code == code
    assert "LangGraph" in CliRunner().invoke(program(), []).stdout


def test_fewer_than_five_turns_are_refused() -> None:
    assert CliRunner().invoke(program(), ["--turns", "4"]).exit_code == 2


def test_what_the_peers_need_is_pinned_and_nothing_twice() -> None:
    names = [
        line.partition("==")[0].lower().replace("_", "-")
        for path in (PINS, ROOT / "constraints.txt")
        for line in path.read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert "" not in names
    assert all("==" in line for line in PINS.read_text().split("\n") if line[:1].isalpha())
    assert len(set(names)) == len(names)
