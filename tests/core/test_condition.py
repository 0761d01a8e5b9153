"""`skip_if` is understood, refused or false: never anything else, and never for long."""

import time
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.steps.condition import (
    EXPRESSION_CHARS_MAX,
    NESTING_LEVELS_MAX,
    NODES_MAX,
    NUMBER_DIGITS_MAX,
    VARIABLES,
    Condition,
    ConditionError,
    Values,
    parse,
)

KNOWN: Values = {"scope": "small", "complexity": "low", "file_count": 5, "depth": "brief"}


def holds(expression: str, known: Values = KNOWN) -> bool:
    result = parse(expression)(known)
    assert isinstance(result, bool)
    return result


@pytest.mark.parametrize(
    "expression",
    [
        "scope == 'small'",
        'scope === "small"',
        "scope != 'large'",
        "scope !== 'large'",
        "file_count == 5",
        "file_count < 6",
        "file_count <= 5",
        "file_count > 4",
        "file_count >= 5",
        "file_count > 4.5",
        "file_count > -1",
        "file_count == 5.0",
        "scope < 'smaller'",
        "scope <= 'small'",
        "scope > 'sma'",
        "scope >= 'small'",
        "scope in ['small', 'medium']",
        "scope in ('small', 'medium')",
        "scope not in ['large']",
        "file_count in [4, 5]",
        "'low' in [complexity]",
        "scope == 'small' and file_count < 6",
        "scope == 'small' && file_count < 6",
        "scope == 'large' or depth == 'brief'",
        "scope == 'large' || depth == 'brief'",
        "not scope == 'large'",
        "!(scope == 'large')",
        "!!(scope == 'small')",
        "1 < file_count <= 5",
        "scope == 'large' or scope == 'small' and depth == 'brief'",
        "(scope == 'large' or scope == 'small') and depth == 'brief'",
        "scope=='small'&&!(file_count>5)",
        "scope ==\n  'small'\tand\r\n file_count < 6",
        "true",
        "True",
        "not false",
        "not null",
        "1",
        "'text'",
        "scope",
        "scope == true or true",
        "null == null",
        "scope not in []",
        "'small' == scope",
        "5 === file_count",
        "'large' !== scope",
        "-1 < 0",
        "-2.5 < -2",
        "file_count in [-5, 5]",
    ],
)
def test_it_holds(expression: str) -> None:
    assert holds(expression) is True


@pytest.mark.parametrize(
    "expression",
    [
        "scope == 'large'",
        "scope != 'small'",
        "scope !== 'small'",
        "file_count < 5",
        "file_count <= 4",
        "file_count > 5",
        "file_count >= 6",
        "scope < 'small'",
        "scope > 'small'",
        "scope <= 'a'",
        "scope >= 'z'",
        "scope in ['medium']",
        "scope not in ['small']",
        "scope in []",
        "scope == 'small' and file_count > 5",
        "scope == 'large' and depth == 'brief'",
        "scope == 'large' or depth == 'deep'",
        "!(scope == 'small')",
        "5 < file_count < 9",
        "1 < file_count < 5",
        "false",
        "null",
        "0",
        "''",
        "scope == true",
        "file_count == '5'",
        "file_count in ['5']",
        "1 == true",
        "0 == false",
        "1 in [true]",
        "scope == null",
        "'large' == scope",
        "'small' != scope",
        "scope == depth",
        "file_count in [-5]",
        "0 < -1",
    ],
)
def test_it_does_not_hold(expression: str) -> None:
    assert holds(expression) is False


def test_operators_in_a_string_are_text() -> None:
    known = {**KNOWN, "complexity": "a && b || !c === d !== true"}
    assert holds("complexity == 'a && b || !c === d !== true'", known)
    assert holds('complexity == "a && b || !c === d !== true"', known)


def test_a_backslash_takes_the_next_sign_as_it_is() -> None:
    assert holds(r"complexity == 'it\'s'", {**KNOWN, "complexity": "it's"})
    assert holds(r'complexity == "a\"b\\c\d"', {**KNOWN, "complexity": 'a"b\\cd'})
    assert holds("complexity == 'a\nb'", {**KNOWN, "complexity": "a\nb"})
    assert holds("complexity == '\x00'", {**KNOWN, "complexity": "\x00"})


def test_it_knows_its_variables_and_its_words() -> None:
    condition = parse("scope == 'small' && (file_count < 5 || scope in [depth])")
    assert condition.variables == {"scope", "file_count", "depth"}
    assert condition.expression == "scope == 'small' && (file_count < 5 || scope in [depth])"
    assert parse("true").variables == frozenset()
    assert parse("true") == parse("true")
    assert "lambda" not in repr(condition)


@pytest.mark.parametrize("name", VARIABLES)
def test_without_a_value_the_whole_condition_is_false(name: str) -> None:
    condition = parse(f"true or {name} == 'x'")
    assert condition({**KNOWN, name: None}) is False
    assert condition({one: value for one, value in KNOWN.items() if one != name}) is False
    assert condition(KNOWN) is True


