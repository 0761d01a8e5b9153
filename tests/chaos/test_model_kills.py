"""SIGKILL after every commit and every send of a session that a language model reads.

The provider stands in the test's process and lives on: nobody is asked more than once again for a
kill, what was handed out is in the ledger, and what people see and files hold is the same.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest

from bot.devtools.provider.exchange import tokens_of
from bot.devtools.provider.readers import readers, running
from core.store.connection.opening import open_database
from tests.chaos.killing import at_each, every_point
from tests.chaos.skeleton import grow
from tests.support.plays import PlayRecord, artifacts, codes, played_to_crash
from tests.support.rows import run_query
from tests.support.serving import address_in

PLAY: Final = """
people: [pm, dev]
start: {by: pm, command: "/roundtable analyze Export dashboard as PDF"}
steps:
  "01-01":
    - {by: pm, reply: "1. The dashboard must be exported as one PDF file."}
    - {by: dev, click: continue}
  "01-02":
    - {by: dev, reply: "The subscriber needs it in the mail. Nobody may print it."}
    - {by: pm, click: accept}
"""
FEW: Final = 3  # points tried in every run of the suite


@dataclass(frozen=True)
class Ledger:
    """What a provider was asked, and what a session counts for it."""

    record: PlayRecord
    folder: Path
    requests: int
    handed_out: int  # tokens of the requests that came, as the provider counts them

    @cached_property
    def counted(self) -> int:
        database = open_database(address_in(self.folder))
        try:
            query = "SELECT sum(input_tokens + output_tokens) FROM calls"
            return int(run_query(database, query).fetchone()[0])
        finally:
            database.close()


def run(folder: Path, crash_at: int | None = None) -> Ledger:
    folder.mkdir(parents=True)
    steps = grow(folder / "steps")
    with running(readers(None, None)) as reading:
        record = played_to_crash(folder, PLAY, crash_at, steps=steps, readers=reading)
        assert reading.provider is not None
        bodies = [_as_sent(request.body) for request in reading.provider.requests]
    return Ledger(record, folder, len(bodies), sum(map(tokens_of, bodies)))


def _as_sent(body: object) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def check(calm: Ledger, stormy: Ledger, point: int) -> None:
    """What must hold whatever was killed."""
    name = f"{point} ({calm.record.points[point - 1]})"
    record = stormy.record
    assert record.crashes == 1 or len(record.points) <= point, name
    assert record.stopped is None, (name, record.stopped)
    assert record.summary["session"] is not None, name
    assert record.summary["session"]["status"] == "completed", (name, record.summary["faults"])
    assert codes(record.summary) == codes(calm.record.summary), name
    assert artifacts(record.summary) == artifacts(calm.record.summary), name
    assert stormy.requests <= calm.requests + 1, name
    assert stormy.counted >= stormy.handed_out, name


def test_a_kill_at_some_points_loses_nothing_that_a_model_handed_out(tmp_path: Path) -> None:
    calm = run(tmp_path / "calm")
    points = calm.record.points
    assert calm.requests >= 4  # two of each step, and what mends them
    assert calm.counted >= calm.handed_out
    of_models = [place for place, point in enumerate(points, 1) if point.startswith("model-")]
    at_each(
        of_models[:FEW],
        lambda point: check(calm, run(tmp_path / str(point), point), point),
        at_once=FEW,
    )


@pytest.mark.slow
def test_a_kill_at_every_point_loses_nothing_that_a_model_handed_out(tmp_path: Path) -> None:
    calm = run(tmp_path / "calm")
    at_each(
        every_point(calm.record),
        lambda point: check(calm, run(tmp_path / str(point), point), point),
    )
