"""Every sign the two documents name is known by the tables, and the tables know no further ones."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.taxonomy.catalogue import Category, Handling
from core.taxonomy.classification import RETRYABLE, beyond, classify, tree
from core.taxonomy.handling import ROUTES, detection, handle, in_doubt
from core.taxonomy.observation import Observation
from core.taxonomy.rows import Row
from tests.core.indicators import (
    CATEGORY_SAID,
    CATEGORY_WORDS,
    EXIT_CODES,
    HANDLING_SAID,
    HANDLING_WORDS,
    LASTING_SAID,
    NEVER_RETRIED_WORDS,
    PATTERNS,
    RETRIED_WORDS,
    RETRYABLE_SAID,
    SETTINGS_SAID,
    SOURCES,
    STATUSES,
    VIOLATIONS,
)

# The sentences of the documents, as an agent would send them.


def sentences(text: str) -> list[str]:
    return [one.strip() for line in text.strip().split("\n") for one in line.split(" | ")]


@pytest.mark.parametrize("category", CATEGORY_SAID)
def test_every_indicator_of_a_category_is_known(category: Category) -> None:
    found = {
        said: classify(Observation(message=said)) for said in sentences(CATEGORY_SAID[category])
    }
    assert {said: what.category for said, what in found.items()} == dict.fromkeys(found, category)
    assert [said for said, what in found.items() if "in-doubt" in what.matched[0]] == []


@pytest.mark.parametrize("handling", HANDLING_SAID)
@pytest.mark.parametrize("field", ["message", "error_type"])
def test_every_signature_of_a_way_is_known(field: str, handling: Handling) -> None:
    found = {
        said: handle(Observation(**{field: said}))  # type: ignore[arg-type]
        for said in sentences(HANDLING_SAID[handling])
    }
    assert {said: then.handling for said, then in found.items()} == dict.fromkeys(found, handling)
    assert [said for said, then in found.items() if "in-doubt" in then.matched[0]] == []


def rows_of(table: Mapping[Category, str]) -> list[tuple[Category, str]]:
    return [(category, said) for category, text in table.items() for said in sentences(text)]


@pytest.mark.parametrize(("category", "said"), rows_of(RETRYABLE_SAID))
def test_what_may_pass_is_tried_again_by_both_tables(category: Category, said: str) -> None:
    what, then = classify(Observation(message=said)), handle(Observation(message=said))
    assert (what.category, what.retryable) == (category, True)
    assert then.handling in ("retriable", "transient")
    assert then.routing == "RETRY"


@pytest.mark.parametrize(("category", "said"), rows_of(LASTING_SAID))
def test_what_lasts_is_tried_again_by_neither_table(category: Category, said: str) -> None:
    what, then = classify(Observation(message=said)), handle(Observation(message=said))
    assert (what.category, what.retryable) == (category, False)
    assert then.handling == "permanent"
    assert then.routing != "RETRY"


@pytest.mark.parametrize(
    "fields",
    [
        *({"message": said} for said in sentences(SETTINGS_SAID)),
        {"http_status": 401},
        {"http_status": 403},
        {"config": True},
    ],
    ids=str,
)
def test_what_a_human_has_to_set_right_goes_to_a_human_unless_there_is_another_way(
    fields: dict[str, Any],
) -> None:
    seen = Observation(**fields)
    assert (handle(seen).handling, handle(seen).routing) == ("permanent", "ESCALATE")
    assert handle(replace(seen, alternative_path="another provider")).routing == "DETOUR"
    assert handle(replace(seen, missing_input=True)).routing == "BLOCKED"


@pytest.mark.parametrize("said", ["the build of 404 items", "HTTP 400", "http_status 422"])
def test_another_permanent_failure_is_no_matter_of_settings(said: str) -> None:
    assert handle(Observation(message=said, http_status=422)).routing == "UNVERIFIED"


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("environment variable DATABASE_URL not set", "prerequisite_failure"),
        ("environment variable one two three four five not set", "prerequisite_failure"),
        ("environment variable one two three four five six not set", "ambiguity_error"),
        ("expected 5 items, got 3", "unexpected_result"),
        ("expected\n5 items,\tgot 3", "unexpected_result"),
        ("expected 5 items, but forgot 3", "ambiguity_error"),
        ("unexpected 5 items, got 3", "ambiguity_error"),
    ],
)
def test_a_gap_in_a_phrase_takes_a_few_words_and_whole_ones(said: str, category: str) -> None:
    assert classify(Observation(message=said)).category == category


# The words of the tables, all of them.


def listed(text: str) -> set[str]:
    return {" ".join(word.split()) for word in text.split(",") if word.strip()}


def words_of(rows: Iterable[Row[object]], gives: object) -> set[str]:
    return {word for row in rows if row.gives == gives for word in row.words}


@pytest.mark.parametrize("category", CATEGORY_WORDS)
def test_the_words_of_a_category_are_these(category: Category) -> None:
    assert words_of(tree(), category) == listed(CATEGORY_WORDS[category])


@pytest.mark.parametrize("category", RETRIED_WORDS)
def test_the_words_that_say_whether_trying_again_helps_are_these(category: Category) -> None:
    rows = RETRYABLE[category]
    assert words_of(rows, True) == listed(RETRIED_WORDS[category])
    assert words_of(rows, False) == listed(NEVER_RETRIED_WORDS[category])


@pytest.mark.parametrize("handling", HANDLING_WORDS)
def test_the_words_of_a_way_are_these(handling: Handling) -> None:
    assert words_of(detection(), handling) == listed(HANDLING_WORDS[handling])


@pytest.mark.parametrize("category", RETRIED_WORDS)
@pytest.mark.parametrize("retryable", [True, False])
def test_a_word_alone_says_whether_trying_again_helps(category: Category, retryable: bool) -> None:
    said = listed((RETRIED_WORDS if retryable else NEVER_RETRIED_WORDS)[category])
    for word in said & listed(CATEGORY_WORDS[category]):
        what = classify(Observation(message=word))
        assert (what.category, what.retryable) == (category, retryable), word


@pytest.mark.parametrize(
    "said",
    ["test", "tests", "pytest", "the test suite", "assertion", "AssertionError", "assertions fail"],
)
def test_what_speaks_of_a_test_is_tried_again_if_it_passed_recently(said: str) -> None:
    for seen in (Observation(message=said), Observation(error_type=said)):
        assert handle(replace(seen, test_passed_recently=True)).handling == "retriable"
        assert handle(seen).handling == "permanent"


@pytest.mark.parametrize(
    "said", ["lint", "linter", "linting", "format violation", "formatting violations"]
)
def test_what_speaks_of_a_linter_is_tried_again_if_it_was_clean_before(said: str) -> None:
    seen = Observation(message=said)
    assert handle(replace(seen, clean_before=True)).handling == "retriable"
    assert handle(seen).handling == "permanent"


# What is no word: exit codes, statuses, violations.


def both_answers(seen: Observation) -> tuple[object, bool, object]:
    what = classify(seen)
    return what.category, what.retryable, handle(seen).handling


Numbers = dict[object, set[int]]


def numbers(rows: Iterable[Row[Any]], of: Callable[[Row[Any]], tuple[int, ...]]) -> Numbers:
    """Which numbers the rows name, by what they give."""
    found: Numbers = {}
    for row in rows:
        found.setdefault(row.gives, set()).update(of(row))
    return {gives: named for gives, named in found.items() if named}


def by_answer(answers: Mapping[int, tuple[object, ...]], place: int) -> Numbers:
    found: Numbers = {}
    for number, answer in answers.items():
        found.setdefault(answer[place], set()).add(number)
    return found


def test_the_numbers_of_the_tables_are_these() -> None:
    codes = {code: answers for code, answers in EXIT_CODES.items() if code != 1}  # any but 0
    assert numbers(tree(), lambda row: row.exit_codes) == by_answer(codes, 0)
    assert numbers(detection(), lambda row: row.exit_codes) == {"transient": {124, 137}}
    assert numbers(detection(), lambda row: row.http) == by_answer(STATUSES, 2)
    in_tree = {status: answers for status, answers in STATUSES.items() if status not in (400, 422)}
    assert numbers(tree(), lambda row: row.http) == by_answer(in_tree, 0)
    again = [row for rows in RETRYABLE.values() for row in rows]
    assert numbers(again, lambda row: row.exit_codes) == {True: {124, 137}}
    assert numbers(again, lambda row: row.http) == {True: by_answer(STATUSES, 1)[True]}


def test_every_exit_code_has_its_answers() -> None:
    for code, answers in EXIT_CODES.items():
        assert both_answers(Observation(exit_code=code)) == answers, code


def test_every_status_has_its_answers() -> None:
    for status, answers in STATUSES.items():
        assert both_answers(Observation(http_status=status)) == answers, status
    assert both_answers(Observation(http_status=418)) == ("execution_error", False, "permanent")
    assert both_answers(Observation(http_status=399)) == (None, False, None)


def test_every_violation_is_fatal_and_of_its_category() -> None:
    for category, words in VIOLATIONS.items():
        for word in listed(words):
            seen = Observation(violation=word.upper())
            assert both_answers(seen) == (category, False, "fatal"), word


@pytest.mark.parametrize(
    ("violation", "row"),
    [
        *[(word, "fatal/secrets") for word in
          ("secret", "credential", "password", "api key", "token", "secrets exposure")],
        *[(word, "fatal/integrity") for word in
          ("data", "integrity", "corruption", "corrupted", "corrupt")],
        *[(word, "fatal/security") for word in
          ("security", "breach", "injection", "unauthorized")],
        *[(word, "fatal/invariant") for word in ("invariant", "state machine", "assumption")],
        ("force push", "fatal/boundary"),
    ],
)  # fmt: skip
def test_a_violation_is_told_by_its_row(violation: str, row: str) -> None:
    assert handle(Observation(violation=violation)).matched[0].startswith(f"{row}: ")


# What a row says of itself: it is printed by `roundtable errors classify` and kept in records.


def test_every_row_names_a_line_of_its_document_and_every_line_has_a_row() -> None:
    lines = {head + line for head, text in SOURCES.items() for line in sentences(text)}
    tables: list[Row[object]] = [*tree(), *beyond(), *detection(), in_doubt()]
    tables += [row for rows in (*RETRYABLE.values(), *ROUTES.values()) for row in rows]
    assert {row.source for row in tables} == lines


def test_every_indicator_of_the_decision_tree_has_a_row() -> None:
    head = "Error Classification, Common Patterns by Category: "
    named = {row.source.removeprefix(head) for row in tree() if row.source.startswith(head)}
    assert named == set(sentences(PATTERNS))


def test_every_row_is_named_by_what_it_gives() -> None:
    rows: list[Row[object]] = [*tree(), *beyond(), *detection(), in_doubt()]
    rows += [row for of_way in ROUTES.values() for row in of_way]
    for row in rows:
        gives, _, name = row.name.partition("/")
        assert gives == row.gives
        assert name.replace("-", "").isalpha()
        assert name == name.lower()
    for of_category in RETRYABLE.values():
        for again in of_category:
            kind, _, name = again.name.partition("/")
            assert kind == ("retryable" if again.gives else "not-retryable")
            assert name.replace("-", "").isalpha()
            assert name == name.lower()