def test_a_variable_that_is_not_asked_for_may_be_unknown() -> None:
    assert holds("scope == 'small'", {"scope": "small", "depth": None}) is True


def test_an_empty_text_and_a_zero_are_values() -> None:
    assert holds("scope == ''", {"scope": ""}) is True
    assert holds("file_count == 0", {"file_count": 0}) is True


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("", "there is no expression"),
        ("   \n ", "there is no expression"),
        ("size == 'small'", "'size' is not known; known are scope, complexity, file_count, depth"),
        ("small", "'small' is not known; known are scope, complexity, file_count, depth"),
        ("scope = 'small'", "'=' has no meaning here"),
        ("scope == 'small", '"\'" has no meaning here'),
        ("scope.upper", "'.' has no meaning here"),
        ("scope & depth", "'&' has no meaning here"),
        ("scope # small", "'#' has no meaning here"),
        ("scope == `x`", "'`' has no meaning here"),
        ("file_count == 1.2.3", "'1' has no meaning here"),
        ("file_count == 0x10", "'0' has no meaning here"),
        ("file_count == 1e9", "'1' has no meaning here"),
        ("scope == \x00", r"'\x00' has no meaning here"),
        ("scope ==", "this is not an expression"),
        ("(scope == 'small'", "this is not an expression"),
        ("scope == 'small')", "this is not an expression"),
        ("file_count == 007", "this is not an expression"),
        ("scope == not depth", "this is not an expression"),
        ("pass", "this is not an expression"),
        ("scope == 'a' 'b'", "two strings follow each other; is a comma missing?"),
        ("scope in ['small' 'medium']", "two strings follow each other; is a comma missing?"),
        ("depth()", "this is more than a condition may say"),
        ("scope[0]", "this is more than a condition may say"),
        ("1 - 1", "this is more than a condition may say"),
        ("lambda", "this is not an expression"),
        ("scope if depth else scope", "this is more than a condition may say"),
        ("scope is null", "this is more than a condition may say"),
        ("[scope for scope in ['x']]", "this is more than a condition may say"),
        ("-scope", "this is more than a condition may say"),
        ("-'1'", "this is more than a condition may say"),
        ("--1 < 2", "this is more than a condition may say"),
        ("-true == 1", "only a number can have a minus sign"),
        ("[]", "a list can only stand on the right side of 'in'"),
        ("not ['a']", "a list can only stand on the right side of 'in'"),
        ("scope == ['small']", "a list can only stand on the right side of 'in'"),
        ("['small'] == scope", "a list can only stand on the right side of 'in'"),
        ("['small'] and scope", "a list can only stand on the right side of 'in'"),
        ("scope in [['small']]", "a list can only stand on the right side of 'in'"),
        ("scope in 'small'", "'in' needs a list on its right side, like ['small', 'medium']"),
        ("scope in ('small')", "'in' needs a list on its right side, like ['small', 'medium']"),
        ("'s' not in scope", "'in' needs a list on its right side, like ['small', 'medium']"),
    ],
)
def test_it_is_refused_and_told_why(expression: str, why: str) -> None:
    with pytest.raises(ConditionError) as told:
        parse(expression)
    assert str(told.value) == why


@pytest.mark.parametrize(
    ("left", "right", "types"),
    [
        ("scope", "3", "text and number"),
        ("file_count", "'3'", "number and text"),
        ("file_count", "true", "number and truth"),
        ("true", "false", "truth and truth"),
        ("null", "null", "nothing and nothing"),
        ("file_count", "[1]", "number and list"),
        ("scope", "(depth == 'x')", "text and truth"),
        ("scope", "(depth or scope)", "text and truth"),
        ("scope", "(not depth)", "text and truth"),
        ("scope", "(depth in ['x'])", "text and truth"),
        ("scope", "(depth < 'x')", "text and truth"),
    ],
)
def test_order_needs_two_numbers_or_two_strings(left: str, right: str, types: str) -> None:
    for operator in ("<", "<=", ">", ">="):
        with pytest.raises(ConditionError) as told:
            parse(f"{left} {operator} {right}")
        assert str(told.value) == f"only two numbers or two strings have an order, not {types}"


def test_a_value_of_another_type_than_promised_is_an_error_and_no_crash() -> None:
    for expression, value in (("file_count > 3", "many"), ("scope < 'x'", 3)):
        condition = parse(expression)
        with pytest.raises(ConditionError) as told:
            condition(dict.fromkeys(condition.variables, value))
        assert str(told.value) == "only two numbers or two strings have an order"
    assert parse("scope == 'x'")({"scope": 3}) is False


