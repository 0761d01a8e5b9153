"""Slugs: kebab case, never empty, never somebody else's."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.ids import SLUG_CHARS_MAX, Slug, numbered, slug_of


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Retry failed card payments", "retry-failed-card-payments"),
        ("  Retry -- FAILED (card) payments!  ", "retry-failed-card-payments"),
        ("Über die Brücke", "uber-die-brucke"),
        ("C++ & C#", "c-c"),
        ("../../etc/passwd", "etc-passwd"),
        ("v2.0", "v2-0"),
    ],
)
def test_a_slug_is_the_title_in_kebab_case(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@pytest.mark.parametrize("title", ["🚀🚀", "שלום עולם", "日本語", "!!!", ""])
def test_where_nothing_is_left_it_is_the_hash_of_the_title(title: str) -> None:
    assert re.fullmatch(r"item-[0-9a-f]{8}", slug_of(title))


def test_two_titles_of_which_nothing_is_left_differ() -> None:
    assert slug_of("🚀") != slug_of("🚀🚀")


def test_a_long_title_is_cut_at_a_word() -> None:
    slug = slug_of("word " * 600)
    assert len(slug) <= SLUG_CHARS_MAX
    assert set(slug.split("-")) == {"word"}


def test_one_word_without_end_is_cut_where_it_must_be() -> None:
    assert slug_of("x" * 3000) == "x" * SLUG_CHARS_MAX


@given(st.text(max_size=200))
def test_whatever_the_title_the_slug_is_a_plain_name(title: str) -> None:
    slug = slug_of(title)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
    assert len(slug) <= SLUG_CHARS_MAX
    assert slug_of(title) == slug


def test_a_slug_that_is_free_stays_as_it_is() -> None:
    assert numbered(Slug("a"), frozenset()) == "a"
    assert numbered(Slug("a"), frozenset({Slug("b")})) == "a"


def test_a_slug_that_is_taken_gets_the_first_free_number() -> None:
    taken = frozenset({Slug("a"), Slug("a-2"), Slug("a-4")})
    assert numbered(Slug("a"), taken) == "a-3"
