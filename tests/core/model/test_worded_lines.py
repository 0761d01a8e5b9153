"""A line in other words than it was said in is found by the words that it quotes."""

from dataclasses import replace

from core.domain.answers import Claim, LineRef
from core.domain.ids import AnswerId, StepId
from core.domain.lines import (
    Correction,
    find_line,
    is_lapsed,
    is_line,
    line_of,
    quoted_in,
    superseded,
)
from tests.core.test_scripted import SAM, request

A1, STEP = AnswerId("01-04:1"), StepId("01-04")
SAID = Claim("01-04/1", STEP, "requirement", "Files land in /srv", (A1,))
JOINED = replace(
    SAID,
    text="Exports run nightly into /srv",
    data={"quoted": "Exports run every night\nFiles land in /srv"},
)


def test_a_line_in_peoples_words_quotes_itself() -> None:
    assert quoted_in(SAID) == (SAID.text,)
    assert line_of(SAID) == LineRef(A1, SAID.text)


def test_a_worded_line_is_found_by_each_of_its_quotes_and_not_by_its_wording() -> None:
    assert line_of(JOINED) == LineRef(A1, "Exports run every night")
    assert is_line(LineRef(A1, "files land  in /srv."), JOINED)
    assert not is_line(LineRef(A1, "Exports run nightly into /srv"), JOINED)
    assert not is_line(LineRef(AnswerId("01-04:2"), "Files land in /srv"), JOINED)


def test_the_line_with_the_very_words_comes_first() -> None:
    longer = replace(SAID, id="01-04/2", text="Files land in /srv or elsewhere")
    assert find_line(LineRef(A1, "Files land in /srv"), (longer, JOINED)) == JOINED


def test_a_newer_line_stands_in_the_place_of_a_worded_one() -> None:
    newer = replace(SAID, id="01-04/9", text="in /tmp", supersedes=(LineRef(A1, SAID.text),))
    assert superseded((JOINED, newer)) == {JOINED.id: newer}


def test_a_correction_holds_while_a_line_quotes_its_words() -> None:
    tap = Correction(STEP, LineRef(A1, SAID.text), "risk", SAM, 1.0)
    assert not is_lapsed(tap, (), (JOINED,))
    assert is_lapsed(tap, request("01-04", "Nothing of it.").answers, ())
