"""What an error is, and what to do about it: the tables, row by row and pair by pair."""

from dataclasses import FrozenInstanceError, fields, replace
from itertools import combinations
from typing import Any, get_args

import pytest

from core.taxonomy.catalogue import (
    CATALOGUE,
    KIND_OF_CATEGORY,
    Category,
    Handling,
    Impact,
    Routing,
)
from core.taxonomy.classification import (
    ASKED,
    CLASSIFIED_BY,
    RETRYABLE,
    beyond,
    classify,
    tree,
)
from core.taxonomy.handling import (
    DELAY_MAX_SECONDS,
    PRECEDENCE,
    ROUTES,
    detection,
    handle,
    has_sign,
)
from core.taxonomy.observation import Observation
from core.taxonomy.rows import ATTEMPTS_MAX, RETRIES_MAX, SAME_SIGNATURE_MAX, Row, first

# What shows a row whose evidence is no word and no number.
ROWS: tuple[Row[Any], ...] = (*tree(), *detection())
SHOWN: dict[str, dict[str, Any]] = {
    "unexpected_result/validation": {"validation_errors": ("field required",)},
    "execution_error/exit-status": {"exit_code": 1},
    "inter_agent_misalignment/boundary": {"violation": "force_push"},
    "fatal/boundary": {"violation": "force_push"},
    "permanent/validation": {"validation_errors": ("field required",)},
    "retriable/test": {"message": "test failed", "test_passed_recently": True},
    "retriable/lint": {"message": "lint error", "clean_before": True},
    "retryable/passed-recently": {"message": "test failed", "test_passed_recently": True},
    "retryable/clean-before": {"message": "lint error", "clean_before": True},
}


def shows(row: Row[Any]) -> dict[str, Any]:
    """Fields that show just this row."""
    if row.name in SHOWN:
        return SHOWN[row.name]
    if row.words:
        return {"message": row.words[0]}
    if row.exit_codes:
        return {"exit_code": row.exit_codes[0]}
    return {"http_status": row.http[0]}


def both(one: dict[str, Any], other: dict[str, Any]) -> Observation | None:
    """What shows both rows, unless they ask for two values of one field."""
    texts = [shown["message"] for shown in (one, other) if "message" in shown]
    merged = {**one, **other, **({"message": " / ".join(texts)} if texts else {})}
    clash = any(merged[key] != one[key] for key in one if key != "message")
    return None if clash else Observation(**merged)


def name(row: Row[Any]) -> str:
    return row.name


@pytest.mark.parametrize("row", tree(), ids=name)
def test_every_row_of_the_tree_decides_where_it_is_shown_alone(row: Row[Category]) -> None:
    seen = classify(Observation(**shows(row)))
    assert seen.matched[0] == str(row)
    assert (seen.category, seen.kind) == (row.gives, KIND_OF_CATEGORY[row.gives])


@pytest.mark.parametrize("row", detection(), ids=name)
def test_every_row_of_handling_decides_where_it_is_shown_alone(row: Row[Handling]) -> None:
    done = handle(Observation(**shows(row)))
    assert done.handling == row.gives
    assert done.matched[0] == str(row)


@pytest.mark.parametrize(("above", "below"), list(combinations(tree(), 2)), ids=name)
def test_of_two_rows_of_the_tree_the_one_above_decides(
    above: Row[Category], below: Row[Category]
) -> None:
    seen = both(shows(above), shows(below))
    if seen is not None:
        assert classify(seen).matched[0] == str(above)


@pytest.mark.parametrize(("above", "below"), list(combinations(detection(), 2)), ids=name)
def test_of_two_rows_of_handling_the_one_above_decides(
    above: Row[Handling], below: Row[Handling]
) -> None:
    seen = both(shows(above), shows(below))
    if seen is not None:
        assert handle(seen).matched[0] == str(above)


@pytest.mark.parametrize(("row", "word"), [(row, word) for row in ROWS for word in row.words])
def test_every_word_counts_whole_and_in_any_case(row: Row[Any], word: str) -> None:
    word = word.replace(" …", "")
    for text in (word, word.upper(), f"it: ({word}).", word.replace(" ", "_")):
        assert replace(row, only_if=None).holds(Observation(message=text))
    assert not replace(row, fact=None).holds(Observation(message=f"x{word}x"))


@pytest.mark.parametrize("row", [row for row in ROWS if row.violations], ids=name)
def test_every_violation_counts(row: Row[Any]) -> None:
    assert all(row.holds(Observation(violation=word)) for word in row.violations)
    assert handle(Observation(violation=row.violations[0])).routing == "TERMINATE"


