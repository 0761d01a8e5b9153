"""Tools that are only named: at another step, as a reply, or in passing."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import LineRef
from core.domain.follow_ups import FollowUp
from core.domain.ids import UserId
from tests.core.test_scripted import PRIYA, SAM, request


def chosen(step: str, said: str) -> list[str]:
    claims = read(request(step, (PRIYA, "how?"), (SAM, said))).claims
    return [
        claim.data.get("option", "") for claim in claims if claim.data.get("choice") == "chosen"
    ]


@pytest.mark.parametrize("step", ["01-06", "02-01", "03-03", "04-01"])
def test_tools_named_at_another_step_choose_nothing(step: str) -> None:
    assert chosen(step, "Rails, MySQL, Puma.") == []


@pytest.mark.parametrize("by", [PRIYA, SAM])
@pytest.mark.parametrize("reply", ["Rails, MySQL", "SQS for the queue. too dear"])
def test_tools_that_answer_what_else_it_could_have_been_are_no_choice(
    by: UserId, reply: str
) -> None:
    line = "We take RabbitMQ for the queue."
    told = request("03-02", line, (by, reply))
    first = told.answers[0]
    question = FollowUp("alternative", "well?", LineRef(first.id, line), after=first.ts)
    claims = read(replace(told, follow_ups=(question,))).claims
    assert [claim.text for claim in claims if claim.data.get("choice") == "chosen"] == [line]
    assert not any(claim.supersedes for claim in claims)


@pytest.mark.parametrize(
    "said", ["django?", "no django", "new: kotlin", "keep django", "kotlin or java", "Anna"]
)
def test_names_in_passing_are_none(said: str) -> None:
    claims = read(request("03-02", (SAM, said))).claims
    assert not any("choice" in line.data for line in claims)
