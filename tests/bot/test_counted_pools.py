"""Jobs beside the bot's listeners: a play waits for them, and for those of a dead process never."""

import threading
from pathlib import Path

import pytest

from bot.devtools.counted_pools import CountedPools
from bot.devtools.play.controls import Controls


@pytest.fixture
def controls(tmp_path: Path) -> Controls:
    controls = Controls(tmp_path / "control")
    controls.prepare()
    return controls


def test_a_bot_is_busy_from_the_first_job_until_the_last_has_ended(controls: Controls) -> None:
    pools, gates = CountedPools(controls.note_busy), (threading.Event(), threading.Event())
    with pools(1, "ephemeral") as ephemerals, pools(1, "home") as homes:
        first, second = ephemerals.submit(gates[0].wait), homes.submit(gates[1].wait)
        gates[0].set()
        first.result()
        assert controls.is_busy()
        gates[1].set()
        second.result()
    assert not controls.is_busy()
    assert pools.is_idle


def test_a_job_that_no_pool_takes_is_not_waited_for(controls: Controls) -> None:
    pool = CountedPools(controls.note_busy)(1, "ephemeral")
    pool.shutdown()
    with pytest.raises(RuntimeError):
        pool.submit(print)
    assert not controls.is_busy()


def test_a_job_that_was_killed_with_its_process_is_not_waited_for(controls: Controls) -> None:
    controls.note_busy(True)
    controls.begin_anew()
    assert not controls.is_busy()
