"""Whole sessions under one seed each: no invariant breaks, and a seed plays the same again.

`ROUNDTABLE_SEED=17 pytest tests/chaos/test_simulation.py` plays one of them by itself.
"""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.simulation import Simulation
from tests.support import harness
from tests.support.databases import DATABASES
from tests.support.postgres import Server

FEW = 10
MORE = 50
MANY = 1000
FEW_ON_A_SERVER = 4
MANY_ON_A_SERVER = 100
STORY_LINES_MAX = 60


def played(seed: int, folder: Path) -> Simulation:
    """Raises an error that says which seed it was, and what happened last."""
    folder.mkdir()
    simulation = Simulation(seed, folder)
    try:
        simulation.play()
    except Exception as broken:
        story = "\n".join(simulation.story[-STORY_LINES_MAX:])
        again = f"ROUNDTABLE_SEED={seed} python -m pytest {Path(__file__).name}"
        raise AssertionError(f"seed {seed}: {broken}\nAgain: {again}\n{story}") from broken
    finally:
        simulation.close()
    return simulation


def seeds(count: int) -> list[int]:
    """All of them, or the one that was asked for."""
    asked = os.environ.get("ROUNDTABLE_SEED")
    return [int(asked)] if asked else list(range(count))


@pytest.mark.parametrize("seed", seeds(FEW))
def test_no_invariant_breaks(seed: int, tmp_path: Path) -> None:
    played(seed, tmp_path / "play")


@pytest.mark.whole
@pytest.mark.parametrize("seed", seeds(MORE)[FEW:])
def test_no_invariant_breaks_in_fifty_sessions(seed: int, tmp_path: Path) -> None:
    played(seed, tmp_path / "play")


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(MANY)[MORE:])
def test_no_invariant_breaks_in_a_thousand_sessions(seed: int, tmp_path: Path) -> None:
    played(seed, tmp_path / "play")


@pytest.fixture
def on_a_server(postgres_server: Server) -> Iterator[None]:
    with DATABASES.on(postgres_server):
        yield
        harness.close_all()


@pytest.mark.whole
@pytest.mark.usefixtures("on_a_server")
@pytest.mark.parametrize("seed", seeds(FEW_ON_A_SERVER))
def test_no_invariant_breaks_on_a_server(seed: int, tmp_path: Path) -> None:
    played(seed, tmp_path / "play")


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_server")
@pytest.mark.parametrize("seed", seeds(MANY_ON_A_SERVER)[FEW_ON_A_SERVER:])
def test_no_invariant_breaks_in_a_hundred_sessions_on_a_server(seed: int, tmp_path: Path) -> None:
    played(seed, tmp_path / "play")


@pytest.mark.parametrize("seed", [4, 7])
def test_a_seed_plays_the_same_again(seed: int, tmp_path: Path) -> None:
    first, second = (played(seed, tmp_path / name) for name in ("first", "second"))
    assert first.story == second.story
    assert journal(first) == journal(second)
    assert [post.text for post in first.world.slack.ours] == [
        post.text for post in second.world.slack.ours
    ]


def journal(simulation: Simulation) -> list[str]:
    kept = simulation.folder / "table.db"
    with sqlite3.connect(kept) as db:
        rows = db.execute("SELECT place, at, kind, by, doc, effects FROM journal ORDER BY place")
        found = [str(row) for row in rows]
    db.close()
    return found
