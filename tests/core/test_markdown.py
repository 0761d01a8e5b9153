"""What people marked in Slack: blocks of code, and bold."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.artifacts.document.plain import code_in, is_code
from core.artifacts.document.tree import paragraph
from core.artifacts.render.markdown import fenced, markdown

# What both mean, in one line. It is no way to do it: on backticks alone its work is the square.
FENCED = re.compile(r"(`{3,})(.*)\1", re.DOTALL)
TEXTS = st.lists(
    st.integers(1, 12).map(lambda many: "`" * many) | st.sampled_from(["a", " ", "\n", "~~~"]),
    max_size=12,
).map("".join)
ANSWER_CHARS_MAX = 40_000


@given(TEXTS)
def test_code_is_what_begins_and_ends_with_a_fence_of_its_own(text: str) -> None:
    assert is_code(text) is bool(FENCED.fullmatch(text))


@given(TEXTS)
def test_the_fences_that_answer_each_other_are_taken_off(text: str) -> None:
    assert inside(text) == FENCED.sub(r"\2", text).strip("\r\n")


@pytest.mark.parametrize("alone", [5, 6, 7, 4_000, ANSWER_CHARS_MAX, ANSWER_CHARS_MAX + 1])
def test_a_long_enough_run_of_backticks_is_a_fence_and_its_end(alone: int) -> None:
    ticks = "`" * alone
    assert is_code(ticks) is (alone >= 6)
    assert inside(ticks) == (ticks[: alone % 2] if alone >= 6 else ticks)


def test_the_fences_of_a_long_answer_are_told_apart_by_their_length() -> None:
    runs = ["`" * many for many in range(3, 280)]
    growing, shrinking = "a".join(runs), "a".join(reversed(runs))
    assert len(growing) > 0.95 * ANSWER_CHARS_MAX
    assert inside(growing) == growing[3:-3]
    assert inside(shrinking) == "a".join(["`a"] * 138 + ["```"])


def inside(text: str) -> str:
    """What stands in the code block that is made of it."""
    return "\n".join(fenced(code_in(text)).split("\n")[1:-1])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("*What gets better* → a second pair of eyes", "What gets better → a second pair of eyes"),
        ("**Should:** B, E", "Should: B, E"),
        ("I hang it on *medium*.", "I hang it on medium."),
        ("*must* F1, *should* F4", "must F1, should F4"),
        ("**FR-001** is mine", "FR-001 is mine"),
        ("2*3*4", "2\\*3\\*4"),
        ("a * b * c", "a \\* b \\* c"),
        ("`*kept*`", "`*kept*`"),
        ("*open", "\\*open"),
    ],
)
def test_the_asterisks_around_what_slack_shows_as_bold_are_not_shown(text: str, shown: str) -> None:
    assert markdown(paragraph(text)) == shown
