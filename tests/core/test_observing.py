"""What can be said of an exception: type, words, status, exit code, how long to wait."""

import errno
from types import SimpleNamespace
from typing import Any

import pytest

from core.runtime.exception_observation import (
    CHAIN_MAX,
    MESSAGE_CHARS_MAX,
    missing_in,
    observed,
    trace_of,
)

TOKEN = "-".join(("xoxb", "2345678901", "2345678901234", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))


class Failed(Exception):  # noqa: N818 - as a provider's library would name it
    def __init__(self, **facts: Any) -> None:
        super().__init__("the provider failed")
        self.__dict__.update(facts)


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    with pytest.raises(type(error)) as found:
        raise error from cause
    return found.value


def test_its_type_its_words_and_who_saw_it() -> None:
    seen = observed(ValueError("no such thing"), "sonnet")
    assert (seen.error_type, seen.message, seen.tier) == ("ValueError", "no such thing", "sonnet")
    assert (seen.missing_input, seen.violation) == (False, None)


@pytest.mark.parametrize("tier", [None, "gemini", ""])
def test_a_tier_that_is_none_is_left_out(tier: str | None) -> None:
    assert observed(ValueError("x"), tier).tier is None


def test_the_systems_word_for_an_error_comes_first() -> None:
    seen = observed(PermissionError(errno.EACCES, "Permission denied", "notes.md"), None)
    assert (seen.message or "").startswith("EACCES [Errno 13] Permission denied")
    assert observed(OSError("no number"), None).message == "no number"
    assert observed(OSError(99_999, "nothing known"), None).message == "[Errno 99999] nothing known"


def test_an_error_without_words_has_none() -> None:
    assert observed(RuntimeError(), None).message is None


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        ({"status_code": 429}, 429),
        ({"status": 503}, 503),
        ({"response": SimpleNamespace(status_code=502)}, 502),
        ({"status_code": True}, None),
        ({"status": "503"}, None),
        ({}, None),
    ],
)
def test_an_http_status_is_found_where_libraries_put_it(
    facts: dict[str, object], status: int | None
) -> None:
    assert observed(Failed(**facts), None).http_status == status


def test_an_exit_code_is_found() -> None:
    assert observed(Failed(returncode=137), None).exit_code == 137
    assert observed(Failed(returncode="137"), None).exit_code is None


@pytest.mark.parametrize(
    ("facts", "seconds"),
    [
        ({"retry_after": 7}, 7.0),
        ({"retry_after": "2.5"}, 2.5),
        ({"retry_after": -3}, 0.0),
        ({"retry_after": "soon"}, None),
        ({"retry_after": object()}, None),
        ({"response": SimpleNamespace(headers={"Retry-After": "30"})}, 30.0),
        ({"response": SimpleNamespace(headers={})}, None),
        ({"response": SimpleNamespace(headers=object())}, None),
        ({"response": None}, None),
    ],
)
def test_how_long_to_wait_is_found(facts: dict[str, object], seconds: float | None) -> None:
    assert observed(Failed(**facts), None).retry_after == seconds


def test_the_causes_are_looked_at_as_well() -> None:
    seen = observed(raised(RuntimeError("the call failed"), Failed(status_code=503)), None)
    assert (seen.error_type, seen.http_status) == ("RuntimeError", 503)
    assert seen.message == "the call failed; Failed: the provider failed"


def test_what_happened_while_it_was_handled_counts_unless_it_is_hidden() -> None:
    def call() -> None:
        try:
            raise Failed(status_code=503)
        except Failed:
            raise RuntimeError("and then this")  # noqa: B904 - that is the case

    with pytest.raises(RuntimeError) as found:
        call()
    assert observed(found.value, None).http_status == 503
    found.value.__suppress_context__ = True
    assert observed(found.value, None).http_status is None


def test_causes_in_a_circle_or_without_end_are_cut() -> None:
    one, two = RuntimeError("one"), RuntimeError("two")
    one.__cause__, two.__cause__ = two, one
    assert observed(one, None).message == "one; RuntimeError: two"
    first = last = RuntimeError("0")
    for number in range(1, 20):
        last.__cause__ = RuntimeError(str(number))
        last = last.__cause__
    causes = (f"RuntimeError: {number}" for number in range(1, CHAIN_MAX))
    assert observed(first, None).message == "; ".join(("0", *causes))


def test_a_file_that_is_not_there_is_named_without_its_folder() -> None:
    gone = FileNotFoundError(2, "No such file or directory", "/somewhere/CLAUDE.md")
    assert missing_in(gone) == "CLAUDE.md"
    assert missing_in(raised(RuntimeError("x"), gone)) == "CLAUDE.md"
    assert observed(gone, None).missing_input == "CLAUDE.md"
    assert missing_in(FileNotFoundError("no name")) == ""


def test_an_error_may_say_what_was_violated() -> None:
    assert observed(Failed(violation="boundary"), None).violation == "boundary"


def test_neither_words_nor_trace_hold_a_credential_and_both_have_an_end() -> None:
    error = raised(RuntimeError(f"{TOKEN} " + "x" * 10_000))
    seen = observed(error, None)
    assert TOKEN not in (seen.message or "")
    assert len(seen.message or "") == MESSAGE_CHARS_MAX
    assert TOKEN not in trace_of(error)
    assert len(trace_of(error)) <= 4_000
    assert "RuntimeError" in trace_of(raised(RuntimeError("short")))


def test_the_type_of_a_cause_says_what_its_wrapper_does_not() -> None:
    wrapped = raised(RuntimeError("the library gave up"), TimeoutError())
    assert observed(wrapped, None).message == "the library gave up; TimeoutError"
    beside = RuntimeError("boom")
    beside.__context__ = KeyError(
        "draft"
    )  # it was being handled, and may have nothing to do with it
    assert observed(beside, None).message == "boom; 'draft'"
