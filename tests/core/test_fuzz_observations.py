"""Any line and any JSON is an observation or a list of faults, with answers of the stated sets."""

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from bot.cli.errors import FAULTY_EXIT, app
from core.taxonomy.aggregation import SEVERITIES, Aggregate, Raised, aggregate
from core.taxonomy.catalogue import KIND_OF_CATEGORY, Category, Handling, Kind, Routing, Severity
from core.taxonomy.classification import ClassifiedBy, classify
from core.taxonomy.handling import ROUTES, handle
from core.taxonomy.observation import (
    FaultyObservationError,
    Observation,
    Tier,
    observation,
)
from tests.support.hostile import DEEP, NO_JSON, ODD_JSON, json_bytes, json_texts, within

SECONDS = 10.0
KEYS = [one.name for one in fields(Observation)]
ANSWERED = {
    "category": (None, *get_args(Category)),
    "kind": (None, *get_args(Kind)),
    "retryable": (True, False),
    "handling": (None, *get_args(Handling)),
    "routing": get_args(Routing),
    "classified_by": get_args(ClassifiedBy),
}
SIGNATURE_CHARS_MAX = 200
ODD_TEXTS = (
    *(
        "timeout",
        "rate limit",
        "not found",
        "TimeoutError",
        "race",
        "secret",
        "flaky",
        "lint",
        "5s",
    ),
    *("", " ", "\x00", "\ud800", "ÅNGSTRÖM İ ß", "A" * 5_000, "a" * 5_000, "aA" * 2_500, "🙂" * 9),
    *("0x" * 2_000, "1" * 5_000, "deadbeef " * 500, "\u2028\u202e", "%s {} \\1 \\g<0>", "٣", "inf"),
)
WORDS = st.sampled_from(ODD_TEXTS)


def said_to_be(seen: Observation) -> None:
    """Both answers are there, fit each other, and can be written down."""
    what, then = classify(seen), handle(seen)
    assert what.category in ANSWERED["category"]
    assert what.classified_by in ANSWERED["classified_by"]
    assert then.handling in ANSWERED["handling"]
    assert then.routing in ANSWERED["routing"]
    assert (what.category is None) == (what.kind is None) == (then.handling is None)
    if what.category is None or then.handling is None:
        assert (then.routing, then.delay_s, what.matched, then.matched) == (
            "CONTINUE",
            None,
            (),
            (),
        )
        assert what.retryable is False
    else:
        assert what.kind == KIND_OF_CATEGORY[what.category]
        assert then.routing in {row.gives for row in ROUTES[then.handling]}
        assert len(what.matched) == len(then.matched) == 2
    assert (then.delay_s is None) == (then.routing != "RETRY")
    assert then.delay_s is None or (then.delay_s >= 0 and math.isfinite(then.delay_s))
    assert len(seen.signature) < SIGNATURE_CHARS_MAX
    assert seen.signature.isascii()


def read(text: str) -> Observation | None:
    try:
        return observation(json.loads(text))
    except FaultyObservationError as refused:
        faults = refused.faults
    except (ValueError, RecursionError):  # no JSON at all: what reads the lines sees to it
        return None
    assert faults
    assert all(fault.isascii() and 0 < len(fault) < 120 for fault in faults)
    return None


# Pure functions


@given(json_texts(st.sampled_from(KEYS)))
def test_any_json_is_an_observation_or_a_list_of_faults(text: str) -> None:
    with within(SECONDS):
        seen = read(text)
        if seen is not None:
            said_to_be(seen)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_with_any_odd_value_is_taken_or_named(key: str) -> None:
    for value in (*ODD_JSON, *NO_JSON, *map(json.dumps, ODD_TEXTS), "1" + "0" * 400, "-1", "1e308"):
        for also in ("", ', "message": "timeout"'):
            seen = read(f'{{"{key}": {value}{also}}}')
            if seen is not None:
                said_to_be(seen)


VALUES = st.sampled_from(ODD_JSON) | WORDS.map(json.dumps) | st.integers(0, 600).map(str)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6))
def test_whatever_the_documented_keys_hold_it_is_taken_or_named(values: Mapping[str, str]) -> None:
    pairs = (f"{json.dumps(key)}: {value}" for key, value in values.items())
    with within(SECONDS):
        seen = read(f"{{{', '.join(pairs)}}}")
        if seen is not None:
            said_to_be(seen)


