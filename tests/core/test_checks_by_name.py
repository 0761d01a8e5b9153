"""Checks that name the line they are of, at whatever step."""

import pytest

from core.brains.script.reading import read
from tests.core.test_scripted import PRIYA, SAM, answer, request

LISTED = "The header and the column order must stay.\nThe manager can approve with one tap."


@pytest.mark.parametrize(
    "said",
    [
        "To check FR-001: diff of the July file, header and column order identical",
        "check FR-001: diff of the July file",
        "testing FR-1: the header is the same in both files",
        "FR-001 is checked by a diff of the July file",
    ],
)
@pytest.mark.parametrize("step", ["01-07", "02-03", "03-01", "03-03", "04-02", "04-04"])
def test_a_check_by_name_is_one_at_any_step(said: str, step: str) -> None:
    known = read(request("01-06", (SAM, LISTED))).claims
    asked = request(step, (PRIYA, said), claims=known, other_answers=(answer("01-06", 1, LISTED),))
    lines = [claim for claim in read(asked).claims if claim.confidence != "assumed"]
    assert [(claim.kind, claim.data["of"]) for claim in lines] == [("check", "FR-001")]


@pytest.mark.parametrize(
    "said", ["thats the check for FR-002 not 1", "no, that's the test of FR-002"]
)
def test_a_check_is_put_under_another_line_by_whoever_names_it(said: str) -> None:
    known = read(request("01-06", (SAM, LISTED))).claims
    check = "check FR-001: one tap, then the order is approved"
    asked = request(
        "03-04", (PRIYA, check), (SAM, said), claims=known,
        other_answers=(answer("01-06", 1, LISTED),),
    )  # fmt: skip
    lines = [claim for claim in read(asked).claims if claim.confidence != "assumed"]
    assert [(claim.kind, claim.data.get("of")) for claim in lines] == [
        ("check", "FR-002"),
        ("note", None),
    ]
