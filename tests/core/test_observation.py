"""Reading what was seen, and the name that the same failure has each time."""

import ast
from dataclasses import fields, replace
from pathlib import Path
from time import thread_time
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.taxonomy.catalogue import Routing
from core.taxonomy.classification import classify
from core.taxonomy.handling import handle
from core.taxonomy.observation import (
    RETRY_AFTER_S_MAX,
    FaultyObservationError,
    Observation,
    observation,
)
from core.taxonomy.rows import speaks_of_error

ROOT = Path(__file__).parents[2]
# Inputs that Roundtable itself never sets, with the reason; `errors classify` takes them.
NEVER_SET: dict[str, str] = {
    "validation_errors": "an invalid draft takes the way of ERR-INT-001 before it is classified",
    "known_fix": "it keeps no list of known fixes; sonnet looks for one each time",
    "config": "a wrong setting is known by its words, or by 401 and 403; of a language model's "
    "provider, by its own kind of failure",
    "fixable": "whether a tier can mend it is found out by asking it",
    "critical_path": "the facilitator can always go on, so that no reading holds up the others",
    "test_passed_recently": "it runs no tests",
    "clean_before": "it runs no linter",
}


def test_the_signature_outlasts_counts_and_ids_and_tells_no_secret() -> None:
    one = Observation(error_type="TestError", message="step 12 at 0x7f3a took 3.5 s key sk-abc")
    two = replace(one, message="step 13 at 0x7f3b took 9.1 s key sk-abc")
    assert one.signature == two.signature
    assert one.signature.startswith("TestError::")
    assert "sk-abc" not in one.signature
    assert one.signature != replace(one, message="another").signature
    assert replace(one, step_phase="run").signature.startswith("run::TestError::")
    assert Observation(http_status=503).signature.startswith("http-503::")
    assert Observation(exit_code=1).signature.startswith("exit-1::")
    assert "::" not in Observation(message="odd").signature


def test_a_signature_is_short_and_plain() -> None:
    seen = Observation(
        error_type="Odd/Error: ü" * 9, step_phase="01 build\n" * 9, message="it broke"
    )
    phase, what, digest = seen.signature.split("::")
    assert phase == "01-build-" * 6 + "01-bui"
    assert what == "Odd-Error-" * 6
    assert len(digest) == 12
    assert set(digest) <= set("0123456789abcdef")


def test_an_observation_says_nothing_but_what_it_was_given() -> None:
    empty = {field.name: getattr(Observation(), field.name) for field in fields(Observation)}
    yes_or_no = "alternative_path known_fix missing_input config fixable critical_path"
    yes_or_no += " test_passed_recently clean_before"
    assert {name for name, value in empty.items() if value is False} == set(yes_or_no.split())
    assert {name for name, value in empty.items() if value == ()} == {
        "validation_errors",
        "history",
    }
    assert empty["attempts"] == 0
    assert [value for value in empty.values() if value is not None] == [(), 0, (), *[False] * 8]
    with pytest.raises(TypeError):
        Observation("TimeoutError")  # type: ignore[misc]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


KEYS = st.sampled_from([one.name for one in fields(Observation)]) | st.text(max_size=5)


@given(st.dictionaries(KEYS, JSON) | JSON)
def test_whatever_is_given_is_an_observation_or_a_list_of_faults(data: object) -> None:
    try:
        seen = observation(data)
    except FaultyObservationError:
        return
    assert (classify(seen).category is None) == (handle(seen).handling is None)
    assert handle(seen).routing in get_args(Routing)


NO_SECONDS = "retry_after must be a number of seconds from 0 to 999999999"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ([], "not a JSON object"),
        ({"what": 1}, "unknown key 'what'"),
        ({"message": 1}, "message must be text"),
        ({"exit_code": True}, "exit_code must be a whole number"),
        ({"attempts": -1}, "attempts must be a whole number, 0 or more"),
        ({"tier": "gpt"}, "tier must be haiku, sonnet or opus"),
        ({"history": [1]}, "history must be a list of signatures"),
        ({"validation_errors": "x"}, "validation_errors must be a list of texts or objects"),
        ({"retry_after": float("nan")}, NO_SECONDS),
        ({"retry_after": float("inf")}, NO_SECONDS),
        ({"retry_after": -1}, NO_SECONDS),
        ({"retry_after": 10**400}, NO_SECONDS),  # no float holds it
        ({"retry_after": RETRY_AFTER_S_MAX + 1}, NO_SECONDS),
        ({"retry_after": f"{RETRY_AFTER_S_MAX}.5"}, NO_SECONDS),
        ({"retry_after": "soon"}, NO_SECONDS),
        ({"retry_after": True}, NO_SECONDS),
        ({"critical_path": "yes"}, "critical_path must be true or false"),
        ({"config": 1}, "config must be true, false or a name"),
        ({"violation": 1}, "violation must be text"),
    ],
)
def test_what_is_no_observation_is_named(data: object, fault: str) -> None:
    with pytest.raises(FaultyObservationError) as why:
        observation(data)
    assert why.value.faults == (fault,)


