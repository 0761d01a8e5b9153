"""Pools beside listeners: what they were given is done before a stop, which has a limit."""

import threading

from structlog.testing import capture_logs

from bot.publish.background import StoppablePools


def test_a_stop_waits_for_the_jobs_of_every_pool() -> None:
    pools, done = StoppablePools(), list[str]()
    gate = threading.Event()
    for name in ("ephemeral", "modal"):
        executor = pools(1, name)
        executor.submit(gate.wait)
        executor.submit(done.append, name)
    threading.Timer(0.05, gate.set).start()
    pools.stop()
    assert sorted(done) == ["ephemeral", "modal"]


def test_a_job_without_an_end_holds_up_no_stop_and_is_logged() -> None:
    pools, gate = StoppablePools(), threading.Event()
    pools(1, "ephemeral").submit(gate.wait)
    try:
        with capture_logs() as logs:
            pools.stop(timeout_s=0.05)
        assert [entry["event"] for entry in logs] == ["pools.not-ended"]
    finally:
        gate.set()
