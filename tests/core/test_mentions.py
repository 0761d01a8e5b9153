"""Mentions in answers are read as names, and nothing else in them is changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.ids import UserId
from core.domain.mentions import users_in, with_names

PRIYA, OLU = UserId("U012AB3CD"), UserId("W98ZYX7654")
NAMES = {PRIYA: "Priya  Nair", OLU: "Olu"}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("ask @U012AB3CD, she knows", "ask @Priya Nair, she knows"),
        ("@U012AB3CD@W98ZYX7654: ok?", "@Priya Nair@Olu: ok?"),
        ("(@W98ZYX7654)", "(@Olu)"),
        ("who is @U0NOBODY99?", "who is @someone?"),
        ("@UNIVERSITY of Bonn", "@UNIVERSITY of Bonn"),
        ("@U2 tickets", "@U2 tickets"),
        ("mail to priya@U012AB3CD.example", "mail to priya@U012AB3CD.example"),
        ("@U012AB3CDefg", "@U012AB3CDefg"),
        ("@u012ab3cd", "@u012ab3cd"),
        ("a @ b", "a @ b"),
        ("", ""),
    ],
)
def test_an_id_is_read_as_the_name(text: str, read: str) -> None:
    assert with_names(text, NAMES) == read


@given(st.text(alphabet="@UW09AZaz _.é"))
def test_a_text_without_ids_stays_as_it_is(text: str) -> None:
    if not users_in(text):
        assert with_names(text, NAMES) == text


def test_a_long_run_costs_no_more_than_its_length() -> None:
    assert users_in("@" * 40_000) == ()
    assert users_in("@U0" + "A1" * 40_000) == ()
