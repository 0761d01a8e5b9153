"""Which pairs of lines are asked about, which replace each other, and which only sound alike."""

from pathlib import Path
from typing import Any, Final, cast

import pytest
import yaml

from core.brains.bookkeeping.differences.finder import found
from core.domain.answers import Answer, Claim, ClaimKind
from core.domain.ids import AnswerId, StepId, Ts
from tests.core.test_scripted import PRIYA, SAM, request

PAIRS: Final[list[dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "differing_lines.yaml").read_text("utf-8")
)


def outcome(pair: dict[str, str]) -> str:
    """What the finder makes of a pair: asked, replaced or nothing."""
    where, by = pair.get("where", "step"), pair.get("by", "others")
    earlier = StepId("01-04" if where == "elsewhere" else "01-06")
    data = {"question": "2"} if where == "question" else {}
    said = [
        (earlier, PRIYA, pair["first"]),
        (StepId("01-06"), PRIYA if by == "one" else SAM, pair["second"]),
    ]
    answers = [
        Answer(AnswerId(f"a{at}"), step, who, text, Ts(f"100{at}.000100"))
        for at, (step, who, text) in enumerate(said)
    ]
    kinds = cast("list[ClaimKind]", pair.get("kinds", "fact fact").split())
    first, second = (
        Claim(f"{answer.step}/{at}", answer.step, kind, answer.text, (answer.id,), data=data)
        for at, (answer, kind) in enumerate(zip(answers, kinds, strict=True), start=1)
    )
    made: dict[str, Any] = {"other_answers": tuple(answers)}
    elsewhere = where == "elsewhere"
    differences = found(
        request("01-06", claims=(first,) if elsewhere else (), **made),
        (second,) if elsewhere else (first, second),
    )
    if not differences:
        return "nothing"
    assert [(one.first.claim, one.second.claim) for one in differences] == [(first, second)]
    return "replaced" if differences[0].replaces else "asked"


# ── tests ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['first']} | {pair['second']}"[:80])
def test_a_pair_of_lines_is_asked_about_only_where_its_form_says_that_they_differ(
    pair: dict[str, str],
) -> None:
    assert outcome(pair) == pair["is"]


def test_the_table_holds_as_many_pairs_that_agree_as_pairs_that_differ() -> None:
    agreeing = [pair for pair in PAIRS if pair["is"] == "nothing"]
    assert len(PAIRS) >= 60
    assert len(agreeing) >= 0.4 * len(PAIRS)