def test_the_limits_are_where_they_say() -> None:
    just = f"scope == '{'x' * (EXPRESSION_CHARS_MAX - 11)}'"
    assert len(just) == EXPRESSION_CHARS_MAX
    assert holds(just) is False
    with pytest.raises(ConditionError, match=f"longer than {EXPRESSION_CHARS_MAX} characters"):
        parse(just + " ")

    deep = NESTING_LEVELS_MAX
    assert holds("(" * deep + "true" + ")" * deep) is True
    with pytest.raises(ConditionError, match=f"nested more than {deep} levels deep"):
        parse("(" * (deep + 1) + "true" + ")" * (deep + 1))

    assert holds(f"file_count < {'9' * NUMBER_DIGITS_MAX}") is True
    with pytest.raises(ConditionError, match=f"a number of more than {NUMBER_DIGITS_MAX} digits"):
        parse(f"file_count < {'9' * (NUMBER_DIGITS_MAX + 1)}")

    ones = NODES_MAX - 2  # with the `or` of all of them, which is two parts
    assert holds("||".join(["1"] * ones)) is True
    with pytest.raises(ConditionError, match=f"more than {NODES_MAX} parts"):
        parse("||".join(["1"] * (ones + 1)))

    nots = NODES_MAX // 2 - 1  # each is two parts, and the constant is one
    assert holds("!" * nots + "true") is (nots % 2 == 0)
    with pytest.raises(ConditionError, match=f"more than {NODES_MAX} parts"):
        parse("!" * (nots + 1) + "true")


def test_brackets_side_by_side_are_not_nested() -> None:
    side_by_side = " or ".join(["(false)"] * (NESTING_LEVELS_MAX + 5))
    assert holds(side_by_side) is False
    lists = " or ".join(["1 in []"] * (NESTING_LEVELS_MAX - 1))
    assert holds(f"{lists} or ((true))") is True


@pytest.mark.parametrize(
    "expression",
    [
        "scope in " + "[" * (NESTING_LEVELS_MAX + 1) + "]" * (NESTING_LEVELS_MAX + 1),
        "(true and " * (NESTING_LEVELS_MAX + 1) + "true" + ")" * (NESTING_LEVELS_MAX + 1),
        "(" * NESTING_LEVELS_MAX + "true) and ((true" + ")" * (NESTING_LEVELS_MAX + 1),
    ],
    ids=["lists", "with words between", "one closed and two opened"],
)
def test_brackets_are_counted_as_they_open_and_close(expression: str) -> None:
    with pytest.raises(ConditionError) as told:
        parse(expression)
    assert str(told.value) == f"nested more than {NESTING_LEVELS_MAX} levels deep"


def test_the_error_is_chained_to_its_cause() -> None:
    with pytest.raises(ConditionError) as told:
        parse("scope ==")
    assert isinstance(told.value.__cause__, SyntaxError)


@pytest.mark.parametrize(("a", "b"), list(product((False, True), repeat=2)))
def test_and_or_and_not_are_what_they_are_everywhere(a: bool, b: bool) -> None:
    words = {True: "true", False: "false"}
    one, two = words[a], words[b]
    for sign in ("and", "&&"):
        assert holds(f"{one} {sign} {two}") is (a and b)
    for sign in ("or", "||"):
        assert holds(f"{one} {sign} {two}") is (a or b)
    assert holds(f"!{one}") is (not a)
    assert holds(f"not {one} or {two}") is (not a or b)


PIECES = st.sampled_from(
    [
        *VARIABLES,
        *("==", "===", "!=", "!==", "<", "<=", ">", ">=", "in", "not in", "and", "&&", "or"),
        *("||", "not", "!", "(", ")", "[", "]", ",", "'small'", '"x"', "1", "-2", "3.5", "true"),
        *("false", "null", "'", '"', "\\", "\x00", "lambda", ":", "=", ".", "is", "if", "else"),
        *("\n", "'a&&b'", "99999999999999999999", "(" * 30, "[" * 30, "not " * 60, "é", "٣", "🙂"),
    ]
)
VALUES = st.none() | st.text(max_size=5) | st.integers()
KNOWNS = st.dictionaries(st.sampled_from(list(VARIABLES)), VALUES)


def never_anything_else(expression: str, known: Values) -> None:
    begun = time.process_time()
    with suppress(ConditionError):
        condition = parse(expression)
        assert isinstance(condition, Condition)
        assert condition.variables <= VARIABLES.keys()
        assert isinstance(condition(known), bool)
    assert time.process_time() - begun < 1


@given(st.lists(PIECES, max_size=40).map(" ".join), KNOWNS)
def test_any_heap_of_pieces_is_a_truth_or_a_condition_error(expression: str, known: Values) -> None:
    never_anything_else(expression, known)


@given(st.text(max_size=600), KNOWNS)
def test_any_text_is_a_truth_or_a_condition_error(expression: str, known: Values) -> None:
    never_anything_else(expression, known)


@pytest.mark.parametrize("piece", ["(", "[", "not ", "!", "-", "1,", "'a',", "a.", "(((", "[("])
def test_a_hostile_length_is_refused_at_once(piece: str) -> None:
    never_anything_else(piece * 100_000, KNOWN)
    never_anything_else(piece * (EXPRESSION_CHARS_MAX // len(piece)), KNOWN)
