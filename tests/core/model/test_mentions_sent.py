"""From a message of Slack's to a request: whoever is mentioned in it is a number."""

from pathlib import Path

from core.brains.model.requests import step_request
from core.domain.answers import Draft
from tests.core.model.requests import LIMITS, PROMPTS, data_of, envelope
from tests.support.fakes import Thinking
from tests.support.served_bot import served_bot


def test_somebody_who_is_mentioned_and_never_answered_has_a_number(tmp_path: Path) -> None:
    brain = Thinking()
    with served_bot(tmp_path, brain=lambda _: brain) as table:
        table.start("Export dashboard as PDF")
        table.say("It is large, ask @dev about it.")
        user, me = table.slack.user_id("dev"), table.slack.user_id("pm")
    made = step_request(brain.asked[-1], Draft("", ()), PROMPTS["read_answers"], LIMITS, envelope())
    (row,) = data_of(made)["answers"]
    assert row["text"] == "It is large, ask @P2 about it."
    assert (made.ids.people, made.ids.names) == (
        {"P1": me, "P2": user},
        {"P1": "pm", "P2": "dev"},
    )
    whole = made.wire.system + made.wire.user
    assert not any(secret in whole for secret in (user, me, "@dev", str(brain.asked[-1].slug)))
