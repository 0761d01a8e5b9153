"""SIGKILL after every commit and every send of a party: its debate is the same, and so is the rest.

A contribution that was given but not yet saved is asked for again: nobody has seen it. Two councils
are played, with a debate each; then it is cancelled, so that the team goes too.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.killing import at_each, every_point
from tests.support.databases import EACH_DATABASE, SLOW_ON_POSTGRES
from tests.support.plays import PlayRecord, artifacts, lines, played_to_crash

pytestmark = [EACH_DATABASE, SLOW_ON_POSTGRES]

PLAY: Final = """
people: [pm, dev]
start: {by: pm, command: "/roundtable discover A plugin that retries failed payments --party"}
steps:
  "01-vision-council":
    - {by: pm, reply: "1: Developers who drive payments through the API."}
    - {by: dev, reply: "Database: PostgreSQL, because the team runs it."}
    - {by: pm, click: continue}
    - {by: dev, click: accept}
  "02-stack-debate":
    - {by: pm, command: "/roundtable cancel --yes"}
"""
SAID: Final = (
    "1: Developers who drive payments through the API.",
    "Database: PostgreSQL, because the team runs it.",
)
COUNTED: Final = {"01-vision-council": 9, "02-stack-debate": 4}
FEW: Final = 2  # points tried in every run of the suite


def run(folder: Path, crash_at: int | None = None) -> PlayRecord:
    folder.mkdir(parents=True)
    return played_to_crash(folder, PLAY, crash_at)


def messages(result: PlayRecord) -> dict[str, int]:
    """How many messages `state.json` counts in each phase that had any."""
    phases = json.loads(artifacts(result.summary)["state.json"])["party_phases"]
    return {key: each["messages"] for key, each in phases.items() if each["messages"]}


def check(calm: PlayRecord, stormy: PlayRecord, point: int) -> None:
    """What must hold whatever was killed."""
    name = f"{point} ({calm.points[point - 1]})"
    assert stormy.crashes == 1 or len(stormy.points) <= point, name
    assert stormy.stopped is None, (name, stormy.stopped)
    assert stormy.summary["session"] is not None, name
    faults = stormy.summary["faults"]
    assert stormy.summary["session"]["status"] == "cancelled", (name, faults)
    assert stormy.summary["steps"] == calm.summary["steps"], name
    assert artifacts(stormy.summary) == artifacts(calm.summary), name
    assert faults == [], name
    for quiet, loud in zip(calm.summary["threads"], stormy.summary["threads"], strict=True):
        assert quiet["persona"] == loud["persona"], name
        said, expected = lines(loud), lines(quiet)
        assert Counter(said) == Counter(expected), name
        if quiet["persona"] == "Roundtable":
            assert said == expected, name  # the debate stands in its order
    assert messages(stormy) == COUNTED, name
    assert stormy.summary["steps"][0]["answers"] == len(SAID), name
    everything = "".join(artifacts(stormy.summary).values())
    for answer in SAID:
        assert answer.removeprefix("1: ") in everything, name


def test_a_kill_at_some_points_of_a_party_changes_nothing(tmp_path: Path) -> None:
    calm = run(tmp_path / "calm")
    assert calm.stopped is None
    assert messages(calm) == COUNTED
    count = len(calm.points)
    assert count > 100
    for number in range(FEW):
        point = (number + 1) * count // 3
        check(calm, run(tmp_path / str(point), crash_at=point), point)


@pytest.mark.slow
def test_a_kill_at_every_point_of_a_party_changes_nothing(tmp_path: Path) -> None:
    calm = run(tmp_path / "calm")
    at_each(
        every_point(calm),
        lambda point: check(calm, run(tmp_path / str(point), crash_at=point), point),
    )