NAME = "true, false or a name"
WANTED = {
    "error_type": "text",
    "message": "text",
    "exit_code": "a whole number",
    "http_status": "a whole number",
    "validation_errors": "a list of texts or objects",
    "violation": "text",
    "tier": "haiku, sonnet or opus",
    "step_phase": "text",
    "attempts": "a whole number, 0 or more",
    "history": "a list of signatures",
    "retry_after": "a number of seconds from 0 to 999999999",
    "alternative_path": NAME,
    "known_fix": NAME,
    "missing_input": NAME,
    "config": NAME,
    "fixable": NAME,
    "critical_path": "true or false",
    "test_passed_recently": "true or false",
    "clean_before": "true or false",
}


def test_every_key_says_what_it_takes() -> None:
    assert list(WANTED) == [field.name for field in fields(Observation)]
    for key, wanted in WANTED.items():
        for value in ({"no": "such"}, 1.5j):
            with pytest.raises(FaultyObservationError) as why:
                observation({key: value})
            assert why.value.faults == (f"{key} must be {wanted}",)


def test_half_a_character_has_a_signature_too() -> None:
    assert Observation(message="\ud800").signature != Observation(message="?").signature


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(FaultyObservationError) as why:
        observation({"tier": 1, "message": [], "x" * 99: 0})
    assert str(why.value) == (
        f"tier must be haiku, sonnet or opus; message must be text; unknown key '{'x' * 60}'"
    )


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("attempts", [0, 1, 5]),
        ("exit_code", [0, -1, 137]),
        ("critical_path", [True, False]),
        ("alternative_path", [True, False, "", "another model"]),
        ("missing_input", [True, False, "input.md"]),
        ("tier", ["haiku", "sonnet", "opus"]),
        ("message", ["", "a message"]),
        ("step_phase", ["run"]),
    ],
)
def test_a_value_is_taken_as_it_is(key: str, values: list[object]) -> None:
    for value in values:
        assert getattr(observation({key: value}), key) is value


def test_an_observation_is_read_from_json() -> None:
    assert observation({"message": None}) == Observation()
    for seconds in (0, 0.5, 5, RETRY_AFTER_S_MAX):
        assert observation({"retry_after": seconds}).retry_after == seconds
        assert observation({"retry_after": f" {seconds} s "}).retry_after == seconds
    assert observation({"retry_after": "5s"}).retry_after == 5
    assert observation({"validation_errors": [{"loc": "x"}, "y"]}).validation_errors == (
        "{'loc': 'x'}",
        "y",
    )
    assert observation({"violation": " "}).violation == ""
    assert observation({"history": ["a"], "tier": "opus"}).history == ("a",)


@pytest.mark.parametrize(
    "part", ["A", " ", "a", "0", "rate_", "not found ", "Error", "AErrorB", "_"]
)
def test_a_long_message_is_answered_in_bounded_time(part: str) -> None:
    seen = Observation(error_type=part * 50_000, message=part * 50_000)
    began = thread_time()  # of the processor: how busy the machine is says nothing
    classify(seen)
    handle(seen)
    assert len(seen.signature) < 200
    assert thread_time() - began < 5


def test_a_status_below_zero_is_strange_and_zero_is_none() -> None:
    assert speaks_of_error(Observation(http_status=-1))
    assert not speaks_of_error(Observation(http_status=0))


def named_inputs(path: Path) -> set[str]:
    """The keywords that a module passes to an `Observation`, or changes one by."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    known = {field.name for field in fields(Observation)}
    makes = {"Observation", "replace"}
    return {
        keyword.arg
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in makes
        for keyword in call.keywords
        if keyword.arg in known
    }


def test_what_is_said_never_to_be_set_is_set_nowhere_and_everything_else_is() -> None:
    places = [
        ROOT / "core/runtime/exception_observation.py",
        ROOT / "core/engine/faults/brain_failure.py",
    ]
    everywhere = [*(ROOT / "core").rglob("*.py"), *(ROOT / "bot").rglob("*.py")]
    inputs = {field.name for field in fields(Observation)}
    assert {name for path in places for name in named_inputs(path)} == inputs - set(NEVER_SET)
    for path in everywhere:
        if path.parent.name != "taxonomy":
            assert not named_inputs(path) & set(NEVER_SET), path


def test_the_page_says_which_inputs_are_never_set_and_why() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text()
    rows = "\n".join(f"| `{name}` | {why} |" for name, why in NEVER_SET.items())
    assert f"| Key | Why it is never set |\n|---|---|\n{rows}\n" in page
