"""Which quality wins where options are weighed: a rank, and no option among the others."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import Claim, LineRef
from tests.core.test_artifacts_files import claim, made, shown
from tests.core.test_scripted import request

OPTIONS = "A) a sheet, free\nB) an app of our own, slow to build"


def kinds(text: str) -> dict[str, str]:
    """The kind of each line that is said behind two options."""
    asked = request("03-01", OPTIONS, text)
    return {line.text: line.kind for line in read(asked).claims if line.text in text}


@pytest.mark.parametrize(
    "text",
    [
        "Simple beats cheap, cheap beats fast.",
        "simple > fast > cheap",
        "For me safe before simple before cheap",
        "Correct first, cheap second.",
        "Correct prices first, then no downtime, then cheap.",
        "Simple first, then cost.",
        "Cost comes last, the grant pays.",
        "speed last, it may calculate the whole night",
        "It has to be simple, then cheap.",
        "I'd take simple over fast.",
        "Money matters most.",
        "einfach vor billig",
        "Accuracy, before everything else.",
    ],
)
def test_an_order_of_qualities_is_a_rank(text: str) -> None:
    assert kinds(text) == {text: "priority"}


@pytest.mark.parametrize(
    "text",
    [
        "cheap, boring, slow on diff",
        "A is fast and cheap",
        "a simple list first",
        "cheaper by half",
    ],
)
def test_what_an_option_is_like_ranks_nothing(text: str) -> None:
    assert "priority" not in kinds(text).values()


def test_a_letter_beside_it_takes_its_option() -> None:
    assert "priority" not in kinds("B. and cheap comes last").values()


def test_it_ranks_no_requirement_and_stands_among_the_forces_of_a_choice() -> None:
    rank = claim("priority", "Simple beats cheap.", "03-01")
    text = shown(made("03-01", "architecture-overview.md", *_options(), rank))
    assert "\n- Simple beats cheap. — said by Priya" in text
    assert "| Simple beats" not in text


def test_it_is_no_rank_of_what_came_instead_of_a_line_without_a_name() -> None:
    rank = claim("priority", "Simple beats cheap.", "03-01")
    old = claim("note", "Old mails stay.", "01-06", 2)
    new = claim("requirement", "Old mails are deleted.", "01-06", ref="FR-001")
    new = replace(new, supersedes=(LineRef(old.sources[0], old.text),))
    text = made("01-06", "requirements-spec.md", old, new, rank)
    assert "Replaced by" in text
    assert "Priority:" not in text


def _options() -> tuple[Claim, Claim]:
    return (
        claim("option", "a sheet, free", "03-01", 2, option="Option A"),
        claim("option", "an app of our own", "03-01", 3, option="Option B"),
    )
