"""Hostile `skip_if`: understood, or refused with a ConditionError. Nothing is ever run."""

import builtins
import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.steps import condition
from core.domain.steps.condition import (
    EXPRESSION_CHARS_MAX,
    NESTING_LEVELS_MAX,
    VARIABLES,
    Condition,
    ConditionError,
    Values,
    parse,
)
from tests.support.hostile import within

SECONDS = 5.0
WHY_CHARS_MAX = 150  # it is shown to whoever writes the step
KNOWN: Values = {"scope": "small", "complexity": "low", "file_count": 5, "depth": "brief"}
KNOWNS = st.fixed_dictionaries(
    {
        "scope": st.none() | st.sampled_from(["small", "large", "", "\ud800"]),
        "complexity": st.none() | st.text(max_size=4),
        "file_count": st.none() | st.integers(),
        "depth": st.none() | st.sampled_from(["brief", "standard", "deep"]),
    }
)
WRONG = st.dictionaries(
    st.sampled_from(list(VARIABLES)),
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary() | st.lists(st.text()),
)


def answered(expression: str, known: Any) -> bool | None:
    """What it says; None where it is refused. Nothing else may happen, and not for long."""
    with within(SECONDS):
        try:
            result = parse(expression)(known)
        except ConditionError as refused:
            why = str(refused)
        else:
            assert isinstance(result, bool)
            return result
    assert 0 < len(why) < WHY_CHARS_MAX
    return None


# Bombs

