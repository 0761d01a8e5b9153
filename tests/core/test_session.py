"""A session as a value: whoever changes one makes a new one."""

from dataclasses import replace

import pytest

from core.domain.session.session import Session

SESSION = Session("s", "r", "T", "C", "U", "slug", "Title", "text", "seed", "2026-01-01")  # type: ignore[arg-type]


def test_a_changed_session_is_another_one_and_leaves_the_first_as_it_was() -> None:
    now = SESSION.with_part("status", "asking").with_part("adopted", True)
    assert now == replace(SESSION, status="asking", adopted=True)
    assert (SESSION.status, SESSION.adopted) == ("starting", False)


def test_what_is_no_part_of_a_session_cannot_be_changed() -> None:
    with pytest.raises(KeyError, match="stauts"):
        SESSION.with_part("stauts", "asking")
