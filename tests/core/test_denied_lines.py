"""What somebody says no to right behind it differs from what they say instead."""

import pytest

from tests.core.test_lines_taken_back import differing, drafted
from tests.core.test_scripted import PRIYA, SAM


@pytest.mark.parametrize(
    ("step", "first", "denial", "lines"),
    [
        (
            "01-06",
            "so to sum up: a clerk approves every reading",
            "No. Only those on the list.",
            {"so to sum up: a clerk approves every reading", "Only those on the list."},
        ),
        (
            "04-01",
            "so the Reader decides whether a pic is good enough",
            "no. Checker decides, nobody else.",
            {"so the Reader decides whether a pic is good enough", "Checker decides, nobody else."},
        ),
        (
            "04-02",
            "Phone is optional",
            "Nein. We have to be able to call when the oven is broken",
            {"Phone is optional", "We have to be able to call when the oven is broken"},
        ),
        (
            "03-04",
            "The driver waits. He can't reach you, so the phone logs it.",
            "No. Without a release he leaves it.",
            {"He can't reach you, so the phone logs it.", "Without a release he leaves it."},
        ),
    ],
)
def test_a_line_differs_from_what_somebody_says_instead_behind_a_plain_no(
    step: str, first: str, denial: str, lines: set[str]
) -> None:
    assert differing(drafted(step, (PRIYA, first), (SAM, denial))) == lines


@pytest.mark.parametrize(
    ("first", "reply"),
    [
        ("Who may see the plan? The trainers, I'd say.", "No. Only the office."),  # it was asked
        ("Every shelf gets a lamp.", "no"),
        ("Every shelf gets a lamp.", "No lamp at the door please, the neighbours complain."),
        ("Every shelf gets a lamp.", "Never: a receipt without the amount."),
    ],
)
def test_a_no_to_a_question_or_without_a_word_of_what_holds_differs_from_nothing(
    first: str, reply: str
) -> None:
    assert differing(drafted("01-06", (PRIYA, first), (SAM, reply))) == set()


def test_a_no_denies_what_was_said_right_before_it_and_nothing_earlier() -> None:
    lamp, gate = "Every shelf gets a lamp.", "The gate is shut at nine."
    draft = drafted("01-06", (PRIYA, lamp), (PRIYA, gate), (SAM, "No. At ten, when training ends."))
    assert lamp not in differing(draft)


def test_nothing_is_decided_that_somebody_says_no_to_at_once() -> None:
    recap, denial = "ok so: cloud OCR, paper as fallback.", "NO. On our own box, paper as fallback."
    kinds = {
        claim.text: claim.kind for claim in drafted("03-04", (PRIYA, recap), (SAM, denial)).claims
    }
    assert "decision" not in kinds.values()
    (decided,) = drafted("03-04", (PRIYA, recap), (SAM, "and who pays for it?")).claims[:1]
    assert decided.kind == "decision"
