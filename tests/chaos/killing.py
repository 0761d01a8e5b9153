"""A kill at every point there is: all are tried, and all that go wrong are told at once."""

from collections.abc import Callable

from tests.support.plays import PlayRecord


def at_each(calm: PlayRecord, check: Callable[[int], None]) -> None:
    """Call `check` with each point of a run without a kill; fail for those that it raises for."""
    assert calm.points
    wrong = []
    for point in range(1, len(calm.points) + 1):
        try:
            check(point)
        except AssertionError as error:
            wrong.append(f"{point}: {error}")
    assert not wrong, "\n\n".join(wrong)
