"""SIGKILL after every commit and every send of a session: nothing is lost, nothing is said twice.

The bot is a process of its own on real Socket Mode or HTTP. A run without a crash counts points;
then the play runs again with a kill at a point and a new start, and must come out the same. A few
points in every run of the suite, all of them with `make chaos`.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from bot.devtools.play.controls import Transport
from bot.devtools.workspace import NEWER_BLOCKS
from tests.chaos.killing import at_each, every_point
from tests.chaos.skeleton import PLAY, SAID, grow
from tests.support.databases import EACH_DATABASE
from tests.support.plays import PlayRecord, artifacts, lines, played_to_crash

pytestmark = EACH_DATABASE

TRANSPORTS: tuple[Transport, ...] = ("socket", "http")
FEW: Mapping[Transport, int] = {"socket": 4, "http": 2}  # points tried in every run of the suite


def run(
    folder: Path,
    transport: Transport,
    crash_at: int | None = None,
    *,
    unknown_blocks: Collection[str] = (),
) -> PlayRecord:
    folder.mkdir(parents=True)
    steps = grow(folder / "steps")
    return played_to_crash(
        folder, PLAY, crash_at, transport=transport, steps=steps, unknown_blocks=unknown_blocks
    )


def check(calm: PlayRecord, stormy: PlayRecord, point: int) -> None:
    """What must hold whatever was killed."""
    name = f"{point} ({calm.points[point - 1]})"
    # Repaints that meet in the outbox are one, so a run may have a point or two fewer; and the
    # play may be over before anybody notices a kill at the very last one.
    assert stormy.crashes == 1 or len(stormy.points) <= point, name
    assert stormy.stopped is None, (name, stormy.stopped)
    assert stormy.summary["session"] is not None, name
    faults = stormy.summary["faults"]
    assert stormy.summary["session"]["status"] == "completed", (name, faults)
    assert stormy.summary["steps"] == calm.summary["steps"], name
    assert artifacts(stormy.summary) == artifacts(calm.summary), name
    for quiet, loud in zip(calm.summary["threads"], stormy.summary["threads"], strict=True):
        assert quiet["persona"] == loud["persona"], name
        assert Counter(lines(loud)) == Counter(lines(quiet)), name
    requirements = artifacts(stormy.summary)["requirements-spec.md"]
    for answer in SAID:
        assert requirements.count(answer.removeprefix("1. ").removeprefix("2. ")) == 1, name


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_kill_at_some_points_changes_nothing(tmp_path: Path, transport: Transport) -> None:
    calm = run(tmp_path / "calm", transport)
    count = len(calm.points)
    assert count > 20
    few = FEW[transport]

    def killed(point: int) -> None:
        check(calm, run(tmp_path / str(point), transport, crash_at=point), point)

    at_each([1 + number * (count - 4) // (few - 1) for number in range(few)], killed, at_once=few)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_kill_between_a_refusal_of_blocks_and_the_plain_message_changes_nothing(
    tmp_path: Path, transport: Transport
) -> None:
    """Slack knows none of the newer blocks, and each kind of widget is refused once."""
    calm = run(tmp_path / "calm", transport, unknown_blocks=NEWER_BLOCKS)
    refusals = [place for place, point in enumerate(calm.points, 1) if point == "blocks-refused"]

    def killed(point: int) -> None:
        place = tmp_path / str(point)
        stormy = run(place, transport, crash_at=point, unknown_blocks=NEWER_BLOCKS)
        assert stormy.crashes == 1
        assert stormy.points.count("blocks-refused") == len(refusals)  # known after the start
        check(calm, stormy, point)

    at_each(refusals, killed, at_once=len(refusals))


@pytest.mark.slow
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_kill_at_every_point_changes_nothing(tmp_path: Path, transport: Transport) -> None:
    calm = run(tmp_path / "calm", transport)

    def killed(point: int) -> None:
        check(calm, run(tmp_path / str(point), transport, crash_at=point), point)

    at_each(every_point(calm), killed)
