"""Front matter is read, or refused with a reason; hostile YAML costs nothing."""

import datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.content import front_matter
from core.content.front_matter import (
    ALIASES_MAX,
    FRONT_CHARS_MAX,
    NESTING_LEVELS_MAX,
    MalformedError,
    load,
    split,
)


def refused(front: str) -> str:
    with pytest.raises(MalformedError) as told:
        load(front)
    return str(told.value)


def test_a_file_is_cut_at_its_delimiters() -> None:
    assert split("---\na: 1\n---\nbody\n---\nmore") == ("a: 1\n", "body\n---\nmore")
    assert split("--- \t\na: 1\n---  \n") == ("a: 1\n", "")
    assert split("---\n---") == ("", "")
    assert split("---\na: x---\n----\nb: '---'\n---") == ("a: x---\n----\nb: '---'\n", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it does not begin with a line of ---"),
        ("a: 1", "it does not begin with a line of ---"),
        ("\n---\na: 1\n---\n", "it does not begin with a line of ---"),
        (" ---\na: 1\n---\n", "it does not begin with a line of ---"),
        ("----\na: 1\n---\n", "it does not begin with a line of ---"),
        ("---", "the closing --- is missing"),
        ("---\na: 1\n", "the closing --- is missing"),
        ("---\na: 1\n --- \n", "the closing --- is missing"),
    ],
)
def test_missing_delimiters_are_told(text: str, why: str) -> None:
    with pytest.raises(MalformedError, match=f"^{why}$"):
        split(text)


def test_a_mapping_is_read_with_yaml_types() -> None:
    front = """
a: text
b: [1, 2.5, true, null]
c: {d: 2026-01-02}
01: e
"""
    assert load(front) == {
        "a": "text",
        "b": [1, 2.5, True, None],
        "c": {"d": datetime.date(2026, 1, 2)},
        "1": "e",
    }


def test_an_unquoted_step_id_is_text_and_other_numbers_are_not() -> None:
    assert load("a: 01-02\nb: 01\nc: 12:30") == {"a": "01-02", "b": 1, "c": 750}


def test_a_key_is_text_whatever_it_was() -> None:
    assert load("? 0x" + "f" * 5000 + "\n: 1\n2026-01-02: 2\ntrue: 3") == {
        "a very large number": 1,
        "2026-01-02": 2,
        "True": 3,
    }


def test_aliases_and_merges_are_read_within_bounds() -> None:
    front = "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: [*a, *a]"
    assert load(front) == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": [{"x": 1, "y": 2}] * 2,
    }
    assert load("a: &a 1\nb: [" + ", ".join(["*a"] * ALIASES_MAX) + "]")["b"] == [1] * ALIASES_MAX


@pytest.mark.parametrize(
    ("front", "why"),
    [
        ("", "it is empty"),
        ("# only a comment\n", "it is empty"),
        ("null", "it is empty"),
        ("just text", "it is not a mapping"),
        ("- a\n- b", "it is not a mapping"),
        ("a: 1\na: 2", "line 2: a key stands twice"),
        ("a:\n  b: 1\n  b: 2", "line 3: a key stands twice"),
        ("a: &a [*a]", "an alias contains itself"),
        ("a: *nobody", "line 2: found undefined alias"),
        ("!!bool x", "it is not valid YAML"),
        ("a: !!int ''", "it is not valid YAML"),
        ("a: !!timestamp x", "it is not valid YAML"),
        ("a: 2024-13-45", "it is not valid YAML"),
        ("a: " + "9" * 5000, "it is not valid YAML"),
        ("a: \x00", "it is not valid YAML"),
        ("[a]: 1", "it is not valid YAML"),
        ("? {a: 1}\n: 1", "it is not valid YAML"),
    ],
)
def test_what_is_no_mapping_is_refused(front: str, why: str) -> None:
    assert refused(front) == why


