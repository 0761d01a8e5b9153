"""What a brain works out of a text is worked out once in a task, and gone when the task ends."""

import weakref

import pytest

from core.brains.task_cache import RESULTS_MAX, cache_scope, cached

CALLS: list[str] = []


class Line(str):
    """A text of which it can be known whether anybody holds it."""

    __slots__ = ("__weakref__",)


@cached
def shouted(text: str) -> str:
    CALLS.append(text)
    return text.upper()


@cache_scope
def perform(*texts: str) -> list[str]:
    return [shouted(text) for text in texts]


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


def test_the_same_text_is_worked_out_once_in_a_task_and_anew_in_the_next() -> None:
    assert perform("a", "b", "a") == ["A", "B", "A"]
    assert CALLS == ["a", "b"]
    perform("a")
    assert CALLS == ["a", "b", "a"]


def test_outside_of_a_task_each_call_is_worked_out() -> None:
    assert shouted("a") + shouted("a") == "AA"
    assert CALLS == ["a", "a"]


def test_a_task_within_a_task_uses_its_results() -> None:
    @cache_scope
    def outer() -> list[str]:
        return [*perform("a"), *perform("a"), shouted("a")]

    assert outer() == ["A", "A", "A"]
    assert CALLS == ["a"]


def test_nothing_of_a_text_is_held_after_its_task_however_it_ends() -> None:
    @cached
    def opens(line: Line) -> str:
        return line[0]

    @cache_scope
    def fail(line: Line) -> None:
        opens(line)
        raise ValueError(line[0])

    line = Line("I want it all deleted")
    alive = weakref.ref(line)
    with pytest.raises(ValueError, match="I"):
        fail(line)
    cache_scope(opens)(line)
    del line
    assert alive() is None


def test_a_task_holds_a_limited_number_of_results() -> None:
    texts = [str(number) for number in range(RESULTS_MAX)]
    perform(*texts, "a", "a", "0")
    assert CALLS[RESULTS_MAX:] == ["a", "a"]