SAID = st.booleans() | st.text(max_size=3)
SEEN = st.builds(
    Observation,
    error_type=st.none() | WORDS | st.text(max_size=30),
    message=st.none() | WORDS | st.lists(WORDS, max_size=4).map(" / ".join) | st.text(),
    exit_code=st.none() | st.integers(),
    http_status=st.none() | st.integers(-1, 700) | st.integers(),
    validation_errors=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    violation=st.none() | WORDS,
    tier=st.none() | st.sampled_from(get_args(Tier)),
    step_phase=st.none() | WORDS | st.text(max_size=90),
    attempts=st.integers(0, 9) | st.integers(0, 10**30),
    history=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    retry_after=st.none() | st.floats(0, allow_infinity=False) | st.integers(0, 10**6),
    alternative_path=SAID,
    known_fix=SAID,
    missing_input=SAID,
    config=SAID,
    fixable=SAID,
    critical_path=st.booleans(),
    test_passed_recently=st.booleans(),
    clean_before=st.booleans(),
)


@given(SEEN)
def test_any_observation_has_both_answers(seen: Observation) -> None:
    with within(SECONDS):
        said_to_be(seen)


RAISED = st.sampled_from(list(ROUTES)).flatmap(
    lambda way: st.builds(
        Raised,
        type=WORDS | st.text(max_size=5),
        handling=st.just(way),
        routing=st.sampled_from(get_args(Routing)),  # whatever somebody recorded
        severity=st.sampled_from(get_args(Severity)),
        at=st.floats(allow_nan=False) | st.integers(),
        delay_s=st.none() | st.floats(0, 1e9) | st.integers(0, 100),
        signature=st.sampled_from(["", "x"]) | st.text(max_size=3),
    )
)


@given(st.lists(RAISED, max_size=6))
def test_any_heap_of_errors_has_one_answer(several: list[Raised]) -> None:
    answer = aggregate(several)
    assert (answer is None) == (several == [])
    if answer is not None:
        _one_answer(answer, several)


def _one_answer(answer: Aggregate, several: list[Raised]) -> None:
    assert answer.winning in {one.handling for one in several}
    assert all(one.handling == answer.winning for one in answer.reported)
    assert answer.severity == min((one.severity for one in answer.reported), key=SEVERITIES.index)
    assert answer.decision in get_args(Routing)
    assert (answer.delay_s is not None) == (answer.decision == "RETRY")
    assert len(answer.reported) + len(answer.suppressed) == len(several)
    assert all(one.note for one in answer.suppressed)
    assert answer.reason


# The command


def classified(lines: bytes, *options: str) -> Result:
    with within(SECONDS):
        return CliRunner().invoke(app, [*options, "classify"], input=lines)


LINES = st.lists(json_bytes(st.sampled_from(KEYS)), max_size=4).map(b"\n".join)
GOOD = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3).map(
    lambda values: f"{{{', '.join(f'{json.dumps(k)}: {v}' for k, v in values.items())}}}".encode()
)


@given(LINES | st.lists(GOOD, max_size=4).map(b"\n".join) | st.binary(max_size=200))
def test_any_lines_are_answered_or_named_with_their_exit_code(lines: bytes) -> None:
    result = classified(lines, "--format", "json")
    assert result.exit_code in (0, FAULTY_EXIT)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    answers = [_strict(line) for line in result.stdout.splitlines()]
    for answer in answers:
        assert all(answer[key] in values for key, values in ANSWERED.items())
    faults = result.stderr.splitlines()
    assert (result.exit_code == FAULTY_EXIT) == bool(faults)
    assert all(fault.startswith("line ") for fault in faults)
    named = {fault.partition(":")[0] for fault in faults}
    there = sum(1 for line in lines.split(b"\n") if line.strip())
    assert len(answers) + len(named) == there


@settings(max_examples=30)
@given(st.lists(GOOD, max_size=4).map(b"\n".join) | LINES)
def test_any_lines_are_answered_in_words(lines: bytes) -> None:
    result = classified(lines)
    assert result.exit_code in (0, FAULTY_EXIT)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    result.output.encode()


def _strict(line: str) -> dict[str, Any]:
    def refused(constant: str) -> object:
        raise AssertionError(f"{constant} is no JSON")

    answer = json.loads(line, parse_constant=refused)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("levels", [*DEEP, *range(880, 1_000, 15)])
def test_however_deep_a_finding_nests_it_is_answered_or_named(levels: int) -> None:
    for opened, closed in (("[", "]"), ('{"a":', "}")):
        deep = opened * levels + "1" + closed * levels
        for line in (deep, f'{{"validation_errors": [{{"a": {deep}}}]}}', f'{{"config": {deep}}}'):
            result = classified(line.encode())
            assert result.exit_code in (0, FAULTY_EXIT)
            assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("text", NO_JSON)
def test_what_is_no_json_is_named_or_a_value_it_cannot_use(text: str) -> None:
    if text:
        result = classified(f'{{"retry_after": {text}}}'.encode())
        assert result.exit_code == FAULTY_EXIT
        assert result.stderr.startswith("line 1: ")