@pytest.mark.parametrize(
    "front",
    [
        "a: [",
        "a: 'x",
        "a: b: c",
        "\ta: 1",
        "a: 1\n b: 2",
        "%YAML 9",
        "a: !!python/object/apply:os.system [true]",
        "a: !x 1",
        "a: !!binary x",
        "<<: a",
        "=",
        "a: 1\n--- b\n",
        "a: @x",
    ],
)
def test_a_syntax_error_is_told_with_its_line(front: str) -> None:
    assert refused(front).startswith(("line ", "it is not"))


def test_a_line_is_counted_from_the_top_of_the_file() -> None:
    text = "---\ntitle: one\ndepth: [\n---\n"
    assert refused(split(text)[0]).startswith("line 4: ")


@pytest.mark.parametrize(
    "front",
    [
        "a: " + "[" * 8000,
        "a: " + "[" * 8000 + "]" * 8000,
        "a: " + "[{b: " * 3000,
        "- " * 8000,
        "? " * 8000,
        "a: " + "{b: " * 4000,
        "a: " + "[" * (NESTING_LEVELS_MAX + 1) + "]" * (NESTING_LEVELS_MAX + 1),
        "\n".join(f"{'  ' * level}a:" for level in range(100)),
    ],
)
def test_nesting_without_end_is_refused_before_it_hurts(front: str) -> None:
    assert len(front) <= FRONT_CHARS_MAX
    assert refused(front)


def test_nesting_up_to_the_limit_is_read() -> None:
    levels = NESTING_LEVELS_MAX - 1  # the mapping itself is one
    assert load("a: " + "[" * levels + "]" * levels)
    assert refused("a: [" + "[" * levels + "]" * levels + "]") == (
        f"it is nested more than {NESTING_LEVELS_MAX} levels deep"
    )


def test_an_alias_bomb_is_refused() -> None:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 40)]
    assert refused("\n".join(lines)) == f"it has more than {ALIASES_MAX} aliases"
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert refused("\n".join(lines)) == f"it has more than {ALIASES_MAX} aliases"


def test_front_matter_has_a_size() -> None:
    assert load("a: " + "x" * (FRONT_CHARS_MAX - 3))
    assert refused("a: " + "x" * (FRONT_CHARS_MAX - 2)) == (
        f"it is longer than {FRONT_CHARS_MAX} characters"
    )
    assert load("a: " + "x" * FRONT_CHARS_MAX, chars_max=FRONT_CHARS_MAX + 3)


def test_it_reads_the_same_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front_matter, "FastLoader", yaml.SafeLoader)
    assert load("a: [1, x]\nb: {c: 2026-01-02}") == {
        "a": [1, "x"],
        "b": {"c": datetime.date(2026, 1, 2)},
    }
    assert refused("a: 1\na: 2") == "line 2: a key stands twice"
    assert refused("a: " + "[" * 5000)
    assert refused("a: [").startswith("line ")


YAML_PIECES = st.sampled_from(
    [
        *("a", "b: ", ": ", "- ", "? ", "[", "]", "{", "}", ", ", "\n", "  ", "&x ", "*x", "<<: "),
        *("!!int ", "!!bool ", "!!set ", "!!omap ", "!!float ", "!!null ", "!!str ", "!!binary "),
        *("!!timestamp ", "!!map ", "!!seq ", "!!pairs ", "!!merge ", "!!value ", "!a ", "'", '"'),
        *(
            "|",
            ">",
            "#",
            "%",
            "@",
            "`",
            "\\",
            "---",
            "...",
            "0x",
            "1_0",
            ".nan",
            "1:2",
            "2024-01-01",
        ),
        *("~", "=", "\t", "\u2028", "\ufeff", "\x85", "é", "🙂", "\x00", "\x1b"),
    ]
)


@given(st.lists(YAML_PIECES, max_size=30).map("".join) | st.text(max_size=200))
def test_any_text_is_a_mapping_or_malformed(front: str) -> None:
    try:
        found = load(front)
    except MalformedError as why:
        assert str(why)  # noqa: PT017 # either way is right, and each has its promise
    else:
        assert all(isinstance(key, str) for key in found)
