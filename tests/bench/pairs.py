"""Two things compared in one run, turn by turn, so that what disturbs one disturbs the other."""

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import TypeVar

Item = TypeVar("Item")
Slice = Callable[[], float]
"""One turn; returns seconds per operation."""


def medians_ratio(above: Slice, below: Slice, pairs: int) -> float:
    """The median of `above / below` over pairs taken A B A B …, after a first one that warms up."""
    above(), below()
    return median(above() / below() for _ in range(pairs))


def mean_s(act: Callable[[Item], object], items: Sequence[Item]) -> float:
    """Seconds per item, one after the other."""
    began = time.perf_counter()
    for item in items:
        act(item)
    return (time.perf_counter() - began) / len(items)


def median_s(act: Callable[[Item], object], items: Sequence[Item]) -> float:
    """The median of each item's own seconds."""
    return median(mean_s(act, [item]) for item in items)
