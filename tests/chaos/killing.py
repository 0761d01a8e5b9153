"""A kill at each of some points: all are tried, and all that go wrong are told at once."""

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor

from tests.support.plays import PlayRecord


def every_point(calm: PlayRecord) -> range:
    """The points of a run without a kill, from 1."""
    return range(1, len(calm.points) + 1)


def at_each(points: Collection[int], check: Callable[[int], None], *, at_once: int = 1) -> None:
    """Call `check` with each point; fail for those that it raises for.

    `at_once`: how many plays run beside each other. What a killed bot held on PostgreSQL is free
    after `core.runtime.send_results.HELD_S`, and a play does nothing until then.
    """
    assert points
    with ThreadPoolExecutor(at_once) as pool:
        checks = {point: pool.submit(check, point) for point in points}
    wrong = []
    for point, future in checks.items():
        try:
            future.result()
        except AssertionError as error:
            wrong.append(f"{point}: {error}")
    assert not wrong, "\n\n".join(wrong)