def test_the_tables_are_in_their_stated_order() -> None:
    assert set(ASKED) == set(get_args(Category))
    assert set(PRECEDENCE) == set(get_args(Handling)) == set(ROUTES)
    assert [row.gives for row in tree()] == sorted((r.gives for r in tree()), key=ASKED.index)
    ways = [row.gives for row in detection()]
    assert ways == sorted(ways, key=PRECEDENCE.index)


def test_every_row_names_its_source_and_has_a_name_of_its_own() -> None:
    tables: list[tuple[Row[Any], ...]] = [(*tree(), *beyond()), detection()]
    tables += [*RETRYABLE.values(), *ROUTES.values()]
    for rows in tables:
        assert len({row.name for row in rows}) == len(rows)
        assert all(row.source for row in rows)


def test_race_is_not_in_traceback() -> None:
    assert handle(Observation(message="Traceback (most recent call last)")).routing == "UNVERIFIED"
    assert handle(Observation(message="a race between two writers")).handling == "retriable"


@pytest.mark.parametrize(
    ("fields_of", "category", "retryable", "handling"),
    [
        ({"message": "connection refused"}, "prerequisite_failure", True, "transient"),
        ({"error_type": "FileNotFoundError"}, "prerequisite_failure", False, "permanent"),
        ({"error_type": "ModuleNotFoundError"}, "prerequisite_failure", False, "permanent"),
        ({"message": "permission denied"}, "prerequisite_failure", False, "permanent"),
        ({"error_type": "TimeoutError"}, "execution_error", True, "transient"),
        ({"exit_code": 137}, "execution_error", True, "transient"),
        ({"error_type": "RateLimitExceeded"}, "execution_error", True, "transient"),
        ({"error_type": "rate_limit", "http_status": 429}, "execution_error", True, "transient"),
        ({"http_status": 503}, "prerequisite_failure", True, "transient"),
        ({"http_status": 529}, "prerequisite_failure", True, "transient"),
        ({"error_type": "overloaded_error"}, "prerequisite_failure", True, "transient"),
        ({"message": "peer closed connection (incomplete chunked read)"},
         "prerequisite_failure", True, "transient"),
        ({"error_type": "quota_exceeded", "http_status": 429},
         "execution_error", True, "transient"),
        ({"error_type": "insufficient_quota", "http_status": 429},
         "prerequisite_failure", False, "permanent"),
        ({"exit_code": 1}, "execution_error", False, "permanent"),
        ({"exit_code": 1, "message": "compilation error"}, "execution_error", False, "permanent"),
        ({"error_type": "flaky_test"}, "execution_error", True, "retriable"),
        ({"message": "race condition"}, "unexpected_result", True, "retriable"),
        ({"message": "unclear success criteria"}, "ambiguity_error", False, "permanent"),
        ({"message": "context window overflow"}, "inter_agent_misalignment", True, "retriable"),
        ({"message": "fabricated claim"}, "inter_agent_misalignment", False, "permanent"),
        ({"violation": "secret"}, "unexpected_result", False, "fatal"),
        ({"error_type": "secrets_exposure"}, "unexpected_result", False, "fatal"),
        ({"missing_input": True}, "prerequisite_failure", False, "permanent"),
        ({"config": "api_key"}, "prerequisite_failure", False, "permanent"),
        ({"error_type": "OddError"}, "execution_error", False, "permanent"),
        ({"http_status": 418}, "execution_error", False, "permanent"),
        ({"http_status": -1}, "ambiguity_error", False, "permanent"),
        ({"message": "something odd"}, "ambiguity_error", False, "permanent"),
        ({"exit_code": 0, "message": "expected: wrong format"}, "unexpected_result", False,
         "permanent"),
    ],
)  # fmt: skip
def test_both_answers_are_independent(
    fields_of: dict[str, Any], category: str, retryable: bool, handling: str
) -> None:
    seen = Observation(**fields_of)
    what, then = classify(seen), handle(seen)
    assert (what.category, what.retryable, then.handling) == (category, retryable, handling)


@pytest.mark.parametrize(
    "fields_of",
    [
        {},
        {"exit_code": 0},
        {"http_status": 200, "message": "packet loss 0%"},
        {"exit_code": 0, "message": "all done"},
        {"message": "  "},
        {"tier": "opus", "attempts": 4, "history": ("x",), "test_passed_recently": True},
    ],
)
def test_what_is_no_error_goes_on(fields_of: dict[str, Any]) -> None:
    seen = Observation(**fields_of)
    what, then = classify(seen), handle(seen)
    assert (what.category, what.kind, what.retryable, what.matched) == (None, None, False, ())
    assert (then.handling, then.routing, then.delay_s) == (None, "CONTINUE", None)
    assert then.matched == ()


