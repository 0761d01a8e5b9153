"""Results of pure functions of a text, for as long as one task is performed.

A brain's rules ask the same of the same line again and again. A cache of the process would hold
what people wrote after they delete it; this one goes with the task.
"""

from collections.abc import Callable, Hashable
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

RESULTS_MAX: Final = 50_000  # of one task; what is asked beyond them is worked out each time

_results: Final[ContextVar[dict[Hashable, Any] | None]] = ContextVar("task_results", default=None)


def cache_scope(perform: Callable[P, T]) -> Callable[P, T]:
    """`perform` as a task, with a cache of its own; inside another task it uses that one's."""

    @wraps(perform)
    def performed(*args: P.args, **kwargs: P.kwargs) -> T:
        if _results.get() is not None:
            return perform(*args, **kwargs)
        token = _results.set({})
        try:
            return perform(*args, **kwargs)
        finally:
            _results.reset(token)

    return performed


def cached(function: Callable[P, T]) -> Callable[P, T]:
    """`function`, called once in a task for the same arguments: hashable ones, by position."""

    @wraps(function)
    def result(*args: P.args, **kwargs: P.kwargs) -> T:
        results = _results.get()
        key = (function, args)
        if results is None or kwargs or (key not in results and len(results) >= RESULTS_MAX):
            return function(*args, **kwargs)
        if key not in results:
            results[key] = function(*args, **kwargs)
        value: T = results[key]
        return value

    return result
