"""Claims of any kind, linked and replaced in any way, leave every file valid and stable."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from core.artifacts.compose.layouts import BY_NAME, sections
from core.artifacts.compose.readiness import readiness_of
from core.domain.answers import Claim, ClaimKind, Confidence, Draft, LineRef
from core.domain.ids import StepId
from tests.core.test_compose import HOSTILE, SLUG, TITLE, assert_valid
from tests.core.test_scripted import answer, request
from tests.support.composing import compose

ANALYSIS = [
    *(file for file in BY_NAME if not file.startswith(("project", "tech-stack.", "discovery"))),
    "adr-*.md",
]
REFS = ("FR-001", "US-001", "GOAL-001", "ADR-001", "AC-001", None)
KEYS = ("of", "requirements", "stories", "goals", "by_words", "option", "choice", "for", "priority")
STEPS = ("01-06", "03-01", "03-02")


@st.composite
def claims(draw: st.DrawFn) -> list[Claim]:
    """Up to five lines; each may stand in place of lines before it."""
    made: list[Claim] = []
    for number in range(draw(st.integers(0, 5))):
        step = StepId(draw(st.sampled_from(STEPS)))
        older = draw(st.lists(st.sampled_from(made), max_size=2)) if made else []
        made.append(
            Claim(
                f"{step}/{number}",
                step,
                draw(st.sampled_from(get_args(ClaimKind))),
                draw(HOSTILE),
                draw(st.sampled_from([(), (answer(step, number + 1, "").id,)])),
                draw(st.sampled_from(get_args(Confidence))),
                draw(st.sampled_from(REFS)),
                draw(st.dictionaries(st.sampled_from(KEYS), HOSTILE | st.sampled_from(REFS[:3]))),
                tuple(LineRef(one.sources[0], one.text) for one in older if one.sources),
            )
        )
    return made


@given(st.sampled_from(ANALYSIS), st.sampled_from(STEPS), claims())
def test_any_claims_leave_every_file_valid_and_composing_again_changes_nothing(
    output: str, step: str, made: list[Claim]
) -> None:
    earlier = tuple(one for one in made if one.step != step)
    said = tuple(answer(one.step, number, "x") for number, one in enumerate(made, start=1))
    asked = request(step, outputs=(output,), claims=earlier, other_answers=said)
    own = tuple(one for one in made if one.step == step)
    parts = sections(asked, Draft("", own))
    for part in parts:
        text = compose(part.file, TITLE, SLUG, parts, None)
        assert_valid(part.file, text)
        assert compose(part.file, TITLE, SLUG, parts, text) == text


@given(claims())
def test_something_is_always_said_of_what_is_settled(made: list[Claim]) -> None:
    assert readiness_of(made).sentences(lambda _: ["Priya"])