@pytest.mark.parametrize("category", RETRYABLE)
def test_of_two_retrying_rows_the_one_above_decides(category: Category) -> None:
    rows = RETRYABLE[category]
    assert not rows[-1].gives  # in doubt, never
    for above, below in combinations(rows[:-1], 2):
        seen = both(shows(above), shows(below))
        if seen is not None:
            assert first(rows, seen) is above


def test_a_haiku_reports_raw_and_the_others_classify_themselves() -> None:
    assert CLASSIFIED_BY == {
        "haiku": "orchestrator",
        "sonnet": "agent",
        "opus": "agent",
        None: "orchestrator",
    }
    for failed in (Observation(exit_code=1), Observation()):  # an error, and none
        assert classify(replace(failed, tier="sonnet")).classified_by == "agent"
        assert classify(failed).classified_by == "orchestrator"


def test_an_answer_names_the_rows_that_decided() -> None:
    done = handle(Observation(validation_errors=("x",), config=True))
    names = [matched.partition(": ")[0] for matched in done.matched]
    assert names == ["permanent/validation", "ESCALATE/configuration"]
    what = classify(Observation(message="stale cache"))
    names = [matched.partition(": ")[0] for matched in what.matched]
    assert names == ["unexpected_result/stale", "retryable/stale"]


def test_the_limits_are_those_of_the_taxonomy() -> None:
    assert (ATTEMPTS_MAX, DELAY_MAX_SECONDS, RETRIES_MAX, SAME_SIGNATURE_MAX) == (5, 60, 3, 2)


@pytest.mark.parametrize(
    "value",
    [
        *(Observation(), tree()[0], classify(Observation()), handle(Observation())),
        *(Impact(), CATALOGUE["E-001"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_cannot_be_changed(value: Any) -> None:
    first_field = fields(value)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(value, first_field, None)
    assert hasattr(value, "__dict__") == isinstance(value, Observation)  # which remembers its text


FLAKY = Observation(message="flaky")
BUSY = Observation(http_status=503)
BAD = Observation(validation_errors=("x",))


@pytest.mark.parametrize(
    ("seen", "routing", "delay"),
    [
        *[(replace(BUSY, attempts=n), "RETRY", 2**n) for n in range(5)],
        (replace(BUSY, retry_after=90, attempts=4), "RETRY", 90),
        (replace(BUSY, retry_after=0), "RETRY", 0),
        (replace(BUSY, retry_after=90, attempts=5), "ESCALATE", None),
        (replace(BUSY, attempts=5, alternative_path="other model"), "DETOUR", None),
        (replace(BUSY, attempts=4, alternative_path=True), "RETRY", 16),
        *[(replace(FLAKY, attempts=n, retry_after=9), "RETRY", 0) for n in range(3)],
        (replace(FLAKY, attempts=3), "CONTINUE", None),
        (replace(FLAKY, attempts=3, critical_path=True), "ESCALATE", None),
        (replace(FLAKY, attempts=3, critical_path=True, known_fix=True), "DETOUR", None),
        (replace(FLAKY, attempts=1, history=("other", "other")), "RETRY", 0),
        (replace(FLAKY, attempts=1, history=(FLAKY.signature,)), "CONTINUE", None),
        (replace(BAD, missing_input=True, config=True, fixable=True), "BLOCKED", None),
        (replace(BAD, config=True, fixable=True), "ESCALATE", None),
        (replace(BAD, fixable=True), "DETOUR", None),
        (BAD, "UNVERIFIED", None),
        (Observation(violation="x", missing_input=True), "TERMINATE", None),
        (Observation(message="test failed", history=("x",), attempts=1), "UNVERIFIED", None),
    ],
)
def test_each_way_leads_to_its_end(seen: Observation, routing: Routing, delay: float) -> None:
    assert (handle(seen).routing, handle(seen).delay_s) == (routing, delay)


def test_only_what_a_row_speaks_of_has_a_sign() -> None:
    assert has_sign(Observation(message="no such file"))  # in the decision tree alone
    assert has_sign(Observation(message="packet loss"))  # among the four ways alone
    assert not has_sign(Observation(message="something odd"))
    assert not has_sign(Observation(error_type="OddError"))