MANY = 200_000
BOMBS = {
    "powers": "**".join(["9"] * 1_000),
    "power": "9**9**9**9**9",
    "shift": "1 << 99999999999",
    "product": "'a' * 99999999999",
    "number": "9" * MANY,
    "fraction": "1." + "9" * MANY,
    "hex": "0x" + "f" * MANY,
    "underscores": "1" + "_1" * 1_000,
    "complex": "1j",
    "spaces": " " * MANY,
    "line ends": "\n" * MANY + "true",
    "string": "'" + "x" * MANY + "'",
    "open string": "'" + "\\'" * MANY,
    "backslashes": "'" + "\\" * 400 + "'",
    "escapes": r"scope == '\x41é\N{BULLET}\101\n'",
    "triple quotes": "'''small''' == scope",
    "line continuation": "scope \\\n == 'small'",
    "list": "scope in [" + "'a'," * 50_000 + "]",
    "list of lists": "scope in " + "[" * 10_000 + "]" * 10_000,
    "tuples": "scope in (" + "'a'," * 90 + ")",
    "parentheses": "(" * MANY,
    "parentheses closed": "(" * 400 + "1" + ")" * 400,
    "closing": ")" * MANY,
    "nots": "not " * 100_000 + "true",
    "few nots": "not " * 120 + "true",
    "bangs": "!" * MANY + "true",
    "minus": "-" * MANY + "1",
    "few minus": "-" * 450 + "1",
    "ands": " and ".join(["true"] * 20_000),
    "few ands": " and ".join(["1"] * 80),
    "ors": "||".join(["scope == 'a'"] * 20_000),
    "alternating": " and ".join(["true or false"] * 30),
    "chain": " < ".join(["1"] * 120),
    "long chain": "==".join(["scope"] * 40_000),
    "dots": "scope" + ".real" * 60,
    "nul": "scope == 'a'\x00",
    "surrogate": "scope == '\ud800'",
    "surrogate outside": "scope == \ud800",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_or_answered(bomb: str) -> None:
    for expression in (BOMBS[bomb], BOMBS[bomb][:EXPRESSION_CHARS_MAX]):
        answered(expression, KNOWN)


@given(
    st.sampled_from(
        ["(", "[", "!", "-", "not ", "1 and ", "1,", "'", "\\", "((", "[(", "a.", "1<"]
    ),
    st.integers(1, EXPRESSION_CHARS_MAX),
    st.sampled_from(["", "1", "scope", "true", "'a'"]),
    st.sampled_from(["", ")", "]", ")]", "'"]),
)
def test_the_same_sign_again_and_again_is_refused_or_answered(
    sign: str, times: int, middle: str, closing: str
) -> None:
    answered(sign * times + middle + closing * times, KNOWN)


# Code

CODE = """
    __import__('os').system('true') | open('x', 'w') | print(scope) | exec('1') | eval('1')
    scope() | scope.format | scope.__class__ | ().__class__.__bases__[0].__subclasses__()
    f'{open}' == scope | f'' == scope | rb'a' == scope | u'a' == scope | b'a' == 'a'
    lambda: 1 | (lambda: 1)() | (x := 1) | (scope := 'large') | [x for x in [1]] | {x for x in [1]}
    {'a': 1} | {1} | (x for x in [1]) | 1 if scope else 2 | await scope | yield scope | yield
    *scope | [*scope] | **scope | scope[0] | scope[:] | scope[1:2] | scope @ depth | scope % depth
    file_count + 1 > 2 | file_count / 0 > 1 | file_count // 0 | ~file_count | +file_count == 5
    -file_count == 5 | 1 << 9 | scope is depth | scope is not null | import os | del scope
    assert scope | scope; depth | scope = 1 | global scope | return 1 | pass | ... | `scope`
    $scope | @scope | scope? | scope: 1 | None() | True.real | __builtins__ | __name__ | __debug__
    self | builtins | _ | ｓcope == 'small' | scopе == 'small' | ſcope == 'small' | 𝐬𝐜𝐨𝐩𝐞 == 'small'
    µ | ∀ | file_count == ５ | file_count == ٣ | scope ＝＝ 'small' | scope == ‘small’ | «scope»
    scope < 1 | 1 < scope | file_count > '5' | scope >= true | null < 1 | true < false
    'a' in 'abc' | scope in file_count | scope in depth | 'a' in null | 1 in 1 | 1 in true
    1 in [[1]] | [1] == [1] | [1] < [2] | not [1] | [] and 1 | 1 == [] | [] in [] | (1, 2)
"""
CODE_LINES = [code.strip() for line in CODE.strip().split("\n") for code in line.split(" | ")]


@pytest.mark.parametrize("code", CODE_LINES)
def test_code_is_no_condition(code: str) -> None:
    assert answered(code, KNOWN) is None


@given(
    st.sampled_from(CODE_LINES),
    st.sampled_from(["and", "or", "==", "in", ",", "&&", "not", "("]),
    st.sampled_from(CODE_LINES),
    KNOWNS,
)
def test_code_beside_code_is_no_condition(one: str, sign: str, other: str, known: Values) -> None:
    answered(f"{one} {sign} {other}", known)


@given(
    st.sampled_from(sorted([*vars(builtins), *vars(condition), "__builtins__", "self", "known"]))
)
def test_no_name_but_the_four_and_the_three_words_is_known(name: str) -> None:
    if name not in ("True", "False", "None"):
        assert answered(name, KNOWN) is None


@given(st.text(max_size=40) | st.binary(max_size=40).map(lambda raw: raw.decode("latin-1")), KNOWNS)
def test_any_text_is_refused_or_answered(expression: str, known: Values) -> None:
    answered(expression, known)


@given(st.text(st.characters(), max_size=30), KNOWNS)
def test_any_text_in_quotes_is_only_text(text: str, known: Values) -> None:
    quoted = "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    said = {**known, "complexity": text}
    assert answered(f"complexity == {quoted}", said) is True
    assert answered(f"complexity in [{quoted}, 'x']", said) is True
    assert answered(f"!({quoted} != complexity)", said) is True


# Nothing is run


def calls_of(understood: Condition, known: Values) -> list[Any]:
    """Every function that begins to run while it is asked, Python's own included."""
    noted: list[Any] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event in ("call", "c_call"):
            noted.append(frame.f_code if event == "call" else argument)

    gc.disable()  # hypothesis reads the clock whenever garbage is collected
    sys.setprofile(note)
    try:
        understood(known)
    except ConditionError:
        pass
    finally:
        sys.setprofile(None)
        gc.enable()
    del noted[noted.index(sys.setprofile) :]
    return noted


def is_harmless(called: Any) -> bool:
    """A closure of the condition itself, or looking up a value and its type."""
    if isinstance(called, CodeType):
        return called.co_filename == condition.__file__
    return called in (isinstance, any) or called.__qualname__ == "dict.get"


PIECES = st.sampled_from(
    [
        *VARIABLES,
        *("==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "not in", "and", "or", "&&", "||"),
        *("not", "!", "(", ")", "[", "]", ",", "'small'", '"x"', "5", "-1", "2.5", "true", "null"),
    ]
)


@given(st.lists(PIECES, min_size=1, max_size=12).map(" ".join), KNOWNS)
def test_a_condition_calls_nothing(expression: str, known: Values) -> None:
    try:
        understood = parse(expression)
    except ConditionError:
        return
    assert [one for one in calls_of(understood, known) if not is_harmless(one)] == []


# What a good one means


@dataclass(frozen=True)
class Meant:
    """An expression, and what it must say, worked out without the code under test."""

    text: str
    says: Callable[[Values], bool]


ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "===": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "!==": lambda a, b: a != b,
}
TEXTS = ("small", "large", "brief", "low", "")
NUMBERS = (-2, -1, 0, 1, 4, 5, 6)


def written(value: str | int) -> str:
    return str(value) if isinstance(value, int) else f"'{value}'"


@st.composite
def comparisons(draw: st.DrawFn) -> Meant:
    name = draw(st.sampled_from(list(VARIABLES)))
    values = NUMBERS if VARIABLES[name] == "number" else TEXTS
    if draw(st.booleans()):
        some = draw(st.lists(st.sampled_from(values), max_size=3))
        sign = draw(st.sampled_from(["in", "not in"]))
        text = f"{name} {sign} [{', '.join(map(written, some))}]"
        return Meant(text, lambda known: (known[name] in some) is (sign == "in"))
    sign, value = draw(st.sampled_from(sorted(ORDERS))), draw(st.sampled_from(values))
    if draw(st.booleans()):
        return Meant(f"{name} {sign} {written(value)}",
                     lambda known: ORDERS[sign](known[name], value))  # fmt: skip
    return Meant(f"{written(value)}{sign}{name}", lambda known: ORDERS[sign](value, known[name]))


def negated(part: Meant, sign: str) -> Meant:
    return Meant(f"{sign}({part.text})", lambda known: not part.says(known))


def joined(one: Meant, sign: str, other: Meant) -> Meant:
    every = sign in ("and", "&&")
    return Meant(
        f"({one.text}) {sign} ({other.text})",
        lambda known: (
            all(p.says(known) for p in (one, other))
            if every
            else any(p.says(known) for p in (one, other))
        ),
    )


MEANT = st.recursive(
    comparisons(),
    lambda inner: (
        st.builds(negated, inner, st.sampled_from(["not ", "!"]))
        | st.builds(joined, inner, st.sampled_from(["and", "&&", "or", "||"]), inner)
    ),
    max_leaves=5,
)


@given(MEANT, st.sampled_from(TEXTS), st.sampled_from(NUMBERS))
def test_a_good_condition_says_what_it_means(meant: Meant, text: str, number: int) -> None:
    known: Values = {"scope": text, "complexity": "low", "file_count": number, "depth": "brief"}
    if len(meant.text) <= EXPRESSION_CHARS_MAX and meant.text.count("(") <= NESTING_LEVELS_MAX:
        with suppress(ConditionError):  # more parts than it may have
            assert parse(meant.text)(known) is meant.says(known)


@given(MEANT, WRONG)
def test_values_of_any_type_are_an_answer_or_a_condition_error(meant: Meant, known: Any) -> None:
    answered(meant.text, known)
